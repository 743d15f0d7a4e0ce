# SPDX-License-Identifier: MIT
"""Caches and what must happen between a write and a read.

See table.py.
"""
from table import (DESCRIBES, ENFORCED, FAULT, NO_DRIVER, OTHERS,
                   UNSEEN, rule)

rule('CM-01',
     gens='7 75 8 9',
     confidence='H',
     title='Colour writes and blend reads',
     text='Colour writes and blend reads: render cache (per slice), not the '
          'data cache; written out by RTF (bit 12); stale lines dropped by '
          'RTF again (flush also evicts)',
     source='I965 rawpc; IRIS pipe_control',
     reason='a client of the tracker: CC-04, CC-02',
     status=OTHERS)

rule('CM-02',
     gens='7 75 8 9',
     confidence='H',
     title='Depth, stencil, HiZ: depth-side caches',
     text='Depth, stencil, HiZ: depth-side caches; written out by DEF (bit '
          '0); when the PMA workaround or stencil->colour reuse is involved '
          'also RTF; stale lines dropped by DEF',
     source='HVK gfx8_cmd_buffer; BLORP',
     reason='a client of the tracker: CC-05, CC-02',
     status=OTHERS)

rule('CM-03',
     gens='7 75 8 9',
     confidence='H',
     title='Untyped, scattered, OWord, A32/A64, scratch data-port messages',
     text='Untyped, scattered, OWord, A32/A64, scratch data-port messages: '
          'L3 data ways; written out by DCF (bit 5); stale lines dropped by '
          'no separate invalidate; DCF',
     source='IRIS pipe_control; HVK cmd',
     reason='a client of the tracker: CC-06, CC-02; lines that are stale: '
            'CM-14, CC-07',
     status=OTHERS)

rule('CM-04',
     gens='7',
     confidence='H',
     title='Typed messages go through the render cache on IVB; written',
     text='Typed (image) messages go through the render cache on IVB; '
          'written out by RTF and DCF; stale lines dropped by RTF',
     source='BRW lower_logical_sends; CRO pipe_control (memory barrier)',
     reason="Ivybridge's typed messages are the client of render targets: "
            'CC-04',
     status=OTHERS)

rule('CM-05',
     gens='75 8 9',
     confidence='H',
     title='Typed messages go through data cache port 1',
     text='Typed messages go through data cache port 1; written out by DCF; '
          'stale lines dropped by DCF',
     source='BRW lower_logical_sends',
     reason='typed messages are the client of the data port: CC-06',
     status=OTHERS)

rule('CM-06',
     gens='7 75 8 9',
     confidence='H',
     title='Sampler reads',
     text='Sampler reads: L1 + L2 texture caches, then L3 (T or RO ways); '
          'stale lines dropped by TXI (bit 10)',
     source='IRIS pipe_control',
     reason='a cache of the tracker: what is stale there is CC-01, CC-04 to '
            'CC-07 and CM-14',
     status=OTHERS)

rule('CM-07',
     gens='7 75 8 9',
     confidence='H',
     title='Pull constants',
     text='Pull constants: constant cache when read by the constant data '
          'port, texture cache when the compiler uses sampler ld '
          '(dynamically indexed UBOs up to Gen11); stale lines dropped by '
          'CNI (bit 3), plus TXI if the sampler path is used, else DCF',
     source='IRIS batch_mark_sync comment; HVK private (access-flag table)',
     reason='two caches of the tracker: the one that the message goes to '
            'counts',
     status=OTHERS)

rule('CM-08',
     gens='7 75 8 9',
     confidence='M',
     title='Push constants',
     text='Push constants: fetched by the CS/state side when the constant '
          'packet is committed, not when it is parsed; stale lines dropped '
          'by CNI before the fetch',
     source='HVK cmd flush_push_constants',
     reason='constants are read through the constant cache at the draw: '
            'CC-06, CC-07, CM-14',
     status=OTHERS)

