"""The errors of slad can be caught as its own and as Python's."""

from __future__ import annotations

import pytest

from slad.core import errors
from slad.core.errors import SladError, TrainingWarning

ERRORS = {
    "ConfigError": ValueError,
    "DataError": ValueError,
    "ArtifactError": ValueError,
    "ResourceError": MemoryError,
    "TrainingError": RuntimeError,
}


@pytest.mark.parametrize(("name", "builtin"), ERRORS.items())
def test_an_error_is_one_of_slad_and_the_builtin_one_of_its_kind(name, builtin):
    for caught in (SladError, builtin):
        with pytest.raises(caught, match=r"^epochs=0$"):
            raise getattr(errors, name)("epochs=0")


def test_every_error_of_the_module_is_in_the_table_above():
    found = {each.__name__ for each in vars(errors).values() if isinstance(each, type)}
    assert found == {*ERRORS, "SladError", "TrainingWarning"}


def test_a_training_warning_is_no_error():
    assert issubclass(TrainingWarning, UserWarning)
    assert not issubclass(TrainingWarning, SladError)
