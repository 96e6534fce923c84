# Libraries that no Debian package has, headers only: rivals in bench/, and what artel/interop is tested with. ARTEL_PEERS names
# a folder with copies of them; what is not there is left out, and said so. Each that is found is a target: peers::stdexec, …
set(ARTEL_PEERS ../shared/peers CACHE STRING "Folder with headers of other libraries, seen from the source folder")
cmake_path(ABSOLUTE_PATH ARTEL_PEERS BASE_DIRECTORY ${PROJECT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE artel_peers)

# artel_peer(NAME INCLUDE PROBE): peers::NAME, with the headers in the folder INCLUDE, if the file PROBE is there.
function(artel_peer name include probe)
  if(NOT EXISTS ${artel_peers}/${include}/${probe})
    message(STATUS "Without ${name}: no ${include}/${probe} in ARTEL_PEERS (${artel_peers})")
    return()
  endif()
  add_library(artel_peer_${name} INTERFACE)
  add_library(peers::${name} ALIAS artel_peer_${name})
  target_include_directories(artel_peer_${name} SYSTEM INTERFACE ${artel_peers}/${include})
  target_link_libraries(artel_peer_${name} INTERFACE Threads::Threads)
endfunction()

if(ARTEL_TESTS OR ARTEL_BENCH)
  artel_peer(stdexec stdexec/include stdexec/execution.hpp)
  if(TARGET artel_peer_stdexec)
    # It includes <execution>, which takes TBB where its headers are, and without optimisation wants its library, too.
    find_package(TBB QUIET)
    target_link_libraries(artel_peer_stdexec INTERFACE $<TARGET_NAME_IF_EXISTS:TBB::tbb>)
  endif()
  artel_peer(taskflow taskflow taskflow/taskflow.hpp)
  artel_peer(bs bs/include BS_thread_pool.hpp)
  artel_peer(dp dp/include thread_pool/thread_pool.h)
  artel_peer(libfork libfork/include libfork.hpp)
endif()
