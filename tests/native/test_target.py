"""Targets: the one that fits this machine, and clear words when none does."""

from __future__ import annotations

import platform
import re

import pytest

from phalanx.native import target
from phalanx.native.errors import NativeError
from phalanx.native.target import TARGETS, host_target, target_name
from tests.native.objects import compiled

V3 = dict.fromkeys(("AVX2", "FMA3", "F16C"), True)
V4 = {**V3, **dict.fromkeys(("AVX512F", "AVX512CD", "AVX512BW", "AVX512DQ", "AVX512VL"), True)}


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """The target of this machine is found anew in every test."""
    monkeypatch.delenv("PHALANX_TARGET", raising=False)
    host_target.cache_clear()
    yield
    host_target.cache_clear()


def test_this_machine_has_a_target_of_its_system():
    systems = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}
    assert host_target().name.startswith(systems[platform.system()])
    assert host_target() is TARGETS[host_target().name]


@pytest.mark.parametrize(
    ("system", "machine", "features", "name"),
    [
        ("Linux", "x86_64", V4, "linux-x86-64-v4"),
        ("Linux", "x86_64", V3, "linux-x86-64-v3"),
        ("Linux", "x86_64", {**V4, "AVX512DQ": False}, "linux-x86-64-v3"),
        ("Linux", "aarch64", {}, "linux-aarch64"),
        ("Darwin", "arm64", {}, "macos-aarch64"),
        ("Darwin", "x86_64", V4, "macos-x86-64-v3"),
        ("Windows", "AMD64", V4, "windows-x86-64-v4"),
        ("Windows", "AMD64", V3, "windows-x86-64-v3"),
    ],
)
def test_the_best_level_that_a_machine_has_is_chosen(system, machine, features, name):
    assert target_name(system, machine, features) == name
    assert name in TARGETS


@pytest.mark.parametrize(
    ("system", "machine", "found"),
    [
        ("Linux", "x86_64", "linux-x86-64-below-v3"),
        ("Plan9", "mips", "plan9-mips"),
        ("Windows", "ARM64", "windows-aarch64"),
    ],
)
def test_a_machine_without_a_target_is_told_what_there_is(monkeypatch, system, machine, found):
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(target, "cpu_features", dict)
    with pytest.raises(NativeError, match=rf"{machine}.*{found}.*linux-x86-64-v3.*PHALANX_INTERPRETED=1"):
        host_target()


def test_another_target_can_be_named(monkeypatch):
    monkeypatch.setenv("PHALANX_TARGET", "linux-x86-64-v3")
    assert host_target() is TARGETS["linux-x86-64-v3"]


def test_a_target_that_does_not_exist_is_refused(monkeypatch):
    monkeypatch.setenv("PHALANX_TARGET", "linux-x86-64-v5")
    with pytest.raises(NativeError, match="TARGET=linux-x86-64-v5 names no target; the targets are linux-x86"):
        host_target()


def test_the_list_of_linux_serves_where_numpy_has_none(tmp_path):
    path = tmp_path / "cpuinfo"
    path.write_text("processor\t: 0\nflags\t\t: fpu sse2 avx2 fma f16c avx512f\n\nprocessor\t: 1\nflags\t\t: fpu\n")
    features = target._features_of_linux(path)
    assert target_name("Linux", "x86_64", features) == "linux-x86-64-v3"
    assert features["AVX512F"] and not features["AVX512VL"]
    assert target._features_of_linux(tmp_path / "missing") == {}


@pytest.mark.skipif(platform.system() != "Linux" or platform.machine() != "x86_64", reason="Linux on x86-64 only")
def test_numpy_and_linux_agree_on_this_machine():
    of_linux, of_numpy = target._features_of_linux(), target.cpu_features()
    assert of_linux == {feature: of_numpy[feature] for feature in of_linux}


@pytest.mark.parametrize("name", [name for name in TARGETS if name.endswith("v4")])
def test_eight_doubles_are_one_register_of_the_widest_level(name):
    text = """
    define void @add(ptr %p, ptr %q) {
      %a = load <8 x double>, ptr %p
      %b = load <8 x double>, ptr %q
      %c = fadd <8 x double> %a, %b
      store <8 x double> %c, ptr %p
      ret void
    }
    """
    # an EVEX instruction: 62, three bytes with the map (1) and the length (512 bits), then 58 for an addition
    found = re.findall(rb"\x62[\xf1\xd1\xb1\x91].[\x40-\x5f]\x58", compiled(text, name), re.DOTALL)
    assert len(found) == 1
