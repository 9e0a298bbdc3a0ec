"""What LLVM makes of a module."""

from __future__ import annotations

import pytest

from phalanx.native.llvm import assembly
from phalanx.native.target import TARGETS

#: Some worlds get a new value, the others keep theirs.
KEEP = """
define void @keep(ptr %x, ptr %y) {
  %old = load <8 x double>, ptr %x, align 64
  %new = load <8 x double>, ptr %y, align 64
  %is_chosen = fcmp olt <8 x double> %new, zeroinitializer
  %kept = select <8 x i1> %is_chosen, <8 x double> %new, <8 x double> %old
  store <8 x double> %kept, ptr %x, align 64
  ret void
}
"""


@pytest.mark.parametrize("name", [name for name in TARGETS if name.endswith("v3")])
def test_vectors_are_stored_whole_where_masks_are_slow(name: str) -> None:
    text = assembly(KEEP, TARGETS[name])
    assert "vblendv" in text
    assert "vmaskmov" not in text


def test_wide_vectors_are_stored_under_their_mask() -> None:
    assert "{%k1}" in assembly(KEEP, TARGETS["linux-x86-64-v4"])
