"""Rays against single shapes and whole scenes, compared with MuJoCo's mju_rayGeom, mj_rayMesh, mj_rayHfield, mj_ray."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.memory import load3, load9, store3
from phalanx.algebra.number import splat
from phalanx.algebra.number_type import NumberType
from phalanx.collision.ray.ray import ALL_GROUPS, nearest, ray_geom
from phalanx.collision.ray.table import ray_shape
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime as compiler
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import GeomType

SOURCE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
FLOAT64 = NumberType("float64")

SHAPES = (
    GeomType.PLANE, GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.BOX,
)  # fmt: skip


# --- running the kernels on many rays


@cache
def shape_entry(number: NumberType) -> compiler.NativeEntry:
    """entry(kind, n, pos, mat, size, origin, direction, distance, normal): n rows of each."""

    def build():
        from phalanx.native.number import array_at

        def at(name, inner, constant=True):
            return array_at(number, inner, name, constant)

        pos_at, mat_at, size_at = at("pos", (3,)), at("mat", (9,)), at("size", (3,))
        origin_at, direction_at = at("origin", (3,)), at("direction", (3,))
        distance_at, normal_at = at("distance", (), False), at("normal", (3,), False)

        def entry(kind, n, pos, mat, size, origin, direction, distance, normal):
            distances, normals = distance_at(distance), normal_at(normal)
            for k in range(n):
                x, v = ray_shape(
                    kind, load3(pos_at(pos), k), load9(mat_at(mat), k), load3(size_at(size), k),
                    load3(origin_at(origin), k), load3(direction_at(direction), k),
                )  # fmt: skip
                distances[k] = x
                store3(normals, k, v)
            return 0

        return entry

    return compiler.load(compiler.Entry(f"test_ray_shape_{number.name}_{SOURCE}", build, 9))


def in_lanes(rows: np.ndarray, number: NumberType) -> np.ndarray:
    """Rows (n, k) as groups of worlds (n / W, k, W), aligned; the last row fills the last group."""
    width = number.worlds
    groups = -(-len(rows) // width)
    rows = np.concatenate([rows, np.repeat(rows[-1:], groups * width - len(rows), axis=0)])
    array = aligned_zeros((groups, rows.shape[1], width), number.dtype)
    array[...] = rows.reshape(groups, width, -1).swapaxes(1, 2)
    return array


def out_of_lanes(array: np.ndarray, n: int) -> np.ndarray:
    return array.swapaxes(1, 2).reshape(-1, array.shape[1])[:n]


def cast_at_shape(kind: GeomType, geoms: dict[str, np.ndarray], number: NumberType) -> tuple[np.ndarray, np.ndarray]:
    """(distances, normals) of one ray for each row."""
    inputs = [in_lanes(geoms[name], number) for name in ("pos", "mat", "size", "origin", "direction")]
    groups, width = inputs[0].shape[0], number.worlds
    distance = aligned_zeros((groups, 1, width), number.dtype)
    normal = aligned_zeros((groups, 3, width), number.dtype)
    shape_entry(number)(int(kind), groups, *(a.ctypes.data for a in (*inputs, distance, normal)))
    n = len(geoms["pos"])
    return out_of_lanes(distance, n)[:, 0], out_of_lanes(normal, n)


# --- rays at a shape


def random_matrices(rng: np.random.Generator, n: int) -> np.ndarray:
    quats = rng.normal(size=(n, 4))
    mats = np.zeros((n, 9))
    for mat, quat in zip(mats, quats, strict=True):
        mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
    return mats


def rays_at_shape(kind: GeomType, n: int, seed: int) -> dict[str, np.ndarray]:
    """Geoms of one type and a ray for each, in the frame of the geom first: outside, inside, parallel, grazing, bad."""
    rng = np.random.default_rng(seed)
    size = rng.uniform(0.05, 1.0, (n, 3)) * 10.0 ** rng.integers(-2, 3, (n, 1))
    if kind == GeomType.PLANE:
        size[rng.random((n, 3)) < 0.3] = 0.0
    bounds = {
        GeomType.SPHERE: size[:, [0, 0, 0]],
        GeomType.CAPSULE: np.stack([size[:, 0], size[:, 0], size[:, 0] + size[:, 1]], 1),
        GeomType.CYLINDER: size[:, [0, 0, 1]],
        GeomType.PLANE: np.where(size > 0, size, 1.0),
    }.get(kind, size)
    scale = bounds.max(1, keepdims=True)
    start = rng.uniform(-3, 3, (n, 3)) * scale
    start = np.where(rng.random((n, 1)) < 0.3, rng.uniform(-1, 1, (n, 3)) * bounds, start)
    target = rng.uniform(-1.2, 1.2, (n, 3)) * bounds
    # grazing: aim at corners, edges, caps and faces of the bounding box
    flush = rng.random((n, 3)) < 0.15
    target = np.where(flush, rng.choice([-1.0, 1.0, 0.0], (n, 3)) * bounds, target)
    start = np.where(flush & (rng.random((n, 3)) < 0.5), target, start)
    direction = target - start
    # parallel to axes and planes of the geom
    direction[rng.random((n, 3)) < 0.12] = 0.0
    direction[rng.random((n, 3)) < 0.02] = 1e-16
    direction *= 10.0 ** rng.choice([0, 0, 0, -3, 3, -8, -12], (n, 1))
    direction[rng.random(n) < 0.01] = 0.0

    mat = random_matrices(rng, n)
    mat[rng.random(n) < 0.3] = np.eye(3).ravel()
    pos = rng.normal(size=(n, 3)) * scale
    pos[rng.random(n) < 0.3] = 0.0
    frames = mat.reshape(n, 3, 3)
    return {
        "pos": pos,
        "mat": mat,
        "size": size,
        "origin": pos + np.einsum("nij,nj->ni", frames, start),
        "direction": np.einsum("nij,nj->ni", frames, direction),
    }


def mujoco_shape(kind: GeomType, geoms: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    n = len(geoms["pos"])
    distance, normal = np.zeros(n), np.zeros((n, 3))
    for k in range(n):
        arguments = [geoms[name][k] for name in ("pos", "mat", "size", "origin", "direction")]
        distance[k] = mujoco.mju_rayGeom(*arguments, int(kind), normal[k])
    return distance, normal


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes(kind: GeomType):
    """Every ray hits or misses like MuJoCo's, at the same bits."""
    geoms = rays_at_shape(kind, 4000, seed=int(kind))
    distance, normal = cast_at_shape(kind, geoms, FLOAT64)
    their_distance, their_normal = mujoco_shape(kind, geoms)
    assert 0.15 < np.mean(their_distance >= 0) < 0.7
    assert (distance == their_distance).all()
    assert (normal == their_normal).all()


