# SPDX-License-Identifier: MIT
"""Lists for test_device.c what vkGetPhysicalDeviceFeatures2 and
vkGetPhysicalDeviceProperties2 have to fill in.

usage: query_structs.py --xml vk.xml --out FILE.h

Writes the macros QUERY_FEATURES(X) and QUERY_PROPERTIES(X) with a line
X(structure type, structure) for each structure of the core versions and
device extensions in api/extensions.py that may be chained there.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '../api'))
import extensions  # noqa: E402
import registry  # noqa: E402


def required(root):
    """The names of the types that the versions and extensions bring."""
    chapters = registry.versions(root, extensions.CORE_FEATURES) + [
        e for e in registry.extensions(root)
        if e.get('name') in extensions.DEVICE_EXTENSIONS]
    available = {c.get('name') for c in chapters}
    return {name for c in chapters
            for name in registry.required(c, 'type', available)}


def is_asked(structure):
    """Whether a structure says itself what it wants: it has arrays of the
    caller's, and is no place for noise."""
    return any('*' in registry.text_of(m)
               for m in registry.members(structure)[2:])


def structs(root, head):
    """(structure type, name) of those that extend structure `head`."""
    wanted = required(root)
    return sorted((registry.members(t)[0].get('values'), t.get('name'))
                  for t in registry.structures(root)
                  if head in (t.get('structextends') or '').split(',') and
                  t.get('name') in wanted and not is_asked(t))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--xml', required=True)
    parser.add_argument('--out', required=True)
    args = parser.parse_args()
    root = registry.read(args.xml)
    with open(args.out, 'w', encoding='utf-8') as out:
        for what in 'Features', 'Properties':
            rows = structs(root, f'VkPhysicalDevice{what}2')
            if not rows:
                sys.exit(f'query_structs.py: no {what} in {args.xml}')
            lines = [f'   X({stype}, {name})' for stype, name in rows]
            out.write(f'#define QUERY_{what.upper()}(X) \\\n' +
                      ' \\\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
