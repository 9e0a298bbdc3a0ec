"""The first tab: run and pause, speed, reset, the past, the camera."""

from __future__ import annotations

from typing import Any

from phalanx.show.viewer.moment import Frame
from phalanx.show.viewer.session import FREE, TRACKING, Session
from phalanx.show.viewer.widgets import Follower, Post, when_changed, when_clicked
from phalanx.world.model import Model

#: Factors of speed with a button of their own.
SPEEDS = ("0.1", "0.25", "0.5", "1", "2", "5")
#: Steps of the buttons that step.
STEPS = (1, 10, 100)


class RunTab:
    """Run, pause, step, speed, reset, time, camera."""

    def __init__(self, gui: Any, post: Post, session: Session, model: Model):
        self._run = gui.add_button("Pause", icon="player-pause")
        when_clicked(self._run, lambda: post(session.toggle))
        steps = gui.add_button_group("Step", [str(n) for n in STEPS], hint="Take this many steps, then stand still")
        when_clicked(steps, lambda: post(session.single_step, int(steps.value)))
        self._speed(gui, post, session)
        self._reset(gui, post, session, model)
        self._back = gui.add_slider(
            "Time [s]", 0.0, 0.001, 0.001, 0.0, hint="Go back; running on from there forgets what came after"
        )
        self._following = Follower(self._back)
        when_changed(self._back, lambda value: post(session.go_to, value), self._following)
        cameras = [FREE, TRACKING, *(name for name in model.names.names["camera"] if name)]
        self.camera = gui.add_dropdown("Camera", cameras, initial_value=FREE)
        when_changed(self.camera, lambda value: post(session.look_through, value))

    def _speed(self, gui: Any, post: Post, session: Session) -> None:
        """A button for usual factors, a number for all others."""
        number = gui.add_number("Speed", session.clock.speed, min=0.001, max=1000.0, hint="times real time")
        when_changed(number, lambda value: post(session.set_speed, value))
        buttons = gui.add_button_group(" ", SPEEDS)

        def choose() -> None:
            number.value = float(buttons.value)
            post(session.set_speed, float(buttons.value))

        when_clicked(buttons, choose)

    def _reset(self, gui: Any, post: Post, session: Session, model: Model) -> None:
        """Back to the initial state or to a keyframe."""
        keys = [name or f"keyframe {key}" for key, name in enumerate(model.names.names["key"])]
        reset = gui.add_button("Reset", icon="rotate")
        when_clicked(reset, lambda: post(session.reset))
        if keys:
            choice = gui.add_dropdown("Keyframe", keys)
            load = gui.add_button("Go to keyframe")
            when_clicked(load, lambda: post(session.reset, keys.index(choice.value)))

    def show(self, frame: Frame) -> None:
        """Let the button and the slider follow the world."""
        self._run.label = "Run" if frame.is_paused else "Pause"
        self._run.icon = "player-play" if frame.is_paused else "player-pause"
        first, last = frame.span
        self._back.min, self._back.max = first, max(last, first + 0.001)
        self._following.set(min(max(frame.time, first), last))
