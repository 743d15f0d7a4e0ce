# SPDX-License-Identifier: MIT
"""saffron-trace on the trace of a draw with a known result, and on damaged
files.

The first draw of sim_draw's tests is half a target of 64 by 64 pixels whose
colour at (x, y) is (x + 0.5, y + 0.5, 0, 64) / 64, written from r112 on.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOOL, DRAW = sys.argv[1:]
X, Y = 10, 21
SECONDS = 20


def record(folder, name, words):
    path = folder / name
    env = dict(os.environ, SAFFRON_SIM_TRACE_FILE=str(path),
               SAFFRON_SIM_TRACE_FILTER=words)
    subprocess.run([DRAW], env=env, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    return path


def run(*args, commands=''):
    return subprocess.run([TOOL, *map(str, args)], input=commands,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, errors='replace', timeout=SECONDS,
                          check=False)


def good(*args, commands=''):
    done = run(*args, commands=commands)
    assert done.returncode == 0 and not done.stderr, done
    return done.stdout


def value(text, register, channel):
    """The last value of a register in the output."""
    found = re.findall(rf'^ +{register} +((?:[0-9a-f]{{8}} ){{8}}) +(.*)$',
                       text, re.M)
    assert found, text
    return float(found[-1][1].split()[channel])


def check_lists(path):
    text = good(path)
    assert re.match(r'skl: 1 batches, \d{2} commands, 1 draws, 1 threads',
                    text), text
    assert re.search(r'topology 4, 3 vertices from 0, 1 instances; \d+ '
                     r'threads, \d+ cycles; 1 threads recorded\n', text), text
    assert '3DPRIMITIVE' not in text
    text = good('--commands', '--threads', path)
    assert text.count('3DPRIMITIVE (7 dwords)') == 1, text
    assert f'pixels ({X & ~1}, {Y & ~1}) to ' in text, text
    text = good('--commands=full', path)
    assert 'VertexCountPerInstance: 3\n' in text, text


def check_pixel(path):
    text = good('--draw=0', f'--pixel={X},{Y}', path)
    match = re.match(rf'pixel \({X}, {Y}\) is channel (\d)\n', text)
    channel = int(match[1])
    assert channel % 4 == 2, text
    assert text.count('pln (8|M0)') == 4 and text.count('{EOT}') == 1, text
    for i, want in enumerate([(X + 0.5) / 64, (Y + 0.5) / 64, 0, 1]):
        assert abs(value(text, f'r{112 + i}', channel) - want) < 1e-5, text
    assert good('--stage=fs', '--primitive=0', path) == text.split('\n', 1)[1]
    for args in (['--pixel=60,60'], ['--draw=1'], ['--vertex=0'],
                 ['--stage=vs'], ['--thread=100000'], ['--group=0,0,0'],
                 ['--primitive=1']):
        done = run(*args, path)
        assert done.returncode == 1 and not done.stdout, done
        assert done.stderr.endswith('no such thread is in the file\n'), done


def check_step(path):
    def step(commands):
        text = good('--step', path, commands=commands)
        head = good('--step', path)
        assert text.startswith(head), text
        return text[len(head):]

    back = step('n 3\np 2\nr r112\nr r113\n')
    assert back.count('   1  0x0010') == 2, back  # there, and back again
    forth = step('n\nr r112\nr r113\n')
    assert back.endswith(forth.split('\n', 2)[-1]), (back, forth)
    everything = step('n 1000\n')
    assert everything.endswith('5  end of the thread\n'), everything
    # Found from anywhere: forwards, or from the start again.
    assert '   3  0x0030' in step('g 0x30\n')
    assert step('n 1000\ng 0x0\n').endswith(step('g 0x0\n'))
    assert '   2  0x0020' in step('f r114\n').split('\n')[0]
    assert 'nothing writes r112' in step('n\nf r112\n')
    assert step('p 100\nq\nn\n').count('\n') == 1
    # The message at the end reads what the second pln writes, from both
    # sides; dwords of a register are apart.
    assert step('n 4\nw r113\n').endswith(step('n\n').split('\n')[-2] + '\n')
    assert step('n 4\nw r113.7\n') == step('n 4\nw r113\n')
    assert '   4  0x0040' in step('n\nu r113\n').split('\n')[-2]
    assert 'nothing before this writes r113' in step('n\nw r113\n')
    assert 'nothing after this reads r50' in step('u r50\n')
    assert step('c 0\n') == step('p\n')
    assert '   4  0x0040' in step('c 100000\n')
    # The third pln has made zeros, the fourth ones.
    assert '  r114  0 0 0 0 0 0 0 0\n' in step('n 4\nr r114:d\n')
    assert '  r115  1065353216 ' in step('n 4\nr r115:ud\n')
    assert '  r115  1 1 1 1 1 1 1 1\n' in step('n 4\nr r115:f\n')
    assert re.search(r'  r115 ( 0\.00781250\d*){4}\n',
                     step('n 4\nr r115:df\n'))
    for wrong in ('r r128', 'r', 'r r1:x', 'r f0:d', 'r r1:', 'f x3', 'r acc2', 'r r1x',
                  'w r1.8', 'w r128', 'u', 'w r1.3x'):
        assert 'unknown register' in step(wrong + '\n'), wrong
    for wrong in ('g', 'g zzz', 'n x', 'nonsense', 'x', 'c', 'c x'):
        assert re.search('expected|unknown command', step(wrong + '\n')), wrong
    assert 'does not execute' in step('g 0x4\n')
    for name in ('acc0', 'acc1', 'a0', 'f0', 'f1', 'cr0', 'sr0', 'i'):
        step(f'r {name}\n')


def check_stats(path, all_threads):
    stats = json.loads(good('--stats=json', path))
    assert stats['counted'] == ('all threads' if all_threads else
                                'recorded threads')
    assert stats['generation'] == 'skl' and stats['draws'] == 1
    for key in 'threads', 'instructions', 'sends', 'cycles':
        assert stats['all'][key] == sum(s[key] for s in stats['shaders'])
    shader, = stats['shaders']
    assert shader['stage'] == 'fs' and shader['bytes'] == 80
    assert shader['instructions'] == 5 * shader['threads']
    assert shader['sends'] == shader['threads']
    assert shader['cycles'] > shader['instructions']
    if all_threads:
        # Two quads a thread: at least an eighth of the pixels.
        assert shader['threads'] >= 63 * 64 / 2 / 8, stats
    return stats


HEAD_B = 24
VIEWS = [['--commands=full'], ['--threads'], ['--stats=json'], ['--draw=0'],
         ['--step']]
COMMANDS = 'n 3\nr r112\np\nf r113\n'


def check_cut(folder, path, rng, rounds):
    """Of a program that was killed: what there is of it is shown."""
    bytes_ = path.read_bytes()
    bad = folder / 'bad'
    noted = 0
    for _ in range(rounds):
        end = rng.randrange(len(bytes_))
        bad.write_bytes(bytes_[:end])
        done = run(*rng.choice(VIEWS), bad, commands=COMMANDS)
        assert done.returncode in (0, 1), (end, done)
        if end < HEAD_B:
            assert done.returncode == 1 and not done.stdout, (end, done)
        elif 'was killed' in done.stderr:
            noted += 1
            assert re.match(r'saffron trace: \S+: byte \d+: the file ends',
                            done.stderr), (end, done)
            assert done.stdout or 'no such thread' in done.stderr, (end, done)
    # Others end between two records.
    assert noted > rounds * 3 / 4, noted


def check_damaged(folder, path, rng, rounds):
    bytes_ = path.read_bytes()
    bad = folder / 'bad'
    refused = 0
    for i in range(rounds):
        damaged = bytearray(bytes_)
        for _ in range(rng.choice([1, 1, 4])):
            at = rng.randrange(len(bytes_))
            damaged[at] = rng.choice([0, 1, 0xff, rng.randrange(256)])
        bad.write_bytes(damaged)
        args = rng.choice(VIEWS)
        done = run(*args, bad, commands=COMMANDS)
        assert done.returncode in (0, 1), (i, done)
        if 'shows what comes before' in done.stderr:
            refused += 1
            assert done.returncode == 1 and not done.stdout, (i, done)
            assert re.fullmatch(r'saffron trace: \S+: byte \d+: [^\n]+\n'
                                r'saffron trace: --partial [^\n]+\n',
                                done.stderr), (i, done)
            assert run('--partial', *args, bad).returncode in (0, 1)
    assert refused > rounds / 8, refused


def check_ends(folder, path):
    bytes_ = path.read_bytes()
    bad = folder / 'bad'
    # What is good of a file that ends too soon is counted from its threads.
    bad.write_bytes(bytes_[:-10])
    done = run('--stats=json', bad)
    assert done.returncode == 0, done
    assert 'ends in the middle' in done.stderr, done
    assert json.loads(done.stdout)['counted'] == 'recorded threads'
    assert json.loads(done.stdout)['all']['instructions'] == 5
    bad.write_bytes(b'SAFTRACE\4\0\0\0\x5a\0\0\0' + bytes(8))
    assert 'byte 0: a trace of version 4' in run(bad).stderr
    bad.write_bytes(b'#!/bin/sh\nexit 0\n' + bytes(8))
    assert 'byte 0: no trace file' in run(bad).stderr
    # There is no part of what is none.
    for head in (b'#!/bin/sh\nexit 0\n',
                 b'SAFTRACE\3\0\0\0\x5b\0\0\0' + bytes(8), b''):
        bad.write_bytes(head)
        done = run('--partial', bad)
        assert done.returncode == 1 and not done.stdout, done


def check_help(path):
    """The list of commands has them all, and is not an error."""
    text = run('--step', path, commands='h\nx\n').stdout
    assert text.count('  h   ') == 2 and text.count("unknown") == 1, text
    for letter in re.findall(r'^  ([a-z])\b', text, re.M):
        done = run('--step', path, commands=letter + '\n')
        assert 'unknown command' not in done.stdout, (letter, done)


def check_usage(path):
    for args in ([], [path, path], ['--pixel=3', path], ['--pixel=3,x', path],
                 ['--draw=-1', path], ['--stage=ps', path],
                 ['--stats=xml', path], ['--nonsense', path],
                 ['--commands=some', path], ['/nonexistent/file']):
        done = run(*args)
        assert done.returncode == 2 and done.stderr, (args, done)
    assert good('--help').startswith('usage: saffron trace')


with tempfile.TemporaryDirectory() as name:
    FOLDER = Path(name)
    TRACE = record(FOLDER, 'x', f'draw=0,pixel={X}:{Y}')
    check_lists(TRACE)
    check_pixel(TRACE)
    check_step(TRACE)
    check_stats(TRACE, True)
    ROUNDS = int(os.environ.get('SAFFRON_TEST_TRIALS', '150'))
    RNG = random.Random(int(os.environ.get('SAFFRON_TEST_SEED', '1')))
    check_cut(FOLDER, TRACE, RNG, ROUNDS)
    check_damaged(FOLDER, TRACE, RNG, ROUNDS)
    check_ends(FOLDER, TRACE)
    check_help(TRACE)
    check_usage(TRACE)
