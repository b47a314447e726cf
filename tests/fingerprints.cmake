# cmake -D ANSWER=<output of run --json> -D OUTPUT=<file> -P <this file>
#
# Writes "<story> <fingerprint>" for each story. CMake reads JSON, and is there wherever this builds.

file(READ ${ANSWER} answer)
string(JSON count LENGTH "${answer}" stories)
if(count EQUAL 0)
    message(FATAL_ERROR "${ANSWER} has no stories")
endif()

set(lines "")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
    string(JSON name GET "${answer}" stories ${index} name)
    string(JSON fingerprint GET "${answer}" stories ${index} fingerprint)
    if(fingerprint STREQUAL "")
        message(FATAL_ERROR "${name} has an empty fingerprint")
    endif()
    string(APPEND lines "${name} ${fingerprint}\n")
endforeach()
file(WRITE ${OUTPUT} "${lines}")
