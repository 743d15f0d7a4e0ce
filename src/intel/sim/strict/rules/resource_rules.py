# SPDX-License-Identifier: MIT
"""Limits: URB, threads, scratch, tables, alignment.

See table.py.
"""
from table import DESCRIBES, ENFORCED, FAULT, NO_DRIVER, OTHERS, UNSEEN, rule

rule('RL-01',
     gens='7 75 8 9',
     confidence='H',
     title='URB start addresses and allocations in 8 KB chunks',
     effect='corrupt',
     text='URB start addresses and allocations in 8 KB chunks; entry size '
          'in 64 B units, field = size - 1, at least 1',
     source='COM intel_urb_config',
     status=DESCRIBES)

rule('RL-02',
     gens='7 75 8 9',
     confidence='H',
     title='URB entries that are not a multiple of 8',
     effect='corrupt, hang',
     text='Entry count multiple of 8 if the entry is smaller than 9 units',
     source='IVB2.1 via COM',
     missing='a number that is',
     status=ENFORCED)

rule('RL-03',
     gens='7 75 8 9',
     confidence='H',
     title='too few or too many URB entries',
     effect='hang',
     text="Counts between the stage's min and max (4a); VS minimum holds "
          'even when VS is off (clipper reads VUEs); GS >= 2 when on (dual '
          'object); HS >= 1',
     source='COM; BLORP urb comment; DEV',
     missing='a number within the limits of the stage',
     status=ENFORCED)

rule('RL-04',
     gens='8',
     confidence='H',
     title='URB entries out of the limits for tessellation',
     effect='hang',
     text='VS entries >= 192 while tessellation is on; HS entries <= 184 '
          '(hang otherwise)',
     source='BDW3D via COM; BDW15 WaLimitHsUrbEntries',
     missing='at least 192 for VS, at most 184 for HS',
     status=ENFORCED)

rule('RL-05',
     gens='7 75 8 9',
     confidence='H',
     title='parts of the URB that overlap or lie beyond it',
     effect='corrupt',
     text='Push constants sit at URB offset 0 and are counted as fixed '
          'space; enabled stages must not overlap each other or it; sum <= '
          'URB size of the programmed L3 split. On 8/9 sizes are per slice',
     source='COM; CRO comment',
     missing='parts in order, within what L3 gives',
     status=ENFORCED)

rule('RL-06',
     gens='8',
     only='one slice',
     confidence='H',
     title='URB entries in the first 32 kB',
     effect='corrupt',
     text='Start >= 4 (32 KB) always; >= 4 too on multi-slice parts; '
          'disabled stages point to the first legal start',
     source='BDW2a via COM',
     missing='a start of 4 or more, in units of 8 kB',
     status=ENFORCED)

rule('RL-07',
     gens='9',
     confidence='H',
     text='URB above 1008 KB total is unusable (GT4)',
     source='SKL L3 doc via COM',
     title='entries of the URB after 1008 kB',
     missing='an end within 1008 kB',
     status=ENFORCED)

rule('RL-08',
     gens='7 75 8 9',
     confidence='H',
     effect='corrupt',
     text='Changing the L3 URB size makes all URB state stale: re-send the '
          'four URB packets',
     source='I965 gfx7_l3_state',
     title="the URB's part of L3 changed",
     missing='the four URB packets again',
     status=ENFORCED)

rule('RL-09',
     gens='7 75 8 9',
     confidence='H',
     effect='corrupt',
     text='Push-constant allocation in 1 KB steps, 16 KB total; 75 GT3, 8, '
          '9: 2 KB steps, 32 KB',
     source='CRO; HSW4',
     title='room for constants',
     missing='multiples of the step, within the whole',
     status=ENFORCED)

rule('RL-10',
     gens='7 75 8 9',
     confidence='H',
     title='more constants than may be pushed',
     effect='hang, garbage',
     text='Sum of the four constant read lengths <= 64 (32 B units); '
          "pointers 32 B aligned; a stage's lengths must fit its allocation",
     source='PRM note via IRIS/CRO',
     missing='at most 64 units in all, as many as are allocated',
     status=ENFORCED)

