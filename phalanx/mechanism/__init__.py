"""What robots are built with, above plain MJCF: everything here expands to plain elements or plain numbers."""

from phalanx.mechanism.composite import add
from phalanx.mechanism.contact_check import check_contacts
from phalanx.mechanism.contact_settings import ContactSettings, contact_mass, pyramid_gain
from phalanx.mechanism.motor import Motor
from phalanx.mechanism.motor_plot import plot_torque_speed
from phalanx.mechanism.motor_presets import motor_presets
from phalanx.mechanism.restitution import ratio_of_restitution, restitution_of_ratio

__all__ = [
    "ContactSettings",
    "Motor",
    "add",
    "check_contacts",
    "contact_mass",
    "motor_presets",
    "plot_torque_speed",
    "pyramid_gain",
    "ratio_of_restitution",
    "restitution_of_ratio",
]
