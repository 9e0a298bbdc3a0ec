"""Objects for browsers are kept like images: found again, checked, and compiled anew when they are damaged."""

from __future__ import annotations

import pytest

from phalanx.native import build, cache
from phalanx.native.entry import Entry
from phalanx.native.target import WASM, host_target
from phalanx.native.wasm.web_module import web_module


def answer() -> Entry:
    def answer_for_browsers(x):
        return 7 * x

    return Entry("answer_for_browsers", lambda: answer_for_browsers, arity=1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "cache"))
    return cache.cache_folder(WASM)


@pytest.fixture
def compiled(monkeypatch):
    """Names of units that were compiled."""
    names, image_of = [], build.image_of
    monkeypatch.setattr(build, "image_of", lambda unit, *rest: names.append(unit.name) or image_of(unit, *rest))
    return names


def test_an_object_is_compiled_once(folder, compiled):
    first = web_module([answer()])
    assert compiled == ["answer_for_browsers"] and first.startswith(b"\0asm")
    assert web_module([answer()]) == first and len(compiled) == 1
    (path,) = folder.glob("answer_for_browsers-*.so")
    assert build.find(answer(), WASM) == path and build.find(answer(), host_target()) is None


def test_a_damaged_object_is_compiled_anew(folder, compiled, capsys):
    first = web_module([answer()])
    (path,) = folder.glob("answer_for_browsers-*.so")
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)
    assert web_module([answer()]) == first and len(compiled) == 2


def test_checks_are_left_out(folder, monkeypatch):
    """In a browser there is nobody to report them to."""
    plain = web_module([answer()])
    monkeypatch.setenv("PHALANX_CHECKED", "1")
    assert web_module([answer()]) == plain
