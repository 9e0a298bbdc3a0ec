"""Models with first-party plugins, and MuJoCo's registered plugins seen through its library."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from pathlib import Path

import mujoco
import numpy as np

from phalanx.tables.plugins import PLUGINS, PluginType

SHAPES = tuple(PluginType)[PluginType.BOLT :]


def configured(config: Mapping[str, str]) -> str:
    """Elements of a configuration."""
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())


def declared(name: str, instances: Mapping[str, Mapping[str, str]]) -> str:
    """An extension section with instances of one plugin."""
    inside = "".join(f'<instance name="{key}">{configured(value)}</instance>' for key, value in instances.items())
    return f'<extension><plugin plugin="{name}">{inside}</plugin></extension>'


def shape_model(kind: PluginType, other: str = "", config: Mapping[str, str] | None = None, option: str = "") -> str:
    """A free body with the shape of a plugin, and perhaps another body."""
    second = f"<body><freejoint/>{other}</body>" if other else ""
    return f"""<mujoco>{declared(PLUGINS[kind].name, {"i": config or {}})}<option {option}/>
    <asset><mesh name="s"><plugin instance="i"/></mesh>
    <mesh name="cube" vertex="-.2 -.2 -.2 .2 -.2 -.2 -.2 .2 -.2 .2 .2 -.2 -.2 -.2 .2 .2 -.2 .2 -.2 .2 .2 .2 .2 .2"/>
    </asset><worldbody><geom type="plane" size="5 5 .1" pos="0 0 -1"/>
    <body name="b"><freejoint/><geom name="g" type="sdf" mesh="s"><plugin instance="i"/></geom></body>{second}
    </worldbody></mujoco>"""


# --- MuJoCo's plugins

_CALLS = (
    "nstate", "nsensordata", "init", "destroy", "copy", "reset", "compute", "advance", "visualize", "actuator_act_dot",
    "sdf_distance", "sdf_gradient", "sdf_staticdistance", "sdf_attribute", "sdf_aabb",
)  # fmt: skip


class MjpPlugin(ctypes.Structure):
    """mjpPlugin of mjplugin.h."""

    _fields_ = [
        ("name", ctypes.c_char_p), ("nattribute", ctypes.c_int), ("attributes", ctypes.POINTER(ctypes.c_char_p)),
        ("capabilityflags", ctypes.c_int), ("needstage", ctypes.c_int), *((call, ctypes.c_void_p) for call in _CALLS),
    ]  # fmt: skip


def registered() -> list[MjpPlugin]:
    """The plugins that MuJoCo has loaded, by slot."""
    (path,) = Path(mujoco.__file__).parent.glob("libmujoco.so*")
    library = ctypes.CDLL(str(path))
    library.mjp_getPluginAtSlot.restype = ctypes.POINTER(MjpPlugin)
    return [library.mjp_getPluginAtSlot(slot).contents for slot in range(library.mjp_pluginCount())]


def registered_as(name: str) -> MjpPlugin:
    """The plugin of a name."""
    return next(plugin for plugin in registered() if plugin.name.decode() == name)


_NUMBERS = ctypes.POINTER(ctypes.c_double)


def their_distances(name: str, config: tuple[float, ...], points: np.ndarray) -> np.ndarray:
    """Signed distances as MuJoCo's plugin gives them."""
    call = ctypes.CFUNCTYPE(ctypes.c_double, _NUMBERS, _NUMBERS)(registered_as(name).sdf_staticdistance)
    numbers = (ctypes.c_double * 8)(*config)
    return np.array([call((ctypes.c_double * 3)(*point), numbers) for point in points])


def their_box(name: str, config: tuple[float, ...]) -> np.ndarray:
    """Center and half sizes of the box around the surface."""
    box = (ctypes.c_double * 6)()
    call = ctypes.CFUNCTYPE(None, _NUMBERS, _NUMBERS)(registered_as(name).sdf_aabb)
    call(box, (ctypes.c_double * 8)(*config))
    return np.array(box)