#: Some units in the last place of single precision, and how many rays next to one are tried.
ULPS, JITTERS = 16 * float(np.finfo(np.float32).eps), 40


def jitter(array: np.ndarray, seed: int) -> np.ndarray:
    """Rows moved by as much as single precision may: what a grazing ray hits depends on it."""
    scale = np.abs(array).max(axis=1, keepdims=True)
    return array + ULPS * scale * np.random.default_rng(seed).uniform(-1, 1, array.shape)


def is_near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """To the accuracy of single precision, of rays that do not graze too much."""
    return np.abs(a - b) <= 1e-4 * (1 + np.abs(b))


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_in_all_ways_of_running(kind: GeomType):
    """Interpreted, one world, lanes: the same bits. Single precision: the hits of the ray, or of one next to it."""
    geoms = rays_at_shape(kind, 403, seed=50 + int(kind))
    distance, normal = cast_at_shape(kind, geoms, FLOAT64)
    lane_distance, lane_normal = cast_at_shape(kind, geoms, NumberType("float64", 4))
    assert (distance == lane_distance).all()
    assert (normal == lane_normal).all()
    for k in range(100):
        arguments = [tuple(geoms[name][k]) for name in ("pos", "mat", "size", "origin", "direction")]
        with np.errstate(all="ignore"):
            x, v = ray_shape(int(kind), *arguments)
        assert x == distance[k]
        assert (np.array(v) == normal[k]).all()
    # of rays that are neither tiny nor huge
    single, _ = cast_at_shape(kind, geoms, NumberType("float32", 8))
    length = np.linalg.norm(geoms["direction"], axis=1) / geoms["size"].max(1)
    usual = (length > 1e-2) & (length < 1e2) & (geoms["size"].max(1) < 5)
    others = [distance]
    for seed in range(JITTERS):
        near = {name: jitter(array, seed) if name != "size" else array for name, array in geoms.items()}
        others.append(cast_at_shape(kind, near, FLOAT64)[0])
    low, high = (
        reach(np.where(np.array(others) < 0, miss, others), 0) for reach, miss in ((np.min, 1e9), (np.max, -1))
    )
    # where a ray may miss, two hits are about to become one: the root of what is rounded
    may_miss = np.min(others, 0) < 0
    slack = np.where(may_miss, np.sqrt(ULPS), 1e-4)
    is_between = (single >= low - slack * (1 + low)) & (single <= high + slack * (1 + high))
    assert usual.sum() > 50
    assert np.where(single < 0, may_miss, is_between)[usual].all()


