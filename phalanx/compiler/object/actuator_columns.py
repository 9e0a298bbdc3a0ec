"""The rows of the Model that actuators fill."""

from __future__ import annotations

from typing import Any

from phalanx.compiler.model_build import Build
from phalanx.compiler.object.actuator import GENERAL
from phalanx.compiler.object.joint import DOFS
from phalanx.compiler.object.tendon import dofs_of
from phalanx.tables.enums import TrnType


def write_actuators(build: Build) -> None:
    actuators, columns, sizes = build.objects["actuator"], build.columns, build.sizes
    build.copy_plain(GENERAL, actuators)
    build.copy_user("actuator", actuators)
    for name in ("trntype", "trnid", "ctrlnum", "ctrlspec", "outnum", "forcelimited", "actlimited"):
        columns[f"actuator_{name}"] = [getattr(actuator, name) for actuator in actuators]
    columns["actuator_actnum"] = [actuator.actdim for actuator in actuators]
    columns["actuator_damping"] = [actuator["damping"][0] for actuator in actuators]
    columns["actuator_dampingpoly"] = [actuator["damping"][1:] for actuator in actuators]
    columns["actuator_plugin"] = [-1] * len(actuators)
    interp = GENERAL.attributes["interp"].keywords
    columns["actuator_history"] = [(actuator["nsample"], interp[actuator["interp"]]) for actuator in actuators]
    for name in ("ctrladr", "outadr", "actadr", "historyadr"):
        columns[f"actuator_{name}"] = []
    nu = nout = na = history = 0
    for actuator in actuators:
        columns["actuator_ctrladr"].append(nu)
        columns["actuator_outadr"].append(nout)
        columns["actuator_actadr"].append(na if actuator.actdim else -1)
        columns["actuator_historyadr"].append(history if actuator["nsample"] > 0 else -1)
        nu, nout, na = nu + actuator.ctrlnum, nout + actuator.outnum, na + actuator.actdim
        samples = actuator["nsample"]
        history += 2 + samples + samples * actuator.ctrlnum if samples > 0 else 0
    sizes.update(nu=nu, nout=nout, na=na, nhistory=history)
    columns["actuator_ctrllimited"] = [flag for actuator in actuators for flag in actuator.ctrllimiteds]
    columns["actuator_ctrlrange"] = [bounds for actuator in actuators for bounds in actuator.ctrlranges]
    columns["actuator_gear"] = [actuator["gear"] for actuator in actuators for _ in range(actuator.outnum)]
    columns["actuator_lengthrange"] = [
        actuator["lengthrange"] for actuator in actuators for _ in range(actuator.outnum)
    ]
    sizes["nJmom"] = sum(_moment_entries(build, actuator) for actuator in actuators)


def _chain(body: Any) -> set[int]:
    """Dofs that move a body."""
    found: set[int] = set()
    while body is not None:
        if body.joints:
            found.update(range(body.joints[0].dofadr, body.joints[0].dofadr + body.dofnum))
        body = body.parent
    return found


def _moment_entries(build: Build, actuator: Any) -> int:
    """Entries of the moment matrix that an actuator needs."""
    kind, target = actuator.trntype, actuator.target
    sites = build.objects["site"]
    second = actuator.trnid[1]
    if kind == TrnType.SO3:
        return 3 * build.sizes["nv"] if second >= 0 else 3
    if kind in (TrnType.JOINT, TrnType.JOINTINPARENT):
        return DOFS[target.kind]
    if kind == TrnType.TENDON:
        return len(dofs_of(target))
    if kind == TrnType.SLIDERCRANK:
        return len(_chain(target.body) | _chain(sites[second].body))
    if kind == TrnType.SITE:
        return len(_chain(target.body) ^ (_chain(sites[second].body) if second >= 0 else set()))
    return build.sizes["nv"]
