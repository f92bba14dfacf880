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


@pytest.mark.parametrize(("library", "wanted"), EXTRAS.items())
def test_every_extra_is_declared_and_installs_its_library(library, wanted):
    package, extra = wanted.removesuffix("]").split("[")
    folder = Path(__file__).parents[2] / {"slad": "", "slad-paper": "paper"}[package]
    file = folder / "pyproject.toml"
    if not file.exists():
        pytest.skip(f"the sources of {package} are not here")
    project = tomllib.loads(file.read_text("utf-8"))["project"]
    installed = project["dependencies"] + project["optional-dependencies"][extra]
    assert any(each.startswith(library) for each in installed)
