"""A missing library is answered with the extra that installs it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from slad.core.errors import ConfigError
from slad.core.extras import EXTRAS, not_installed


@pytest.mark.parametrize(("module", "extra"), [("pyarrow", "tables"), ("ray.data.read", "ray")])
def test_a_module_is_answered_with_the_extra_of_its_library(module, extra):
    error = not_installed(ModuleNotFoundError("No module", name=module))
    assert isinstance(error, ConfigError)
    assert str(error).endswith(f": pip install 'slad[{extra}]'")


@pytest.mark.parametrize("module", ["slad.nothing", "pyarrow_like", "", None])
def test_a_module_that_no_extra_installs_is_left_to_python(module):
    assert not_installed(ModuleNotFoundError("No module", name=module)) is None


def test_every_extra_is_one_of_the_package_that_asks_for_its_library():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    declared = project["project"]["optional-dependencies"]
    for library, extra in EXTRAS.items():
        assert any(wanted.startswith(library) for wanted in declared[extra])
