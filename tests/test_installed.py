#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of bin/saffron as 'meson install' leaves it: test_installed.py BUILD,
or as packages do: test_installed.py ROOT, where ROOT/usr is /usr"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = sys.argv[1]
PACKAGED = os.path.exists(os.path.join(BUILD, 'usr/bin/saffron'))
ROOT = Path(__file__).resolve().parent.parent


def option(name, build=BUILD):
    """The value that a build has of an option."""
    text = (Path(build) / 'meson-info/intro-buildoptions.json').read_text(
        encoding='utf-8')
    return next(o['value'] for o in json.loads(text) if o['name'] == name)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        if PACKAGED:
            shutil.copytree(BUILD, cls.place.name, symlinks=True,
                            dirs_exist_ok=True)
        else:
            cls.install()
        cls.command, = glob.glob(cls.place.name + '/**/bin/saffron',
                                 recursive=True)

    @classmethod
    def install(cls):
        subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild',
                        '--quiet', '--destdir', cls.place.name], check=True,
                       env=dict(os.environ, PATH='/usr/bin:' +
                                os.environ['PATH']))

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

    def library(self):
        return Path(glob.glob(self.place.name + '/**/libvulkan_saffron.so',
                              recursive=True)[0])

    def test_no_assertions(self):
        """Of a build with Meson's defaults neither driver nor simulator has
        assertions in an application's process; nor do they validate unless
        asked: both hang on NDEBUG."""
        if not PACKAGED and option('buildtype') not in ('release', 'plain'):
            self.skipTest('a build for developers')
        for library in (self.library(), *Path(self.place.name).glob(
                '**/libsaffron_drm_shim.so')):
            text = library.read_bytes()
            # The second is what unreachable() prints (util/macros.h); release
            # builds have another sentence, without a place (util/guard.c).
            for name in b'__assert_fail', b'%s: not to be reached':
                self.assertFalse(name in text, (name, library))

    def test_default(self):
        """Who names no build type gets what is without assertions, and no
        debug information."""
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(['meson', 'setup', '-Dtests=false', place, ROOT],
                           check=True, stdout=subprocess.DEVNULL,
                           env=dict(os.environ, PATH='/usr/bin:' +
                                    os.environ['PATH']))
            self.assertEqual([option(name, place) for name in
                              ('buildtype', 'debug', 'optimization')],
                             ['release', False, '2'])
            rows = json.loads((Path(place) / 'compile_commands.json'
                               ).read_text(encoding='utf-8'))
            driver = [r['command'] for r in rows
                      if 'vulkan_saffron' in r['output']]
            self.assertGreater(len(driver), 50)
            for command in driver:
                self.assertIn(' -DNDEBUG ', command)
                self.assertNotIn(' -g ', command)

    def test_manual(self):
        """A page for each command that is installed, without a complaint of
        the formatter."""
        paths = glob.glob(self.place.name + '/**/man1/*', recursive=True)
        pages = {Path(p).name.removesuffix('.gz') for p in paths}
        commands = self.saffron('--complete', '').split()
        self.assertEqual(pages, {'saffron.1'} | {
            f'saffron-{c}.1' for c in commands
            if c != 'help' and not c.startswith('-')})
        if not shutil.which('man'):
            self.skipTest('no man')
        for path in paths:
            done = subprocess.run(['man', '--warnings', '-l', path],
                                  stdout=subprocess.PIPE, text=True,
                                  stderr=subprocess.PIPE, check=True)
            self.assertEqual(done.stderr, '')
            for title in 'NAME', 'SYNOPSIS', 'DESCRIPTION', 'SEE ALSO':
                self.assertIn('\n' + title, done.stdout)
            if 'saffron-compile.1' in path:
                self.assertIn('--entry=NAME', done.stdout)

    def test_completion(self):
        for name in ('bash-completion/completions/saffron',
                     'zsh/*/_saffron',
                     'fish/vendor_completions.d/saffron.fish'):
            self.assertTrue(glob.glob(self.place.name + '/**/share/' + name,
                                      recursive=True), name)
        self.assertIn('--gen=hsw-gt2',
                      self.saffron('--complete', 'run', '--gen=').split())

    def test_manifest(self):
        """It names the version of the device that has the highest."""
        path, = glob.glob(self.place.name + '/**/icd.d/*.json',
                          recursive=True)
        icd = json.loads(Path(path).read_text(encoding='utf-8'))['ICD']
        device = self.saffron('run', '--gen=skl', '--', 'sh', '-c',
                              'vulkaninfo --summary 2>/dev/null | '
                              'grep -m1 apiVersion')
        version = re.search(r'(\d+\.\d+)\.\d+', device)
        self.assertTrue(icd['api_version'].startswith(version[1] + '.'),
                        (icd, device))

    def test_rules(self):
        self.assertIn('EU-73', self.saffron('rules', '--gen=skl'))
        self.assertIn('EU-44', self.saffron('rules', 'math-dst-even'))

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
