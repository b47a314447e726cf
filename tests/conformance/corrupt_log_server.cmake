# The server whose log lies: its journal is that of the model but for one line. Needs
# redis_model_apart, whose own journal is left in its archive.
set(honest "    tail_.push_back({at, std::move(commands)});")
file(READ ${PROJECT_SOURCE_DIR}/model/redis/journal.cpp journal)
set_property(DIRECTORY APPEND PROPERTY
    CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/redis/journal.cpp)
string(FIND "${journal}" "${honest}" at)
if(at EQUAL -1)
    message(FATAL_ERROR "model/redis/journal.cpp no longer logs with: ${honest}")
endif()
string(REPLACE "${honest}" "    corrupt(commands);\n${honest}" journal "${journal}")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/corrupt_journal.cpp
    CONTENT "#include \"tests/conformance/corrupt_log.h\"\n${journal}" @ONLY)

add_executable(corrupt_log_server EXCLUDE_FROM_ALL
    corrupt_log_server.cpp
    ${CMAKE_CURRENT_BINARY_DIR}/corrupt_journal.cpp
    ${PROJECT_SOURCE_DIR}/bridge/client_socket.cpp
    ${PROJECT_SOURCE_DIR}/bridge/redis_server.cpp)
target_link_libraries(corrupt_log_server PRIVATE redis_model_apart)
