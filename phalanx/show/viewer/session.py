"""Session: the world that is viewed and all that the user can do with it. Only the world thread calls its methods."""

from __future__ import annotations

import time as wall
from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, PhalanxError, UnknownNameError, suggestion
from phalanx.memory.fill import real, whole
from phalanx.scene.camera import Camera, view_of
from phalanx.scene.marks import Marks
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.shapes import Shapes
from phalanx.scene.show import Show
from phalanx.scene.surfaces import FOLLOWING, following_vertices
from phalanx.scene.view import View
from phalanx.show.viewer.about import about_body
from phalanx.show.viewer.arrangement import Layout
from phalanx.show.viewer.batch_world import ManyWorlds
from phalanx.show.viewer.clock import Clock
from phalanx.show.viewer.commands import Commands
from phalanx.show.viewer.handle import Handle
from phalanx.show.viewer.moment import Cast, Frame
from phalanx.show.viewer.one_world import OneWorld
from phalanx.show.viewer.past import Past
from phalanx.show.viewer.plot_fields import plot_field
from phalanx.show.viewer.plots import Curves
from phalanx.tables.enums import GeomType, JointType
from phalanx.world.data import Data

#: Steps are taken in pieces of this length [s of the wall], so that commands do not wait.
PIECE = 0.008
#: Choices of the camera besides those of the model.
FREE, TRACKING = "free", "tracking"
#: Plots in the page at most.
MOST_PLOTS = 8