# --- whole scenes


def torus(rings: int = 12, sides: int = 8) -> str:
    """A mesh that is not convex, as MJCF."""
    u, v = np.meshgrid(np.arange(rings) * 2 * np.pi / rings, np.arange(sides) * 2 * np.pi / sides, indexing="ij")
    radius = 0.3 + 0.12 * np.cos(v)
    vertices = np.stack([radius * np.cos(u), radius * np.sin(u), 0.12 * np.sin(v)], -1).reshape(-1, 3)
    faces = []
    for i in range(rings):
        for j in range(sides):
            a, b = i * sides + j, (i + 1) % rings * sides + j
            c, d = (i + 1) % rings * sides + (j + 1) % sides, i * sides + (j + 1) % sides
            faces += [(a, b, c), (a, c, d)]
    numbers = " ".join(f"{x:.9g}" for x in vertices.ravel())
    indices = " ".join(str(k) for face in faces for k in face)
    return f'<mesh name="torus" vertex="{numbers}" face="{indices}"/>'


def hills(rows: int, columns: int, name: str, size: str, seed: int) -> str:
    elevation = np.random.default_rng(seed).uniform(0, 1, rows * columns)
    numbers = " ".join(f"{x:.6g}" for x in elevation)
    return f'<hfield name="{name}" nrow="{rows}" ncol="{columns}" size="{size}" elevation="{numbers}"/>'


def cube(name: str, shift: float) -> str:
    corners = [f"{x + shift} {y} {z + shift}" for x in (-0.2, 0.3) for y in (-0.1, 0.1) for z in (-0.4, 0.2)]
    return f'<mesh name="{name}" vertex="{" ".join(corners)}"/>'


SCENE = f"""<mujoco>
  <asset>
    {torus()}
    {cube("block", 0.0)}
    {cube("offset", 0.7)}
    {hills(7, 9, "hills", "1.0 0.8 0.4 0.1", 0)}
    {hills(2, 2, "ramp", "0.5 0.3 0.2 0.05", 1)}
    {hills(40, 25, "fine", "0.6 0.9 0.15 0.3", 2)}
    <material name="glass" rgba="1 1 1 0"/>
    <material name="wood" rgba="1 1 1 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 2 1" pos="0 0 -2"/>
    <geom type="plane" size="0 0 1" pos="0 0 3" zaxis="0 .3 -1" group="1"/>
    <geom type="hfield" hfield="hills" pos="0 0 -1.5" euler="10 20 30" group="2"/>
    <geom type="hfield" hfield="fine" pos="1 1 -1"/>
    <geom type="box" size=".2 .3 .4" pos="-1.5 0 0" rgba="1 0 0 0"/>
    <geom type="box" size=".2 .3 .4" pos="-1.5 0 1" material="glass"/>
    <geom type="box" size=".2 .3 .4" pos="-1.5 1 1" material="wood" rgba="1 1 1 0" group="3"/>
    <body name="a" pos="1 0 0.5"><freejoint/>
      <geom type="mesh" mesh="torus"/>
      <geom type="sphere" size=".1" group="4"/>
      <geom type="mesh" mesh="offset" pos="0 .6 .3" group="5"/>
    </body>
    <body name="b" pos="-0.5 0.5 0.5"><freejoint/>
      <geom type="mesh" mesh="block"/>
      <geom type="capsule" size=".1 .3" pos="0 .5 0" group="1"/>
      <geom type="ellipsoid" size=".1 .3 .2" pos="0 -.5 0"/>
    </body>
    <body name="c" pos="0 -1 0.5"><freejoint/>
      <geom type="cylinder" size=".2 .3" group="2"/>
      <geom type="box" size=".2 .3 .1" pos="0.6 0 0"/>
      <geom type="hfield" hfield="ramp" pos="0 0.4 0.8" euler="40 0 90"/>
    </body>
    <body name="d" pos="0 1.5 0.5" mocap="true"><geom type="box" size=".3 .2 .1"/></body>
    <body name="e" pos="-1 -1.5 0"><geom type="sphere" size=".4" group="4"/></body>
  </worldbody>
</mujoco>"""


