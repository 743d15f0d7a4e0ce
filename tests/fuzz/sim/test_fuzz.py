#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of run.py: scenes that should be recorded and are not, with stand-ins
for the command, the scenes and the fuzzer."""
import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run  # noqa: E402

# 'bin/saffron run|shim ... -- PROGRAM'; the driver is what it was asked by.
COMMAND = """#!/bin/sh
export DRIVER=$1
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""
# Every scene says how it ends, and who records it.
SCENES = """#!/bin/sh
case $1 in
'') echo good lacks fails silent; exit ;;
lacks) exit 77 ;;
fails) [ -z "$FAILS" ] || exit 3 ;;
silent) [ -z "$SILENT" ] || exit 0 ;;
esac
case " $DRIVERS " in *" $DRIVER "*) : >"$SAFFRON_SIM_RECORD/a.job" ;; esac
"""


class Recorded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        self.scenes = self.program('build/tests/fuzz/fuzz_scenes', SCENES)
        self.program('build/tests/fuzz/fuzz_sim', '#!/bin/sh\nexit 0\n')
        patch = mock.patch.object(run, 'SAFFRON',
                                  self.program('saffron', COMMAND))
        patch.start()
        self.addCleanup(patch.stop)

    def program(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')
        path.chmod(0o755)
        return path

    def fuzz(self, *options, drivers='run shim', **env):
        """(exit code, output)."""
        out = io.StringIO()
        argv = ['run.py', f'--build={self.path}/build', '--gen=skl',
                '--drivers=gl,own', *options]
        with mock.patch.object(sys, 'argv', argv), \
                mock.patch.dict(os.environ, DRIVERS=drivers, **env), \
                contextlib.redirect_stdout(out), \
                contextlib.redirect_stderr(out):
            try:
                code = run.main()
            except SystemExit as end:
                code = end.code
        return code, out.getvalue()

    def test_all(self):
        """What OpenGL lacks is not missing."""
        code, out = self.fuzz()
        self.assertEqual(code, 0, out)
        self.assertNotIn('not recorded', out)

    def test_missing(self):
        code, out = self.fuzz(FAILS='1', SILENT='1')
        self.assertEqual(code, 1)
        for driver in ('gl', 'own'):
            self.assertIn(f'skl: not recorded: {driver}-fails (exit code 3)',
                          out)
            self.assertIn(f'skl: not recorded: {driver}-silent (exit code 0)',
                          out)

    def test_not_installed(self):
        """Mesa's driver may be missing, ours may not."""
        code, out = self.fuzz(drivers='run')
        self.assertEqual(code, 0, out)
        code, out = self.fuzz('--drivers=gl', drivers='')
        self.assertEqual(code, 77, out)
        code, out = self.fuzz(drivers='shim')
        self.assertEqual(code, 1)
        self.assertIn('skl: not recorded: own: nothing at all', out)

    def test_names(self):
        code, out = self.fuzz('--scenes=good,bad')
        self.assertEqual(code, 2)
        self.assertIn("--scenes: 'bad' is none of good, lacks, fails", out)
        code, out = self.fuzz('--drivers=own,g')
        self.assertEqual(code, 2)
        self.assertIn("--drivers: 'g' is none of gl, vk, own", out)


if __name__ == '__main__':
    unittest.main()
