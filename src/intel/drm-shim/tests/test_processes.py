#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The shim around whole processes: who may run it, where, how many at once,
and what of the host they see.

usage: test_processes.py SHIM CLIENT...

CLIENT are test programs that need the shim. Parts that need root, to become
somebody else, are left out with a word when it is not there.
"""
import os
import re
import subprocess
import sys
import tempfile

LOOK = r'''
import os, stat
def entry(path):
   try:
      st = os.lstat(path)
      link = os.readlink(path) if stat.S_ISLNK(st.st_mode) else ''
      return '%o %d %s' % (st.st_mode, st.st_rdev, link)
   except OSError as e:
      return str(e.errno)
for top in '/dev', '/dev/dri', '/sys', '/sys/class', '/sys/class/drm', \
      '/sys/dev/char', '/sys/bus/pci/devices', '/proc/self', '/etc', '/':
   try:
      names = sorted(os.listdir(top))
   except OSError as e:
      print(top, 'error', e.errno)
      continue
   for name in names:
      path = os.path.join(top, name)
      print(path, entry(path))
'''

# What the shim adds, and what differs from process to process.
OURS = re.compile(r'/(dri|card\d+|renderD\d+|226:\d+|drm|0000:00:\w+\.0)$')
TOPS = re.compile(r'/(dev|sys)(/.*)?$')


def run(env, command, before=None, timeout=120):
    return subprocess.run(command, env=env, text=True, timeout=timeout,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          preexec_fn=before)


def become_nobody():
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)


def listing(env, before=None):
    text = run(env, ['/usr/bin/python3', '-c', LOOK], before).stdout
    entries = {}
    for line in text.splitlines():
        path, what = line.split(' ', 1)
        entries[path] = what
    return entries


def check_host(plain, shim):
    """Nothing of the host's is hidden or changed, nothing else is added."""
    before, after = listing(plain), listing(shim)
    for path, what in before.items():
        if what.startswith('error'):
            continue  # a directory that the host does not have
        if after.get(path) != what:
            return f'{path}: {what} became {after.get(path)}'
    for path in after.keys() - before.keys():
        if not TOPS.match(path):
            return f'{path} is new'
        if path.count('/') > 2 and not OURS.search(path):
            return f'{path} is new'
    if not any('renderD' in path for path in after):
        return 'no render node:\n' + '\n'.join(after)
    return None


def check_several(shim, clients):
    """Many at once, of different generations; none knows of the others."""
    running = [subprocess.Popen(clients[0], env=shim, text=True,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
               for _ in range(4)]
    for process in running:
        out = process.communicate(timeout=120)[0]
        if process.returncode:
            return out
    return None


def check_user(shim, clients):
    if os.getuid():
        print('skipped: it is an ordinary user who runs this')
        return None
    if run(shim, ['test', '-r', shim['LD_PRELOAD'].split(':')[-1]],
           become_nobody).returncode:
        print('skipped: the build cannot be read by others')
        return None
    with tempfile.TemporaryDirectory() as home:
        os.chmod(home, 0o777)
        env = dict(shim, HOME=home, XDG_RUNTIME_DIR=home)
        for client in clients:
            done = run(env, [client], become_nobody)
            if done.returncode:
                return done.stdout
    return None


def check_container(shim, client):
    """A mount namespace with devices of its own: without /dev/dri and with
    nothing in /sys; then with a device of the host, which keeps its name."""
    if os.getuid() or subprocess.run(
            ['unshare', '-m', 'true'], stderr=subprocess.DEVNULL).returncode:
        print('skipped: no mount namespace')
        return None
    setup = ('mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && '
             'mknod -m 666 /dev/urandom c 1 9 && mkdir /dev/shm && '
             'mount -t tmpfs none /sys && ')
    plain = {k: v for k, v in shim.items() if k != 'LD_PRELOAD'}
    preload = shim['LD_PRELOAD']
    done = run(plain, ['unshare', '-m', 'sh', '-c',
                       setup + f'LD_PRELOAD={preload} exec {client}'])
    if done.returncode:
        return 'in an empty container:\n' + done.stdout
    # The host's node is /dev/null here: opening it must reach that.
    setup += ('mkdir /dev/dri && mknod -m 666 /dev/dri/renderD128 c 1 3 && '
              'mknod -m 666 /dev/dri/card0 c 1 3 && ')
    done = run(plain, ['unshare', '-m', 'sh', '-c', setup +
                       f'export LD_PRELOAD={preload}; ls /dev/dri; '
                       'stat -L -c %t:%T /dev/dri/renderD128; '
                       f'exec {client}'])
    if done.returncode:
        return 'beside a device of the host:\n' + done.stdout
    lines = done.stdout.splitlines()
    want = ['card0', 'card1', 'renderD128', 'renderD129']
    if sorted(lines[:4]) != want or lines[4] != '1:3':
        return f'beside a device of the host: {lines[:5]}'
    return None


def main():
    library, *clients = sys.argv[1:]
    plain = {k: v for k, v in os.environ.items() if k != 'LD_PRELOAD'}
    earlier = os.environ.get('SAFFRON_TEST_PRELOAD')
    preload = f'{earlier}:{library}' if earlier else library
    shim = dict(plain, LD_PRELOAD=preload, SAFFRON_DEVICE='sim:skl')
    failed = 0
    for name, check, *args in (
            ('host', check_host, plain, shim),
            ('several at once', check_several, shim, clients),
            ('ordinary user', check_user, shim, clients),
            ('container', check_container, shim, clients[-1])):
        problem = check(*args)
        print('FAIL' if problem else 'PASS', name, flush=True)
        if problem:
            print(problem)
            failed += 1
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