rule('RL-11',
     gens='7 8 9',
     confidence='H',
     title='Buffer 0 is relative to dynamic state base unless',
     effect='reads wrong memory',
     text='Buffer 0 is relative to dynamic state base unless the "address '
          'offset disable" bit is set (INSTPM on 7/8, CS_DEBUG_MODE2 on 9); '
          'safe only with kernel context isolation. 75: hasvk uses absolute '
          'addresses in slots >= 1',
     source='HVK genX_state; IRIS; CRO',
     reason='constants are read from where the chip would: other values',
     status=OTHERS)

rule('RL-12',
     gens='8',
     confidence='H',
     title='MOCS of constants',
     text='3DSTATE_CONSTANT MOCS field must be 0',
     source='BDW2a via HVK',
     missing='zero',
     status=ENFORCED)

rule('RL-14',
     gens='7',
     confidence='H',
     title='no threads, or no width, for pixels',
     effect='hang',
     text='3DSTATE_PS max threads must never be 0, even with PS off; WM/PS '
          'need one dispatch width enabled',
     source='HVK pipe; BLORP',
     missing='Maximum Number of Threads and a dispatch width',
     status=ENFORCED)

rule('RL-15',
     gens='8 9',
     confidence='H',
     title='more threads than a pixel dispatcher has',
     effect='hang',
     text='Threads per PSD: program 62 at most (hardware adds 1; Mesa takes '
          '2 off), 9: 63',
     source='BDW15 WaSubtract1FromMaxNoOfThreads; HVK pipe',
     missing='at most 62 on Gen8, 63 on Gen9',
     status=ENFORCED)

rule('RL-16',
     gens='8',
     confidence='M',
     effect='hang',
     text='GS max threads field counts pairs: max/2 - 1',
     source='HVK, CRO',
     title='threads of a geometry shader',
     missing='half of the most, minus one',
     status=ENFORCED)

rule('RL-17',
     gens='8 9',
     confidence='M',
     title='A stalled GS can issue FFTIDs above its thread limit',
     effect='corruption of other memory',
     text='A stalled GS can issue FFTIDs above its thread limit, so scratch '
          'is exceeded: GS that spills should run with at most 8 '
          'threads/handles',
     source='BDW15, SKL16 #233 WaForceMinMaxGSThreadCount',
     reason="on Intel's lists alone",
     status=NO_DRIVER)

rule('RL-18',
     gens='7 75 8 9',
     confidence='H',
     title='Scratch base 1 KB aligned, relative to general state base',
     effect='hang, corrupt',
     text='Scratch base 1 KB aligned, relative to general state base, '
          'within its bound; on 8/9 a 32-bit offset, so below 4 GiB - 4 KB '
          'from the base',
     source='IVB2.2; HVK allocator',
     reason='the field has no bits for less than 1 kB; scratch messages '
            'outside of mapped memory are faults',
     status=OTHERS)

rule('RL-19',
     gens='7 75 8 9',
     confidence='H',
     effect='overrun',
     text='Per-thread scratch encodings. 3D stages: 2^n KB, n 0..11. CS: 7 '
          'linear 1..12 KB; 75 2^(n+1) KB, minimum 2 KB; 8/9 2^n KB up to 2 '
          'MB',
     source='HVK pipe; BRW fs assign; IVB2.2',
     title="a thread's scratch space",
     missing='0 to 11',
     status=ENFORCED)

rule('RL-20',
     gens='7 75 8 9',
     confidence='H',
     effect='corruption outside the buffer',
     text='Scratch buffer size = per-thread x number of FFTIDs. '
          'VS/HS/DS/GS/PS: max threads of 4a. CS: 7, 8: CS threads x '
          'subslices; 75: 128 ids per subslice (sparse ids: 4 EU bits, '
          '3 thread bits); CHV 56; 9: 4 subslices per slice assumed x '
          'CS threads, whatever is fused',
     source='DEV init_max_scratch_ids (WaCSScratchSize)',
     title='scratch space for too few threads',
     missing='as much as all numbers of threads need, in one buffer',
     status=ENFORCED)

