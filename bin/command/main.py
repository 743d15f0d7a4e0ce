# SPDX-License-Identifier: MIT
"""Entry of bin/saffron: main.py COMMAND_ITSELF WORD..."""
import os
import sys

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
from command.entry import main  # noqa: E402

sys.exit(main(sys.argv[1], sys.argv[2:]))
