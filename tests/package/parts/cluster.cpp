#include <artel/cluster/cluster.hpp>
#include <artel/cluster/cluster_options.hpp>
#include <artel/core/error.hpp>

int main() {
  const auto servers = artel::cluster::parse_servers("nats://127.0.0.1:1");
  if (!servers) return 1;
  const auto nobody = artel::cluster::Cluster::connect(*servers);
  return !nobody && nobody.error().code == artel::ErrorCode::not_found ? 0 : 1;
}
