# SPDX-License-Identifier: MIT
"""Recordings of the demo, by Mesa's own drivers and by ours, on each
generation: what is run again is what ran.

Cycles of each draw are those of the run, and those of its instructions; a
draw's targets are the same whether what is before it was run again or not;
what a pixel has in the end is what the program read; a recording that ends
too soon can be used.

Exits with 77 where a driver is not installed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SAFFRON = sys.argv[1]
BUILD = Path(os.environ['SAFFRON_BUILD_DIR'])
WIDTH, HEIGHT = 40, 24
MAX_RECORDING_B = 2 << 20


def run(*words):
    return subprocess.run([SAFFRON, *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)


def trace(*words):
    done = run('trace', *words)
    assert done.returncode == 0 and not done.stderr, (words, done)
    return done.stdout


def ask(*words):
    return json.loads(trace('--json', *words))


def check_profile(path, draws):
    """Cycles of lines, and of instructions, are those of the draws."""
    profile = json.loads(trace('--profile=json', path))
    of_draw = {}
    for s in profile['shaders']:
        for part in 'lines', 'instructions':
            assert sum(x['cycles'] for x in s[part]) == s['cycles'], s
        of_draw[s['draw']] = of_draw.get(s['draw'], 0) + s['cycles']
    assert of_draw == {d['draw']: d['cycles'] for d in draws
                       if d.get('threads')}
    assert sum(of_draw.values()) == profile['cycles']
    scope = json.loads(trace('--profile=speedscope', path))
    assert sum(scope['profiles'][0]['weights']) == profile['cycles']
    assert all(i < len(scope['shared']['frames'])
               for s in scope['profiles'][0]['samples'] for i in s)
    events = json.loads(trace('--profile=chrome', path))['traceEvents']
    assert sum(e['dur'] for e in events
               if e['name'].startswith('draw ')) == profile['cycles']


def check_pixel(path, ppm, x, y):
    head = re.match(rb'P6\s+(\d+)\s+(\d+)\s+255\s', ppm)
    at = len(head[0]) + 3 * ((HEIGHT - 1 - y) * WIDTH + x)
    want = list(ppm[at:at + 3])
    found = [e for d in ask(f'--history={x},{y}', path)['draws']
             for e in d['events'] if e['kind'] == 'written'
             and max(map(float, e['source'])) <= 1]
    got = [round(255 * v) for v in found[-1]['is'][:3]]
    assert got == want, (x, y, got, want)
    return found[-1]


def check_writer(path, x, y, event):
    """The register that the pixel's red is in has it from its last writer
    on."""
    draw = [d['draw'] for d in ask(f'--history={x},{y}', path)['draws']
            if event in d['events']][0]
    thread = [f'--draw={draw}', f'--thread={event["thread"]}']
    reg, dword = event['registers'][0].split('.')
    writer, = ask(*thread, f'--writer={event["registers"][0]}@{event["step"]}',
                  path)['steps']
    before = ask(*thread, f'--registers={event["step"]}', path)
    number = int(reg[1:])
    assert (writer['writes'][str(number)][int(dword)] ==
            before['registers'][number][int(dword)])
    readers = ask(*thread, f'--readers={event["registers"][0]}@'
                  f'{writer["n"] + 1}', path)['steps']
    assert event['step'] in [s['n'] for s in readers], (event, readers)


def check_address(path, event, copied):
    """The target is written, and then read as a texture, unless the CPU reads
    it: Mesa's drivers have that for small ones."""
    found = ask(f'--address={event["address"]}', path)['accesses']
    kinds = [(a['client'], a['write']) for a in found]
    assert ('target', True) in kinds, found
    assert not copied or \
        ('texture', False) in kinds[kinds.index(('target', True)):], found
    assert [a['draw'] for a in found] == sorted(a['draw'] for a in found)


def check_cut(folder, path):
    """Of a program that was killed."""
    cut = folder / 'cut'
    whole = path.read_bytes()
    cut.write_bytes(whole[:len(whole) * 2 // 3])
    done = run('trace', '--json', cut)
    assert done.returncode == 0 and 'was killed' in done.stderr, done
    draws = [d['draw'] for d in json.loads(done.stdout)['draws']
             if d.get('threads')]
    if draws:
        done = run('trace', '--json', '--pictures=8', f'--draw={draws[0]}',
                   cut)
        assert json.loads(done.stdout)['pictures'], done


def check(folder, gen, command):
    path, picture = folder / 'x.rec', folder / 'x.ppm'
    picture.unlink(missing_ok=True)
    done = run(command, f'--gen={gen}', f'--record={path}', '--',
               BUILD / 'demo/mandelbrot', 'float', WIDTH, HEIGHT, picture)
    if not picture.exists():
        print(done.stdout, done.stderr)
        sys.exit(77)
    assert path.stat().st_size < MAX_RECORDING_B, path.stat()
    listed = ask(path)
    draws = listed['draws']
    assert listed['generation'] == gen and listed['recording'] and draws
    check_profile(path, draws)
    pictures = ask('--pictures=16', path)['pictures']
    for d in draws:
        alone = ask('--pictures=16', f'--draw={d["draw"]}', path)['pictures']
        assert alone == [p for p in pictures if p['draw'] == d['draw']], d
    ppm = picture.read_bytes()
    for x, y in ((3, 3), (WIDTH - 1, HEIGHT // 2), (17, HEIGHT - 1)):
        event = check_pixel(path, ppm, x, y)
    check_writer(path, x, y, event)
    check_address(path, event, command == 'run')
    check_cut(folder, path)


def main():
    with tempfile.TemporaryDirectory() as name:
        for gen in 'skl', 'bdw', 'hsw', 'ivb':
            for command in 'shim', 'run':
                check(Path(name), gen, command)
    return 0


sys.exit(main())
