# SPDX-License-Identifier: MIT
"""saffron chip: what the tool in C does not do. --import turns a report into
lines of tests of the simulator (chip/expected.c reads them), and what was
measured into a table of the cost model (sim/eu/timing.c)."""
import json
import os

from command.errors import Failure, UsageError
from command.place import say

SCHEMA = 'saffron-chip-1'
GENERATIONS = ('ivb', 'hsw', 'bdw', 'skl')


def read_report(path):
    """The report, if it has the form of one."""
    try:
        with open(path, encoding='utf-8') as file:
            report = json.load(file)
    except OSError as error:
        raise UsageError(f'chip: {path}: {error.strerror}') from error
    except ValueError as error:
        raise UsageError(f'chip: {path}: {error}') from error
    if not isinstance(report, dict) or report.get('schema') != SCHEMA:
        raise UsageError(f"chip: {path}: no report of the form '{SCHEMA}'")
    try:
        if report['chip']['generation'] not in GENERATIONS:
            raise ValueError('no such generation')
        return report, list(map(test_of, report['deviations'])), \
            list(map(row_of, report['timing']))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UsageError(f'chip: {path}: a part is missing or wrong: '
                         f'{error}') from error


def word(text):
    """A name that is one word of a line: others would be read as more."""
    if not isinstance(text, str) or not text or set(text) & set('\n\r\0'):
        raise ValueError(f'no name: {text!r}')
    return text.replace(' ', '_')


def test_of(deviation):
    """(stage/case, values, what differs in words)."""
    name = f"{word(deviation['stage'])}/{word(deviation['case'])}"
    told = [f"{word(deviation['kind'])}: {deviation.get('text', '')}"]
    values = []
    for d in deviation.get('differences', []):
        values.append(f"{int(d['offset'])}=0x{int(d['chip'], 16):08x}")
        told.append(f"  {word(d['where'])}: chip {d['chip']}, "
                    f"simulator {d['simulator']}")
    if deviation['kind'] == 'hang':
        values = ['hang']
    if not deviation.get('differences'):
        told.append(f"  the chip {deviation['chip']}, the simulator "
                    f"{deviation['simulator']}")
    return name, values, told


def row_of(timing):
    return (word(timing['class']), float(timing['issue']),
            float(timing['latency']))


def comment(lines):
    for line in lines:
        for part in line.splitlines():
            yield f'# {part}'[:500]


def import_report(place, path, folder):
    report, tests, timing = read_report(path)
    gen = report['chip']['generation']
    lines = ['# What a chip has answered where the simulator does not: '
             "'saffron chip --check'."]
    for name, values, told in tests:
        lines += comment([name, *told])
        # Cycles are the table's, and what is fused off differs by chip.
        if values and not name.startswith(('timing/', 'identify/')):
            lines.append(f'{gen} {name} {" ".join(values)}')
        say('\n'.join([name, *told]))
    os.makedirs(folder, exist_ok=True)
    where = os.path.join(folder, f'chip-{gen}.txt')
    write(where, lines)
    if timing:
        table = os.path.join(folder, f'timing-{gen}.txt')
        write(table, [f'{name} {issue:.2f} {latency:.2f}'
                      for name, issue, latency in timing])
        say(f'{table}: SAFFRON_SIM_TIMING takes its path')
    say(f'{where}: {len(tests)} deviations; '
        f"'{place.me} chip --gen={gen} --check={where}' judges by it")


def write(path, lines):
    try:
        with open(path, 'w', encoding='utf-8') as file:
            file.write('\n'.join(lines) + '\n')
    except OSError as error:
        raise Failure(f'chip: {path}: {error.strerror}') from error


def data_folder(place):
    return place.file('chip', '') if place.installed else \
        os.path.join(place.build, 'src/intel/chip')


def value_of(words, *names):
    """The value of the last option of these names, or None."""
    found = None
    for i, w in enumerate(words):
        head, equals, value = w.partition('=')
        if head in names:
            if not equals and i + 1 == len(words):
                raise UsageError(f'chip: {head} wants a file')
            found = value if equals else words[i + 1]
    return found


def words_for(place, words):
    """The words of the tool; None: there is nothing left to do."""
    path = value_of(words, '--import', '-i')
    if path is not None:
        folder = value_of(words, '--into')
        if folder is None:
            if place.installed:
                raise UsageError('chip: --import wants --into=FOLDER where '
                                 'there are no sources')
            folder = os.path.join(place.root, 'src/intel/chip/tests/reports')
        import_report(place, path, folder)
        return None
    data = data_folder(place)
    if value_of(words, '--data', '-d') is None and \
            os.path.exists(os.path.join(data, 'programs.bin')):
        return ['--data=' + data, *words]
    return words
