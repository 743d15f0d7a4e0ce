#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bin/saffron as 'meson install' leaves it: test_installed.py BUILD"""
import glob
import os
import subprocess
import sys
import tempfile
import unittest

BUILD = sys.argv[1]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild',
                        '--quiet', '--destdir', cls.place.name], check=True,
                       env=dict(os.environ, PATH='/usr/bin:' +
                                os.environ['PATH']))
        cls.command, = glob.glob(cls.place.name + '/**/bin/saffron',
                                 recursive=True)

    def saffron(self, *words, stdin='', code=0):
        """What the command says, without a build to fall back on."""
        env = dict(os.environ)
        env.pop('SAFFRON_BUILD_DIR', None)
        env.pop('SAFFRON_DEVICE', None)
        done = subprocess.run([self.command, *words], input=stdin, text=True,
                              stdout=subprocess.PIPE, env=env, check=False,
                              stderr=subprocess.STDOUT, cwd=self.place.name)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def test_run(self):
        """The driver that a program is given is the installed one."""
        icd, device = self.saffron('run', '--gen', 'bdw', '--', 'printenv',
                                   'VK_DRIVER_FILES',
                                   'SAFFRON_DEVICE').splitlines()
        self.assertTrue(icd.startswith(self.place.name))
        self.assertTrue(os.path.exists(icd))
        self.assertEqual(device, 'sim:bdw')

    def test_demo(self):
        """It draws with the installed driver."""
        text = self.saffron('demo', '--size=16x16')
        self.assertRegex(text, r'GL_RENDERER  zink .*\(Saffron')
        self.assertTrue(os.path.exists(
            os.path.join(self.place.name, 'mandelbrot-double.png')))

    def test_doctor(self):
        """It looks at what is installed, and wants no build."""
        done = subprocess.run([self.command, 'doctor'], check=False,
                              stdout=subprocess.PIPE, text=True)
        for name in ("packages for 'run'", 'driver', 'Vulkan device, ivb',
                     'OpenGL with doubles, skl', 'trace'):
            self.assertRegex(done.stdout, f'(?m)^ok +{name}')
        self.assertNotIn('build', done.stdout)
        self.assertNotIn('saffron build', done.stdout)

    def test_shim(self):
        """Mesa's own driver finds the simulated GPU."""
        self.assertIn('crocus', self.saffron(
            'shim', '--gen=hsw', '--', 'sh', '-c',
            'eglinfo 2>/dev/null | grep "driver name"'))

    def test_tools(self):
        text = 'mov (8|M0) r1.0<1>:f r2.0<8;8,1>:f\n'
        code = self.saffron('asm', '--gen=skl', '--hex', stdin=text)
        self.assertEqual(len(code.split()), 4)
        for tool in ('compile', 'disasm', 'decode', 'trace', 'd3d',
                     'structurize', 'gp-run'):
            self.assertIn('usage', self.saffron(tool, '--help').lower())
        self.assertIn('usage', self.saffron('compile', '--gen=mali400',
                                            '--help').lower())

    def test_rules(self):
        self.assertIn('EU-73', self.saffron('rules', '--gen=skl'))

    def test_wants_sources(self):
        self.assertIn("'piglit' wants a checkout",
                      self.saffron('piglit', code=1))

    def test_version(self):
        with open(os.path.join(self.place.name, os.path.dirname(self.command),
                               '../share/saffron/VERSION'),
                  encoding='utf-8') as f:
            self.assertEqual(self.saffron('--version'), f.read())


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
