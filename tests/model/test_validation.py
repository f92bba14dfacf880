"""What cannot work is said before any training, and each fold's detector is built once."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from made_up_orders import FAST, orders

from slad import TableDetector
from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import KNN


def test_ids_and_labels_are_never_learned_from() -> None:
    table = orders(200)
    labels = Streams(0).numpy("labels").integers(0, 2, 200)
    with_label = table.append_column("fraud", pa.array(labels))
    plain = TableDetector(FAST, level=0.05, id="order").fit(table)
    labelled = TableDetector(FAST, level=0.05, id="order", label="fraud").fit(with_label)
    fresh = orders(50, seed=6)
    np.testing.assert_array_equal(plain.anomaly_score(fresh), labelled.anomaly_score(fresh))


@pytest.mark.parametrize("how", [{"calibration": "split"}, {"own_rows": True}])
def test_a_detector_without_spread_refuses_to_set_rows_aside(how, monkeypatch) -> None:
    monkeypatch.setattr("slad.model.table_detector.fit_fold_models", pytest.fail)
    with pytest.raises(ConfigError, match=r"reject=0\.9 needs the error of each score, and ecod"):
        TableDetector("ecod", reject=0.9, **how).fit(orders(300))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rule": "fqr"}, "no rule is called 'fqr'; did you mean fpr"),
        ({"level": 2.0}, "fpr=2.0"),
        ({"detector": "slat"}, "no detector is called 'slat'; did you mean slad"),
        ({"parameters": {"epoch": 3}}, "no parameter 'epoch'"),
        ({"reject": 0.2}, "reject=0.2"),
        ({"id": "number"}, "no id column 'number'"),
        ({"calibration": "crosss"}, "no calibration is called 'crosss'"),
        ({"level": 0.0001}, "needs .* calibration rows"),
        ({"rule": "fdr", "level": 0.1, "own_rows": True}, "reference"),
    ],
)
def test_a_wrong_option_is_named_before_any_training(parameters, message, monkeypatch) -> None:
    monkeypatch.setattr("slad.model.table_detector.fit_fold_models", pytest.fail)
    with pytest.raises(ConfigError, match=message):
        TableDetector(**({"detector": FAST} | parameters)).fit(orders(100))


def test_the_detector_of_each_fold_is_built_once(monkeypatch) -> None:
    built: Counter[str] = Counter()
    construct = KNN.__init__

    def counted(detector: KNN, *given, **named) -> None:
        built["knn"] += 1
        construct(detector, *given, **named)

    counted.__wrapped__ = construct  # scikit-learn reads the signature
    monkeypatch.setattr(KNN, "__init__", counted)
    model = TableDetector(FAST, own_rows=True, level=0.05).fit(orders(100))
    assert built["knn"] == len(model.fold_models_) == 5
