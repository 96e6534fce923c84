# cnats::nats, the C client of NATS. Debian's libnats-dev ships a CMake package that does not load: it names a static
# library that is in no package. Used by our build and, installed beside it, by artelConfig.cmake.
if(NOT TARGET cnats::nats)
  find_path(NATS_INCLUDE_DIR nats/nats.h REQUIRED)
  find_library(NATS_LIBRARY nats REQUIRED)
  add_library(cnats::nats UNKNOWN IMPORTED)
  set_target_properties(cnats::nats PROPERTIES
    IMPORTED_LOCATION ${NATS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NATS_INCLUDE_DIR})
endif()
