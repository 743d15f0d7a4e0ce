#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a program under the Vulkan validation layers (core and
synchronisation). What they say fails it."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

MANIFEST = '/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json'
SETTINGS = (
    'khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n'
    'khronos_validation.report_flags = {}\n'
    'khronos_validation.log_filename = {}\n'
    'khronos_validation.enables = {}\n')
SYNCHRONISATION = 'VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT'
BEST_PRACTICES = 'VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT'


def installed():
    return os.path.exists(MANIFEST)


def environment(directory, best_practices=True):
    """One in which the validation layers write to a file of that folder what
    they find."""
    enables = [SYNCHRONISATION] + [BEST_PRACTICES] * best_practices
    with open(os.path.join(directory, 'vk_layer_settings.txt'), 'w',
              encoding='utf-8') as f:
        f.write(SETTINGS.format(
            'error,warn,perf' if best_practices else 'error,warn',
            os.path.join(directory, 'layers'), ','.join(enables)))
    return {'VK_INSTANCE_LAYERS': 'VK_LAYER_KHRONOS_validation',
            'VK_LAYER_SETTINGS_PATH': directory}


def log_of(directory):
    """What the layers wrote; None if they were not there."""
    path = os.path.join(directory, 'layers')
    if not os.path.exists(path):
        return None
    with open(path, encoding='utf-8', errors='replace') as f:
        return f.read()


def known_of(path):
    """The ids of a list with lines of 'ID # reason'."""
    with open(path, encoding='utf-8') as f:
        return [line.split(' # ')[0] for line in f if ' # ' in line]


def said(directory, known):
    """The ids of what the layers found, but for those that are known: a star
    stands for any end."""
    log = log_of(directory)
    if log is None:
        return ['the validation layers were not there']
    found = set(re.findall(r'\[ ((?:VUID|UNASSIGNED|SYNC)-[\w-]+) \]', log))
    return sorted(i for i in found
                  if not any(i == k or (k[-1] == '*' and
                                        i.startswith(k[:-1]))
                             for k in known))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--known', metavar='ID', action='append', default=[],
                        help='what they may say')
    parser.add_argument('command', nargs='+')
    args = parser.parse_args()
    if not installed():
        print('skipped: install vulkan-validationlayers')
        return 77
    with tempfile.TemporaryDirectory() as directory:
        env = dict(os.environ, **environment(directory, False))
        code = subprocess.run(args.command, env=env, check=False).returncode
        found = said(directory, args.known)
        if found:
            print(log_of(directory) or '')
            print('the layers say:', ', '.join(found))
    return code or bool(found)


if __name__ == '__main__':
    sys.exit(main())
