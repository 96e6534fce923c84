// element("p.lede", {title: "…"}, child, …): children are nodes or text; text never becomes HTML.
export function element(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split(".");
  const node = document.createElement(tag);
  if (classes.length > 0) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
}
