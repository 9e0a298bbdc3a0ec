"""From a tree of elements to XML text: attributes in the order of the schema, floats that read back exactly."""

from __future__ import annotations

from phalanx.compiler.text.attribute_values import write_value
from phalanx.compiler.text.element import Element

#: Characters that mean something else in XML; in attributes also those that a reader would take for spaces.
#: (`xml.sax.saxutils` has the same, and imports half of the internet.)
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_IN_ATTRIBUTES = _IN_TEXT | str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


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
            lines.append(f"{start}>{item.text.translate(_IN_TEXT)}</{item.tag}>")
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
            written.append(f" {name}={_quoted(text)}")
    return "".join(written)


def _quoted(text: str) -> str:
    """The value of an attribute in quotes, of the kind that it does not have itself if there is one."""
    text = text.translate(_IN_ATTRIBUTES)
    if '"' not in text:
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else '"' + text.replace('"', "&quot;") + '"'
