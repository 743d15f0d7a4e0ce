# SPDX-License-Identifier: MIT
"""Fixed functions: state of several packets that must agree.

See table.py.
"""
from table import (DESCRIBES, ELSEWHERE, ENFORCED, FAULT, NO_DRIVER,
                   OTHERS, UNSEEN, rule)

rule('FF-01',
     gens='8 9',
     confidence='H',
     title='Whether PS threads start is computed',
     effect='wrong count',
     text='Whether PS threads start is computed: needs a writeable RT with '
          'a non-zero write mask, computed depth, depth/stencil write with '
          'kill, or UAV. Kill without any write is forgotten, so occlusion '
          'queries with no attachment need ForceThreadDispatch',
     source='HVK pipe emit_3dstate_wm',
     status=DESCRIBES)

rule('FF-02',
     gens='8',
     confidence='M',
     effect='hang',
     text='3DSTATE_PS_EXTRA "has UAV" bit: causes hangs; drivers use '
          'ForceThreadDispatch',
     source='HVK pipe comment',
     title='Pixel Shader Has UAV',
     missing='Force Thread Dispatch Enable instead',
     status=ENFORCED)

rule('FF-03',
     gens='7 75',
     confidence='H',
     effect='missing work',
     text='ThreadDispatchEnable is set by software: must be on when RT '
          'written, depth computed, kill, oMask or side effects. 75: '
          'PS-UAV-only bit when only side effects',
     source='CRO wm; HVK pipe',
     title='a pixel shader that matters is not started',
     missing='Thread Dispatch Enable',
     status=ENFORCED)

rule('FF-04',
     gens='7 75',
     confidence='H',
     effect='hang',
     text='Dual-source bit in 3DSTATE_PS set while no blend factor uses '
          'SRC1',
     source='HVK pipe',
     title='dual source blending without a factor of it',
     missing='no Dual Source Blend Enable',
     status=ENFORCED)

rule('FF-05',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='A SRC1 factor while the PS does not send a dual-source RT write: '
          'undefined, seen to hang',
     source='HVK pipe; IRIS blend',
     title='a factor of a second colour that nobody sends',
     missing='Dual Source Blend Enable and its messages',
     status=ENFORCED)

rule('FF-06',
     gens='7 75 8 9',
     confidence='H',
     effect='undefined, wrong value',
     text='Blend and logic op both enabled on a target; blending with '
          'UINT/SINT targets; min/max with factors != ONE (factors are '
          'applied)',
     source='BDW2d via HVK; BLORP; HVK',
     title='blending and a logic operation',
     missing='one of both',
     status=ENFORCED)

rule('FF-07',
     gens='8 9',
     confidence='H',
     title='several dispatch widths for each sample',
     effect='hang, corrupt',
     text='Per-sample dispatch: only one of SIMD8/16/32 may be enabled; BDW '
          'with 4x/8x: SIMD8 only per one list entry',
     source='BRW compiler.h dispatch table; BDW15 PSD row',
     missing='one of them',
     status=ENFORCED)

rule('FF-08',
     gens='9',
     confidence='H',
     title='32 pixels a thread with 16 samples',
     effect='hang',
     text='16x MSAA per-pixel: SIMD32 must be off',
     source='SKL via BRW',
     missing='Dispatch Enable of 32 pixels off',
     status=ENFORCED)

rule('FF-09',
     gens='7 75 8 9',
     confidence='H',
     title='Kernel pointers',
     effect='wrong kernel run',
     text='Kernel pointers: slot 0 = SIMD8, else the only one; slot 1 = '
          'SIMD32 if another exists; slot 2 = SIMD16 if another exists; '
          'same for GRF starts',
     source='BRW simd_width_for_ksp',
     reason='the simulator starts what the chip would: other code',
     status=OTHERS)

rule('FF-10',
     gens='7 75',
     confidence='H',
     effect='wrong',
     text='Position offset "sample" needs per-sample mode; single-sampled '
          'must use the per-sample setting; gl_SampleID in SIMD32 and '
          'payload sample IDs are unusable on 7',
     source='BRW fs; HVK pipe',
     title='sample positions without a sample each',
     missing='the per-sample mode',
     status=ENFORCED)

rule('FF-11',
     gens='9',
     confidence='H',
     title='PS writes oMask -> alpha-to-coverage is off in hardware',
     effect='wrong coverage',
     text='PS writes oMask -> alpha-to-coverage is off in hardware',
     source='SKL7 via BRW',
     status=DESCRIBES)

