# SPDX-License-Identifier: MIT
"""The order of commands, and state that belongs together.

See table.py.
"""
from table import (DESCRIBES, ELSEWHERE, ENFORCED, FAULT, NO_DRIVER, OTHERS,
                   UNSEEN, rule)

rule('CO-01',
     gens='7 75 8 9',
     confidence='H',
     title='another pipeline selected while caches are dirty or stale',
     effect='corruption (bug seen on 7), hang',
     text='Before PIPELINE_SELECT changes mode: stalling PC with '
          'RTF+DEF+DCF, then a PC with TXI+CNI+STI+INI',
     source='I965, HVK, IRIS pipeline_select; IVB1.1 section 3.3',
     missing='a CS stall with render target, depth and data flush, then an '
             'invalidate of texture, constants, state and instructions',
     status=ENFORCED)

rule('CO-02',
     gens='7',
     confidence='H',
     title='a draw after PIPELINE_SELECT without an empty one before it',
     effect='hang',
     text='After every PIPELINE_SELECT(3D) and MI_SET_CONTEXT: PC with CSS '
          '+ PSO, then a dummy 3DPRIMITIVE (not indirect, not predicated, '
          'no end-offset, vertex count 0)',
     source='IVB1.1 PIPELINE_SELECT; I965 brw_misc_state; CRO '
            'emit_pipeline_select',
     missing='a packet with CS stall and post-sync write, then an empty '
             '3DPRIMITIVE',
     status=ENFORCED)

rule('CO-03',
     gens='8 9',
     confidence='H',
     title='GPGPU selected while the colour calculator pointer is valid',
     effect='hang at context restore',
     text='Before PIPELINE_SELECT(GPGPU): 3DSTATE_CC_STATE_POINTERS with '
          'the valid bit clear',
     source='SKL16 #642 WaClearCCStatePriorPipelineSelect; HVK/ANV',
     missing='3DSTATE_CC_STATE_POINTERS without its valid bit',
     status=ENFORCED)

rule('CO-04',
     gens='',
     only='Cherryview',
     confidence='M',
     title='After PIPELINE_SELECT send a MEDIA_VFE_STATE at once',
     effect='hang on restore',
     text='After PIPELINE_SELECT(GPGPU) send a MEDIA_VFE_STATE at once (TSG '
          'writes null entries into the context)',
     source='CHV16 WaSendDummyVFEafterPipelineSelect',
     status=ELSEWHERE)

rule('CO-05',
     gens='9',
     confidence='M',
     effect='corrupt',
     text='When going GPGPU->3D re-send a MEDIA_VFE_STATE (otherwise '
          'flickering geometry); it makes the compute VFE state dirty again',
     source='ANV flush_pipeline_select (empirical)',
     title='a draw after a walker',
     missing='a MEDIA_VFE_STATE between',
     status=ENFORCED)

rule('CO-06',
     gens='',
     only='Gemini Lake',
     confidence='H',
     title='Set the barrier-mode chicken bit to 3D or GPGPU after each',
     effect='hang in barriers',
     text='Set the barrier-mode chicken bit to 3D or GPGPU after each '
          'select',
     source='ANV, IRIS',
     status=ELSEWHERE)

rule('CO-07',
     gens='7 75 8 9',
     confidence='H',
     title='a packet of the other pipeline',
     effect='undef',
     text='3D packets while media/GPGPU is selected, and the reverse, are '
          'undefined. A switch deallocates the URB of the old pipe and '
          'drops its constants',
     source='IVB1.1 section 3.3',
     missing='a PIPELINE_SELECT before it',
     status=ENFORCED)

rule('CO-08',
     gens='9',
     confidence='H',
     title='PIPELINE_SELECT that changes nothing',
     effect='mode not changed',
     text='PIPELINE_SELECT fields only change under their mask bits (9:8); '
          'mask clear means nothing changes',
     source='ANV (MaskBits=3)',
     missing='its mask bits',
     status=ENFORCED)

