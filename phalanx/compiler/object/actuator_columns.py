"""The rows of the Model that actuators fill."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phalanx.compiler.model_build import Build
from phalanx.compiler.object.actuator import Actuator
from phalanx.compiler.object.actuator_shortcut import GENERAL
from phalanx.compiler.object.joint import DOFS
from phalanx.compiler.object.tendon import dofs_of
from phalanx.tables.actuators import TRANSMISSIONS, Moments
from phalanx.tables.history import history_size


def write_actuators(build: Build) -> None:
    """All columns of actuators, and the sizes that they decide."""
    actuators: list[Actuator] = build.actuators
    columns = build.columns
    build.copy_plain(GENERAL, actuators)
    build.copy_user("actuator", actuators)
    columns["actuator_trntype"] = [actuator.trntype for actuator in actuators]
    columns["actuator_trnid"] = [actuator.trnid for actuator in actuators]
    columns["actuator_forcelimited"] = [actuator.forcelimited for actuator in actuators]
    columns["actuator_actlimited"] = [actuator.actlimited for actuator in actuators]
    columns["actuator_damping"] = [actuator["damping"][0] for actuator in actuators]
    columns["actuator_dampingpoly"] = [actuator["damping"][1:] for actuator in actuators]
    columns["actuator_plugin"] = [actuator.plugin.id if actuator.plugin else -1 for actuator in actuators]
    _write_counts(build, actuators)
    _write_history(build, actuators)
    # one row for each control, or for each output
    columns["actuator_ctrllimited"] = [flag for actuator in actuators for flag in actuator.ctrllimiteds]
    columns["actuator_ctrlrange"] = [bounds for actuator in actuators for bounds in actuator.ctrlranges]
    for name in ("gear", "lengthrange"):
        columns[f"actuator_{name}"] = [actuator[name] for actuator in actuators for _ in range(actuator.outnum)]
    build.sizes["nJmom"] = sum(_moment_entries(build, actuator) for actuator in actuators)


def _write_counts(build: Build, actuators: list[Actuator]) -> None:
    """Controls, outputs and activations: how many each actuator has, and its first ones."""
    columns = build.columns
    columns["actuator_ctrlspec"] = [actuator.ctrlspec for actuator in actuators]
    columns["actuator_ctrlnum"] = [actuator.ctrlnum for actuator in actuators]
    columns["actuator_outnum"] = [actuator.outnum for actuator in actuators]
    columns["actuator_actnum"] = [actuator.actdim for actuator in actuators]
    controls, outputs, activations = [], [], []
    nu = nout = na = 0
    for actuator in actuators:
        controls.append(nu)
        outputs.append(nout)
        activations.append(na if actuator.actdim else -1)
        nu, nout, na = nu + actuator.ctrlnum, nout + actuator.outnum, na + actuator.actdim
    columns["actuator_ctrladr"], columns["actuator_outadr"], columns["actuator_actadr"] = controls, outputs, activations
    build.sizes.update(nu=nu, nout=nout, na=na)


def _write_history(build: Build, actuators: list[Actuator]) -> None:
    """Where the past controls of each actuator are; those of sensors come after them."""
    interp = GENERAL.attributes["interp"].keywords
    build.columns["actuator_history"] = [(actuator["nsample"], interp[actuator["interp"]]) for actuator in actuators]
    starts, end = [], 0
    for actuator in actuators:
        starts.append(end if actuator["nsample"] > 0 else -1)
        end += history_size(actuator["nsample"], actuator.ctrlnum)
    build.columns["actuator_historyadr"] = starts
    build.sizes["nhistory"] = end


# --- size of the moment matrix


def _chain(body: Any) -> set[int]:
    """Dofs that move a body."""
    found: set[int] = set()
    while body is not None:
        if body.joints:
            found.update(range(body.joints[0].dofadr, body.joints[0].dofadr + body.dofnum))
        body = body.parent
    return found


def _second_chain(actuator: Actuator) -> set[int]:
    """Dofs that move the second site; none without one."""
    return _chain(actuator.second.body) if actuator.second is not None else set()


#: Entries of the moment matrix that an actuator needs, by the column of its transmission.
_ENTRIES: dict[Moments, Callable[[Build, Actuator], int]] = {
    Moments.JOINT: lambda build, actuator: DOFS[actuator.target.kind],
    Moments.TENDON: lambda build, actuator: len(dofs_of(actuator.target)),
    Moments.EITHER: lambda build, actuator: len(_chain(actuator.target.body) | _second_chain(actuator)),
    Moments.ONE: lambda build, actuator: len(_chain(actuator.target.body) ^ _second_chain(actuator)),
    Moments.AXES: lambda build, actuator: actuator.outnum * (build.sizes["nv"] if actuator.second is not None else 1),
    Moments.ALL: lambda build, actuator: build.sizes["nv"],
}


def _moment_entries(build: Build, actuator: Actuator) -> int:
    return _ENTRIES[TRANSMISSIONS[actuator.trntype].moments](build, actuator)
