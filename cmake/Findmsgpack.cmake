# msgpackc-cxx: headers alone. The CMake packages that come with them have had several names for themselves and for the target.
# Used by our build and, installed beside it, by artelConfig.cmake.
find_path(MSGPACK_INCLUDE_DIR msgpack.hpp)
mark_as_advanced(MSGPACK_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(msgpack REQUIRED_VARS MSGPACK_INCLUDE_DIR)
if(msgpack_FOUND AND NOT TARGET msgpackc-cxx)
  add_library(msgpackc-cxx INTERFACE IMPORTED)
  set_target_properties(msgpackc-cxx PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${MSGPACK_INCLUDE_DIR})
endif()