rule('CO-09',
     gens='7 75 8 9',
     confidence='H',
     title='a pointer that was sent under another base address',
     effect='stale pointer, hang',
     text='After SBA all pointers relative to the moved base must be '
          're-sent: binding-table, sampler, viewport, CC, blend, scissor, '
          'interface descriptors',
     source='IVB1.1 SBA notes',
     missing='the pointer sent again after STATE_BASE_ADDRESS',
     status=ENFORCED)

rule('CO-10',
     gens='7',
     confidence='H',
     effect='wrong border colour',
     text='Upper bounds: 0 means "no check", except that border-colour '
          'fetch still checks the dynamic bound: program non-zero (drivers '
          'use all ones). Non-zero bounds must exceed the base',
     source='HVK cmd; BEI intel_gpgpu; IVB1.1',
     title='an end of an area of state',
     missing='an upper bound after the base',
     status=ENFORCED)

rule('CO-11',
     gens='8 9',
     confidence='H',
     title='a base and a size that leave 48 bits',
     effect='hang, zeros',
     text='Base + buffer size must not overflow 48 bits: then every access '
          'counts as out of bounds and reads 0; zero-filled kernels hang at '
          'once',
     source='HVK allocator (Wa32bitGeneralStateOffset, '
            'Wa32bitInstructionBaseOffset discussion)',
     missing='a smaller size',
     status=ENFORCED)

rule('CO-12',
     gens='9',
     confidence='M',
     title='a bindless size without its base',
     effect='bindless size changed',
     text='When the bindless base modify bit is off, send SBA without the '
          'last three dwords (length field Eh) or zero them: the size field '
          'has no own modify bit',
     source='SKL16 #696',
     missing='zeros in the last dwords, or a shorter packet',
     status=ENFORCED)

rule('CO-13',
     gens='7 75 8 9',
     confidence='H',
     title='Accesses at or above an upper bound',
     effect='wrong',
     text='Accesses at or above an upper bound: reads undefined/zero, '
          'writes dropped',
     source='IVB1.1 SBA',
     status=DESCRIBES)

rule('CO-14',
     gens='8 9',
     confidence='M',
     effect='hang',
     text='After MI_SET_CONTEXT or media-state-clear a MEDIA_VFE_STATE must '
          'come before any preemptable GPGPU command',
     source='BDW15; SKL16 #245',
     title='cleared media state, and no new one',
     missing='MEDIA_VFE_STATE',
     status=ENFORCED)

rule('CO-15',
     gens='7 75 8 9',
     confidence='H',
     title='3DSTATE_DRAWING_RECTANGLE, SBA and other non-pipelined',
     effect='perf only',
     text='3DSTATE_DRAWING_RECTANGLE, SBA and other non-pipelined packets '
          'flush the pipe implicitly; correct but slow. HS/GS/SO declared '
          'state marked NP likewise',
     source='IRIS comment; HSW6 "NP" qualifier',
     status=DESCRIBES)

rule('CO-16',
     gens='7 75 8 9',
     confidence='H',
     effect='executes old command',
     text='Batch that patches itself: the CS prefetches 512 B (Gen7-9); '
          'modified commands must be beyond that, or jump after padding',
     source='DEV calc_engine_prefetch; COM mi_builder',
     title='a command is changed that may be fetched already',
     missing='512 bytes of other commands, or a jump, between',
     status=ENFORCED)

rule('CO-17',
     gens='7',
     confidence='H',
     title='vertex shader state without a stalled depth pipe',
     effect='hang, corrupt',
     text='Before any of 3DSTATE_VS, URB_VS, CONSTANT_VS, BTP_VS, '
          'SAMPLER_STATE_POINTERS_VS: one PC with DST + PSO write-immediate '
          '(one PC covers the group); not on Bay Trail',
     source='IVB2.1 via HVK cmd, BLORP, I965',
     missing='a packet with depth stall and post-sync write before it',
     status=ENFORCED)

