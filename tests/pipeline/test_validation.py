"""A Model from outside is proven safe before a kernel sees it; what breaks the domain of a row is named."""

from __future__ import annotations

import copy
import io
import pickle
import time
from pathlib import Path

import numpy as np
import pytest

import phalanx
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.pipeline.validation.domain_rules import CHECKS, SHORT
from phalanx.pipeline.validation.whole_model import _is_within, check_model
from phalanx.tables.domain import Among, Anything, Between, Index, Stretch
from phalanx.tables.enums import ObjType
from phalanx.tables.field import Kind
from tests.compiler.snippets import SNIPPETS
from tools import attack_models
from tools.attacks.model import corrupted_states, integer_rows, rows_with_domain

MODELS = Path(__file__).resolve().parents[1] / "models"
#: Models that together have every kind of object.
MIXED = ("everything", "sensors", "many_joints", "tendon_plastic", "adhesion_actuator", "actuators_with_state")
PATHS = [MODELS / f"{name}.xml" for name in MIXED if (MODELS / f"{name}.xml").exists()]
#: Models of the attacks that have what those have not: flexes, skins, plugins, grids of distances.
MORE = ("cloth", "shell", "rod", "cells of shells", "one strain", "discrete", "raw", "sleep", "pid", "shapes", "grid")


@pytest.fixture(scope="module")
def states():
    """What models are pickled as, by path or name."""
    found = {path: phalanx.load(path).__getstate__() for path in PATHS}
    return found | {name: attack_models.model(name).__getstate__() for name in MORE}


def test_every_row_of_integers_is_damaged(states):
    """The models that the tests damage have elements of each row together."""
    missing = [name for name in integer_rows() if not any(state["arrays"][name].size for state in states.values())]
    assert missing == []


def with_row(state: dict, name: str, array: np.ndarray) -> phalanx.Model:
    """The Model that a changed pickle would give."""
    model = object.__new__(phalanx.Model)
    model.__setstate__({**state, "arrays": {**state["arrays"], name: array}})
    return model


def test_every_row_of_integers_has_a_domain():
    integers = (Kind.INT, Kind.SIZE, Kind.BYTE)
    assert [name for name, row in MODEL_SCHEMA.fields.items() if row.kind in integers and row.domain is None] == []


@pytest.mark.parametrize("length", [1, 3, SHORT, SHORT + 1])
def test_what_is_accepted_at_a_glance_breaks_no_rule(length):
    """Short rows are looked at number by number: what passes there has no element that the mask of its domain names."""
    rng, accepted = np.random.default_rng(length), 0
    sizes = {"size": 9}
    domains = [Among((0, 2, 5)), Between(1, 4), Between(0, "size"), Index("size"), Index("size", none=(-1, -2))]
    domains += [
        Stretch("size", "num", none=none, optional=is_optional, alone=is_alone)
        for none in ((), (-1,))
        for is_optional in (False, True)
        for is_alone in (False, True)
    ]
    for domain in domains * 200:
        array = np.sort(rng.integers(-1, 9, length)) if rng.integers(2) else rng.integers(-1, 9, length)
        if rng.integers(2):
            array[:] = array[0]
        arrays = {"num": rng.integers(-1, 4, length) if rng.integers(2) else np.zeros(length, int)}
        mask = CHECKS[type(domain)](domain, array, sizes, arrays)[0]
        if _is_within(domain, array, sizes, arrays):
            accepted += 1
            assert not mask.any(), (domain, array, arrays)
    assert accepted > 200


def test_a_domain_that_allows_anything_says_why():
    domains = [row.domain for row in MODEL_SCHEMA.fields.values() if isinstance(row.domain, Anything)]
    assert domains
    assert all(domain.why for domain in domains)


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.xml")), ids=lambda path: path.stem)
def test_what_our_compiler_makes_is_safe(path):
    model = phalanx.load(path)
    check_model(model._store.sizes, model._store.arrays)


def test_snippets_are_safe():
    for xml in [*SNIPPETS.values()][::5] if isinstance(SNIPPETS, dict) else [*SNIPPETS][::5]:
        text = xml if isinstance(xml, str) else getattr(xml, "xml", "")
        if text.lstrip().startswith("<mujoco"):
            try:
                model = phalanx.Model.from_xml_string(text)
            except phalanx.PhalanxError:
                continue
            check_model(model._store.sizes, model._store.arrays)


