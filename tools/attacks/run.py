"""Random sequences of calls with good and bad arguments, on Data and BatchSim, in a process of their own.

What must not happen: a crash, a hang, an exception that is not ours, a Data whose state changed by a call that failed.
"""

from __future__ import annotations

import math
import random
import warnings
from typing import Any

import numpy as np

import phalanx
from tools.attack_calls import OURS, Call, attack_in_processes, odd, small

MODEL = """
<mujoco><option timestep=".005" integrator="{integrator}"/>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><body name="target" mocap="true" pos="0 0 2"/>
<body name="crate" pos="0 0 .3"><freejoint name="free"/><geom name="box" type="box" size=".1 .1 .1"/></body>
<body name="arm" pos="1 0 .4"><joint name="hinge" axis="0 1 0" range="-2 2"/><geom name="rod" type="capsule"
size=".05" fromto="0 0 0 .3 0 0"/><site name="tip" pos=".3 0 0"/></body></worldbody>
<actuator><motor name="motor" joint="hinge"/>
<general name="slow" joint="hinge" dyntype="filter" dynprm=".1"/></actuator>
<sensor><jointpos joint="hinge"/></sensor></mujoco>"""
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")

FIELDS = ("qpos", "qvel", "act", "ctrl", "time", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "xpos",
          "qacc", "ncon", "nefc", "efc_id", "contact_geom", "contact_capacity", "nray", "error_code", "steps_done",
          "eq_active", "tree_asleep", "model", "_store", "n", "threads", "row_pattern", "nothing")  # fmt: skip


def calls_of_data(data: phalanx.Data) -> list[Call]:
    """What can be asked of a Data."""
    return [
        lambda rng: data.step(rng.choice((1, 2, 5, 20))),
        lambda rng: data.step(),
        lambda rng: data.step(_not_endless(odd(rng)), on_error=rng.choice(("raise", "reset", odd(rng)))),
        lambda rng: data.step(1, strict=odd(rng)),
        lambda rng: data.forward(),
        lambda rng: data.inverse(),
        lambda rng: data.reset(odd(rng)),
        lambda rng: data.reset(),
        lambda rng: data.run(odd(rng), _not_endless(odd(rng))),
        lambda rng: data.run(rng.choice(("jac", "rays", "kinematics", "collision", "fwd_constraint")), odd(rng)),
        lambda rng: setattr(data, rng.choice(FIELDS), odd(rng)),
        lambda rng: getattr(data, rng.choice(FIELDS)),
        lambda rng: _write(getattr(data, rng.choice(FIELDS[:9])), rng),
        lambda rng: getattr(data, rng.choice(("body", "joint", "geom", "site", "actuator")))(odd(rng)),
        lambda rng: setattr(data.joint("hinge"), rng.choice(("qpos", "qvel", "id", "nothing")), odd(rng)),
        lambda rng: data.jac(odd(rng), rng.choice((odd(rng), "arm"))),
        lambda rng: data.jac_body(odd(rng)),
        lambda rng: data.mul_m(odd(rng)),
        lambda rng: data.ray(rng.choice((odd(rng), (0, 0, 3))), rng.choice((odd(rng), (0, 0, -1)))),
        lambda rng: data.rays(odd(rng), odd(rng), geomgroup=odd(rng)),
        lambda rng: data.rays((0, 0, 3), (0, 0, -1), exclude=odd(rng)),
        lambda rng: data.geom_distance(rng.choice((odd(rng), "box")), "rod", rng.choice((1.0, odd(rng)))),
        lambda rng: data.contact_force(odd(rng)),
        lambda rng: data.contacts(),
        lambda rng: data.net_force(odd(rng), odd(rng)),
        lambda rng: data.noisy_sensors(odd(rng), rng.choice((0, odd(rng)))),
        lambda rng: data.restore(_spoiled(data.snapshot(), rng)),
        lambda rng: data.restore(odd(rng)),
        lambda rng: data.copy().step(),
    ]


