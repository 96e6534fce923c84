#include <fmt/core.h>
int main() { fmt::print("artel\n"); }
