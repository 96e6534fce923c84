# artel_add_layers(): one library per line of layers.txt, linked to just the layers that the line allows.
# artel_layer(LIBRARIES … HEADER_LIBRARIES …): called by artel/<layer>/CMakeLists.txt; picks up the folder's files by name:
#   x.hpp x.cpp -> library artel::<layer>;  x_test.cpp -> test binary artel_<layer>_test.
# artel_warnings(target): our warnings and the flags that keep numbers equal on every compiler.

file(STRINGS ${PROJECT_SOURCE_DIR}/layers.txt ARTEL_LAYER_LINES REGEX "^[a-z]")
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS layers.txt)
add_custom_target(artel_tests)                 # builds every test binary

function(artel_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Wnon-virtual-dtor
    -Wno-missing-field-initializers            # designated initialisers leave defaults out on purpose
    $<$<BOOL:${ARTEL_WERROR}>:-Werror>
    # g++ 12 sees overflows in fmt's and the standard library's strings where there are none.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-array-bounds -Wno-restrict>
    -ffp-contract=off)                         # no fused multiply-add: equal results on every compiler
endfunction()

macro(artel_add_layers)
  foreach(line IN LISTS ARTEL_LAYER_LINES)
    string(REGEX MATCH "^([a-z/_]+)[ ]*:(.*)$" _ "${line}")
    set(ARTEL_LAYER ${CMAKE_MATCH_1})
    separate_arguments(ARTEL_LAYER_ARROWS UNIX_COMMAND "${CMAKE_MATCH_2}")
    add_subdirectory(artel/${ARTEL_LAYER})
  endforeach()
endmacro()

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

function(artel_layer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LIBRARIES;HEADER_LIBRARIES")
  string(REPLACE "/" "_" name ${ARTEL_LAYER})
  file(GLOB headers CONFIGURE_DEPENDS *.hpp)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  file(GLOB tests CONFIGURE_DEPENDS *_test.cpp)
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  list(TRANSFORM ARTEL_LAYER_ARROWS REPLACE "/" "_")
  list(TRANSFORM ARTEL_LAYER_ARROWS PREPEND "artel_")

  add_library(artel_${name} STATIC ${sources})
  add_library(artel::${name} ALIAS artel_${name})
  set_target_properties(artel_${name} PROPERTIES EXPORT_NAME ${name} LINKER_LANGUAGE CXX)
  artel_unproven_headers(unproven ${headers})
  list(REMOVE_ITEM headers ${unproven})
  target_sources(artel_${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  target_sources(artel_${name} PUBLIC
    FILE_SET unproven TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${unproven})
  set_target_properties(artel_${name} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY unproven)
  target_compile_features(artel_${name} PUBLIC cxx_std_20)
  target_link_libraries(artel_${name}
    PUBLIC ${ARTEL_LAYER_ARROWS} fmt::fmt tl::expected ${arg_HEADER_LIBRARIES}
    PRIVATE ${arg_LIBRARIES})
  artel_warnings(artel_${name})
  set_property(GLOBAL APPEND PROPERTY ARTEL_LIBRARIES artel_${name})

  if(ARTEL_TESTS AND tests)
    artel_test(${name} ${tests})
    target_link_libraries(artel_${name}_test PRIVATE artel_${name})
  endif()
endfunction()

# The headers that nearly all tests include, precompiled: they take most of a test's compilation.
function(artel_precompile_test_headers)
  if(TARGET artel_test_headers)
    return()
  endif()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
  add_library(artel_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
  target_link_libraries(artel_test_headers PRIVATE GTest::gmock_main rapidcheck fmt::fmt)
  target_compile_features(artel_test_headers PUBLIC cxx_std_20)
  artel_warnings(artel_test_headers)
  target_precompile_headers(artel_test_headers PRIVATE
    <gmock/gmock.h> <gtest/gtest.h> <rapidcheck/gtest.h> <fmt/format.h>
    <algorithm> <atomic> <chrono> <functional> <map> <memory> <optional> <ranges> <string> <thread> <vector>)
endfunction()

# artel_test(name files…): one GoogleTest + RapidCheck binary, artel_<name>_test, every test of which ctest knows.
function(artel_test name)
  add_executable(artel_${name}_test ${ARGN})
  target_link_libraries(artel_${name}_test PRIVATE GTest::gmock_main rapidcheck)
  foreach(file IN LISTS ARGN)    # a path in every command would keep ccache from sharing between folders
    file(STRINGS ${file} uses REGEX ARTEL_SOURCE_DIR LIMIT_COUNT 1)
    if(uses)
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS ARTEL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
  artel_warnings(artel_${name}_test)
  if(ARTEL_PCH)
    artel_precompile_test_headers()
    target_precompile_headers(artel_${name}_test REUSE_FROM artel_test_headers)
  endif()
  add_dependencies(artel_tests artel_${name}_test)
  gtest_discover_tests(artel_${name}_test TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 120)
endfunction()
