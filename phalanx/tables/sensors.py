"""Kinds of sensor: one row each. MJCF elements, checks, cutoff, scaling and the list of kernel files derive from it."""

from __future__ import annotations

from dataclasses import dataclass

from phalanx.tables.enums import DataType, SensorType, Stage
from phalanx.tables.joints import SCALAR_TAGS

# what a sensor can be of; any other word is a kind of object, which the attribute of that name names
#: Any object with a frame: objtype and objname.
OBJECT = "object"
#: The same, in the frame of another one: reftype and refname, the world if absent.
FRAME = "frame"
#: Two geoms or bodies.
PAIR = "pair"
#: Nothing but the model.
MODEL = "model"
# these have attributes of their own (`mjcf_sensor.py`) and a function that reads them (`compiler/object/sensor.py`)
RAYS, IMAGE, INSIDE, CONTACTS, SURFACE = "rays", "point in an image", "object in a site", "contacts", "points of a mesh"
ANY, EXTENSION = "anything", "what a plugin says"

# stages that only sensors need
SUBTREE_VEL, FORCES = "subtree_vel", "rne_post_constraint"


@dataclass(frozen=True)
class SensorRow:
    """One kind of sensor.

    Attributes:
        kind: its type in the Model.
        tag: its element in MJCF.
        of: what it is attached to, one of the words above or a kind of object ("site").
        dim: count of values, per output if it is of an actuator; 0 if the element tells.
        stage: what must have been computed: positions, velocities or accelerations. An element may tell otherwise.
        module: the file in `phalanx/sensor/read` that holds its kernel.
        doc: what is measured, in one line.
        datatype: kind of values.
        joints: types of joint it can be of, () for all.
        limited: the joint or tendon must have limits.
        needs: stages that run only because of such a sensor, before it: SUBTREE_VEL, FORCES.
        bounded: the cutoff bounds each value; if not, it has a meaning of its own or none.
        scales: dimension of cutoff and noise in frames that scale, in powers of length (L), mass (M), coordinate (Q)
            and force (F) of the object; "" if they stay as they are, None if such a sensor cannot be scaled.
        lacks: attributes that other sensors have and this one has not.
    """

    kind: SensorType
    tag: str
    of: str
    dim: int
    stage: Stage
    module: str
    doc: str
    datatype: DataType = DataType.REAL
    joints: tuple[str, ...] = ()
    limited: bool = False
    needs: tuple[str, ...] = ()
    bounded: bool = True
    scales: str | None = ""
    lacks: str = ""

    @property
    def is_between(self) -> bool:
        """Does it measure between two objects, so that the scale of both counts?"""
        return self.of in (PAIR, INSIDE)


_POS, _VEL, _ACC = Stage.POS, Stage.VEL, Stage.ACC
_POSITIVE, _AXIS, _QUATERNION = DataType.POSITIVE, DataType.AXIS, DataType.QUATERNION
_SCALAR = SCALAR_TAGS
_BALL = ("ball",)
_HISTORY = "nsample interp delay interval"

