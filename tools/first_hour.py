"""Try everything that a new user tries: with the installed wheel, without MuJoCo, in empty folders.

Usage: python -m tools.first_hour [--download] [--skip COMMAND] [--jobs N] [--verbose]

Builds the wheel (without ready-made machine code), installs it into a fresh environment, and runs every block of the
README and of all pages, every example and notebook, and every command. What failed is printed, and only that; the exit
code is 1 if there is anything.

The environment has what the wheel says it needs, and nothing else: the installed packages are linked into it, so that
no network is needed; --download lets pip download them instead. Compiled kernels are shared through PHALANX_CACHE_DIR,
or the usual cache folder.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

from tools.build_wheels import stage
from tools.page_code import blocks, shortened

ROOT = Path(__file__).resolve().parent.parent
#: The only page that may import mujoco; where the package is installed, the tests run it.
NEEDS_MUJOCO = ROOT / "docs" / "comparing.md"
#: Pages whose code needs an extra, which the fresh environment does not have.
NEEDS_EXTRAS = [ROOT / "docs" / f"{name}.md" for name in ("tasks", "environments", "learning", "many_machines")]
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page not in (NEEDS_MUJOCO, *NEEDS_EXTRAS)),
]
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
#: How an example tells that it needs an extra.
EXTRA = re.compile(r"phalanx\[\w+\]")
#: The setuptools that builds the wheel, as in pyproject.toml.
SETUPTOOLS = Version("77")
#: Variables of the caller that a new user does not have.
FOREIGN = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PHALANX_QUIET", "PHALANX_INTERPRETED", "PHALANX_CHECKED")
#: Processes that run the pages without commands.
SHARED = 2
#: Longest time of a task [s].
PATIENCE = 900
#: Asks every command for help, in one process; prints the names of the commands.
ASK_FOR_HELP = """
import contextlib, io, typer
from phalanx.cli.main import app
commands = typer.main.get_command(app).commands
for name in commands:
    with contextlib.redirect_stdout(io.StringIO()) as said:
        app([name, "--help"], prog_name="phalanx", standalone_mode=False)
    assert "Usage: phalanx " + name in said.getvalue(), name
print(*commands)
"""


@dataclass(frozen=True)
class Task:
    """Something to try.

    Attributes:
        name: how a failure is reported.
        command: program and arguments.
        fails_with: words of the only line on the standard error, if it has to end with exit code 1.
        makes: a file that it has to write.
    """

    name: str
    command: tuple[str, ...]
    fails_with: str = ""
    makes: str = ""

    def run(self, folder: Path) -> tuple[str, float]:
        """What went wrong, "" if nothing did; and how long it took [s]. It runs in an empty folder."""
        start = time.perf_counter()
        with tempfile.TemporaryDirectory(dir=folder) as here:
            try:
                done = subprocess.run(
                    self.command, cwd=here, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                    timeout=PATIENCE,
                )  # fmt: skip
                problem = self._problem_of(done, Path(here))
            except subprocess.TimeoutExpired:
                problem = f"not finished after {PATIENCE} s"
        return problem, time.perf_counter() - start

    def _problem_of(self, done: subprocess.CompletedProcess[str], here: Path) -> str:
        said = shortened((done.stdout + done.stderr).strip())
        if self.fails_with:
            is_told = done.returncode == 1 and self.fails_with in done.stderr and len(done.stderr.splitlines()) == 1
            return "" if is_told else f"does not end with one line about {self.fails_with!r}:\n{said}"
        if done.returncode:
            return said or f"exit code {done.returncode}"
        return f"has not written {self.makes}" if self.makes and not (here / self.makes).exists() else ""


def environment() -> dict[str, str]:
    """The variables of a user who has set none of ours but the cache."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {**kept, "MPLBACKEND": "agg", "COLUMNS": "120"}


# --- the environment


class Fresh:
    """An environment with the wheel and what it needs."""

    def __init__(self, folder: Path):
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        venv.create(folder, symlinks=os.name != "nt")
        self.python = str(self.bin / "python")
        self.site = Path(self.says("import sysconfig; print(sysconfig.get_path('purelib'))"))

    def says(self, code: str) -> str:
        """What a piece of Python prints."""
        command = [self.python, "-c", code]
        done = subprocess.run(command, cwd=self.bin, env=environment(), capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"the fresh environment does not work:\n{done.stderr}")
        return done.stdout.strip()

    def install(self, wheel: Path, *options: str) -> None:
        """Install a wheel with pip."""
        command = [sys.executable, "-m", "pip", "--python", self.python, "install", "-q", *options, str(wheel)]
        check(command, "pip cannot install the wheel")

    def link(self, requirements: Iterable[str]) -> None:
        """Make installed packages visible, with all that they need."""
        for name in with_dependencies(requirements):
            found = metadata.distribution(name)
            for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
                source, target = Path(str(found.locate_file(top))), self.site / top
                if source.exists() and not target.exists():
                    target.symlink_to(source)


def with_dependencies(requirements: Iterable[str]) -> list[str]:
    """Names of distributions that requirements ask for, directly or through others."""
    found: dict[str, None] = {}
    waiting = [(Requirement(text), frozenset[str]()) for text in requirements]
    while waiting:
        requirement, extras = waiting.pop()
        if requirement.marker and not any(requirement.marker.evaluate({"extra": name}) for name in extras or ("",)):
            continue
        if requirement.name not in found:
            found[requirement.name] = None
            needed = metadata.requires(requirement.name) or ()
            waiting += [(Requirement(text), frozenset(requirement.extras)) for text in needed]
    return list(found)


