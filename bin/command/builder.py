# SPDX-License-Identifier: MIT
"""Configures and builds a folder."""
import os
import re
import shutil
import subprocess
import sys

from command.errors import Failure, say
from command.place import DEVELOPER_OPTIONS

PROGRESS = re.compile(r'\[\d+/\d+\] ')


def environment():
    """Meson's own Python is the one with Mako."""
    env = dict(os.environ, PATH='/usr/bin:' + os.environ.get('PATH', ''))
    env['CC'] = os.environ.get('CC') or \
        ('ccache gcc' if shutil.which('ccache') else 'gcc')
    return env


def configure(root, build, env):
    if os.path.exists(os.path.join(build, 'build.ninja')):
        return
    os.makedirs(build, exist_ok=True)
    log = build + '.log'
    with open(log, 'w', encoding='utf-8') as f:
        done = subprocess.run(['meson', 'setup', *DEVELOPER_OPTIONS, build,
                               root], env=env, stdout=f, check=False,
                              stderr=subprocess.STDOUT)
    if done.returncode:
        with open(log, encoding='utf-8', errors='replace') as f:
            say(''.join(f.readlines()[-20:]).rstrip('\n'))
        raise Failure(f'meson setup failed; the whole log is {log}')
    os.remove(log)


def ninja(build, env, *options, **more):
    return subprocess.run(['ninja', '-C', build, *options], env=env,
                          check=False, text=True, errors='replace', **more)


def build(root, folder):
    """Quiet unless there is work to do on a terminal, or an error."""
    env = environment()
    configure(root, folder, env)
    both = {'stdout': subprocess.PIPE, 'stderr': subprocess.STDOUT}
    if sys.stderr.isatty() and 'ninja: no work to do.' not in \
            ninja(folder, env, '-n', **both).stdout:
        if ninja(folder, env, stdout=sys.stderr).returncode:
            raise Failure('the build failed')
        return
    done = ninja(folder, env, **both)
    if done.returncode:
        lines = [line for line in done.stdout.splitlines()
                 if not PROGRESS.match(line)]
        say('\n'.join(lines[:60]))
        raise Failure('the build failed')
