# cmake -D folder=F -D files=A,B -D out=X.cpp -P embed.cmake: makes a C++ file of the files, paths below F: the definition of
# artel::app::embedded_files().
string(REPLACE "," ";" files "${files}")
set(code "#include \"app/embedded_files.hpp\"\n\n// Made of scenarios/ by cmake/embed.cmake.\nstd::vector<artel::app::EmbeddedFile> artel::app::embedded_files() {\n  return {\n")
foreach(file IN LISTS files)
  file(READ ${folder}/${file} bytes HEX)       # byte by byte: a literal would lose the carriage returns
  string(REGEX REPLACE "(..)" "\\\\x\\1" text "${bytes}")
  string(LENGTH "${text}" length)
  string(APPEND code "      {\"${file}\", std::string()")
  # Literals of any length are not portable: pieces of bounded length, one after the other.
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 64000 piece)
    string(APPEND code " +\n           \"${piece}\"")
    math(EXPR at "${at} + 64000")
  endwhile()
  string(APPEND code "},\n")
endforeach()
string(APPEND code "  };\n}\n")
file(WRITE ${out} "${code}")
