#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""WebGPU on the driver: Dawn, as the npm package 'webgpu' has it, with what
others made for it: TensorFlow.js' tests of its operations, and scenes of
three.js.

usage: webgpu.py [--gen=G] [--part=K/N] [--folder=DIR] [--keep=DIR]

Everything runs twice: on our driver, and on Mesa's own (anv on Skylake and
Broadwell, hasvk before), both on the simulated GPU. A test that passes there
and not here is a failure, and so is a picture that differs in more than a share
of its pixels. Tests that fail on both are counted: the back end lacks
operations.

  --gen=G        skl, bdw, hsw or ivb (skl)
  --part=K/N     one part of N of the tests, by a hash of their names (0/1)
  --folder=DIR   where npm installs the packages (build/webgpu)
  --keep=DIR     pictures and logs are left there

Needs Node.js 20 or newer with npm, and a network once. Ends with 'N passed, N
failed, N skipped'. Exit codes: 0 all passed, 1 one failed, 2 wrong use, 77 no
npm.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import pictures

INPUTS = os.path.join(pictures.ROOT, 'tests', 'webgpu')
ICDS = '/usr/share/vulkan/icd.d'
STOCK = {'skl': 'intel', 'bdw': 'intel', 'hsw': 'intel_hasvk',
         'ivb': 'intel_hasvk'}
# Of a picture; one has occlusion by noise, whose last bits differ.
SHARE = 0.002
TIMEOUT_S = 3600


def install(folder):
    """The packages, and one file of all tests: they are modules that import
    each other by names without an ending, which Node.js does not take."""
    os.makedirs(folder, exist_ok=True)
    for path in glob.glob(os.path.join(INPUTS, '*.*')):
        shutil.copy(path, folder)
    subprocess.run(['npm', 'ci', '--silent', '--ignore-scripts', '--no-audit'],
                   cwd=folder, check=True)
    tests = sorted(glob.glob(os.path.join(
        folder, 'node_modules/@tensorflow/tfjs-core/dist/ops/**/*_test.js'),
        recursive=True))
    entry = os.path.join(folder, 'all.mjs')
    with open(entry, 'w', encoding='utf-8') as f:
        f.write("import './tests.mjs';\n")
        f.writelines(f"import './{os.path.relpath(t, folder)}';\n"
                     for t in tests)
    bundle = os.path.join(folder, 'bundle.mjs')
    # It requires jasmine-core in the manner of older modules.
    subprocess.run(
        [os.path.join(folder, 'node_modules/.bin/esbuild'), entry, '--bundle',
         '--platform=node', '--format=esm', '--ignore-annotations',
         '--log-level=error', '--external:webgpu', '--external:jasmine-core',
         '--external:node-fetch', '--main-fields=module,main',
         '--banner:js=import {createRequire} from "node:module"; '
         'const require = createRequire(import.meta.url);',
         f'--outfile={bundle}'], check=True)
    return bundle


def commands(gen):
    """How each of the two drivers runs a program."""
    stock = f'{ICDS}/{STOCK[gen]}_icd.{os.uname().machine}.json'
    return {'ours': [pictures.SAFFRON, 'run', f'--gen={gen}', '--'],
            'stock': [pictures.SAFFRON, 'shim', f'--gen={gen}', '--', 'env',
                      f'VK_ICD_FILENAMES={stock}', f'VK_DRIVER_FILES={stock}']}


def run(words, log):
    """A program's lines and whether it ended well; log has what it said."""
    with open(log, 'w', encoding='utf-8') as f:
        code = subprocess.run(words, stdout=f, stderr=subprocess.STDOUT,
                              timeout=TIMEOUT_S, check=False).returncode
    with open(log, encoding='utf-8', errors='replace') as f:
        return f.read().splitlines(), code == 0


