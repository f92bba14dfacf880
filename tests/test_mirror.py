"""The tests of a module are found by its name: those of slad/a/b.py in tests/a/test_b.py."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
LIBRARY = TESTS.parent / "src" / "slad"
NOTHING_TO_RUN = {
    "core/typing.py",
    "core/version.py",
    "detectors/streaming.py",
    "learning/objective.py",
}
"""Types, protocols and one number."""


def test_every_module_has_tests_of_its_name():
    modules = {
        path.relative_to(LIBRARY)
        for path in LIBRARY.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
    }
    missing = {
        module.as_posix()
        for module in modules
        if not (TESTS / module.parent / f"test_{module.name}").exists()
    }
    assert missing == NOTHING_TO_RUN