@pytest.mark.parametrize("value", [10**9, -(10**9)])
def test_a_huge_integer_is_refused_wherever_it_stands(states, value):
    """Field, element, value and rule are named, of each row of each model, at its first and last element."""
    tried = 0
    for state in states.values():
        for name in rows_with_domain():
            array = state["arrays"][name]
            if not array.size or array.dtype.itemsize < 4:
                continue
            for k in {0, array.size - 1}:
                changed = array.copy()
                changed.reshape(-1)[k] = value
                if not is_read(name, state, k):
                    continue
                # without the copy of all other rows that a Model would make; how it comes in is another test
                with pytest.raises(phalanx.ModelError) as caught:
                    check_model(state["sizes"], {**state["arrays"], name: changed})
                assert str(value) in str(caught.value) or name in str(caught.value), (name, str(caught.value))
                tried += 1
    assert tried > 300


def is_read(name: str, state: dict, k: int) -> bool:
    """Does anything read this element? What another row makes meaningless may be anything."""
    arrays = state["arrays"]
    if name in ("wrap_objid", "wrap_prm"):
        return bool(arrays["wrap_type"][k] > 3) or (name == "wrap_objid" and arrays["wrap_type"][k] in (1, 3))
    if name == "actuator_trnid":
        return k % 2 == 0
    if name == "flex_cellnum":
        return bool(arrays["flex_interp"][k // 3])
    if name == "flex_elemtexcoord":
        return bool((arrays["flex_texcoordadr"] >= 0).all())
    # numbers, few of which name something: they have a test of their own
    if name in ("flex_stiffness", "flex_bending", "eq_data"):
        return False
    if name in ("sensor_objid", "sensor_refid"):
        return bool(arrays["sensor_objtype" if name == "sensor_objid" else "sensor_reftype"][k])
    return name not in ("sensor_intprm", "mesh_graph", "bvh_nodeid") and not name.startswith("opt.")


#: Model, row, element and value that a kernel would leave its memory with, and how the error begins.
BEYOND = (
    ("rod", "flex_bending", 0, 1e9, "flex_bending[0] is 1000000000.0"),
    ("rod", "flex_bending", 0, 0.5, "flex_bending[0]"),
    ("rod", "flex_bending", 0, np.nan, "flex_bending[0]"),
    ("rod", "flex_bending", 1, 99.0, "flex_bending[1] is 99.0"),
    ("rod", "flex_bending", 8, 1e6, "flex_bending[8]"),
    ("rod", "flex_plasticadr", 0, 1, "flex_plasticadr[0] is 1"),
    ("cells of shells", "flex_bending", 1, 10.0, "flex_bending[1] is 10.0"),
    ("one strain", "flex_stiffness", 0, 24.0, "flex_stiffness[0] is 24.0"),
    ("one strain", "eq_data", 0, 2.0, "eq_data[0, 0] is 2.0"),
    ("one strain", "eq_data", 1, np.inf, "eq_data[0, 1]"),
    ("one strain", "flex_interp", 0, -1, "flex_stiffnessadr[0]"),
    ("shell", "flex_bendingadr", 0, 1, "flex_bendingadr[0] is 1"),
    ("shell", "flex_stiffnessadr", 0, 1, "flex_stiffnessadr[0] is 1"),
    ("shell", "flex_plasticmode", 0, 0, ""),
    ("shell", "flex_edgeflap", 0, -1, "flex_edgeflap[0, 0] is -1"),
    ("shell", "flexedge_J_rownnz", 0, 3, "flexedge_J_rownnz[0] is 3"),
    ("shell", "flex_vertbodyid", 0, -1, "flex_vertbodyid[0] is -1"),
    ("shell", "bvh_nodeid", -1, 18, "is 18; it must be an element of its flex"),
    ("cloth", "flex_elemtexcoord", 3, 16, "flex_elemtexcoord[3] is 16"),
    ("raw", "skin_bonevertid", 0, 4, "skin_bonevertid[0] is 4"),
    ("raw", "skin_bonevertadr", 1, 1, "skin_bonevertadr[1] is 1"),
    ("cloth", "tex_nchannel", 0, 0, "tex_nchannel[0] is 0"),
    ("shapes", "sensor_objtype", 0, 0, "sensor_objid[0]"),
    ("shapes", "sensor_reftype", 0, int(ObjType.CAMERA), "sensor_refid[0] is -1"),
    ("touch grid", "sensor_objid", 0, 10**9, "sensor"),
)


@pytest.mark.parametrize(("model", "name", "place", "value", "words"), BEYOND, ids=lambda x: str(x)[:20])
def test_numbers_that_name_something_are_checked(model, name, place, value, words):
    """Also where integers and numbers stand in one row."""
    state = attack_models.model(model).__getstate__()
    changed = state["arrays"][name].copy()
    changed.reshape(-1)[place] = value
    if not words:
        with_row(state, name, changed)
        return
    with pytest.raises(phalanx.ModelError) as caught:
        with_row(state, name, changed)
    assert words in str(caught.value)


@pytest.mark.conformance
def test_models_of_the_attacks_are_safe():
    for name in (*attack_models.TEXTS, "grid"):
        model = attack_models.model(name)
        check_model(model._store.sizes, model._store.arrays)


@pytest.mark.parametrize("seed", range(3))
def test_random_damage_is_refused_or_harmless(states, seed):
    """Of models that are accepted after all, steps end and stay in memory (kernels with checks: the attack tool)."""
    refused = accepted = 0
    for _, state in corrupted_states([*states.values()], seed, 120):
        model = object.__new__(phalanx.Model)
        try:
            model.__setstate__(state)
            accepted += 1
        except phalanx.ModelError:
            refused += 1
    assert refused > 30
    assert accepted > 10


def test_every_way_into_a_model_is_checked(states):
    state = states[PATHS[0]]
    model = phalanx.load(PATHS[0])
    with pytest.raises(phalanx.ModelError, match=r"geom_condim\[0\] is 7; it must be one of 1, 3, 4, 6"):
        model.replace(geom_condim=np.r_[7, model.geom_condim[1:]])
    file = io.BytesIO()
    arrays = dict(state["arrays"])
    arrays["geom_bodyid"] = arrays["geom_bodyid"].copy()
    arrays["geom_bodyid"][-1] = 10**9
    head = {"phalanx_model": np.int64(2), "vis": np.str_(model.vis.to_json())}
    np.savez_compressed(file, **head, **{"size." + k: np.int64(v) for k, v in state["sizes"].items()}, **arrays)
    file.seek(0)
    with pytest.raises(phalanx.ModelError, match="geom_bodyid"):
        phalanx.Model.load(file)
    with pytest.raises(phalanx.ModelError, match="geom_bodyid"):
        pickle.loads(pickle.dumps(_Pickled({**state, "arrays": arrays}))).model()
    with pytest.raises(phalanx.ModelError, match="geom_bodyid"):
        phalanx.Model(state["sizes"], arrays)
    assert phalanx.Model(state["sizes"], state["arrays"], vis=model.vis).fingerprint() == model.fingerprint()
    assert copy.deepcopy(model) is model


def test_a_model_is_made_once(states):
    """Worlds would find objects by names and sizes that their memory does not have."""
    model = phalanx.load(PATHS[0])
    for call in (model.__setstate__, lambda state: model.__init__(state["sizes"], state["arrays"])):
        with pytest.raises(phalanx.FieldError, match="immutable"):
            call(states["cloth"])


@pytest.mark.parametrize("place", ["sizes", "arrays", "hooks", "vis", "report", "nbody", "njmax", "body_mass", ""])
@pytest.mark.parametrize("value", ["x", 2.5, 2**70, True, [1], {"control": 1}], ids=str)
def test_a_pickle_with_parts_of_other_types_is_refused(states, place, value):
    state = dict(states[PATHS[0]])
    if place in state:
        state[place] = value
    elif place in state["sizes"]:
        state["sizes"] = {**state["sizes"], place: value}
    elif place:
        state["arrays"] = {**state["arrays"], place: value}
    model = object.__new__(phalanx.Model)
    with pytest.raises(phalanx.ModelError):
        model.__setstate__(state if place else value)


def test_arrays_of_other_classes_are_taken_for_what_they_are(states):
    """Files in memory are such arrays, and joblib makes them of what it sends to processes."""

    class Liar(np.ndarray):
        shape = property(lambda self: (10**9,))

    state = states[PATHS[0]]
    model = with_row(state, "body_mass", state["arrays"]["body_mass"].view(Liar))
    assert type(model.body_mass) is np.ndarray
    with pytest.raises(phalanx.ModelError, match="body_mass has shape"):
        with_row(state, "body_mass", np.zeros(3).view(Liar))


class _Pickled:
    """A pickle that was changed on its way."""

    def __init__(self, state):
        self.state = state

    def model(self):
        model = object.__new__(phalanx.Model)
        model.__setstate__(self.state)
        return model


def test_sizes_and_shapes_from_outside_are_checked(states):
    state = states[PATHS[0]]
    for sizes in ({"nbody": -1}, {"nbody": 2**62}, {"ngeom": state["sizes"]["ngeom"] + 1}):
        model = object.__new__(phalanx.Model)
        with pytest.raises(phalanx.ModelError):
            model.__setstate__({**state, "sizes": {**state["sizes"], **sizes}})
    with pytest.raises(phalanx.ModelError, match="body_mass has shape"):
        with_row(state, "body_mass", state["arrays"]["body_mass"][:1])
    with pytest.raises(phalanx.ModelError, match="body_parentid holds float64"):
        with_row(state, "body_parentid", state["arrays"]["body_parentid"].astype(float))


def test_a_model_of_mujoco_is_checked():
    mujoco = pytest.importorskip("mujoco")
    mjmodel = mujoco.MjModel.from_xml_path(str(MODELS / "many_joints.xml"))
    phalanx.Model.from_mujoco(mjmodel)
    mjmodel.geom_condim[0] = 5
    with pytest.raises(phalanx.ModelError, match="geom_condim"):
        phalanx.Model.from_mujoco(mjmodel)


@pytest.mark.conformance
def test_every_integer_of_every_model_refused_or_harmless():
    """Each row of each model of ours, several elements and values: only our error, or a Model that passes."""
    found = 0
    for path in sorted(MODELS.glob("*.xml")):
        state = phalanx.load(path).__getstate__()
        for _, damaged in corrupted_states([state], 1, 400):
            model = object.__new__(phalanx.Model)
            try:
                model.__setstate__(damaged)
            except phalanx.ModelError:
                found += 1
    assert found > 1000


@pytest.mark.conformance
@pytest.mark.parametrize("name", ["humanoid", "arm", "gripper", "cloth", "soft_gripper"])
def test_the_proof_is_a_small_part_of_loading(name):
    """Processor time, least of many in turns: at most 5 %."""
    model = phalanx.load(name)
    file = io.BytesIO(saved(model))
    proof, whole = [], []
    for _ in range(20):
        began = time.process_time()
        check_model(model._store.sizes, model._store.arrays)
        proof.append(time.process_time() - began)
        file.seek(0)
        phalanx.Model.load(file)
        whole.append(time.process_time() - began - proof[-1])
    assert min(proof) <= 0.05 * min(whole)


# --- files


def saved(model: phalanx.Model) -> bytes:
    file = io.BytesIO()
    model.save(file)
    return file.getvalue()


@pytest.mark.parametrize("seed", range(4))
def test_damaged_model_files_give_our_error(seed):
    """Cut off, overwritten, shuffled: the same model, or our error; nothing else."""
    model = phalanx.load(MODELS / "many_joints.xml")
    whole, rng = saved(model), np.random.default_rng(seed)
    for _ in range(40):
        data = bytearray(whole)
        kind = rng.integers(3)
        if kind == 0:
            del data[rng.integers(len(data)) :]
        else:
            for place in rng.integers(len(data), size=rng.integers(1, 20)):
                data[place] = rng.integers(256)
        try:
            found = phalanx.Model.load(io.BytesIO(bytes(data)))
        except phalanx.ModelError:
            continue
        assert found.nq == model.nq


def test_a_model_file_that_asks_for_too_much_memory_is_refused_before_it_is_taken():
    model = phalanx.load(MODELS / "many_joints.xml")
    state = model.__getstate__()
    file = io.BytesIO()
    sizes = {"size." + k: np.int64(v) for k, v in state["sizes"].items()} | {"size.nmeshvert": np.int64(2**39)}
    np.savez_compressed(file, phalanx_model=np.int64(2), vis=np.str_("{}"), **sizes, **state["arrays"])
    file.seek(0)
    with pytest.raises(phalanx.ModelError, match="mesh_"):
        phalanx.Model.load(file)


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"PK\x05\x06" + 18 * b"\0"])
def test_what_is_no_model_file_is_said(content):
    with pytest.raises(phalanx.ModelError, match=r"not a model file|damaged"):
        phalanx.Model.load(io.BytesIO(content))


