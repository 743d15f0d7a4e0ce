# SPDX-License-Identifier: MIT
"""PIPE_CONTROL: what excludes what, and what must come with what.

See table.py.
"""
from table import DESCRIBES, ELSEWHERE, ENFORCED, FAULT, NO_DRIVER, rule

rule('PC-01',
     gens='7 75 8',
     confidence='H',
     title='a CS stall with nothing to wait for',
     effect='hang',
     text='CSS must come with one of: RTF, DEF, SAS, DST, DCF, PSO != 0. '
          'Drivers add SAS. (Not required on 9)',
     source='BDW PC table via I965 rawpc, HVK cmd',
     missing='a flush, a stall at the scoreboard or at depth, or a '
             'post-sync write in the same packet',
     status=ENFORCED)

rule('PC-02',
     gens='7',
     confidence='H',
     title='four PIPE_CONTROLs without a CS stall',
     effect='hang',
     text='Among PCs that are not RO-invalidate-only, every fourth must '
          'carry CSS (WaCsStallAtEveryFourthPipecontrol)',
     source='I965 rawpc; K gen7_emit_flush_rcs',
     missing='a CS stall in every fourth PIPE_CONTROL',
     status=ENFORCED)

rule('PC-03',
     gens='7 75',
     confidence='H',
     title='a depth stall together with a depth or render target flush',
     effect='hang',
     text='DST may not be combined with RTF or DEF: use separate PCs. '
          'Manual says pre-HSW, but HSW hung at once when DEF+DST were '
          'tried together',
     source='I965 rawpc; CRO hiz_exec',
     missing='two packets',
     status=ENFORCED)

rule('PC-04',
     gens='8 9',
     confidence='H',
     title='Opposite habit',
     text='Opposite habit: depth cache flush and DST go together for HiZ '
          'sequences (FF-18); allowed',
     source='CRO/IRIS hiz_exec',
     status=DESCRIBES)

rule('PC-05',
     gens='7 75 8 9',
     confidence='H',
     title='a count or time together with a scoreboard stall or a render '
           'target flush',
     effect='wrong counter',
     text='RTF or SAS may not share a PC with PSO "depth count" or '
          '"timestamp"',
     source='I965 rawpc (bits 12 and 1 text)',
     missing='two packets',
     status=ENFORCED)

rule('PC-06',
     gens='7 75 8 9',
     confidence='H',
     title='a scoreboard stall beside a depth stall or a render target '
           'flush, which is lost',
     effect='missed flush -> stale',
     text='SAS is ignored if DST is set, and with SAS the render cache is '
          'not flushed even if RTF is set: never combine SAS with RTF or '
          "DST. On Gen9 the flush is not lost: each barrier of Mesa's anv "
          'is one such packet',
     source='I965 rawpc; Mesa 25.0.7, anv',
     missing='two packets',
     status=ENFORCED)

rule('PC-07',
     gens='7 75 8',
     confidence='H',
     title='a state cache invalidate without a CS stall',
     effect='stale, hang',
     text='STI: a PC with CSS must precede it (drivers put CSS on the same '
          'PC or send one before)',
     source='I965 rawpc; K gen7_emit_flush_rcs, gen7_renderclear',
     missing='a CS stall in the packet or in the one before',
     status=ENFORCED)

rule('PC-08',
     gens='8',
     confidence='M',
     title='a state cache invalidate without a scoreboard stall before',
     effect='hang',
     text='STI additionally wants a preceding PC with SAS (hang at '
          '3DSTATE_CHROMA_KEY otherwise)',
     source='BDW15 WaScoreboardStallBeforeStateCacheInvalidate',
     missing='a packet with a scoreboard stall before it',
     status=ENFORCED)

rule('PC-09',
     gens='75',
     confidence='M',
     title='Before a PC with any RO invalidate send a PC with CSS',
     effect='nk (stale)',
     text='Before a PC with any RO invalidate send a PC with CSS and '
          'data-cache ("HDC") flush. No open driver implements it literally',
     source='HSW2 via I965 rawpc TODO',
     reason='on one list alone',
     status=NO_DRIVER)

rule('PC-10',
     gens='8 9',
     confidence='H',
     title='a vertex cache invalidate without a post-sync operation',
     effect='hang',
     text='VFI needs PSO write-immediate, depth count or timestamp in the '
          'same PC. Without it, on BDW, constants get committed without '
          'telling the shaders and a later stall never completes',
     source='BDW15 WsVfPostSyncWrite/WaVfPostSyncWrite; I965 rawpc; ANV cmd',
     missing='a post-sync write in the same packet',
     status=ENFORCED)

