"""Films: frames when they are due, files that hold what was drawn, and nothing broken after an error."""

from __future__ import annotations

import builtins
import io
import tracemalloc

import numpy as np
import pytest
from PIL import Image

import phalanx
from phalanx import FieldError, MissingPackageError, ModelError, UnknownNameError, record
from phalanx.show.film.changed import changed_box
from phalanx.show.film.encoders import encoder_for
from phalanx.show.film.gif import GifWriter
from phalanx.show.film.webp import WebpWriter
from tests.show.scenes import boxes

WIDTH, HEIGHT = 96, 64


@pytest.fixture(scope="module")
def model():
    return boxes()


def pictures(count: int = 8) -> list[np.ndarray]:
    """A disk that moves over a smooth background."""
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    background = np.stack([columns * 2, rows * 3, np.full_like(rows, 90)], axis=2).astype(np.uint8)
    found = []
    for k in range(count):
        picture = background.copy()
        picture[(columns - 20 - 6 * k) ** 2 + (rows - 32) ** 2 < 100] = (230, 40, 30)
        found.append(picture)
    return found


def decoded(path) -> tuple[list[np.ndarray], float]:
    """The frames of a film, and its duration [s]."""
    if path.suffix == ".mp4":
        av = pytest.importorskip("av", reason="the extra video is not installed")
        with av.open(str(path)) as file:
            stream = file.streams.video[0]
            frames = [frame.to_ndarray(format="rgb24") for frame in file.decode(stream)]
            return frames, len(frames) / float(stream.average_rate)
    with Image.open(path) as file:
        frames, duration = [], 0
        for k in range(file.n_frames):
            file.seek(k)
            frames.append(np.asarray(file.convert("RGB")))
            duration += file.info["duration"]
    return frames, duration / 1000


#: Ending -> largest mean difference of a number of a pixel, of 255. A GIF has 256 colors a frame: of the 192 x 190
#: shades of the background, each stands for 12 x 12, so two of three numbers are off by 3 in mean, and all by 2. WebP
#: and H.264 store color at half the resolution, which blurs the rim of the disk: 60 of 6144 pixels, by 200 at most.
CODEC_ERROR = {".mp4": 3.0, ".gif": 3.0, ".webp": 3.0}


@pytest.mark.parametrize("ending", CODEC_ERROR)
def test_a_film_holds_the_pictures_that_were_drawn(ending, tmp_path):
    if ending == ".mp4":
        pytest.importorskip("av", reason="the extra video is not installed")
    path = tmp_path / f"film{ending}"
    encoder = encoder_for(path, WIDTH, HEIGHT, 30.0)
    drawn = pictures()
    for picture in drawn:
        encoder.add(picture)
    assert not path.exists()
    encoder.finish()
    frames, duration = decoded(path)
    assert len(frames) == len(drawn)
    # a GIF counts hundredths of a second, others thousandths
    assert duration == pytest.approx(len(drawn) / 30, abs=0.006)
    for frame, picture in zip(frames, drawn, strict=True):
        assert frame.shape == picture.shape
        assert np.abs(frame.astype(int) - picture).mean() < CODEC_ERROR[ending]
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_png_files_are_without_loss(model, tmp_path):
    data = model.make_data()
    drawn = []
    with record(tmp_path / "run_%03d.png", data, fps=50, width=WIDTH, height=HEIGHT, samples=1) as film:
        for _ in range(60):
            data.step()
            if film.capture():
                drawn.append(data.render(WIDTH, HEIGHT))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"run_{k:03d}.png" for k in range(6)]
    for file, picture in zip(files, drawn, strict=True):
        assert np.array_equal(np.asarray(Image.open(file)), picture)


def test_frames_are_due_at_simulated_time(model, tmp_path):
    data = model.make_data()
    taken = []
    with record(tmp_path / "f.webp", data, fps=100, speed=0.5, width=16, height=16, samples=1) as film:
        for step in range(50):
            if film.capture():
                taken.append(step)
            data.step()
    # a frame every 5 ms of simulated time, in steps of 2 ms
    assert taken == [0, 3, 5, 8, 10, 13, 15, 18, 20, 23, 25, 28, 30, 33, 35, 38, 40, 43, 45, 48]
    assert film.frames == 20 and repr(film).endswith("20 frames, finished>")


