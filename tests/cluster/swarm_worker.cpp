#include "artel/cluster/run_worker.hpp"
#include "tests/cluster/swarm_task.hpp"  // IWYU pragma: keep

int main(int argc, char** argv) { return artel::cluster::serve(argc, argv); }
