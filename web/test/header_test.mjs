// The page of a header has what its users may use.
import assert from "node:assert/strict";
import { publicText } from "../site/public_text.mjs";

const header = `#pragma once

#include <vector>

namespace artel {

namespace detail {
struct Gear {
  int teeth;
};
}  // namespace detail

/// Turns.
class Engine {
 public:
  /// Once.
  class Part {
   private:
    int hidden;
   public:
    int shown;
  };
  void turn();

 private:
  detail::Gear gear_;
};

}  // namespace artel
`;
assert.equal(publicText(header), `namespace artel {

/// Turns.
class Engine {
 public:
  /// Once.
  class Part {
   public:
    int shown;
  };
  void turn();
};

}  // namespace artel
`);
assert.equal(publicText("namespace detail {\nclass Gear;\n}\n\nint b;\n"), "int b;\n");
assert.equal(publicText("struct A {\n private:\n  int a;\n} a;\nint b;\n"), "struct A {\n} a;\nint b;\n");
