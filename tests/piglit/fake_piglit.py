#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stands for piglit in test_piglit.py: has the tests t0 to t9, of which each
ends as FAKE_PIGLIT_NOT_PASS ('t3=fail,t5=skip') says, or passes. Adds what it
ran to the file FAKE_PIGLIT_LOG, one run a line, after SAFFRON_SIM_CHAOS if
that is set."""
import json
import os
import sys

END = dict(word.split('=')
           for word in os.environ['FAKE_PIGLIT_NOT_PASS'].split(',') if word)


def run(listed, results):
    with open(listed, encoding='utf-8') as lines:
        names = [line.strip() for line in lines]
    with open(os.environ['FAKE_PIGLIT_LOG'], 'a', encoding='utf-8') as log:
        chaos = os.environ.get('SAFFRON_SIM_CHAOS')
        log.write(' '.join([chaos] * bool(chaos) + names) + '\n')
    os.mkdir(results)
    with open(os.path.join(results, 'results.json'), 'w',
              encoding='utf-8') as f:
        json.dump({'results_version': 10,
                   'tests': {n: {'result': END.get(n, 'pass')}
                             for n in names}}, f)


if sys.argv[1] == 'print-cmd':
    print(''.join(f't{n}\t/bin/true\n' for n in range(10)), end='')
elif sys.argv[1] == 'run':
    run(sys.argv[sys.argv.index('--test-list') + 1], sys.argv[-1])
