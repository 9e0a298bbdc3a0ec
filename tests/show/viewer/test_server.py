"""Ports and hosts: the next free one, and clear errors."""

from __future__ import annotations

import socket

import pytest

from phalanx.memory.errors import FieldError
from phalanx.show.viewer.errors import ViewerError
from phalanx.show.viewer.server import HOST, free_port


def test_a_port_that_is_taken_gives_the_next_free_one():
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert free_port(HOST, port) > port


def test_port_zero_is_any_free_one():
    assert free_port(HOST, 0) > 0


@pytest.mark.parametrize("port", [-1, 65536, 80.5, "http", None])
def test_a_bad_port_is_refused(port):
    with pytest.raises(FieldError, match="port"):
        free_port(HOST, port)


@pytest.mark.parametrize("host", ["", None, "no such host", "203.0.113.1"])
def test_a_bad_host_is_refused(host):
    with pytest.raises((FieldError, ViewerError), match=r"host|serve"):
        free_port(host, 0)