def results(lines):
    """{test: 'pass' or what went wrong}."""
    found = {}
    for line in lines:
        match = re.match(r'(pass|fail) (.*?)(?: \| (.*))?$', line)
        if match:
            found[match[2]] = 'pass' if match[1] == 'pass' else \
                match[3] or 'failed'
    return found


def compare_operations(ours, stock):
    """(passed, failed, skipped): what fails on both is skipped."""
    bad = {test: word for test, word in stock.items()
           if word == 'pass' and ours.get(test, 'did not run') != 'pass'}
    for test in bad:
        print(f'fail {test}: {ours.get(test, "did not run")}')
    good = sum(word == 'pass' for word in ours.values())
    return good, len(bad), len(ours) - good - len(bad & ours.keys())


def read_ppm(path):
    """Its pixels; nothing where there is none."""
    if not os.path.exists(path):
        return []
    with open(path, 'rb') as f:
        data = f.read().split(b'\n', 3)[3]
    return list(zip(data[::3], data[1::3], data[2::3]))


def compare_scenes(folders):
    """(passed, failed)."""
    good = bad = 0
    for path in sorted(glob.glob(os.path.join(folders['stock'], '*.ppm'))):
        name = os.path.basename(path)
        right = read_ppm(path)
        mine = read_ppm(os.path.join(folders['ours'], name))
        share = pictures.differing(mine, right) if mine else 1
        if share <= SHARE and len(set(right)) > 20:
            good += 1
        else:
            bad += 1
            print(f'fail {name}: {100 * share:.2f} % of pixels differ')
    return good, bad


def check(gen, part, bundle, keep):
    """(passed, failed, skipped)."""
    folder = os.path.dirname(bundle)
    tests, pictured, scenes_ended = {}, {}, True
    for name, words in commands(gen).items():
        pictured[name] = os.path.join(keep, name)
        os.makedirs(pictured[name], exist_ok=True)
        log = os.path.join(keep, f'{name}-operations.txt')
        lines, _ = run([*words, 'node', f'{folder}/operations.mjs', bundle,
                        *part.split('/')], log)
        tests[name] = results(lines)
        lines, ended = run([*words, 'node', f'{folder}/scenes.mjs',
                            pictured[name]],
                           os.path.join(keep, f'{name}-scenes.txt'))
        if not ended:
            print('\n'.join(x for x in lines if 'error' in x)[:2000])
            scenes_ended = scenes_ended and name != 'ours'
    if not tests['stock']:
        print(f'no test ran on the stock driver: see {keep}')
        return 0, 1, 0
    good, bad, skipped = compare_operations(tests['ours'], tests['stock'])
    drawn, wrong = compare_scenes(pictured)
    return good + drawn, bad + wrong + (not scenes_ended), skipped


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, add_help=True,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--gen', default='skl', choices=STOCK,
                        help=argparse.SUPPRESS)
    parser.add_argument('--part', default='0/1', help=argparse.SUPPRESS)
    parser.add_argument('--folder', help=argparse.SUPPRESS,
                        default=os.path.join(pictures.ROOT, 'build/webgpu'))
    parser.add_argument('--keep', help=argparse.SUPPRESS)
    args = parser.parse_args()
    match = re.fullmatch(r'(\d+)/(\d+)', args.part)
    if not match or int(match[1]) >= int(match[2]):
        parser.error(f"--part: '{args.part}' is no K/N with K below N")
    if not shutil.which('npm') or not shutil.which('node'):
        print('webgpu: there is no Node.js with npm')
        return 77
    try:
        bundle = install(os.path.abspath(args.folder))
    except (OSError, subprocess.CalledProcessError) as error:
        print(f'webgpu: the packages could not be installed: {error}')
        return 1
    with tempfile.TemporaryDirectory() as scratch:
        keep = os.path.abspath(args.keep or scratch)
        good, bad, skipped = check(args.gen, args.part, bundle, keep)
    print(f'{good} passed, {bad} failed, {skipped} skipped')
    return int(bad != 0)


if __name__ == '__main__':
    sys.exit(main())
