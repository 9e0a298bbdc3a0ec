"""Facts about sensors: type, number of outputs, stage and kind of numbers of each tag."""

from __future__ import annotations

from phalanx.tables.enums import DataType, SensorType, Stage

_NAMES = {
    "jointactuatorfrc": "JOINTACTFRC", "tendonactuatorfrc": "TENDONACTFRC", "distance": "GEOMDIST",
    "normal": "GEOMNORMAL", "fromto": "GEOMFROMTO",
}  # fmt: skip
_ACC = """touch accelerometer force torque actuatorfrc jointactuatorfrc tendonactuatorfrc jointlimitfrc tendonlimitfrc
framelinacc frameangacc contact user""".split()
_VEL = """velocimeter gyro jointvel tendonvel actuatorvel ballangvel jointlimitvel tendonlimitvel framelinvel
frameangvel subtreelinvel subtreeangmom tactile""".split()
_SCALARS = """touch rangefinder jointpos jointvel tendonpos tendonvel actuatorpos actuatorvel actuatorfrc
jointactuatorfrc tendonactuatorfrc jointlimitpos jointlimitvel jointlimitfrc tendonlimitpos tendonlimitvel
tendonlimitfrc distance insidesite e_potential e_kinetic clock""".split()
_DIMENSIONS = {**dict.fromkeys(_SCALARS, 1), "camprojection": 2, "ballquat": 4, "framequat": 4, "fromto": 6, "user": 0}
_POSITIVE, _AXES = ("touch", "insidesite"), ("framexaxis", "frameyaxis", "framezaxis", "normal")

_TAGS = """touch accelerometer velocimeter gyro force torque magnetometer camprojection rangefinder jointpos jointvel
tendonpos tendonvel actuatorpos actuatorvel actuatorfrc jointactuatorfrc tendonactuatorfrc ballquat ballangvel
jointlimitpos jointlimitvel jointlimitfrc tendonlimitpos tendonlimitvel tendonlimitfrc framepos framequat framexaxis
frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc subtreecom subtreelinvel subtreeangmom insidesite
distance normal fromto contact e_potential e_kinetic clock tactile user""".split()


def _row(tag: str) -> tuple[SensorType, int, Stage, DataType]:
    stage = Stage.ACC if tag in _ACC else Stage.VEL if tag in _VEL else Stage.POS
    kind = DataType.REAL
    if tag in _POSITIVE:
        kind = DataType.POSITIVE
    elif tag in _AXES:
        kind = DataType.AXIS
    elif tag.endswith("quat"):
        kind = DataType.QUATERNION
    return SensorType[_NAMES.get(tag, tag).upper()], _DIMENSIONS.get(tag, 3), stage, kind


#: Tag -> type, outputs, stage, kind of numbers.
TABLE = {tag: _row(tag) for tag in _TAGS}

#: Numbers per word of a data specification.
RAY_SIZES = {"dist": 1, "dir": 3, "origin": 3, "point": 3, "normal": 3, "depth": 1}
CONTACT_SIZES = {
    "found": 1,
    "force": 3,
    "torque": 3,
    "dist": 1,
    "pos": 3,
    "normal": 3,
    "tangent": 3,
    "linvel": 3,
    "angvel": 3,
}


def contact_stage(words: tuple[str, ...], reduce: str) -> Stage:
    """When a contact sensor can be computed: forces come last."""
    if {"force", "torque"} & set(words) or reduce in ("maxforce", "netforce"):
        return Stage.ACC
    return Stage.VEL if {"linvel", "angvel"} & set(words) else Stage.POS