rule('CO-18',
     gens='7 75 8 9',
     confidence='H',
     title='a part of the four URB packets',
     effect='undef',
     text='3DSTATE_URB_VS, HS, DS, GS are valid only as a complete set of '
          'four',
     source='IVB2.1 via BLORP',
     missing='all of 3DSTATE_URB_VS, HS, DS and GS',
     status=ENFORCED)

rule('CO-19',
     gens='7 75 8 9',
     confidence='H',
     title='constants not sent again after their allocation',
     effect='stale constants, hang',
     text='After 3DSTATE_PUSH_CONSTANT_ALLOC_x the matching '
          '3DSTATE_CONSTANT_x must be re-sent before the next draw; on 7 '
          '(not HSW/BYT) ALLOC_PS must be followed by PC with CSS',
     source='BDW2a/IVB2.1 via HVK, CRO alloc_push_constants',
     missing='3DSTATE_CONSTANT_x after 3DSTATE_PUSH_CONSTANT_ALLOC_x (and a '
             'CS stall after that of PS on Ivybridge)',
     status=ENFORCED)

rule('CO-20',
     gens='9',
     confidence='H',
     title='constants that never take effect',
     effect='stale constants',
     text='3DSTATE_CONSTANT_x takes effect only when '
          '3DSTATE_BINDING_TABLE_POINTERS_x is sent after it (7, 75, 8: at '
          'the next primitive)',
     source='HVK/ANV/IRIS emit order',
     missing='3DSTATE_BINDING_TABLE_POINTERS_x after 3DSTATE_CONSTANT_x',
     status=ENFORCED)

rule('CO-21',
     gens='75 8 9',
     confidence='H',
     title='constants in buffer 0 after ones without buffer 3',
     effect='hang, corrupt',
     text='Not allowed without a 3D flush: a committed constant packet '
          'whose buffer 3 length is 0, followed by one with buffer 0 length '
          '!= 0. Drivers fill slots from 3 downwards',
     source='SKL2a via HVK, IRIS, CRO',
     missing='a flush between them, or buffers filled from 3 downwards',
     status=ENFORCED)

rule('CO-22',
     gens='9',
     confidence='M',
     title='PS push constants can corrupt',
     effect='corrupt',
     text='PS push constants can corrupt: manual wants two zero-length PS '
          'constant packets, each followed by a null primitive, before '
          'every real update; drivers instead re-send ALLOC_PS at batch '
          'start',
     source='SKL16 #878; I965 gfx7_urb',
     reason='what drivers do instead is CO-19',
     status=NO_DRIVER)

rule('CO-23',
     gens='7',
     only='GT2',
     confidence='H',
     title='the geometry shader switched without a stall',
     effect='corrupt',
     text='A change of GS enable needs PC with CSS (full fixed-function '
          'drain)',
     source='BSpec note via CRO, HVK pipe',
     missing='a packet with a CS stall since the last draw',
     status=ENFORCED)

rule('CO-24',
     gens='8',
     confidence='M',
     title='hull shader instances switched on without a stall',
     effect='hang',
     text='HS instance count going 0/disabled -> non-zero needs PC with CSS',
     source='BDW15 WaCsStallBeforenonzeroInstanceCount',
     missing='a packet with a CS stall since the last draw',
     status=ENFORCED)

rule('CO-25',
     gens='8 9',
     confidence='H',
     title='an id for a vertex element that there is not',
     effect='wrong IDs',
     text='3DSTATE_VF_SGVS addresses a vertex element by index: re-send '
          "when the element count changes; it overrides that element's "
          'component',
     source='IRIS vertex elements',
     missing='3DSTATE_VF_SGVS with the new number of elements',
     status=ENFORCED)

rule('CO-26',
     gens='9',
     confidence='M',
     title='a vertex element of which nothing is kept',
     effect='hang (VF, VS, CS not done)',
     text='3DSTATE_VF_COMPONENT_PACKING: an element used by VS or '
          'stream-out needs at least one enabled component',
     source='SKL16 #283',
     missing='a component of it in 3DSTATE_VF_COMPONENT_PACKING',
     status=ENFORCED)

