# How every file of the project is compiled. The presets choose among these; nothing here depends on
# the machine, so that the same commit gives the same fingerprints everywhere.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)

# Messages that name a source file name it from the root, wherever the clone and the build lie. The
# second spelling is what ccache makes of the first.
cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR}
    OUTPUT_VARIABLE way_to_root)
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${way_to_root}/=)

if(REDELIVER_SANITIZE)
    add_compile_options(-fsanitize=${REDELIVER_SANITIZE} -fno-sanitize-recover=all
        -fno-omit-frame-pointer
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)  # GCC 12 sees ghosts in instrumented code.
    add_link_options(-fsanitize=${REDELIVER_SANITIZE})
endif()

# ccache finds an object again in another clone only if it may ignore where the clone lies, and a
# precompiled header only if it may look past the header's own timestamp.
find_program(REDELIVER_CCACHE ccache)
if(REDELIVER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        ${REDELIVER_CCACHE})
endif()