rule('FF-12',
     gens='9',
     confidence='H',
     title='a pixel shader with nothing but a header',
     effect='hang',
     text='PS payload must be more than r0-r2: push one constant register '
          'or one input (layer)',
     source='SKL16 #877; BRW gfx9_ps_header_only_workaround',
     missing='an attribute or a pushed register',
     status=ENFORCED)

rule('FF-13',
     gens='9',
     only='GT2',
     confidence='M',
     title='2D X/Y-tiled RT, LOD < 2, not 16x, not per-sample',
     effect='hang',
     text='2D X/Y-tiled RT, LOD < 2, not 16x, not per-sample, not 64/128 '
          'bpp, offset 0, with blend/logic-op/partial mask: aux mode must '
          'be CCS or MCS (or MCS cache disabled)',
     source='SKL16 #709',
     reason="on Intel's list alone; drivers blend to targets without "
            'control surface',
     status=NO_DRIVER)

rule('FF-14',
     gens='7 75 8 9',
     confidence='H',
     effect='hang, lost scoreboard',
     text='RT writes: every dispatched slot gets a write, lower slots '
          'first; dual-source LO before HI; header needed for '
          'oMask/dual-source/pixel enables on 7; last one carries EOT and '
          '"last RT"',
     source='IVB4.1 via BRW fs.cpp split; BRW logical_sends',
     title='writes to a target out of order',
     missing='lower slots first',
     status=ENFORCED)

rule('FF-15',
     gens='7 75 8 9',
     confidence='H',
     title='PS must send at least one RT write with EOT',
     effect='hang',
     text='PS must send at least one RT write with EOT, even if all pixels '
          'are killed (null RT)',
     source='BRW emit_fb_writes',
     reason='EU-15: the last message of a pixel shader is a write to a '
            'target',
     status=OTHERS)

rule('FF-16',
     gens='7',
     confidence='H',
     effect='hang',
     text='Null surface format must not be B8G8R8A8_UNORM (hangs seen): use '
          'R32_UINT; VALIGN_4 with Y tile (7, 75)',
     source='ISL null_fill_state',
     title='the format of a null surface',
     missing='R32_UINT',
     status=ENFORCED)

rule('FF-17',
     gens='7 75 8 9',
     confidence='H',
     title='All RTs and depth agree in width, height, depth, LOD',
     effect='undef',
     text='All RTs and depth agree in width, height, depth, LOD, sample '
          'count, surface type',
     source='BXT2c',
     tested='src/intel/sim/tests/strict/test_strict_draw.c: '
            '3DSTATE_MULTISAMPLE',
     status=FAULT)

rule('FF-18',
     gens='8 9',
     confidence='H',
     title='a HiZ operation without depth flush and stall around it',
     effect='corrupt, hang',
     text='Depth/HiZ clear, resolve, ambiguate: before: depth flush + stall '
          '(7/75 as two PCs DEF then DST; 8/9 DEF+DST(+CSS)); after: the '
          'same. 8/9 may skip the second only for full-surface clears',
     source='CRO/IRIS hiz_exec; HVK blorp; BDW7',
     missing='PIPE_CONTROL with both before it and after it',
     status=ENFORCED)

rule('FF-19',
     gens='8',
     confidence='H',
     effect='corrupt',
     text='HiZ ops on 8x4-aligned rectangles (7,75,8); unaligned '
          'right/bottom HiZ parts must be ambiguated before use on 8',
     source='WaHizAmbiguate8x4Aligned, BLORP; BDW15 '
            'WaHizAmbiguateRequiredNonAligned',
     title='a resolve of HiZ off its blocks',
     missing='a rectangle of whole 8x4 pixels',
     beside='Gen7, where the rectangle is a primitive, and the simulator has '
            'no such operations; whether parts off the blocks were made '
            'ambiguous, which nothing in the packets of a draw says',
     status=ENFORCED)

rule('FF-20',
     gens='8 9',
     confidence='H',
     effect='missed pixels',
     text='HZ_OP clear of D16 without full-surface flag: 8x4 aligned; '
          'rectangle <= 16K-1, so 16K surfaces need 2x2 clears',
     source='BLORP; BDW15 WaFastClearZ16K',
     title='the rectangle of a clear of depth',
     missing='whole 8x4 pixels of D16, up to 16383',
     status=ENFORCED)

