#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""saffron chip pointed at the simulated GPU: without a deviation it reports
none; each of those in deviations.txt is found, named and survived; killed at
any moment it leaves a whole report; a report becomes tests of the simulator.

usage: test_chip.py TOOL SHIM DATA BIN_SAFFRON seeded|killed|import|reports
       test_chip.py TOOL SHIM DATA BIN_SAFFRON whole GENERATION...
"""
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOOL, SHIM, DATA, SAFFRON = sys.argv[1:5]
KINDS, EACH = 10, 4
# So that a suite takes seconds: stages of recordings have hundreds of cases.
RASTER = ('raster-2', 'raster-4', 'raster-59', 'raster-62', 'raster-83')


def start(gen, out, only=None, deviation=None):
    env = dict(os.environ, SAFFRON_DEVICE=f'sim:{gen}', LD_PRELOAD=':'.join(
        x for x in (os.environ.get('SAFFRON_TEST_PRELOAD'), SHIM) if x))
    env.pop('SAFFRON_SHIM_DEVIATE', None)
    if deviation:
        env['SAFFRON_SHIM_DEVIATE'] = deviation
    words = [TOOL, '--data=' + DATA, '--quiet', '--output=' + out]
    if only:
        words.append('--only=' + only)
    return subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def load(path):
    with open(path, encoding='utf-8') as file:
        return json.load(file)


def rows():
    with open(os.path.join(HERE, 'deviations.txt'), encoding='utf-8') as f:
        for line in f:
            if line.strip() and line[0] != '#':
                yield line.split()


def check(condition, what):
    if not condition:
        sys.exit(f'test_chip.py: {what}')


def run(gen, out, only, deviation=None):
    """The exit code and the report."""
    code = start(gen, out, only, deviation).wait()
    check(code in (0, 1), f'{gen} {only} {deviation}: exit code {code}')
    return code, load(out)


def seeded(folder):
    out = os.path.join(folder, 'report.json')
    kinds = {}
    for gen, deviation, stage, word in rows():
        kind = deviation.split(':')[0]
        kinds[kind] = kinds.get(kind, 0) + 1
        cases = [f'{stage}/{c}' for c in RASTER] if stage == 'raster' \
            else [stage]
        found = []
        for case in cases:
            code, report = run(gen, out, case, deviation.replace('_', ' ')
                               if deviation.endswith('_write') else deviation)
            check(report['complete'], f'{deviation}: no whole report')
            check(code == bool(report['deviations']), f'{deviation}: code')
            found += report['deviations']
            if found:
                break
        check(any(re.search(word, json.dumps(d)) for d in found),
              f'{gen} {deviation}: not found in {stage}: {len(found)} others')
        if kind == 'hang':
            check(any(d['kind'] == 'hang' for d in found), deviation)
    check(len(kinds) == KINDS and set(kinds.values()) == {EACH}, kinds)


def whole(folder):
    """Nothing deviates, and each stage has cases."""
    for gen in sys.argv[6:]:
        out = os.path.join(folder, gen)
        for stage in ('identify', 'store', 'registers', 'pipe-control',
                      'thread', 'alu', 'convert', 'suites', 'sampler',
                      'raster/raster-59', 'scenes', 'timing'):
            code, report = run(gen, out, stage)
            check(code == 0 and not report['deviations'], f'{gen} {stage}')
            check(report['stages'][0]['cases'] > 0, f'{gen} {stage}: empty')
        text = open(out, encoding='utf-8').read()
        for word in (os.uname().nodename, os.getcwd(), folder, DATA):
            check(len(word) < 4 or word not in text, f'{word} is told')


def killed(folder):
    """SIGKILL at twenty moments of a run with something to report."""
    seed = random.Random(48)
    whole_ones = 0
    for i in range(20):
        out = os.path.join(folder, f'{i}.json')
        process = start('skl', out, seed.choice(('alu', 'convert', 'sampler')),
                        seed.choice(('alu:add:f', 'sampler:alpha',
                                     'convert:f:d')))
        time.sleep(seed.uniform(0.01, 0.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        if os.path.exists(out):
            report = load(out)
            whole_ones += 1
            check(report['schema'] == 'saffron-chip-1', 'schema')
            check(report['chip']['generation'] == 'skl', 'chip')
    check(whole_ones >= 5, f'only {whole_ones} had begun')


def imported(folder):
    """A deviation becomes a test that the simulator fails."""
    out = os.path.join(folder, 'report.json')
    for deviation, stage, wrong in (('alu:add:f', 'alu', 'alu/add:f'),
                                    ('lost:untyped surface write', 'thread',
                                     'thread/untyped_surface_write'),
                                    ('hang:MI_COPY_MEM_MEM', 'store',
                                     'store/MI_COPY_MEM_MEM')):
        run('skl', out, stage, deviation)
        into = os.path.join(folder, stage)
        subprocess.run([SAFFRON, 'chip', f'--import={out}', '--into=' + into],
                       check=True, stderr=subprocess.DEVNULL)
        done = subprocess.run(
            [TOOL, '--gen=skl', '--data=' + DATA,
             f'--check={into}/chip-skl.txt'], stdout=subprocess.PIPE,
            text=True, check=False)
        check(done.returncode == 1 and wrong in done.stdout, done.stdout)
    # What the simulator says itself is what it says.
    right = os.path.join(folder, 'right.txt')
    with open(right, 'w', encoding='utf-8') as file:
        file.write('# none\nskl store/MI_STORE_DATA_IMM 0=0x01010101\n')
    code = subprocess.run([TOOL, '--gen=skl', f'--check={right}'],
                          check=False).returncode
    check(code == 0, 'a right answer is wrong')
    for text in ('{', '[]', '{"schema": "saffron-chip-1"}',
                 '{"schema": "saffron-chip-1", "chip": {"generation": "skl"},'
                 ' "timing": [], "deviations": [{"stage": 1}]}'):
        with open(out, 'w', encoding='utf-8') as file:
            file.write(text)
        done = subprocess.run([SAFFRON, 'chip', f'--import={out}',
                               '--into=' + folder], check=False,
                              stderr=subprocess.DEVNULL)
        check(done.returncode == 2, f'{text}: {done.returncode}')


def reports(_):
    """The simulator answers as each chip did that a report came from."""
    wrong = []
    reports_folder = os.path.join(HERE, 'reports')
    for name in sorted(os.listdir(reports_folder)):
        match = re.fullmatch(r'chip-(ivb|hsw|bdw|skl).*\.txt', name)
        if match and subprocess.run(
                [TOOL, '--gen=' + match[1], '--data=' + DATA,
                 '--check=' + os.path.join(reports_folder, name)],
                check=False).returncode:
            wrong.append(name)
    check(not wrong, f'the simulator differs from {", ".join(wrong)}')


with tempfile.TemporaryDirectory() as temporary:
    {'reports': reports, 'seeded': seeded, 'whole': whole, 'killed': killed,
     'import': imported}[sys.argv[5]](temporary)
