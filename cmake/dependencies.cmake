# The libraries the layers may name after USES. All are Debian 12 packages, listed in `dev`.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS context)
find_package(fmt 9 CONFIG REQUIRED)
find_package(nlohmann_json 3.11 CONFIG REQUIRED)
find_package(CLI11 2 CONFIG REQUIRED)

if(REDELIVER_TESTS)
    find_package(GTest 1.12 CONFIG REQUIRED)
    find_package(rapidcheck CONFIG REQUIRED)
endif()
if(REDELIVER_BENCH)
    find_package(benchmark 1.7 CONFIG REQUIRED)
endif()