rule('FF-21',
     gens='8 9',
     confidence='M',
     title='HZ_OP rectangle',
     effect='1-pixel error',
     text='HZ_OP rectangle: min inclusive, max exclusive in practice; CHV '
          'list says inclusive max',
     source='BLORP; CHV16 WaGT3ResendDepthStencilAndHiz...',
     reason='the sources differ in the edge; the simulator has the one that '
            'drivers count on',
     status=UNSEEN)

rule('FF-22',
     gens='7 75 8 9',
     confidence='H',
     effect='wrong',
     text='Depth clear value within CC_VIEWPORT min/max; 7 integer-encoded '
          'by format, 8/9 float',
     source='BLORP; ISL',
     title="a clear of depth outside of the viewport's range",
     missing='a value within the CC_VIEWPORT',
     status=ENFORCED)

rule('FF-23',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='HiZ only with separate stencil and Y-tiled depth; combined D24S8 '
          'forbidden from 7',
     source='ISL',
     title='what HiZ needs',
     missing='stencil of its own, and an address of HiZ',
     status=ENFORCED)

rule('FF-24',
     gens='8 9',
     confidence='H',
     effect='garbage',
     text='Stencil: W tile, R8_UINT, pitch = 2 x width-derived; sampler/RT '
          'understand W tile only on 8+ (sampler), never as RT; CPU maps '
          'must not be fenced',
     source='ISL; BLORP blit',
     title='stencil as another surface',
     missing='R8_UINT, and no target',
     beside="Gen7, whose surface states have no word for W tiles",
     status=ENFORCED)

rule('FF-25',
     gens='9',
     confidence='H',
     title='a depth buffer of one dimension',
     effect='hang',
     text='1D depth/stencil: declare as 2D height 1',
     source='SKL16 #289; ISL',
     missing='two dimensions with a height of 1',
     status=ENFORCED)

rule('FF-26',
     gens='8',
     confidence='M',
     effect='wrong',
     text='Typed access to W-tiled: R8_UINT, SIMD8, red channel only',
     source='BDW15',
     title='typed messages to stencil',
     missing='R8_UINT',
     status=ENFORCED)

rule('FF-27',
     gens='8 9',
     confidence='H',
     effect='wrong',
     text='Sampling with AUX_HIZ: 1 sample, not 3D; 2D only in practice, '
          'all levels with HiZ; 9 sets L2-bypass-disable bit; 8 returns '
          'only clear value 0.0 reliably; 7/75 not possible',
     source='BDW2d via IRIS resolve; HVK; ISL',
     title='sampling depth by its HiZ',
     missing='one sample, no volume, on Gen8 cleared to 0',
     beside='levels without HiZ: a surface state says that HiZ is there, not '
            'for which',
     status=ENFORCED)

rule('FF-28',
     gens='7 75 8 9',
     confidence='H',
     effect='hang (75 seen), corruption',
     text='Aux state machine: any change between clear, render and resolve '
          'on MCS/CCS needs RTF + EOP sync on both sides',
     source='IVB2.1/SKL7 via CRO, HVK, ANV',
     title='clears, draws and resolves of colour beside each other',
     missing='a render target flush with CS stall between',
     status=ENFORCED)

rule('FF-29',
     gens='7 75 8 9',
     confidence='H',
     title='MCS must be initialised before rendering',
     effect='corrupt',
     text='MCS must be initialised before rendering (all ones = clear); CCS '
          'must hold legal codes: zero = pass-through; on 9 the 2-bit code '
          '2 is illegal',
     source='CRO resource; HVK transition',
     reason='what memory holds is what the sampler goes by: wrong pixels',
     status=OTHERS)

rule('FF-30',
     gens='7 75 8 9',
     confidence='H',
     title='CCS fast-clear rectangle',
     effect='corrupt',
     text='CCS fast-clear rectangle: pixel alignment = CCS block x (16, '
          '32), scale-down = half of that. Block for 32/64/128 bpp: Y tile '
          '8/4/2 x 4, X tile 16/8/4 x 2. 75 doubles the alignment. So Y 32 '
          'bpp: 128x128 aligned, divided by 64x64',
     source='BLORP get_fast_clear_rect; ISL layouts',
     reason='each pixel of the rectangle clears as much as the row says: '
            'the pixels are wrong',
     status=OTHERS)

