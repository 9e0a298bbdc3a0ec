"""What a hook costs, and rollouts of both engines.

A PD controller holds the joints of the humanoid. Closed loop: the controller is a hook of the step here, a Python
callback in MuJoCo. Open loop: the controls that it gave are played back, so that the physics is the same, number by
number.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import mujoco
import mujoco.rollout
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.contestants import mujoco_rollout, timed
from benchmarks.regimes import TIMED, Start, make_start
from benchmarks.scenes import BY_NAME
from benchmarks.timing import best_own_times

SCENE = "humanoid"
KP, KD = 2.0, 0.1
#: Worlds that are stepped in a loop of Python.
LOOPED = 32


def pd_controller(mjmodel: Any) -> Callable[[Any, Any], None]:
    """A hook that pulls each actuated joint to its place at qpos0."""
    joints = mjmodel.actuator_trnid[:, 0]
    place, dof = mjmodel.jnt_qposadr[joints], mjmodel.jnt_dofadr[joints]
    target = mjmodel.qpos0[place]

    def control(m, d):
        for i in range(m.nu):
            d.ctrl[i] = KP * (target[i] - d.qpos[place[i]]) - KD * d.qvel[dof[i]]

    return control


def pd_callback(mjmodel: Any) -> Callable[[Any, Any], None]:
    """The same for MuJoCo, over all actuators at once, which is the fastest way in Python."""
    joints = mjmodel.actuator_trnid[:, 0]
    place, dof = mjmodel.jnt_qposadr[joints], mjmodel.jnt_dofadr[joints]
    target = mjmodel.qpos0[place]

    def control(m: Any, d: Any) -> None:
        d.ctrl[:] = KP * (target - d.qpos[place]) - KD * d.qvel[dof]

    return control


def mujoco_steps(mjmodel: Any, start: Start, callback: Any) -> Callable[[], int]:
    """Steps in a loop of Python, with a callback or with the controls that it would give."""
    datas = [mujoco.MjData(mjmodel) for _ in range(min(LOOPED, start.worlds))]

    def prepare() -> None:
        for world, data in enumerate(datas):
            for name, rows in start.states.items():
                getattr(data, name)[:] = rows[world]

    def run() -> int:
        mujoco.set_mjcb_control(callback)
        for world, data in enumerate(datas):
            for t in range(TIMED):
                data.ctrl[:] = start.controls[world, t]
                mujoco.mj_step(mjmodel, data)
        mujoco.set_mjcb_control(None)
        return TIMED * len(datas)

    return timed(run, prepare)


def phalanx_rollout(model: phalanx.Model, start: Start, controls: Any, threads: int) -> Callable[[], int]:
    def run() -> int:
        phalanx.rollout(model, start.states, controls, TIMED, threads=threads)
        return TIMED * start.worlds

    return timed(run, lambda: None)


def bench_hooks(console: Console, rounds: int) -> None:
    """Microseconds per step of one world."""
    mjmodel = BY_NAME[SCENE].load_whole()
    if mjmodel is None:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
        start, model = make_start(mjmodel), phalanx.Model.from_mujoco(mjmodel)
        hooked = model.with_hooks(control=pd_controller(mjmodel))
        controls = phalanx.rollout(hooked, start.states, None, TIMED, outputs=("ctrl",)).ctrl
        played = Start(start.states, controls)
        times = best_own_times(
            {
                "MuJoCo, open loop, mj_step": mujoco_steps(mjmodel, played, None),
                "MuJoCo, Python callback": mujoco_steps(mjmodel, played, pd_callback(mjmodel)),
                "MuJoCo, open loop, mujoco.rollout": mujoco_rollout(mjmodel, played),
                "Phalanx, open loop, rollout": phalanx_rollout(model, played, controls, 1),
                "Phalanx, hook, rollout": phalanx_rollout(hooked, played, None, 1),
            },
            rounds,
        )
    table = Table(title=f"a PD controller in {start.worlds} worlds of the {SCENE}, one thread, microseconds per step")
    for column in ("what", "time", "against its open loop"):
        table.add_column(column, justify="left" if column == "what" else "right")
    open_loop = {
        "MuJoCo, Python callback": "MuJoCo, open loop, mj_step",
        "Phalanx, hook, rollout": "Phalanx, open loop, rollout",
    }
    for what, seconds in times.items():
        cost = f"{100 * (seconds / times[open_loop[what]] - 1):+.1f} %" if what in open_loop else ""
        table.add_row(what, f"{1e6 * seconds:.2f}", cost)
    console.print(table)
