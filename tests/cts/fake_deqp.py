#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speaks as a program of VK-GL-CTS does, for test_cts.py: each case does what
its name says. With FAKE_DEQP_LOG every process writes the cases down that it
was given; FAKE_DEQP_REPORT goes to the log of strict mode."""
import os
import signal
import sys
import time

CASES = ['dEQP-FAKE.a.pass1', 'dEQP-FAKE.a.fail1', 'dEQP-FAKE.a.crash1',
         'dEQP-FAKE.a.pass2', 'dEQP-FAKE.b.skip1', 'dEQP-FAKE.b.hang1',
         'dEQP-FAKE.b.warn1', 'dEQP-FAKE.b.lost1', 'dEQP-FAKE.b.exit1',
         'dEQP-FAKE.b.lines1', 'dEQP-FAKE.b.gone1', 'dEQP-FAKE.b.pass3',
         'dEQP-FAKE.b.slow1', 'dEQP-FAKE.b.spin1']


def say(text):
    print(text, flush=True)


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def run(name):
    what = name.rsplit('.', 1)[1][:-1]
    say(f"Test case '{name}'..")
    if what == 'crash':
        os.kill(os.getpid(), signal.SIGSEGV)
    elif what == 'exit':
        sys.exit(3)
    elif what == 'hang':
        time.sleep(1000)
    elif what == 'slow':
        # As on a busy machine: now and then it has the processor.
        end = time.monotonic() + 3
        while time.monotonic() < end:
            spin(0.02)
            time.sleep(0.2)
        say('  Pass (says slow)')
    elif what == 'spin':
        spin(1000)
    elif what == 'lines':
        say('  Fail (first line\nTest case by name only\nlast line)')
    elif what == 'gone':
        say('  Fail (queueSubmit(): VK_ERROR_DEVICE_LOST at file.cpp:1)')
        time.sleep(1000)
    else:
        word = {'pass': 'Pass', 'fail': 'Fail', 'skip': 'NotSupported',
                'warn': 'QualityWarning', 'lost': 'DeviceLost'}[what]
        say(f'  {word} (says {what})')
        if what == 'lost':
            time.sleep(1000)


def main():
    values = dict(a.split('=', 1) for a in sys.argv[1:] if '=' in a)
    if values.get('--deqp-runmode') == 'stdout-caselist':
        package = values.get('--deqp-case', '*')
        if package not in ('*', 'dEQP-FAKE.*'):
            say(f'FATAL ERROR: no package {package}')
            sys.exit(1)
        wanted = CASES
        if '--deqp-caselist-file' in values:
            with open(values['--deqp-caselist-file'],
                      encoding='utf-8') as lines:
                wanted = lines.read().split()
        for name in CASES:
            if name in wanted:
                say(f'TEST: {name}')
        if 'FAKE_DEQP_FATAL' in os.environ and package == '*' and \
           wanted is CASES:
            say('FATAL ERROR: EGL is not supported')
            sys.exit(1)
        return
    if 'FAKE_DEQP_DEAD' in os.environ:
        sys.exit(9)
    with open(values['--deqp-caselist-file'], encoding='utf-8') as lines:
        names = lines.read().split()
    if 'FAKE_DEQP_LOG' in os.environ:
        with open(os.environ['FAKE_DEQP_LOG'], 'a', encoding='utf-8') as log:
            log.write(' '.join(names) + '\n')
    if os.environ.get('FAKE_DEQP_REPORT'):
        with open(os.environ['SAFFRON_SIM_STRICT_LOG'], 'a',
                  encoding='utf-8') as log:
            log.write(os.environ['FAKE_DEQP_REPORT'])
    for name in names:
        run(name)
    say('\nDONE!')


if __name__ == '__main__':
    main()