rule('CO-27',
     gens='7 75 8 9',
     confidence='H',
     title='Indirect draw',
     effect='wrong draw',
     text='Indirect draw: 3DPRIM_ registers are loaded by LRM after a CSS '
          "that follows the producer; IVB's store helper clobbers "
          'BASE_VERTEX, so load last',
     source='HVK cmd; COM mi_builder note',
     reason='registers that nobody loaded keep what they had; loads that '
            'come too early are CC-06, CC-08 and CO-47',
     status=OTHERS)

rule('CO-28',
     gens='9',
     confidence='H',
     title='object-level preemption with a draw that it breaks',
     effect='corrupt',
     text='With object-level preemption on, turn it off for: '
          'line-strip-adjacency with GS, triangle fans/polygons, line '
          'loops, instanced draws',
     source='IRIS gfx9_toggle_preemption; SKL16 #210,#765,#816,#798',
     missing='preemption at the end of commands (CS_CHICKEN1)',
     status=ENFORCED)

rule('CO-29',
     gens='7 75 8 9',
     confidence='H',
     title='a mode register written while work is in flight',
     effect='undef',
     text='CS_CHICKEN1 replay mode, CACHE_MODE, INSTPM, GT_MODE change only '
          'after an EOP sync',
     source='IRIS enable_obj_preemption',
     missing='a packet with a CS stall before it',
     status=ENFORCED)

rule('CO-30',
     gens='7 75',
     confidence='H',
     title='depth buffer state while the depth pipe works',
     effect='hang, corrupt',
     text='Before any of DEPTH_BUFFER, STENCIL_BUFFER, HIER_DEPTH_BUFFER, '
          'CLEAR_PARAMS: PC{DST}, PC{DEF}, PC{DST}, unless everything from '
          'WM on is idle',
     source='HSW2/IVB2.1 via HVK emit_gfx7_depth_flush, CRO',
     missing='packets with depth stall, depth flush, depth stall before it',
     status=ENFORCED)

rule('CO-31',
     gens='8 9',
     confidence='H',
     title='Not needed any more',
     text='Not needed any more: hardware drains on those packets',
     source='CRO pipe_control quoting BDW',
     status=DESCRIBES)

rule('CO-32',
     gens='7 75 8 9',
     confidence='M',
     title='a part of the depth buffer packets',
     effect='corrupt',
     text='Send the four depth packets as a set, in the order depth, '
          'stencil, HiZ, clear params; stencil and HiZ pitch/QPitch and '
          'depth extents must agree; CLEAR_PARAMS valid bit only means '
          'something with HiZ',
     source='ISL emit_depth_stencil',
     missing='depth, stencil, HiZ and clear parameters, in this order',
     status=ENFORCED)

rule('CO-33',
     gens='8 9',
     confidence='H',
     title='a HiZ operation with another number of samples',
     effect='hang',
     text='Before 3DSTATE_WM_HZ_OP: 3DSTATE_MULTISAMPLE for the wanted '
          'count and 3DSTATE_RASTER; HZ_OP itself may not change the count',
     source='SKL2a via ANV genX_state; BLORP',
     missing='3DSTATE_MULTISAMPLE of its number before it',
     status=ENFORCED)

rule('CO-34',
     gens='8 9',
     confidence='H',
     title='a HiZ operation out of its sequence',
     effect='hang (9 seen)',
     text='HZ_OP: ForceThreadDispatch in 3DSTATE_WM must be off; '
          'scissor-enable bit MBZ; after HZ_OP send a PC with only PSO '
          'write-immediate, then HZ_OP all zero',
     source='BLORP emit_gfx8_hiz_op',
     missing='no forced threads, no scissor, then a PIPE_CONTROL with a '
             'write and nothing else, then 3DSTATE_WM_HZ_OP of zeros',
     status=ENFORCED)

rule('CO-35',
     gens='8 9',
     confidence='M',
     title='a draw before 3DSTATE_WM_HZ_OP was ever sent',
     effect='hang',
     text='A context may start with HZ_OP state not zero: send a zero '
          'packet at start',
     source='HVK/ANV genX_state',
     missing='3DSTATE_WM_HZ_OP of zeros',
     status=ENFORCED)

