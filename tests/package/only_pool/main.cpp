#include <artel/pool/pool.hpp>
#include <stdexcept>

int main() {
  artel::pool::Pool pool;
  auto thrown = pool.submit([]() -> int { throw std::runtime_error("caught in another library"); });
  try {
    return thrown.get();
  } catch (const std::runtime_error&) {
    return pool.submit([] { return 0; }).get();
  }
}
