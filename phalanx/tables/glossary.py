"""Our words: one word, one meaning. Code, comments and docs keep to them; `docs/reference/glossary.md` is this file.

`RULED_OUT` is checked by `tests/architecture/test_words.py` in names, docstrings and comments of the package.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Word -> its one meaning.
WORDS: dict[str, str] = {
    # how it runs
    "number": "what a kernel computes with: the float of one world, or a lane. Its type is a number type (`f64`, "
    "`f32x16`). Never an id, an index or a count; only the phrase *number of* counts, as everywhere",
    "dual": "a number of one world with tangents; of a solver, that it works on the forces of constraints",
    "tangent": "the derivative of a number in one direction; of a contact, an axis of its plane",
    "lane": "a number of W worlds in one vector register; world k of it is lane element k",
    "lane group": "W worlds that are stepped together, each field in one array with the worlds last",
    "world": "one simulation of a model: a Data, or one row of a batch",
    "condition": "result of a comparison of numbers: a bool of one world, a mask of a lane",
    "kernel": "a function of the kernel language, decorated `@kernel`",
    "stage": "a kernel `name(m, d)` that writes the rows listed under its name; the pipeline is a list of stages",
    "helper": "a kernel that takes and returns numbers and tuples, and writes no field",
    "hook": "a function of the user that the step calls at a fixed place",
    "intrinsic": "a word of the kernel language that the compiler writes itself, such as `where` or `load3`",
    # compiled code
    "unit": "what is compiled at once: an entry, a group of parts, or text",
    "entry": "an exported function of integers that Python calls",
    "part": "a kernel that is compiled by itself and called through an address in the table of slots",
    "image": "a shared object with the machine code of one unit, refers to nothing outside itself",
    "view": "`m` or `d` inside a kernel: a pointer to a table of slots",
    "slot": "one place in the table of sizes and addresses that a view points to; of a local variable in the compiler, "
    "its memory",
    "key": "hash of everything that decides the machine code of an image; of a `Table`, the value that picks a row",
    "interpreted": "kernels run as plain Python, for debuggers",
    "checked": "kernels are compiled with checks of bounds, NaN and division",
    # tables
    "table": "rows that state facts once: fields, sizes, enums; `Table` is a table of kernels by enum value",
    "row": "one declaration in a table; in constraints, one scalar equation of the constraint space",
    "field": "one array (or scalar) of a Model or a Data, declared by one row; field of a geometry: a signed distance "
    "as a function of position",
    "kind": "which of a family: type of element of a field, kind of object, kind of actuator",
    "size": "a named length that shapes refer to, such as `nbody`",
    "scratch": "a row of working memory that users do not see",
    "live": "count of the rows of a field that are valid now",
    # models and physics
    "object": "what a Model has and names: body, joint, geom, site, sensor and so on",
    "element": "one XML element of a model file; one entry of an array",
    "id": "index of an object among those of its kind; -1 for none",
    "index": "position in an array",
    "count": "how many; `num` and `n` in names of fields",
    "address": "index of the first element of a stretch (`adr`); of memory, where a field begins",
    "rotation": "change of orientation; an angle beyond pi is counted in revolutions",
    "orientation": "a frame's axes relative to another's, as quaternion or matrix",
    "frame": "origin and axes; `x...` fields are in the world frame",
    "wrench": "a force and a torque about a point",
    "reflected inertia": "inertia of an actuator's rotor, seen at the joint: armature times gear squared; likewise "
    "reflected damping",
    "projected area": "area of a shape seen along the flow, for fluid forces",
    "shadow": "in a picture, what a light does not reach because a shape is in its way; names that hide others are "
    "hidden names",
    "candidate": "a pair of geoms that may touch and is given to a collider",
    "sweep": "the broad phase that sorts bounding boxes along an axis; in PGS and noslip, one pass over all rows",
    "collider": "a kernel that finds the contacts of a pair of geom types",
    "support": "farthest point of a convex shape along a direction",
    "island": "trees that constraints connect, solved together",
    # errors
    "check": "find out whether a rule holds; a checker is a tool or test that does",
    "report": "say what a check found: one problem, with its place",
    "problem": "one mistake that is reported; a model file reports all of its problems at once",
    "note": "what was assumed, or has no effect, when a file was translated; no mistake",
    "departs": "differs from MuJoCo on purpose; the row or `docs/differences.md` says why",
}


@dataclass(frozen=True)
class RuledOut:
    """A word that we do not use.

    Attributes:
        forms: all its forms, in lower case.
        instead: what to say.
        true_uses: phrases in which it means what everybody means by it.
    """

    forms: tuple[str, ...]
    instead: str
    true_uses: tuple[str, ...] = ()


RULED_OUT: tuple[RuledOut, ...] = (
    RuledOut(
        ("turn", "turns", "turned", "turning", "unturned"),
        "rotation, rotate; for angles: pi, revolutions; for *turn into*: make, become",
        ("in turn", "in turns", "take turns", "takes turns"),
    ),
    RuledOut(("thing", "things"), "object, element, value: say which"),
    RuledOut(("lend", "lends", "lent", "lender", "lenders"), "reflected inertia, reflected damping"),
    RuledOut(("judge", "judges", "judged", "judging", "judgement", "judgment"), "check"),
    RuledOut(("blame", "blames", "blamed", "blaming"), "report"),
)  # fmt: skip

#: Part of a field name -> meaning.
FIELD_PARTS: dict[str, str] = {
    # prefixes: what a row is about
    "q": "generalized (joint) coordinates: qpos, qvel, qfrc",
    "x": "in the world frame: xpos, xmat, xfrc",
    "c": "spatial vector about the center of mass of the tree, angular part first: cvel, cinert",
    "i": "of the inertial frame (xipos), or in island order (iefc, iacc)",
    "jnt": "joint",
    "dof": "degree of freedom: one entry of qvel",
    "cam": "camera",
    "eq": "equality constraint",
    "ten": "tendon, computed values",
    "wrap": "element of a tendon path",
    "act": "activation: internal state of an actuator",
    "ctrl": "control",
    "trn": "transmission of an actuator",
    "dyn": "activation dynamics of an actuator",
    "efc": "rows of the constraint space",
    "efm": "effective metric M + K of the discrete integrator",
    "bvh": "bounding volume hierarchy",
    "oct": "octree",
    "con": "contact",
    "subtree": "a body with all its descendants",
    "crb": "composite rigid body: a subtree taken as one body",
    "flg": "flag",
    "o": "override of a contact parameter",
    "n": "number of",
    # suffixes: what kind of quantity it is
    "adr": "index of the first element",
    "num": "number of elements from adr on",
    "id": "index of another object, -1 if none",
    "0": "at the reference pose qpos0",
    "ind": "list of indices",
    "rownnz": "number of entries of each row of a sparse matrix",
    "rowadr": "first entry of each row of a sparse matrix",
    "colind": "column of each entry of a sparse matrix",
    "rowsuper": "number of following rows with the same columns",
    "prm": "parameters",
    "aabb": "axis-aligned box: center, half sizes",
    "rbound": "radius of the bounding sphere",
    "poly": "coefficients of the higher powers of a polynomial",
    "range": "lower and upper bound",
    "limited": "whether the range is enforced",
    "margin": "distance at which a constraint starts to act",
    "gap": "extra distance of detection without force",
    "solref": "solver reference: time constant and damping ratio, or stiffness and damping",
    "solimp": "solver impedance: the curve from d0 to dmax over the penetration",
    "invweight": "inverse inertia seen by a constraint",
    "frc": "force",
    "dot": "time derivative",
    "lin": "linear part",
    "ang": "angular part",
    "com": "center of mass",
    "J": "Jacobian",
    "M": "joint-space inertia matrix",
    "B": "sparsity pattern body by dof",
    "C": "sparsity pattern of M, lower triangle",
    "D": "square sparsity pattern dof by dof; diagonal factor in qLD; constraint mass in efc_D",
    "R": "regularization of the constraints, the inverse of efc_D",
    "KBIP": "stiffness, damping, impedance, impedance derivative",
    "aref": "reference acceleration of a constraint",
}
