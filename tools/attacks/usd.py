"""Attack on the reader of USD stages: texts with extreme values and damaged ones, damaged binary files and archives.

Whatever a file holds, loading it gives a Model or one of our own errors, in bounded time and memory.
"""

from __future__ import annotations

import functools
import random
import re
import tempfile
import zlib
from pathlib import Path
from typing import NamedTuple

import phalanx
from tools.attack_damage import EXTREME, damaged_bytes
from tools.attack_worker import LONGEST, attack_with, work
from tools.attack_worker import finding as found_with

#: A stage with everything that is read.
STAGE = """#usda 1.0
(
    upAxis = "Y"
    metersPerUnit = 0.01
    kilogramsPerUnit = 1
    defaultPrim = "arm"
)
def PhysicsScene "scene"
{
    vector3f physics:gravityDirection = (0, -1, 0)
    float physics:gravityMagnitude = 500
}
def Plane "floor" (prepend apiSchemas = ["PhysicsCollisionAPI"])
{
    token axis = "Y"
}
def Material "rubber" (prepend apiSchemas = ["PhysicsMaterialAPI"])
{
    float physics:density = 0.001
    float physics:dynamicFriction = 0.7
    float physics:staticFriction = 0.8
}
def Xform "arm"
{
    def Xform "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 3
        def Cube "block" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 20
            double3 xformOp:scale = (1, 2, 1)
            uniform token[] xformOpOrder = ["xformOp:scale"]
        }
    }
    def Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 1
        float3 physics:diagonalInertia = (200, 100, 100)
        quatf physics:principalAxes = (1, 0, 0, 0)
        point3f physics:centerOfMass = (25, 0, 0)
        double3 xformOp:translate = (50, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Capsule "tube" (prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"])
        {
            uniform token axis = "X"
            double radius = 5
            double height = 40
            color3f[] primvars:displayColor = [(1, 0, 0)]
            rel material:binding = </rubber>
        }
        def Cylinder "rod" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double radius = 2
            double height = 10
        }
        def Sphere "shine"
        {
            double radius = 6
        }
    }
    def PhysicsFixedJoint "anchor"
    {
        rel physics:body1 = </arm/base>
    }
    def PhysicsRevoluteJoint "hinge" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])
    {
        uniform token physics:axis = "Z"
        rel physics:body0 = </arm/base>
        rel physics:body1 = </arm/link>
        point3f physics:localPos0 = (20, 0, 0)
        quatf physics:localRot0 = (1, 0, 0, 0)
        point3f physics:localPos1 = (-30, 0, 0)
        quatf physics:localRot1 = (1, 0, 0, 0)
        float physics:lowerLimit = -90
        float physics:upperLimit = 45
        float drive:angular:physics:stiffness = 10000
        float drive:angular:physics:damping = 100
        float drive:angular:physics:maxForce = 50000
        float drive:angular:physics:targetPosition = 10
    }
}
def Mesh "rock" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI", "PhysicsMassAPI"])
{
    float physics:density = 1000
    point3f[] points = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (0, 0, 10)]
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
    double3 xformOp:translate = (0, 200, 0)
    quatf xformOp:orient = (1, 0, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
}
def PhysicsSphericalJoint "tie"
{
    rel physics:body0 = </arm/link>
    rel physics:body1 = </rock>
}
"""
_NUMBER = re.compile(r"-?\b\d+(?:\.\d+)?\b")
_WORD = re.compile(
    r'"[^"]*"|</[^>]*>|\b(?:Cube|Sphere|Capsule|Cylinder|Plane|Mesh|Xform|double|float|int|quatf|token)\b'
)


class Case(NamedTuple):
    """A file, and what was done to it."""

    ending: str
    data: bytes
    what: str


@functools.cache
def binary(ending: str) -> bytes:
    """The stage as a file of another format."""
    from pxr import Sdf, UsdUtils

    with tempfile.TemporaryDirectory() as folder:
        layer = Sdf.Layer.CreateAnonymous(".usda")
        layer.ImportFromString(STAGE)
        path = str(Path(folder) / "stage.usdc")
        layer.Export(path)
        if ending == ".usdz":
            packed = str(Path(folder) / "stage.usdz")
            UsdUtils.CreateNewUsdzPackage(path, packed)
            path = packed
        return Path(path).read_bytes()


def value_case(rng: random.Random) -> Case:
    """A stage with some numbers and words exchanged."""
    text, told = STAGE, []
    numbers = [value for value in EXTREME if re.fullmatch(r"-?[\d.e+-]+|-?inf|nan", value) and len(value) < 50]
    for _ in range(rng.randint(1, 3)):
        pattern = _NUMBER if rng.random() < 0.7 else _WORD
        found = [*pattern.finditer(text, text.index("(\n"))]
        match = rng.choice(found)
        value = rng.choice(numbers) if pattern is _NUMBER else rng.choice(found)[0]
        text = text[: match.start()] + value + text[match.end() :]
        told.append(f"{match[0]} -> {value[:40]}")
    return Case(".usda", text.encode(), ", ".join(told))


def text_case(rng: random.Random) -> Case:
    """A stage with lines cut out, repeated or exchanged, or with damaged bytes."""
    lines = STAGE.splitlines(keepends=True)
    for _ in range(rng.randint(1, 3)):
        place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(3):
            case 0:
                del lines[place]
            case 1:
                lines.insert(place, lines[other])
            case _:
                lines[place], lines[other] = lines[other], lines[place]
    data = "".join(lines).encode()
    data = damaged_bytes(data, rng) if rng.random() < 0.4 else data
    return Case(".usda", data, f"damaged text {zlib.crc32(data)}")


def binary_case(rng: random.Random) -> Case:
    """A damaged binary file or archive."""
    ending = rng.choice((".usdc", ".usdz"))
    data = damaged_bytes(binary(ending), rng)
    return Case(ending, data, f"damaged {ending} {zlib.crc32(data)}")


def greedy_case(rng: random.Random) -> Case:
    """A stage that asks for much."""
    n = rng.choice((300, 1000, 3000))
    body = '(prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])'
    nested = "".join(f'def Sphere "s{k}" {body if k == 0 else ""}\n{{\n' for k in range(n // 10)) + "}\n" * (n // 10)
    wide = "".join(f'def Sphere "s{k}" {body}\n{{\n}}\n' for k in range(n // 10))
    what, inside = rng.choice((("nested prims", nested), ("bodies", wide)))
    return Case(".usda", f"#usda 1.0\n{inside}".encode(), f"{n // 10} {what}")


def case_of(number: int) -> Case:
    """The case with a number."""
    rng = random.Random(number)
    kind = rng.random()
    if kind < 0.6:
        return value_case(rng)
    if kind < 0.85:
        return text_case(rng)
    return binary_case(rng) if kind < 0.99 else greedy_case(rng)


def read(case: Case) -> None:
    """Load a stage."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"stage{case.ending}"
        path.write_bytes(case.data)
        phalanx.load(path)


def finding(case: Case, seconds: float = LONGEST) -> str:
    """What is wrong with how a case is treated, "" if nothing is."""
    return found_with(case.what, lambda: read(case), seconds)


def attack(seed: int, seconds: float) -> list[str]:
    """Read damaged and greedy stages for some seconds; everything that was found, one line each."""
    return attack_with("usd", seed, seconds)


if __name__ == "__main__":
    work(lambda number: finding(case_of(number)))
