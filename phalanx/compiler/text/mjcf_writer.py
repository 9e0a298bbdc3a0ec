"""From a tree of elements to XML text: attributes in the order of the schema, floats that read back exactly."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from phalanx.compiler.text.attribute_values import write_value
from phalanx.compiler.text.element import Element


def write_xml(root: Element) -> str:
    """The XML text of an element and all inside, indented."""
    lines: list[str] = []
    # a stack instead of recursion: elements may be nested deeper than Python's limit of calls
    stack: list[tuple[Element | str, int]] = [(root, 0)]
    while stack:
        item, depth = stack.pop()
        indent = "  " * depth
        if isinstance(item, str):
            lines.append(indent + item)
            continue
        start = f"{indent}<{item.tag}{_attributes(item)}"
        if item.text.strip():
            lines.append(f"{start}>{escape(item.text)}</{item.tag}>")
        elif item.children:
            lines.append(start + ">")
            stack.append((f"</{item.tag}>", depth))
            stack.extend((child, depth + 1) for child in reversed(item.children))
        else:
            lines.append(start + "/>")
    return "\n".join(lines) + "\n"


def _attributes(element: Element) -> str:
    """The attributes of a start tag."""
    written = []
    for name, row in element.row.attributes.items():
        if name in element.attributes:
            text = write_value(row, element.attributes[name])
            written.append(f" {name}={quoteattr(text)}")
    return "".join(written)