def requirements_of(wheel: Path, extra: str = "") -> list[str]:
    """What the metadata of a wheel asks for; with an extra, only what that adds."""
    (found,) = metadata.distributions(path=[str(wheel)])
    all_of_them = [Requirement(text) for text in found.requires or ()]
    wanted = [
        requirement
        for requirement in all_of_them
        if (requirement.marker is not None and requirement.marker.evaluate({"extra": extra}) if extra
            else requirement.marker is None or requirement.marker.evaluate({"extra": ""}))
    ]  # fmt: skip
    return [f"{requirement.name}{requirement.specifier}" for requirement in wanted]


def build(folder: Path) -> Path:
    """The wheel of the sources as they are, with Python code only."""
    sources = stage(folder / "sources")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(folder), str(sources)]
    # without isolation nothing has to be downloaded
    if Version(metadata.version("setuptools")) >= SETUPTOOLS:
        command.append("--no-build-isolation")
    check(command, "the wheel cannot be built")
    (wheel,) = folder.glob("*.whl")
    return wheel


def check(command: list[str], what: str) -> None:
    """Run a program that has to succeed."""
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{what}:\n{done.stdout}{done.stderr}")


# --- what is tried


def page_tasks(fresh: Fresh, skipped: str) -> Iterator[Task]:
    """Every page with code, and every example."""
    runner = (fresh.python, str(ROOT / "tools" / "page_code.py"), "--skip", skipped)
    quick = []
    for page in PAGES:
        languages = {block.language for block in blocks(page.read_text(encoding="utf-8"))}
        if "sh" in languages:
            yield Task(page.relative_to(ROOT).as_posix(), (*runner, str(page)))
        elif "python" in languages:
            quick.append(page)
    # pages without commands share processes: importing takes longer than most of them
    for k in range(SHARED):
        names = ", ".join(page.relative_to(ROOT).as_posix() for page in quick[k::SHARED])
        yield Task(names, (*runner, *map(str, quick[k::SHARED])))
    for example in EXAMPLES:
        # without the extra that an example asks for, it says so
        extra = EXTRA.search(example.read_text(encoding="utf-8"))
        fails_with = extra.group() if extra else ""
        yield Task(example.relative_to(ROOT).as_posix(), (fresh.python, str(example)), fails_with)


def command_tasks(fresh: Fresh) -> Iterator[Task]:
    """The command itself, and help about each; a command that no page shows is a failure, too."""
    phalanx = str(fresh.bin / "phalanx")
    shown = "\n".join(
        block.text
        for page in (*PAGES, NEEDS_MUJOCO)
        for block in blocks(page.read_text(encoding="utf-8"))
        if block.language in ("sh", "console")
    )
    yield Task("phalanx --version", (phalanx, "--version"))
    yield Task("phalanx --help", (phalanx, "--help"))
    yield Task("python -m phalanx", (fresh.python, "-m", "phalanx", "--version"))
    for command in fresh.says(ASK_FOR_HELP).split():
        if f"phalanx {command}" not in shown:
            yield Task(f"phalanx {command}", (fresh.python, "-c", "raise SystemExit('no page shows this command')"))
    yield Task("phalanx compare", (phalanx, "compare", "arm"), fails_with="compare needs MuJoCo: pip install mujoco==")


def drawing_tasks(fresh: Fresh) -> Iterator[Task]:
    """What needs matplotlib."""
    for notebook in NOTEBOOKS:
        runner = (fresh.python, str(ROOT / "tools" / "page_code.py"))
        yield Task(notebook.relative_to(ROOT).as_posix(), (*runner, str(notebook)))
    phalanx = str(fresh.bin / "phalanx")
    yield Task("phalanx demo", (phalanx, "demo", "--time", "0.2"), makes="phalanx-demo.png")
    profile = (phalanx, "profile", "cartpole", "--steps", "50", "--worlds", "8", "--plot", "profile.png")
    yield Task("phalanx profile --plot", profile, makes="profile.png")


def run_all(tasks: Iterable[Task], folder: Path, options: argparse.Namespace) -> int:
    """Run tasks, several at a time; prints the failures and returns their count."""
    tasks, failed = list(tasks), 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for task, (problem, seconds) in zip(tasks, pool.map(lambda task: task.run(folder), tasks), strict=True):
            if problem:
                failed += 1
                print(f"{task.name}:\n{problem}\n", flush=True)
            elif options.verbose:
                print(f"{seconds:6.1f} s  {task.name}", flush=True)
    return failed


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--download", action="store_true", help="download what the wheel needs, instead of linking it")
    parser.add_argument("--skip", default="", metavar="COMMAND", help="leave out lines of pages that begin so")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tasks at a time")
    parser.add_argument("--verbose", action="store_true", help="also print what works, with its time")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        fresh = Fresh(folder / "env")
        if options.download:
            fresh.install(wheel)
        else:
            fresh.link(requirements_of(wheel))
            fresh.install(wheel, "--no-deps")
        # the sources must not be what is tried, and MuJoCo must not be there
        place = Path(fresh.says("import phalanx; print(phalanx.__file__)"))
        has_mujoco = fresh.says("import importlib.util as u; print(u.find_spec('mujoco'))") != "None"
        if fresh.site not in place.parents or has_mujoco:
            sys.exit(f"not a fresh environment: phalanx is {place}" + ", and mujoco is there" * has_mujoco)
        failed = run_all([*page_tasks(fresh, options.skip), *command_tasks(fresh)], folder, options)
        if options.download:
            fresh.install(wheel, *requirements_of(wheel, "demo"))
        else:
            fresh.link(requirements_of(wheel, "demo"))
        failed += run_all(drawing_tasks(fresh), folder, options)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