rule('CM-09',
     gens='7 75 8 9',
     confidence='H',
     title='Binding tables and surface states',
     text='Binding tables and surface states: documented as state cache, '
          'but experiment says they sit behind the texture cache; sampler '
          'states in a sampler-local L1; stale lines dropped by STI (bit 2) '
          'and TXI',
     source='HVK cmd SBA; BXT6 "State Caching"',
     reason='one cache of the tracker, which wants both bits: CC-16',
     status=OTHERS)

rule('CM-10',
     gens='7 75 8 9',
     confidence='H',
     title='Kernels',
     text='Kernels: instruction cache, read only; self-modifying code is '
          'illegal; stale lines dropped by INI (bit 11)',
     source='IVB4.3 section 1; I965 rawpc',
     reason='a cache of the tracker: CC-29',
     status=OTHERS)

rule('CM-11',
     gens='7 75 8 9',
     confidence='H',
     title='Vertex and index fetch',
     text='Vertex and index fetch: address-tagged VF cache, not coherent '
          'with L3 before Gen12; the post-transform cache flushes itself '
          'between primitives; stale lines dropped by VFI (bit 4)',
     source='SNB2.1 section 1.7.4; IRIS bufmgr domain_is_l3_coherent',
     reason='a cache of the tracker: CM-14, CC-06, CC-07',
     status=OTHERS)

rule('CM-12',
     gens='7',
     confidence='H',
     title='MEDIA_CURBE_LOAD, interface-descriptor load and MEDIA_OBJECT',
     text='MEDIA_CURBE_LOAD, interface-descriptor load and MEDIA_OBJECT '
          'indirect data are fetched through the VF cache; stale lines '
          'dropped by VFI before the memory is reused',
     source='IVB2.2 programming notes of those packets',
     reason="both loads are vertex fetch's of the tracker on Ivybridge: "
            'CM-14, CC-06',
     status=OTHERS)

rule('CM-13',
     gens='7 75 8 9',
     confidence='H',
     title='Command-streamer reads',
     text='Command-streamer reads (LRM, indirect draw/dispatch args, '
          'predicates, batch): memory/LLC only, not L3; stale lines dropped '
          'by nothing to invalidate, but producer must have reached memory: '
          'flush + CSS',
     source='HVK private (INDIRECT, CONDITIONAL access)',
     reason='the command streamer is a reader of the tracker: CC-06, CC-08',
     status=OTHERS)

rule('CM-14',
     gens='7 75 8 9',
     confidence='M',
     title='stored by a command, read from a cache that had it before',
     text='MI_STORE_DATA_IMM, SRM, PSO writes: to memory, not through L3; a '
          'read-only cache or L3 line filled earlier stays stale; stale '
          "lines dropped by the reader's own invalidate",
     source='IRIS OTHER_WRITE domain',
     missing='the invalidate of the reader',
     status=ENFORCED)

rule('CM-15',
     gens='7 75 8 9',
     confidence='M',
     title='Stream-out writes',
     text='Stream-out writes: own path, not L3 coherent; written out by CSS '
          '(iris also sets VFI to be sure SOL drained)',
     source='IRIS pipe_control flush_bits; HVK private',
     reason='a client of the tracker: CC-07',
     status=OTHERS)

rule('CM-16',
     gens='7 75 8 9',
     confidence='H',
     title='SLM: part of L3 when an SLM partition is programmed',
     text='SLM: part of L3 when an SLM partition is programmed; contents do '
          'not survive re-partitioning; barrier/fence orders it',
     source='BXT6 "Shared Local Memory"',
     status=DESCRIBES)

rule('CM-17',
     gens='7 75 8 9',
     confidence='H',
     title='Blitter ring',
     text='Blitter ring: separate; nothing keeps 2D output coherent with '
          "the texture cache; cross-ring order is the kernel's request "
          'order; written out by MI_FLUSH_DW; stale lines dropped by TXI',
     source='HSW5 "2D surfaces"; IVB1.1 section 6.15; IRIS',
     status=DESCRIBES)

