# Everything comes from Debian packages; `./dev setup` installs them.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(Boost 1.74 REQUIRED)             # headers only: Random, Math
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(muparser REQUIRED)
find_package(pugixml REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(msgpack REQUIRED)
include(cmake/nats.cmake)
if(ARTEL_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_path(ARTEL_PCG_INCLUDE pcg_random.hpp REQUIRED)   # our generator is compared with it
endif()
