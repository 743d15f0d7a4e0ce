# SPDX-License-Identifier: MIT
"""Each field of genxml is named in the simulator, strict mode's table of
values (reserved.c) included, or in rules/fields.txt with the reason why not; and
what is there is needed. A name that several packets have counts for all."""
import re
import sys
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[5]
SIM = ROOT / 'src/intel/sim'
sys.path.insert(0, str(ROOT / 'src/intel/genxml'))
import genxml  # pylint: disable=wrong-import-position

GENS = ('7', '75', '8', '9')


def words():
    """What the sources say, but for tests."""
    found = set()
    for path in SIM.rglob('*.[ch]'):
        if 'tests' not in path.relative_to(SIM).parts:
            found.update(re.findall(r'\w+', path.read_text(encoding='utf-8')))
    return found


def unnamed():
    """'PACKET.Field' of every generation that no source names."""
    said = words()
    found = set()
    for gen in GENS:
        spec = genxml.Spec(str(ROOT / f'src/intel/genxml/gen{gen}.xml'))
        for groups in (spec.commands, spec.structs, spec.registers):
            groups = groups.values() if isinstance(groups, dict) else groups
            found.update(f'{g.name}.{f.name}' for g in groups
                         for f in g.fields if f.c_name not in said)
    return found


def listed(text):
    """[pattern] of the list; a ValueError names a line that is wrong."""
    reason, patterns = None, []
    for line in text.splitlines():
        if not line or line.startswith('#'):
            continue
        if not line.startswith(' '):
            if not line.endswith(':'):
                raise ValueError(f'no reason: {line}')
            reason = line
        elif not reason:
            raise ValueError(f'without a reason: {line}')
        else:
            patterns.append(line.strip())
    return patterns


def problems(fields, patterns):
    """What the list lacks, and what it has in vain."""
    for field in sorted(fields):
        if not any(fnmatchcase(field, p) for p in patterns):
            yield f'{field}: nothing uses it, and rules/fields.txt has no ' \
                'reason'
    for pattern in patterns:
        if not any(fnmatchcase(f, pattern) for f in fields):
            yield f'{pattern}: in rules/fields.txt in vain'


def main():
    """See the head of the file."""
    fields = unnamed()
    path = SIM / 'strict/rules/fields.txt'
    failed = list(problems(fields, listed(path.read_text(encoding='utf-8'))))
    assert list(problems({'A.B'}, ['A.C'])) and \
        not list(problems({'A.B'}, ['A.*']))
    print('\n'.join(failed) or f'{len(fields)} fields with a reason')
    return bool(failed)


if __name__ == '__main__':
    sys.exit(main())