rule('RL-21',
     gens='7 75 8 9',
     confidence='H',
     title='FFTID is in r0.5 bits 9:0 and the scratch pointer in r0.5',
     effect='wrong address',
     text='FFTID is in r0.5 bits 9:0 and the scratch pointer in r0.5 31:10: '
          'messages using byte/dword scattered must mask off the low bits; '
          'block messages ignore them but bound-check with r0.3 bits 3:0',
     source='BRW generate_scratch_header',
     reason='the number is in r0.5: an offset that has it leads elsewhere',
     status=OTHERS)

rule('RL-22',
     gens='7 75 8 9',
     confidence='H',
     effect='hang on wild index',
     text='Binding table: 16-bit pointer, 32 B aligned entry 0; indices 253 '
          '(8/9 non-coherent), 254 SLM, 255 stateless are special; usable '
          '0..239 in Mesa. Surface pointer 32 B (7/75) or 64 B (8/9) '
          'aligned',
     source='BXT2c; HVK private; BRW eu_emit (mask)',
     title='an entry of a binding table',
     missing='an address of a whole surface state',
     status=ENFORCED)

rule('RL-23',
     gens='7 75 8 9',
     confidence='H',
     title='Sampler table 32 B aligned, 16 entries per pointer (index',
     effect='wrong sampler',
     text='Sampler table 32 B aligned, 16 entries per pointer (index is 4 '
          'bits; higher need a header with shifted pointer)',
     source='BXT6; BRW logical_sends',
     reason='four bits of the index are looked at: another sampler',
     status=OTHERS)

rule('RL-24',
     gens='7 75 8 9',
     confidence='M',
     title='Binding-table and sampler counts in stage packets',
     effect='page fault',
     text='Binding-table and sampler counts in stage packets are prefetch '
          'hints in steps; too high -> reads beyond the table. BDW with '
          'resource streamer over-fetches two CLs of table entries',
     source='BDW15 WaStateBindingTableOverfetch',
     reason='a page that is not mapped is the scratch page (KR-08), and '
            'what is fetched too far is not used: with this kernel nothing '
            'comes of it',
     status=UNSEEN)

rule('RL-25',
     gens='75',
     confidence='H',
     effect='wrong colour',
     text='Border colour alignment: 32 B (7), 32 B float / 512 B integer '
          '(75), 64 B (8, 9)',
     source='CRO border color',
     title='the border colour of integers',
     missing='an address that is a multiple of 512',
     status=ENFORCED)

rule('RL-26',
     gens='7 75 8 9',
     confidence='H',
     title='Instruction prefetch reads up to 8 instructions past',
     effect='page fault',
     text='Instruction prefetch reads up to 8 instructions (128 B) past the '
          'kernel end: pad or map the next page',
     source='IVB4.3 section 3.9; BEI gen_context',
     reason='a page that is not mapped is the scratch page (KR-08), and '
            'what is fetched too far is not used: with this kernel nothing '
            'comes of it',
     status=UNSEEN)

rule('RL-27',
     gens='7 75 8 9',
     confidence='H',
     title='Kernel start 64 B aligned, relative to instruction base',
     effect='garbage execution',
     text='Kernel start 64 B aligned, relative to instruction base; jump '
          'targets 8 B aligned (compaction), else 16 B',
     source='BRW eu_emit',
     reason='the field has no bits for less than 64 bytes; jumps between '
            'instructions are EU-30',
     status=OTHERS)

rule('RL-28',
     gens='7 75 8 9',
     confidence='H',
     title='Batch start and length multiple of 8 B; last command',
     effect='EINVAL; page fault',
     text='Batch start and length multiple of 8 B; last command '
          'MI_BATCH_BUFFER_END (pad with NOOP); the page after the batch '
          'must be mapped (CS over-fetch, 512 B)',
     source='K execbuffer; IVB1.3 MI_BATCH_BUFFER_START; DEV',
     tested='src/intel/sim/tests/uapi/test_uapi.c: EXPECT(-EINVAL, '
            'e.batch_start_offset = 4)',
     status=FAULT)

rule('RL-29',
     gens='7 75 8 9',
     confidence='H',
     title='Sampler surfaces must have mapped memory to the next',
     effect='page fault',
     text='Sampler surfaces must have mapped memory to the next alignment '
          'unit right and below; buffers to a multiple of 256 elements + 16 '
          'B; cubes + 2 rows; compressed to 8 rows; 48/96-bit and YUV + 1 '
          'row + 16 B',
     source='IVB1.1 section 6.19',
     reason='a page that is not mapped is the scratch page (KR-08), and '
            'what is fetched too far is not used: with this kernel nothing '
            'comes of it',
     status=UNSEEN)