rule('CM-18',
     gens='7 75 8 9',
     confidence='H',
     title='CPU: LLC parts snoop, but GPU render',
     text='CPU: LLC parts (IVB/HSW/BDW/SKL core) snoop, but GPU render, '
          'depth and L3 lines still have to be flushed first; non-LLC parts '
          '(BYT/CHV/BXT) also need clflush or WC maps, and Atom needs the '
          'last line flushed twice; written out by flush + PSO/seqno wait; '
          'stale lines dropped by clflush',
     source='COM intel_clflush.h; HVK device (memory types)',
     status=DESCRIBES)

rule('CM-19',
     gens='7 75 8 9',
     confidence='H',
     title='TLBs',
     text='TLBs: user batches cannot rely on invalidation inside a batch; '
          'the kernel invalidates at each request start; written out by '
          'kernel; stale lines dropped by TLB-inv bit 18',
     source='K gen7_emit_flush_rcs, gen8_emit_flush_rcs',
     status=DESCRIBES)

rule('CM-20',
     gens='7 75 8 9',
     confidence='M',
     title='Surface MOCS "L3 uncached" does not break coherency',
     text='Surface MOCS "L3 uncached" does not break coherency: such '
          'accesses still snoop L3 content',
     source='IVB1.1 MOCS note; HSW5',
     status=DESCRIBES)

rule('CC-01',
     gens='7 75 8 9',
     confidence='H',
     title='bytes that were read again while their flush went on',
     effect='stale',
     text='Never put write-cache flush bits and read-cache invalidate bits '
          'for the same data in one PC: invalidation acts at the top when '
          'parsed, the flush at the bottom',
     source='I965, IRIS, CRO emit_pipe_control_flush',
     missing='the invalidate in a packet of its own after the flush',
     status=ENFORCED)

rule('CC-02',
     gens='7 75 8 9',
     confidence='H',
     title='a flush that was not seen to end',
     effect='stale, rarely hang',
     text='Flush bits alone do not make data globally visible. Consumer in '
          'another domain needs a full EOP sync: flush bits + CSS + PSO '
          'write-immediate, then the invalidate in a second PC',
     source='HSW2 and BDW7 via HVK apply_pipe_flushes; SNB2.1 section 1.7.2',
     missing='a post-sync write with the CS stall of the flush',
     status=ENFORCED)

rule('CC-03',
     gens='75',
     confidence='H',
     title='a flush whose end nobody has read',
     effect='stale',
     text='After that EOP sync HSW still needs either eight dummy '
          'MI_STORE_DATA_IMM (manual) or an LRM of the just-written PSO '
          'address (what drivers do; target a whitelisted register such as '
          '0x243C)',
     source='HSW2 via HVK apply_pipe_flushes, CRO end_of_pipe_sync',
     missing='MI_LOAD_REGISTER_MEM of the post-sync write, after the stall',
     status=ENFORCED)

rule('CC-04',
     gens='7 75 8 9',
     confidence='H',
     title='a render target read elsewhere',
     effect='stale',
     text='Colour target -> sampler, data port, CS, CPU or target with '
          "other format: RTF+EOP sync, then the reader's invalidate",
     source='SNB2.1 section 1.7.2; HVK private',
     missing='a render target flush with CS stall and post-sync write, '
             'then the invalidate of the reader',
     status=ENFORCED)

rule('CC-05',
     gens='7 75 8 9',
     confidence='H',
     title='a depth or stencil buffer read elsewhere',
     effect='stale, corruption',
     text='Depth/stencil -> sampler: DEF+EOP sync, then TXI; HiZ must be '
          'resolved or sampling with HiZ be legal (FF-27)',
     source='SNB2.1 section 1.7.2; CRO resolve',
     missing='a depth flush with CS stall and post-sync write, then the '
             'invalidate of the reader',
     status=ENFORCED)

rule('CC-06',
     gens='7 75 8 9',
     confidence='H',
     title='what a shader has stored, read elsewhere',
     effect='stale',
     text='Shader store/atomic -> vertex/index: DCF+EOP, VFI. -> UBO: + CNI '
          'and TXI. -> sampler: + TXI. -> indirect args: DCF+CSS. IVB '
          'images need RTF as well',
     source='HVK private; IRIS memory_barrier',
     missing='a data cache flush with CS stall and post-sync write, then '
             'the invalidate of the reader',
     status=ENFORCED)

