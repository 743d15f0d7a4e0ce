# SPDX-License-Identifier: MIT
"""Fills a Mako template from rows: generate.py TABLE.py TEMPLATE OUTPUT.

A table with a fault stops the build with one line for each fault.
"""

import importlib
import pathlib
import sys

from mako.template import Template


def main(table, template, output):
    path = pathlib.Path(table)
    sys.path.insert(0, str(path.parent))
    rows = importlib.import_module(path.stem)
    faults = rows.check()
    if faults:
        sys.exit('\n'.join(faults))
    with open(template, encoding='utf-8') as f:
        source = f.read()
    text = Template(source, strict_undefined=True).render(t=rows)
    with open(output, 'w', encoding='utf-8') as f:
        f.write(text)


if __name__ == '__main__':
    main(*sys.argv[1:])
