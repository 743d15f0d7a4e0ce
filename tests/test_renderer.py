#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GL_RENDERER of programs under `bin/saffron run`: test_renderer.py BUILD

With each kind of context it is this driver's; where that has no device there
is none, rather than one on the CPU. Exit code 77 where wflinfo is missing.
"""
import os
import re
import shutil
import subprocess
import sys
import unittest

import zink

SAFFRON = os.path.join(os.path.dirname(zink.SCRIPT), 'saffron')
BUILD = sys.argv[1]
PLATFORMS = {'surfaceless_egl': []}
if shutil.which('xvfb-run'):
    for platform in 'glx', 'x11_egl':
        PLATFORMS[platform] = ['xvfb-run', '-a']


def renderer(platform, api, **env):
    """(exit code, output) of a program that makes a context."""
    done = subprocess.run(
        [SAFFRON, 'run', '--', *PLATFORMS[platform], 'wflinfo', '-p',
         platform, '-a', api], stdout=subprocess.PIPE, text=True, check=False,
        stderr=subprocess.STDOUT,
        env=dict(os.environ, SAFFRON_BUILD_DIR=BUILD, **env))
    return done.returncode, done.stdout


class Renderer(unittest.TestCase):
    def test_ours(self):
        for platform in PLATFORMS:
            for api in 'gl', 'gles2':
                code, text = renderer(platform, api)
                self.assertEqual(code, 0, text)
                self.assertRegex(text, 'renderer string: ' + zink.RENDERER)

    def test_choices_are_not_inherited(self):
        code, text = renderer('surfaceless_egl', 'gl',
                              LIBGL_ALWAYS_SOFTWARE='1',
                              GALLIUM_DRIVER='llvmpipe',
                              MESA_LOADER_DRIVER_OVERRIDE='swrast')
        self.assertEqual(code, 0, text)
        self.assertRegex(text, 'renderer string: ' + zink.RENDERER)

    def test_none_without_device(self):
        for platform in PLATFORMS:
            code, text = renderer(platform, 'gl',
                                  SAFFRON_DEVICE='/dev/null/none')
            self.assertNotEqual(code, 0, text)
            self.assertFalse(re.search('renderer string', text), text)


if __name__ == '__main__':
    if not shutil.which('wflinfo'):
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