rule('CC-07',
     gens='7 75 8 9',
     confidence='H',
     title='stream output read back',
     effect='stale, wrong count',
     text='Stream-out -> vertex fetch or anything: CSS before the consumer, '
          'plus VFI / TXI / ... ; counter readback by SRM also needs CSS',
     source='HVK private; I965 gfx7_sol_state',
     missing='a CS stall, then the invalidate of the reader',
     status=ENFORCED)

rule('CC-08',
     gens='7 75 8 9',
     confidence='H',
     title='what a post-sync operation writes, read too early',
     effect='wrong',
     text='PSO write or MI store -> LRM/SRM/predicate of the same bytes: '
          'order is not implied. Use CSS, or the PC flush-enable bit (bit '
          '7) between',
     source='IVB1.3 section 1.2.26 (predication); HVK query',
     missing='a CS stall between the two',
     status=ENFORCED)

rule('CC-09',
     gens='8',
     confidence='H',
     effect='wrong',
     text='SRM followed by LRM of the same address may read the old value '
          'unless a sync event (MI_ATOMIC or PC+CSS) lies between',
     source='BDW15 WaEnsureMemCoherencyBeforeLoadRegisterMem',
     title='a register is loaded from where one was just stored',
     missing='MI_ATOMIC, or a PIPE_CONTROL with CS stall, between',
     status=ENFORCED)

rule('CC-10',
     gens='7 75',
     confidence='M',
     title='Several MI commands can execute out of order with respect',
     effect='wrong',
     text='Several MI commands (stores, LRI, semaphore, user interrupt) can '
          'execute out of order with respect to primitives unless INSTPM '
          'bit "force ordering" is set; kernel sets it on Gen6-8',
     source='IVB1.3 section 1.2.2; K gen7_ctx_workarounds_init',
     reason='INSTPM is not among the registers that the kernel lets batches '
            'of Gen7 write: KR-31 reports who tries',
     status=UNSEEN)

rule('CC-11',
     gens='8 9',
     confidence='H',
     title='a vertex buffer over more than 4 GiB',
     effect='corrupt',
     text='VF cache tag holds only {VB index, address[31:0]}. If the '
          'address range touched through one VB slot (or the index buffer) '
          'since the last VFI spans more than 4 GiB, aliasing happens. Send '
          'CSS+VFI',
     source='IRIS upload_vertex_buffers; HVK private '
            'vb_cache_range_needs_workaround',
     missing='a CS stall and a vertex cache invalidate since the first '
             'of them',
     status=ENFORCED)

rule('CC-12',
     gens='9',
     confidence='M',
     title='Manual text',
     effect='stale (only if memory changed)',
     text='Manual text: VFI needed before using a VB that overlaps (64 B '
          'granularity) one bound since the last VFI. Drivers apply it only '
          'as CC-11 plus normal write->VF barriers',
     source='SKL2a via HVK/ANV cmd',
     reason='hasvk and anv flush for CC-11 alone, and say so; memory that '
            'changed is CM-14, CC-06 and CC-07',
     status=NO_DRIVER)

rule('CC-13',
     gens='7 75 8 9',
     confidence='H',
     effect='hang (9 seen)',
     text='Same memory in flight in the render cache with two aux usages '
          '(e.g. CCS_D and CCS_E): RTF between the uses; Gallium also '
          'flushes on format change before Gen9',
     source='IRIS resolve cache_flush_for_render; CRO same',
     title='a target with another control surface',
     missing='a render target flush between',
     status=ENFORCED)

rule('CC-14',
     gens='7 75 8 9',
     confidence='M',
     title='Sampler keeps one format view of a surface in its MT cache',
     effect='corrupt',
     text='Sampler keeps one format view of a surface in its MT cache: '
          're-reading the same memory with another format needs CSS, then '
          'TXI',
     source='WaSamplerCacheFlushBetweenRedescribedSurfaceReads, CRO/IRIS '
            'blit',
     reason='Mesa does so for blits alone, and APIs allow two views of an '
            'image in one draw',
     status=NO_DRIVER)

