# A port for vcpkg. Copy this folder to ports/artel of a registry, with vcpkg.json from the root of the sources, and say where these
# are: URL, and the commit of the release as REF (a tag is not enough for vcpkg).
vcpkg_from_git(OUT_SOURCE_PATH SOURCE_PATH
  URL "https://example.org/artel.git"
  REF 014aa230fc642dfb0d07674957ac321bc34fe3ba)

# `pool` is what needs no other package, and always there.
set(components pool interop service parallel)
foreach(feature IN ITEMS command sim experiment cluster)
  if(feature IN_LIST FEATURES)
    list(APPEND components ${feature})
  endif()
endforeach()

set(report)
if("experiment" IN_LIST FEATURES)
  set(report -DARTEL_REPORT=OFF)        # else npm is asked for what the page is made of
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
  "-DARTEL_COMPONENTS=${components}" -DARTEL_COMMAND=OFF ${report} -DARTEL_TESTS=OFF -DARTEL_BENCH=OFF -DARTEL_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/artel)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
