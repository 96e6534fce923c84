# re2::re2, regular expressions in linear time. Debian's libre2-dev has no CMake package, builds of one's own have.
# Used by our build and, installed beside it, by artelConfig.cmake.
if(NOT TARGET re2::re2)
  find_package(re2 CONFIG QUIET)
endif()
if(TARGET re2::re2)
  set(re2_FOUND TRUE)
  return()
endif()
find_path(RE2_INCLUDE_DIR re2/re2.h)
find_library(RE2_LIBRARY re2)
mark_as_advanced(RE2_INCLUDE_DIR RE2_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(re2 REQUIRED_VARS RE2_LIBRARY RE2_INCLUDE_DIR)
if(re2_FOUND)
  add_library(re2::re2 UNKNOWN IMPORTED)
  set_target_properties(re2::re2 PROPERTIES
    IMPORTED_LOCATION ${RE2_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR})
endif()
