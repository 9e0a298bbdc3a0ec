"""What robots are built with, above plain MJCF: everything here expands to plain elements or plain numbers."""

from phalanx.mechanism.composite import add
from phalanx.mechanism.contact_check import check_contacts
from phalanx.mechanism.contact_settings import ContactSettings, contact_mass, pyramid_gain
from phalanx.mechanism.restitution import ratio_of_restitution, restitution_of_ratio

__all__ = [
    "ContactSettings",
    "add",
    "check_contacts",
    "contact_mass",
    "pyramid_gain",
    "ratio_of_restitution",
    "restitution_of_ratio",
]
