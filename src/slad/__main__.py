"""`python -m slad` is the command `slad`."""

import sys

from slad.cli import main

sys.exit(main())
