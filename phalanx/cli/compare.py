"""`phalanx compare`: the same model and the same states in Phalanx and in MuJoCo."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

import numpy as np
import typer

from phalanx.cli.console import CommandError, console
from phalanx.cli.differences import Difference, data_differences, model_differences, stages_of
from phalanx.cli.explained import PAGE, explanation
from phalanx.cli.model_file import (
    ModelPath,
    Seed,
    import_mujoco,
    load_model,
    mujoco_model,
    random_controls,
    spoken_warnings,
)
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.world.data import Data
from phalanx.world.model import Model

#: Relative difference that rounding, and the tolerance of the solver, may cause.
TOLERANCE = 1e-8
#: How far states are from qpos0: seconds of a random velocity of about 1 rad/s or m/s.
SPREAD = 0.3


def compare(
    model_file: ModelPath,
    states: Annotated[int, typer.Option(help="Count of random states to try.", min=1)] = 10,
    seed: Seed = 0,
    tolerance: Annotated[
        float, typer.Option(help="Largest difference, relative to the largest value of a field.")
    ] = TOLERANCE,
    everything: Annotated[bool, typer.Option("--all", help="List all differences, not the first one only.")] = False,
) -> None:
    """Compile a model and run forward in both engines; print the first stage and field that differ.

    Random positions, velocities, controls and forces; every field of every stage, in the order of the pipeline. A
    difference that docs/differences.md explains is said to be known. The exit code is 1 if there are differences. Needs
    MuJoCo.
    """
    if not tolerance >= 0:
        raise CommandError(f"--tolerance is a number that is not negative, not {tolerance:g}")
    import_mujoco("compare")
    # what MuJoCo makes of a URDF file is another model than what we make of it
    model = load_model(model_file, ["style=mujoco"] if model_file.suffix.lower() == ".urdf" else None)
    mujoco, mjmodel = mujoco_model(model_file, "compare")
    # a wrong model makes every stage differ, so the first difference is the one to look at
    shown = None if everything else 1
    found = list(islice(model_differences(model, mjmodel, tolerance), shown))
    show(found, model, None)
    if found and not everything:
        raise typer.Exit(1)
    fields = 0
    with spoken_warnings():
        data = model.make_data()
    mjdata = mujoco.MjData(mjmodel)
    for k in range(states):
        set_random_state(mujoco, mjmodel, mjdata, np.random.default_rng([seed, k]))
        copy_state(data, mjdata)
        mujoco.mj_forward(mjmodel, mjdata)
        data.forward()
        beyond = list(islice(data_differences(data, mjmodel, mjdata, tolerance), shown))
        if beyond:
            console.print(f"state {k} of seed {seed}, {data.ncon} contacts:", markup=False)
            show(beyond, model, data)
            fields += len(beyond)
            if not everything:
                raise typer.Exit(1)
    if found or fields:
        raise typer.Exit(1)
    console.print(
        f"{model_file}: the compiled model and {states} random states agree with MuJoCo {mujoco.__version__} to "
        f"{tolerance:g} in {len(stages_of(model))} stages", markup=False, soft_wrap=True,
    )  # fmt: skip


def show(differences: list[Difference], model: Model, data: Data | None) -> None:
    """Print differences, a line each; the first one, which may cause the others, with its explanation."""
    for k, difference in enumerate(differences):
        console.print(str(difference), markup=False, soft_wrap=True)
        if k == 0:
            console.print(f"  {verdict(difference, model, data)}", markup=False, soft_wrap=True)


def verdict(difference: Difference, model: Model, data: Data | None) -> str:
    """Is a difference one that is known?"""
    paragraph = explanation(difference, model, data)
    if paragraph:
        return f'known, see "{paragraph}" in {PAGE}'
    return f"not one that {PAGE} explains: please report it, with the model"


def set_random_state(mujoco: Any, mjmodel: Any, mjdata: Any, rng: np.random.Generator) -> None:
    """A state around qpos0, with velocities, controls, activations and applied forces."""
    mujoco.mj_resetData(mjmodel, mjdata)
    mujoco.mj_integratePos(mjmodel, mjdata.qpos, rng.normal(size=mjmodel.nv), SPREAD)
    mjdata.qvel[:] = rng.normal(size=mjmodel.nv)
    mjdata.ctrl[:] = random_controls(mjmodel, rng)
    mjdata.act[:] = rng.uniform(size=mjmodel.na)
    mjdata.qfrc_applied[:] = rng.normal(size=mjmodel.nv)
    mjdata.xfrc_applied[1:] = rng.normal(size=(mjmodel.nbody - 1, 6))


def copy_state(data: Data, mjdata: Any) -> None:
    """Bring a Data to the state of a MjData."""
    data.reset()
    for name, row in DATA_SCHEMA.fields.items():
        if row.state and row.mujoco != "-":
            setattr(data, name, np.reshape(getattr(mjdata, row.mujoco or name), np.shape(getattr(data, name))))
