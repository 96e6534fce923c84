# Compiles a wrong program: the compiler must refuse it with the message in its first line, `// error: …`,
# and say no more than so many lines, notes and source included.
set(lines_max 24)
file(STRINGS ${program} first LIMIT_COUNT 1)
string(REPLACE "// error: " "" wanted "${first}")
execute_process(
  COMMAND ${compiler} -std=c++20 -fsyntax-only -fno-diagnostics-color -D FMT_SHARED -I ${root} ${program}
  RESULT_VARIABLE result ERROR_VARIABLE said OUTPUT_QUIET)
if(result EQUAL 0)
  message(FATAL_ERROR "${program} should not compile")
endif()
string(FIND "${said}" "${wanted}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "expected \"${wanted}\", found:\n${said}")
endif()
string(REGEX MATCHALL "\n" lines "${said}")
list(LENGTH lines count)
if(count GREATER lines_max)
  message(FATAL_ERROR "${count} lines, allowed: ${lines_max}\n${said}")
endif()
