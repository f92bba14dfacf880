"""A model as an ONNX graph: the runtime gives the model's own scores, or the export is refused."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("onnx", reason="pip install 'slad[onnx]'")
runtime = pytest.importorskip("onnxruntime", reason="pip install 'slad[onnx]'")

from slad.core.errors import ConfigError  # noqa: E402
from slad.engines.onnx import export  # noqa: E402
from slad.model import TableDetector  # noqa: E402

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]
SMALL = {"n_groups": 4, "group_size": 5, "representation_dim": 16, "hidden_dim": 12, "epochs": 2}


def numbers(rows: int, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    gaps = rng.normal(0, 1, rows)
    gaps[rng.random(rows) < 0.1] = np.nan
    return pa.table(
        {
            "a": rng.normal(10, 2, rows),
            "gaps": pa.array(gaps, from_pandas=True),
            "b": rng.exponential(1, rows),
            "flag": rng.random(rows) < 0.3,
            "c": rng.integers(0, 50, rows),
        }
    )


def wild(table: pa.Table) -> np.ndarray:
    """The rows as a graph takes them, some with gaps, infinities and far values."""
    cells = np.column_stack(
        [table.column(name).to_numpy().astype(float) for name in table.column_names]
    )
    cells[0, 0], cells[1, 2], cells[2, 4], cells[3, 1] = np.nan, np.inf, -np.inf, 1e12
    return cells


def as_table(cells: np.ndarray, like: pa.Table) -> pa.Table:
    columns = {}
    for at, field in enumerate(like.schema):
        values = cells[:, at]
        if pa.types.is_boolean(field.type):
            columns[field.name] = values.astype(bool)
        else:
            columns[field.name] = pa.array(values, mask=np.isnan(values))
    return pa.table(columns)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"loss": "jensen_shannon", "scaling": "minmax"},
        {"loss": "released", "maps": "linear_per_length", "bias": False, "scaling": "robust"},
        {"scaling": "signed_log", "n_members": 2},
    ],
    ids=["default", "paper", "released", "ensemble"],
)
def test_the_runtime_gives_the_model_s_scores_and_decisions(parameters, tmp_path):
    training = numbers(500)
    model = TableDetector("slad", parameters=SMALL | parameters, level=0.05).fit(training)
    export(model, tmp_path / "m.onnx")
    session = runtime.InferenceSession(tmp_path / "m.onnx")
    columns = json.loads(session.get_modelmeta().custom_metadata_map["columns"])
    assert columns == training.column_names
    for rows in (1, 300):
        cells = wild(numbers(max(rows, 5), seed=1))[:rows]
        judged = model.judge(as_table(cells, training))
        score, strange = session.run(None, {"rows": cells})
        np.testing.assert_allclose(score, judged.scores, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(strange, judged.flags)


def test_what_has_no_graph_is_refused_with_the_reason(tmp_path):
    table = numbers(200)
    with pytest.raises(
        ConfigError,
        match="knn-5 cannot be written as an ONNX graph: use slad, slad-released or slad-paper",
    ):
        export(TableDetector("knn-5").fit(table), tmp_path / "m.onnx")
    named = table.append_column("item", pa.array(["cup", "tea"] * 100))
    with pytest.raises(ConfigError, match="column 'item' is category"):
        export(TableDetector("slad", parameters=SMALL).fit(named), tmp_path / "m.onnx")
    mlp = SMALL | {"maps": "random_mlp"}
    with pytest.raises(ConfigError, match="maps='random_mlp' are not linear"):
        export(TableDetector("slad", parameters=mlp).fit(table), tmp_path / "m.onnx")
    top = TableDetector("slad", parameters=SMALL, rule="top", level=3).fit(table)
    with pytest.raises(ConfigError, match="needs all rows at once"):
        export(top, tmp_path / "m.onnx")
    assert not list(tmp_path.iterdir())