def test_a_missing_model_file_is_said(tmp_path):
    with pytest.raises(phalanx.ModelError, match="is not a file"):
        phalanx.Model.load(tmp_path / "absent.npz")


# --- trees of boxes, and stretches that have an owner

#: Two meshes whose trees are long enough to be proven as a whole, and one more body.
BALLS = """<mujoco><asset><mesh name="a" builtin="sphere" params="3"/><mesh name="b" builtin="sphere" params="2"/>
</asset><worldbody><geom type="mesh" mesh="a"/><body><freejoint/><geom type="mesh" mesh="b"/><geom size=".1"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def balls():
    state = phalanx.Model.from_xml_string(BALLS).__getstate__()
    assert state["arrays"]["mesh_bvhnum"].min() > 256
    return state


def are_trees_sound(arrays: dict[str, np.ndarray]) -> bool:
    """The rule of bvh_child, node by node."""
    child, depth, seen = arrays["bvh_child"].tolist(), arrays["bvh_depth"].tolist(), set()
    for kind in ("body", "mesh", "flex"):
        for first, num in zip(arrays[f"{kind}_bvhadr"].tolist(), arrays[f"{kind}_bvhnum"].tolist(), strict=True):
            for node in range(num):
                if first + node in seen or first + node not in range(len(child)):
                    return False
                seen.add(first + node)
                for below in child[first + node]:
                    is_inside = node < below < num
                    if below != -1 and not (is_inside and depth[first + below] == depth[first + node] + 1):
                        return False
    return all(child[node] == [-1, -1] for node in set(range(len(child))) - seen)


@pytest.mark.parametrize("seed", range(40))
def test_trees_are_proven_as_they_would_be_node_by_node(balls, seed):
    rng = np.random.default_rng(seed)
    name = ("bvh_child", "bvh_child", "bvh_depth", "mesh_bvhnum", "mesh_bvhadr")[seed % 5]
    array = balls["arrays"][name].copy()
    flat = array.reshape(-1)
    place = rng.integers(flat.size)
    flat[place] += rng.choice([-300, -2, -1, 1, 2, 300])
    arrays = {**balls["arrays"], name: array}
    sound = name != "bvh_depth" or array.min() >= 0
    try:
        with_row(balls, name, array)
    except phalanx.ModelError as error:
        reasons = ("bvh", "leaf", "face of its mesh", "two trees")
        assert any(word in str(error) for word in reasons)
        assert not sound or not are_trees_sound(arrays) or "bvh_nodeid" in str(error) or "bvhadr" in str(error)
        return
    assert are_trees_sound(arrays)


@pytest.mark.parametrize("name", ["mesh_faceadr", "mesh_bvhadr", "mesh_vertadr", "mesh_polyadr"])
def test_elements_that_two_owners_would_have_are_refused(balls, name):
    array = balls["arrays"][name].copy()
    # the smaller one with elements of the larger one, whose limits are not its own
    array[1] = array[0]
    with pytest.raises(phalanx.ModelError, match="belong to no other"):
        with_row(balls, name, array)


#: A cloth whose vertices have bodies, and one whose vertices are in cells, which have none.
TWO_CLOTHS = """<mujoco><worldbody>
<flexcomp name="a" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" mass="1"/>
<flexcomp name="b" type="grid" dim="3" dof="trilinear" count="2 2 4" spacing=".1 .1 .1" pos="0 0 1" mass="1"/>
</worldbody></mujoco>"""


def test_vertices_of_cells_do_not_belong_to_a_flex_without_them():
    state = phalanx.Model.from_xml_string(TWO_CLOTHS).__getstate__()
    with pytest.raises(phalanx.ModelError, match="belong to no other"):
        with_row(state, "flex_vertnum", np.array([32, 16], np.int32))


@pytest.mark.parametrize("name", ["mesh_face", "mesh_facenormal"])
def test_faces_name_vertices_of_their_own_mesh(balls, name):
    array = balls["arrays"][name].copy()
    start = int(balls["arrays"]["mesh_faceadr"][1])
    array[start + 3, 2] = balls["arrays"]["mesh_vertnum"][0] - 1
    with pytest.raises(phalanx.ModelError, match=rf"{name}\[{start + 3}, 2\]"):
        with_row(balls, name, array)
