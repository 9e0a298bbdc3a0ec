"""From XML text to a tree of elements. The schema says what may stand where; each violation becomes a problem."""

from __future__ import annotations

import functools
import re
from xml.parsers import expat

from phalanx.compiler.mechanism.expand_all import expand_all
from phalanx.compiler.text.attribute_values import TextReader, reader_of
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Problem, Source, meant, nearest, quoted
from phalanx.compiler.text.file_language import MJCF, Language
from phalanx.compiler.text.files import Files
from phalanx.tables.mechanisms import MECHANISMS
from phalanx.tables.mjcf_row import ORIENTATION_NAMES, ElementRow, Holds

#: Reading stops after this many problems.
MOST_PROBLEMS = 1000

#: Space before the declaration of XML, and the declaration.
_LATE_DECLARATION = re.compile(rb"((?:\xef\xbb\xbf)?[ \t\r\n]+)(<\?xml\b[^>]*\?>)")
#: Text after a tag.
_TEXT = re.compile(rb">\s*[^\s<]")

#: Elements and attributes of older versions of MJCF, with the reason that is reported.
REMOVED = {
    "composite": "composite was removed from MJCF in version 4.0; a cable is a flexcomp with dim 1 and elasticity",
    "flexvert": "flexvert was removed from MJCF in version 4.0; use equality/flex, or elasticity of the flex",
}
REMOVED_ATTRIBUTES = {
    ("contact", "internal"): "it was removed from MJCF",
    ("option", "apirate"): "it was removed from MJCF",
    ("option", "collision"): "it was removed from MJCF",
    ("compiler", "exactmeshinertia"): "use mesh/inertia instead",
    ("compiler", "convexhull"): "it was removed from MJCF",
}
#: Attributes without effect that models have, with what to say about them.
WITHOUT_EFFECT = {("replicate", "prefix"): "attribute 'prefix' has no effect on replicate, which only has 'sep'"}
#: Attributes that are needed: empty ones are no good.
NEEDED = (("geom", "size"),)


class _Stop(Exception):
    """Ends the parser: there are too many problems, or the rest cannot be read."""


class Reader:
    """Reads one model file and those it includes.

    Args:
        files: where included files are.
        problems: what is wrong is added to it.
        language: the elements and attributes that there are.
    """

    def __init__(self, files: Files, problems: list[Problem], language: Language = MJCF):
        self.files, self.problems, self.language = files, problems, language
        self.included: dict[str, str] = {}
        self.is_cut_off = False
        #: elements so far, at most
        self.count = 0
        #: what was passed over: cause -> the first place, and how many there are
        self.passed: dict[str, tuple[Problem, int]] = {}
        #: composite joints and couplings, which plain elements replace
        self.mechanisms: list[Element] = []

    def read(self, source: Source) -> Element | None:
        """The root element; None if there is none, or if reading stopped early, which is among the problems then."""
        start = _Document(self, source, None)
        start.parse()
        if not self.language.is_open:
            for first, count in self.passed.values():
                more = f" (and {count - 1} more like it)" if count > 1 else ""
                self.files.warn(f"{first}{more}")
        if start.root is not None:
            expand_all(start.root, self.mechanisms, self.problems)
        return None if self.is_cut_off else start.root

    def pass_over(self, cause: str, problem: Problem) -> None:
        """Note what has no effect in MuJoCo; there is one warning for each cause, with the first place."""
        first, count = self.passed.get(cause, (problem, 0))
        self.passed[cause] = first, count + 1

    def too_many(self, source: Source) -> str:
        """What to say about a file with too many elements, "" if it has not; they are not counted one by one."""
        self.count += source.data.count(b"<") - source.data.count(b"</")
        limits = self.files.limits
        return (
            f"the file holds {self.count} elements, {limits.beyond('elements')}" if self.count > limits.elements else ""
        )


def _tidied(data: bytes) -> bytes:
    """A text as expat takes it, every character at the same place.

    MuJoCo, too, reads files with space before the declaration of XML, which it ignores, and with zeros at the end.
    """
    late = _LATE_DECLARATION.match(data)
    if late is not None:
        data = late[1] + b" " * len(late[2]) + data[late.end() :]
    end = data.find(b"\0")
    return data[:end] if end >= 0 and not data[end:].strip(b"\0 \t\r\n") else data


