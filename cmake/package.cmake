# Debian's packages and a tar.gz, by CPack (`./dev package`): for each package of install.cmake libartel-<package><version> with the
# shared libraries and libartel-<package>-dev, and `artel`, the command.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME artel)
set(CPACK_PACKAGE_CONTACT "artel authors <artel@example.org>")
set(CPACK_PACKAGE_FILE_NAME artel-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)          # the archive; Debian's packages are one per component
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_options.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
list(TRANSFORM ARTEL_BUILT_ROOMS PREPEND ${PROJECT_BINARY_DIR}/artel/ OUTPUT_VARIABLE CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

# What every package of Debian has in /usr/share/doc: its licence and what changed.
set(documents ${PROJECT_BINARY_DIR}/documents)
file(MAKE_DIRECTORY ${documents})
file(WRITE ${documents}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: artel

Files: *
Copyright: 2025-2026 the artel authors
License: Apache-2.0
 On Debian systems the text of this licence is in /usr/share/common-licenses/Apache-2.0.
")
string(TIMESTAMP date "%a, %d %b %Y 00:00:00 +0000" UTC)
file(WRITE ${documents}/changelog "artel (${PROJECT_VERSION}) unstable; urgency=medium

  * Upstream's version ${PROJECT_VERSION}; see its CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9nkf ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${documents}/triggers "activate-noawait ldconfig\n")
file(CHMOD ${documents}/triggers PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# artel_overrides(COMPONENT NAME TEXT…): what lintian is to pass over in the package, and why.
function(artel_overrides component name)
  list(JOIN ARGN "\n" text)
  file(WRITE ${documents}/overrides/${name} "${text}\n")
  install(FILES ${documents}/overrides/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${component}
    EXCLUDE_FROM_ALL)                           # of `cmake --install`; packages take components by name
endfunction()

# artel_debian(COMPONENT NAME SECTION SUMMARY TEXT DEPENDS…)
function(artel_debian component name section summary text)
  string(TOUPPER ${component} key)
  list(JOIN ARGN ", " depends)
  foreach(pair "PACKAGE_NAME=${name}" "PACKAGE_SECTION=${section}" "PACKAGE_DEPENDS=${depends}")
    string(REGEX MATCH "^([^=]+)=(.*)$" _ "${pair}")
    set(CPACK_DEBIAN_${key}_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  install(FILES ${documents}/copyright ${documents}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endfunction()

set(version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same "(= ${PROJECT_VERSION})")
set(text_core "pool of threads with dispatch policies, map and reduce")
set(text_sim "discrete-event simulation, models of networks and disks")
set(text_experiment "experiments with and plans of fleets of workers")
set(text_cluster "tasks over machines, on NATS JetStream")
# Which of Debian's packages has what artelConfig.cmake and the pkg-config files look for.
set(debian_fmt libfmt-dev)
set(debian_tl-expected libexpected-dev)
set(debian_tomlplusplus libtomlplusplus-dev)
set(debian_muparser libmuparser-dev)
set(debian_ZLIB zlib1g-dev)
set(debian_zstd libzstd-dev)
set(debian_pugixml libpugixml-dev)
set(debian_OpenSSL libssl-dev)
set(debian_msgpack libmsgpack-cxx-dev)
set(debian_nats libnats-dev)
set(debian_re2 libre2-dev)
# artel_foreign(PACKAGE VARIABLE): those that the components of this package of ours need.
function(artel_foreign package variable)
  set(needed)
  foreach(component IN LISTS ARTEL_PACKAGE_${package})
    foreach(room IN LISTS ARTEL_NEEDED_ROOMS_${component})
      foreach(foreign IN LISTS ARTEL_PACKAGES_${room})
        string(REGEX REPLACE "[|].*" "" foreign "${foreign}")
        if(NOT DEFINED debian_${foreign} AND NOT foreign STREQUAL Threads)     # which come with the compiler
          message(FATAL_ERROR "package.cmake does not know which of Debian's packages has ${foreign}")
        endif()
        list(APPEND needed ${debian_${foreign}})
      endforeach()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES needed)
  set(${variable} "${needed}" PARENT_SCOPE)
endfunction()

# What shlibdeps does not find: what they need of each other.
set(below)
set(below_libs)
foreach(package IN LISTS ARTEL_PACKAGES)
  artel_debian(${package} libartel-${package}${version} libs "${text_${package}} (libraries)"
    " The shared libraries of artel's package ${package}." ${below_libs})
  string(TOUPPER ${package} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_CONTROL_EXTRA ${documents}/triggers)
  artel_overrides(${package} libartel-${package}${version}
    "# CPack writes scripts that call ldconfig, beside the trigger" "maintscript-calls-ldconfig"
    "# a library for each room, all of one version" "package-name-doesnt-match-sonames"
    "# parallel is templates, its library holds next to nothing" "library-not-linked-against-libc")
  artel_foreign(${package} foreign)
  artel_debian(${package}-dev libartel-${package}-dev libdevel "${text_${package}} (headers)"
    " Headers, CMake package and pkg-config files of artel's package ${package}."
    "libartel-${package}${version} ${same}" ${below} ${foreign})
  list(APPEND below "libartel-${package}-dev ${same}")
  list(APPEND below_libs "libartel-${package}${version} ${same}")
  list(APPEND artel_install_components ${package} ${package}-dev)
endforeach()
artel_debian(command artel science "spread tasks over workers: simulate, plan, map, cluster"
  " The command artel, its manual pages, completions for bash, zsh and fish,\n units for systemd, and scenarios." ${below_libs})
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS nats-server)      # artel cluster up, artel-server@.service
if(TARGET artel_python)
  artel_debian(python python3-artel python "artel for Python: simulate, plan, replay, models in virtual time"
    " The package artel: the questions of the command artel as functions, dispatch\n policies in Python, and processes in virtual time with the names of SimPy." ${below_libs} "python3 (>= 3.11)" "python3 (<< 3.12)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-numpy")
  list(APPEND artel_install_components python)
endif()
set(CPACK_COMPONENTS_ALL ${artel_install_components} command)
include(CPack)
