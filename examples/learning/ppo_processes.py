"""The same learning by several processes: each simulates worlds of its own, and all of them average their gradients.

    python examples/learning/ppo_processes.py HalfCheetah-v5 --processes 2

Options are those of `examples/learning/ppo.py`; `worlds` is the number in all processes together. It is how
torch.distributed learns in parallel, with JAX: the parameters are the same in all processes, each update sees what the
worlds of all of them did. On several machines, start one process on each, with the address of the first:

    python examples/learning/ppo_processes.py HalfCheetah-v5 --processes 2 --rank 0 --address 10.0.0.1:9911
"""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import numpy as np
import ppo
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec

#: The axis that worlds are spread along.
AXIS = "worlds"


class Team(ppo.Alone):
    """This process and the others."""

    def __init__(self, rank: int, size: int, address: str):
        jax.distributed.initialize(address, num_processes=size, process_id=rank)
        self.rank, self.size = rank, size
        self.mesh = jax.make_mesh(
            (size,), (AXIS,), devices=[jax.local_devices(process_index=r)[0] for r in range(size)]
        )

    def average(self, tree: Any) -> Any:
        """The mean over the processes, in compiled code."""
        return jax.lax.pmean(tree, AXIS)

    def gather(self, row: np.ndarray) -> np.ndarray:
        """Rows of all processes, (processes, ...)."""
        # in halves of 32 bits, since JAX has no double precision unless it is told to
        halves = np.ascontiguousarray(row, float).view(np.uint32)
        return np.ascontiguousarray(multihost_utils.process_allgather(halves)).view(float)

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of (params, memory, scale, rollout, order), compiled.

        Each process gives it a rollout of its own, and all get the same parameters.
        """
        same, own = PartitionSpec(), PartitionSpec(AXIS)

        def mine(params: Any, memory: Any, scale: Any, rollout: Any, order: Any) -> Any:
            return function(params, memory, scale, jax.tree.map(lambda row: row[0], rollout), order[0])

        shared = jax.shard_map(
            mine, mesh=self.mesh, in_specs=(same, same, same, own, own), out_specs=(same, same, same), check_vma=False
        )
        whole, spread = NamedSharding(self.mesh, same), NamedSharding(self.mesh, own)

        def of_all(sharding: NamedSharding, tree: Any) -> Any:
            return jax.tree.map(lambda row: jax.make_array_from_process_local_data(sharding, row), tree)

        compiled = jax.jit(shared)

        def run(params: Any, memory: Any, scale: Any, rollout: Any, order: Any) -> Any:
            ours = jax.tree.map(np.asarray, (params, memory, scale))
            mine = jax.tree.map(lambda row: np.asarray(row)[None], (rollout, order))
            found = compiled(*of_all(whole, ours), *of_all(spread, mine))
            return jax.tree.map(lambda row: row.addressable_data(0), found)

        return run


def start_all(processes: int, arguments: list[str]) -> int:
    """Start all processes on this machine, and wait; returns 0 if all went well."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    command = [sys.executable, __file__, *arguments, "--processes", str(processes), "--address", address]
    started = [subprocess.Popen([*command, "--rank", str(rank)]) for rank in range(processes)]
    return max(abs(process.wait()) for process in started)


def main(arguments: list[str] | None = None) -> int:
    """Learn in this process as one of several, or start them."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--rank", type=int, help="which of them this one is")
    parser.add_argument("--address", help="host:port of the first")
    options, others = parser.parse_known_args(arguments)
    settings, results = ppo.parse(others)
    if options.rank is None:
        return start_all(options.processes, others)
    team = Team(options.rank, options.processes, options.address)
    # each has its part of the worlds, and one thread for them
    settings = replace(settings, worlds=settings.worlds // team.size, threads=settings.threads or 1)
    params, scale, curve = ppo.learn(settings, print if team.rank == 0 else None, team)
    if team.rank == 0:
        ppo.show(settings, results, params, scale, curve)
    # all have the same policy, to the last bit
    policies = team.gather(np.concatenate([np.ravel(row) for row in jax.tree.leaves(params)]).astype(float))
    assert all((policy == policies[0]).all() for policy in policies)
    return 0


if __name__ == "__main__":
    sys.exit(main())
