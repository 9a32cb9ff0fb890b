# Writes the header that says which revision --version prints, if that has
# changed: run by each build, as a commit or an edit configures nothing anew.
#
#   cmake -D SOURCES=... -D REVISION=... -D HEADER=... -P revision.cmake
#
# A tree without git has no revision unless it is told.
cmake_minimum_required(VERSION 3.25)
if(NOT REVISION)
  execute_process(
    COMMAND git -C ${SOURCES} describe --always --dirty --tags
    OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT REVISION)
  set(REVISION unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define REDUCTOR_REVISION \"${REVISION}\"\n")
