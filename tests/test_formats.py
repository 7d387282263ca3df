"""Writing tours to files: all of a file or none of it."""

import json

import numpy as np
import pytest

from knighttour import InvalidInputError, tour
from knighttour.files import replacing

BOARDS = ["chess", "xiangqi", "3x10", "10x3"]


@pytest.fixture(params=BOARDS)
def found(request):
    return tour((0, 0), request.param, strategy="course")


def test_npy_is_what_numpy_reads(found, tmp_path):
    found.save(tmp_path / "tour.npy")
    grid = np.load(tmp_path / "tour.npy")
    assert grid.tolist() == found.grid()
    assert grid.dtype == np.int32
    mapped = np.load(tmp_path / "tour.npy", mmap_mode="r")
    assert mapped.shape == found.board.shape


def test_csv_and_txt_are_the_grid(found, tmp_path):
    found.save(tmp_path / "tour.csv")
    lines = (tmp_path / "tour.csv").read_text("ascii").splitlines()
    assert [[int(cell) for cell in line.split(",")] for line in lines] == found.grid()
    found.save(str(tmp_path / "tour.TXT"))
    lines = (tmp_path / "tour.TXT").read_text("utf-8").splitlines()
    assert [[int(cell) for cell in line.split()] for line in lines] == found.grid()


def test_json_has_everything(found, tmp_path):
    found.save(tmp_path / "tour.json")
    data = json.loads((tmp_path / "tour.json").read_text("utf-8"))
    assert [data["rows"], data["cols"]] == list(found.board.shape)
    assert [tuple(square) for square in data["squares"]] == found.tolist()
    assert data["grid"] == found.grid()
    assert data["closed"] is found.closed


@pytest.mark.parametrize("name", ["tour", "tour.xyz", ".npy/", "tour.npy.bak"])
def test_an_unknown_ending_names_the_known_ones(name, tmp_path):
    with pytest.raises(InvalidInputError, match=r"\.txt.*\.npy"):
        tour("a0").save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_path_is_an_os_error_and_leaves_nothing(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        tour("a0").save(tmp_path / "nowhere" / "tour.npy")
    (tmp_path / "folder.npy").mkdir()
    with pytest.raises(OSError, match=r"folder\.npy"):
        tour("a0").save(tmp_path / "folder.npy")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.npy"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError, ValueError])
def test_a_failure_half_way_keeps_the_old_file(failure, tmp_path):
    target = tmp_path / "tour.txt"
    target.write_text("old")

    def write_half():
        with replacing(target) as out:
            out.write(b"half")
            raise failure

    with pytest.raises(failure):
        write_half()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_saved_file_has_the_usual_permissions(tmp_path):
    import os
    import stat

    target = tour("a0").save(tmp_path / "tour.txt")
    if os.name == "posix":
        umask = os.umask(0)
        os.umask(umask)
        assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask
