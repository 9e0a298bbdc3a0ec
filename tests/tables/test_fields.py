"""Generic checks of the tables: rows, sizes and enums against the official bindings, and rows among themselves."""

from __future__ import annotations

import operator

import mujoco
import numpy as np
import pytest
from dm_control.locomotion.walkers import ant
from dm_control.suite import common, humanoid, quadruped

from phalanx.algebra import vector
from phalanx.tables import contact_fields, data_fields, enums, field, model_fields, option_fields, sizes
from phalanx.tables.contact_fields import CONTACT
from phalanx.tables.data_fields import DATA, VARIABLE_SIZES
from phalanx.tables.field import Field, Kind, Table, rows, rows_by_name
from phalanx.tables.glossary import FIELD_PARTS
from phalanx.tables.model_fields import MODEL, SETCONST_INPUTS, SETCONST_SIZES
from phalanx.tables.option_fields import OPTION, STATISTIC
from phalanx.tables.sizes import SIZES, extent

MIXED_XML = """
<mujoco>
  <size nuser_body="2" nuser_geom="1" nuser_sensor="3" nuserdata="5"/>
  <option cone="elliptic" density="1"/>
  <custom>
    <numeric name="gains" data="1 2 3"/>
    <text name="note" data="hello"/>
    <tuple name="pair"><element objtype="body" objname="ball" prm="0.5"/></tuple>
  </custom>
  <asset>
    <mesh name="tetra" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
    <hfield name="hill" nrow="3" ncol="4" size="1 1 .2 .1" elevation="0 0 0 0 0 1 2 0 0 0 0 0"/>
    <texture name="checker" type="2d" builtin="checker" width="4" height="4"/>
    <material name="tiles" texture="checker"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="view" pos="0 -3 1"/>
    <geom name="floor" type="plane" size="5 5 .1" material="tiles"/>
    <geom name="hill" type="hfield" hfield="hill" pos="6 0 0"/>
    <body name="target" mocap="true" pos="0 0 1"><geom size=".05" contype="0" conaffinity="0"/></body>
    <body name="ball" pos="0 0 .09">
      <freejoint/>
      <geom name="ball" size=".1"/>
      <site name="ball"/>
    </body>
    <body pos="1 0 .05">
      <joint name="slide" type="slide" axis="1 0 0" damping="1" frictionloss=".1"/>
      <geom type="mesh" mesh="tetra"/>
      <site name="a"/>
      <body pos=".3 0 0">
        <joint name="hinge" axis="0 1 0" range="-10 -5" stiffness="2"/>
        <geom type="capsule" size=".02 .1"/>
        <site name="b" pos="0 0 .2"/>
      </body>
    </body>
  </worldbody>
  <contact><exclude body1="target" body2="ball"/><pair geom1="hill" geom2="ball"/></contact>
  <tendon>
    <spatial name="rope" range="0 .1" limited="true"><site site="a"/><site site="b"/></spatial>
    <fixed name="sum"><joint joint="slide" coef="1"/><joint joint="hinge" coef="2"/></fixed>
  </tendon>
  <equality>
    <connect body1="target" body2="ball" anchor="0 0 0"/>
    <joint joint1="slide" joint2="hinge" active="false"/>
  </equality>
  <actuator>
    <position name="servo" joint="hinge" kp="3" timeconst=".1"/>
    <motor name="winch" tendon="rope" delay=".01" nsample="6"/>
    <general name="jet" site="ball" gear="0 0 1 0 0 0"/>
  </actuator>
  <sensor>
    <accelerometer site="ball"/>
    <framepos objtype="body" objname="ball" reftype="body" refname="target"/>
    <jointpos joint="hinge"/>
    <tendonvel tendon="rope"/>
  </sensor>
  <keyframe><key name="start" time="1"/><key name="other"/></keyframe>
</mujoco>
"""

FLEX_XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <flexcomp name="cloth" type="grid" count="4 4 1" spacing=".1 .1 .1" pos="0 0 .02" radius=".03" mass="1" dim="2">
      <edge equality="true"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def compiled(xml: str | bytes, assets: dict[str, bytes] | None = None) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(xml.decode() if isinstance(xml, bytes) else xml, assets or {})


def walker() -> mujoco.MjModel:
    mjcf = ant.Ant().mjcf_model
    return compiled(mjcf.to_xml_string(), mjcf.get_assets())


# dm_control's own Physics expects the fields of an older MuJoCo: only its model files are used.
MODELS = {
    "humanoid": lambda: compiled(*humanoid.get_model_and_assets()),
    "quadruped": lambda: compiled(quadruped.make_model(floor_size=10), common.ASSETS),
    "ant": walker,
    "mixed": lambda: compiled(MIXED_XML),
    "dual": lambda: compiled(MIXED_XML.replace("<option", '<option solver="PGS" jacobian="sparse"')),
    "discrete": lambda: compiled(MIXED_XML.replace("<option", '<option integrator="discrete"')),
    "flex": lambda: compiled(FLEX_XML),
}