rule('CO-36',
     gens='8 9',
     confidence='H',
     title='the depth PMA fix switched without flushes around it',
     effect='hang',
     text='CACHE_MODE_1 PMA-fix bit: PC{CSS,DEF,(RTF when stencil writes)} '
          'before the LRI, PC{DST,DEF,(RTF)} after. CHV/SKL text: colour '
          'flush too when stencil writes',
     source='HVK gfx8_cmd_buffer; CHV16 WaAvoidPMAStall',
     missing='a CS stall with depth flush before it, a depth stall with '
             'depth flush after it',
     status=ENFORCED)

rule('CO-37',
     gens='9',
     confidence='H',
     title='a stencil test without a stencil buffer',
     effect='hang with MSAA',
     text='If STENCIL_BUFFER enable = 0, stencil test enable in '
          'WM_DEPTH_STENCIL must be 0',
     source='SKL16 #678',
     missing='Stencil Test Enable off',
     status=ENFORCED)

rule('CO-38',
     gens='7 75',
     confidence='M',
     effect='wrong offset',
     text='3DSTATE_SF depth-format field must equal the bound depth format '
          '(polygon offset units)',
     source='HVK gfx7_cmd_buffer get_depth_format',
     title='the depth format of 3DSTATE_SF',
     missing='that of 3DSTATE_DEPTH_BUFFER',
     status=ENFORCED)

rule('CO-39',
     gens='75',
     confidence='H',
     title='two sample masks that differ',
     effect='wrong coverage',
     text='3DSTATE_PS sample mask must equal 3DSTATE_SAMPLE_MASK in the '
         'samples that there are',
     source='HVK pipe',
     missing='3DSTATE_PS with the mask of 3DSTATE_SAMPLE_MASK',
     status=ENFORCED)

rule('CO-40',
     gens='7 75 8 9',
     confidence='H',
     title='MEDIA_VFE_STATE while threads run',
     effect='address corrupt, hang',
     text='Stalling PC (CSS) before MEDIA_VFE_STATE unless only scoreboard '
          'fields change',
     source='IVB2.2; SKL16 #794; HVK cmd',
     missing='a packet with a CS stall before it',
     status=ENFORCED)

rule('CO-41',
     gens='7 75 8 9',
     confidence='H',
     title='a walker without MEDIA_STATE_FLUSH after it',
     effect='hang, CURBE/IDRT overwritten',
     text='MEDIA_STATE_FLUSH after each GPGPU_WALKER (mandatory on 8/9 when '
          'the walker uses neither SLM nor barrier); two are needed to be '
          'sure it completed; before MI_BATCH_BUFFER_END when MEDIA_OBJECT '
          'was used; SKL: a plain one before one with flush-to-go',
     source='BDW15; SKL16 #240,#243,#249,#796; HVK cmd',
     missing='MEDIA_STATE_FLUSH after GPGPU_WALKER',
     status=ENFORCED)

rule('CO-42',
     gens='7 75 8 9',
     confidence='H',
     title='a walker without descriptors loaded after MEDIA_VFE_STATE',
     effect='undef',
     text='MEDIA_INTERFACE_DESCRIPTOR_LOAD and CURBE_LOAD must precede the '
          'walker they serve, after VFE_STATE; sizes multiple of 32 B and '
          'same alignment as the address (64 B on 8/9)',
     source='IVB2.2',
     missing='MEDIA_INTERFACE_DESCRIPTOR_LOAD between the two',
     status=ENFORCED)

rule('CO-43',
     gens='7 75 8',
     confidence='H',
     title='an indirect dispatch of no group',
     effect='VFE counter underflow, hang',
     text='Indirect dispatch with any dimension 0 must be predicated away',
     source='BDW15 WaIndirectDispatchPredicate; HVK CmdDispatchIndirect',
     missing='a predicate that leaves it out',
     status=ENFORCED)