def test_long_steps_fill_several_frames_and_a_reset_goes_on(model, tmp_path):
    data = model.make_data()
    with record(tmp_path / "f.gif", data, fps=50, width=16, height=16, samples=1) as film:
        film.capture()
        data.step(50)
        film.capture()
        assert film.frames == 6
        data.reset()
        film.capture()
        assert film.frames == 7
        film.frame()
    frames, _ = decoded(tmp_path / "f.gif")
    assert len(frames) == 8


def test_a_grid_shows_worlds_of_a_batch(model, tmp_path):
    batch = phalanx.BatchSim(model, 5)
    batch.qpos[:, 2] += 0.1 * np.arange(5)
    with record(tmp_path / "f_%d.png", batch=batch, worlds=[0, 4, 2], width=64, height=48, samples=1) as film:
        batch.step()
        film.capture()
    picture = np.asarray(Image.open(tmp_path / "f_0.png"))
    tiles = batch.render([0, 4, 2], 32, 24)
    assert np.array_equal(picture[:24, :32], tiles[0]) and np.array_equal(picture[:24, 32:], tiles[1])
    assert np.array_equal(picture[24:, :32], tiles[2]) and not picture[24:, 32:].any()


# --- whole files


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ZeroDivisionError])
def test_a_film_that_is_interrupted_ends_there(model, tmp_path, stop):
    data = model.make_data()
    with pytest.raises(stop), record(tmp_path / "f.gif", data, fps=50, width=16, height=16, samples=1) as film:
        for step in range(100):
            data.step()
            film.capture()
            if step == 49:
                raise stop
    frames, _ = decoded(tmp_path / "f.gif")
    assert len(frames) == film.frames == 5
    assert [file.name for file in tmp_path.iterdir()] == ["f.gif"]


def test_a_film_that_cannot_be_finished_leaves_no_file(model, tmp_path, monkeypatch):
    (tmp_path / "f.gif").write_bytes(b"what was there before")

    def fail(self):
        raise OSError("no space left on device")

    monkeypatch.setattr(GifWriter, "finish", fail)
    data = model.make_data().forward()
    with pytest.raises(OSError, match="no space"), record(tmp_path / "f.gif", data, width=16, height=16) as film:
        film.frame()
    assert [file.name for file in tmp_path.iterdir()] == ["f.gif"]
    assert (tmp_path / "f.gif").read_bytes() == b"what was there before"


def test_a_film_without_frames_leaves_no_file(model, tmp_path):
    with record(tmp_path / "f.gif", model.make_data(), width=16, height=16):
        pass
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_added_to_a_film_that_is_over(model, tmp_path):
    with record(tmp_path / "f.gif", model.make_data().forward(), width=16, height=16) as film:
        film.frame()
    with pytest.raises(FieldError, match="is finished"):
        film.frame()


class Counted(io.RawIOBase):
    """A file that only counts."""

    def __init__(self):
        self.size = 0

    def write(self, data):
        self.size += len(data)
        return len(data)

    def tell(self):
        return self.size

    def seek(self, place, whence=0):
        return place


@pytest.mark.parametrize("make", [GifWriter, WebpWriter])
def test_memory_does_not_grow_with_frames(make):
    file = Counted()
    writer = make(file, WIDTH, HEIGHT)
    drawn = pictures()
    peaks = []
    tracemalloc.start()
    for _ in range(2):
        tracemalloc.reset_peak()
        for k in range(150):
            writer.add(drawn[k % len(drawn)], 1)
        peaks.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    # 150 more frames, less than one more picture
    assert peaks[1] - peaks[0] < drawn[0].nbytes
    assert file.size > 300 * 100


@pytest.mark.conformance
def test_a_long_video_takes_no_more_memory_than_a_short_one(tmp_path):
    pytest.importorskip("av", reason="the extra video is not installed")
    resource = pytest.importorskip("resource", reason="the system tells no memory")
    encoder = encoder_for(tmp_path / "f.mp4", 320, 240, 30.0)
    picture = np.zeros((240, 320, 3), np.uint8)
    peaks = []
    for k in range(1500):
        picture[:, :] = np.arange(k, k + 320)[:, None] % 256
        encoder.add(picture)
        if k in (300, 1499):
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    encoder.finish()
    # 1200 pictures would be 270 MB; the encoder itself holds some tens of frames
    assert peaks[1] - peaks[0] < 20_000


