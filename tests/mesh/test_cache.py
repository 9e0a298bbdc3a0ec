"""Processed meshes on disk: found again, never wrong, never half, never too many."""

from __future__ import annotations

import os

import numpy as np
import pytest

import phalanx
from phalanx.compiler.asset import texture_builtin
from phalanx.mesh import Mesh, cache
from phalanx.mesh.read import MeshSource
from phalanx.world import model_memory
from tests.compiler.compare import differences

XML = """<mujoco><asset><mesh name="rock" file="rock.obj" scale="1 2 -1"/></asset>
<worldbody><body><freejoint/><geom type="mesh" mesh="rock"/></body></worldbody></mujoco>"""
VISUAL = XML.replace('mesh="rock"/>', 'mesh="rock" contype="0" conaffinity="0"/>')


def rock(seed: int = 0) -> bytes:
    """An OBJ file of a convex cloud of points."""
    mesh = Mesh.from_arrays(np.random.default_rng(seed).normal(size=(40, 3)))
    lines = [f"v {x} {y} {z}" for x, y, z in mesh.source.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.hull.faces.tolist()]
    return "\n".join(lines).encode()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache of our own, with nothing in memory."""
    place = tmp_path / "meshes"
    monkeypatch.setattr(cache, "folder", lambda: place)
    monkeypatch.setenv(cache.MESH_CACHE_VARIABLE, "1")
    forget()
    yield place
    forget()


def forget() -> None:
    """What a new process does not know."""
    cache.clear_memory()
    model_memory.clear()


def compile_rock(xml: str = XML, data: bytes | None = None) -> phalanx.Model:
    return phalanx.Model.from_xml_string(xml, {"rock.obj": rock() if data is None else data})


def assert_same(a: phalanx.Model, b: phalanx.Model) -> None:
    assert a is not b
    for name, array in a._store.arrays.items():
        assert np.array_equal(array, b._store.arrays[name]), name


def test_a_mesh_from_the_cache_is_the_same_mesh(folder, monkeypatch):
    first = compile_rock()
    (entry,) = folder.iterdir()
    forget()

    def fail(*arguments):
        raise AssertionError("it should not have been read again")

    monkeypatch.setattr("phalanx.compiler.asset.mesh_asset._source", fail)
    assert_same(first, compile_rock())
    assert entry.exists()


def test_models_equal_mujocos_from_the_cache_too(folder):
    mujoco = pytest.importorskip("mujoco")
    theirs = mujoco.MjModel.from_xml_string(XML, {"rock.obj": rock()})
    for _ in range(2):
        forget()
        assert differences(compile_rock(), theirs, ("mesh_graph", "mesh_extrema", "paths", "npaths")) == {}


def test_other_bytes_options_or_code_are_other_meshes(folder, monkeypatch):
    compile_rock()
    compile_rock(data=rock(1))
    compile_rock(XML.replace("1 2 -1", "1 2 1"))
    assert len(list(folder.iterdir())) == 3
    forget()
    monkeypatch.setattr(cache, "_code_version", lambda: "tomorrow")
    compile_rock()
    assert len(list(folder.iterdir())) == 4


def test_an_entry_without_hull_gets_one_when_it_is_needed(folder):
    compile_rock(VISUAL)
    (entry,) = folder.iterdir()
    small = entry.stat().st_size
    forget()
    first = compile_rock()
    assert entry.stat().st_size > small
    forget()
    assert_same(first, compile_rock())
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "foreign", "header"])
def test_a_damaged_entry_is_made_anew(folder, damage):
    first = compile_rock()
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    middle = len(whole) // 2
    entry.write_bytes({
        "empty": b"", "cut": whole[:-9], "flipped": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "foreign": b"something else", "header": whole[:40] + b"\xff" * 40 + whole[80:],
    }[damage])  # fmt: skip
    forget()
    assert_same(first, compile_rock())
    assert entry.read_bytes() == whole


def test_nothing_is_written_when_it_is_off(folder, monkeypatch):
    monkeypatch.setenv(cache.MESH_CACHE_VARIABLE, "0")
    compile_rock()
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_does_not_matter(folder, monkeypatch):
    folder.write_text("a file, where the folder should be")
    assert compile_rock().nmesh == 1


def test_the_oldest_entries_go_when_there_are_too_many(folder, monkeypatch):
    compile_rock()
    size = next(folder.iterdir()).stat().st_size
    monkeypatch.setattr(cache, "LARGEST", 3 * size)
    for k, path in enumerate(folder.iterdir()):
        os.utime(path, (k, k))
    oldest = next(folder.iterdir()).name
    for seed in range(1, 5):
        compile_rock(data=rock(seed))
    names = [path.name for path in folder.iterdir()]
    assert len(names) <= 3
    assert oldest not in names


def test_a_mesh_that_is_used_again_counts_as_new(folder):
    compile_rock()
    (entry,) = folder.iterdir()
    os.utime(entry, (1, 1))
    forget()
    compile_rock()
    assert entry.stat().st_mtime > 1e9


def test_random_dots_are_kept(folder, monkeypatch):
    monkeypatch.setattr(texture_builtin, "random_dots", texture_builtin.random_dots.__wrapped__)
    dots = texture_builtin.random_dots(1000, 0.1)
    assert np.array_equal(dots, np.flatnonzero(texture_builtin.random_values(1000) < 0.1))
    (entry,) = folder.iterdir()
    monkeypatch.setattr(texture_builtin, "random_values", None)
    assert np.array_equal(texture_builtin.random_dots(1000, 0.1), dots)
    monkeypatch.undo()
    monkeypatch.setattr(cache, "folder", lambda: folder)
    entry.write_bytes(entry.read_bytes()[:-1])
    assert np.array_equal(texture_builtin.random_dots.__wrapped__(1000, 0.1), dots)


def test_arrays_survive_packing():
    source = MeshSource(np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32))
    packed = cache._pack(cache._arrays({"source": source, "size": np.arange(3.0)}))
    parts = dict(cache._parts(cache._unpack(packed)))
    assert np.array_equal(parts["source"].vertices, source.vertices)
    assert parts["source"].faces.shape == (0, 3) and parts["source"].faces.dtype == np.int32
    assert np.array_equal(parts["size"], np.arange(3.0))


# --- what is not ours


def test_an_entry_of_another_name_is_made_anew(folder, capfd, monkeypatch):
    monkeypatch.delenv("PHALANX_QUIET", raising=False)
    first = compile_rock()
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    compile_rock(data=rock(1))
    (other,) = (path for path in folder.iterdir() if path != entry)
    entry.write_bytes(other.read_bytes())
    forget()
    assert_same(first, compile_rock())
    assert entry.read_bytes() == whole
    assert "what it held is made again" in capfd.readouterr().err


@pytest.mark.parametrize("kind", ["link", "pipe", "writable"])
def test_links_and_special_files_are_replaced(folder, kind):
    first = compile_rock()
    (entry,) = folder.iterdir()
    whole = entry.read_bytes()
    if kind == "link":
        entry.rename(folder.parent / "elsewhere")
        entry.symlink_to(folder.parent / "elsewhere")
    elif kind == "pipe":
        entry.unlink()
        os.mkfifo(entry)
    else:
        entry.chmod(0o666)
    forget()
    assert_same(first, compile_rock())
    assert not entry.is_symlink() and entry.is_file() and entry.stat().st_mode & 0o777 == 0o600
    assert entry.read_bytes() == whole


def test_a_folder_that_others_can_write_is_not_used(folder, capfd, monkeypatch):
    monkeypatch.delenv("PHALANX_QUIET", raising=False)
    folder.mkdir()
    folder.chmod(0o777)
    cache._say_once.cache_clear()
    for seed in range(2):
        compile_rock(data=rock(seed))
    said = capfd.readouterr().err
    assert said.count("can be written by others") == 1 and "PHALANX_CACHE_DIR" in said
    assert not list(folder.iterdir())


def test_meshes_in_memory_are_bounded_by_their_size(monkeypatch):
    cache.clear_memory()
    monkeypatch.setattr(cache, "LARGEST_IN_MEMORY", 2500)
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    for k in range(5):
        cache.remember(f"key{k}", Mesh.from_arrays(corners, faces))
    # each takes 4 * 200 + 4 * 40 bytes
    assert [key for key, _ in cache._in_memory] == ["key3", "key4"]
    cache.clear_memory()