TABLES = {"model": MODEL, "data": DATA, "option": OPTION, "statistic": STATISTIC, "contact": CONTACT}

DTYPES = {
    Kind.REAL: {"float64"},
    Kind.FLOAT64: {"float64"},
    Kind.FLOAT32: {"float32"},
    Kind.INT: {"int32"},
    Kind.WHOLE: {"int32", "bool"},
    Kind.BOOL: {"bool"},
    Kind.BYTE: {"uint8", "int8"},
    Kind.SIZE: {"int64"},
}

SCALAR_TYPES = {Kind.REAL: float, Kind.FLOAT64: float, Kind.INT: int, Kind.WHOLE: int, Kind.BOOL: bool}

ENUMS = {
    "JointType": ("mjtJoint", "mjJNT_"),
    "GeomType": ("mjtGeom", "mjGEOM_"),
    "Integrator": ("mjtIntegrator", "mjINT_"),
    "Cone": ("mjtCone", "mjCONE_"),
    "Jacobian": ("mjtJacobian", "mjJAC_"),
    "Solver": ("mjtSolver", "mjSOL_"),
    "EqType": ("mjtEq", "mjEQ_"),
    "TendonType": ("mjtTendon", "mjTENDON_"),
    "WrapType": ("mjtWrap", "mjWRAP_"),
    "TrnType": ("mjtTrn", "mjTRN_"),
    "DynType": ("mjtDyn", "mjDYN_"),
    "GainType": ("mjtGain", "mjGAIN_"),
    "BiasType": ("mjtBias", "mjBIAS_"),
    "CtrlChart": ("mjtCtrlChart", "mjCHART_"),
    "CtrlInput": ("mjtCtrlInput", "mjINPUT_"),
    "ObjType": ("mjtObj", "mjOBJ_"),
    "SensorType": ("mjtSensor", "mjSENS_"),
    "Stage": ("mjtStage", "mjSTAGE_"),
    "DataType": ("mjtDataType", "mjDATATYPE_"),
    "ContactData": ("mjtConDataField", "mjCONDATA_"),
    "RayData": ("mjtRayDataField", "mjRAYDATA_"),
    "SameFrame": ("mjtSameFrame", "mjSAMEFRAME_"),
    "CamLightMode": ("mjtCamLight", "mjCAMLIGHT_"),
    "Projection": ("mjtProjection", "mjPROJ_"),
    "CamOutput": ("mjtCamOutBit", "mjCAMOUT_"),
    "LightType": ("mjtLightType", "mjLIGHT_"),
    "LRMode": ("mjtLRMode", "mjLRMODE_"),
    "FlexSelf": ("mjtFlexSelf", "mjFLEXSELF_"),
    "SleepPolicy": ("mjtSleepPolicy", "mjSLEEP_"),
    "SleepState": ("mjtSleepState", "mjS_"),
    "ConstraintType": ("mjtConstraint", "mjCNSTR_"),
    "ConstraintState": ("mjtConstraintState", "mjCNSTRSTATE_"),
    "DisableBit": ("mjtDisableBit", "mjDSBL_"),
    "EnableBit": ("mjtEnableBit", "mjENBL_"),
    "StateBit": ("mjtState", "mjSTATE_"),
    "WarningType": ("mjtWarning", "mjWARN_"),
}

EXTENSIONS = {"Integrator": {"IMPLICITSPRINGDAMPER"}, "DynType": {"HILL"}, "GainType": {"HILL"}}

# MuJoCo's Python module defines these as module constants.
CONSTANTS = (
    "MAXVAL MINMU MINIMP MAXIMP MAXCONPAIR MAXTREEDEPTH MAXFLEXNODES MINAWAKE NEQDATA NDYN NGAIN NBIAS "
    "NFLUID NREF NIMP NPOLY NSENS NSOLVER NISLAND"
)