rule('FF-31',
     gens='7 75 8 9',
     confidence='H',
     title='MCS clear rectangle',
     effect='corrupt',
     text='MCS clear rectangle: 2x/4x scale 8x2, 8x scale 2x2, 16x scale '
          '1x2; align to 2x2 blocks after scaling',
     source='IVB2.1 via BLORP',
     reason='each pixel of the rectangle clears as much as the row says: '
            'the pixels are wrong',
     status=OTHERS)

rule('FF-32',
     gens='7 75 8',
     confidence='H',
     title='Resolve rectangle scale',
     effect='corrupt',
     text='Resolve rectangle scale: 7/75 block/2, 8 block x (8,16); 9: same '
          'rectangle as the clear',
     source='BLORP ccs_resolve',
     reason='each pixel of the rectangle resolves as much as the row says: '
            'the pixels are wrong',
     status=OTHERS)

rule('FF-33',
     gens='7 75 8',
     confidence='H',
     title='Clear colour only 0/1 per channel',
     effect='wrong colour',
     text='Clear colour only 0/1 per channel; 9: any, but MSAA only 0/1 and '
          'non-0/1 must be resolved before sampling',
     source='HVK; SKL16 #278,#279',
     status=DESCRIBES)

rule('FF-34',
     gens='7 75 8',
     confidence='H',
     effect='corrupt',
     text='CCS only 2D, non-mipmapped, non-array, 32/64/128 bpp; 8: '
          'mip/array allowed with image alignment 256x128 px, HALIGN_16; 9: '
          '128x64, no X tile; no 3D before 9',
     source='HSW7/BDW7/SKL7 via ISL',
     title='a surface that can have no control surface',
     missing='what the generation allows',
     status=ENFORCED)

rule('FF-35',
     gens='7 75 8 9',
     confidence='H',
     effect='undef',
     text='Replicated-colour RT write (fast clear shader) only on tiled '
          'targets; SIMD16',
     source='SNB4.1 via BLORP; Mesa 70691f0c283 (hung with INTEL_DEBUG=no16)',
     title='one colour for all pixels of a linear target, or of 8',
     missing='a tiled target, and 16 pixels a thread',
     status=ENFORCED)

rule('FF-36',
     gens='9',
     confidence='H',
     effect='corrupt',
     text='CCS_E only with formats listed for compression; views must keep '
          'bit layout',
     source='ISL; BLORP',
     title='a format that is not compressed',
     missing='a format of the list',
     status=ENFORCED)

rule('FF-37',
     gens='8 9',
     confidence='M',
     effect='hang/slow (9: performance or corruption)',
     text='NP-PMA fix bit must equal the documented formula: HiZ on, depth '
          'test, PS valid, not early-depth, no HZ_OP, and (kill/oMask/A2C '
          'with depth or stencil write, or computed depth)',
     source='HVK gfx8_cmd_buffer',
     title='the fix for stalls of depth tests',
     missing='CACHE_MODE_1 without NP PMA Fix Enable',
     status=ENFORCED)

rule('FF-38',
     gens='7 75 8 9',
     confidence='H',
     title='setup reads more of a vertex than there is',
     effect='corrupt, hang',
     text='SBE/SF URB read length = ceil((highest source attribute + 1)/2), '
          'not larger; read offset in pairs',
     source='SNB/IVB2.1 via CRO, IRIS',
     missing='the highest source attribute, in pairs',
     status=ENFORCED)

rule('FF-39',
     gens='7 75 8 9',
     confidence='H',
     title='more attributes than setup has',
     effect='wrong inputs',
     text='Attribute swizzle/override only for inputs 0..15; 16..31 must be '
          'identity; <= 32 attributes',
     source='HVK pipe',
     missing='32 at most',
     status=ENFORCED)

rule('FF-40',
     gens='8',
     confidence='M',
     title='SF output attributes >= 1 when a GS runs',
     effect='hang',
     text='SF output attributes >= 1 when a GS runs (handles leak)',
     source='BDW15 WaForcenonzeroSBEOutputAttributeCount',
     reason="on Intel's list alone",
     status=NO_DRIVER)

rule('FF-41',
     gens='7 75 8 9',
     confidence='H',
     title='vertex elements out of order',
     effect='corrupt',
     text='Vertex elements: valid ones contiguous from 0; component 0 may '
          'not be NOSTORE; after a non-STORE_SRC no later STORE_SRC; 64-bit '
          'passthru padded with STORE_0 to 128/256 bits; edge flag only '
          'last element',
     source='SKL2d/BDW2d via HVK pipe; VLV2d',
     missing='valid elements first; the first component stored; none '
             'from memory after a constant',
     status=ENFORCED)

