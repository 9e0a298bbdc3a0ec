"""Which devices there are for the worlds of a batch."""

from __future__ import annotations

import functools
from typing import Any

from phalanx.device.cuda import cuda_device
from phalanx.device.emulated import EmulatedDevice
from phalanx.device.protocol import CUDA, EMULATED, Device
from phalanx.memory.errors import DeviceError, suggestion
from phalanx.native.notice import say


def device_named(name: Any) -> Device:
    """The device of this name.

    Raises:
        DeviceError: there is no such device, or it cannot be used here; the message says why.
    """
    if not isinstance(name, str):
        raise DeviceError(f"a device is chosen by name, not by {type(name).__name__}")
    if name == EMULATED:
        return _emulated()
    if name == CUDA:
        return cuda_device()
    known = ("cpu", "auto", CUDA, EMULATED)
    raise DeviceError(f"there is no device {name!r}{suggestion(str(name), known)}; devices are {', '.join(known)}")


@functools.cache
def _emulated() -> EmulatedDevice:
    return EmulatedDevice()


def try_device(name: str = CUDA) -> str:
    """The name of a device if it can be used here, else "cpu"; then one line on the terminal says why, once.

    Example:
        >>> batch = phalanx.BatchSim(model, 4096, device=phalanx.try_device())      # doctest: +SKIP
    """
    try:
        device_named(name)
    except DeviceError as error:
        _say_once(f"phalanx: {error}; worlds run on the CPU")
        return "cpu"
    return name


@functools.cache
def _say_once(words: str) -> None:
    say(words)


def describe_devices() -> list[str]:
    """A line for each kind of device: its model, or why it cannot be used."""
    lines = []
    for name in (CUDA, EMULATED):
        try:
            lines.append(f"{name}: {device_named(name).label}")
        except DeviceError as error:
            lines.append(f"{name}: none ({error})")
    return lines
