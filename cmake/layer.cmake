# artel_add_layers(): one library per built room, which is a line of layers.txt, linked to just the rooms that the line allows.
# artel_layer([OPTIMISED_TESTS] [TESTS_APART] LIBRARIES … BUILD_LIBRARIES … HEADER_LIBRARIES … TEST_LIBRARIES … WITHOUT …): called by
#   artel/<room>/CMakeLists.txt; picks up the files of the folder and of its detail/ by name, WITHOUT those: x.hpp x.cpp -> library
#   artel::<room> (headers only, if there is no x.cpp);  x_test.cpp -> test binary artel_<room>_test. BUILD_LIBRARIES are headers
#   that no public one includes: whoever uses the room does not need them. With ARTEL_BATCHES, eight sources are compiled as one,
#   and eight tests, unless TESTS_APART: they use a name for several things.
# artel_warnings(target): our warnings and the flags that keep numbers equal on every compiler.
# artel_precompile(target LIBRARY|TEST|FAST_TEST): the headers that nearly every source of the kind includes.

file(STRINGS ${PROJECT_SOURCE_DIR}/layers.txt ARTEL_LAYER_LINES REGEX "^[a-z]")
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS layers.txt)
add_custom_target(artel_tests)                 # builds every test binary

function(artel_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor
    -Wno-missing-field-initializers            # designated initialisers leave defaults out on purpose
    $<$<BOOL:${ARTEL_WERROR}>:-Werror>
    # g++ 12 sees overflows in fmt's and the standard library's strings where there are none.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread -Wno-restrict>
    # A source of a batch is not to know what another one has, and is not the file that g++ compiles.
    $<$<BOOL:${ARTEL_BATCHES}>:-Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>>
    -ffp-contract=off)                         # no fused multiply-add: equal results on every compiler
endfunction()

macro(artel_read_layer line)       # sets ARTEL_LAYER and ARTEL_LAYER_ARROWS
  string(REGEX MATCH "^([a-z/_]+)[ ]*:(.*)$" _ "${line}")
  set(ARTEL_LAYER ${CMAKE_MATCH_1})
  separate_arguments(ARTEL_LAYER_ARROWS UNIX_COMMAND "${CMAKE_MATCH_2}")
endmacro()

macro(artel_add_layers)
  foreach(line IN LISTS ARTEL_LAYER_LINES)
    artel_read_layer("${line}")
    if(ARTEL_LAYER IN_LIST ARTEL_BUILT_ROOMS)
      add_subdirectory(artel/${ARTEL_LAYER})
    endif()
  endforeach()
endmacro()

# Without inlining g++ 12 takes a coroutine promise's own operator new and delete for a mismatched pair.
set(ARTEL_FAST_TEST_FLAGS -O0 $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>)

# ---- Precompiled headers

set(ARTEL_HEADERS_LIBRARY <algorithm> <array> <atomic> <chrono> <cstdint> <functional> <map> <memory> <mutex> <optional>
  <span> <string> <string_view> <utility> <variant> <vector> <fmt/core.h> <tl/expected.hpp>)
set(ARTEL_HEADERS_TEST ${ARTEL_HEADERS_LIBRARY} <ranges> <thread> <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h>)
set(ARTEL_HEADERS_FAST_TEST ${ARTEL_HEADERS_TEST})

function(artel_precompile target kind)
  if(NOT ARTEL_PCH)
    return()
  endif()
  string(TOLOWER artel_${kind}_headers headers)
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${headers}.cpp CONTENT "")
    add_library(${headers} OBJECT ${PROJECT_BINARY_DIR}/${headers}.cpp)
    target_link_libraries(${headers} PRIVATE fmt::fmt tl::expected)
    if(kind MATCHES "TEST")
      target_link_libraries(${headers} PRIVATE GTest::gmock_main rapidcheck)
    endif()
    if(kind STREQUAL "FAST_TEST")
      target_compile_options(${headers} PRIVATE ${ARTEL_FAST_TEST_FLAGS})
    endif()
    target_compile_features(${headers} PUBLIC cxx_std_20)
    artel_warnings(${headers})
    if(kind STREQUAL "LIBRARY")
      target_compile_options(${headers} PRIVATE -fPIC)
    endif()
    target_precompile_headers(${headers} PRIVATE ${ARTEL_HEADERS_${kind}})
    artel_name_precompiled(${headers})
  endif()
  if(kind STREQUAL "LIBRARY")
    target_compile_options(${target} PRIVATE -fPIC)     # the compiler takes no headers that were compiled otherwise
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  add_dependencies(${target} ${headers}_sum)
endfunction()

