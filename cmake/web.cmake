# The page of `--report`: web/ is bundled by esbuild into one C++ file of strings.
#
# ARTEL_REPORT: ON needs node and npm; OFF builds without the page, and `--report` says so; AUTO, the default, is ON in this
# project if both are there. npm fetches web/node_modules once; after that the build needs no network.
# artel_html_bundle(target): gives `target` the definition of artel::report::html_bundle().

set(ARTEL_REPORT AUTO CACHE STRING "Build the page of --report into the command (ON, OFF, AUTO: if npm is there)")
set_property(CACHE ARTEL_REPORT PROPERTY STRINGS AUTO ON OFF)

function(artel_find_node)                      # sets ARTEL_NODE, ARTEL_NPM and artel_node_problem
  find_program(ARTEL_NODE NAMES node nodejs)
  find_program(ARTEL_NPM npm)
  set(problem "")
  if(NOT ARTEL_NODE OR NOT ARTEL_NPM)
    set(problem "node or npm is missing (Debian: nodejs npm)")
  else()
    execute_process(COMMAND ${ARTEL_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT version MATCHES "^v([0-9]+)" OR CMAKE_MATCH_1 LESS 18)
      set(problem "node ${version} is too old, 18 is needed")
    endif()
  endif()
  set(artel_node_problem "${problem}" PARENT_SCOPE)
endfunction()

if(ARTEL_REPORT)                               # AUTO counts as true
  artel_find_node()
  if(artel_node_problem AND NOT ARTEL_REPORT STREQUAL "AUTO")
    message(FATAL_ERROR "ARTEL_REPORT=${ARTEL_REPORT}: ${artel_node_problem}")
  endif()
endif()
set(ARTEL_REPORT_BUILT OFF)
if(ARTEL_REPORT STREQUAL "AUTO" AND artel_node_problem)
  message(STATUS "artel: no report page (--report): ${artel_node_problem}")
elseif(ARTEL_REPORT STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
  message(STATUS "artel: no report page (--report): ask for it with ARTEL_REPORT=ON")
elseif(ARTEL_REPORT)
  set(ARTEL_REPORT_BUILT ON)
endif()

function(artel_html_bundle target)
  set(web ${PROJECT_SOURCE_DIR}/web)
  if(ARTEL_REPORT_BUILT)
    set(bundle ${CMAKE_CURRENT_BINARY_DIR}/html_bundle.cpp)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*)
    add_custom_command(OUTPUT ${bundle}
      COMMAND ${ARTEL_NODE} ${web}/bundle.mjs --npm ${ARTEL_NPM} --out ${bundle}
      DEPENDS ${web}/bundle.mjs ${web}/modules.mjs ${web}/package.json ${web}/package-lock.json ${sources}
      COMMENT "Bundling the report page" VERBATIM)
  else()
    set(bundle ${CMAKE_CURRENT_BINARY_DIR}/html_no_bundle.cpp)     # another file, so that ON builds the bundle anew
    file(CONFIGURE OUTPUT ${bundle} @ONLY CONTENT
      "#include \"artel/report/detail/html_bundle.hpp\"\n\nartel::report::detail::HtmlBundle artel::report::detail::html_bundle() { return {}; }\n")
  endif()
  target_sources(${target} PRIVATE ${bundle})
endfunction()
