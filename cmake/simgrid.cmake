# artel_use_simgrid(target): links SimGrid, a rival in bench/ and a reference in tests/. It ships no CMake package.
function(artel_use_simgrid target)
  find_path(SIMGRID_INCLUDE_DIR simgrid/s4u.hpp REQUIRED)
  find_library(SIMGRID_LIBRARY simgrid REQUIRED)
  target_include_directories(${target} SYSTEM PRIVATE ${SIMGRID_INCLUDE_DIR})
  target_link_libraries(${target} PRIVATE ${SIMGRID_LIBRARY})
endfunction()
