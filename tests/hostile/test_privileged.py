#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The driver in a set-user-id program obeys no variable of its caller's.

usage: test_privileged.py PROGRAM LIBRARY

Every variable that the libraries read (the calls of environment_get() in
their sources) names a file in a folder that only root may look into; one of
them is there already. As root the program writes such files: without that the
test would prove nothing. As another user, set-user-id, it writes none.

Needs root, and a folder for temporary files that honours set-user-id bits.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NOBODY = 65534
SKIPPED = 77
CALL = re.compile(r'\benvironment_get\(\s*"(\w+)"')
# Where a name of a file would end the program before it reads the others.
VALUES = {
    'SAFFRON_DEVICE': 'sim:skl',
    'SAFFRON_SIM_STRICT': 'report',
    'SAFFRON_SIM_TRACE_FILTER': '',
    'SAFFRON_SIM_RULES': '',
    'SAFFRON_SIM_CHAOS': '',
}
LEAVE_OUT = {'SAFFRON_SIM_DRY_RUN'}  # nothing would run
FOLDERS = {'SAFFRON_SIM_RECORD', 'SAFFRON_SIM_KERNELS'}


def variables():
    """The names of all variables that the libraries read."""
    names = set()
    for path in (ROOT / 'src').rglob('*.c'):
        names.update(CALL.findall(path.read_text(encoding='utf-8')))
    return names - LEAVE_OUT


def environment(names, secret):
    env = {'PATH': os.environ['PATH']}
    for name in names:
        to = secret / ('' if name in FOLDERS else name)
        env[name] = VALUES.get(name, str(to))
    return env


def fill(secret):
    """The folder with its one file."""
    shutil.rmtree(secret, ignore_errors=True)
    secret.mkdir(mode=0o700)
    (secret / 'SAFFRON_SIM_STATS').write_text('keep\n', encoding='utf-8')


def content(secret):
    return {p.name: p.read_bytes() for p in secret.iterdir()}


def run(program, library, env, user):
    done = subprocess.run([program, library], env=env, text=True, user=user,
                          group=user, extra_groups=[], cwd='/',
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=60, check=False)
    return done.returncode, done.stdout


def judge(work, program, library):
    """None, or what is wrong; SKIPPED if nothing can be told."""
    secret = work / 'secret'
    names = variables()
    env = environment(names, secret)
    fill(secret)
    before = content(secret)
    code, said = run(program, library, env, 0)
    written = content(secret)
    if code or 'filled' not in said or \
            before['SAFFRON_SIM_STATS'] == written['SAFFRON_SIM_STATS'] or \
            len(written) < 4:
        return f'as root it wrote only {sorted(written)}: {code} {said}'
    fill(secret)
    os.chmod(program, 0o4755)
    code, said = run(program, library, env, NOBODY)
    if 'as its caller' in said:
        print(f'skipped: {work} does not honour set-user-id bits')
        return SKIPPED
    after = content(secret)
    if code or 'privileged' not in said:
        return f'the privileged program ended with {code}: {said}'
    if after != before:
        return f'the privileged program wrote {sorted(after)}: {said}'
    print(f'{len(names)} variables: root writes {len(written) - 1} more '
          f'files, a set-user-id program none')
    return None


def main():
    if os.geteuid() != 0:
        print('skipped: only root can make a set-user-id program of root')
        return SKIPPED
    program, library = sys.argv[1:]
    with tempfile.TemporaryDirectory() as work:
        os.chmod(work, 0o755)
        mine = os.path.join(work, 'privileged')
        shutil.copy(program, mine)
        wrong = judge(Path(work), mine, os.path.realpath(library))
    if wrong == SKIPPED:
        return SKIPPED
    if wrong:
        print(wrong)
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
