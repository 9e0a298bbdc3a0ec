"""`phalanx info`: what is in a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import numpy as np
import typer
from rich.markup import escape
from rich.table import Table
from rich.tree import Tree

from phalanx.cli.console import console
from phalanx.cli.model_file import ModelPath, UrdfOptions, load_model
from phalanx.compiler.text.notes import summary
from phalanx.tables.actuators import TRANSMISSIONS
from phalanx.tables.enums import (
    BiasType,
    DynType,
    EqType,
    GainType,
    GeomType,
    Integrator,
    JointType,
    ObjType,
    SensorType,
    Solver,
    TrnType,
)
from phalanx.tables.geoms import GEOMS
from phalanx.tables.joints import JOINTS
from phalanx.world.model import Model


def info(
    model_file: ModelPath,
    geoms: Annotated[bool, typer.Option("--geoms", help="List every geom, with its size.")] = False,
    urdf: UrdfOptions = None,
) -> None:
    """Show a model: the tree of bodies with masses and joints, actuators, sensors and the rest."""
    model = load_model(model_file, urdf)
    console.print(repr(model), markup=False, soft_wrap=True)
    console.print(
        f"timestep {model.opt.timestep:g} s, {Integrator(model.opt.integrator).name.lower()} integrator, "
        f"{Solver(model.opt.solver).name.lower()} solver, gravity {numbers(model.opt.gravity)} m/s²"
    )
    console.print(body_tree(model, geoms))
    for title, columns, rows in tables(model):
        if rows:
            console.print(table(title, columns, rows))
    for line in summary(model.report):
        console.print(f"note: {line}", markup=False, soft_wrap=True)


# --- the tree of bodies


def body_tree(model: Model, all_geoms: bool) -> Tree:
    """Bodies under their parents, each with what it carries."""
    nodes: dict[int, Tree] = {}
    for body in range(model.nbody):
        parent = nodes.get(int(model.body_parentid[body]))
        label = f"[bold]{escape(label_of(model, 'body', body))}[/bold]"
        if body:
            label += f"  {model.body_mass[body]:.4g} kg"
        nodes[body] = parent.add(label) if body and parent is not None else Tree(label)
        for line in carried(model, body, all_geoms):
            nodes[body].add(escape(line), style="dim")
    return nodes[0]


def carried(model: Model, body: int, all_geoms: bool) -> Iterator[str]:
    """The joints, geoms, sites and cameras of a body, in words."""
    for joint in np.flatnonzero(model.jnt_bodyid == body):
        yield joint_line(model, int(joint))
    owned = np.flatnonzero(model.geom_bodyid == body)
    if all_geoms:
        yield from (geom_line(model, int(geom)) for geom in owned)
    elif len(owned):
        count = Counter(GeomType(model.geom_type[geom]).name.lower() for geom in owned)
        yield f"{plural(len(owned), 'geom')}: " + ", ".join(f"{num} {name}" for name, num in count.items())
    for kind, row in (("site", "site_bodyid"), ("camera", "cam_bodyid")):
        found = np.flatnonzero(getattr(model, row) == body)
        if len(found):
            yield f"{plural(len(found), kind)}: " + ", ".join(label_of(model, kind, int(k), bare=True) for k in found)


def joint_line(model: Model, joint: int) -> str:
    """A joint with its type, axis and range."""
    row = JOINTS[JointType(model.jnt_type[joint])]
    words = [f"joint {label_of(model, 'joint', joint, bare=True)}: {row.tag}"]
    if row.scalar:
        words.append(f"axis {numbers(model.jnt_axis[joint])}")
    if model.jnt_limited[joint]:
        limits = np.degrees(model.jnt_range[joint]) if row.angular else model.jnt_range[joint]
        words.append(f"range {numbers(limits)} {'°' if row.angular else 'm'}")
    return ", ".join(words)


def geom_line(model: Model, geom: int) -> str:
    """A geom with its type and size."""
    row = GEOMS[GeomType(model.geom_type[geom])]
    words = f"geom {label_of(model, 'geom', geom, bare=True)}: {row.tag}"
    # the asset of an SDF may be a grid, which has no name
    if row.asset and row.type != GeomType.SDF and model.geom_dataid[geom] >= 0:
        return f"{words} {label_of(model, row.asset, int(model.geom_dataid[geom]), bare=True)}"
    return f"{words} {numbers(model.geom_size[geom][: len(row.sizes)])}".rstrip()


# --- tables of everything outside the tree

Rows = list[tuple[str, ...]]


def tables(model: Model) -> Iterator[tuple[str, tuple[str, ...], Rows]]:
    """Title, columns and rows of each table."""
    # one yield per kind of object: a table without rows is not printed
    yield (
        "actuators",
        ("name", "acts on", "type", "control range", "force range"),
        [actuator_row(model, k) for k in range(model.nactuator)],
    )
    yield "tendons", ("name", "length at qpos0 [m]", "range"), [
        (label_of(model, "tendon", k, bare=True), f"{model.tendon_length0[k]:.4g}",
         numbers(model.tendon_range[k]) if model.tendon_limited[k] else "")
        for k in range(model.ntendon)
    ]  # fmt: skip
    yield (
        "equalities",
        ("name", "type"),
        [(label_of(model, "equality", k, bare=True), EqType(model.eq_type[k]).name.lower()) for k in range(model.neq)],
    )
    yield (
        "flexes",
        ("name", "dim", "vertices", "elements", "edges", "dofs", "elastic"),
        [flex_row(model, k) for k in range(model.nflex)],
    )
    yield "sensors", ("name", "type", "of", "numbers"), [sensor_row(model, k) for k in range(model.nsensor)]
    yield (
        "keyframes",
        ("name", "time [s]"),
        [(label_of(model, "key", k, bare=True), f"{model.key_time[k]:g}") for k in range(model.nkey)],
    )
    yield (
        "meshes",
        ("name", "vertices", "faces"),
        [
            (label_of(model, "mesh", k, bare=True), str(model.mesh_vertnum[k]), str(model.mesh_facenum[k]))
            for k in range(model.nmesh)
        ],
    )


def actuator_row(model: Model, actuator: int) -> tuple[str, ...]:
    """Name, transmission, kinds and ranges of an actuator. Of one with several controls, the first range."""
    transmission = TrnType(model.actuator_trntype[actuator])
    row, target = TRANSMISSIONS.get(transmission), int(model.actuator_trnid[actuator, 0])
    # of orientation servos the transmission is told, not the object
    acts_on = label_of(model, row.of, target) if row and row.target and target >= 0 else transmission.name.lower()
    parts = (
        DynType(model.actuator_dyntype[actuator]),
        GainType(model.actuator_gaintype[actuator]),
        BiasType(model.actuator_biastype[actuator]),
    )
    names = [part.name.lower() for part in parts]
    words = ", ".join(f"{name} {word}" for name, word in zip(names, ("activation", "gain", "bias"), strict=True)
                      if name != "none")  # fmt: skip
    controls = int(model.actuator_ctrladr[actuator])
    outputs = int(model.actuator_outadr[actuator])
    return (
        label_of(model, "actuator", actuator, bare=True),
        acts_on,
        words,
        numbers(model.actuator_ctrlrange[controls]) if model.actuator_ctrllimited[controls] else "",
        numbers(model.actuator_forcerange[outputs]) if model.actuator_forcelimited[outputs] else "",
    )


#: How the vertices of a flex move, by the order of interpolation.
_MOTIONS = {0: "vertices", 1: "trilinear cells", 2: "quadratic cells"}


def flex_row(model: Model, flex: int) -> tuple[str, ...]:
    """Name, sizes, dofs and elasticity of a flex. Young's modulus is part of its stiffness, and no field of a model."""
    what = "node" if model.flex_interp[flex] else "vert"
    start = int(getattr(model, f"flex_{what}adr")[flex])
    carriers = getattr(model, f"flex_{what}bodyid")[start : start + int(getattr(model, f"flex_{what}num")[flex])]
    dofs = int(model.body_dofnum[np.unique(carriers)].sum())
    moves = "rigid" if model.flex_rigid[flex] else f"{dofs} of {_MOTIONS[abs(int(model.flex_interp[flex]))]}"
    resists = [word for word, row in (("stretching", "stiffness"), ("bending", "bending"))
               if getattr(model, f"flex_{row}adr")[flex] >= 0]  # fmt: skip
    counts = (str(int(getattr(model, f"flex_{part}num")[flex])) for part in ("vert", "elem", "edge"))
    return label_of(model, "flex", flex, bare=True), str(int(model.flex_dim[flex])), *counts, moves, ", ".join(resists)


def sensor_row(model: Model, sensor: int) -> tuple[str, ...]:
    """Name, type, object and dimension of a sensor."""
    kind = ObjType(model.sensor_objtype[sensor]).name.lower().replace("xbody", "body")
    of = label_of(model, kind, int(model.sensor_objid[sensor])) if kind in model.names.names else ""
    name = label_of(model, "sensor", sensor, bare=True)
    return name, SensorType(model.sensor_type[sensor]).name.lower(), of, str(model.sensor_dim[sensor])


# --- words


def table(title: str, columns: Iterable[str], rows: Rows) -> Table:
    """A table without lines, its cells taken as plain text."""
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 2))
    for column in columns:
        table.add_column(escape(column), overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    return table


def label_of(model: Model, kind: str, objid: int, bare: bool = False) -> str:
    """The name of an object, its id if it has none; with its kind unless it is clear from the context."""
    name = model.names.names[kind][objid] or f"#{objid}"
    return name if bare else f"{kind} {name}"


def numbers(values: Any) -> str:
    """Values in a row, with four digits."""
    return " ".join(f"{value:.4g}" for value in np.ravel(values))


def plural(count: int, word: str) -> str:
    """A count with its word."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
