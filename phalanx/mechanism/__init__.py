"""What robots are built with, above plain MJCF: everything here expands to plain elements or plain numbers.

- `add`: composite joints and couplings (universal, screw, gear, differential, four-bar linkage, ...).
- `Motor`: actuators with gear, friction, limits and a torque-speed curve.
- `JointStop`: limits with a stiffness and a bounce.
- `imu`, `force_torque`, `touch`, `lidar`: sensors that come together; `Noise`, `NoisySensors`: what real ones add.
- `muscle_pair`, `MuscleGroup`: antagonists.
- `ContactSettings`: contact parameters in physical units.
"""

from phalanx.mechanism.composite import add
from phalanx.mechanism.contact_check import check_contacts
from phalanx.mechanism.contact_settings import ContactSettings, contact_mass, pyramid_gain
from phalanx.mechanism.joint_stop import JointStop, joint_inertia
from phalanx.mechanism.motor import Motor
from phalanx.mechanism.motor_plot import plot_torque_speed
from phalanx.mechanism.motor_presets import motor_presets
from phalanx.mechanism.muscle_group import MuscleGroup, muscle_pair
from phalanx.mechanism.restitution import ratio_of_restitution, restitution_of_ratio
from phalanx.mechanism.sensor_noise import Noise, NoisySensors
from phalanx.mechanism.sensor_suites import force_torque, imu, lidar, touch

__all__ = [
    "ContactSettings",
    "JointStop",
    "Motor",
    "MuscleGroup",
    "Noise",
    "NoisySensors",
    "add",
    "check_contacts",
    "contact_mass",
    "force_torque",
    "imu",
    "joint_inertia",
    "lidar",
    "motor_presets",
    "muscle_pair",
    "plot_torque_speed",
    "pyramid_gain",
    "ratio_of_restitution",
    "restitution_of_ratio",
    "touch",
]
