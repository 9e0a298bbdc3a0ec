"""Frames that scale: how they stretch what is inside, and which powers of the factors each attribute takes.

Lengths and masses follow every scaling frame around an element. Quantities with a force in them follow only the frames
whose scaling is "similar": those change the units of length and mass, so that everything inside moves as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, NamedTuple

from phalanx.compiler.object.rotation import Quat, Vector, length_of, matrix_of, subtract, total, unit
from phalanx.compiler.text.errors import ElementProblem, Wrong, refuse
from phalanx.tables.equalities import LENGTHS

Matrix = tuple[Vector, Vector, Vector]

#: Sine of the largest angle by which an axis may turn when it is stretched, about 2 degrees.
ALIGNED = 0.0349
#: No frames multiply lengths or masses by more than this, or divide them by more: powers of it are still numbers.
LARGEST = 1e30


# --- how much


@dataclass(frozen=True, eq=False)
class Factors:
    """What the frames around an element multiply to; `outer` are the factors outside of the innermost one.

    Attributes:
        length, mass: factors of all frames; of several lengths, the geometric mean.
        unit_length, unit_mass: factors of the frames that change units.
    """

    outer: Factors | None = None
    length: float = 1.0
    mass: float = 1.0
    unit_length: float = 1.0
    unit_mass: float = 1.0


ONES = Factors()


@dataclass(frozen=True)
class Scale:
    """Factors, and how vectors in the coordinates of an element are stretched: `matrix`, None for all axes alike."""

    factors: Factors
    matrix: Matrix | None = None

    def of(self, vector: Any) -> Vector:
        """A vector, stretched."""
        if self.matrix is None:
            x, y, z = vector
            return x * self.factors.length, y * self.factors.length, z * self.factors.length
        return _times(self.matrix, vector)

    def turned(self, quat: Quat) -> Scale:
        """The same stretch in the coordinates of something turned."""
        if self.matrix is None:
            return self
        turn = _rows(matrix_of(quat))
        return replace(self, matrix=_product(_transposed(turn), _product(self.matrix, turn)))

    def along(self, axis: Vector) -> float:
        """Factor of the length of a vector with this direction."""
        return self.factors.length if self.matrix is None else length_of(_times(self.matrix, axis))

    def axes(self) -> Vector:
        """Factors along the three axes."""
        return self.along((1.0, 0.0, 0.0)), self.along((0.0, 1.0, 0.0)), self.along((0.0, 0.0, 1.0))

    def keeps(self, axis: Vector) -> bool:
        """Is a vector with this direction stretched without being turned?"""
        if self.matrix is None:
            return True
        image = _times(self.matrix, axis)
        along = total(a * b for a, b in zip(image, axis, strict=True))
        across = subtract(image, (along * axis[0], along * axis[1], along * axis[2]))
        return length_of(across) <= ALIGNED * length_of(image)

    def keeps_axes(self) -> bool:
        return all(self.keeps(axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))

    @property
    def diagonal(self) -> Vector | None:
        """Factors along the axes if nothing is turned at all."""
        if self.matrix is None:
            return (self.factors.length,) * 3
        (a, b, c), (d, e, f), (g, h, i) = self.matrix
        return None if any((b, c, d, f, g, h)) else (a, e, i)


def _rows(numbers: tuple[float, ...]) -> Matrix:
    return numbers[0:3], numbers[3:6], numbers[6:9]  # type: ignore[return-value]


def _transposed(matrix: Matrix) -> Matrix:
    return tuple(zip(*matrix, strict=True))  # type: ignore[return-value]


def _times(matrix: Matrix, vector: Any) -> Vector:
    x, y, z = (total(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = _transposed(b)
    return tuple(_times(columns, row) for row in a)  # type: ignore[return-value]


def factors_of(obj: Any) -> Factors:
    return ONES if obj.scale is None else obj.scale.factors


def inside_frame(outer: Scale | None, values: Mapping[str, Any]) -> Scale | None:
    """The scale inside a frame; `outer` is that around it, in the frame's coordinates."""
    lengths = values["scale"] or (1.0,)
    refuse(_wrong_lengths(lengths))
    mass = values["massscale"]
    if values["scale"] is None and not mass:
        return outer
    x, y, z = lengths[0], lengths[len(lengths) // 2], lengths[-1]
    is_uniform = x == y == z
    is_similar = values["scaling"] == "similar"
    if is_similar and not is_uniform:
        raise ElementProblem("scale has different values, which need scaling='geometry'", "scale")
    mass = mass or x * y * z
    length = x if is_uniform else (x * y * z) ** (1 / 3)
    before = outer.factors if outer else ONES
    factors = Factors(
        before, before.length * length, before.mass * mass,
        before.unit_length * (length if is_similar else 1.0), before.unit_mass * (mass if is_similar else 1.0),
    )  # fmt: skip
    refuse(
        (f"{what} inside are multiplied by {factor:g}; the most is {LARGEST:g}, or its inverse", name)
        for name, what, factor in (("scale", "lengths", factors.length), ("massscale", "masses", factors.mass))
        if not 1 / LARGEST <= factor <= LARGEST
    )
    old = outer.matrix if outer else None
    if is_uniform and old is None:
        return Scale(factors)
    if old is None:
        old = _rows((before.length, 0.0, 0.0, 0.0, before.length, 0.0, 0.0, 0.0, before.length))
    return Scale(factors, _product(old, _rows((x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z))))


def _wrong_lengths(lengths: tuple[float, ...]) -> Iterator[Wrong]:
    if max(lengths) > LARGEST:
        yield f"scale is {max(lengths):g}; it is at most {LARGEST:g}", "scale"
    if len(lengths) == 2:
        yield "scale takes one value or three, not 2", "scale"
    if not min(lengths) > 0:
        yield f"scale is {min(lengths):g}; it must be positive", "scale"


def common(objects: Iterable[Any]) -> Factors:
    """Factors of the innermost frame around all of some objects."""
    lineages = []
    for obj in objects:
        here: Factors | None = factors_of(obj)
        lineage = []
        while here is not None:
            lineage.append(here)
            here = here.outer
        lineages.append(lineage)
    first, *others = lineages
    return next((f for f in first if f is ONES or all(f in other for other in others)), ONES)


# --- dimensions


class Dimension(NamedTuple):
    """Powers of length, mass, coordinate and force; coordinates are lengths or angles, forces forces or torques."""

    length: int = 0
    mass: int = 0
    coordinate: int = 0
    force: int = 0

    def over(self, other: Dimension) -> Dimension:
        return Dimension(*(a - b for a, b in zip(self, other, strict=True)))


NUMBER, COORDINATE, FORCE = Dimension(), Dimension(coordinate=1), Dimension(force=1)
PRESSURE = Dimension(length=-1, mass=1)


def _read(text: str) -> tuple[Dimension, ...]:
    """Dimensions written as "1, F Q-1": powers of L, M, Q, F, per number."""
    found = []
    for item in text.split(","):
        powers = dict.fromkeys("LMQF", 0)
        for word in item.split():
            if word != "1":
                powers[word[0]] = int(word[1:] or "1")
        found.append(Dimension(*powers.values()))
    return tuple(found)


def dimension_of(text: str) -> Dimension:
    """The dimension of one number, written in the same way."""
    return _read(text)[0]


def _table(rows: Mapping[str, str]) -> dict[str, tuple[Dimension, ...]]:
    return {name: _read(text) for text, names in rows.items() for name in names.split()}


_SPRING = "F Q-1, F Q-2, F Q-3"

#: Element -> attribute -> dimension of each number, or of all of them. What is not listed does not scale.
DIMENSIONS: dict[str, dict[str, tuple[Dimension, ...]]] = {
    "joint": _table({
        "Q": "range margin ref springref springyield", "F": "actuatorfrcrange frictionloss", "F Q-1": "armature",
        _SPRING: "stiffness damping", "1, 1, Q, 1, 1": "solimplimit solimpfriction",
    }),
    "geom": _table({"L": "margin gap", "M L": "adhesion", "1, L, L": "friction", "1, 1, L, 1, 1": "solimp"}),
    "site": {},
    "camera": _table({"L": "ipd focal principal sensorsize"}),
    "light": _table({"L": "bulbradius range", "1, L-1, L-2": "attenuation"}),
    "pair": _table({"L": "margin gap", "M L": "adhesion", "1, 1, L, L, L": "friction", "1, 1, L, 1, 1": "solimp"}),
    "tendon": _table({
        "Q": "range margin springyield", "F": "actuatorfrcrange frictionloss", "F Q-1": "armature", "L": "width",
        _SPRING: "stiffness damping", "1, 1, Q, 1, 1": "solimplimit solimpfriction",
    }),
    "actuator": _table({
        "Q": "lengthrange velrange", "F": "forcerange ffrange", "F Q-1": "armature", "L": "cranklength",
        _SPRING: "damping",
    }),
    "frames": _table({"L": LENGTHS, "1, 1, L, 1, 1": "solimp"}),
    "coupling": _table({"1, 1, Q, 1, 1": "solimp"}),
}  # fmt: skip


@dataclass(frozen=True)
class Units:
    """Factors of the dimensions for one object; those that begin with unit_ belong to quantities with a force."""

    length: float = 1.0
    coordinate: float = 1.0
    unit_length: float = 1.0
    unit_mass: float = 1.0
    unit_coordinate: float = 1.0
    force: float = 1.0

    @property
    def changes_units(self) -> bool:
        return self.unit_length != 1.0 or self.unit_mass != 1.0

    def factor(self, dimension: Dimension) -> float:
        if dimension.mass or dimension.force:
            length, coordinate = self.unit_length, self.unit_coordinate
        else:
            length, coordinate = self.length, self.coordinate
        return (
            length**dimension.length * coordinate**dimension.coordinate
            * self.unit_mass**dimension.mass * self.force**dimension.force
        )  # fmt: skip

    def scaled(self, numbers: Any, dimensions: tuple[Dimension, ...]) -> Any:
        """A number or a tuple, each times the factor of its dimension."""
        if not isinstance(numbers, tuple):
            return numbers * self.factor(dimensions[0])
        if len(dimensions) == 1:
            dimensions *= len(numbers)
        padded = (*dimensions, *(NUMBER,) * len(numbers))
        return tuple(number * self.factor(padded[k]) for k, number in enumerate(numbers))

    def apply(self, values: dict[str, Any], table: Mapping[str, tuple[Dimension, ...]]) -> None:
        """Scale the attributes of a table."""
        for name, dimensions in table.items():
            if values.get(name) is not None:
                values[name] = self.scaled(values[name], dimensions)


UNSCALED = Units()


def linear(factors: Factors) -> Units:
    """Coordinates are lengths."""
    unit_length, unit_mass = factors.unit_length, factors.unit_mass
    return Units(factors.length, factors.length, unit_length, unit_mass, unit_length, unit_mass * unit_length)


def angular(factors: Factors) -> Units:
    """Coordinates are angles."""
    unit_length, unit_mass = factors.unit_length, factors.unit_mass
    return Units(factors.length, 1.0, unit_length, unit_mass, 1.0, unit_mass * unit_length**2)


def between(a: Units, b: Units) -> Units:
    """Units of what belongs to two objects: geometric means."""
    return Units(*(sqrt(x * y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True)))


# --- what stands in a frame


def scale_carried(kind: str, obj: Any) -> None:
    """Scale what a body carries; places and shapes of geoms and sites are scaled when they are known."""
    scale: Scale = obj.scale
    values = obj.values
    if kind == "joint":
        obj.units = joint_units(obj)
    if kind not in ("geom", "site"):
        values["pos"] = scale.of(values["pos"])
    units = obj.units if kind == "joint" else linear(scale.factors)
    if units is not UNSCALED:
        units.apply(values, DIMENSIONS[kind])


def joint_units(joint: Any) -> Units:
    """Units of a joint; its axis must be one that is not turned. Free joints have numbers of both kinds, left alone."""
    scale: Scale = joint.scale
    kind = joint["type"]
    if kind == "free":
        return UNSCALED
    if kind == "ball":
        return angular(scale.factors)
    axis = unit(joint["axis"])
    if not scale.keeps(axis):
        raise ElementProblem("the axis is not aligned with the axes of the frame that scales it", "axis")
    return angular(scale.factors) if kind == "hinge" else replace(linear(scale.factors), coordinate=scale.along(axis))


def stretched_inertia(scale: Scale, moments: Vector, quat: Quat) -> list[float]:
    """Inertia xx yy zz xy xz yz of a stretched body, from moments along turned axes."""
    assert scale.matrix is not None
    turn = _rows(matrix_of(quat))
    half = total(moments) / 2
    spread = tuple(tuple((half - moment) * x for x, moment in zip(row, moments, strict=True)) for row in turn)
    stretch = _product(scale.matrix, _product(spread, _transposed(turn)))  # type: ignore[arg-type]
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = _product(stretch, _transposed(scale.matrix))
    numbers = (yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)
    return [number * scale.factors.mass for number in numbers]