def test_what_changed_is_found():
    before = np.zeros((10, 12, 3), np.uint8)
    after = before.copy()
    assert changed_box(None, after) == (0, 0, 12, 10)
    assert changed_box(before, after) == (0, 0, 1, 1)
    after[3:5, 7:11] = 1
    assert changed_box(before, after) == (7, 3, 11, 5)
    assert changed_box(before, after, step=2) == (6, 2, 11, 5)


# --- mistakes


def test_unknown_endings_are_told_with_those_that_are_known(model, tmp_path):
    data = model.make_data()
    with pytest.raises(ModelError, match=r"no writer of films for '\.avi'; known: \.mp4, \.gif, \.webp, \.png"):
        record(tmp_path / "f.avi", data)
    with pytest.raises(ModelError, match="this one has none"):
        record(tmp_path / "film", data)
    with pytest.raises(FieldError, match=r"a name of its own: run_%04d\.png"):
        record(tmp_path / "run.png", data)
    with pytest.raises(ModelError, match="there is no folder"):
        record(tmp_path / "none" / "f.gif", data)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_is_told_with_its_extra(model, tmp_path, monkeypatch):
    real_import = builtins.__import__

    def without_av(name, *arguments, **keywords):
        if name == "av":
            raise ImportError(name)
        return real_import(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_av)
    with pytest.raises(MissingPackageError, match=r"phalanx\[video\].*\.gif, \.webp and \.png need nothing"):
        record(tmp_path / "f.mp4", model.make_data())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options, error, words",
    [
        ({"camera": "fornt"}, UnknownNameError, "did you mean 'front'"),
        ({"fps": 0}, FieldError, "fps is from 0.01 to 1000"),
        ({"fps": 5e-324}, FieldError, "fps is from 0.01 to 1000"),
        ({"speed": float("inf")}, FieldError, r"speed is from 1e-09 to 1e\+09"),
        ({"speed": 5e-324}, FieldError, r"speed is from 1e-09 to 1e\+09"),
        ({"width": 0}, FieldError, "width"),
        ({"show": "contakts"}, FieldError, "contacts"),
        ({"worlds": [0]}, FieldError, "worlds are chosen from batch"),
        ({"fps": 60}, FieldError, "at most 50 pictures a second"),
    ],
)
def test_arguments_that_make_no_sense(model, tmp_path, options, error, words):
    with pytest.raises(error, match=words):
        record(tmp_path / "f.gif", model.make_data(), **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("time", [float("nan"), float("inf")])
def test_no_frame_is_due_at_a_time_that_is_none(model, tmp_path, time):
    data = model.make_data()
    with record(tmp_path / "f.gif", data, width=16, height=16) as film:
        data.time = time
        with pytest.raises(FieldError, match=f"the time of the world is {time}"):
            film.capture()


@pytest.mark.parametrize("ending, largest", [(".gif", 65535), (".webp", 16383), (".mp4", 16384)])
def test_pictures_larger_than_a_format_knows(model, tmp_path, ending, largest):
    if ending == ".mp4":
        pytest.importorskip("av", reason="the extra video is not installed")
    with pytest.raises(FieldError, match=f"at most {largest} pixels a side, unlike 70000 x 2"):
        record(tmp_path / f"f{ending}", model.make_data(), width=70000, height=2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["%10000000000d", "%.1000000000d", "%s%d", "%d%d", "%", "%%d", "%*d", "%0999d"])
def test_names_of_pictures_have_one_place_for_a_short_count(model, tmp_path, name):
    with pytest.raises(FieldError, match="a name of its own"):
        record(tmp_path / f"{name}.png", model.make_data())


def test_what_is_filmed_is_a_world_or_a_batch(model, tmp_path):
    with pytest.raises(FieldError, match="one of them"):
        record(tmp_path / "f.gif")
    with pytest.raises(FieldError, match="not of Model"):
        record(tmp_path / "f.gif", model)
    with pytest.raises(FieldError, match="even numbers of pixels"):
        pytest.importorskip("av", reason="the extra video is not installed")
        record(tmp_path / "f.mp4", model.make_data(), width=33, height=20)


def test_a_state_that_is_not_finite_ends_the_film(model, tmp_path):
    data = model.make_data().forward()
    with pytest.raises(FieldError, match="qpos"), record(tmp_path / "f.gif", data, width=16, height=16) as film:
        film.frame()
        data.qpos[0] = np.nan
        data.run("kinematics")
        film.frame()
    assert len(decoded(tmp_path / "f.gif")[0]) == 1
