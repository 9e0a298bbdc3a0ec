"""Meshes equal MuJoCo's compiled meshes in every row."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx.mesh import InertiaMode, Mesh, MeshError
from tests.mesh.oracle import MODE_NAMES, assert_equal, compile_arrays, compile_file, graph_of, mesh_files

FILES = mesh_files()
EVERY_DAY = 25


def cloud(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)


def bumpy_sphere(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A closed surface that is not convex."""
    hull = Mesh.from_arrays(cloud(60, seed) / np.linalg.norm(cloud(60, seed), axis=1, keepdims=True))
    radius = np.random.default_rng(seed + 1).uniform(0.6, 1.2, (60, 1)).astype(np.float32)
    return hull.source.vertices * radius, hull.faces


def check_file(path):
    mesh = Mesh.from_file(path)
    assert_equal(compile_file(path), mesh)
    return mesh


@pytest.mark.parametrize("path", FILES[:: max(len(FILES) // EVERY_DAY, 1)], ids=lambda path: path.name)
def test_a_mesh_file_gives_the_rows_of_mujoco(path):
    check_file(path)


@pytest.mark.conformance
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_mesh_file_gives_the_rows_of_mujoco(path):
    check_file(path)


@pytest.mark.conformance
@pytest.mark.parametrize("mode", InertiaMode)
@pytest.mark.parametrize("path", FILES[::7], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_inertia_mode_of_mesh_files(path, mode):
    try:
        model = compile_file(path, f'inertia="{mode.name.lower()}"')
    except ValueError as problem:
        with pytest.raises(MeshError, match=r"orientation|volume"):
            assert Mesh.from_file(path, inertia=mode).mass, problem
        return
    assert_equal(model, Mesh.from_file(path, inertia=mode))


@pytest.mark.conformance
def test_the_order_of_hull_vertices_is_mujocos_for_nearly_all_files():
    """Qhull's own order is not shown by SciPy; see `hull.py` for what may differ."""
    same_vertices, same_edges = [], []
    for path in FILES:
        graph, hull = graph_of(compile_file(path)), Mesh.from_file(path).hull
        same_vertices.append(np.array_equal(graph["vertices"], hull.vertices))
        same_edges.append(np.array_equal(graph["edges"], hull.edges))
    assert np.mean(same_vertices) > 0.9
    assert np.mean(same_edges) > 0.6


@pytest.mark.parametrize("mode", InertiaMode)
@pytest.mark.parametrize("count", [4, 5, 8, 30, 300])
def test_random_points_in_every_inertia_mode(count, mode):
    points = cloud(count, count)
    model = compile_arrays(points, attributes=f'inertia="{MODE_NAMES[mode]}"')
    mesh = Mesh.from_arrays(points, inertia=mode)
    assert_equal(model, mesh)
    np.testing.assert_array_equal(mesh.hull.graph, model.mesh_graph)
    np.testing.assert_array_equal(mesh.extrema, model.mesh_extrema[0])


@pytest.mark.parametrize("mode", InertiaMode)
@pytest.mark.parametrize("seed", range(3))
def test_a_surface_that_is_not_convex(seed, mode):
    vertices, faces = bumpy_sphere(seed)
    model = compile_arrays(vertices, faces, f'inertia="{MODE_NAMES[mode]}"')
    assert_equal(model, Mesh.from_arrays(vertices, faces, inertia=mode))


@pytest.mark.parametrize(
    "options",
    [
        {"scale": (2.0, 0.5, 3.0)},
        {"scale": (1.0, -2.0, 1.0)},
        {"scale": (-1.0, -2.0, -1.0)},
        {"scale": (1e-3, 1e-3, 1e-3)},
        {"refpos": (1.0, -2.0, 3.0)},
        {"refquat": (1.0, 2.0, -3.0, 0.5)},
        {"refpos": (0.1, 0.2, 0.3), "refquat": (0.0, 1.0, 0.0, 0.0), "scale": (1.0, 2.0, -3.0)},
        {"smoothnormal": True},
        {"maxhullvert": 10},
    ],
    ids=str,
)
def test_options_of_a_mesh(options):
    attributes = " ".join(
        f'{name}="{str(value).lower() if not isinstance(value, tuple) else " ".join(map(str, value))}"'
        for name, value in options.items()
    )
    for vertices, faces in ((cloud(50), None), bumpy_sphere()):
        assert_equal(compile_arrays(vertices, faces, attributes), Mesh.from_arrays(vertices, faces, **options))


@pytest.mark.parametrize("half", [(0.5, 0.5, 0.5), (0.1, 0.2, 0.3), (1.0, 1.0, 2.0)])
def test_boxes_whose_axes_are_a_matter_of_rounding(half):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    model, mesh = compile_arrays(corners), Mesh.from_arrays(corners)
    assert_equal(model, mesh)
    np.testing.assert_array_equal(mesh.hull.graph, model.mesh_graph)


def test_triangles_without_area_and_repeated_vertices():
    vertices, faces = bumpy_sphere()
    vertices = np.concatenate([vertices, vertices[:5]])
    faces = np.concatenate([faces, [[0, 0, 1], [2, 62, 3], [4, 4, 4], [60, 0, 1]]])
    assert_equal(compile_arrays(vertices, faces), Mesh.from_arrays(vertices, faces))


def test_given_normals_and_texture_coordinates():
    points = cloud(20)
    normals, texcoords = cloud(20, 5), cloud(20, 6)[:, :2]
    mesh = Mesh.from_arrays(points, normals=normals, texcoords=texcoords, scale=(1, 2, 3))
    text = [" ".join(map(str, array.ravel().tolist())) for array in (normals, texcoords)]
    model = compile_arrays(points, attributes=f'normal="{text[0]}" texcoord="{text[1]}" scale="1 2 3"')
    assert_equal(model, mesh)


SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 0]]
FAULTY = {
    "too few": ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], None, "at least 4 vertices"),
    "not finite": ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, np.nan]], None, "vertex 3 is not finite"),
    "one place": (np.ones((5, 3)), None, "in one place"),
    "one line": (np.outer(np.arange(5), [1, 2, 3]), None, "on one line"),
    "one plane": (SQUARE, None, "in one plane"),
    "wrong index": (cloud(5), [[0, 1, 2], [0, 3, 5]], "in face 1, vertex 5 does not exist"),
    "negative index": (cloud(5), [[0, -1, 2]], "vertex -1 does not exist"),
    "flat with faces": (SQUARE, [[0, 1, 2], [0, 2, 3]], "volume is too small"),
    "no area": (cloud(5), [[0, 0, 1]], "area is too small"),
}


