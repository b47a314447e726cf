# Puts data files into a library, so that the binary needs none beside it.
#
#   embed_files(<target> FUNCTION <function> FOLDER <folder> FILES <name>...)
#
# At build time the files become one C++ file that defines
# `std::span<const EmbeddedFile> redeliver::scenarios::<function>()`, in the order given; it is made
# again when one of them changes. Configuring fails when the folder holds a .json that is not listed,
# so that no story is left out by accident. Needs no tool beyond CMake.
function(embed_files target)
    cmake_parse_arguments(PARSE_ARGV 1 embed "" "FUNCTION;FOLDER" "FILES")
    cmake_path(ABSOLUTE_PATH embed_FOLDER NORMALIZE OUTPUT_VARIABLE folder)
    refuse_unlisted_files(${folder} ${embed_FILES})

    set(output ${CMAKE_CURRENT_BINARY_DIR}/${embed_FUNCTION}.cpp)
    set(script ${PROJECT_SOURCE_DIR}/cmake/write_embedded_files.cmake)
    list(TRANSFORM embed_FILES PREPEND ${folder}/ OUTPUT_VARIABLE paths)
    list(JOIN embed_FILES "," names)
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D FUNCTION=${embed_FUNCTION}
                -D FOLDER=${folder} -D NAMES=${names} -P ${script}
        DEPENDS ${paths} ${script}
        COMMENT "Embedding ${embed_FUNCTION}"
        VERBATIM)
    target_sources(${target} PRIVATE ${output})
endfunction()

function(refuse_unlisted_files folder)
    file(GLOB found RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*.json)
    list(REMOVE_ITEM found ${ARGN})
    if(found)
        list(JOIN found ", " unlisted)
        message(FATAL_ERROR
            "${folder} holds files that ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt does not list: ${unlisted}")
    endif()
endfunction()
