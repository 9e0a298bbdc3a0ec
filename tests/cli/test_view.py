"""`phalanx view`: what it refuses, and that it serves a page until it is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request

import pytest

from tests.cli.test_cli import assert_complains, run

pytest.importorskip("viser", reason="the extra `view` is not installed")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cartpol",), "did you mean 'cartpole'"),
        (("cartpole", "--port", "70000"), "port"),
        (("cartpole", "--host", "no such host"), "host"),
        (("cartpole", "--key", "nokey"), "nokey"),
        (("cartpole", "--camera", "nowhere"), "there is no camera 'nowhere'"),
        (("cartpole", "--show", "contatcs"), "did you mean 'contacts'"),
        (("cartpole", "--speed", "0"), "speed"),
    ],
)
def test_mistakes_are_one_line(arguments, message):
    assert_complains(run("view", *arguments), message)


def test_it_serves_a_page_until_it_is_interrupted():
    command = [sys.executable, "-m", "phalanx", "view", "cartpole", "--port", "0", "--paused"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        try:
            line = process.stdout.readline()
            url = line.split()[2]
            with urllib.request.urlopen(url, timeout=60) as answer:
                assert b"<html" in answer.read()
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()