@cache
def scene() -> tuple[mujoco.MjModel, phalanx.Model]:
    mjmodel = mujoco.MjModel.from_xml_string(SCENE)
    return mjmodel, phalanx.Model.from_mujoco(mjmodel)


def random_states(n: int, seed: int) -> list[mujoco.MjData]:
    """Copies of the scene with the bodies somewhere."""
    mjmodel, _ = scene()
    rng = np.random.default_rng(seed)
    states = []
    for _ in range(n):
        mjdata = mujoco.MjData(mjmodel)
        for body in range(3):
            mjdata.qpos[7 * body : 7 * body + 3] += rng.uniform(-0.3, 0.3, 3)
            quat = rng.normal(size=4)
            mjdata.qpos[7 * body + 3 : 7 * body + 7] = quat / np.linalg.norm(quat)
        mujoco.mj_kinematics(mjmodel, mjdata)
        states.append(mjdata)
    return states


def data_of(states: list[mujoco.MjData], number: NumberType) -> Store:
    """Data with the geom frames of one state for each world."""
    _, model = scene()
    store = Store(DATA_SCHEMA, {**model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}, number)
    store.allocate_all()
    for name in ("geom_xpos", "geom_xmat"):
        field = store.arrays[name].reshape(len(getattr(states[0], name)), -1, number.worlds)
        for world, mjdata in enumerate(states):
            field[..., world] = getattr(mjdata, name)
    return store


def random_rays(mjdata: mujoco.MjData, n: int, seed: int, geom: int = -1) -> tuple[np.ndarray, np.ndarray]:
    """Origins and directions: at one geom or all, along axes, from inside."""
    mjmodel, _ = scene()
    rng = np.random.default_rng(seed)
    geom = rng.integers(mjmodel.ngeom, size=n) if geom < 0 else np.full(n, geom)
    frames = mjdata.geom_xmat[geom].reshape(n, 3, 3)
    reach = np.where(mjmodel.geom_rbound > 0, mjmodel.geom_rbound, 1.0)[geom, None]
    target = mjdata.geom_xpos[geom] + rng.normal(size=(n, 3)) * reach * 0.5
    origin = target + rng.normal(size=(n, 3)) * 10.0 ** rng.uniform(-2, 0.5, (n, 1))
    direction = target - origin
    local = rng.normal(size=(n, 3))
    local[rng.random((n, 3)) < 0.5] = 0.0
    local[~local.any(1)] = 0.0, 0.0, -1.0
    is_parallel = rng.random(n) < 0.3
    direction[is_parallel] = np.einsum("nij,nj->ni", frames, local)[is_parallel]
    is_world = rng.random(n) < 0.1
    direction[is_world] = local[is_world]
    return origin, direction * 10.0 ** rng.choice([0, 0, -2, 2], (n, 1))


@cache
def scene_entry(number: NumberType) -> compiler.NativeEntry:
    """entry(m, d, geom, groups, static, exclude, origin, direction, distance, geomid, normal, n): all, or one geom."""

    def build():
        from phalanx.memory.view import view_at
        from phalanx.native.number import array_at

        model_at = view_at("model", number.one_world, constant=True)
        data_at = view_at("data", number, constant=False)

        def at(name, inner, constant=True):
            return array_at(number, inner, name, constant)

        origin_at, direction_at = at("origin", (3,)), at("direction", (3,))
        distance_at, id_at, normal_at = at("distance", (), False), at("id", (), False), at("normal", (3,), False)

        def entry(m, d, geom, groups, static, exclude, origin, direction, distance, geomid, normal, n):
            model, data = model_at(m), data_at(d)
            origins, directions = origin_at(origin), direction_at(direction)
            distances, ids, normals = distance_at(distance), id_at(geomid), normal_at(normal)
            if geom < 0:
                for k in range(n):
                    x, g, v = nearest(model, data, load3(origins, k), load3(directions, k), groups, static, exclude)
                    distances[k] = x
                    ids[k] = g
                    store3(normals, k, v)
                return 0
            for k in range(n):
                x, v = ray_geom(model, data, geom, load3(origins, k), load3(directions, k), splat(distances[k], -1.0))
                distances[k] = x
                store3(normals, k, v)
            return 0

        return entry

    return compiler.load(compiler.Entry(f"test_ray_scene_{number.name}_{SOURCE}", build, 12))