def calls_of_batch(batch: phalanx.BatchSim) -> list[Call]:
    """What can be asked of a BatchSim."""
    return [
        lambda rng: batch.step(rng.choice((1, 2, 5))),
        lambda rng: batch.step(_not_endless(odd(rng))),
        lambda rng: batch.step_all(),
        lambda rng: batch.forward(),
        lambda rng: batch.inverse(odd(rng)),
        lambda rng: batch.rays((0, 0, 3), rng.choice((odd(rng), (0, 0, -1)))),
        lambda rng: batch.reset(odd(rng), rng.choice((None, odd(rng)))),
        lambda rng: batch.reset_where(odd(rng)),
        lambda rng: batch.reset_all(),
        lambda rng: batch.bind(odd(rng)),
        lambda rng: batch.bind(rng.choice(FIELDS)),
        lambda rng: batch.env(odd(rng)),
        lambda rng: batch.set_vary(rng.choice((odd(rng), 0)), body_mass=rng.choice((odd(rng), batch.model.body_mass))),
        lambda rng: batch.noisy_sensors(odd(rng)),
        lambda rng: _set_known(batch, rng.choice(FIELDS), odd(rng)),
        lambda rng: getattr(batch, rng.choice(FIELDS)),
        lambda rng: _write(getattr(batch, rng.choice(FIELDS[:9])), rng),
        lambda rng: phalanx.BatchSim(
            batch.model, small(odd(rng)), threads=odd(rng), lanes=rng.choice((1, 8, odd(rng)))
        ),
        lambda rng: phalanx.BatchSim(batch.model, 3, vary=rng.choice((odd(rng), {"body_mass": odd(rng)}))),
        lambda rng: phalanx.rollout(batch.model, odd(rng), rng.choice((None, odd(rng))), small(odd(rng))),
        lambda rng: phalanx.rollout(
            batch.model, {"qpos": odd(rng)}, None, 3, outputs=rng.choice((("qpos",), odd(rng)))
        ),
        lambda rng: batch.errors,
    ]


def _set_known(batch: phalanx.BatchSim, name: str, value: Any) -> None:
    """Set a field; private names of Python objects are nobody's business."""
    if not name.startswith("_") and name != "nothing":
        setattr(batch, name, value)


def _not_endless(n: Any) -> Any:
    """A count of steps that does not take forever."""
    return 3 if isinstance(n, int) and 10_000 < n < 2**62 else n


def _write(array: Any, rng: random.Random) -> None:
    """Write numbers into an array that is given to the user, if it may be written."""
    if isinstance(array, np.ndarray) and array.flags.writeable and array.size:
        array.reshape(-1)[rng.randrange(array.size)] = rng.choice((0.0, 1.0, -3.0, math.nan, 1e300, math.inf))


def _spoiled(snapshot: phalanx.Snapshot, rng: random.Random) -> dict[str, Any]:
    """A snapshot, of which a field may be damaged."""
    contents: dict[str, Any] = {name: array.copy() for name, array in snapshot.items()}
    name = rng.choice(list(contents))
    array = contents[name]
    damage = rng.randrange(6)
    if damage == 0:
        del contents[name]
    elif damage == 1:
        contents[name] = odd(rng)
    elif damage == 2:
        contents[name] = array.astype(rng.choice(("int64", "float32", "int8")))
    elif damage == 3:
        contents[name] = np.zeros((*array.shape, 2), array.dtype)
    elif array.size:
        array.reshape(-1)[rng.randrange(array.size)] = (
            rng.choice((1, 0, 100)) if array.dtype.kind == "b" else rng.choice((-1, 0, 1, 7, 2**30, -(2**31)))
        )
    return contents


def state(thing: Any) -> dict[str, bytes]:
    """State and inputs of a Data, which a call that fails leaves alone."""
    rows = [name for name in FIELDS[:9] if name not in ("time",)]
    return {name: np.asarray(getattr(thing, name)).tobytes() for name in rows}


def play(seed: int, rounds: int) -> list[str]:
    """A sequence of calls; what was found."""
    rng, found = random.Random(seed), []
    text = MODEL.format(integrator=rng.choice(INTEGRATORS))
    model = phalanx.Model.from_xml_string(text)
    data, batch = model.make_data(), phalanx.BatchSim(model, 10, threads=2)
    of_data, of_batch = calls_of_data(data), calls_of_batch(batch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(rounds):
            kind, which = rng.randrange(2), rng.randrange(1000)
            calls = (of_data, of_batch)[kind]
            call = calls[which % len(calls)]
            before = state(data)
            where = f"seed {seed}, call {k}, {'data' if kind == 0 else 'batch'} {which % len(calls)}"
            try:
                call(rng)
            except phalanx.WorldError:
                if np.isfinite(np.frombuffer(before["qpos"])).all() and not np.isfinite(data.qpos).all():
                    found.append(f"{where}: a state that is not finite was kept")
            except OURS:
                if state(data) != before:
                    found.append(f"{where}: the state changed in a call that failed")
            except Exception as error:
                found.append(f"{where}: {type(error).__name__}: {error}")
            if rng.random() < 0.05:
                data.reset()
                batch.reset_all()
    return found


def attack(seed: int, seconds: float) -> list[str]:
    """Play until the time is over; one line for each finding."""
    return attack_in_processes("run", seed, seconds, 400)
