"""A missing library is answered with the extra that installs it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from slad.core.errors import ConfigError
from slad.core.extras import EXTRAS, not_installed


@pytest.mark.parametrize(("module", "extra"), [("onnx", "onnx"), ("ray.data.read", "ray")])
def test_a_module_is_answered_with_the_extra_of_its_library(module, extra):
    error = not_installed(ModuleNotFoundError("No module", name=module))
    assert isinstance(error, ConfigError)
    assert str(error).endswith(f": pip install 'slad[{extra}]'")


@pytest.mark.parametrize("module", ["slad.nothing", "pyarrow_like", "", None])
def test_a_module_that_no_extra_installs_is_left_to_python(module):
    assert not_installed(ModuleNotFoundError("No module", name=module)) is None


@pytest.mark.parametrize(("library", "extra"), EXTRAS.items())
def test_every_extra_is_declared_and_installs_its_library(library, extra):
    file = Path(__file__).parents[2] / "pyproject.toml"
    declared = tomllib.loads(file.read_text("utf-8"))["project"]["optional-dependencies"]
    assert any(each.startswith(library) for each in declared[extra])