@pytest.fixture(params=MODELS, scope="module")
def simulated(request: pytest.FixtureRequest) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A compiled model and its Data after a few steps."""
    model = MODELS[request.param]()
    data = mujoco.MjData(model)
    for _ in range(3):
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    return model, data


def members(struct: object) -> set[str]:
    """Names of the plain members of a bindings object: numbers, arrays, strings and nested structs."""
    return {name for name in dir(struct) if not name.startswith("_") and not callable(getattr(struct, name))}


def model_sizes(model: mujoco.MjModel) -> dict[str, int]:
    return {size.name: getattr(model, size.name) for size in SIZES if not size.departs}


def data_sizes(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, int]:
    return model_sizes(model) | {name: getattr(data, name) for name in VARIABLE_SIZES if hasattr(data, name)}


def mismatch(row: Field, struct: object, extents: dict[str, int]) -> str:
    """Empty if the member of `struct` has the shape and type of the row, else what is wrong."""
    try:
        value = operator.attrgetter(row.mujoco or row.name)(struct)
    except AttributeError:
        return f"{row.name}: MuJoCo has no such member"
    if isinstance(value, bytes):
        value = np.frombuffer(value, np.uint8)
    if row.is_scalar:
        return "" if type(value) is SCALAR_TYPES[row.kind] else f"{row.name}: {type(value)} is not {row.kind}"
    shape = tuple(extent(axis, extents) for axis in row.shape)
    if value.shape != shape:
        return f"{row.name}: shape {value.shape} in MuJoCo, {shape} in the table"
    if value.dtype.name not in DTYPES[row.kind] and not row.departs:
        return f"{row.name}: dtype {value.dtype} in MuJoCo, {row.kind} in the table"
    return ""


def mismatches(table: Table, struct: object, extents: dict[str, int]) -> list[str]:
    found = (mismatch(row, struct, extents) for row in rows(table) if row.mujoco != "-" and not row.scratch)
    return [text for text in found if text]


def test_model_rows(simulated):
    model, _ = simulated
    assert mismatches(MODEL, model, model_sizes(model)) == []


def test_model_is_complete(simulated):
    model, _ = simulated
    declared = set(rows_by_name(MODEL)) | {size.name for size in SIZES} | set(model_fields.OMITTED) | {"opt", "stat"}
    assert members(model) - declared == set()


def test_option_rows(simulated):
    model, _ = simulated
    assert mismatches(OPTION, model.opt, {}) == []
    assert members(model.opt) == set(rows_by_name(OPTION))


def test_option_defaults():
    option = mujoco.MjModel.from_xml_string("<mujoco/>").opt
    for row in rows(OPTION):
        np.testing.assert_array_equal(getattr(option, row.name), row.default, err_msg=row.name)


def test_statistic_rows(simulated):
    model, _ = simulated
    assert mismatches(STATISTIC, model.stat, {}) == []
    assert members(model.stat) == set(rows_by_name(STATISTIC))


def test_data_rows(simulated):
    model, data = simulated
    assert mismatches(DATA, data, data_sizes(model, data)) == []


def test_data_is_complete(simulated):
    _, data = simulated
    assert members(data) - set(rows_by_name(DATA)) - set(data_fields.OMITTED) == set()
    covered = {row.mujoco for row in rows(DATA)}
    for struct in ("contact", "solver", "warning"):
        assert {f"{struct}.{name}" for name in members(getattr(data, struct))} - covered == set()


def test_contact_rows():
    model = MODELS["mixed"]()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon > 0
    assert mismatches(CONTACT, data.contact[0], {}) == []
    assert members(data.contact[0]) == set(rows_by_name(CONTACT))


def test_models_exercise_the_tables():
    """The models above give every class of variable row at least one entry; the flex metric is left out."""
    ours = {row.name for row in rows(DATA) if row.scratch}
    seen = dict.fromkeys(set(VARIABLE_SIZES) - ours - {"nefmK", "nefmcon", "nefmdof", "nefmL"}, 0)
    for build in MODELS.values():
        model = build()
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        for name in seen:
            seen[name] = max(seen[name], getattr(data, name))
    assert all(seen.values()), seen


def test_data_defaults_are_those_of_a_reset():
    """Rows with a default other than 0 hold it after mj_resetData."""
    model = MODELS["mixed"]()
    data = mujoco.MjData(model)
    for row in rows(DATA):
        if row.default != 0 and row.mujoco != "-":
            np.testing.assert_array_equal(getattr(data, row.name), row.default, err_msg=row.name)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_rows_are_well_formed(table: Table):
    known = {size.name for size in SIZES} | set(sizes.DERIVED_SIZES)
    if table is DATA:
        known |= set(VARIABLE_SIZES)
    for row in rows_by_name(table).values():
        assert len(row.doc) >= 5, row.name
        assert row.doc.strip() == row.doc and not row.doc.endswith("."), row.name
        assert row.unit.isprintable(), row.name
        assert all(isinstance(axis, int) or axis in known for axis in row.shape), row.name
        assert bool(row.departs) == bool(row.mujoco or row.scratch), row.name
        if isinstance(row.default, tuple):
            assert row.shape[-1:] == (len(row.default),), row.name


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_docs_are_unique_within_a_group(table: Table):
    for group, group_rows in table.items():
        docs = [row.doc for row in group_rows]
        assert sorted(set(docs)) == sorted(docs), group


def test_model_columns():
    for row in rows(MODEL):
        assert row.per_world == (row.kind is Kind.REAL), row.name
        assert not row.state and not row.live, row.name


def test_option_reals_vary_by_world():
    assert all(row.per_world == (row.kind is Kind.REAL) for row in rows(OPTION))


def test_live_counts_are_scalar_rows():
    named = rows_by_name(DATA)
    for name in VARIABLE_SIZES:
        assert named[name].kind is Kind.INT and named[name].is_scalar, name
    for row in named.values():
        if row.live:
            assert named[row.live].kind is Kind.INT and named[row.live].is_scalar, row.name
        if row.shape and row.shape[0] in VARIABLE_SIZES and not row.scratch:
            assert row.live == row.shape[0], row.name


def test_state_rows_cover_the_integration_state():
    """Every bit of MuJoCo's integration state names a row that is marked as state."""
    named = rows_by_name(DATA)
    aliases = {"WARMSTART": "qacc_warmstart", "PLUGIN": "plugin_state"}
    for bit in enums.StateBit:  # iterates over the single bits
        assert named[aliases.get(bit.name, bit.name.lower())].state, bit.name