def cast(
    store: Store, origins: np.ndarray, directions: np.ndarray, geom: int = -1,
    groups: int = ALL_GROUPS, static: int = 1, exclude: int = -1,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """(distances, geoms, normals) of rays (n, W, 3) or (n, 3), for each world."""
    number = store.number
    _, model = scene()
    n, width = len(origins), number.worlds
    inputs = []
    for rows in (origins, directions):
        array = aligned_zeros((n, 3, width), number.dtype)
        array[...] = rows.reshape(n, -1, 3).swapaxes(1, 2)
        inputs.append(array)
    outputs = [aligned_zeros((n, k, width), number.dtype) for k in (1, 1, 3)]
    scene_entry(number)(
        model.store_for(number.base).address, store.address, geom, groups, static, exclude,
        *(array.ctypes.data for array in (*inputs, *outputs)), n,
    )  # fmt: skip
    return outputs[0][:, 0], outputs[1][:, 0], outputs[2].swapaxes(1, 2)


def mujoco_rays(
    mjdata: mujoco.MjData, origins: np.ndarray, directions: np.ndarray,
    groups: int = ALL_GROUPS, static: int = 1, exclude: int = -1,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    mjmodel, _ = scene()
    n = len(origins)
    distance, geom, normal = np.zeros(n), np.zeros(n, np.int32), np.zeros((n, 3))
    flags = None if groups == ALL_GROUPS else np.array([groups >> k & 1 for k in range(6)], np.uint8)
    for k in range(n):
        found = np.zeros(1, np.int32)
        distance[k] = mujoco.mj_ray(
            mjmodel, mjdata, origins[k], directions[k], flags, bool(static), exclude, found, normal[k]
        )
        geom[k] = found[0]
    return distance, geom, normal


def geoms_of(kind: GeomType) -> list[int]:
    return [g for g, t in enumerate(scene()[0].geom_type) if t == kind]


@pytest.mark.parametrize("kind", [GeomType.MESH, GeomType.HFIELD])
def test_assets(kind: GeomType):
    """Meshes and height fields: every ray like MuJoCo's."""
    mjmodel, _ = scene()
    (mjdata,) = random_states(1, seed=int(kind))
    store = data_of([mjdata], FLOAT64)
    theirs = mujoco.mj_rayMesh if kind == GeomType.MESH else mujoco.mj_rayHfield
    for geom in geoms_of(kind):
        origins, directions = random_rays(mjdata, 3000, seed=1, geom=geom)
        distance, _, normal = cast(store, origins, directions, geom)
        their_normal = np.zeros((len(origins), 3))
        their_distance = np.array(
            [theirs(mjmodel, mjdata, geom, *ray_) for ray_ in zip(origins, directions, their_normal, strict=True)]
        )
        assert (their_distance >= 0).sum() > 500
        assert (distance[:, 0] == their_distance).all()
        assert np.abs(normal[:, 0] - their_normal).max() < 1e-14


@pytest.mark.conformance
@pytest.mark.parametrize("seed", range(4))
def test_very_many_rays(seed: int):
    for kind in SHAPES:
        geoms = rays_at_shape(kind, 20000, seed=100 + 10 * seed + int(kind))
        for ours, theirs in zip(cast_at_shape(kind, geoms, FLOAT64), mujoco_shape(kind, geoms), strict=True):
            assert (ours == theirs).all()
    (mjdata,) = random_states(1, seed=100 + seed)
    store = data_of([mjdata], FLOAT64)
    for geom in range(scene()[0].ngeom):
        origins, directions = random_rays(mjdata, 5000, seed=seed, geom=geom)
        distance, found, normal = cast(store, origins, directions)
        their_distance, their_geom, their_normal = mujoco_rays(mjdata, origins, directions)
        assert (found[:, 0] == their_geom).all()
        assert (distance[:, 0] == their_distance).all()
        assert np.abs(normal[:, 0] - their_normal).max() < 1e-14


FILTERS = {
    "all": {},
    "groups": {"groups": 0b010101},
    "other groups": {"groups": 0b101010},
    "no groups": {"groups": 0},
    "moving": {"static": 0},
    "without a body": {"exclude": 1},
    "without the world": {"exclude": 0},
    "all filters": {"groups": 0b011011, "static": 0, "exclude": 2},
}


@pytest.mark.parametrize("name", FILTERS)
def test_scene(name: str):
    """The nearest geom of a scene, with MuJoCo's filters."""
    for seed, mjdata in enumerate(random_states(2, seed=10)):
        origins, directions = random_rays(mjdata, 1500, seed=seed)
        distance, geom, normal = cast(data_of([mjdata], FLOAT64), origins, directions, **FILTERS[name])
        their_distance, their_geom, their_normal = mujoco_rays(mjdata, origins, directions, **FILTERS[name])
        assert (geom[:, 0] == their_geom).all()
        assert (distance[:, 0] == their_distance).all()
        assert np.abs(normal[:, 0] - their_normal).max() < 1e-14
        assert (name == "no groups") == (their_geom < 0).all()


def test_scene_in_lanes():
    """Each world of a lane has its own scene and its own ray, and the bits of one world."""
    for number in (NumberType("float64", 4), NumberType("float64", 8)):
        states = random_states(number.worlds, seed=20)
        each = [random_rays(mjdata, 300, seed) for seed, mjdata in enumerate(states)]
        origins, directions = (np.stack([r[k] for r in each], axis=1) for k in range(2))
        distance, geom, normal = cast(data_of(states, number), origins, directions, static=0)
        for world, mjdata in enumerate(states):
            alone = cast(data_of([mjdata], FLOAT64), *each[world], static=0)
            assert (distance[:, world] == alone[0][:, 0]).all()
            assert (geom[:, world] == alone[1][:, 0]).all()
            assert (normal[:, world] == alone[2][:, 0]).all()


@pytest.mark.parametrize("width", [1, 8])
def test_scene_in_single_precision(width: int):
    number = NumberType("float32", width)
    states = random_states(width, seed=30)
    each = [random_rays(mjdata, 400, seed) for seed, mjdata in enumerate(states)]
    origins, directions = (np.stack([r[k] for r in each], axis=1) for k in range(2))
    distance, geom, normal = cast(data_of(states, number), origins, directions)
    for world, mjdata in enumerate(states):
        origin, direction = each[world][:2]
        close = np.zeros(len(origin), bool)
        for seed in range(JITTERS):  # the ray itself first
            near = (origin, direction) if seed == 0 else (jitter(origin, seed), jitter(direction, seed))
            rest = np.flatnonzero(~close)
            their_distance, their_geom, their_normal = mujoco_rays(mjdata, near[0][rest], near[1][rest])
            close[rest] = (
                (geom[rest, world] == their_geom)
                & is_near(distance[rest, world], their_distance)
                & (np.abs(normal[rest, world] - their_normal).max(1) < 1e-2)
            )
        assert close.all()


def test_scene_interpreted():
    """As plain Python."""
    _, model = scene()
    (mjdata,) = random_states(1, seed=40)
    origins, directions = random_rays(mjdata, 60, seed=40)
    store = data_of([mjdata], FLOAT64)
    distance, geom, normal = cast(store, origins, directions)
    m, d = PlainView(model._store), PlainView(store)
    for k, (origin, direction) in enumerate(zip(origins, directions, strict=True)):
        with np.errstate(all="ignore"):
            x, g, v = nearest(m, d, tuple(origin), tuple(direction), ALL_GROUPS, 1, -1)
        assert (x, g) == (distance[k, 0], geom[k, 0])
        assert (np.array(v) == normal[k, 0]).all()


def test_a_direction_without_length_hits_nothing():
    """MuJoCo stops with an error; kernels do not raise."""
    (mjdata,) = random_states(1, seed=0)
    distance, geom, normal = cast(data_of([mjdata], FLOAT64), np.zeros((1, 3)), np.zeros((1, 3)))
    assert distance[0, 0] == geom[0, 0] == -1
    assert not normal.any()
