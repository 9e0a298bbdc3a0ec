"""Models compiled before: the same one as long as nothing changes, a new one as soon as something does."""

from __future__ import annotations

import os
import time

import pytest

import phalanx
from phalanx.compiler.text import files
from phalanx.compiler.text.files import read_file
from phalanx.world import model_memory

MAIN = """<mujoco model="main"><include file="part.xml"/>
<asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
PART = "<mujoco><option timestep='{}'/></mujoco>"
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def main(tmp_path):
    model_memory.clear()
    path = tmp_path / "main.xml"
    path.write_text(MAIN)
    (tmp_path / "part.xml").write_text(PART.format(0.01))
    (tmp_path / "m.obj").write_text(OBJ.format(1))
    yield path
    model_memory.clear()


def test_the_same_files_give_the_same_model(main):
    assert phalanx.load(main) is phalanx.load(main)


def test_a_changed_file_gives_a_new_model(main):
    first = phalanx.load(main)
    main.write_text(MAIN.replace('"main"', '"other"'))
    assert "other" in repr(phalanx.load(main))
    main.write_text(MAIN)
    assert phalanx.load(main) is first
    (main.parent / "part.xml").write_text(PART.format(0.02))
    assert phalanx.load(main).opt.timestep == 0.02
    before = phalanx.load(main).mesh_pos[0]
    (main.parent / "m.obj").write_text(OBJ.format(2))
    assert (phalanx.load(main).mesh_pos[0] != before).any()


def test_a_file_that_comes_or_goes_counts(main):
    folder = main.parent / "sub"
    folder.mkdir()
    inner = folder / "inner.xml"
    inner.write_text("<mujoco><include file='leaf.xml'/></mujoco>")
    (folder / "leaf.xml").write_text(PART.format(0.03))
    main.write_text("<mujoco><include file='sub/inner.xml'/></mujoco>")
    assert phalanx.load(main).opt.timestep == 0.03
    # a file beside the main one comes before one beside the file that includes it
    (main.parent / "leaf.xml").write_text(PART.format(0.04))
    assert phalanx.load(main).opt.timestep == 0.04
    (main.parent / "leaf.xml").unlink()
    assert phalanx.load(main).opt.timestep == 0.03
    (folder / "leaf.xml").unlink()
    with pytest.raises(phalanx.MjcfError, match="cannot be read"):
        phalanx.load(main)


def test_files_are_read_again_only_if_they_change(main, monkeypatch):
    mesh = main.parent / "m.obj"
    reads = []

    def count(path, *rest):
        reads.append(path)
        return read_file(path, *rest)

    monkeypatch.setattr(files, "read_file", count)

    def load_anew():
        model_memory.clear()
        reads.clear()
        return phalanx.load(main).mesh_pos[0].tolist(), str(mesh) in reads

    old = time.time() - 100
    monkeypatch.setattr(files, "SETTLED", 0)
    first, _ = load_anew()
    assert load_anew() == (first, False)
    mesh.write_text(OBJ.format(2))
    os.utime(mesh, (old, old))
    second, was_read = load_anew()
    assert was_read and second != first
    # a file that was written just now may be written once more without a trace
    monkeypatch.setattr(files, "SETTLED", 10**12)
    mesh.write_text(OBJ.format(3))
    assert load_anew()[1] and load_anew()[1]


def test_assets_in_memory_count():
    xml = MAIN.replace('<include file="part.xml"/>', "")
    small, large = (phalanx.Model.from_xml_string(xml, {"m.obj": OBJ.format(k)}) for k in (1, 2))
    assert small.mesh_pos[0].tolist() != large.mesh_pos[0].tolist()
    assert phalanx.Model.from_xml_string(xml, {"m.obj": OBJ.format(1).encode()}) is small


def test_few_models_are_kept(monkeypatch):
    model_memory.clear()
    monkeypatch.setattr(model_memory, "MOST", 2)
    texts = [f"<mujoco model='m{k}'/>" for k in range(3)]
    first, _, last = map(phalanx.Model.from_xml_string, texts)
    assert phalanx.Model.from_xml_string(texts[2]) is last
    assert phalanx.Model.from_xml_string(texts[0]) is not first
    monkeypatch.setattr(model_memory, "LARGEST", 0)
    assert phalanx.Model.from_xml_string(texts[1]) is not phalanx.Model.from_xml_string(texts[1])


def test_errors_are_told_every_time(tmp_path):
    for _ in range(2):
        with pytest.raises(phalanx.MjcfError, match="goem"):
            phalanx.Model.from_xml_string("<mujoco><goem/></mujoco>")


def test_a_model_from_the_cache_warns_again():
    text = "<mujoco><asset><material name='m' rgba=''/></asset></mujoco>"
    for _ in range(2):
        with pytest.warns(phalanx.MjcfWarning, match="rgba is empty"):
            phalanx.Model.from_xml_string(text)
