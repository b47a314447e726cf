# Tells a library which build it is.
#
#   record_build(<target>)
#
# Adds a C++ file that defines `redeliver::scenarios::build_info()`. Git is asked at every build, since
# nothing else notices that the work tree became dirty; the file is written, and what depends on it
# built again, only when the answer changed. A no-op build pays one git call.
function(record_build target)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp)
    set(build_type ${CMAKE_BUILD_TYPE})
    if(REDELIVER_SANITIZE)
        string(APPEND build_type " sanitized for ${REDELIVER_SANITIZE}")
    endif()
    add_custom_target(${target}_build_info
        COMMAND ${CMAKE_COMMAND}
                -D OUTPUT=${output}
                -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
                -D VERSION=${PROJECT_VERSION}
                -D "COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
                -D "BUILD_TYPE=${build_type}"
                -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
        BYPRODUCTS ${output}
        COMMENT "Asking git which commit this is"
        VERBATIM)
    add_dependencies(${target} ${target}_build_info)
    target_sources(${target} PRIVATE ${output})
endfunction()
