"""Write the table of docs/gpu.md that says what threads of a GPU need: registers, stack, spills of each kernel.

python -m tools.write_gpu_table                       all rows: LLVM and the assembler take half a minute for each
python -m tools.write_gpu_table links --level 75 80   some rows anew; the others stay

Needs NVIDIA's `ptxas` (see `phalanx.native.device_code.find_ptxas`), but no GPU.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import phalanx
from phalanx.algebra.number_type import spread
from phalanx.device.world_kernel import device_entry
from phalanx.native.device_code import CUDA_TARGETS, Needs, assembled, find_ptxas, needs_of, ptx_of
from phalanx.native.device_entry import CUDA
from phalanx.pipeline.parts import needed

PAGE = Path(__file__).parents[1] / "docs" / "gpu.md"
BEGIN, END = "<!-- needs of kernels: begin -->", "<!-- needs of kernels: end -->"
COLUMNS = ("kernel of", "precision", "target", "registers", "stack", "spills stored", "spills loaded", "assembled in")

#: Two hulls of meshes that fall onto a floor.
MESHES = """<mujoco>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
    <mesh name="crate" vertex="0 0 0  .2 0 0  0 .2 0  .2 .2 0  0 0 .2  .2 0 .2  0 .2 .2  .2 .2 .2"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .3"><freejoint/><geom type="mesh" mesh="wedge"/></body>
    <body pos=".05 0 .6"><freejoint/><geom type="mesh" mesh="crate"/></body>
  </worldbody>
</mujoco>"""
#: Two links over a floor, of which the first is driven: the smallest kernel with contacts.
LINKS = """<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .3">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="sphere" size=".05" pos=".2 0 0"/>
      <body pos=".3 0 0">
        <joint axis="0 1 0" limited="true" range="-60 60"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .2 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/></actuator>
</mujoco>"""

#: What the rows are about.
MODELS: dict[str, Callable[[], phalanx.Model]] = {
    "links": lambda: phalanx.Model.from_xml_string(LINKS),
    "cartpole": lambda: phalanx.load("cartpole"),
    "humanoid": lambda: phalanx.load("humanoid"),
    "meshes": lambda: phalanx.Model.from_xml_string(MESHES),
}
DTYPES = ("float64", "float32")
#: The target of all kernels; that of two links is made for others, too.
TARGET, TARGETS = 90, (75, 80, 90, 121)

#: A row: model, precision, target.
Case = tuple[str, str, int]


def all_cases() -> list[Case]:
    """The rows of the table, in its order."""
    return [
        (name, dtype, level)
        for name in MODELS
        for level in (TARGETS if name == "links" else (TARGET,))
        for dtype in DTYPES
    ]


class Row(NamedTuple):
    """What the assembler says of a kernel, and how long it took, in seconds of one core."""

    needs: Needs
    seconds: int


def measure(case: Case, ptxas: str) -> Row:
    """What the assembler says of a kernel."""
    name, dtype, level = case
    target = CUDA_TARGETS[level]
    entry = device_entry(spread(dtype), False, needed(MODELS[name]()._store), CUDA)
    ptx = ptx_of(entry, target)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    needs = needs_of(assembled(ptx, target, ptxas).report)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Row(needs, round(after.ru_utime - before.ru_utime))


def read(page: str) -> dict[Case, Row]:
    """The rows that a page has."""
    _, _, rest = page.partition(BEGIN)
    table, _, _ = rest.partition(END)
    rows = {}
    for line in table.strip().splitlines()[2:]:
        name, dtype, target, *numbers, time = (cell.strip() for cell in line.strip("| ").split("|"))
        needs = Needs(*(int(number) for number in numbers))
        rows[name, dtype, int(target.removeprefix("sm_"))] = Row(needs, int(time.removesuffix(" s")))
    return rows


def table(rows: dict[Case, Row]) -> Iterator[str]:
    """The lines of the table."""
    yield f"| {' | '.join(COLUMNS)} |"
    yield "|---" * len(COLUMNS) + "|"
    for case in all_cases():
        if case in rows:
            name, dtype, level = case
            needs, seconds = rows[case]
            yield f"| {' | '.join([name, dtype, f'sm_{level}', *map(str, needs), f'{seconds} s'])} |"


def written(page: str, rows: dict[Case, Row]) -> str:
    """The page with these rows."""
    head, mark, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    assert mark and end, f"{PAGE} has no place for the table"
    return f"{head}{mark}\n{chr(10).join(table(rows))}\n{end}{tail}"


def main() -> None:
    """Measure rows and write them, each as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", default=[*MODELS], help=f"of {', '.join(MODELS)}")
    parser.add_argument("--dtype", nargs="+", default=DTYPES, choices=DTYPES)
    parser.add_argument("--level", type=int, nargs="+", default=TARGETS, help="compute capability x 10")
    given = parser.parse_args()
    ptxas = find_ptxas()
    if ptxas is None:
        raise SystemExit("ptxas is not installed: pip install nvidia-cuda-nvcc")
    for case in all_cases():
        if case[0] in given.names and case[1] in given.dtype and case[2] in given.level:
            row = measure(case, ptxas)
            page = PAGE.read_text()
            PAGE.write_text(written(page, read(page) | {case: row}))
            print(*case, *row.needs, f"{row.seconds} s", flush=True)


if __name__ == "__main__":
    main()
