"""A model that was sent to a worker is loaded once there, by whichever thread needs it first."""

from __future__ import annotations

import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from rows import table

from slad.core.errors import ArtifactError
from slad.engines import BatchScorer, sent_model
from slad.engines.sent_model import SentModel
from slad.model import TableDetector


@pytest.fixture
def saved(tmp_path):
    TableDetector("knn-5", id="order", level=0.02).fit(table(100)).save(tmp_path / "m.slad")
    return tmp_path / "m.slad"


def test_threads_that_ask_at_once_share_one_scorer(saved, monkeypatch):
    sent_model._load.cache_clear()
    loads, load = [], TableDetector.load.__func__

    def slow(cls, *given, **named):
        loads.append(given)
        time.sleep(0.05)
        return load(cls, *given, **named)

    monkeypatch.setattr(TableDetector, "load", classmethod(slow))
    sent = SentModel.of_file(saved)
    with ThreadPoolExecutor(4) as pool:
        scorers = list(pool.map(lambda _: sent.loaded(), range(8)))
    travelled = pickle.loads(pickle.dumps(sent))
    assert travelled.loaded() is scorers[0]
    assert len(set(map(id, scorers))) == len(loads) == 1
    assert replace(sent, id="price").loaded() is not scorers[0]
    assert len(loads) == 2


def test_it_scores_as_the_model_does(saved):
    rows = table(50, 7)
    here = BatchScorer.load(saved, device="cpu")
    assert SentModel.of_file(saved).loaded()(rows).equals(here(rows))


def test_a_file_that_is_not_there_or_no_model_is_named(tmp_path):
    with pytest.raises(ArtifactError, match=r"no saved model at .*m\.slad"):
        SentModel.of_file(tmp_path / "m.slad")
    (tmp_path / "m.slad").write_bytes(b"something else")
    with pytest.raises(ArtifactError, match=rf"^{tmp_path}/m\.slad is not a complete slad model"):
        SentModel.of_file(tmp_path / "m.slad").loaded()