rule('FF-42',
     gens='7',
     confidence='M',
     title='GS reorder',
     effect='corruption (nk in practice)',
     text='GS reorder: trailing keeps orientation, not GL order; 75+: '
          'trailing = GL order; 9 (one list) trailing corrupts internal '
          'pointers with some topologies, says always leading; drivers use '
          'trailing',
     source='CRO gs; SKL16 #287,#771; BDW15 WaOGLGSVertexReordering...',
     reason='drivers use trailing everywhere, and no effect was seen',
     status=NO_DRIVER)

rule('FF-43',
     gens='7 75 8',
     confidence='H',
     title='Tessellation',
     effect='cracks',
     text="Tessellation: quad, integer spacing, all of one direction's "
          "factors 1 or less and the other's round equal: raise such inside "
          'factors to 2 when any factor > 1',
     source='BDW PRM vol 7, patch header; BDW15 '
            'WaPreventHSTessLevelsInterference',
     missing='an inside factor of 2',
     status=ENFORCED)

rule('FF-44',
     gens='75',
     confidence='H',
     title='a hull shader that is given vertices',
     effect='garbage',
     text='HS must not use pushed vertex URB data (read length 0), pull '
          'instead',
     source='BRW vec4_tcs',
     missing='a read length of zero',
     status=ENFORCED)

rule('FF-45',
     gens='7',
     confidence='H',
     title='cut indices with a topology that has none',
     effect='wrong primitives',
     text='Cut index: restart value must be all ones of the index size; not '
          'for line loops, fans, polygons, quads, patches',
     source='CRO draw; I965',
     missing='Cut Index Enable off',
     status=ENFORCED)

rule('FF-46',
     gens='7',
     confidence='M',
     title='QUADLIST with PrimitiveID in PS: ID is doubled',
     effect='wrong',
     text='QUADLIST with PrimitiveID in PS: ID is doubled (shift right by '
          '1)',
     source='BDW15 (IVB bug 3665983)',
     status=DESCRIBES)

rule('FF-47',
     gens='75',
     confidence='H',
     title='Border colour',
     effect='wrong colour',
     text='Border colour: integer formats use another layout by channel '
          'size; missing channels 0, missing alpha 1; RG32: G goes to the B '
          'slot',
     source='CRO border color',
     status=DESCRIBES)

rule('FF-48',
     gens='8',
     confidence='M',
     title='Border',
     effect='wrong colour',
     text='Border: R32_FLOAT, RG32_FLOAT, RG8_UNORM blend alpha with '
          'default colour instead of 1.0; 64-bpt DX9 mode wrong',
     source='BDW15; CHV16',
     status=DESCRIBES)

rule('FF-49',
     gens='7',
     confidence='H',
     effect='wrong',
     text='No shader channel select: swizzle in shader; clear dwords in '
          'surface state are bits that must stay 0 for it',
     source='HVK; ISL',
     title='channel selects that Ivybridge does not have',
     missing='zeros',
     status=ENFORCED)

rule('FF-50',
     gens='8 9',
     confidence='H',
     effect='undef',
     text='RT channel selects: 75 first duplicate wins, ZERO/ONE not '
          'written; 9 must be a permutation with alpha = ALPHA',
     source='HSW2d/SKL2d via ISL isl_swizzle_supports_rendering, which has '
            "Skylake's words for Gen8, too",
     title="a target's channel selects",
     missing='a permutation with alpha as it is',
     beside='Haswell, where all selects have a meaning: the first of two that '
            'are the same is written, ZERO and ONE are not',
     status=ENFORCED)

rule('FF-51',
     gens='7 75',
     confidence='H',
     title='gather4 on RG32',
     effect='wrong',
     text='gather4 on RG32: green selects blue instead; UINT/SINT need the '
          'float "LD" format and then ONE reads 0x3f800000; 8/9: '
          'R10G10B10_SNORM_A2 alpha gather wrong',
     source='CRO program; BDW15; SKL16 #248',
     status=DESCRIBES)

rule('FF-52',
     gens='7',
     confidence='H',
     effect='wrong texels',
     text='Cube address mode with integer formats broken: use clamp; all '
          'three axes must have the same mode (7: cube or clamp only)',
     source='CRO sampler',
     title='the address mode of cubes',
     missing='clamp for integers; one mode for all axes',
     status=ENFORCED)