class Session:
    """A world, whether it runs, and what is shown of it.

    Attributes:
        world: the world or the worlds.
        commands: what the page asks for.
        clock: real time and the speed factor.
        past: states to go back to.
        handle: what the user has selected and drags.
        marks: drawings of the user.
        is_paused: whether the world stands still.
        problem: what went wrong, "" if nothing did.
        camera: what the page looks through: "free", "tracking", or the name of a camera.
    """

    def __init__(self, world: OneWorld | ManyWorlds, *, show: Any = None, speed: float = 1.0, is_paused: bool = False):
        self.commands = Commands()
        self.marks = Marks()
        self.show = Show.of(show)
        self.is_paused = is_paused
        self.problem = ""
        self.camera = FREE
        self._pending = 0
        self._cost = 0.0
        self._noted = 0.0
        self.begin(world, speed)

    def begin(self, world: OneWorld | ManyWorlds, speed: float) -> None:
        """View a world, perhaps another one than before."""
        self.world = world
        self.clock = Clock(float(world.model.opt.timestep), speed)
        self.past = Past(world.state_size)
        self.handle = Handle(world)
        self.curves: list[Curves] = []
        self.world.forward()
        self._prepare()

    def _prepare(self) -> None:
        """Find out what there is to see."""
        self.builder = SceneBuilder(self.world.model, self.show)
        self._cast: Cast | None = None

    def complain(self, error: Exception) -> None:
        """Show what went wrong in the page."""
        is_ours = isinstance(error, PhalanxError)
        self.problem = str(error) if is_ours else f"{type(error).__name__}: {error}"

    # --- time

    def advance(self, now: float) -> bool:
        """Take the steps that are due at a time of the wall [s], as far as they fit a piece; were there any?"""
        if self._pending:
            due = self._pending
        elif self.is_paused:
            return False
        else:
            due = self.clock.due(now)
        if not due:
            return False
        n = min(due, max(1, int(PIECE / self._cost))) if self._cost else 1
        start = wall.perf_counter()
        try:
            self.handle.step(n)
        except Exception as error:
            # a world that fails stands still where it was good last; the page tells why
            self.pause(True)
            self.complain(error)
            return False
        spent = (wall.perf_counter() - start) / n
        self._cost = spent if not self._cost else 0.9 * self._cost + 0.1 * spent
        self._pending = max(0, self._pending - n)
        self.clock.count(n, now)
        return True

    def pause(self, is_paused: bool) -> None:
        """Stop, or go on."""
        self.is_paused = bool(is_paused)
        self._pending = 0
        self.clock.stop()
        if not is_paused:
            self.problem = ""

    def note_steps(self, time: float, now: float) -> None:
        """The user has stepped the world to a time [s]; `now` is that of the wall."""
        steps = round((time - self._noted) / self.clock.timestep)
        if steps > 0:
            self.clock.count(steps, now)
        self._noted = time
        self._pending = max(0, self._pending - 1)

    @property
    def is_waiting(self) -> bool:
        """Does the world stand still, with no single steps to take?"""
        return self.is_paused and not self._pending

    def toggle(self) -> None:
        """Stop if it runs, run if it stands still."""
        self.pause(not self.is_paused)

    def single_step(self, n: int = 1) -> None:
        """Stop, and take n steps."""
        self.pause(True)
        self.problem = ""
        self._pending = whole("n", n, 1)

    def set_speed(self, speed: float) -> None:
        """Simulated seconds per second of the wall."""
        self.clock.speed = speed

    def reset(self, keyframe: int | str | None = None) -> None:
        """Back to the initial state, or to a keyframe by name or id."""
        key = None if keyframe is None else self.world.model.names.id_of("key", keyframe)
        self.world.reset(key)
        self.handle.release()
        self.problem = ""
        self.clock.stop()
        self.world.forward()

    def go_to(self, time: float) -> None:
        """Stop, and go back to a time of the past [s]. Going on from there forgets what came after."""
        self.pause(True)
        _, state = self.past.at(real("time", time))
        self.world.set_state(state)
        self.handle.release()
        self.problem = ""
        self.world.forward()

    # --- controls and positions

    def set_control(self, index: int, value: float) -> None:
        """Set a control of the followed world."""
        data = self.world.data
        data.ctrl[whole("control", index, 0, len(data.ctrl) - 1)] = real("ctrl", value)
        self.world.changed()
        if self.is_paused:
            self.world.forward()

    def clear_controls(self) -> None:
        """All controls of the followed world are zero."""
        self.world.data.ctrl[:] = 0
        self.world.changed()
        if self.is_paused:
            self.world.forward()

    def set_joint(self, joint: int, value: float) -> None:
        """Put a hinge or a slide joint somewhere [rad or m]; only while the world stands still."""
        model, data = self.world.model, self.world.data
        joint = whole("joint", joint, 0, model.njnt - 1)
        if model.jnt_type[joint] not in (JointType.HINGE, JointType.SLIDE):
            raise FieldError(f"joint {joint} has several coordinates: set data.qpos instead")
        if not self.is_paused:
            raise FieldError("joints can be set while the world is paused")
        data.qpos[model.jnt_qposadr[joint]] = real("qpos", value)
        self.world.changed()
        self.world.forward()

    # --- what is shown

    def set_show(self, changes: Mapping[str, Any]) -> None:
        """Show more or less: arguments of `Show` by name."""
        self.show = self.show.replace(**changes)
        self._prepare()

    def look_through(self, camera: str) -> None:
        """Look through "free", "tracking", or a camera of the model."""
        known = self._cameras()
        if camera not in known:
            raise UnknownNameError(
                f"there is no camera {camera!r}{suggestion(str(camera), known)}; there are {', '.join(known)}"
            )
        self.camera = camera

    def add_plot(self, text: str) -> None:
        """Plot a field by name, see `plot_fields.py`."""
        if len(self.curves) >= MOST_PLOTS:
            raise FieldError(f"the page has {MOST_PLOTS} plots already: remove some first")
        self.curves.append(Curves(plot_field(text, self.world.data)))

    def clear_plots(self) -> None:
        """Remove all plots."""
        self.curves.clear()

    def select(self, body: int, world: int | None = None) -> None:
        """Select a body; in a batch, follow its world. -1 for none."""
        if isinstance(self.world, ManyWorlds) and world is not None and world != self.world.followed:
            self.handle.release()
            self.world.follow(whole("world", world, 0, self.world.count - 1))
            self._prepare()
        self.handle.select(whole("body", body, -1, self.world.model.nbody - 1))
        self._cast = None

    def grab(self, body: int, world: int, point: np.ndarray, is_rotating: bool) -> None:
        """Take hold of a point of a body, given in the page [m]; in a batch, of that world."""
        self.select(body, world)
        self.handle.grab(body, point - self._origin, is_rotating)

    def pull(self, point: np.ndarray, toward: np.ndarray) -> None:
        """Pull what was grabbed to a point of the page [m]; `toward` points to the eye."""
        self.handle.pull(point - self._origin, toward, self.is_paused)

    def release(self) -> None:
        """Let go of what was grabbed."""
        self.handle.release()

    @property
    def _origin(self) -> np.ndarray:
        """Where the followed world stands in the page [m]."""
        return self.world.offsets[self.world.followed]

    @property
    def layout(self) -> Layout:
        """How worlds are laid out; one world is a grid of one."""
        return self.world.layout if isinstance(self.world, ManyWorlds) else Layout.GRID

    def lay_out(self, layout: Layout) -> None:
        """Worlds of a batch in a grid, or in one place."""
        assert isinstance(self.world, ManyWorlds), "one world needs no layout"
        self.world.place(layout)
        self._cast = None

    def replace_world(self, data: Data) -> None:
        """Go on with another Data, of another model."""
        self.begin(OneWorld(data), self.clock.speed)
        if self.camera not in self._cameras():
            self.camera = FREE

    def _cameras(self) -> tuple[str, ...]:
        """All that the page can look through."""
        return (FREE, TRACKING, *(name for name in self.world.model.names.names["camera"] if name))

    # --- frames

    def frame(self) -> Frame:
        """A copy of everything that the page shows now; notes the state for the past, and samples for the plots."""
        world = self.world
        world.refresh()
        data = world.data
        shapes = self.builder.shapes(data, marks=self.marks, perturb=self.handle.shown)
        persistent = self.builder.persistent
        # what was at a time when nothing moves is there already
        if not self.is_paused or not len(self.past):
            self.past.add(data.time, world.get_state())
            for curves in self.curves:
                curves.add(data)
        pos, mat = world.poses(shapes, persistent)
        return Frame(
            cast=self._cast_of(shapes, persistent),
            pos=pos,
            mat=mat,
            following=following_of(data, shapes, persistent),
            passing=Shapes.joined([part_of(shapes, persistent), texts_of(shapes, persistent), world.labels()]),
            origin=self._origin,
            time=data.time,
            is_paused=self.is_paused,
            speed=self.clock.measured,
            problem=self.problem,
            span=self.past.span,
            view=self._view(),
            anchor=self._anchor(),
            ctrl=data.ctrl.copy(),
            qpos=data.qpos.copy(),
            sensordata=data.sensordata.copy(),
            curves=tuple((curves.field, curves.columns()) for curves in self.curves),
            about=about_body(data, self.handle.body),
        )

    def _cast_of(self, shapes: Shapes, persistent: int) -> Cast:
        """The persistent shapes: the same object until something about them changes."""
        if self._cast is None:
            world = self.world
            constant = part_of(shapes, 0, persistent)
            self._cast = Cast(
                model=world.model,
                structure=world.structure,
                show=self.show,
                lights=self.builder.lights(world.data),
                shapes=constant,
                count=len(world.offsets),
                followed=world.followed,
                is_overlay=self.layout is Layout.OVERLAY,
                selected=self.handle.body,
            )
        return self._cast

    def first_view(self) -> View:
        """Where a page looks from when it opens: MuJoCo's free camera, far enough for all worlds."""
        model = self.world.structure
        return view_of(model, self.world.data, Camera(distance=self.first_distance()), 640, 480)

    def first_distance(self) -> float:
        """How far that is from the middle [m]."""
        reach = float(np.abs(self.world.offsets).max())
        return float(Camera().filled(self.world.structure).distance or 0.0) + 2.5 * reach

    def _view(self) -> View | None:
        """What a camera of the model sees, None if the user moves the camera."""
        if self.camera in (FREE, TRACKING):
            return None
        return view_of(self.world.model, self.world.data, self.camera, 640, 480)

    def _anchor(self) -> np.ndarray | None:
        """The point that a tracking camera moves along with: the selected body, or the first one."""
        if self.camera != TRACKING or self.world.model.nbody < 2:
            return None
        body = max(1, self.handle.body)
        return self.world.data.subtree_com[body] + self._origin


def following_of(data: Data, shapes: Shapes, persistent: int) -> dict[int, np.ndarray]:
    """Vertices of each skin and flex, by its row."""
    rows = np.flatnonzero(np.isin(shapes.kind[:persistent], FOLLOWING)).tolist()
    return {
        row: following_vertices(data.model, data, int(shapes.kind[row]), int(shapes.dataid[row]))[0] for row in rows
    }


def texts_of(shapes: Shapes, persistent: int) -> Shapes:
    """The labels of persistent shapes, as shapes of their own."""
    rows = [row for row in range(persistent) if shapes.labels[row]]
    found = Shapes.empty(len(rows))
    if rows:
        found.kind[:] = GeomType.LABEL
        found.pos[:] = shapes.pos[rows]
        found.labels[:] = [shapes.labels[row] for row in rows]
    return found


def part_of(shapes: Shapes, first: int, last: int | None = None) -> Shapes:
    """Some rows of Shapes, copied."""
    columns = {name: value[first:last] for name, value in vars(shapes).items()}
    return Shapes(**{name: value.copy() for name, value in columns.items()})
