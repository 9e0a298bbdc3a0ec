"""Joints that mimic others: an equality for each.

Chains of mimics are resolved to the joint at their end; in MuJoCo's style each follows the one that it names.
"""

from __future__ import annotations

from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import nearest
from phalanx.compiler.urdf.translation import Translation, child_of, children_of, put

#: multiplier and offset of a joint, and the joint that it follows in the end
Following = tuple[float, float, str]


def add_mimics(translation: Translation) -> set[str]:
    """An equality for each joint that follows another; the names of these joints."""
    mimics: dict[str, Element] = {}
    for joint in children_of(translation.robot, "joint"):
        mimic = child_of(joint, "mimic")
        if mimic is not None and translation.joints.get(joint.name):
            mimics[joint.name] = mimic
    for name, mimic in mimics.items():
        if not _is_sound(translation, name, mimic):
            continue
        followed = {name: mimic} if translation.style.is_mujoco else mimics
        following = _resolve(translation, followed, name)
        if following is not None:
            _add_equality(translation, mimic, name, following)
    return set(mimics)


def _is_sound(translation: Translation, name: str, mimic: Element) -> bool:
    """Do both joints exist, with one coordinate each? In MuJoCo's style others are passed over."""
    other = mimic.attributes.get("joint", "")
    if other not in translation.joints:
        if "joint" not in mimic.bad:
            finding = f"joint={other!r}: there is no such joint{nearest(other, translation.joints)}"
            _pass_over(translation, mimic, finding)
        return False
    for joint in (name, other):
        parts = translation.joints[joint]
        if len(parts) != 1 or parts[0].attributes.get("type") not in ("hinge", "slide"):
            finding = f"joint {joint!r} has not one coordinate: it can neither mimic nor be mimicked"
            _pass_over(translation, mimic, finding)
            return False
    return True


def _pass_over(translation: Translation, mimic: Element, finding: str) -> None:
    """A mimic without effect: MuJoCo leaves it out, and so does a repair."""
    if translation.style.is_mujoco:
        translation.note(mimic, f"{finding}; it has no effect", "joint")
    else:
        translation.complain(mimic, finding, "it is left out", "joint")


def _resolve(translation: Translation, mimics: dict[str, Element], name: str) -> Following | None:
    """Follow a chain of mimics: q = a (b q' + c) + d is the line (a b) q' + (a c + d)."""
    multiplier, offset, seen, at = 1.0, 0.0, [name], name
    while at in mimics:
        written = mimics[at].attributes
        offset += multiplier * written.get("offset", 0.0)
        multiplier *= written.get("multiplier", 1.0)
        at = written.get("joint", "")
        if at in seen:
            # told once, at the joint of the loop that comes first in the file
            loop = seen[seen.index(at) :]
            if name == next(joint for joint in mimics if joint in loop):
                translation.report(mimics[name], f"joints mimic each other in a loop: {', '.join([*loop, at])}")
            return None
        seen.append(at)
    return multiplier, offset, at


def _add_equality(translation: Translation, mimic: Element, name: str, following: Following) -> None:
    multiplier, offset, other = following
    if multiplier == 0:
        translation.note(mimic, "multiplier is 0: the joint is held at its offset")
    put(translation.section("equality"), "joint", mimic, joint1=name, joint2=other,
        polycoef=(offset, multiplier, 0, 0, 0))  # fmt: skip
    if offset:
        translation.note(mimic, "offset is not 0: the joint starts at 0 and is pulled to where it should be")
    if other != mimic.attributes["joint"]:
        translation.note(mimic, f"a chain of mimics: it follows {other!r} with multiplier {multiplier:g} and offset "
                         f"{offset:g}")  # fmt: skip