rule('CC-15',
     gens='7 75 8 9',
     confidence='M',
     effect='corrupt',
     text='Tile mode / pitch re-description of a surface: invalidate all '
          'caches that saw it first',
     source='BXT2c RENDER_SURFACE_STATE tile mode note',
     title='a texture with another tiling or pitch',
     missing='a texture cache invalidate between',
     status=ENFORCED)

rule('CC-16',
     gens='7 75 8 9',
     confidence='H',
     effect='stale descriptor',
     text='Editing a surface state, sampler state or binding table in '
          'memory that may be cached: STI (TXI in practice). HSW needs it; '
          'SKL was observed not to, though documented',
     source='BXT6; HVK copy_fast_clear_dwords',
     title='state that changed in memory',
     missing='state and texture cache invalidate',
     status=ENFORCED)

rule('CC-17',
     gens='7 75 8 9',
     confidence='H',
     title='L3 dealt out anew while it is in use',
     effect='corrupt, hang',
     text='L3 re-partition: PC{DCF,CSS}, then PC{TXI,CNI,INI,STI}, then '
          'PC{DCF,CSS}, then LRI of the L3 registers. RO invalidate must '
          'not share a PC with the first stall',
     source='HVK cmd_buffer_config_l3; CRO setup_l3_config',
     missing='a CS stall with data flush, invalidates of texture, '
             'constants, instructions and state, and again the first',
     status=ENFORCED)

rule('CC-18',
     gens='7 75 8 9',
     confidence='H',
     title='a division of L3 that is not among the validated ones',
     effect='hang (BDW random hang on SLM toggles seen)',
     text='Only validated way splits may be programmed (IVB/HSW 64-way sum '
          'tables, BDW, SKL, BXT-2x6 tables); SLM on and off are different '
          'entries; the SLM enable may only flip when L3 is fully flushed',
     source='COM intel_l3_config.c; BXT6; BEI intel_gpgpu set_L3_gen8; '
            'NEO 22.43 (0x80000340, 0x60000321)',
     missing='a row of the table',
     status=ENFORCED)

rule('CC-19',
     gens='7 75',
     confidence='H',
     effect='corrupt',
     text='With zero data ways set the "convert DC to uncached" bit '
          '(likewise IS, C, T); with SLM set URB low-bandwidth mode and URB '
          'ways = SLM ways',
     source='CRO setup_l3_config; I965 gfx7_l3_state',
     title='a client of L3 without ways',
     missing='the conversion to uncached; low bandwidth of the URB beside '
             'shared memory',
     status=ENFORCED)

rule('CC-20',
     gens='75',
     confidence='H',
     effect='whole-system hang',
     text='L3 atomics: enable (SCRATCH1, ROW_CHICKEN3) only while DC ways '
          'exist; otherwise leave disabled (kernel default)',
     source='I965 gfx7_l3_state; K hsw_gt_workarounds_init',
     title='atomics in L3 without ways of the data port',
     missing='ways of the data port, or no atomics in L3',
     status=ENFORCED)

rule('CC-21',
     gens='9',
     confidence='H',
     title='atomics in L3 that the kernel has switched off',
     effect='hang',
     text='Kernel disables coherent atomics in L3 and eviction fix bits to '
          'prevent hangs; user must not re-enable',
     source='K rcs_engine_wa_init (gen9)',
     missing='bit 22 of 0xb118 left zero',
     status=ENFORCED)

rule('CC-22',
     gens='7 75 8 9',
     confidence='H',
     effect='stale',
     text='Dispatch N+1 reading what dispatch N stored needs an explicit '
          'flush (DCF/EOP) between walkers; the walker itself gives no '
          'order',
     source='IVB2.2 GPGPU_OBJECT note',
     title='a walker reads what the last one stored',
     missing='a data cache flush between',
     status=ENFORCED)

