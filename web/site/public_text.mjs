// publicText(text): what a header declares for its users: without its includes, the private parts of its classes, and the inside.
export function publicText(text) {
  const kept = [];
  let end;                                     // while something is left out: the line that it ends with
  const declared = text.replace(/^#(pragma once|include .*)\n+/gm, "").replace(/^namespace detail \{\n.*\n\}\n+/gm, "");
  for (const line of declared.split("\n")) {
    const part = line.match(/^( *) private:$/);
    if (end === undefined && part) end = new RegExp(`^${part[1]}(\\}.*;| (public|protected):)$`);
    else if (end === undefined && line === "namespace detail {") end = /^\}  \/\/ namespace detail$/;
    else if (end?.test(line)) {
      if (!line.endsWith("namespace detail")) kept.push(line);
      end = undefined;
    } else if (end === undefined) kept.push(line);
  }
  return kept.join("\n").replace(/\n{2,}(?=\n| *\};)/g, "\n");
}
