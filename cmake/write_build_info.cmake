# Run by record_build: cmake -D OUTPUT= -D SOURCE_DIR= -D VERSION= -D COMPILER= -D BUILD_TYPE= -P <this file>

# The short hash, with "-dirty" when tracked files differ from it; "unknown" without git, outside a
# clone, and in a copy that merely lies inside somebody else's clone.
set(COMMIT unknown)
if(EXISTS ${SOURCE_DIR}/.git)
    execute_process(
        COMMAND git -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
        OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET RESULT_VARIABLE status)
    if(status STREQUAL "0")
        set(COMMIT ${answer})
    endif()
endif()

# Leaves the file and its timestamp alone when nothing changed.
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_info.cpp.in ${OUTPUT} @ONLY)