# clang finds what is precompiled beside a header by itself. CMake names both in words that ccache takes as they stand, paths
# and all.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)
endif()

# Precompiled headers of two folders differ though they say the same. ccache goes by a name beside them instead, the sum of
# what they say (CCACHE_PCH_EXTSUM), and so shares between folders.
function(artel_name_precompiled headers)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${headers}.dir)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(precompiled ${folder}/cmake_pch.hxx.gch)
  else()
    set(precompiled ${folder}/cmake_pch.hxx.pch)
  endif()
  add_custom_command(OUTPUT ${precompiled}.sum DEPENDS ${precompiled}
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -E -P -x c++ cmake_pch.hxx | sha256sum > ${precompiled}.sum
    WORKING_DIRECTORY ${folder} COMMENT "Naming ${headers}" VERBATIM)
  add_custom_target(${headers}_sum DEPENDS ${precompiled}.sum)
  add_dependencies(${headers}_sum ${headers})
endfunction()

# ---- Headers

# Those of the headers that no source of their name includes first, which would prove that they compile alone.
function(artel_unproven_headers result)
  set(unproven)
  foreach(header IN LISTS ARGN)
    file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${header})
    set(proven FALSE)
    foreach(ending IN ITEMS .cpp _test.cpp)
      string(REGEX REPLACE "\\.hpp$" "${ending}" source ${header})
      if(EXISTS ${source})
        file(STRINGS ${source} first REGEX "^#include" LIMIT_COUNT 1)
        if(first STREQUAL "#include \"${path}\"")
          set(proven TRUE)
        endif()
      endif()
    endforeach()
    if(NOT proven)
      list(APPEND unproven ${header})
    endif()
  endforeach()
  set(${result} ${unproven} PARENT_SCOPE)
endfunction()