rule('CO-44',
     gens='8',
     confidence='M',
     title='an indirect dispatch with a payload of its own',
     effect='hang',
     text='Indirect dispatch may pass data by CURBE only, no indirect '
          'payload',
     source='BDW15; CHV16',
     missing='constants from CURBE',
     status=ENFORCED)

rule('CO-45',
     gens='',
     only='Skylake up to F0',
     confidence='M',
     title='Limit VFE URB entries to 63 and flush after CURBE load',
     effect='hang',
     text='Limit VFE URB entries to 63 and flush after CURBE load (VFE '
          'counter overflow)',
     source='SKL16 #743',
     status=ELSEWHERE)

rule('CO-46',
     gens='7 75 8 9',
     confidence='M',
     title='LRI of render state registers',
     effect='undef',
     text='LRI of render state registers: stalling flush before; another '
          'stall (or INSTPM force-order) after, if later commands rely on '
          'it',
     source='IVB1.3 MI_LOAD_REGISTER_IMM',
     reason="before the write it is CO-29; after it the kernel's force "
            'ordering stands in on Gen7 to Gen8 (KR-41, KR-43), and on Gen9 '
            'no driver stalls',
     status=NO_DRIVER)

rule('CO-47',
     gens='7',
     confidence='H',
     title='a register loaded from or stored to memory while work is in '
           'flight',
     effect='hang',
     text='LRM/SRM while rendering is in flight can hang the next stalling '
          'command (seen when copying clear colours through a GPR-like '
          'register): CSS first',
     source='HVK copy_fast_clear_dwords',
     missing='a packet with a CS stall before it',
     status=ENFORCED)

rule('CO-48',
     gens='7 75 8 9',
     confidence='H',
     title='stream output offsets or counters touched while it works',
     effect='wrong',
     text='SO_WRITE_OFFSET and SO counters: no stream-out may be in flight '
          'when they are loaded or stored: CSS',
     source='SKL2c via HVK xfb',
     missing='a packet with a CS stall before it',
     status=ENFORCED)

rule('CO-49',
     gens='7',
     confidence='H',
     title='Without command-parser v2+ write offsets can only be reset',
     effect='stuck offset',
     text='Without command-parser v2+ write offsets can only be reset by '
          'the execbuffer SOL-reset flag',
     source='I965 gfx7_sol_state; K execbuffer',
     status=DESCRIBES)

rule('CO-50',
     gens='7 75',
     confidence='H',
     effect='overwrite',
     text='SO buffers: no enable bit; base = end = 0 disables. '
          'Rendering-disable must be honoured. 8/9 use enable bit, size in '
          'dwords - 1, stream-offset-write-enable',
     source='HVK cmd',
     title='a stream output buffer that ends before it begins',
     missing='an end after the base, or both 0',
     status=ENFORCED)

rule('CO-51',
     gens='75 8 9',
     confidence='H',
     title='Render-stream-select is ignored when SOL is disabled',
     effect='extra primitives',
     text='Render-stream-select is ignored when SOL is disabled: vertices '
          'of stream != 0 get rasterised; drop them in the GS',
     source='BRW emit_gs_vertex',
     status=DESCRIBES)

rule('CO-52',
     gens='7',
     confidence='H',
     title='No MI_MATH, no LRR, no CS GPRs',
     effect='command invalid',
     text='No MI_MATH, no LRR, no CS GPRs: MI_PREDICATE only compares '
          'SRC0/SRC1; MSAA fast-clear predicates impossible',
     source='COM mi_builder; HVK image',
     tested='src/intel/sim/tests/strict/test_strict.c: { "CO-52"',
     status=FAULT)

rule('CO-53',
     gens='7 75 8 9',
     confidence='H',
     title='MI_PREDICATE LOAD/LOADINV, combine and compare act',
     effect='wrong draw',
     text='MI_PREDICATE LOAD/LOADINV, combine and compare act on registers '
          'loaded by LRM: producers must be visible (CC-08). '
          '3DPRIMITIVE/walker obey it only with PredicateEnable',
     source='IVB1.3 section 1.2.26',
     status=DESCRIBES)

