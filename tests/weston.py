# SPDX-License-Identifier: MIT
"""A window system without a display: weston's headless backend, which draws
its windows with OpenGL, and Xwayland on it.

Compositor, X server and programs run in one environment, so with the shim
in it all of them draw with Mesa's own driver on the simulated GPU, and their
windows go from one to the other as dma-bufs.
"""
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

START_S = 60
# Between two pictures of --screenshot.
SHOT_S = 0.5
# Packages of Debian 12 that this is made of.
PROGRAMS = {'weston': 'weston', 'Xwayland': 'xwayland',
            'weston-screenshooter': 'weston'}

X_FOLDER = '/tmp/.X11-unix'
CAUSE = re.compile(r'\b(error|fail(ed|ure)?|fatal|cannot|could not|'
                   r"couldn't|unable|no such|denied)\b", re.I)

# Nothing that moves, and nothing but the programs' windows.
CONFIG = '''[core]
idle-time=0
[shell]
locking=false
panel-position=none
background-color=0xff000000
animation=none
startup-animation=none
close-animation=none
[input-method]
path=
'''


def missing():
    """Packages that have to be installed."""
    return sorted({package for program, package in PROGRAMS.items()
                   if not shutil.which(program)})


def make_x_folder():
    """The folder of X servers' sockets, as the first X server of a system
    makes it: Xwayland does not, and fresh containers have none."""
    try:
        os.mkdir(X_FOLDER)
        os.chmod(X_FOLDER, 0o1777)
    except FileExistsError:
        pass
    except OSError as error:
        raise RuntimeError(f'{X_FOLDER} cannot be made: '
                           f'{error.strerror}') from error


def first_cause(log):
    """The lines of weston's log that tell why it ended: those that speak of
    an error, the first ones first; else its last lines."""
    lines = [re.sub(r'^\[[\d:.]+\] ', '', line).strip()
             for line in log.splitlines()]
    bad = [line for line in lines if CAUSE.search(line)]
    return '; '.join(bad[:4] or lines[-4:]) or 'it says nothing'


class Weston:
    """`with Weston(env, 400, 300) as w:` runs a compositor with that
    environment and a screen of that size until the block ends. Without gl it
    draws on the CPU, for programs that share no dma-bufs, and there is no X
    server."""

    def __init__(self, env, width, height, gl=True):
        if gl:
            make_x_folder()
        self.directory = tempfile.mkdtemp(prefix='saffron-weston-')
        self.log = os.path.join(self.directory, 'log')
        config = os.path.join(self.directory, 'weston.ini')
        with open(config, 'w', encoding='utf-8') as f:
            f.write(CONFIG)
        self.env = dict(env, XDG_RUNTIME_DIR=self.directory, vblank_mode='0')
        self.env.pop('DISPLAY', None)
        self.env.pop('WAYLAND_DISPLAY', None)
        # --debug lets weston-screenshooter do its work.
        self.process = subprocess.Popen(
            ['weston', '--backend=headless-backend.so',
             *(('--use-gl', '--xwayland') if gl else ('--use-pixman',)),
             f'--width={width}', f'--height={height}',
             '--debug', f'--config={config}', '--socket=wayland-0',
             f'--log={self.log}'], env=self.env, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if gl:
                display = self.wait_for(r'xserver listening on display (:\d+)')
                self.env['DISPLAY'] = display[1]
            self.wait_for(r"launching '.*weston-desktop-shell'")
        except Exception:
            self.close()
            raise
        self.env['WAYLAND_DISPLAY'] = 'wayland-0'

    def wait_for(self, pattern):
        """The first match in the log."""
        text = ''
        end = time.monotonic() + START_S
        while time.monotonic() < end and self.process.poll() is None:
            if os.path.exists(self.log):
                with open(self.log, encoding='utf-8') as f:
                    text = f.read()
                match = re.search(pattern, text)
                if match:
                    return match
            time.sleep(0.05)
        raise RuntimeError('weston does not start: ' + first_cause(text))

    def renderer(self):
        """What the compositor draws with."""
        return self.wait_for(r'GL renderer: (.*)')[1]

    def matches(self, command, pattern, count, seconds):
        """The first `count` matches in lines that a program prints, or those
        that there are after so many seconds; then it is ended."""
        process = subprocess.Popen(
            ['timeout', str(seconds), 'stdbuf', '-oL', *command],
            env=self.env, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        found = []
        for line in process.stdout:
            found += re.findall(pattern, line)
            if len(found) >= count:
                break
        process.terminate()
        process.wait()
        process.stdout.close()
        return found[:count]

    def start(self, command):
        """A program, which the caller ends."""
        return subprocess.Popen(command, env=self.env,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def screenshot(self, path):
        """The screen as a PNG file; False if there is none."""
        with tempfile.TemporaryDirectory(dir=self.directory) as shots:
            subprocess.run(['weston-screenshooter'], env=self.env, cwd=shots,
                           stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, timeout=START_S)
            found = os.listdir(shots)
            if not found:
                return False
            shutil.copy(os.path.join(shots, found[0]), path)
            return True

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def exit_code(command, env):
    """Of a program that runs to its end, as a shell has it."""
    try:
        code = subprocess.run(command, env=env).returncode
    except OSError as error:
        print(f'saffron: {command[0]}: {error.strerror}', file=sys.stderr)
        return 127 if isinstance(error, FileNotFoundError) else 126
    return code if code >= 0 else 128 - code


def photographed(command, screen, path):
    """The exit code of a program. The last picture before its end that is not
    the empty screen is in a PNG file then; 1 if there was none."""
    with tempfile.TemporaryDirectory(dir=screen.directory) as place:
        empty, new = (os.path.join(place, f) for f in ('empty', 'new'))
        if not screen.screenshot(empty):
            raise RuntimeError('weston-screenshooter takes no picture')
        done = []
        runner = threading.Thread(
            target=lambda: done.append(exit_code(command, screen.env)))
        runner.start()
        taken = False
        while not done:
            if screen.screenshot(new) and not done and \
                    not filecmp.cmp(new, empty, shallow=False):
                shutil.copy(new, path)
                taken = True
            runner.join(SHOT_S)
    if not taken:
        print('saffron: the program ended before it showed anything: '
              f'{path} is not written', file=sys.stderr)
    return done[0] if taken or done[0] else 1


def main():
    """`weston.py [--cpu] [--size=WxH] [--screenshot=FILE] -- COMMAND...`: runs
    a command with a window system in this environment, with --cpu without
    OpenGL and X11; its exit code. FILE gets the last picture with something
    on it."""
    args = sys.argv[1:]
    size = (800, 600)
    gl = True
    shot = None
    if args and args[0] == '--cpu':
        args.pop(0)
        gl = False
    if args and args[0].startswith('--size='):
        match = re.fullmatch(r'--size=(\d+)x(\d+)', args.pop(0))
        if not match:
            sys.exit('saffron: --size wants WIDTHxHEIGHT')
        size = match.groups()
    if args and args[0].startswith('--screenshot='):
        shot = args.pop(0).partition('=')[2]
    if args and args[0] == '--':
        args.pop(0)
    if not args:
        sys.exit(main.__doc__)
    if missing():
        sys.exit('saffron: install ' + ' '.join(missing()))
    try:
        with Weston(dict(os.environ), *size, gl=gl) as screen:
            if shot:
                return photographed(args, screen, shot)
            return exit_code(args, screen.env)
    except RuntimeError as error:
        sys.exit(f'saffron: {error}')


if __name__ == '__main__':
    sys.exit(main())