class _Document:
    """One XML text while expat parses it.

    An included file adds its children to the element `holder`, which is `depth` elements deep; `files` are around it.
    """

    def __init__(self, reader: Reader, source: Source, holder: Element | None, depth: int = 0, files: int = 0):
        self.reader, self.source, self.holder = reader, source, holder
        self.stack: list[Element] = []
        self.skipped = 0
        #: names of elements that are passed over
        self.lost: list[str] = []
        self.root: Element | None = None
        self.depth, self.outside, self.files = 0, depth, files
        self.deepest = reader.files.limits.nesting - depth
        #: attributes of the last element that had a problem, and how messages call it
        self.labeled: tuple[list[str], str] = ([], "")
        self.parser = expat.ParserCreate()
        self.parser.ordered_attributes = True
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        if _may_hold_text(source.data):
            self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)

    def parse(self) -> None:
        """Parse the whole text; what is wrong becomes a problem of the reader."""
        too_many = self.reader.too_many(self.source)
        if too_many:
            self._cut_off(Problem(too_many, self.source.name, 1, 1))
            return
        try:
            self.parser.Parse(_tidied(self.source.data), True)
        except expat.ExpatError as error:
            line, column = error.lineno, error.offset + 1
            reason = expat.ErrorString(error.code)
            self._cut_off(Problem(f"not valid XML: {reason}{self._excerpt(line)}", self.source.name, line, column))
        except _Stop:
            self.reader.is_cut_off = True
        except (UnicodeError, ValueError, LookupError) as error:
            self._cut_off(Problem(f"not valid XML: {error}", self.source.name, 1, 1))
        del self.parser  # its handlers refer to this document: a cycle

    def _excerpt(self, line: int) -> str:
        """The text of a line, for the message."""
        lines = self.source.data.split(b"\n", line)
        text = lines[line - 1].decode("utf-8", "replace").strip() if len(lines) >= line else ""
        return f" in {quoted(text)}" if text else ""

    def _cut_off(self, problem: Problem) -> None:
        """Note a problem after which nothing is read; names that the rest defines must not count as missing."""
        self._add(problem)
        self.reader.is_cut_off = True

    def _add(self, problem: Problem) -> None:
        self.reader.problems.append(problem)

    def _problem(self, message: str, element: str = "", attribute: str = "") -> None:
        """Note a problem at the tag that is being parsed, or at one of its attributes."""
        offset = self.parser.CurrentByteIndex
        if attribute:
            offset = self.source.attribute_offset(offset, attribute)
        self._add(Problem(message, self.source.name, *self.source.place(offset), element))
        if len(self.reader.problems) >= MOST_PROBLEMS:
            raise _Stop

    def _pass_over(self, message: str, element: str, attribute: str = "", cause: str = "") -> None:
        """Note what has no effect, at the tag that is being parsed, or at one of its attributes."""
        offset = self.parser.CurrentByteIndex
        if attribute:
            offset = self.source.attribute_offset(offset, attribute)
        self.reader.pass_over(cause or message, Problem(message, self.source.name, *self.source.place(offset), element))

    def _refuse_entity(self, name: str, *_: object) -> None:
        """Entities could expand to any size, and MJCF has no use for them."""
        self._problem(f"entity {quoted(name)}: entities are not supported")
        raise _Stop

    # --- handlers

    def _start(self, tag: str, pairs: list[str]) -> None:
        self.depth += 1
        if self.skipped:
            self._skip(tag, pairs)
            return
        if self.depth > self.deepest:
            limit = self.reader.files.limits.nesting
            self._problem(f"elements are nested deeper than {limit}, the limit nesting of phalanx.Limits")
            raise _Stop
        if self.depth == 1:
            self._start_root(tag, pairs)
            return
        holder = self.stack[-1]
        found = holder.row.children.get(tag)
        if found is None:
            self._start_other(tag, pairs, holder)
            return
        key, most = found
        element = self._make(self.reader.language.rows[key], pairs)
        if most == 1 and any(child.row.key == key for child in holder.children):
            self._problem(f"{tag} may appear only once in {holder.tag}", str(element))
        holder.append(element)
        self.stack.append(element)

    def _skip(self, tag: str, pairs: list[str]) -> None:
        """Pass over an element; its name is kept, so that references to it are not reported as well."""
        self.skipped += 1
        name = dict(zip(pairs[::2], pairs[1::2], strict=True)).get("name")
        self.lost.append(name or f"<{tag}>")

    def _start_root(self, tag: str, pairs: list[str]) -> None:
        if self.holder is not None:
            # the root of an included file only groups its children
            self.stack.append(self.holder)
            return
        root = self.reader.language.root
        if tag != root.tag:
            hint = self.reader.language.root_hints.get(tag) or nearest(tag, [root.tag])
            self._problem(f"the root element is {quoted(tag)}, not {root.tag!r}{hint}")
            raise _Stop
        self.root = self._make(root, [
            part for name, value in zip(pairs[::2], pairs[1::2], strict=True) if not name.startswith(("xmlns", "xsi:"))
            for part in (name, value)
        ])  # fmt: skip
        self.stack.append(self.root)

    def _start_other(self, tag: str, pairs: list[str], holder: Element) -> None:
        """An element that the schema does not allow here: an included file, or a mistake."""
        language = self.reader.language
        if tag == "include" and "include" in language.rows and not language.is_open:
            element = self._make(language.rows["include"], pairs)
            self._include(element, holder)
            self.stack.append(element)
        elif tag in language.composites.get(holder.tag, ()):
            element = self._make(MECHANISMS[tag].element, pairs)
            self.reader.mechanisms.append(holder.append(element))
            self.stack.append(element)
        elif language.passes(tag, holder.row.children):
            self._pass_over(language.others.get(tag, f"element {quoted(tag)} is unknown and has no effect"), tag)
            self._skip(tag, pairs)
        elif tag in REMOVED:
            self._problem(REMOVED[tag], tag)
            self._skip(tag, pairs)
        else:
            known = [*holder.row.children, *language.composites.get(holder.tag, ())]
            self._problem(f"element {quoted(tag)} is not allowed in {holder.tag}{nearest(tag, known)}")
            self._skip(tag, pairs)

    def _make(self, row: ElementRow, pairs: list[str]) -> Element:
        """An element with the values of its attributes; those that cannot be read are noted in `bad`."""
        element = Element(row, self.source, self.parser.CurrentByteIndex)
        read, required = _readers(self.reader.language, row.key)
        values = element.attributes
        words = iter(pairs)
        for name, text in zip(words, words, strict=True):
            reader = read.get(name)
            if reader is None:
                self._unknown(element, name, pairs)
                continue
            try:
                values[name] = reader(text)
            except ElementProblem as problem:
                if _counts_as_not_written(row, name, text):
                    self._pass_over(f"{name} is empty, as if it were not written", self._label(row, pairs), name)
                    continue
                element.bad += (name,)
                self._problem(str(problem), self._label(row, pairs), name)
        for name in required:
            if name not in values and name not in element.bad:
                element.bad += (name,)
                self._problem(f"attribute {name!r} is missing", self._label(row, pairs))
        # only elements with a frame can have two orientations
        if len(values) > 1 and "quat" in read:
            self._keep_one_orientation(element, pairs)
        return element

    def _keep_one_orientation(self, element: Element, pairs: list[str]) -> None:
        """An orientation can be written in several ways, but only in one of them on each element."""
        given = [name for name in ORIENTATION_NAMES if name in element.attributes]
        if len(given) > 1:
            message = f"more than one orientation: {' and '.join(given)}"
            self._problem(message, self._label(element.row, pairs), given[1])
            for name in given[1:]:
                del element.attributes[name]

    def _unknown(self, element: Element, name: str, pairs: list[str]) -> None:
        """Report an attribute that the schema does not have."""
        row = element.row
        if self.reader.language.passes(name, row.attributes):
            message = f"attribute {quoted(name)} of {row.tag} is unknown and has no effect"
            self._pass_over(message, self._label(row, pairs), name)
            return
        if (row.tag, name) in WITHOUT_EFFECT:
            self._pass_over(WITHOUT_EFFECT[row.tag, name], self._label(row, pairs), name)
            return
        element.bad += (name,)
        reason = REMOVED_ATTRIBUTES.get((row.tag, name))
        hint = f"; {reason}" if reason else nearest(name, row.attributes)
        # the attribute that was probably meant has an unknown value now, not its default
        likely = meant(name, row.attributes)
        if likely and likely not in pairs[::2]:
            element.bad += (likely,)
        self._problem(f"unknown attribute {quoted(name)}{hint}", self._label(row, pairs), name)

    def _label(self, row: ElementRow, pairs: list[str]) -> str:
        """How messages call an element: tag and name."""
        if self.labeled[0] is not pairs:
            names = dict(zip(pairs[::2], pairs[1::2], strict=True))
            name = names.get("class" if row.tag == "default" else "name")
            self.labeled = pairs, f"{row.tag} {name!r}" if name else row.tag
        return self.labeled[1]

    def _end(self, tag: str) -> None:
        self.depth -= 1
        if self.skipped:
            self.skipped -= 1
            if not self.skipped:
                self.stack[-1].skipped += tuple(self.lost)
                self.lost.clear()
            return
        if self.stack:
            self.stack.pop()

    def _characters(self, text: str) -> None:
        """Few elements hold text between their tags; other words there have no effect, which is said."""
        holds_text = bool(self.stack) and self.stack[-1].row.key in self.reader.language.texts
        if text.isspace() and not holds_text:
            return
        if not self.skipped and holds_text:
            self.stack[-1].text += text
        elif not self.skipped and self.depth and any(character.isalnum() for character in text):
            element = self.stack[-1].tag if self.stack else ""
            self._pass_over(f"text {quoted(text)} outside of any attribute has no effect", element, cause="text")

    # --- included files

    def _include(self, element: Element, holder: Element) -> None:
        """Read another file into the element that holds the include."""
        name = element.attributes.get("file", "")
        if not name:
            if "file" in element.attributes:
                self._problem("the file name is empty", "include", "file")
            return
        try:
            source, key = self.reader.files.open_include(name, self.source)
        except ElementProblem as problem:
            self._problem(str(problem), "include", "file")
            holder.skipped += ("<include>",)
            return
        # MuJoCo refuses a second time, too: the elements would be there twice
        if key in self.reader.included:
            self._problem(
                f"{quoted(name)} is included more than once, first from {self.reader.included[key]}", "include", "file"
            )
            return
        self.reader.included[key] = self.source.name
        deepest = self.reader.files.limits.include_depth
        if self.files >= deepest:
            message = f"files include each other deeper than {deepest}, the limit include_depth of phalanx.Limits"
            self._problem(message, "include", "file")
            raise _Stop
        _Document(self.reader, source, holder, self.outside + self.depth - 2, self.files + 1).parse()
        if self.reader.is_cut_off and self.reader.count > self.reader.files.limits.elements:
            raise _Stop


@functools.cache
def _readers(language: Language, key: str) -> tuple[dict[str, TextReader], tuple[str, ...]]:
    """Attribute -> the function that reads its text, and the required attributes."""
    attributes = language.rows[key].attributes
    required = tuple(name for name, attribute in attributes.items() if attribute.required)
    return {name: reader_of(attribute) for name, attribute in attributes.items()}, required


def _may_hold_text(data: bytes) -> bool:
    """May there be text between tags? True also for files that this simple search cannot see through.

    The parser is slower with a handler for text, and few files need it.
    """
    # one expression for all three would be tried at every byte, which takes three times as long
    return b"\0" in data or b"<![" in data or _TEXT.search(data) is not None


def _counts_as_not_written(row: ElementRow, name: str, text: str) -> bool:
    """An empty list of numbers, where some are needed, counts as not written, as in MuJoCo."""
    attribute = row.attributes[name]
    return attribute.holds in (Holds.REAL, Holds.INT) and not text.strip() and (row.tag, name) not in NEEDED