def test_setconst_rows_change_when_cleared():
    """mj_setConst restores the configuration-independent constants that the table marks as computed."""
    model = MODELS["mixed"]()
    named = rows_by_name(MODEL)
    assert set(SETCONST_INPUTS) <= set(named)
    assert set(SETCONST_SIZES) <= {size.name for size in SIZES}
    outputs = [row.name for row in rows(MODEL) if row.setconst and row.kind is Kind.REAL and row.name.endswith("0")]
    expected = {name: getattr(model, name).copy() for name in outputs}
    for name in set(outputs) - set(SETCONST_INPUTS):
        getattr(model, name)[:] = -1
    mujoco.mj_setConst(model, mujoco.MjData(model))
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(model, name), value, rtol=1e-9, atol=1e-12, err_msg=name)


def test_unmarked_rows_survive_setconst():
    """mj_setConst writes no row that the table does not mark, even after a mass and a size changed."""
    model = MODELS["mixed"]()
    unmarked = [row.name for row in rows(MODEL) if not row.setconst and row.mujoco != "-"]
    before = {name: np.array(getattr(model, name)) for name in unmarked}
    model.body_mass[2] *= 2
    model.geom_size[3] *= 1.5
    before["body_mass"] = model.body_mass.copy()
    mujoco.mj_setConst(model, mujoco.MjData(model))
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(model, name), value, err_msg=name)


def test_constants():
    for name in CONSTANTS.split():
        if hasattr(mujoco, f"mj{name}"):
            assert getattr(sizes, name) == getattr(mujoco, f"mj{name}"), name
    assert mujoco.mjMINVAL == vector.MINVAL
    assert len(mujoco.MjData(mujoco.MjModel.from_xml_string("<mujoco/>")).warning) == sizes.NWARNING
    assert len(enums.WarningType) == sizes.NWARNING


@pytest.mark.parametrize(("ours", "theirs", "prefix"), [(k, *v) for k, v in ENUMS.items()], ids=ENUMS)
def test_enum(ours: str, theirs: str, prefix: str):
    if not hasattr(mujoco, theirs):
        pytest.skip(f"the Python module has no {theirs}")
    official = {
        name.removeprefix(prefix): int(member)
        for name, member in getattr(mujoco, theirs).__members__.items()
        if name.startswith(prefix)
    }
    extensions = EXTENSIONS.get(ours, set())
    mine = {name: int(v) for name, v in getattr(enums, ours).__members__.items() if name not in extensions}
    assert mine == official
    assert not extensions & set(official)


#: Enums that MuJoCo has no counterpart of.
OURS = {"ErrorPolicy", "Request"}


def test_every_enum_is_compared():
    declared = {
        name for name, value in vars(enums).items() if isinstance(value, type) and value.__module__ == enums.__name__
    }
    assert declared == set(ENUMS) | OURS
    assert all(getattr(enums, name).__doc__ for name in declared)


def test_glossary_explains_parts_of_field_names_in_use():
    names = " ".join(row.name for table in TABLES.values() for row in rows(table)).lower()
    unused = [part for part in FIELD_PARTS if part.lower() not in names]
    assert unused == []
    assert all(FIELD_PARTS.values())


def test_tables_are_light():
    """The tables are plain data: importing them pulls in neither NumPy nor Numba."""
    for module in (field, sizes, enums, model_fields, data_fields, option_fields, contact_fields):
        assert not {"np", "numpy", "llvmlite"} & set(vars(module)), module.__name__
