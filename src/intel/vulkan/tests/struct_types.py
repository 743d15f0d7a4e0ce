# SPDX-License-Identifier: MIT
"""What sType is of each structure, for VKT_STRUCT() of vkt.h.

usage: struct_types.py --xml vk.xml --out FILE.h

Writes a macro VKT_TYPE_Name for each structure VkName of the headers that has
a type, and for its other names.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '../api'))
import registry  # noqa: E402


def types(root):
    """{structure: VK_STRUCTURE_TYPE_...}"""
    found = {t.get('name'): registry.members(t)[0].get('values')
             for t in registry.structures(root)}
    for t in root.findall("types/type[@category='struct'][@alias]"):
        found[t.get('name')] = found.get(t.get('alias'))
    return {name: stype for name, stype in found.items() if stype}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--xml', required=True)
    parser.add_argument('--out', required=True)
    args = parser.parse_args()
    with open(args.out, 'w', encoding='utf-8') as out:
        out.writelines(
            f'#define VKT_TYPE_{name.removeprefix("Vk")} {stype}\n'
            for name, stype in sorted(types(registry.read(args.xml)).items()))


if __name__ == '__main__':
    main()
