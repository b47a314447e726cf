# `cmake --install` gives the binary, the libraries, their headers under include/redeliver/<layer>/,
# and the package that find_package(redeliver) reads. The command line is a program, not a library.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(layers GLOBAL PROPERTY REDELIVER_LAYERS)
list(REMOVE_ITEM layers cli)

# redeliver::redeliver is everything at once.
add_library(redeliver_everything INTERFACE)
add_library(redeliver::redeliver ALIAS redeliver_everything)
set_target_properties(redeliver_everything PROPERTIES EXPORT_NAME redeliver)

foreach(layer IN LISTS layers)
    target_link_libraries(redeliver_everything INTERFACE redeliver_${layer})
    install(TARGETS redeliver_${layer} EXPORT redeliverTargets)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/${layer}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/redeliver
        FILES_MATCHING PATTERN "*.h")
endforeach()
install(TARGETS redeliver_everything EXPORT redeliverTargets)
if(TARGET redeliver)
    install(TARGETS redeliver)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/redeliver)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/redeliverConfig.cmake.in
    ${PROJECT_BINARY_DIR}/redeliverConfig.cmake
    INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/redeliverConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(EXPORT redeliverTargets NAMESPACE redeliver:: DESTINATION ${package_folder})
install(FILES
        ${PROJECT_BINARY_DIR}/redeliverConfig.cmake
        ${PROJECT_BINARY_DIR}/redeliverConfigVersion.cmake
    DESTINATION ${package_folder})
