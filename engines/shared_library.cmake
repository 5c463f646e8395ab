# stend_shared_library(ENGINE PART...): the objects of stend_ENGINE and of the static parts that it
# stands on as a shared library, stend_ENGINE_shared, which shows the engine's public names alone
# (exports.map). Where it is not wanted it is built when its tests ask for it.
function(stend_shared_library engine)
    if(BUILD_SHARED_LIBS AND NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
        message(FATAL_ERROR "BUILD_SHARED_LIBS is ${BUILD_SHARED_LIBS}, but shared libraries are only "
            "built for Linux. For ${CMAKE_SYSTEM_NAME}, build a static one: -DBUILD_SHARED_LIBS=OFF.")
    endif()
    set(target stend_${engine}_shared)
    set(unless_asked "")
    if(NOT BUILD_SHARED_LIBS)
        set(unless_asked EXCLUDE_FROM_ALL)
    endif()
    set(exports ${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
    add_library(${target} SHARED ${unless_asked} $<TARGET_OBJECTS:stend_${engine}>)
    foreach(part ${ARGN})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:stend_${part}>)
    endforeach()
    target_link_libraries(${target} PRIVATE Threads::Threads)
    target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:include>)
    target_link_options(${target} PRIVATE LINKER:--version-script=${exports})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME stend_${engine}
        EXPORT_NAME ${engine}_shared VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
        LINKER_LANGUAGE CXX LINK_DEPENDS ${exports})
endfunction()