rule('RL-30',
     gens='7 75 8 9',
     confidence='H',
     title='Render target with an odd number of rows needs one more',
     effect='page fault',
     text='Render target with an odd number of rows needs one more mapped '
          'row (field mode: multiple of 4)',
     source='IVB1.1 section 6.19.2',
     reason='a page that is not mapped is the scratch page (KR-08), and '
            'what is fetched too far is not used: with this kernel nothing '
            'comes of it',
     status=UNSEEN)

rule('RL-31',
     gens='7 75 8 9',
     confidence='H',
     effect='wrong addressing',
     text='Surface <= 2 GB; 9 <= 2^38 B. Typed buffer <= 2^27 elements; raw '
          '<= 2^30 B on 7-8, size multiple of 4',
     source='ISL; IVB4.1',
     title='a surface that is too large',
     missing='a smaller surface',
     status=ENFORCED)

rule('RL-32',
     gens='7 75 8 9',
     confidence='H',
     effect='wrong texels, hang (typed)',
     text='Linear RT or typed-access surface: base and pitch multiple of '
          'element size (2x for YUV); tiled: 4 KB base, pitch multiple of '
          'tile width; linear depth 64 B; sampler-only linear: any byte',
     source='ISL; BXT2c; HVK device comment',
     title='a surface off its elements or tiles',
     missing='base and pitch of whole elements, or tiles',
     status=ENFORCED)

rule('RL-33',
     gens='8 9',
     confidence='H',
     effect='corrupt',
     text='Tiled render target wider than 16382 pixels: pixels in the first '
          '2 rows x last 2 columns land in columns 2-3: use linear; what '
          'is drawn beyond these, too, is right, which counts for several '
          'samples, as these are never linear',
     source='BDW2d/SKL2d via ISL gfx7',
     title='a tiled target that is too wide',
     missing='16382 pixels, or a linear target; with several samples a '
             'larger primitive',
     status=ENFORCED)

rule('RL-34',
     gens='7 75 8 9',
     confidence='H',
     title='a vertex pitch or offset out of range',
     effect='undef',
     text='Vertex pitch <= 2048 (7-8), 4095 (9); element offset <= 2047; <= '
          '33 buffers, <= 34 elements (one may be edge flag)',
     source='HVK device; genxml',
     missing='a pitch of 2048 (Gen9: 4095) and an offset of 2047 at most',
     status=ENFORCED)

rule('RL-35',
     gens='7 75 8 9',
     confidence='H',
     title='64-bit vertex data that are not aligned',
     effect='unpredictable',
     text='64-bit vertex data 8-byte aligned, pitch multiple of 8',
     source='VLV2d VERTEX_ELEMENT_STATE',
     missing='addresses and pitches of 8 bytes',
     status=ENFORCED)

rule('RL-36',
     gens='7 75 8 9',
     confidence='H',
     effect='corrupt',
     text='SO: 4 buffers, <= 128 declarations per stream; component mask '
          'contiguous; gaps need hole entries; buffers dword aligned',
     source='VLV2d SO_DECL; HVK pipe',
     title='declarations of stream output',
     missing='128 at most, of neighbouring components',
     status=ENFORCED)

rule('RL-37',
     gens='7 75 8 9',
     confidence='H',
     effect='hang (group never starts)',
     text='SLM per group <= 64 KB; sizes 4 KB steps power of two (7-8), 1 '
          'KB.. on 9; offset aligned to size; group must fit one subslice',
     source='IVB2.2; BXT6; HVK encode_slm_size',
     title='the size of shared memory',
     missing='a code that the generation has',
     status=ENFORCED)

rule('RL-38',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='Threads per group <= what one subslice can hold, else the '
          'barrier never completes; IVB GT2/BDW/SKL <= 64',
     source='IVB2.2; DEV update_cs_workgroup_threads',
     title='more threads in a group than a subslice holds',
     missing='a smaller group',
     status=ENFORCED)