@pytest.mark.parametrize("case", FAULTY)
def test_a_faulty_mesh_is_refused_as_mujoco_does(case):
    vertices, faces, message = FAULTY[case]
    with pytest.raises(MeshError, match=message) as raised:
        assert Mesh.from_arrays(vertices, faces, name="broken").mass
    assert "'broken'" in str(raised.value)
    if case != "not finite":
        with pytest.raises(ValueError):
            compile_arrays(np.asarray(vertices), None if faces is None else np.array(faces))


def test_a_surface_inside_out():
    vertices, faces = bumpy_sphere()
    with pytest.raises(MeshError, match="inside out"):
        assert Mesh.from_arrays(vertices, faces[:, ::-1], inertia=InertiaMode.EXACT).mass
    twisted = faces.copy()
    twisted[0] = twisted[0, ::-1]
    with pytest.raises(MeshError, match="inconsistent orientation"):
        assert Mesh.from_arrays(vertices, twisted, inertia=InertiaMode.EXACT).mass
    with pytest.raises(ValueError, match="inconsistent orientation"):
        compile_arrays(vertices, twisted, 'inertia="exact"')


def test_a_flat_mesh_may_be_a_shell():
    mesh = Mesh.from_arrays(SQUARE, [[0, 1, 2], [0, 2, 3]], inertia=InertiaMode.SHELL)
    assert mesh.mass.volume == pytest.approx(1.0)
    np.testing.assert_allclose(mesh.mass.moments, [1 / 6, 1 / 12, 1 / 12])


@pytest.mark.parametrize("vertices", [[[0, 0], [1, 1]], "abc", [1, 2, 3, 4]])
def test_what_is_no_list_of_vertices(vertices):
    with pytest.raises(MeshError, match="vertices"):
        Mesh.from_arrays(vertices)


def test_a_mesh_tells_what_it_is():
    mesh = Mesh.from_arrays(cloud(4), name="stone")
    assert repr(mesh) == "Mesh('stone', 4 vertices, 4 faces)"
    assert repr(mesh.hull) == "Hull(4 vertices, 4 faces)"
    with pytest.raises(AttributeError):
        mesh.name = "other"


def test_the_mesh_of_a_second_geom_is_the_same():
    """Several meshes in a model: rows are per mesh, addresses are the model's."""
    text = " ".join(map(str, cloud(12).astype(float).ravel()))
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><asset><mesh name="a" vertex="{text}"/><mesh name="b" vertex="{text}" scale="2 2 2"/></asset>
        <worldbody><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b"/></worldbody></mujoco>"""
    )
    mesh = Mesh.from_arrays(cloud(12), scale=2.0)
    first = model.mesh_vertadr[1]
    np.testing.assert_allclose(mesh.vertices, model.mesh_vert[first:], atol=1e-6)
    np.testing.assert_array_equal(mesh.hull.graph, model.mesh_graph[model.mesh_graphadr[1] :])