#: By type, in the order of the reference pages.
SENSORS: dict[SensorType, SensorRow] = {row.kind: row for row in (
    SensorRow(SensorType.TOUCH, "touch", "site", 1, _ACC, "touch", "force of contacts inside the zone of a site",
              _POSITIVE, scales="M L"),
    SensorRow(SensorType.ACCELEROMETER, "accelerometer", "site", 3, _ACC, "inertial",
              "acceleration minus gravity, in the frame of a site", needs=(FORCES,), scales="L"),
    SensorRow(SensorType.VELOCIMETER, "velocimeter", "site", 3, _VEL, "inertial", "velocity in the frame of a site",
              scales="L"),
    SensorRow(SensorType.GYRO, "gyro", "site", 3, _VEL, "inertial", "angular velocity in the frame of a site"),
    SensorRow(SensorType.FORCE, "force", "site", 3, _ACC, "inertial",
              "force between a body and its parent, at a site", needs=(FORCES,), scales="M L"),
    SensorRow(SensorType.TORQUE, "torque", "site", 3, _ACC, "inertial",
              "torque between a body and its parent, at a site", needs=(FORCES,), scales="M L2"),
    SensorRow(SensorType.MAGNETOMETER, "magnetometer", "site", 3, _POS, "inertial",
              "magnetic flux in the frame of a site"),
    SensorRow(SensorType.JOINTPOS, "jointpos", "joint", 1, _POS, "joint", "position of a joint",
              joints=_SCALAR, scales="Q"),
    SensorRow(SensorType.JOINTVEL, "jointvel", "joint", 1, _VEL, "joint", "velocity of a joint",
              joints=_SCALAR, scales="Q"),
    SensorRow(SensorType.TENDONPOS, "tendonpos", "tendon", 1, _POS, "tendon", "length of a tendon", scales="Q"),
    SensorRow(SensorType.TENDONVEL, "tendonvel", "tendon", 1, _VEL, "tendon", "velocity of a tendon", scales="Q"),
    SensorRow(SensorType.ACTUATORPOS, "actuatorpos", "actuator", 1, _POS, "actuator", "length of an actuator",
              scales="Q"),
    SensorRow(SensorType.ACTUATORVEL, "actuatorvel", "actuator", 1, _VEL, "actuator", "velocity of an actuator",
              scales="Q"),
    SensorRow(SensorType.ACTUATORFRC, "actuatorfrc", "actuator", 1, _ACC, "actuator", "force of an actuator",
              scales="F"),
    SensorRow(SensorType.JOINTACTFRC, "jointactuatorfrc", "joint", 1, _ACC, "joint", "actuator force on a joint",
              joints=_SCALAR, scales="F"),
    SensorRow(SensorType.TENDONACTFRC, "tendonactuatorfrc", "tendon", 1, _ACC, "tendon", "actuator force on a tendon",
              scales="F"),
    SensorRow(SensorType.BALLQUAT, "ballquat", "joint", 4, _POS, "joint", "quaternion of a ball joint",
              _QUATERNION, joints=_BALL),
    SensorRow(SensorType.BALLANGVEL, "ballangvel", "joint", 3, _VEL, "joint", "angular velocity of a ball joint",
              joints=_BALL),
    SensorRow(SensorType.JOINTLIMITPOS, "jointlimitpos", "joint", 1, _POS, "joint",
              "distance of a joint from its limit", limited=True, scales="Q"),
    SensorRow(SensorType.JOINTLIMITVEL, "jointlimitvel", "joint", 1, _VEL, "joint",
              "velocity of a joint at its limit", limited=True, scales="Q"),
    SensorRow(SensorType.JOINTLIMITFRC, "jointlimitfrc", "joint", 1, _ACC, "joint",
              "force of the limit of a joint", limited=True, scales="F"),
    SensorRow(SensorType.TENDONLIMITPOS, "tendonlimitpos", "tendon", 1, _POS, "tendon",
              "distance of a tendon from its limit", limited=True, scales="Q"),
    SensorRow(SensorType.TENDONLIMITVEL, "tendonlimitvel", "tendon", 1, _VEL, "tendon",
              "velocity of a tendon at its limit", limited=True, scales="Q"),
    SensorRow(SensorType.TENDONLIMITFRC, "tendonlimitfrc", "tendon", 1, _ACC, "tendon",
              "force of the limit of a tendon", limited=True, scales="F"),
    SensorRow(SensorType.SUBTREECOM, "subtreecom", "body", 3, _POS, "subtree", "center of mass of a subtree",
              scales="L"),
    SensorRow(SensorType.SUBTREELINVEL, "subtreelinvel", "body", 3, _VEL, "subtree",
              "velocity of the center of mass of a subtree", needs=(SUBTREE_VEL,), scales="L"),
    SensorRow(SensorType.SUBTREEANGMOM, "subtreeangmom", "body", 3, _VEL, "subtree",
              "angular momentum of a subtree", needs=(SUBTREE_VEL,), scales="M L2"),
    SensorRow(SensorType.FRAMEPOS, "framepos", FRAME, 3, _POS, "frame", "position of a frame", scales="L"),
    SensorRow(SensorType.FRAMEQUAT, "framequat", FRAME, 4, _POS, "frame", "orientation of a frame", _QUATERNION),
    SensorRow(SensorType.FRAMEXAXIS, "framexaxis", FRAME, 3, _POS, "frame", "x axis of a frame", _AXIS),
    SensorRow(SensorType.FRAMEYAXIS, "frameyaxis", FRAME, 3, _POS, "frame", "y axis of a frame", _AXIS),
    SensorRow(SensorType.FRAMEZAXIS, "framezaxis", FRAME, 3, _POS, "frame", "z axis of a frame", _AXIS),
    SensorRow(SensorType.FRAMELINVEL, "framelinvel", FRAME, 3, _VEL, "frame", "velocity of a frame", scales="L"),
    SensorRow(SensorType.FRAMEANGVEL, "frameangvel", FRAME, 3, _VEL, "frame", "angular velocity of a frame"),
    SensorRow(SensorType.FRAMELINACC, "framelinacc", OBJECT, 3, _ACC, "frame", "acceleration of a frame",
              needs=(FORCES,), scales="L"),
    SensorRow(SensorType.FRAMEANGACC, "frameangacc", OBJECT, 3, _ACC, "frame", "angular acceleration of a frame",
              needs=(FORCES,)),
    SensorRow(SensorType.CAMPROJECTION, "camprojection", IMAGE, 2, _POS, "camera", "pixel of a site in a camera"),
    SensorRow(SensorType.RANGEFINDER, "rangefinder", RAYS, 0, _POS, "rangefinder",
              "distance to the nearest geom along rays", scales="L"),
    SensorRow(SensorType.INSIDESITE, "insidesite", INSIDE, 1, _POS, "inside_site",
              "whether an object is inside a site", _POSITIVE, scales="L"),
    SensorRow(SensorType.GEOMDIST, "distance", PAIR, 1, _POS, "distance", "distance between two geoms or bodies",
              scales="L"),
    SensorRow(SensorType.GEOMNORMAL, "normal", PAIR, 3, _POS, "distance", "direction of the shortest connection",
              _AXIS, bounded=False, scales="L"),
    SensorRow(SensorType.GEOMFROMTO, "fromto", PAIR, 6, _POS, "distance", "end points of the shortest connection",
              bounded=False, scales="L"),
    SensorRow(SensorType.CONTACT, "contact", CONTACTS, 0, _ACC, "contact", "contacts that match", bounded=False),
    SensorRow(SensorType.E_POTENTIAL, "e_potential", MODEL, 1, _POS, "energy", "potential energy"),
    SensorRow(SensorType.E_KINETIC, "e_kinetic", MODEL, 1, _POS, "energy", "kinetic energy"),
    SensorRow(SensorType.CLOCK, "clock", MODEL, 1, _POS, "energy", "simulation time"),
    SensorRow(SensorType.TACTILE, "tactile", SURFACE, 0, _VEL, "tactile",
              "penetration and slip at the points of a mesh", scales=None, lacks="noise"),
    SensorRow(SensorType.PLUGIN, "plugin", EXTENSION, 0, _ACC, "plugin_sensor", "what a plugin reads",
              lacks=f"{_HISTORY} noise"),
    SensorRow(SensorType.USER, "user", ANY, 0, _ACC, "user", "numbers that a callback fills in", lacks=_HISTORY),
)}  # fmt: skip

SENSORS_BY_TAG: dict[str, SensorRow] = {row.tag: row for row in SENSORS.values()}

#: The files that hold the kernels.
MODULES: tuple[str, ...] = tuple(dict.fromkeys(row.module for row in SENSORS.values()))

#: Types of sensor whose reading the cutoff does not bound.
UNBOUNDED: tuple[int, ...] = tuple(int(row.kind) for row in SENSORS.values() if not row.bounded)


def needing(stage: str) -> tuple[int, ...]:
    """Types of sensor that need a stage which runs for sensors alone."""
    return tuple(int(row.kind) for row in SENSORS.values() if stage in row.needs)


#: Numbers per word of a data specification.
RAY_SIZES = {"dist": 1, "dir": 3, "origin": 3, "point": 3, "normal": 3, "depth": 1}
CONTACT_SIZES = {
    "found": 1, "force": 3, "torque": 3, "dist": 1, "pos": 3, "normal": 3, "tangent": 3, "linvel": 3, "angvel": 3,
}  # fmt: skip