rule('PC-11',
     gens='9',
     confidence='H',
     title='a vertex cache invalidate without an empty packet before it',
     effect='hang, illegal state',
     text='A PC with VFI must be directly preceded by an all-zero PC (VF '
          'may take state packets for null prims)',
     source='SKL16 #689; K gen8_emit_flush_rcs; ANV cmd',
     missing='a PIPE_CONTROL of zeros directly before',
     status=ENFORCED)

rule('PC-12',
     gens='8',
     confidence='M',
     title='an empty packet before a vertex cache invalidate',
     effect='hang',
     text='Do not send that null PC on BDW: it was seen to hang',
     source='ANV cmd comment',
     missing='nothing before it on Gen8',
     status=ENFORCED)

rule('PC-13',
     gens='9',
     only='in GPGPU mode',
     confidence='H',
     title='a post-sync operation without a CS stall before it',
     effect='failed preemption, wrong PSO',
     text='A PC with PSO or LRI-PSO, an MI_ATOMIC with post-sync and an '
          'MI_SEMAPHORE_SIGNAL with post-sync must be preceded by a PC with '
          'CSS',
     source='SKL16 #673 WaStallBeforePostSyncOpOnGPGPU; ANV query',
     missing='a packet with a CS stall before it',
     status=ENFORCED)

rule('PC-14',
     gens='9',
     only='in GPGPU mode',
     confidence='H',
     title='a texture invalidate without a CS stall',
     effect='stale, hang',
     text='TXI needs CSS in the same PC',
     source='SKL2a via I965 rawpc, ANV cmd',
     missing='a CS stall in the same packet',
     status=ENFORCED)

rule('PC-15',
     gens='8',
     only='in GPGPU and media mode',
     confidence='H',
     title='a flush, stall or post-sync operation without a CS stall',
     effect='hang',
     text='CSS on every PC except ones that only invalidate '
          'STI/INI/TXI/CNI; in particular with PSO, LRI-PSO, notify, DST, '
          'RTF, DEF, DCF (clock-gating bug)',
     source='BDW2a via I965 rawpc, HVK cmd',
     missing='a CS stall in the same packet',
     status=ENFORCED)

rule('PC-16',
     gens='7 75 8 9',
     confidence='H',
     title='two kinds of post-sync operation',
     effect='undef',
     text='Only one post-sync kind; PSO and LRI-PSO exclude each other',
     source='I965 get_post_sync_flags',
     missing='one of them left out',
     status=ENFORCED)

rule('PC-17',
     gens='7 75 8 9',
     confidence='M',
     title='a flag that wants a post-sync operation',
     text='Flush-LLC requires PSO write-immediate; store-data-index and '
          'sync-GFDT require PSO != 0',
     source='I965 rawpc',
     missing='a post-sync write in the same packet',
     status=ENFORCED)

rule('PC-19',
     gens='7 75',
     confidence='H',
     title='a TLB invalidate without a post-sync operation and a CS stall',
     effect='stale TLB',
     text='TLB invalidate requires PSO != 0 and CSS',
     source='I965 rawpc; K gen7_emit_flush_rcs',
     missing='both in the same packet',
     status=ENFORCED)

rule('PC-20',
     gens='8 9',
     confidence='H',
     title='a TLB invalidate without a CS stall',
     effect='stale TLB',
     text='TLB invalidate requires CSS; on 9 without PSO or CSS nothing is '
          'invalidated at all',
     source='I965 rawpc',
     missing='a CS stall, on Gen9 or a post-sync operation, in the same '
             'packet',
     status=ENFORCED)

rule('PC-21',
     gens='7 75 8 9',
     confidence='H',
     title='Global Snapshot Count Reset',
     effect='undef',
     text='Global snapshot count reset must never be used',
     source='I965 rawpc',
     missing='the bit left zero',
     status=ENFORCED)

rule('PC-22',
     gens='7 75 8 9',
     confidence='H',
     title='a media state clear or pointers disable without a CS stall',
     effect='hang',
     text='Generic-media-state-clear and indirect-state-pointers-disable '
          'need CSS; 9 in GPGPU: CSS PC before media state clear',
     source='I965 rawpc',
     missing='a CS stall in the same packet',
     status=ENFORCED)

rule('PC-23',
     gens='8',
     confidence='M',
     title='pointers disable with a CS stall that flushes nothing',
     effect='missed flush',
     text='CSS together with indirect-state-pointers-disable needs PSO != 0 '
          'or no flush happens',
     source='BDW15 WaFlushOpOnCSStall',
     missing='a post-sync operation in the same packet',
     status=ENFORCED)

rule('PC-24',
     gens='7 75 8 9',
     confidence='H',
     title='indirect state pointers disable out of its sequence',
     effect='hang of the earlier or next draw',
     text='Indirect-state-pointers-disable: send a PC {SAS,CSS} before it '
          'so the constants of the last draw are loaded; afterwards all '
          'five 3DSTATE_CONSTANT_ (zero length is fine) must be sent before '
          'the next draw',
     source='HVK emit_isp_disable; CRO gen7_emit_isp_disable',
     missing='a packet with scoreboard and CS stall before it, all five '
             '3DSTATE_CONSTANT_* after it',
     status=ENFORCED)