rule('FF-53',
     gens='7',
     confidence='H',
     title='sample_d_c does not exist',
     effect='illegal message',
     text='sample_d_c (gradients + compare) does not exist; explicit '
          'lowering',
     source='BRW vec4, nir',
     reason='message 20 of the sampler is none on Ivybridge: a fault',
     status=OTHERS)

rule('FF-54',
     gens='7 75 8 9',
     confidence='M',
     effect='hang',
     text='sample_c on a format without shadow support: hangs seen',
     source='I965 wm_surface_state',
     title='a comparison with a format that has none',
     missing='a format of depth',
     status=ENFORCED)

rule('FF-55',
     gens='7 75 8 9',
     confidence='H',
     title='resinfo on a null surface',
     effect='wrong',
     text='resinfo on a null surface: mip count undefined',
     source='BDW15; BRW Wa_1940217',
     status=DESCRIBES)

rule('FF-56',
     gens='7',
     confidence='H',
     effect='wrong',
     text='Multisampled surface used by sampler: MinimumArrayElement 0; no '
          'SINT MSRT unless all channels written',
     source='IVB4.1 via ISL',
     title='a layer of samples',
     missing='Minimum Array Element 0',
     status=ENFORCED)

rule('FF-57',
     gens='7 75 8 9',
     confidence='H',
     effect='hang, corrupt',
     text='MSAA: 2D only, no mips, min LOD 0, tiled (8+: Y only); 7: '
          'VALIGN_4, storage-format limits by width (> 8192 at 8x -> MSS) '
          'and depthxheight',
     source='ISL gfx7/8',
     title='a multisampled surface',
     missing='a tiled one of one level',
     status=ENFORCED)

rule('FF-58',
     gens='7 75 8 9',
     confidence='H',
     effect='undef',
     text='X/Y offset fields: only tiled, 2D, single sample, no '
          'mips/arrays, no aux, multiples by format',
     source='BXT2c',
     title='offsets within a surface',
     missing='a tiled 2D surface of one level, layer and sample',
     status=ENFORCED)

rule('FF-59',
     gens='9',
     confidence='H',
     effect='corruption (X values)',
     text='BC2/3/5/7, and HiZ surfaces: sampler L2-bypass-disable bit set; '
          'ASTC only Y-tiled, never 1D compressed',
     source='ISL surface_state; SKL16 #680',
     title='a surface that must not bypass a cache',
     missing='Sampler L2 Bypass Mode Disable',
     status=ENFORCED)

rule('FF-60',
     gens='',
     only='early Ivybridge GT2',
     confidence='M',
     title='Pixel-interpolator linear message while any perspective',
     effect='hang',
     text='Pixel-interpolator linear message while any perspective '
          'barycentric mode (or source W) is on, or perspective message '
          'with non-perspective on',
     source='IVB4.2 section 4.1',
     status=ELSEWHERE)

rule('FF-61',
     gens='8',
     confidence='M',
     effect='corruption in HiZ',
     text='Guard band limited to +-16K',
     source='BDW15 WaGuardbandSize',
     title='the guard band reaches too far',
     missing='within 16K',
     status=ENFORCED)

rule('FF-62',
     gens='8 9',
     confidence='M',
     effect='wrong centroid',
     text='Sample positions should get farther from centre with index '
          '(centroid)',
     source='SKL2a via HVK genX_state',
     title='the order of sample positions',
     missing='positions ever farther from the centre',
     status=ENFORCED)

rule('FF-63',
     gens='9',
     confidence='M',
     title='ld/typed read of multisampled surface',
     effect='corrupt',
     text='ld/typed read of multisampled surface: R and LOD parameters are '
          'mandatory; SIMD4x2 MSAA read mishandles range in slot 2; RT read '
          'outside primitive gives 0 alpha',
     source='SKL16 #275,#280,#775,#825',
     reason='Mesa sends as many coordinates as the image has; the rest is '
            'on one list alone',
     status=NO_DRIVER)

rule('FF-64',
     gens='9',
     confidence='M',
     title='R2T at 8x',
     effect='corrupt',
     text='R2T at 8x: depth surface 128-aligned; TYF/TYS 3D with CCS: '
          'mip-tail start 15',
     source='SKL16 #517,#812',
     reason='the base of a tiled surface is aligned to 4 kB, and TYF and '
            'TYS are refused',
     status=UNSEEN)

