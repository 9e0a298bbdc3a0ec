"""The tab of sliders: a control for each actuator, a position for each joint with one coordinate."""

from __future__ import annotations

import math
from typing import Any

from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.session import Session
from phalanx.show.viewer.widgets import Follower, Post, when_changed, when_clicked
from phalanx.tables.enums import JointType
from phalanx.world.model import Model

#: Sliders of a kind at most; a page with more would be slow.
MOST_SLIDERS = 100
#: Range of what has none: of a control, and of joints by type [m or rad].
FREE_CONTROL = (-1.0, 1.0)
FREE_JOINT = {JointType.HINGE: (-math.pi, math.pi), JointType.SLIDE: (-1.0, 1.0)}


class MoveTab:
    """Sliders of controls and joints."""

    def __init__(self, gui: Any, post: Post, session: Session, model: Model):
        self._controls: list[tuple[int, Follower]] = []
        self._joints: list[tuple[int, Any, Follower]] = []
        self._was_paused: bool | None = None
        with gui.add_folder("Actuators", visible=model.nu > 0):
            zero = gui.add_button("All to zero")
            when_clicked(zero, lambda: post(session.clear_controls))
            for index, label in enumerate(control_names(model)[:MOST_SLIDERS]):
                self._add_control(gui, post, session, model, index, label)
            _note_rest(gui, model.nu)
        movable = [joint for joint in range(model.njnt) if model.jnt_type[joint] in FREE_JOINT]
        with gui.add_folder("Joints (while paused)", visible=bool(movable)):
            for joint in movable[:MOST_SLIDERS]:
                self._add_joint(gui, post, session, model, joint)
            _note_rest(gui, len(movable))

    def _add_control(self, gui: Any, post: Post, session: Session, model: Model, index: int, label: str) -> None:
        """A slider over the range of a control."""
        low, high = model.actuator_ctrlrange[index] if model.actuator_ctrllimited[index] else FREE_CONTROL
        slider = _slider(gui, label, float(low), float(high), 0.0)
        follower = Follower(slider)
        when_changed(slider, lambda value: post(session.set_control, index, value), follower)
        self._controls.append((index, follower))

    def _add_joint(self, gui: Any, post: Post, session: Session, model: Model, joint: int) -> None:
        """A slider over the range of a joint."""
        limits = model.jnt_range[joint] if model.jnt_limited[joint] else FREE_JOINT[JointType(model.jnt_type[joint])]
        label = model.names.names["joint"][joint] or f"joint {joint}"
        adr = int(model.jnt_qposadr[joint])
        slider = _slider(gui, label, float(limits[0]), float(limits[1]), float(model.qpos0[adr]))
        follower = Follower(slider)
        when_changed(slider, lambda value: post(session.set_joint, joint, value), follower)
        self._joints.append((adr, slider, follower))

    def show(self, frame: Frame) -> None:
        """Let the sliders follow the world."""
        for index, follower in self._controls:
            follower.set(float(frame.ctrl[index]))
        for adr, slider, follower in self._joints:
            follower.set(float(frame.qpos[adr]))
            if frame.is_paused is not self._was_paused:
                slider.disabled = not frame.is_paused
        self._was_paused = frame.is_paused


def _slider(gui: Any, label: str, low: float, high: float, start: float) -> Any:
    """A slider of a thousand steps."""
    high = high if high > low else low + 1e-6
    return gui.add_slider(label, low, high, (high - low) / 1000, min(max(start, low), high))


def _note_rest(gui: Any, count: int) -> None:
    """Say so if not all have a slider."""
    if count > MOST_SLIDERS:
        gui.add_markdown(f"{count - MOST_SLIDERS} more have no slider here.")


def control_names(model: Model) -> list[str]:
    """A label for each control: the name of its actuator, with an index if that has several."""
    labels = [""] * model.nu
    for actuator, name in enumerate(model.names.names["actuator"]):
        first, count = int(model.actuator_ctrladr[actuator]), int(model.actuator_ctrlnum[actuator])
        for k in range(count):
            own = name or f"actuator {actuator}"
            labels[first + k] = own if count == 1 else f"{own}[{k}]"
    return [label or f"ctrl {k}" for k, label in enumerate(labels)]
