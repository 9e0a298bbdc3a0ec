"""The web server under the page: viser, on a port that is free."""

from __future__ import annotations

import contextlib
import errno
import io
import socket
from collections.abc import Iterator
from typing import Any

from phalanx.memory.errors import FieldError, MissingPackageError
from phalanx.memory.fill import whole
from phalanx.show.viewer.errors import ViewerError

#: Where the page is served unless the user says otherwise: to this machine only.
HOST, PORT = "127.0.0.1", 8080
#: Looks of the page: room for the text of a model file, and lines that are not broken.
STYLE = """<style>
.mantine-Textarea-input { min-height: 55vh !important; font: .75em monospace !important; white-space: pre; }
.mantine-Flex-root:has(textarea) > div:first-child { display: none; }
.phalanx { padding: .2em .7em; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.phalanx.bad { margin: 0 .7em .5em; padding: .5em; border-radius: .3em; background: #fde8e8; color: #8a1f1f;
  white-space: pre-wrap; }
.phalanx.good { color: #1f6f3a; }
.phalanx table { font-size: .85em; border-spacing: .6em .1em; margin-left: -.6em; }
.phalanx td { vertical-align: top; }
</style>"""
#: Ports that are tried, one after the other.
TRIES = 100


def import_viser() -> Any:
    """The viser package, or an error that says how to get it."""
    try:
        import viser
    except ImportError:
        raise MissingPackageError('the viewer needs the package viser: pip install "phalanx[view]"') from None
    return viser


def free_port(host: str, port: int) -> int:
    """The first free port from `port` on; 0 means any.

    Raises:
        FieldError: no port, or no address of this machine.
        ViewerError: all ports are taken, or belong to the system.
    """
    first = whole("port", port, 0, 65535)
    if not isinstance(host, str) or not host:
        raise FieldError(f"host is the name or address to serve at, such as {HOST!r}, not {host!r}")
    last = min(first + TRIES, 65536)
    for candidate in range(first, last):
        found = _try_port(host, candidate)
        if found is not None:
            return found
    raise ViewerError(f"the ports {first} to {last - 1} of {host} are all taken: choose another one with port=")


def _try_port(host: str, port: int) -> int | None:
    """The port if it is free, None if it is taken."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return int(probe.getsockname()[1])
    except socket.gaierror as error:
        raise FieldError(f"host {host!r} is no known name or address: {error.strerror}") from None
    except PermissionError:
        raise ViewerError(f"port {port} belongs to the system: choose one above 1023") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return None
        raise FieldError(f"cannot serve at {host!r}, port {port}: {error.strerror}") from None


def start_server(host: str, port: int, label: str) -> Any:
    """A viser server at a free port, with our looks."""
    viser = import_viser()
    chosen = free_port(host, port)
    with _silence():
        server = viser.ViserServer(host=host, port=chosen, label=label, verbose=False)
    server.gui.configure_theme(control_width="large", show_logo=False, show_share_button=False)
    server.gui.add_html(STYLE)
    return server


def stop_server(server: Any) -> None:
    """End the server and its threads."""
    with _silence():
        server.stop()


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """viser prints when it starts and stops, asked or not; we print the address ourselves."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def url_of(server: Any) -> str:
    """What to type into a browser on this machine."""
    host = server.get_host()
    return f"http://{'localhost' if host in ('0.0.0.0', '::', HOST) else host}:{server.get_port()}"
