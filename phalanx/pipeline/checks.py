"""Numbers that make no sense: stop the world, or reset it as MuJoCo does.

Each world is checked alone. A world that stops keeps its last good state; `error_code` and `error_id` say why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import and_, any_, not_, or_, where
from phalanx.integrator.state_limits import count_warning, first_bad, is_alive, is_finite, is_sane, stop_worlds
from phalanx.memory.awake import awake_bodies, awake_dofs, awake_dofs_backward, awake_positions
from phalanx.memory.growth import lacks_memory
from phalanx.pipeline.initial_state import initial_state
from phalanx.tables.data_fields import DATA, WATCHED
from phalanx.tables.enums import BAD_ROW, UNSOLVED, ErrorPolicy, WarningType
from phalanx.tables.field import rows_by_name

UNSOLVED_CODE = float(UNSOLVED)

#: What `status` says, the gravest first: memory or a part is missing; a world has stopped; a control was bad.
FINE, SHORT, STOPPED, BAD_CONTROL = range(4)


@kernel
def check_start(m, d):
    """State and inputs before the first of several steps: the end of each step takes care of the next."""
    if d.error_policy == ErrorPolicy.STOP and has_bad_row(m, d):
        check_state(m, d)
        stop_endless_rows(m, d)


@kernel
def check_state(m, d):
    """qpos and qvel before a step. True if some world was reset."""
    is_reset = report_bad(m, d, first_bad(d.qpos, m.nq), WarningType.BADQPOS)
    return report_bad(m, d, first_bad(d.qvel, m.nv), WarningType.BADQVEL) or is_reset


@kernel
def check_acc(m, d):
    """qacc after forward. True if some world was reset, so that forward must run again."""
    index = -1.0
    for dof in awake_dofs_backward(m, d):
        index = where(is_sane(d.qacc[dof]), index, float(dof))
    return report_bad(m, d, index, WarningType.BADQACC)


@kernel
def report_bad(m, d, index, warning):
    """Deal with the worlds whose `index` names a bad number; True if any was reset."""
    is_bad = and_(is_alive(d), index >= 0.0)
    if not any_(is_bad):
        return False
    count_warning(d, is_bad, warning, index)
    if d.error_policy == ErrorPolicy.RESET:
        reset_worlds(m, d, is_bad)
        return True
    stop_worlds(d, is_bad, 1.0 + warning, index)
    return False


@kernel
def check_solver(m, d):
    """Stop worlds whose constraints were not solved, where that is asked for."""
    if d.is_strict:
        stop_worlds(d, and_(is_alive(d), d.solver_unsolved >= 0.0), UNSOLVED_CODE, d.solver_unsolved)


@kernel
def reset_worlds(m, d, chosen):
    """Begin anew in the chosen worlds; accelerations of the bad state are forgotten."""
    initial_state(m, d, chosen)
    for dof in range(m.nv):
        d.qacc[dof] = where(chosen, 0.0, d.qacc[dof])


@kernel
def has_stopped(d):
    """Has every world failed?"""
    return not any_(is_alive(d))


@kernel
def status(d):
    """What Python must attend to after an operation."""
    if lacks_memory(d):
        return SHORT
    if any_(d.error_code != 0.0):
        return STOPPED
    if any_(d.warning_number[WarningType.BADCTRL] > 0.0):
        return BAD_CONTROL
    return FINE


# --- state and inputs that must be finite: two kernels, written from the rows


def _loops(name: str) -> tuple[list[str], str, str, str]:
    """Loops over the elements of a row, the indentation inside them, the element, and its place in the whole row."""
    shape = rows_by_name(DATA)[name].shape
    extents = [axis if isinstance(axis, int) else f"m.{axis}" for axis in shape]
    lines = [f"{'    ' * (axis + 1)}for i{axis} in range({extent}):" for axis, extent in enumerate(extents)]
    indices = [f"i{axis}" for axis in range(len(shape))]
    element = f"d.{name}[{', '.join(indices)}]" if indices else f"d.{name}"
    place = {0: "0", 1: "i0", 2: f"{extents[-1] if extents else 0} * i0 + i1"}[len(shape)]
    return lines, "    " * (len(shape) + 1), element, place


#: Rows of trees -> their loop over all elements, and that over what is awake.
_AWAKE = {
    "qpos": ("range(m.nq)", "awake_positions(m, d)"),
    "qvel": ("range(m.nv)", "awake_dofs(m, d)"),
    "qacc_warmstart": ("range(m.nv)", "awake_dofs(m, d)"),
    "qfrc_applied": ("range(m.nv)", "awake_dofs(m, d)"),
    "xfrc_applied": ("range(m.nbody)", "awake_bodies(m, d)"),
}


def _search_source() -> Iterator[str]:
    """The kernel that looks whether there is anything to report: almost never."""
    yield "def has_bad_row(m, d):"
    yield '    """Is a position or a velocity bad, or a number of WATCHED rows not finite, in a world?"""'
    yield "    is_bad = not_(is_finite(d.time))"
    for name in ("qpos", "qvel", *WATCHED[1:]):
        lines, indent, element, _ = _loops(name)
        # a number of what sleeps that has changed wakes it, and the end of the step looks at what is awake
        yield lines[0].replace(*_AWAKE[name]) if name in _AWAKE else lines[0]
        yield from lines[1:]
        yield f"{indent}is_bad = or_(is_bad, not_({'is_finite' if name in WATCHED else 'is_sane'}({element})))"
    yield "    return any_(is_bad)"


def _report_source() -> Iterator[str]:
    """The kernel that stops worlds; the first row that is bad is reported, with the first of its bad numbers."""
    yield "def stop_endless_rows(m, d):"
    yield '    """Stop worlds where a number of WATCHED rows is NaN or infinite."""'
    for k, name in enumerate(WATCHED):
        lines, indent, element, place = _loops(name)
        yield from lines
        yield f"{indent}is_bad = and_(is_alive(d), not_(is_finite({element})))"
        yield f"{indent}stop_worlds(d, is_bad, {float(BAD_ROW + k)}, float({place}))"


_NAMES: dict[str, Any] = {
    function.__name__: function
    for function in (
        and_, any_, awake_bodies, awake_dofs, awake_positions, is_alive, is_finite, is_sane, not_, or_, stop_worlds,
    )
}  # fmt: skip
has_bad_row = kernel(define("\n".join(_search_source()) + "\n", _NAMES, "has_bad_row"))
stop_endless_rows = kernel(define("\n".join(_report_source()) + "\n", _NAMES, "stop_endless_rows"))
