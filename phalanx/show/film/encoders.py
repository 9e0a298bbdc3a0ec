"""Encoders of films, by the ending of the file. Each takes pictures one by one and keeps none of them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from phalanx.memory.array_file import suffix_of
from phalanx.memory.errors import FieldError, MissingPackageError
from phalanx.memory.whole_file import WholeFile, check_folder, write_whole
from phalanx.show.film.gif import GifWriter
from phalanx.show.film.webp import WebpWriter

#: Quality of H.264: 0 is lossless, 51 worst; 18 to 23 is what people cannot tell from the original.
QUALITY = "20"
#: Names of files in a folder of pictures.
IN_FOLDER = "frame_%05d.png"
#: A place for the count in the name of a picture.
_COUNT = re.compile(r"%0?[0-9]{0,2}d")
#: Most pixels in a row and rows, as the formats have it.
VIDEO_LARGEST, GIF_LARGEST, WEBP_LARGEST = 16384, 65535, 16383
#: Browsers show pictures of a GIF at most this often [1/s].
GIF_FASTEST = 50


class Encoder(Protocol):
    """Writes a film. An error or an interrupt between two pictures leaves a film that ends there."""

    def add(self, picture: np.ndarray) -> None:
        """The next picture, (height, width, 3) uint8."""

    def finish(self) -> None:
        """Complete the file, and give it its name."""

    def drop(self) -> None:
        """Leave no file."""


class VideoEncoder:
    """H.264 in an mp4 file, through the package `av`."""

    def __init__(self, path: Path, width: int, height: int, fps: float):
        av = video_package(path)
        if width % 2 or height % 2:
            raise FieldError(f"{path.name}: videos have even numbers of pixels, unlike {width} x {height}")
        check_size(path, width, height, VIDEO_LARGEST)
        self._whole = WholeFile(path)
        self._container = av.open(str(self._whole.unfinished), "w", format="mp4", options={"movflags": "faststart"})
        self._stream = self._container.add_stream("libx264", rate=Fraction(fps).limit_denominator(100_000))
        self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, "yuv420p"
        self._stream.options = {"crf": QUALITY}
        self._stream.codec_context.thread_count = 0
        self._make = av.VideoFrame.from_ndarray

    def add(self, picture: np.ndarray) -> None:
        """The next picture."""
        self._container.mux(self._stream.encode(self._make(picture, format="rgb24")))

    def finish(self) -> None:
        """Write what the encoder still holds."""
        self._container.mux(self._stream.encode())
        self._container.close()
        self._whole.keep()

    def drop(self) -> None:
        """Leave no file."""
        self._container.close()
        self._whole.drop()


def video_package(path: Path) -> Any:
    """The package `av`, or an error that says how to get it."""
    try:
        import av
    except ImportError as error:
        raise MissingPackageError(
            f"{path.name}: videos are written by the package av, which is not installed: pip install 'phalanx[video]'; "
            ".gif, .webp and .png need nothing more"
        ) from error
    return av


class AnimationEncoder:
    """An animated picture.

    Args:
        path: the file.
        width, height: of pictures.
        fps: pictures per second.
        make: the writer of the format.
        ticks: its unit of time, in a second.
    """

    def __init__(self, path: Path, width: int, height: int, fps: float, make: Any, ticks: int):
        self._whole = WholeFile(path)
        self._file = self._whole.unfinished.open("wb")
        self._writer, self._fps, self._ticks, self._count = make(self._file, width, height), fps, ticks, 0

    def add(self, picture: np.ndarray) -> None:
        """The next picture. Durations are whole ticks, and right in sum."""
        begin, end = (round(k * self._ticks / self._fps) for k in (self._count, self._count + 1))
        self._writer.add(picture, end - begin)
        self._count += 1

    def finish(self) -> None:
        """The end of the file."""
        self._writer.finish()
        self._file.close()
        self._whole.keep()

    def drop(self) -> None:
        """Leave no file."""
        self._file.close()
        self._whole.drop()


def gif_encoder(path: Path, width: int, height: int, fps: float) -> AnimationEncoder:
    """An animated GIF."""
    if fps > GIF_FASTEST:
        raise FieldError(f"{path.name}: a GIF has at most {GIF_FASTEST} pictures a second, not {fps:g}")
    check_size(path, width, height, GIF_LARGEST)
    return AnimationEncoder(path, width, height, fps, GifWriter, 100)


def webp_encoder(path: Path, width: int, height: int, fps: float) -> AnimationEncoder:
    """An animated WebP."""
    check_size(path, width, height, WEBP_LARGEST)
    return AnimationEncoder(path, width, height, fps, WebpWriter, 1000)


def check_size(path: Path, width: int, height: int, largest: int) -> None:
    """Refuse pictures that are larger than the format of a file knows."""
    if max(width, height) > largest:
        raise FieldError(f"{path.name}: {path.suffix} has at most {largest} pixels a side, unlike {width} x {height}")


class PngEncoder:
    """A file for each picture, without loss: `run_%04d.png` becomes run_0000.png, run_0001.png, ..."""

    def __init__(self, path: Path, width: int, height: int, fps: float):
        check_pattern(path)
        self._pattern, self._files = path, list[Path]()

    def add(self, picture: np.ndarray) -> None:
        """The next picture."""
        path = self._pattern.with_name(self._pattern.name % len(self._files))
        from PIL import Image  # slow to import, and not needed before

        file = io.BytesIO()
        Image.fromarray(picture).save(file, "PNG")
        write_whole(path, file.getvalue())
        self._files.append(path)

    def finish(self) -> None:
        """Each file is complete already."""

    def drop(self) -> None:
        """Pictures that are there stay."""


def check_pattern(path: Path) -> None:
    """Refuse a name of pictures that has no place for their count, or one for more than 99 digits."""
    rest, places = _COUNT.subn("", path.name.replace("%%", ""))
    if places != 1 or "%" in rest:
        raise FieldError(f"{path.name}: each picture needs a name of its own: {path.stem}_%04d.png, or give a folder")


#: Ending of a file -> what writes it: a function of path, width, height and pictures per second.
ENCODERS: Mapping[str, Callable[[Path, int, int, float], Encoder]] = {
    ".mp4": VideoEncoder,
    ".gif": gif_encoder,
    ".webp": webp_encoder,
    ".png": PngEncoder,
}


def encoder_for(path: str | Path, width: int, height: int, fps: float) -> Encoder:
    """The encoder of a file by its ending; a folder gets a PNG file for each picture."""
    target = Path(path)
    if target.is_dir():
        target = target / IN_FOLDER
    make = ENCODERS[suffix_of(target, ENCODERS, "writer of films")]
    check_folder(target)
    return make(target, width, height, fps)
