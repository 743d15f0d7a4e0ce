# SPDX-License-Identifier: MIT
"""Options that look into the simulated GPU: see docs/inspecting.rst."""
import argparse
import os
import subprocess
import sys
import tempfile

from command.errors import UsageError
from command.options import absolute, filled, writable
from command.place import become, export


# Beside a recording: what its shaders were made from.
SHADERS = '.shaders'

# The filter of a trace that is a recording.
RECORDING = 'memory,threads=0,nocommands'


def strict(text):
    if text not in ('report', 'fault'):
        raise argparse.ArgumentTypeError(
            f"--strict is report or fault, not '{text}'")
    return text


def counters(text):
    return text if text == 'json' else writable('--stats')(text)


def add_judging(parser):
    """Options that runners of tests have, too."""
    parser.add_argument('--strict', nargs='?', const='report', type=strict,
                        metavar='fault', help='report each rule of the chips '
                        "that is broken ('saffron rules'); with fault end "
                        'the context, as a chip that hangs')
    parser.add_argument('--rules', metavar='LIST', type=filled,
                        help='only these: ids or their start (PC,CO-20); all '
                        'but those with a minus (-PC-08)')
    parser.add_argument('--chaos', metavar='SEED[:KINDS]', type=filled,
                        help='what the manuals leave open is drawn from the '
                        'seed (poison, math, order, ids, places, cache; all '
                        'without a list; all but those with a minus)')


def export_judging(args):
    if args.strict:
        export(SAFFRON_SIM_STRICT=args.strict)
    if args.rules:
        export(SAFFRON_SIM_RULES=args.rules, SAFFRON_SIM_STRICT=os.environ.get(
            'SAFFRON_SIM_STRICT') or 'report')
    if args.chaos:
        export(SAFFRON_SIM_CHAOS=args.chaos)


def add_options(parser):
    parser.add_argument('--trace', metavar='FILE', type=writable('--trace'),
                        help="record what the GPU does, for 'saffron trace "
                        "FILE'")
    parser.add_argument('--trace-filter', metavar='WORDS', help='only these '
                        'threads: stages (vs, hs, ds, gs, fs, cs), draw=N or '
                        'draw=N-M, pixel=X:Y, threads=N, size=MiB, '
                        'nocommands; with commas between them')
    parser.add_argument('--record', metavar='FILE', type=writable('--record'),
                        help='record what each batch is run on, so that any '
                        "of it can be run again: for 'saffron view FILE' and "
                        "'saffron trace FILE'")
    parser.add_argument('--error-state', metavar='FILE',
                        type=writable('--error-state'),
                        help="what i915 has as its error state when work "
                        "hangs or faults, for 'intel_error_decode FILE'")
    add_judging(parser)
    parser.add_argument('--stats', metavar='json|FILE', type=counters,
                        help='print counters in all and by shader at the '
                        'end, or write them to a file')


def export_options(args):
    export_judging(args)
    if args.record and (args.trace or args.trace_filter is not None):
        raise UsageError('--record is in place of --trace')
    if args.trace or args.record:
        export(SAFFRON_SIM_TRACE_FILE=args.trace or args.record)
    if args.record:
        # What shaders were made from, of all of them: none comes from disk.
        export(SAFFRON_SIM_TRACE_FILTER=RECORDING,
               SAFFRON_SHADER_NOTES=args.record + SHADERS,
               MESA_SHADER_CACHE_DISABLE='true')
    if args.trace_filter is not None:
        export(SAFFRON_SIM_TRACE_FILTER=args.trace_filter)
    if args.error_state:
        # The first error since then is kept.
        if os.path.exists(args.error_state):
            os.remove(args.error_state)
        export(SAFFRON_SIM_ERROR_STATE=args.error_state)
    if args.stats and args.stats != 'json':
        export(SAFFRON_SIM_STATS=args.stats)


def check(place, gen):
    """What these options say is read by the simulator: a program may take its
    complaint for a lack of GPUs. It reads the filter of a trace only if there
    is one; there is no trace without commands."""
    if not any(os.environ.get('SAFFRON_SIM_' + name)
               for name in ('STRICT', 'CHAOS', 'TRACE_FILTER')):
        return
    env = dict(os.environ, SAFFRON_SIM_TRACE_FILE='/dev/null')
    for name in 'SAFFRON_SIM_STATS', 'SAFFRON_SIM_STRICT_LOG':
        env.pop(name, None)
    done = subprocess.run([place.tool('sim-options'), gen], env=env,
                          check=False)
    if done.returncode:
        sys.exit(2)


def run(words, preload, print_stats):
    """Runs a program with these libraries first, in place of this process, or
    to its end if there is something to do behind it. A trace starts anew;
    links and devices stay."""
    for name in 'SAFFRON_SIM_STATS', 'SAFFRON_SIM_TRACE_FILE':
        if os.environ.get(name):
            export(**{name: absolute(os.environ[name])})
    trace = os.environ.get('SAFFRON_SIM_TRACE_FILE', '')
    for path in trace, os.environ.get('SAFFRON_SHADER_NOTES', ''):
        if os.path.isfile(path) and not os.path.islink(path):
            os.remove(path)
    if not print_stats:
        export(LD_PRELOAD=preload or None)
        become(words)
    with tempfile.TemporaryDirectory() as folder:
        # The simulator puts another file in its place.
        path = os.path.join(folder, 'stats.json')
        export(SAFFRON_SIM_STATS=path)
        child = os.fork()
        if child == 0:
            export(LD_PRELOAD=preload or None)
            become(words)
        status = os.waitpid(child, 0)[1]
        if os.path.exists(path):
            with open(path, encoding='utf-8') as file:
                sys.stdout.write(file.read())
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code