rule('FF-66',
     gens='8 9',
     confidence='H',
     effect='wrong',
     text='Depth or stencil self-dependency: set kill-pixel so writes '
          'happen after the PS',
     source='HVK pipe',
     title='depth that the same draw samples',
     missing='Pixel Shader Kills Pixel',
     status=ENFORCED)

rule('FF-67',
     gens='7 75',
     confidence='H',
     title='Vertex formats FIXED, 2_10_10_10 signed/scaled need shader',
     effect='wrong',
     text='Vertex formats FIXED, 2_10_10_10 signed/scaled need shader '
          'fix-ups; 8: 32-bit USCALED/SSCALED kept raw',
     source='BRW nir_attribute_workarounds; BDW15',
     status=DESCRIBES)

rule('FF-68',
     gens='7 75',
     confidence='H',
     effect='undefined',
     text='Logic operations are for UNORM surfaces alone, without their sRGB '
          'variants; else they must be off. Since 8 they take what can be '
          'blended, and UINT and SINT. Mesa: crocus looks at the format of '
          'the first target, and lets sRGB pass',
     source='SNB2.1 and IVB2.1 Color Buffer Logic Ops; BDW7 Logic Ops; CRO '
            'can_emit_logic_op',
     title='a logic operation on other than linear UNORM',
     missing='Logic Op Enable off',
     status=ENFORCED)

rule('FF-70',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='Last Render Target Select is for the last target that a thread '
          'writes, and no other: what comes after it may be the next slots '
          'of the same target alone. The message that ends the thread has '
          'it',
     source='SKL2d render target write, Last Render Target Select; Mesa '
            '172bb92db1a (OilRush, Trine and Amnesia hung)',
     title='Last Render Target Select is not on the last write',
     missing='the bit on the last target, which ends the thread',
     status=ENFORCED)

rule('FF-69',
     gens='8 9',
     confidence='H',
     effect='undefined depth',
     text='A depth test of EQUAL and writes of depth exclude each other: the '
          'value would stay as it is',
     source='BDW2d 3DSTATE_WM_DEPTH_STENCIL via Mesa 1afdfc3e6e0; iris '
            'asserts it',
     title='depth is written where the test is EQUAL',
     missing='Depth Buffer Write Enable off',
     status=ENFORCED)

rule('FF-71',
     gens='7 75 8 9',
     confidence='H',
     effect='undefined colours',
     text='A linear or anisotropic filter, or one between levels, is '
          'for formats that the sampler filters: no integers',
     source="isl's table (IVB4.1, HSW7 and SKL7 surface formats; SKL5)",
     title='a filter for a format that has none',
     missing='nearest filters',
     status=ENFORCED)

rule('FF-72',
     gens='7 75 8 9',
     confidence='H',
     effect='hang, corrupt',
     text='Render targets have formats that the pixel backend writes',
     source="isl's table (IVB4.1, HSW7 and SKL7 surface formats; SKL5); "
            'Mesa 48719304512 (A4B4G4R4 hangs bdw)',
     title='a render target of a format that cannot be one',
     missing='a format that can be rendered to',
     status=ENFORCED)

rule('FF-73',
     gens='7 75 8 9',
     confidence='H',
     effect='undefined',
     text='Blending is for formats that blend: no integers',
     source="isl's table (IVB4.1, HSW7 and SKL7 surface formats; SKL5); "
            'Mesa 04b4880d7c9',
     title='blending in a format that has none',
     missing='blending off',
     status=ENFORCED)

rule('FF-74',
     gens='7 75 8',
     confidence='H',
     effect='undefined',
     text='Typed reads know few formats: 7 only R32 ones, 75 and 8 '
          'those of UINT with up to 64 bits and R32. 9 gives the bits of '
          'the others, which anv of Mesa 25 counts on',
     source="isl's table (IVB4.1, HSW7 surface formats)",
     title='a typed read of a format that has none',
     missing='a format that is read, or another of as many bits',
     status=ENFORCED)

rule('FF-75',
     gens='7 75 8 9',
     confidence='H',
     effect='undefined',
     text='Typed writes are for formats that the data port packs: no '
          'sRGB, no three channels',
     source="isl's table (IVB4.1, HSW7 and SKL7 surface formats; SKL5)",
     title='a typed write of a format that has none',
     missing='a format that is written',
     status=ENFORCED)

