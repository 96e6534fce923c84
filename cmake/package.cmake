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
file(WRITE ${documents}/changelog.Debian "artel (${PROJECT_VERSION}) unstable; urgency=medium

  * Upstream's version ${PROJECT_VERSION}; see its CHANGELOG.md.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(ARCHIVE_CREATE OUTPUT ${documents}/changelog.Debian.gz PATHS ${documents}/changelog.Debian FORMAT raw COMPRESSION GZip
  COMPRESSION_LEVEL 9)

# artel_debian(COMPONENT NAME SECTION SUMMARY TEXT DEPENDS…)
function(artel_debian component name section summary text)
  string(TOUPPER ${component} key)
  list(JOIN ARGN ", " depends)
  foreach(pair "PACKAGE_NAME=${name}" "PACKAGE_SECTION=${section}" "PACKAGE_DEPENDS=${depends}")
    string(REGEX MATCH "^([^=]+)=(.*)$" _ "${pair}")
    set(CPACK_DEBIAN_${key}_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  install(FILES ${documents}/copyright ${documents}/changelog.Debian.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
endfunction()

set(version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(same "(= ${PROJECT_VERSION})")
set(text_core "pool of threads with pluggable dispatch policies, map and reduce, services, commands")
set(text_sim "discrete-event simulation with callbacks and coroutines, models of networks and disks")
set(text_experiment "scenarios of fleets of workers: experiments, plans, predictions, reports")
set(text_cluster "tasks over machines, on NATS JetStream")
set(foreign_core libfmt-dev libexpected-dev)
set(foreign_sim libpugixml-dev)
set(foreign_experiment libtomlplusplus-dev libmuparser-dev)
set(foreign_cluster libnats-dev libmsgpack-cxx-dev libssl-dev)
set(below)
foreach(package IN LISTS ARTEL_PACKAGES)
  artel_debian(${package} libartel-${package}${version} libs "${text_${package}} (libraries)"
    "The shared libraries of artel's package ${package}.")
  artel_debian(${package}-dev libartel-${package}-dev libdevel "${text_${package}} (headers)"
    "Headers, CMake package and pkg-config files of artel's package ${package}."
    "libartel-${package}${version} ${same}" ${below} ${foreign_${package}})
  list(APPEND below "libartel-${package}-dev ${same}")
  list(APPEND artel_install_components ${package} ${package}-dev)
endforeach()
artel_debian(command artel science "spread tasks over workers: simulate, plan, map, cluster"
  "The command artel, its manual pages, completions for bash, zsh and fish, and scenarios.")
set(CPACK_COMPONENTS_ALL ${artel_install_components} command)
include(CPack)
