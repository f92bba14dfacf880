from __future__ import annotations

import json
import os
import re
import stat

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError

DESCRIPTION = {"detector": "SLAD", "fitted": {"offset": -0.1, "names": ["a", "ü"]}}
ARRAYS = {
    "weights": np.linspace(0, 1, 50, dtype=np.float32),
    "lengths": np.arange(6, dtype=np.int32).reshape(2, 3),
    "center": np.array([0.1, 1e300, -0.0]),
    "empty": np.zeros((0, 4)),
}


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.slad"
    write_artifact(path, DESCRIPTION, ARRAYS)
    return path


def test_what_is_written_is_read_to_the_bit(saved):
    description, arrays = read_artifact(saved)
    assert description == DESCRIPTION
    assert set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].shape == array.shape
        assert arrays[name].tobytes() == array.tobytes()


def test_arrays_of_any_layout_are_written(tmp_path):
    array = np.arange(12.0).reshape(3, 4).T[::2]
    write_artifact(tmp_path / "model", {}, {"array": array})
    np.testing.assert_array_equal(read_artifact(tmp_path / "model")[1]["array"], array)


@pytest.mark.parametrize("share", [0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999])
def test_a_file_cut_short_is_refused(saved, share):
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ArtifactError, match=re.escape(str(saved)) + ".*truncated"):
        read_artifact(saved)


def test_a_file_cut_by_one_byte_or_with_one_more_is_refused(saved):
    whole = saved.read_bytes()
    for content in (whole[:-1], whole + b"\0"):
        saved.write_bytes(content)
        with pytest.raises(ArtifactError):
            read_artifact(saved)


def test_every_flipped_bit_is_noticed(saved):
    whole = bytearray(saved.read_bytes())
    missed = []
    for place in range(len(whole)):
        whole[place] ^= 1 << place % 8
        saved.write_bytes(whole)
        try:
            description, _ = read_artifact(saved)
        except ArtifactError:
            pass
        else:
            missed.append((place, description))
        whole[place] ^= 1 << place % 8
    assert not missed


def rewrite(path, **changes):
    """The file with other entries in its header."""
    header = json.loads(metadata(path)["slad"])
    save_file(load_file(path), path, metadata={"slad": json.dumps(header | changes)})


def metadata(path) -> dict[str, str]:
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    return json.loads(content[8 : 8 + size])["__metadata__"]


def test_another_format_version_is_named(saved):
    rewrite(saved, format_version=99)
    with pytest.raises(ArtifactError, match="format version 99"):
        read_artifact(saved)


def test_an_altered_description_is_noticed(saved):
    rewrite(saved, description=json.dumps({"detector": "other"}))
    with pytest.raises(ArtifactError, match="altered"):
        read_artifact(saved)


@pytest.mark.parametrize("header", ["[]", "null", '"text"', "{}", "{", '{"format_version": 1}'])
def test_a_header_of_another_shape_is_refused(saved, header):
    save_file(load_file(saved), saved, metadata={"slad": header})
    with pytest.raises(ArtifactError, match="not a complete slad model"):
        read_artifact(saved)


def test_a_safetensors_file_of_something_else_is_refused(tmp_path):
    save_file(ARRAYS, tmp_path / "other.safetensors")
    with pytest.raises(ArtifactError, match="written by another program"):
        read_artifact(tmp_path / "other.safetensors")


@pytest.mark.parametrize("content", [b"", b"not a model", b"\xff" * 100, b"\x80\x04N."])
def test_a_file_of_something_else_is_refused(tmp_path, content):
    path = tmp_path / "model"
    path.write_bytes(content)
    with pytest.raises(ArtifactError, match="not a complete slad model"):
        read_artifact(path)


def test_a_missing_file_and_a_folder_are_no_models(tmp_path):
    with pytest.raises(ArtifactError, match=r"no saved model at .*nowhere"):
        read_artifact(tmp_path / "nowhere")
    with pytest.raises(ArtifactError, match="no saved model at"):
        read_artifact(tmp_path)


def test_a_folder_or_a_missing_folder_cannot_be_written_to(tmp_path):
    with pytest.raises(ArtifactError, match="it is a folder"):
        write_artifact(tmp_path, DESCRIPTION, ARRAYS)
    with pytest.raises(ArtifactError, match=r"there is no folder .*nowhere"):
        write_artifact(tmp_path / "nowhere" / "model", DESCRIPTION, ARRAYS)


def test_a_failed_save_leaves_the_old_file_and_nothing_beside_it(saved, monkeypatch):
    def fail(*args):
        raise OSError("disk full")

    before = saved.read_bytes()
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_artifact(saved, {"other": 1}, {"other": np.ones(3)})
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_what_is_not_plain_is_refused_before_anything_is_written(saved):
    before = saved.read_bytes()
    for bad in (float("nan"), object()):
        with pytest.raises((ValueError, TypeError)):
            write_artifact(saved, {"value": bad}, {})
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of posix")
def test_the_file_has_the_mode_any_new_file_has(saved, tmp_path):
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(saved.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_the_description_can_be_read_without_slad(saved):
    assert json.loads(json.loads(metadata(saved)["slad"])["description"]) == DESCRIPTION
