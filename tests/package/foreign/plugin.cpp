// A shared library of the user's, with a pool in it.
#include <artel/pool/pool.hpp>

extern "C" int answer_of_plugin() {
  artel::pool::Pool pool({.workers = 1});
  return pool.submit([] { return 42; }).get();
}