rule('FF-76',
     gens='7 75 8 9',
     confidence='H',
     effect='hang',
     text='Typed atomics are for R32_UINT, R32_SINT and R32_FLOAT: the '
          'manual leaves out the last, but exchanges do not ask what the '
          'bits are, and drivers ship that',
     source='SKL5 Surface Formats; isl_storage_image.c (BSpec 1706)',
     title='a typed atomic operation on another format',
     missing='R32_UINT, R32_SINT or R32_FLOAT',
     status=ENFORCED)

rule('FF-77',
     gens='7',
     confidence='H',
     effect='sporadic hang',
     text='Untyped messages are for surfaces of format RAW; later chips '
          'return something',
     source='Mesa b61292296bd (IVB and VLV hang)',
     title='an untyped message to a surface that is not RAW',
     missing='a surface of format RAW',
     status=ENFORCED)

rule('FF-78',
     gens='7 75 8 9',
     confidence='H',
     effect='undefined',
     text='Vertex elements have formats that the vertex fetcher '
          'converts',
     source="isl's table (IVB4.1, HSW7 and SKL7 surface formats; SKL5)",
     title='a vertex element of a format that is not fetched',
     missing='a format that is fetched',
     status=ENFORCED)

rule('FF-79',
     gens='9',
     confidence='H',
     effect='hang',
     text='Threads of pixels are not forced to start where no colour is '
          'written: Force Thread Dispatch Enable, which helps such draws, '
          'is for Gen8. Beside colours iris forces them on each Skylake',
     source='Mesa 0fa9e6d7b30 (anv hangs Skylake in two games); iris_state.c',
     title='pixel threads that are forced to start',
     missing='Force Thread Dispatch Enable normal or off, or a target that '
             'is written',
     status=ENFORCED)

rule('FF-81',
     gens='8 9',
     confidence='M',
     effect='undefined',
     text='The alignments of an image are not 0, which is reserved, '
          'even where they do not count',
     source='SKL2d RENDER_SURFACE_STATE Surface Horizontal Alignment; '
            'Mesa 2c8f2513690',
     title='an alignment of an image that is reserved',
     missing='4, 8 or 16',
     status=ENFORCED)

rule('FF-82',
     gens='8',
     confidence='H',
     effect='wrong colours',
     text='Dual source blending is for threads of 8 pixels',
     source='Mesa 32ebd4207ad (issue 1917)',
     title='threads of 16 pixels with dual source blending',
     missing='8 pixels a thread',
     status=ENFORCED)

rule('FF-83',
     gens='9',
     only='Skylake GT4',
     confidence='M',
     effect='hang',
     text='No vertex cache with tessellation: its counts of references '
          'seem to overflow, as those of Haswell did',
     source='Mesa b08b4b2b25b (Batman: Arkham City hung)',
     title='vertices are cached for tessellation',
     missing='Vertex Cache Disable',
     status=ENFORCED)

rule('FF-84',
     gens='9',
     confidence='H',
     effect='corruption',
     text='No draw samples a level that it draws to with a CCS: the sampler '
          'reads it as it was before',
     source='Mesa ea0d2e98ecb (i965: such targets do without)',
     title='a draw samples what it compresses',
     missing='a resolve, and a target without its auxiliary surface',
     status=ENFORCED)

rule('FF-85',
     gens='7',
     confidence='H',
     effect='wrong texels',
     text='No surface of R32G32B32_FLOAT has VALIGN_4',
     source='IVB4.1 p 66, SURFACE_STATE; Mesa 02720f8d249 (Ivybridge and Bay '
            'Trail alone)',
     title='rows of four of three floats',
     missing='VALIGN_2',
     status=ENFORCED)

rule('FF-86',
     gens='7 75 8',
     confidence='H',
     effect='what was there before a fast clear',
     text='The sampler reads no control surface of one sample: clear colours '
          'are for render targets and for several samples',
     source='BDW2d RENDER_SURFACE_STATE, Red Clear Color; Mesa d9d793696bf',
     title='a control surface that is sampled',
     missing='a resolve, and no auxiliary surface',
     status=ENFORCED)

rule('FF-87',
     gens='7 75',
     confidence='H',
     effect='wrong samples',
     text='Samples lie as those of depth (MSFMT_DEPTH_STENCIL) in formats '
          'with 24 bits and X8, and where layers by rows are more than 2^22 '
          'of eight samples or 2^23 of four; eight of a surface wider than '
          '8192 lie in planes (MSFMT_MSS)',
     source='IVB4.1 p 72, SURFACE_STATE; Mesa 113a6a639fe',
     title='the layout of samples',
     missing='the other Multisampled Surface Storage Format',
     status=ENFORCED)