rule('RL-39',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='CURBE <= 2016 registers (IVB GT1/BYT 992; media [0,480]); '
          'allocation even; VFE: URB entries x size + CURBE + 32 '
          'descriptors <= URB',
     source='IVB2.2; BEI get_max_curbe_size',
     title='room for constants of compute',
     missing='an even number of registers, up to 2016, that the URB holds',
     status=ENFORCED)

rule('RL-40',
     gens='7 75 8 9',
     confidence='H',
     effect='hang or idle EUs',
     text='VFE max threads = threads x subslices - 1',
     source='HVK pipe; IVB2.2',
     title='more threads of compute than there are',
     missing='threads x subslices - 1',
     status=ENFORCED)

rule('RL-41',
     gens='7 75 8 9',
     confidence='H',
     effect='corrupt',
     text='GS output vertex size even number of 16 B units unless rendering '
          'is disabled; <= 62 units (992 B); 8/9 add 32 B vertex-count '
          'header',
     source='IVB2.1 via BRW gs_visitor',
     title='the size of a vertex that a geometry shader emits',
     missing='an even number of 16 bytes, up to 62',
     status=ENFORCED)

rule('RL-42',
     gens='8 9',
     confidence='H',
     effect='garbage payload',
     text='SIMD8 GS with vertex handles and PATCHLIST_14..32, '
          'non-instanced: nothing may be pushed (payload start would exceed '
          'r15)',
     source='SKL16 #272',
     title='constants after the handles of large patches',
     missing='no pushed constants',
     status=ENFORCED)

rule('RL-43',
     gens='7 75 8 9',
     confidence='M',
     effect='garbage payload',
     text='Dispatch GRF start and pushed length + payload <= 128 registers; '
          'HS/GS start fields are 5 bits',
     source='HVK pipe; IGC WaDispatchGRFHWIssueInGSAndHSUnit',
     title='a payload of more than 128 registers',
     missing='fewer constants, or a lower start',
     beside="vertices of Gen7's geometry shaders, whose number is not state; "
            'start fields, which have no bits for more',
     status=ENFORCED)

rule('RL-44',
     gens='7 75 8 9',
     confidence='H',
     title='Message length 1..15 , response 0..16',
     effect='hang',
     text='Message length 1..15 (sampler 11), response 0..16; EOT ones only '
          'r112-r127 (so <= 16)',
     source='IVB4.3 send; BRW',
     tested='src/intel/isa/tests/validate_rows.h: { "send-mlen"',
     status=FAULT)

rule('RL-45',
     gens='7 75 8 9',
     confidence='H',
     effect='wrong scissors',
     text='The array of SCISSOR_RECT begins at a multiple of 64 bytes, though '
          'the pointer has bits from 32 on',
     source='Mesa 3c4e43e72be (GEN:BUG:1409725701, all generations)',
     title='scissors at no multiple of 64 bytes',
     missing='64 bytes',
     status=ENFORCED)

rule('RL-46',
     gens='9',
     confidence='M',
     effect='garbage',
     text='Bit 0 of MOCS, beside the index, asks for encrypted memory',
     source='Mesa 20dca37a20f; SKL2d MEMORY_OBJECT_CONTROL_STATE',
     title='an encrypted surface',
     missing='an even MOCS',
     status=ENFORCED)

rule('RL-47',
     gens='8 9',
     confidence='H',
     effect='constants of the last threads are lost',
     text='CURBE data are loaded by whole 64 bytes, where Gen7 has 32',
     source='BDW2a MEDIA_CURBE_LOAD; Mesa 8326eb13f2b',
     title='CURBE data of a part of 64 bytes',
     missing='a length of whole 64 bytes',
     status=ENFORCED)

rule('RL-48',
     gens='7 75 8 9',
     confidence='H',
     effect="threads overwrite each other's memory",
     text='Memory of threads is not divided otherwise while threads run: a '
          "thread's place is its number by the size, so that draws with "
          'another size wait, or have a buffer of their own',
     source='Mesa a84b5d43e2e (found on chips of Gen4 to Gen9)',
     title='memory of threads that is divided anew',
     missing='a CS stall, or a buffer for each size',
     status=ENFORCED)
