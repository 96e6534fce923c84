#pragma once
namespace artel::pool {
class Monitor {};
}  // namespace artel::pool
