include(CMakePackageConfigHelpers)
get_property(artel_libraries GLOBAL PROPERTY ARTEL_LIBRARIES)
install(TARGETS ${artel_libraries} EXPORT artelTargets FILE_SET HEADERS FILE_SET unproven)
if(TARGET artel)
  install(TARGETS artel RUNTIME)
endif()
install(EXPORT artelTargets NAMESPACE artel:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/artel)
list(JOIN ARTEL_BUILT_COMPONENTS " " ARTEL_BUILT_COMPONENTS)
configure_package_config_file(cmake/artelConfig.cmake.in ${PROJECT_BINARY_DIR}/artelConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/artel)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/artelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/artelConfig.cmake ${PROJECT_BINARY_DIR}/artelConfigVersion.cmake
  cmake/nats.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/artel)
