"""Every kind of file: what is read from a good one, and what is said of a damaged one."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import savemat
from scipy.sparse import csr_array

from slad.core.errors import DataError
from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.readers import READERS, Raw
from slad_paper.datasets.readers.idx import read_idx

ROWS = np.array([[0.5, 2.0, 0.0], [1.5, -3.0, 4.0], [2.5, 7.0, 0.25], [3.5, 1.0, 9.0]])
LABELS = np.array([0, 1, 0, 0])


def read(kind: str, *paths: Path, **options: object) -> Raw:
    entry = Entry("toy", "Toy", "toys", 4, 3, 1, "free", "here", "nobody", kind, options=options)
    return READERS[kind](entry, paths)


def idx(values: np.ndarray) -> bytes:
    head = struct.pack(f">BBBB{values.ndim}I", 0, 0, 8, values.ndim, *values.shape)
    return head + values.astype(np.uint8).tobytes()


def write(kind: str, path: Path) -> Path:
    """A good file of a kind."""
    if kind == "npz":
        np.savez_compressed(path, X=ROWS, y=LABELS)
    elif kind == "csr":
        s = csr_array(ROWS)
        np.savez(path, data=s.data, indices=s.indices, indptr=s.indptr, shape=s.shape, y=LABELS)
    elif kind == "mat":
        savemat(path, {"X": ROWS, "y": LABELS[:, None]}, do_compression=True)
    elif kind == "csv":
        lines = [",".join(map(str, [*row, label])) for row, label in zip(ROWS, LABELS, strict=True)]
        path.write_text("\n".join(["a,b,c,class", *lines]) + "\n")
    elif kind == "arff":
        lines = [
            ",".join([*map(str, row), "yes" if label else "no"])
            for row, label in zip(ROWS, LABELS, strict=True)
        ]
        head = "@relation toy\n" + "".join(f"@attribute {n} numeric\n" for n in "abc")
        path.write_text(head + "@attribute odd {no,yes}\n@data\n" + "\n".join(lines) + "\n")
    # np.savez adds an ending.
    made = path.with_name(f"{path.name}.npz")
    return made.replace(path) if made.exists() else path


OPTIONS = {"arff": {"anomaly": "yes"}}
KINDS = ["npz", "csr", "mat", "csv", "arff"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_file_gives_its_rows_and_labels(kind, tmp_path):
    raw = read(kind, write(kind, tmp_path / "toy.file"), **OPTIONS.get(kind, {}))
    X = raw.X.toarray() if kind == "csr" else raw.X
    np.testing.assert_array_equal(X, ROWS)
    np.testing.assert_array_equal(raw.y, LABELS)
    assert raw.y.dtype == np.int64
    assert raw.columns == (("a", "b", "c") if kind in ("csv", "arff") else None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", ["empty", "cut", "text", "zeros", "missing"])
def test_a_damaged_file_gives_an_error_that_names_it(kind, damage, tmp_path):
    path = write(kind, tmp_path / "toy.file")
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        keep = len(content) * 2 // 3
        if kind in ("csv", "arff"):
            keep = content.rindex(b"\n", 0, -1) + 4  # inside the last line
        cut = content[:keep]
        bad = {"empty": b"", "cut": cut, "text": b"<html>404</html>", "zeros": bytes(300)}
        path.write_bytes(bad[damage])
    with pytest.raises(DataError, match=r"toy\.file"):
        read(kind, path, **OPTIONS.get(kind, {}))


@pytest.mark.parametrize("kind", ["npz", "csr", "mat"])
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(1, 255))
def test_a_changed_byte_gives_the_table_or_an_error_of_slad(kind, place, byte, tmp_path_factory):
    path = write(kind, tmp_path_factory.mktemp("changed") / "toy.file")
    content = bytearray(path.read_bytes())
    content[int(place * len(content))] ^= byte
    path.write_bytes(content)
    said = ""
    try:
        assert read(kind, path).X.ndim == 2
    except DataError as error:
        said = str(error)
    assert not said or "toy.file" in said


# -- npz ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stored", "given"),
    [("<f4", "<f4"), ("<f8", "<f8"), (">f8", "<f8"), ("i2", "<f8"), ("u1", "<f8"), ("?", "<f8")],
)
def test_floats_stay_as_stored_and_integers_become_float64(stored, given, tmp_path):
    np.savez(tmp_path / "t.npz", X=np.array([[0, 1], [1, 0]], dtype=stored), y=[0, 1])
    X = read("npz", tmp_path / "t.npz").X
    assert X.dtype == given
    np.testing.assert_array_equal(X, [[0, 1], [1, 0]])


def test_an_array_of_objects_is_refused_with_the_way_out(tmp_path):
    np.savez(tmp_path / "t.npz", X=np.array([[1, "a"]], dtype=object), y=[0])
    with pytest.raises(DataError, match=r"t\.npz: array X holds Python objects.*allow_pickle=True"):
        read("npz", tmp_path / "t.npz")


def test_column_names_in_the_npz_are_used(tmp_path):
    np.savez(tmp_path / "t.npz", X=ROWS, y=LABELS, columns=["a", "b", "c"])
    assert read("npz", tmp_path / "t.npz").columns == ("a", "b", "c")


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"X": ROWS}, "no array y, but X"),
        ({"data": ROWS}, "no array X or y, but data"),
        ({"X": ROWS[0], "y": LABELS}, r"X has shape \(3,\)"),
        ({"X": ROWS.astype(str), "y": LABELS}, "not numbers"),
        ({"X": ROWS * 1j, "y": LABELS}, "not numbers"),
        ({"X": ROWS, "y": [0, 2, 0, 1]}, "labels are 0, 1, 2, not 0 and 1"),
        ({"X": ROWS, "y": [-1, 1, 1, 1]}, "labels are -1, 1"),
        ({"X": ROWS, "y": [0, 1, np.nan, 0]}, "nan"),
        ({"X": ROWS, "y": ["a", "b", "a", "a"]}, "'a', 'b'"),
        ({"X": ROWS, "y": np.zeros((2, 2))}, r"shape \(2, 2\)"),
        ({"X": ROWS, "y": np.arange(9)}, r"0, 1, 2, 3, 4, \.\.\."),
    ],
)
def test_arrays_that_are_no_labelled_table_are_refused(arrays, said, tmp_path):
    np.savez(tmp_path / "t.npz", **arrays)
    with pytest.raises(DataError, match=rf"t\.npz.*{said}"):
        read("npz", tmp_path / "t.npz")


def test_a_single_array_is_not_an_npz(tmp_path):
    np.save(tmp_path / "t.npy", ROWS)
    with pytest.raises(DataError, match="single array"):
        read("npz", tmp_path / "t.npy")


def test_a_wrong_checksum_inside_the_npz_is_seen(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, X=ROWS, y=LABELS)
    content = path.read_bytes()
    path.write_bytes(content.replace(np.float64(7.0).tobytes(), np.float64(8.0).tobytes(), 1))
    with pytest.raises(DataError, match=r"t\.npz cannot be read as npz .*CRC"):
        read("npz", path)


def test_a_declared_label_is_the_anomaly(tmp_path):
    np.savez(tmp_path / "t.npz", X=ROWS, y=[3, 7, 3, 5])
    np.testing.assert_array_equal(read("npz", tmp_path / "t.npz", anomaly=7).y, LABELS)
    with pytest.raises(DataError, match="no row is labelled 8, but 3, 5, 7"):
        read("npz", tmp_path / "t.npz", anomaly=8)


# -- sparse ------------------------------------------------------------------------------------


def test_a_sparse_table_is_float32_by_rows(tmp_path):
    X = read("csr", write("csr", tmp_path / "t")).X
    assert isinstance(X, csr_array)
    assert X.dtype == np.float32


@pytest.mark.parametrize(
    "change",
    [
        {"indices": [0, 1, 0, 1, 2, 0, 1, 2, 0, 1, 3]},
        {"indices": [0, 1, 0, 1, 2, 0, 1, 2, 0, 1, -1]},
        {"indices": [0, 1]},
        {"indptr": [0, 2, 5, 8]},
        {"indptr": [0, 5, 2, 8, 11]},
        {"indptr": [0, 2, 5, 8, 12]},
        {"indptr": [1, 2, 5, 8, 11]},
        {"shape": [5, 3]},
        {"shape": [4]},
        {"shape": [-4, 3]},
        {"data": np.ones((2, 2))},
        {"data": ["a"] * 11},
    ],
)
def test_a_sparse_table_that_does_not_hold_together_is_refused(change, tmp_path):
    with np.load(write("csr", tmp_path / "good")) as good:
        arrays = dict(good) | change
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(DataError, match=r"bad\.npz"):
        read("csr", tmp_path / "bad.npz")


# -- csv ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b,class\n1,2,0\n1,x,1\n", r"line 3, column 2 \(b\): 'x' is no finite number"),
        ("a,b,class\n1,,0\n", r"line 2, column 2 \(b\): ''"),
        ("a,b,class\n1,nan,0\n", r"line 2, column 2 \(b\): 'nan'"),
        ("a,b,class\n\n1,1e999,0\n", r"line 3, column 2 \(b\): '1e999'"),
        ("a,b,class\n1,2,maybe\n", r"line 2, column 3 \(class\): 'maybe'"),
        ("a,b,class\n1,2,2\n", "labels are 2.0"),
        ("a,b,class\n1,2,0\n1,2\n", "line 3: 2 cells where the header has 3"),
        ("a,b,class\n1,2,0,9\n", "line 2: 4 cells"),
        ("a,b,class\n", "no rows"),
        ("class\n0\n", "no header"),
        ("", "no header"),
    ],
)
def test_a_bad_cell_of_a_csv_is_named_by_line_and_column(text, said, tmp_path):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(DataError, match=rf"t\.csv.*{said}"):
        read("csv", tmp_path / "t.csv")


def test_the_label_of_a_csv_may_be_a_declared_word(tmp_path):
    (tmp_path / "t.csv").write_text("a,class\n1,good\n2,bad\n")
    np.testing.assert_array_equal(read("csv", tmp_path / "t.csv", anomaly="bad").y, [0, 1])


def test_a_csv_of_another_encoding_is_an_error_of_slad(tmp_path):
    (tmp_path / "t.csv").write_bytes("a,größe\n1,0\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"t\.csv cannot be read as csv"):
        read("csv", tmp_path / "t.csv")


def test_a_byte_order_mark_does_not_reach_the_first_column(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbfa,class\r\n1,0\r\n2,1\r\n")
    assert read("csv", tmp_path / "t.csv").columns == ("a",)


# -- arff and mat --------------------------------------------------------------------------------


def test_an_arff_with_a_word_among_the_numbers_names_the_attribute(tmp_path):
    text = "@relation t\n@attribute a numeric\n@attribute w {x,y}\n@attribute o {no,yes}\n@data\n"
    (tmp_path / "t.arff").write_text(text + "1,x,no\n2,y,yes\n")
    with pytest.raises(DataError, match=r"t\.arff.*\['w'\]"):
        read("arff", tmp_path / "t.arff", anomaly="yes")


def test_an_arff_label_without_a_declared_anomaly_names_the_option(tmp_path):
    with pytest.raises(DataError, match=r"'no', 'yes'.*options\.anomaly"):
        read("arff", write("arff", tmp_path / "t.arff"))


@pytest.mark.parametrize("offset", [0, 512])
def test_a_matlab_7_3_file_is_refused_with_the_way_out(offset, tmp_path):
    (tmp_path / "t.mat").write_bytes(bytes(offset) + b"\x89HDF\r\n\x1a\n" + bytes(100))
    with pytest.raises(DataError, match=r"t\.mat is MATLAB 7\.3.*-v7"):
        read("mat", tmp_path / "t.mat")


def test_a_matlab_file_without_labels_is_refused(tmp_path):
    savemat(tmp_path / "t.mat", {"X": ROWS})
    with pytest.raises(DataError, match="no array y"):
        read("mat", tmp_path / "t.mat")


# -- idx.gz --------------------------------------------------------------------------------------


def fashion(folder: Path) -> list[Path]:
    """Two parts, of three and two images."""
    rng = np.random.default_rng(0)
    paths = []
    for part, classes in (("train", [0, 1, 2]), ("test", [1, 9])):
        images = rng.integers(256, size=(len(classes), 4, 5))
        for kind, values in (("images", images), ("labels", np.array(classes))):
            paths.append(folder / f"{part}-{kind}.gz")
            paths[-1].write_bytes(gzip.compress(idx(values)))
    return paths


def test_images_of_all_classes_but_the_normal_one_are_anomalies(tmp_path):
    raw = read("fashion", *fashion(tmp_path), normal=1)
    assert raw.X.shape == (5, 20)
    assert raw.X.dtype == np.float32
    np.testing.assert_array_equal(raw.y, [1, 0, 1, 0, 1])
    first = read_idx(tmp_path / "train-images.gz", dimensions=3)[0]
    np.testing.assert_array_equal(raw.X[0], first.ravel())


def test_images_without_their_labels_are_refused(tmp_path):
    paths = fashion(tmp_path)
    paths[3].write_bytes(gzip.compress(idx(np.array([1]))))
    with pytest.raises(DataError, match=r"test-images\.gz: 2 images, but 1 labels"):
        read("fashion", *paths, normal=1)


GOOD = idx(np.arange(24).reshape(2, 3, 4))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(GOOD, mtime=0)[:-20], "cannot be read as idx.gz"),
        (GOOD, "cannot be read as idx.gz"),
        (b"", "starts with nothing|cannot be read"),
        (gzip.compress(GOOD[:-1], mtime=0), r"23 values where its head promises \[2, 3, 4\]"),
        (gzip.compress(GOOD + b"x", mtime=0), "25 values"),
        (gzip.compress(GOOD[:9], mtime=0), "no idx file"),
        (gzip.compress(b"\1" + GOOD[1:], mtime=0), "01 00 08 03"),
        (gzip.compress(GOOD[:2] + b"\x0d" + GOOD[3:], mtime=0), "00 00 0d 03"),
        (gzip.compress(idx(np.arange(5)), mtime=0), "3 dimensions"),
    ],
    ids=["cut", "unpacked", "empty", "short", "long", "head", "magic", "type", "dimensions"],
)
def test_an_idx_file_that_is_not_whole_is_refused(content, said, tmp_path):
    (tmp_path / "t.gz").write_bytes(content)
    with pytest.raises(DataError, match=rf"t\.gz.*({said})"):
        read_idx(tmp_path / "t.gz", dimensions=3)


def test_a_header_that_asks_for_more_memory_than_there_is_is_an_error_of_slad(tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (2**45, 2)}
    )
    with zipfile.ZipFile(tmp_path / "t.npz", "w") as archive:
        for name in ("X", "y"):
            archive.writestr(f"{name}.npy", header.getvalue())
    with pytest.raises(DataError, match=r"t\.npz needs more memory than there is"):
        read("npz", tmp_path / "t.npz")
