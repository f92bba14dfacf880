from __future__ import annotations

import subprocess
import sys


def test_the_parser_imports_nothing_heavy():
    program = (
        "import sys, argparse\nfrom slad.cli import report\n"
        "report.add_parser(argparse.ArgumentParser().add_subparsers())\n"
        "assert not {'numpy', 'scipy', 'torch', 'matplotlib'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