# Those of the room's inside that its public headers need, one way or another: templates and inline functions do.
function(artel_needed_inside result)
  set(needed)
  set(unread ${ARGN})
  while(unread)
    list(POP_FRONT unread header)
    file(STRINGS ${header} includes REGEX "^#include \"artel/.*/detail/")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*$" "${PROJECT_SOURCE_DIR}/\\1" inside "${line}")
      if(NOT inside IN_LIST needed)
        list(APPEND needed ${inside})
        list(APPEND unread ${inside})
      endif()
    endforeach()
  endwhile()
  list(FILTER needed INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/")
  set(${result} ${needed} PARENT_SCOPE)
endfunction()

# Installs the public headers and what they need; all headers are checked to compile alone (all_verify_interface_header_sets).
function(artel_headers library)
  file(GLOB public CONFIGURE_DEPENDS *.hpp *.h)
  file(GLOB inside CONFIGURE_DEPENDS detail/*.hpp)
  artel_needed_inside(needed ${public})
  set(installed ${public} ${needed})
  list(REMOVE_ITEM inside ${needed})
  artel_unproven_headers(unproven ${installed})
  artel_unproven_headers(unproven_inside ${inside})
  list(REMOVE_ITEM installed ${unproven})
  get_target_property(kind ${library} TYPE)
  set(scope PUBLIC)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_include_directories(${library} ${scope}      # CMake < 3.23 knows nothing of file sets
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_sources(${library} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${installed})
  target_sources(${library} ${scope}
    FILE_SET unproven TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${unproven})
  set_target_properties(${library} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY unproven)
  if(unproven_inside)
    add_library(${library}_inside INTERFACE)   # what is not installed
    target_link_libraries(${library}_inside INTERFACE ${library})
    target_sources(${library}_inside INTERFACE
      FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${unproven_inside})
  endif()
endfunction()

# ---- Rooms and tests

# Code that may be part of a shared library: a user's, or with BUILD_SHARED_LIBS one of its own, which shows the names of
# artel and nobody else's.
function(artel_loadable library)
  set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON INSTALL_RPATH "$ORIGIN"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_options(${library} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  if(BUILD_SHARED_LIBS)
    set(names ${PROJECT_SOURCE_DIR}/cmake/exported_names.map)
    target_link_options(${library} PRIVATE -Wl,--version-script=${names})
    set_target_properties(${library} PROPERTIES LINK_DEPENDS ${names})
  endif()
endfunction()

function(artel_layer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "OPTIMISED_TESTS;TESTS_APART" "" "LIBRARIES;BUILD_LIBRARIES;HEADER_LIBRARIES;TEST_LIBRARIES;WITHOUT")
  string(REPLACE "/" "_" name ${ARTEL_LAYER})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp detail/*.cpp)
  list(TRANSFORM arg_WITHOUT PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(REMOVE_ITEM sources ${arg_WITHOUT})
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM ARTEL_LAYER_ARROWS REPLACE "/" "_")
  list(TRANSFORM ARTEL_LAYER_ARROWS PREPEND "artel_")

  set(needed ${ARTEL_LAYER_ARROWS} fmt::fmt tl::expected ${arg_HEADER_LIBRARIES})
  if(sources)
    add_library(artel_${name} ${sources})
    artel_loadable(artel_${name})
    set_target_properties(artel_${name} PROPERTIES LINKER_LANGUAGE CXX UNITY_BUILD ${ARTEL_BATCHES})
    target_compile_features(artel_${name} PUBLIC cxx_std_20)
    target_link_libraries(artel_${name} PUBLIC ${needed} PRIVATE ${arg_LIBRARIES})
    foreach(library IN LISTS arg_BUILD_LIBRARIES)
      target_link_libraries(artel_${name} PRIVATE $<BUILD_INTERFACE:${library}>)
    endforeach()
    artel_warnings(artel_${name})
    artel_precompile(artel_${name} LIBRARY)
  else()
    add_library(artel_${name} INTERFACE)
    target_compile_features(artel_${name} INTERFACE cxx_std_20)
    target_link_libraries(artel_${name} INTERFACE ${needed})
  endif()
  add_library(artel::${name} ALIAS artel_${name})
  set_target_properties(artel_${name} PROPERTIES EXPORT_NAME ${name})
  artel_headers(artel_${name})
  set_property(GLOBAL APPEND PROPERTY ARTEL_LIBRARIES artel_${name})

  if(ARTEL_TESTS AND tests)
    set(optimised)
    if(arg_OPTIMISED_TESTS)
      set(optimised OPTIMISED)
    endif()
    artel_test(${name} ${optimised} ${tests})
    target_link_libraries(artel_${name}_test PRIVATE artel_${name} ${arg_TEST_LIBRARIES})
    if(NOT arg_TESTS_APART)
      set_target_properties(artel_${name}_test PROPERTIES UNITY_BUILD ${ARTEL_BATCHES})
    endif()
  endif()
endfunction()

# artel_test(name [OPTIMISED] files…): one GoogleTest + RapidCheck binary, artel_<name>_test, every test of which ctest
# knows. With ARTEL_FAST_TESTS the tests themselves are compiled without optimisation, unless they are OPTIMISED: those that
# do much work in templates of ours, or are there to meet races.
function(artel_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED" "" "")
  set(files ${arg_UNPARSED_ARGUMENTS})
  add_executable(artel_${name}_test ${files})
  target_link_libraries(artel_${name}_test PRIVATE GTest::gmock_main rapidcheck)
  foreach(file IN LISTS files)    # a path in every command would keep ccache from sharing between folders
    file(STRINGS ${file} uses REGEX ARTEL_SOURCE_DIR LIMIT_COUNT 1)
    if(uses)
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS ARTEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
  artel_warnings(artel_${name}_test)
  if(ARTEL_FAST_TESTS AND NOT arg_OPTIMISED)
    target_compile_options(artel_${name}_test PRIVATE ${ARTEL_FAST_TEST_FLAGS})
    artel_precompile(artel_${name}_test FAST_TEST)
  else()
    artel_precompile(artel_${name}_test TEST)
  endif()
  add_dependencies(artel_tests artel_${name}_test)
  # The default of 5 s is too short to load a large library for the first time on a busy machine.
  gtest_discover_tests(artel_${name}_test TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 120)
endfunction()
