// Elements of the page, made in code. Text is only ever set as text: names come from foreign files.

/** element("button", {class: "flat"}, "text", child, ...): functions among the attributes are listeners. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  play: "M8 5.5v13l10.5-6.5z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  loop: "M7 7h9v3l4-4-4-4v3H5v7h2zm10 10H8v-3l-4 4 4 4v-3h11v-7h-2z",
  panel:
    "M4 6h10v2H4zm13-1.5A2.5 2.5 0 0 1 19.4 6H20v2h-.6A2.5 2.5 0 1 1 17 4.500zM4 11h3.100a2.500 2.500 0 0 1 4.800 0H20v2h-8.100a2.500 2.500 0 0 1-4.800 0H4zm0 5h10.600a2.500 2.500 0 0 1 4.800 0H20v2h-.6a2.500 2.500 0 0 1-4.800 0H4z",
  close:
    "M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600L6.400 19 5 17.600 10.600 12 5 6.400z",
  step: "M6 5.5v13l8-6.5zM16 5h3v14h-3z",
  home: "M12 3 3 10.500h2.500V20h5v-5.500h3V20h5v-9.500H21z",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A switch with a label; `onChange(isOn)` is called when it is flipped. */
export function toggle(label, isOn, onChange, { title = "", name = "" } = {}) {
  const box = element("input", { type: "checkbox", change: () => onChange(box.checked), "data-name": name });
  box.checked = isOn;
  return element("label", { class: "chip", title }, box, element("span", {}, label));
}

/** A section of the panel that can be folded. */
export const section = (title, isOpen, ...children) =>
  element("details", { class: "section", open: isOpen }, element("summary", {}, title), ...children);