rule('PC-25',
     gens='9',
     only='Skylake GT4',
     confidence='H',
     title='a timestamp or depth count without a CS stall',
     effect='corrupted fences and queries, hang',
     text='PSO timestamp or depth count must carry CSS (or the '
          'following PC must set flush-enable)',
     source='SKL16 #876; HVK/ANV emit_ps_depth_count; Mesa a6c3d0f92b7 '
            '(Dota 2 hung)',
     missing='a CS stall in the same packet',
     status=ENFORCED)

rule('PC-26',
     gens='7 75 8 9',
     confidence='H',
     title='a depth count without a depth stall',
     effect='wrong',
     text='PS_DEPTH_COUNT snapshot needs DST in the same PC, else later '
          'primitives are counted',
     source='SNB2.1 section 1.7.3; HVK query',
     missing='a depth stall in the same packet',
     status=ENFORCED)

rule('PC-27',
     gens='7 75 8 9',
     confidence='H',
     title='PSO by the PPGTT',
     effect='EINVAL/NOOP',
     text='User batches use PPGTT (7/75: '
          'global-GTT bit rejected by the command parser together with PSO, '
          'notify and LRI-PSO rejected)',
     source='K i915_cmd_parser gen7_render_cmds',
     tested='src/intel/sim/tests/strict/test_strict.c: { "PC-27"',
     status=FAULT)

rule('PC-28',
     gens='7 75 8 9',
     confidence='H',
     title='a statistics register stored while work is in flight',
     effect='wrong',
     text='Statistics registers read by SRM need PC{CSS,SAS} before; '
          'between two query snapshots do not mix PSO writes and MI stores '
          'to the same slot without CSS',
     source='CRO write_value; HVK query reset',
     missing='a packet with CS and scoreboard stall before it',
     status=ENFORCED)

rule('PC-29',
     gens='75 8',
     confidence='H',
     title='PS_INVOCATION_COUNT counts four times the invocations',
     effect='wrong',
     text='PS_INVOCATION_COUNT counts four times the invocations: divide by '
          '4',
     source='BDW15; HVK query; I965 hsw_queryobj',
     status=DESCRIBES)

rule('PC-30',
     gens='8 9',
     confidence='H',
     title="The PIPE_CONTROL docs' line \"DST only for depth count\"",
     text="The PIPE_CONTROL docs' line \"DST only for depth count\" "
          'contradicts other required sequences and is ignored by every '
          'driver',
     source='I965 rawpc comment',
     status=DESCRIBES)

rule('PC-32',
     gens='9',
     only='in GPGPU mode',
     confidence='H',
     title='PC {CSS, RTF} before SBA, GPGPU_CSR_BASE_ADDRESS',
     effect='latency',
     text='PC {CSS, RTF} before SBA, GPGPU_CSR_BASE_ADDRESS, '
          'PIPELINE_SELECT and MI_WAIT_FOR_EVENT: only shortens preemption',
     source='SKL16 #290, #755',
     status=DESCRIBES)

rule('PC-34',
     gens='7 75',
     confidence='H',
     title="an interrupt, which is the kernel's",
     effect='rejected (7/75)',
     text='Notify-enable (interrupt) belongs to the kernel, which refuses it '
          'where it reads batches; later chips raise what nobody listens to '
          '(NEO sets it in each dispatch)',
     source='K cmd parser; NEO 22.43',
     missing='the bit left zero',
     status=ENFORCED)

rule('PC-35',
     gens='8 9',
     confidence='H',
     title='PC length is 6 dwords , 5 on 7/75',
     effect='hang',
     text='PC length is 6 dwords (64-bit address), 5 on 7/75; one less is '
          'legal, without the upper half of the data: another length '
          'desynchronises the parser',
     source='K gen8_emit_pipe_control; genxml; igt '
            'gem_pipe_control_store_loop',
     tested='src/intel/sim/tests/cs/test_batch.c: "3DSTATE_CLIP", "3 '
            'dwords"',
     status=FAULT)

rule('PC-36',
     gens='7 75 8 9',
     confidence='M',
     title='a post-sync write to what is not 8 bytes aligned',
     effect='the write goes to the 8 bytes around it',
     text='PSO address 8-byte aligned: lower bits are ignored',
     source='SKL2a PIPE_CONTROL; igt gem_pipe_control_store_loop, which sets '
            'bit 2 on Gen8 and later, where it meant GGTT before',
     missing='an address of 8 bytes',
     status=ENFORCED)