rule('CO-54',
     gens='7 75 8 9',
     confidence='H',
     title='MI_SET_CONTEXT only in rings, followed by one MI_NOOP;',
     effect='hang',
     text='MI_SET_CONTEXT only in rings, followed by one MI_NOOP; '
          'arbitration off before/on after; not allowed in user batches',
     source='IVB1.3; K mi_set_context',
     tested='src/intel/sim/tests/strict/test_strict.c: { "CO-54"',
     status=FAULT)

rule('CO-55',
     gens='7 75 8 9',
     confidence='H',
     title='MI_ with global-GTT bit, MI_UPDATE_GTT, MI_DISPLAY_FLIP',
     effect='NOOP',
     text='MI_ with global-GTT bit, MI_UPDATE_GTT, MI_DISPLAY_FLIP, '
          'semaphores from a non-secure batch become NOOPs or privilege '
          'errors',
     source='IVB1.3 privilege tables; K parser',
     tested='src/intel/sim/tests/strict/test_strict.c: { "CO-55"',
     status=FAULT)

rule('CO-57',
     gens='75',
     confidence='M',
     title='MI_RS_CONTROL / binding-table edits',
     effect='lost edits',
     text='MI_RS_CONTROL / binding-table edits: disable the resource '
          'streamer before disabling the pool',
     source='BDW15 WaDisableRSBeforeBTPoolDisable',
     reason='no driver uses the resource streamer; the simulator has none, '
            'and MI_RS_CONTROL is a fault',
     status=UNSEEN)

rule('CO-58',
     gens='75',
     confidence='H',
     effect='hang',
     text='A batch that draws ends with 3DSTATE_CC_STATE_POINTERS and, after '
          'it, a PIPE_CONTROL with render target flush and CS stall; else '
          'counters of the render cache roll over '
          '(WaAvoidRCZCounterRollover)',
     source='HSW2b 3DSTATE_CC_STATE_POINTERS; Mesa 0166b4c1652',
     title='draws that no 3DSTATE_CC_STATE_POINTERS ends',
     missing='3DSTATE_CC_STATE_POINTERS, then a PIPE_CONTROL with render '
             'target flush and CS stall, after the last draw',
     status=ENFORCED)

rule('RSV-01',
     gens='7 75 8 9',
     confidence='H',
     title='reserved bits that are not zero',
     effect='undefined, anywhere',
     text='Bits that the description of a command gives to no field must '
          'be zero: what they do is undefined, and need not be confined '
          'to the command',
     source='IVB4.3 section 2; the preface of every manual',
     missing='zeros',
     status=ENFORCED)

rule('RSV-02',
     gens='7 75 8 9',
     confidence='H',
     title='a field with a value that is not modelled',
     effect='other results than here',
     text='Fields of which the simulator makes no use have the value for '
          'which it is right: no exceptions, no other precision of '
          'positions, no origin of the drawing rectangle, and so on; on '
          'Gen7 compute wants GPGPU Mode in MEDIA_VFE_STATE',
     source='the packets themselves, Vol. 2 of every manual; GPGPU Mode: '
            'IVB2.2',
     missing='the value that is named',
     status=ENFORCED)

rule('CO-59',
     gens='7 75 8 9',
     confidence='H',
     effect='nothing is written',
     text='Registers whose upper half is a mask are written with the mask of '
          'the bits that are meant',
     source='IVB1.3, HSW2c, "Masked"; Mesa 89a96c8f433 (CHICKEN3 of Haswell)',
     title='a masked register written without its mask',
     missing='bits in the upper half',
     status=ENFORCED)

rule('CO-60',
     gens='8 9',
     confidence='H',
     effect='hang: code beyond the size that there is cannot be read',
     text='A size of an area of state counts with its Modify Enable alone',
     source='BDW2a, SKL2a STATE_BASE_ADDRESS; igt adbd83cdc31, 77a9ed7da2e '
            '(Instruction Buffer size Modify Enable)',
     title='the size of an area of state without its Modify Enable',
     missing='the bit beside it',
     status=ENFORCED)
