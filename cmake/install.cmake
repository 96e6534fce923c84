# What is installed: the rooms' libraries and public headers, a CMake package that finds what each component needs, a
# pkg-config file for each room (artel-pool, artel-sim-kernel, …), the command with its documents (app/CMakeLists.txt).
#
# It comes in packages, each with some components: its libraries in the install component `<package>`, its headers and what
# else compilers and linkers read in `<package>-dev`. The command is the install component `command`.
include(CMakePackageConfigHelpers)
set(artel_cmake ${CMAKE_INSTALL_LIBDIR}/cmake/artel)
set(ARTEL_PACKAGES core sim experiment cluster)       # each stands on those before it
set(ARTEL_PACKAGE_core core pool interop service parallel command)
set(ARTEL_PACKAGE_sim sim)
set(ARTEL_PACKAGE_experiment experiment)
set(ARTEL_PACKAGE_cluster cluster)

foreach(package IN LISTS ARTEL_PACKAGES)
  set(libraries)
  foreach(component IN LISTS ARTEL_PACKAGE_${package})
    foreach(room IN LISTS ARTEL_ROOMS_${component})
      if(room IN_LIST ARTEL_BUILT_ROOMS)
        set(ARTEL_PACKAGE_OF_${room} ${package})
        string(REPLACE "/" "_" room ${room})
        list(APPEND libraries artel_${room})
      endif()
    endforeach()
  endforeach()
  if(libraries)
    install(TARGETS ${libraries} EXPORT artelTargets_${package}
      LIBRARY COMPONENT ${package} NAMELINK_COMPONENT ${package}-dev ARCHIVE COMPONENT ${package}-dev
      FILE_SET HEADERS COMPONENT ${package}-dev FILE_SET unproven COMPONENT ${package}-dev)
    install(EXPORT artelTargets_${package} NAMESPACE artel:: DESTINATION ${artel_cmake} COMPONENT ${package}-dev)
  endif()
endforeach()
if(TARGET artel_app)
  install(TARGETS artel_app RUNTIME COMPONENT command)
  if(cluster IN_LIST ARTEL_BUILT_COMPONENTS)
    install(DIRECTORY packaging/systemd/ DESTINATION lib/systemd/system COMPONENT command)
  endif()
endif()

# ---- find_package(artel COMPONENTS …)

set(ARTEL_COMPONENT_LINES)
foreach(component IN LISTS ARTEL_BUILT_COMPONENTS)
  set(packages)
  foreach(room IN LISTS ARTEL_NEEDED_ROOMS_${component})
    list(APPEND packages ${ARTEL_PACKAGES_${room}})
  endforeach()
  list(REMOVE_DUPLICATES packages)
  list(JOIN packages " " packages)
  string(APPEND ARTEL_COMPONENT_LINES "set(artel_packages_${component} ${packages})\n")
endforeach()
foreach(package IN LISTS ARTEL_PACKAGES)
  foreach(component IN LISTS ARTEL_PACKAGE_${package})
    if(component IN_LIST ARTEL_BUILT_COMPONENTS)
      string(APPEND ARTEL_COMPONENT_LINES "set(artel_targets_${component} artelTargets_${package}.cmake)\n")
    endif()
  endforeach()
endforeach()
list(REMOVE_ITEM ARTEL_BUILT_COMPONENTS app)
list(JOIN ARTEL_BUILT_COMPONENTS " " ARTEL_BUILT_COMPONENTS)
list(JOIN ARTEL_PACKAGES " " artel_packages)
configure_package_config_file(cmake/artelConfig.cmake.in ${PROJECT_BINARY_DIR}/artelConfig.cmake
  INSTALL_DESTINATION ${artel_cmake})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/artelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/artelConfig.cmake ${PROJECT_BINARY_DIR}/artelConfigVersion.cmake
  cmake/Findmsgpack.cmake cmake/Findnats.cmake cmake/Findre2.cmake DESTINATION ${artel_cmake} COMPONENT core-dev)

# ---- pkg-config --libs artel-ROOM, wherever the files lie

file(RELATIVE_PATH artel_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(artel_module_fmt fmt)
set(artel_module_tomlplusplus tomlplusplus)
set(artel_module_muparser muparser)
set(artel_module_pugixml pugixml)
set(artel_module_ZLIB zlib)
set(artel_module_zstd libzstd)
set(artel_module_OpenSSL libcrypto)
set(artel_module_nats libnats)
set(artel_module_re2 re2)
set(artel_flag_Threads -pthread)

foreach(line IN LISTS ARTEL_LAYER_LINES)
  artel_read_layer("${line}")
  if(NOT ARTEL_LAYER IN_LIST ARTEL_BUILT_ROOMS)
    continue()
  endif()
  string(REPLACE "/" "_" name ${ARTEL_LAYER})
  string(REPLACE "/" "-" module artel-${ARTEL_LAYER})
  set(requires)
  foreach(room IN LISTS ARTEL_LAYER_ARROWS)
    string(REPLACE "/" "-" room artel-${room})
    list(APPEND requires ${room})
  endforeach()
  set(libraries)
  get_target_property(kind artel_${name} TYPE)
  if(NOT kind STREQUAL "INTERFACE_LIBRARY")
    set(libraries -lartel_${name})
  endif()
  foreach(package IN LISTS ARTEL_PACKAGES_${ARTEL_LAYER})
    string(REGEX REPLACE "\\|.*" "" package ${package})
    list(APPEND requires ${artel_module_${package}})
    list(APPEND libraries ${artel_flag_${package}})
  endforeach()
  list(JOIN requires " " requires)
  list(JOIN libraries " " libraries)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${module}.pc @ONLY CONTENT "prefix=\${pcfiledir}/@artel_up@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: @module@
Description: @PROJECT_DESCRIPTION@: the room @ARTEL_LAYER@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I\${includedir}
Libs: -L\${libdir} @libraries@
")
  install(FILES ${PROJECT_BINARY_DIR}/${module}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT ${ARTEL_PACKAGE_OF_${ARTEL_LAYER}}-dev)
endforeach()
