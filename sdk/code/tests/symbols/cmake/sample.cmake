cmake_minimum_required(VERSION 3.20)
project(shop LANGUAGES CXX)
include(common.cmake)
find_package(Threads REQUIRED)
add_subdirectory(lib)

set(LIMIT 10)
option(WITH_TESTS "Builds the tests" ON)

# Adds one thing.
function(add_thing name)
  set(local_value 1)
  add_library(${name} ${ARGN})
endfunction()

macro(twice x)
  message("${x}")
endmacro()

# The program.
add_executable(shop main.cpp)
add_library(core STATIC core.cpp)
target_link_libraries(shop PRIVATE core ${LIMIT})
add_custom_target(docs)
add_test(NAME adds COMMAND shop)
add_thing(other)
