"""Arrays of a page: what is packed can be unpacked, to within the error that is stated."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest

from phalanx.scene.shapes import Shapes
from phalanx.show.replay.frames import frames_of, nearest_rows, playing_time
from phalanx.show.replay.packed import Packed, differences
from phalanx.show.replay.page_assets import Surfaces
from phalanx.show.replay.tracks import LooseTrack, continuous, pose_track, step_of
from phalanx.show.trajectory import Trajectory
from phalanx.tables.enums import GeomType
from tests.show.scenes import boxes


def unpacked(packed: Packed, place: dict) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and counts of a track, as the page reads them: slow and plain."""
    data = zlib.decompress(base64.b64decode(packed.text()))
    counts = np.frombuffer(data, "<u4", place["counts"]["count"], place["counts"]["start"])
    rows, channels, planes = int(counts.sum()), len(place["scales"]), place["planes"]
    stored = np.frombuffer(data, np.uint8, planes * channels * rows, place["start"]).reshape(channels, planes, rows)
    values = np.zeros((rows, channels))
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
    for channel in range(channels):
        codes = sum(stored[channel, plane].astype(int) << 8 * plane for plane in range(planes))
        whole = [(int(code) >> 1) ^ -(int(code) & 1) for code in codes]
        for frame in range(1, len(counts)):
            for rank in range(min(counts[frame - 1], counts[frame])):
                whole[starts[frame] + rank] += whole[starts[frame - 1] + rank]
        values[:, channel] = np.array(whole) * place["scales"][channel]
    return values, counts


@pytest.mark.parametrize("seed", range(5))
def test_tracks_of_any_counts_come_back(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 5, 20)
    values = rng.integers(-(2 ** rng.integers(1, 30)), 2**20, (int(counts.sum()), 3))
    packed = Packed()
    packed.plain(np.arange(3), "u1")
    place = packed.track(values, counts, [1.0, 0.5, 2.0])
    found, again = unpacked(packed, place)
    assert np.array_equal(again, counts)
    assert np.array_equal(found, values * [1.0, 0.5, 2.0])


def test_differences_are_those_to_the_same_rank_before():
    assert differences(np.zeros((0, 2), int), np.zeros(4, int)).shape == (0, 2)
    assert differences(np.array([[3], [4]]), np.array([0, 1, 0, 1])).ravel().tolist() == [3, 4]


def test_poses_are_off_by_less_than_what_is_stated():
    rng = np.random.default_rng(0)
    positions = np.cumsum(rng.normal(size=(50, 4, 3)), axis=0)
    quats = rng.normal(size=(50, 4, 4))
    quats /= np.linalg.norm(quats, axis=-1, keepdims=True)
    step = step_of(2.0, [positions])
    assert step == 2.0 / 2**16
    packed = Packed()
    values, _ = unpacked(packed, pose_track(packed, positions, quats, step))
    values = values.reshape(50, 4, 7)
    assert np.abs(values[..., :3] - positions).max() <= 0.5 * step * (1 + 1e-9)
    assert np.abs(values[..., 3:] - continuous(quats)).max() <= 0.5 / 32767 * (1 + 1e-9)
    # the angle between two unit quaternions that differ by e is about 2 |e|
    assert 2 * np.linalg.norm(values[..., 3:] - continuous(quats), axis=-1).max() < 1e-4


def test_far_positions_have_a_coarser_step():
    positions = np.array([[[1e9, 0, 0]], [[-1e9, 0, 0]]])
    step = step_of(1.0, [positions])
    assert step == 1e9 / 2**29
    packed = Packed()
    values, _ = unpacked(packed, pose_track(packed, positions, np.tile([1.0, 0, 0, 0], (2, 1, 1)), step))
    assert np.array_equal(values[:, 0], [1e9, -1e9])


def test_quaternions_do_not_jump_to_their_opposites():
    quat = np.array([0.6, 0.0, 0.8, 0.0])
    found = continuous(np.stack([quat, -quat, quat, quat, -quat])[:, None])
    assert np.array_equal(found, np.tile(quat, (5, 1, 1)))


def test_loose_shapes_come_back_with_kind_place_and_color():
    labels: dict[str, int] = {}
    track = LooseTrack(Surfaces(boxes()), labels)
    for frame in range(3):
        shapes = Shapes.empty(frame)
        shapes.kind[:] = GeomType.ARROW
        shapes.pos[:] = 0.1 * frame
        shapes.size[:] = 0.01, 0.02, 0.3
        shapes.labels = ["one", "two"][:frame]
        track.add(shapes)
    packed = Packed()
    values, counts = unpacked(packed, track.place(packed, 1e-5))
    assert counts.tolist() == [0, 1, 2] and not track.is_empty and labels == {"one": 0, "two": 1}
    assert np.allclose(values[:, 4:7], [[0.1] * 3, [0.2] * 3, [0.2] * 3], atol=0.5e-5)
    assert np.allclose(values[:, 11:14], (0.01, 0.02, 0.3), atol=1e-6)
    assert np.array_equal(values[:, 14:], np.ones((3, 4)))
    assert values[:, 3].tolist() == [1, 1, 2]


# --- frames


def test_time_goes_on_after_a_reset():
    assert np.allclose(playing_time(np.array([0.0, 0.1, 0.2, 0.0, 0.1])), [0, 0.1, 0.2, 0.3, 0.4])


def test_frames_are_the_rows_nearest_to_their_moments():
    times = np.arange(0, 1.0005, 0.002)
    one = Trajectory({"time": times, "qpos": np.zeros((len(times), 1))})
    short = Trajectory({"time": times[:100], "qpos": np.zeros((100, 1))})
    found, (rows, other) = frames_of([one, short], 30.0)
    assert found[0] == 0 and found[-1] == times[-1] and len(found) == 31
    assert np.abs(found - np.arange(31) / 30).max() <= 0.001 + 1e-12
    assert np.array_equal(times[rows], found)
    # a world that has ended stands still
    assert other.max() == 99 and (other[found > 0.2] == 99).all()


def test_single_rows_and_standing_time_are_one_frame():
    assert nearest_rows(np.zeros(1), np.array([0.0, 3.0])).tolist() == [0, 0]
    still = Trajectory({"time": np.zeros(5), "qpos": np.zeros((5, 1))})
    times, (rows,) = frames_of([still], 60.0)
    assert len(times) == len(rows) == 1
