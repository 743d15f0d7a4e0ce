#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damages batches of the simulated GPU; the back end of `bin/saffron fuzz`.

Records what Mesa's own drivers and ours submit for the small programs of
scenes.c, then runs fuzz_sim on it: that of --fuzz-build, or of BUILD-sanitize
(which has the sanitizers in it) if there is one. A generation for which no
driver is installed is skipped; if that is all of them, the exit code is 77. It
is 1 if anything was found, or a scene that a driver has was not recorded.
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
import zink  # pylint: disable=wrong-import-position

ROOT = Path(__file__).resolve().parents[3]
SAFFRON = ROOT / 'bin' / 'saffron'
ICDS = Path('/usr/share/vulkan/icd.d')
ZINK = zink.variables()


def stock_vulkan(name):
    """The environment for stock zink over a stock driver; None without it."""
    found = sorted(ICDS.glob(f'{name}_icd*.json'))
    return found and dict(ZINK, VK_ICD_FILENAMES=str(found[0]),
                          VK_DRIVER_FILES=str(found[0]))


DRIVERS = ('gl', 'vk', 'own')


def drivers(gen):
    """(name of DRIVERS, command in front, environment) of each way to draw
    that is installed; who has no driver for 'gl' draws elsewhere."""
    shim = [SAFFRON, 'shim', f'--gen={gen}', '--']
    yield 'gl', shim, {}
    vulkan = stock_vulkan('intel' if gen == 'skl' else 'intel_hasvk')
    if vulkan:
        yield 'vk', shim + ['env'] + [f'{k}={v}' for k, v in
                                      vulkan.items()], {}
    yield 'own', [SAFFRON, 'run', f'--gen={gen}', '--'], {}


def draw(command, env):
    """How a scene ends, in words; None if it is one that its OpenGL lacks."""
    try:
        code = subprocess.run(command, env=env, check=False, timeout=120,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return 'takes too long'
    return None if code == 77 else f'exit code {code}'


def record(gen, scenes, folder, args):
    """Fills `folder` with recorded batches: how many there are, and what is
    missing, in words. A driver that records nothing at all is not installed,
    unless it is ours."""
    missing = []
    for driver, front, more in drivers(gen):
        if driver not in args.drivers:
            continue
        lost, any_job = [], False
        for name in args.scenes:
            to = folder / f'{driver}-{name}'
            to.mkdir(parents=True, exist_ok=True)
            env = dict(os.environ, MESA_SHADER_CACHE_DISABLE='true',
                       SAFFRON_SIM_RECORD=str(to), **more)
            end = draw(front + [scenes, name], env)
            there = any(to.glob('*.job'))
            any_job |= there
            if not there and end:
                lost.append(f'{driver}-{name} ({end})')
        if any_job:
            missing += lost
        elif driver == 'own':
            missing.append('own: nothing at all')
    return len(list(folder.glob('*/*.job'))), missing


def chosen(parser, option, text, known):
    """Words with commas between them, of those that there are."""
    words = text.split(',') if text else list(known)
    for word in words:
        if word not in known:
            parser.error(f"{option}: '{word}' is none of {', '.join(known)}")
    return words


def fuzzer(args):
    """The fuzz_sim to run."""
    in_build = Path('tests') / 'fuzz' / 'fuzz_sim'
    if args.fuzz_build:
        return args.fuzz_build / in_build
    sanitized = Path(f'{args.build}-sanitize')
    if (sanitized / in_build).exists():
        return sanitized / in_build
    print(f'{sanitized} is not there: without sanitizers')
    return args.build / in_build


def main():
    parser = argparse.ArgumentParser(prog='bin/saffron fuzz',
                                     description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, default=ROOT / 'build')
    parser.add_argument('--fuzz-build', type=Path,
                        help='build whose simulator is tried (default: '
                        'BUILD-sanitize if it is there, else BUILD)')
    parser.add_argument('--gen', action='append',
                        choices=('skl', 'bdw', 'hsw', 'ivb'),
                        help='may be repeated (default: all four)')
    parser.add_argument('--count', type=int, default=10000,
                        help='trials of each')
    parser.add_argument('--seed', type=int, default=0,
                        help='number of the first')
    parser.add_argument('--corpus', type=Path,
                        help='folder to record to, or recorded before: '
                        'GEN/*/*.job')
    parser.add_argument('--drivers', help='gl, vk, own, with commas; '
                        'default: all')
    parser.add_argument('--scenes', help='names, with commas; default: all')
    parser.add_argument('--finds', default='fuzz-finds')
    args, rest = parser.parse_known_args()
    if args.count < 1 or args.seed < 0:
        parser.error('--count is 1 or more, and --seed 0 or more')

    fuzz = fuzzer(args)
    if not fuzz.exists():
        print(f'{fuzz} is not there')
        return 1
    scenes = args.build / 'tests' / 'fuzz' / 'fuzz_scenes'
    if not scenes.exists():
        print(f'{scenes} is not there')
        return 1
    names = subprocess.run([scenes], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split()
    args.scenes = chosen(parser, '--scenes', args.scenes, names)
    args.drivers = chosen(parser, '--drivers', args.drivers, DRIVERS)
    ran, found = 0, False
    with tempfile.TemporaryDirectory() as temporary:
        corpus = args.corpus or Path(temporary)
        for gen in args.gen or ('skl', 'bdw', 'hsw', 'ivb'):
            folder = corpus / gen
            jobs, missing = len(list(folder.glob('*/*.job'))), []
            if not jobs:
                jobs, missing = record(gen, scenes, folder, args)
            for what in missing:
                print(f'{gen}: not recorded: {what}')
            found |= bool(missing)
            if not jobs and missing:
                continue
            if not jobs:
                print(f'{gen}: skipped: no driver draws')
                continue
            ran += 1
            done = subprocess.run([fuzz, f'--gen={gen}', f'--corpus={folder}',
                                   f'--count={args.count}',
                                   f'--seed={args.seed}',
                                   f'--finds={args.finds}', *rest],
                                  check=False)
            found |= done.returncode != 0
    return 1 if found else 0 if ran else 77


if __name__ == '__main__':
    sys.exit(main())
