#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What our driver submits obeys the chip's rules about commands.

usage: batch_rules.py --gen=GEN -- PROGRAM [ARGUMENT...]

Runs a program on our driver with INTEL_DEBUG=bat, reads the decoded batches
and checks each command against rules of the manuals that the simulated GPU
does not enforce. Prints each broken rule with the command's address. Exit
codes: 0 none is broken, 1 some are, 2 wrong usage or nothing was submitted.
"""
import argparse
import os
import re
import subprocess
import sys

COMMAND = re.compile(r'^(0x[0-9a-f]{12}): +0x[0-9a-f]{8}: +(\w+)')
FIELD = re.compile(r'^    (\w+): (\w+)')
FLUSHES = ('DepthCacheFlushEnable', 'RenderTargetCacheFlushEnable',
           'DCFlushEnable', 'DepthStallEnable', 'StallAtPixelScoreboard')
STAGES = ('VS', 'HS', 'DS', 'GS', 'PS')


class Command:
    def __init__(self, address, name):
        self.address = address
        self.name = name
        self.fields = {}

    def on(self, field):
        return self.fields.get(field) == 'true'

    def value(self, field):
        return int(self.fields.get(field, '0'), 0)


def read(lines):
    """The commands of the batches, in the order in which they were printed."""
    command = None
    for line in lines:
        match = COMMAND.match(line)
        if match:
            if command:
                yield command
            command = Command(match[1], match[2])
            continue
        match = FIELD.match(line)
        if match and command:
            command.fields.setdefault(match[1], match[2])
    if command:
        yield command


class Checker:
    """State that commands leave, and the rules; names are those of the
    manuals' work-arounds, or the packet whose note it is."""

    def __init__(self, gen):
        self.gen = gen
        self.broken = []
        self.previous = None
        self.gpgpu = False
        self.color_calc_valid = False
        self.shared_memory = None
        self.flush_synced = True
        self.pending_constants = set()
        self.seen = {}

    def fail(self, command, rule):
        self.broken.append(f'{command.address}: {command.name}: {rule}')

    def check(self, command):
        self.seen[command.name] = self.seen.get(command.name, 0) + 1
        rule = getattr(self, 'see_' + command.name.lower(), None)
        if rule:
            rule(command)
        self.constants(command)
        self.previous = command

    # see_COMMAND() looks at a command of that name.

    def see_pipe_control(self, c):
        sync = c.value('PostSyncOperation')
        flushes = [f for f in FLUSHES if c.on(f)]
        stalls = c.on('CommandStreamerStallEnable')
        last = self.previous
        last_stalls = (last and last.name == 'PIPE_CONTROL' and
                       last.on('CommandStreamerStallEnable'))
        if self.gen == 'bdw' and stalls and not flushes and not sync:
            self.fail(c, 'a CS stall wants something to wait for')
        if sync in (2, 3) and (c.on('StallAtPixelScoreboard') or
                               c.on('RenderTargetCacheFlushEnable')):
            self.fail(c, 'a count or time with a scoreboard stall or a '
                      'render target flush')
        if c.on('StallAtPixelScoreboard') and (
                c.on('DepthStallEnable') or
                c.on('RenderTargetCacheFlushEnable')):
            self.fail(c, 'the scoreboard stall is ignored, the flush is lost')
        if c.on('VFCacheInvalidationEnable'):
            if not sync:
                self.fail(c, 'WaVfPostSyncWrite')
            null = (last and last.name == 'PIPE_CONTROL' and
                    not any(v == 'true' for v in last.fields.values()) and
                    not last.value('PostSyncOperation'))
            if (self.gen == 'skl') != bool(null):
                self.fail(c, 'a null PIPE_CONTROL before it on Gen9, none '
                          'on Gen8')
        if self.gen == 'bdw' and c.on('StateCacheInvalidationEnable') and \
                not (last_stalls and last.on('StallAtPixelScoreboard')):
            self.fail(c, 'WaScoreboardStallBeforeStateCacheInvalidate')
        if any(c.on(f) for f in FLUSHES[:3]):
            self.flush_synced = bool(sync)
        if c.on('TextureCacheInvalidationEnable') and not self.flush_synced:
            self.fail(c, 'no end-of-pipe sync of the flush before it')
        if not self.gpgpu:
            return
        if self.gen == 'skl' and c.on('TextureCacheInvalidationEnable') and \
                not stalls:
            self.fail(c, 'a texture invalidate in GPGPU mode wants a CS stall')
        if self.gen == 'bdw' and (flushes or sync) and not stalls:
            self.fail(c, 'in GPGPU mode a CS stall in every packet')

    def see_pipeline_select(self, c):
        self.gpgpu = c.value('PipelineSelection') == 2
        if self.gpgpu and self.color_calc_valid:
            self.fail(c, 'WaClearCCStatePriorPipelineSelect')

    def see_3dstate_cc_state_pointers(self, c):
        self.color_calc_valid = c.on('ColorCalcStatePointerValid')

    def see_mi_batch_buffer_end(self, c):
        self.shared_memory = None
        self.pending_constants.clear()
        self.gpgpu = self.color_calc_valid = False

    def see_mi_load_register_imm(self, c):
        if c.value('RegisterOffset') == 0x7034:
            self.shared_memory = bool(c.value('DataDWord') & 1)

    def see_3dprimitive(self, c):
        if self.shared_memory is not False:
            self.fail(c, 'L3 is not dealt out for 3D in this batch')
        for stage in sorted(self.pending_constants):
            self.fail(c, f'no binding table pointers of {stage} after its '
                      'constants')

    def constants(self, c):
        """Constants take effect with the binding table pointers after them;
        an allocation wants both after it."""
        for stage in STAGES:
            if c.name in (f'3DSTATE_CONSTANT_{stage}',
                          f'3DSTATE_PUSH_CONSTANT_ALLOC_{stage}'):
                self.pending_constants.add(stage)
            elif c.name == f'3DSTATE_BINDING_TABLE_POINTERS_{stage}':
                self.pending_constants.discard(stage)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--gen', required=True, choices=('bdw', 'skl'))
    parser.add_argument('--want', action='append', default=[],
                        metavar='COMMAND',
                        help='a command that must be among those submitted')
    parser.add_argument('program', nargs='+')
    args = parser.parse_args()
    done = subprocess.run(args.program, capture_output=True, text=True,
                          errors='replace', check=False,
                          env=dict(os.environ, INTEL_DEBUG='bat',
                                   SAFFRON_DEVICE='sim:' + args.gen))
    checker = Checker(args.gen)
    for command in read((done.stdout + done.stderr).splitlines()):
        checker.check(command)
    missing = [w for w in args.want if w not in checker.seen]
    if missing or not checker.seen:
        print('not submitted: ' + ', '.join(missing or ['anything']))
        return 2
    for line in checker.broken:
        print(line)
    print(f'{sum(checker.seen.values())} commands, {len(checker.broken)} '
          'rules broken')
    return 1 if checker.broken else 0


if __name__ == '__main__':
    sys.exit(main())
