# A port for vcpkg: copy this folder to ports/artel of a registry, with vcpkg.json from the root of the sources, and set REF and
# SHA512 to the release.
vcpkg_from_git(OUT_SOURCE_PATH SOURCE_PATH URL ${ARTEL_GIT_URL} REF v${VERSION})

set(components pool interop service parallel command)
foreach(feature sim experiment cluster)
  if(feature IN_LIST FEATURES)
    list(APPEND components ${feature})
  endif()
endforeach()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  "-DARTEL_COMPONENTS=${components}" -DARTEL_COMMAND=OFF -DARTEL_TESTS=OFF -DARTEL_BENCH=OFF -DARTEL_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/artel)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
