# SPDX-License-Identifier: MIT
"""An X server without a display, in the manner of weston.Weston: programs are
started on it, and pictures taken of its screen."""
import os
import subprocess
import tempfile

START_S = 60
# Packages of Debian 12 that this is made of.
PROGRAMS = {'Xvfb': 'xvfb', 'xwd': 'x11-apps', 'xwdtopnm': 'netpbm',
            'pnmtopng': 'netpbm'}


class Xvfb:
    """`with Xvfb(env, 400, 300) as x:` runs a server until the block ends,
    and programs on it with that environment."""

    def __init__(self, env, width, height):
        self.temporary = tempfile.TemporaryDirectory(
            prefix='saffron-xvfb-', ignore_cleanup_errors=True)
        self.directory = self.temporary.name
        read, write = os.pipe()
        # The server chooses a number that is free, and tells it. It would
        # begin anew when its last client leaves, and refuse the next one that
        # connects just then.
        self.process = subprocess.Popen(
            ['Xvfb', '-displayfd', str(write), '-nolisten', 'tcp', '-noreset',
             '-screen', '0', f'{width}x{height}x24'], pass_fds=[write],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read, encoding='ascii') as numbers:
            number = numbers.readline().strip()
        if not number:
            self.close()
            raise RuntimeError('Xvfb does not start')
        self.env = dict(env, DISPLAY=':' + number)
        self.env.pop('WAYLAND_DISPLAY', None)

    def start(self, command):
        """A program, which the caller ends."""
        return subprocess.Popen(command, env=self.env,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def screenshot(self, path):
        """The screen as a PNG file; False if there is none."""
        with open(path, 'wb') as out:
            done = subprocess.run(
                'xwd -root -silent | xwdtopnm -quiet | pnmtopng -quiet -force',
                shell=True, env=self.env, stdin=subprocess.DEVNULL,
                stdout=out, stderr=subprocess.DEVNULL, timeout=START_S)
        return done.returncode == 0 and os.path.getsize(path) > 0

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.temporary.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
