# Run by embed_files: cmake -D OUTPUT= -D FUNCTION= -D FOLDER= -D NAMES=a.json,b.json -P <this file>

# Must not occur in a file: ends the raw string that holds it. At most 16 characters, says C++.
set(delimiter embedded_file)

set(entries "")
string(REPLACE "," ";" names "${NAMES}")
foreach(name IN LISTS names)
    file(READ ${FOLDER}/${name} text)
    string(FIND "${text}" ")${delimiter}\"" at)
    if(NOT at EQUAL -1)
        message(FATAL_ERROR "${FOLDER}/${name} holds )${delimiter}\", which ends a raw string")
    endif()
    string(REGEX REPLACE "\\.json$" "" stem "${name}")
    string(APPEND entries "        {\"${stem}\", R\"${delimiter}(${text})${delimiter}\"},\n")
endforeach()

if(names)
    set(body "static constexpr EmbeddedFile files[] = {\n${entries}    };\n    return files;")
else()
    set(body "return {};")
endif()

file(WRITE ${OUTPUT} "// Written by cmake/write_embedded_files.cmake; edit the files it holds instead.
#include \"scenarios/catalog/embedded.h\"

namespace redeliver::scenarios {

std::span<const EmbeddedFile> ${FUNCTION}() {
    ${body}
}

}  // namespace redeliver::scenarios
")