rule('CC-23',
     gens='8 9',
     confidence='M',
     title='A32/A64 access through BTI 253 and 255 to the same lines',
     effect='stale',
     text='A32/A64 access through BTI 253 (non-coherent) and 255 (coherent) '
          'to the same lines: kernel sets L3SQCREG4 bit 21 so flushes also '
          'drop coherent lines; two threads must not mix on one CL without '
          'flush',
     source='BDW15 WaOCLCoherentLineFlush; BXT2c BTI 253 restriction',
     reason='the kernel makes all accesses non-coherent, and flushes write '
            'coherent lines out, too (KR-43 to KR-45): the two are one',
     status=UNSEEN)

rule('CC-24',
     gens='8 9',
     confidence='H',
     effect='reads 0',
     text='General-state buffer size 0 in SBA makes SLM and A64 accesses '
          'look out of bounds; program non-zero',
     source='BDW15 (SLM and stateless rows)',
     title='a general state of size 0',
     missing='a General State Buffer Size',
     status=ENFORCED)

rule('CC-25',
     gens='8',
     confidence='H',
     effect='garbage',
     text='SLM message while L3 has no SLM partition: treated as out of '
          'bounds, but the returned data need not be zero',
     source='BDW15',
     title='shared memory that L3 does not have',
     missing='a division of L3 with shared memory',
     status=ENFORCED)

rule('CC-26',
     gens='7 75 8 9',
     confidence='H',
     title='CPU or other process reads result',
     effect='stale',
     text='CPU or other process reads result: write caches flushed and '
          'PSO/seqno/interrupt completed; merely parsed commands prove '
          'nothing',
     source='SNB2.1 section 1.7.2-3',
     reason='the kernel ends each request with a flush (KR-13), and a load '
            'by the CPU from a mapping does not come by the simulator',
     status=UNSEEN)

rule('CC-27',
     gens='7 75 8 9',
     confidence='H',
     title='STATE_BASE_ADDRESS with dirty or stale caches',
     effect='hang with nested command buffers; stale',
     text='Before SBA: RTF (+DEF+DCF) EOP sync; after SBA: TXI, CNI, STI '
          '(and INI if instruction base moved). Not before the first draw or '
          'walker of a batch: the kernel has emptied all of them (NEO relies '
          'on it)',
     source='HVK/IRIS/CRO SBA code (empirical)',
     missing='a render target flush before it; texture, constant and state '
             'invalidates after it',
     status=ENFORCED)

rule('CC-28',
     gens='7 75 8 9',
     confidence='H',
     title='Storage-image store to memory that has CCS must find the aux',
     effect='corrupt',
     text='Storage-image store to memory that has CCS must find the aux in '
          'pass-through; else later sampling returns clear colour',
     source='HVK transition_color_buffer',
     reason='control surfaces are memory that the sampler reads: the pixels '
            'are wrong',
     status=OTHERS)

rule('CC-29',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='Reusing kernel memory for new code: INI after the upload and '
          'before dispatch; previous threads of that code must have ended',
     source='CRO SBA invalidates; I965 rawpc',
     title='code that changed in memory',
     missing='instruction cache invalidate',
     status=ENFORCED)

rule('CC-30',
     gens='7 75 8 9',
     confidence='M',
     effect='corrupt',
     text='WAR: before a write domain overwrites memory still being read '
          '(VF, sampler, constants) a scoreboard/CS stall is needed; read '
          'caches need no flush',
     source='IRIS emit_buffer_barrier_for',
     title='what may still be read is overwritten',
     missing='a scoreboard or CS stall between',
     status=ENFORCED)

rule('CC-31',
     gens='9',
     confidence='H',
     effect='hang',
     text='ASTC 5x5 and surfaces with a CCS or HiZ are not in the '
          "sampler's cache at once. Of an MCS nobody has seen it, and i965 "
          'lets both be there',
     source='Mesa f9e630e23df; e858321f091 (iris does without ASTC 5x5)',
     title='ASTC 5x5 beside compressed colours',
     missing='a texture cache invalidate between, or a surface without its '
             'auxiliary one',
     status=ENFORCED)
