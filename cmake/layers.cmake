# One call states a layer's plan: its sources and what it stands on.
#
#   add_layer(<name> [MERGED] SOURCES <file>... USES <layer or library>...)
#
# MERGED compiles several sources as one, for layers of many small files that read the same large
# headers. All layers read the commonest headers of the libraries once.
#
# gives the static library redeliver_<name>, known to everyone as redeliver::<name>. A bare layer name
# after USES means that layer; anything else is linked as it stands. Headers are included from the
# root of the project ("sim/time.h"); once installed also as <redeliver/sim/time.h>. A layer without
# sources yet is an interface library, so that those above can already name it.
function(add_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 layer "MERGED" "" "SOURCES;USES")
    if(layer_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "add_layer(${name}): unexpected ${layer_UNPARSED_ARGUMENTS}")
    endif()

    set(target redeliver_${name})
    if(layer_SOURCES)
        set(visibility PUBLIC)
        add_library(${target} STATIC ${layer_SOURCES})
        set_target_properties(${target} PROPERTIES
            UNITY_BUILD ${layer_MERGED}
            UNITY_BUILD_BATCH_SIZE 10)
        target_precompile_headers(${target} PRIVATE
            <algorithm> <array> <boost/container/small_vector.hpp> <chrono> <cstdint> <functional>
            <map> <memory> <optional> <string> <string_view> <utility> <variant> <vector>
            <fmt/format.h>)
    else()
        set(visibility INTERFACE)
        add_library(${target} INTERFACE)
    endif()
    add_library(redeliver::${name} ALIAS ${target})

    resolve_layers(libraries ${layer_USES})
    target_link_libraries(${target} ${visibility} ${libraries})
    target_include_directories(${target} ${visibility}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
        $<INSTALL_INTERFACE:include>
        $<INSTALL_INTERFACE:include/redeliver>)
    target_compile_features(${target} ${visibility} cxx_std_20)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    set_property(GLOBAL APPEND PROPERTY REDELIVER_LAYERS ${name})
endfunction()

#   add_layer_tests(<layer> SOURCES <file>... [USES <layer or library>...])
#
# gives the GoogleTest program <layer>_tests, one ctest entry per test in it. The tests stand on the
# layer, and on whatever else USES names.
function(add_layer_tests name)
    cmake_parse_arguments(PARSE_ARGV 1 tests "" "" "SOURCES;USES")
    if(tests_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "add_layer_tests(${name}): unexpected ${tests_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT tests_SOURCES)
        return()
    endif()
    add_test_program(${name}_tests SOURCES ${tests_SOURCES} USES ${name} ${tests_USES})
endfunction()

# A GoogleTest program whose tests are found when ctest starts, not while building.
function(add_test_program target)
    cmake_parse_arguments(PARSE_ARGV 1 program "" "" "SOURCES;USES")
    add_executable(${target} ${program_SOURCES})
    resolve_layers(libraries ${program_USES})
    target_link_libraries(${target} PRIVATE
        ${libraries} source_root GTest::gmock_main rapidcheck rapidcheck_gtest)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_precompile_headers(${target} REUSE_FROM precompiled_test_headers)
    gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
        PROPERTIES TIMEOUT 300 ENVIRONMENT UBSAN_OPTIONS=print_stacktrace=1)
endfunction()

# Links every object of one layer, and below it only what the layer declares, into a program that
# does nothing. A symbol from above, or from an undeclared neighbour, stays undefined and the build
# fails; the include check in layering_test.cpp cannot see a function declared by hand.
function(add_link_test name)
    get_target_property(type redeliver_${name} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        return()
    endif()
    set(target link_${name}_alone)
    add_executable(${target} $<TARGET_OBJECTS:link_alone>)
    target_link_libraries(${target} PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,redeliver_${name}>)
    add_test(NAME Layering.${name}_links_alone COMMAND ${target})
endfunction()

# Turns bare layer names into their targets and leaves everything else alone.
function(resolve_layers result)
    set(libraries)
    foreach(use IN LISTS ARGN)
        if(TARGET redeliver_${use})
            list(APPEND libraries redeliver_${use})
        else()
            list(APPEND libraries ${use})
        endif()
    endforeach()
    set(${result} ${libraries} PARENT_SCOPE)
endfunction()

# A layer whose folder has not come yet is empty, so that the ones above it configure all the same.
function(add_layer_folder name)
    if(EXISTS ${PROJECT_SOURCE_DIR}/${name}/CMakeLists.txt)
        add_subdirectory(${name})
    else()
        add_layer(${name})
    endif()
endfunction()
