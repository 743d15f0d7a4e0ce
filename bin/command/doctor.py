# SPDX-License-Identifier: MIT
"""saffron doctor: what works here."""
import os
import re
import shutil
import subprocess
import sys

from command import chips, environment
from command.needs import SETS, Needs
from command.options import Parser

TOOLS = ('compile', 'asm', 'disasm', 'decode', 'trace')


def parser(place):
    return Parser(place, '', 'Says which commands work here, and why others '
                  'do not.')


def help_text(place):
    return parser(place).format_help()


def line(result, text):
    print(f'{result:<9} {text}', flush=True)


def says(pattern, *words, **env):
    """Whether a command prints the pattern."""
    try:
        done = subprocess.run(words, env=dict(os.environ, **env), text=True,
                              stdout=subprocess.PIPE, errors='replace',
                              stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return False
    return bool(re.search(pattern, done.stdout, re.M))


class Doctor:
    def __init__(self, place):
        self.place = place
        self.failed = 0

    def check(self, name, reason, works):
        """One line; the reason is printed if it does not work."""
        if works:
            line('ok', name)
        else:
            line('MISSING', f'{name}: {reason}')
            self.failed = 1

    def packages(self):
        needs = Needs(self.place)
        for name in ('run',) if self.place.installed else SETS:
            missing = needs.missing(name)
            self.check(f"packages for '{name}'", 'missing are\n' +
                       needs.describe(missing), not missing)

    def files(self):
        place = self.place
        build = f"run '{place.me} build'"
        if not place.installed:
            self.check(f'build in {place.build}', build, os.path.exists(
                os.path.join(place.build, 'build.ninja')))
        self.check('driver', build, os.path.exists(place.icd()))
        for tool in TOOLS:
            self.check(tool, f'saffron-{tool} is not built', os.access(
                place.product(f'saffron-{tool}', 'src/intel/tools'), os.X_OK))

    def devices(self):
        if not os.path.exists(self.place.icd()):
            return
        for gen in chips.FAMILIES:
            device = {'SAFFRON_DEVICE': f'sim:{gen}'}
            environment.export_driver(self.place, gen)
            self.check(f'Vulkan device, {gen}', 'vulkaninfo finds no Saffron '
                       'device', says('(?i)saffron', 'vulkaninfo',
                                      '--summary', **device))
            self.check(f'OpenGL with doubles, {gen} (surfaceless EGL, zink)',
                       'the demo does not draw',
                       says(r'^GL_RENDERER  zink .*\(Saffron',
                            self.place.demo(), 'double', '8', '8',
                            '/dev/null', **device))

    def windows(self):
        place = self.place
        # Before an X server has made the folder of their sockets.
        self.check('a window without a display',
                   f"'{place.me} run --window -- glxinfo -B' says why not",
                   says(r'zink.*\(Saffron', place.itself, 'run', '--window',
                        '--', 'glxinfo', '-B'))
        self.check('Xvfb, for windows without a display', 'install xvfb',
                   shutil.which('Xvfb'))
        if place.installed:
            return  # programs.py has the pictures
        for system, program in (('X11', 'es2gears_x11'),
                                ('Wayland', 'es2gears_wayland')):
            self.check(f'a window on {system}',
                       f"'{place.me} programs {program}' says why not",
                       says(': pass', sys.executable, os.path.join(
                           place.root, 'tests/programs.py'), program,
                            SAFFRON_BUILD_DIR=place.build))

    def system(self):
        self.check('iga64, to check encodings', 'install libigc-tools',
                   shutil.which('iga64'))
        if os.path.exists('/dev/dri/renderD128'):
            line('note', 'there is a DRM render node: an installed driver '
                 'takes it if it is of i915')
        else:
            line('note', 'no DRM render node: an installed driver has a '
                 'device by SAFFRON_DEVICE only')


def run(place, words):
    parser(place).read(words)
    doctor = Doctor(place)
    for part in (doctor.packages, doctor.files, doctor.devices,
                 doctor.windows, doctor.system):
        part()
    return doctor.failed
