# cnats::nats, the C client of NATS. Debian's libnats-dev ships a CMake package that does not load: it names a static
# library that is in no package. So it is only asked where there is none but a static library, which needs others.
# Used by our build and, installed beside it, by artelConfig.cmake.
find_path(NATS_INCLUDE_DIR nats/nats.h)
find_library(NATS_LIBRARY nats)
mark_as_advanced(NATS_INCLUDE_DIR NATS_LIBRARY)
if(NOT NATS_LIBRARY AND NOT TARGET cnats::nats)
  find_package(cnats CONFIG QUIET)
  if(TARGET cnats::nats_static)
    add_library(cnats::nats INTERFACE IMPORTED)
    target_link_libraries(cnats::nats INTERFACE cnats::nats_static)
    set(NATS_LIBRARY cnats::nats_static)
  endif()
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(nats REQUIRED_VARS NATS_LIBRARY NATS_INCLUDE_DIR)
if(nats_FOUND AND NOT TARGET cnats::nats)
  add_library(cnats::nats UNKNOWN IMPORTED)
  set_target_properties(cnats::nats PROPERTIES
    IMPORTED_LOCATION ${NATS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NATS_INCLUDE_DIR})
endif()
