# SPDX-License-Identifier: MIT
"""The kernel's side.

See table.py.
"""
from table import DESCRIBES, ENFORCED, FAULT, OTHERS, UNSEEN, rule

rule('KR-01',
     gens='7 75',
     confidence='H',
     title='PPGTT is aliasing',
     effect='execbuf error, wrong buffer',
     text='PPGTT is aliasing: 31 bits (2 GiB) of one space shared by all '
          'contexts and the global GTT; buffers move, so every pointer '
          'needs a relocation and no address may be cached across '
          'submissions',
     source='K i915_pci, gem/i915_gem_execbuffer',
     reason='chaos moves objects that are not pinned (places)',
     status=OTHERS)

rule('KR-02',
     gens='8 9',
     confidence='H',
     title='Full per-context PPGTT: 48-bit on BDW, SKL',
     text='Full per-context PPGTT: 48-bit on BDW, SKL, BXT; 32-bit on CHV. '
          'Pinned addresses (softpin) usable; Mesa requires more than 4 GiB '
          'of space for it',
     source='K i915_pci; HVK device',
     status=DESCRIBES)

rule('KR-03',
     gens='8 9',
     confidence='H',
     title='Without SUPPORTS_48B flag the kernel places an object under 4',
     effect='-ENOSPC, wrong address',
     text='Without SUPPORTS_48B flag the kernel places an object under 4 '
          'GiB minus one page; state reached by 32-bit offset from a base '
          'must stay inside base + 4 GiB',
     source='K execbuffer eb_vma_misplaced; HVK allocator',
     tested='src/intel/sim/tests/uapi/test_uapi.c: '
            'EXEC_OBJECT_SUPPORTS_48B_ADDRESS',
     status=FAULT)

rule('KR-04',
     gens='8 9',
     confidence='H',
     title='Pinned offset',
     effect='-EINVAL; fault',
     text='Pinned offset: page-aligned and canonical (bit 47 copied to '
          '63:48) or -EINVAL. Addresses inside commands likewise',
     source='K execbuffer eb_validate_vma; COM intel_canonical_address',
     tested='src/intel/sim/tests/uapi/test_uapi.c: o.offset = 0x100010',
     status=FAULT)

rule('KR-05',
     gens='7 75 8 9',
     confidence='H',
     title='Last object is the batch unless BATCH_FIRST; its start',
     effect='-EINVAL',
     text='Last object is the batch unless BATCH_FIRST; its start and '
          'length are multiples of 8; it may not be flagged '
          'EXEC_OBJECT_WRITE; unpinned batches are placed at or above 256 '
          'KiB',
     source='K execbuffer',
     tested='src/intel/sim/tests/uapi/test_uapi.c: /* the batch itself */',
     status=FAULT)

rule('KR-06',
     gens='7 75 8 9',
     confidence='H',
     title='NO_RELOC needs presumed offsets in batch and list to agree',
     effect='wrong address, missing fence',
     text='NO_RELOC needs presumed offsets in batch and list to agree, and '
          'WRITE flags on every written object. RESOURCE_STREAMER and '
          'CONSTANTS_ flags: -EINVAL',
     source='K execbuffer',
     tested='src/intel/sim/tests/uapi/test_uapi.c: With NO_RELOC all is '
            'taken',
     status=FAULT)

rule('KR-07',
     gens='7 75 8 9',
     confidence='H',
     title='EXEC_OBJECT_WRITE makes an exclusive implicit fence',
     effect='race between engines/processes',
     text='EXEC_OBJECT_WRITE makes an exclusive implicit fence: later '
          'readers/writers on any engine wait; plain listing is a shared '
          'fence. ASYNC skips waiting. Reloc write_domain also sets it',
     source='K execbuffer, i915_vma_move_to_active',
     reason='batches run one after the other: no engine overtakes another',
     status=UNSEEN)

rule('KR-08',
     gens='7 75 8 9',
     confidence='H',
     title='Every object touched must be listed',
     effect='silent, sometimes hang',
     text='Every object touched must be listed; one not listed may be '
          'unbound at any time. An unmapped page is backed by the scratch '
          'page: reads give whatever is there, writes vanish, no error; '
          'Gen7-9 have no recoverable faults in i915',
     source='K gt/gen6_ppgtt, gen8_ppgtt',
     reason='chaos takes objects away that are not listed (places): a fault',
     status=OTHERS)

rule('KR-10',
     gens='7 75 8 9',
     confidence='H',
     title='Batch ends with MI_BATCH_BUFFER_END on a QWord boundary',
     effect='hang',
     text='Batch ends with MI_BATCH_BUFFER_END on a QWord boundary (pad '
          'NOOP after). Parser/CS prefetches beyond it, so the tail page '
          'must be mapped',
     source='K; CRO/I965 batch; IVB1.3',
     tested='src/intel/sim/tests/cs/test_batch.c: at 0x000000110000',
     status=FAULT)

rule('KR-11',
     gens='8 9',
     confidence='H',
     title='Chain by MI_BATCH_BUFFER_START with the address-space bit',
     effect='hang, stale command',
     text='Chain by MI_BATCH_BUFFER_START with the address-space bit of the '
          'running batch; second-level start comes back at END, first-level '
          'does not. If a secondary lies within CS prefetch distance of the '
          'command that patches it, pad with NOOPs',
     source='IVB1.3; HVK batch_chain',
     reason='CO-16; batches return as the chip does',
     status=OTHERS)

rule('KR-12',
     gens='7 75',
     confidence='H',
     title='a batch that starts another one',
     effect='LRIs ignored',
     text='Any MI_BATCH_BUFFER_START in the user batch makes the parser '
          'refuse it (-EACCES path of KR-30): the whole original batch then '
          'runs unprivileged, so L3/SO/predicate LRIs are lost. Give one '
          'contiguous batch with a real length',
     source='K i915_cmd_parser check_bbstart; HVK device (can_chain_batches '
            'only for 8+)',
     missing='one contiguous batch',
     status=ENFORCED)

rule('KR-13',
     gens='7 75 8 9',
     confidence='H',
     title='Before each request the kernel emits TXI, CNI, STI, INI, VFI',
     text='Before each request the kernel emits TXI, CNI, STI, INI, VFI, '
          'TLB invalidate with PSO and CSS (9: null PC before; 7: CSS PC '
          'before); after it RTF, DEF, DCF flush with seqno write. So a '
          'batch starts with clean read caches and ends flushed',
     source='K emit_flush_rcs, emit_fini_breadcrumb',
     status=DESCRIBES)

rule('KR-15',
     gens='7 75 8 9',
     confidence='H',
     title='CPU-written buffers',
     effect='stale',
     text='CPU-written buffers: coherent on LLC parts (IVB, HSW, BDW, SKL '
          'client). BYT/CHV/BXT need clflush or write-combining maps plus '
          'sfence. Scanout (display) is not LLC-coherent',
     source='K gem domains; HVK device (memory types)',
     status=DESCRIBES)

rule('KR-16',
     gens='7 75 8 9',
     confidence='H',
     title='Cache mode of a buffer',
     effect='stale (scanout)',
     text='Cache mode of a buffer: 7/75 by PTE (set_caching) or MOCS; 8 via '
          'PAT in PTE + MOCS; 9 MOCS table index: 0 uncached, 1 from PTE, 2 '
          'write-back LLC + L3 (field holds index*2); unlisted indices act '
          'as 1',
     source='K gt/intel_mocs; ISL isl_mocs',
     status=DESCRIBES)

rule('KR-17',
     gens='7 75 8 9',
     confidence='H',
     title='state that was never sent',
     effect='hang on first draw',
     text='A new context starts from the golden image recorded after a '
          'null-state batch at driver load (7,75: by MI_SET_CONTEXT; after '
          'a clear-residuals kernel on 7,75 as well). Nothing else is '
          'promised: not SBA, L3, pipeline select, viewport, chicken bits. '
          'Without hardware contexts all state is inherited. Wanted are the '
          'packets of all stages, the rasteriser, depth, samples and the '
          'URB, and those of what another packet or the draw switches on',
     source='K gt/intel_gt.c __engines_record_defaults, gen7_renderclear; '
            'IRIS init',
     missing='the packet, as nothing is promised of a new context',
     status=ENFORCED)

rule('KR-20',
     gens='8 9',
     confidence='H',
     effect='page fault, hang',
     text='Context restore re-executes latched 3DSTATE_CONSTANT with stale '
          'pointers: disable push constants (or ISP disable) before freeing '
          'buffers at batch end',
     source='HVK cmd end of batch (Gen8/9: ISP disable PC + null '
            'constants); IRIS iris_restore_render_saved_bos keeps the '
            'buffers instead',
     title='constants that were freed, fetched as the context comes back',
     missing='PIPE_CONTROL with Indirect State Pointers Disable, or empty '
             'constants, at the end of the batch; or their buffers in the '
             'next',
     beside='Gen7: hasvk does it from Gen8 on only, crocus never; what its '
            'contexts restore is not documented. Buffers that are no '
            'object of the next batch, but are mapped still: the kernel '
            'may have moved them',
     status=ENFORCED)

rule('KR-21',
     gens='7 75 8 9',
     confidence='M',
     title='Saved with the context',
     text='Saved with the context: L3 regs, SO offsets, GPRs, predicate, '
          'statistics counters, INSTPM, CACHE_MODE_1, CS_CHICKEN1. Not '
          'kept: SLM contents, URB contents, caches, EU registers, '
          'TIMESTAMP',
     source='K intel_lrc; IVB1.1 context image',
     status=DESCRIBES)

rule('KR-22',
     gens='7 75 8 9',
     confidence='H',
     title='Hang',
     effect='device lost',
     text='Hang: after seconds without progress the engine is reset; the '
          'guilty context gets EIO (ban after repeats; non-recoverable '
          'contexts at once); innocent ones are replayed',
     source='K gt/intel_reset, i915_gem_context',
     status=DESCRIBES)

rule('KR-23',
     gens='7 75',
     confidence='H',
     title='GEN7_SOL_RESET execbuf flag makes the kernel zero all',
     effect='stale offset',
     text='GEN7_SOL_RESET execbuf flag makes the kernel zero all '
          'SO_WRITE_OFFSET registers at batch start (needed before LRI from '
          'user was allowed)',
     source='K execbuffer; CRO',
     status=DESCRIBES)

rule('KR-30',
     gens='7 75',
     confidence='H',
     title='The parser checks a copy',
     effect='effect missing',
     text='The parser checks a copy: accepted, the copy runs privileged. '
          'Refused command or register (-EACCES): the original runs '
          'non-secure and hardware turns privileged writes into NOOPs, no '
          'error returned. Unknown command, length past the end, or no '
          'MI_BATCH_BUFFER_END: -EINVAL. Self-modified commands behave by '
          'what memory held at submit',
     source='K i915_cmd_parser intel_engine_cmd_parser',
     tested='src/intel/sim/tests/cs/test_batch.c: "0x7fffffff"',
     status=FAULT)

rule('KR-31',
     gens='7 75',
     confidence='H',
     effect='ignored',
     text='Allowed: GPGPU_THREADS_DISPATCHED and the HS, DS, IA, VS, GS, '
          'CL, PS counters, PS_DEPTH_COUNT, TIMESTAMPs, '
          'MI_PREDICATE_SRC0/1, 3DPRIM_ (6), GPGPU_DISPATCHDIMX/Y/Z, '
          'SO_NUM_PRIMS_WRITTEN, SO_PRIM_STORAGE_NEEDED, SO_WRITE_OFFSET '
          '(0-3), L3SQCREG1, L3CNTLREG2, L3CNTLREG3. Not L3CNTLREG1, '
          'INSTPM, CACHE_MODE or GT_MODE',
     source='K gen7_render_regs',
     title="a register that the kernel's parser refuses",
     missing='another way',
     status=ENFORCED)

rule('KR-32',
     gens='75',
     confidence='H',
     effect='ignored',
     text='Adds CS_GPR0-15; SCRATCH1 and ROW_CHICKEN3 only by LRI and only '
          'the L3-atomics-disable bit; LRR only between listed registers',
     source='K hsw_render_regs',
     title="a register or value that the kernel's parser refuses",
     missing='MI_LOAD_REGISTER_IMM of the bits that switch atomics off',
     status=ENFORCED)

rule('KR-33',
     gens='7 75',
     confidence='H',
     effect='as KR-30',
     text='Refused commands: USER_INTERRUPT, display WAIT_FOR_EVENT, '
          'mailbox semaphores, STORE_DWORD_INDEX, ARB_ON_OFF, DISPLAY_FLIP, '
          'SET_CONTEXT, UPDATE_GTT, SUSPEND_FLUSH, LOAD_SCAN_LINES; GGTT '
          'bit in memory commands; PC with notify, MMIO write, or PSO to '
          'GGTT / status page; MEDIA_VFE with gateway MMIO',
     source='K cmd tables',
     title="a command that the kernel's parser refuses",
     missing='another way',
     status=ENFORCED)

rule('KR-34',
     gens='8 9',
     confidence='M',
     effect='write dropped',
     text='No software parser on render; hardware drops writes outside its '
          'own user list. Drivers rely on: GPRs, predicate, SO, counters, '
          'dispatch dims, L3CNTLREG 0x7034, INSTPM, CACHE_MODE_0/1, '
          'CS_DEBUG_MODE2, GT_MODE (masked ones need mask)',
     source='HVK/ANV/IRIS use; no public list read',
     title='a register that the chip drops writes to',
     missing='a register of the list',
     status=ENFORCED)

rule('KR-35',
     gens='9',
     confidence='H',
     title='Extra list opened by kernel',
     effect='dropped',
     text='Extra list opened by kernel: CTX_PREEMPT_REG (0x2248), '
          'CS_CHICKEN1 (0x2580), HDC_CHICKEN1 (0x7304), '
          'COMMON_SLICE_CHICKEN2 (0x7014, from SKL on), L3SQCREG4 (SKL, BXT '
          'by revision), GLK SLICE_COMMON_ECO_CHICKEN1',
     source='K gt/intel_workarounds gen9_whitelist_build',
     reason='part of the list of KR-34',
     status=OTHERS)

rule('KR-37',
     gens='7 75 8 9',
     confidence='H',
     title='a masked register written without its mask',
     effect='silently unchanged',
     text='Masked registers (high 16 bits mask) written without the mask '
          'bit change nothing; unmasked registers need all bits right',
     source='IVB1.1; K',
     missing='the mask in bits 31:16',
     status=ENFORCED)

rule('KR-40',
     gens='7',
     confidence='H',
     title='COMMON_SLICE_CHICKEN1 RHWO-disable bit cleared',
     text='COMMON_SLICE_CHICKEN1 RHWO-disable bit cleared; L3CNTLREG1 and '
          'L3 chicken register at fixed values; L3SQCREG4 '
          'URB-read-CAM-match-disable cleared; object-end cull off '
          '(3D_CHICKEN3); FF_THREAD_MODE: VS, TS, DS scheduled by hardware; '
          'single-port PS dispatch on IVB GT1 and BYT. HiZ RAW stall '
          'optimisation left off (corrupts HiZ on GT1)',
     source='K ivb_gt, rcs_engine_wa_init',
     status=DESCRIBES)

rule('KR-41',
     gens='7 75',
     confidence='H',
     title='Explicit TLB invalidate + replay mode',
     text='Explicit TLB invalidate + replay mode; RC operational flush off; '
          'pixel-subspan-collect optimisation off; hashing 16x4; async-flip '
          'performance bit off',
     source='K rcs_engine_wa_init',
     status=DESCRIBES)

rule('KR-42',
     gens='75',
     confidence='H',
     title='L3 atomics disabled',
     text='L3 atomics disabled (SCRATCH1, ROW_CHICKEN3); VS reference-count '
          'full-miss bit cleared; sample_c performance chicken set; HiZ RAW '
          'stall optimisation on',
     source='K hsw_gt, rcs_engine_wa_init',
     status=DESCRIBES)

rule('KR-43',
     gens='8',
     confidence='H',
     title='INSTPM force ordering',
     text='INSTPM force ordering; partial instruction shootdown off; HDC '
          'forced non-coherent and no fetch for masked lanes; context save '
          'non-coherent; HiZ RAW stall optimisation on; 4x4 STC '
          'optimisation off; hashing 16x4; DOP clock gating and its stall '
          'off; sampler power bypass off; GT3: HDC fence to SLM disabled',
     source='K gen8_ctx, bdw_ctx',
     status=DESCRIBES)

rule('KR-44',
     gens='9',
     confidence='H',
     title='Flow-control bit and shootdown-off in ROW_CHICKEN; YV12 fix',
     text='Flow-control bit and shootdown-off in ROW_CHICKEN; YV12 fix and '
          'GPGPU preemption bit in HALF_SLICE_CHICKEN7; compressed-resource '
          'hash (LLC parts); 4x4 STC off, partial-resolve-in-VC off '
          '(CACHE_MODE_1); CCS TLB prefetch off; HDC non-coherent set; '
          'sampler power bypass off; ST power optimisation off; preemption '
          'at command level only (3D object bit off) until user raises it '
          'in CS_CHICKEN1; IZ hashing by fused subslice',
     source='K gen9_ctx, skl_ctx',
     status=DESCRIBES)

rule('KR-45',
     gens='9',
     confidence='H',
     title='Global',
     text='Global: kill logic off, HDC invalidation off in GAM_ECOCHK, '
          'coherent-line flush set and L3 atomics off in L3SQCREG4, LBS SLA '
          'retry timer, GPGPU sync-switch off; in-place decompression WA '
          'before SKL H0; BXT: HiZ clear-value factor-in (WM_CHICKEN3)',
     source='K gen9_gt, skl_gt, rcs_engine_wa_init',
     status=DESCRIBES)

rule('KR-46',
     gens='9',
     confidence='H',
     title='Indirect-context batch at every restore',
     text='Indirect-context batch at every restore: coherent L3 lines '
          'flushed, L3 flush with post-sync for SLM, gather-at-set-shader '
          'bit cleared in COMMON_SLICE_CHICKEN2, provoking-vertex fixes in '
          'FF_SLICE_CHICKEN and 3D_CHICKEN3, pool state on BXT',
     source='K gt/intel_lrc gen9_init_indirectctx_bb',
     status=DESCRIBES)

rule('KR-47',
     gens='7 75 8 9',
     confidence='H',
     title='Not set by the kernel, so the driver must',
     text='Not set by the kernel, so the driver must: L3 partition, '
          'push-constant alloc, URB, sample pattern, WM_HZ_OP, chroma '
          'key/AA/stipple packets, float-blend bit of CACHE_MODE_1 (9), '
          'object-level preemption, L3 atomics for user needs',
     source='HVK/ANV genX_state; IRIS init_render_context',
     reason='KR-17 looks for the packets and for L3; the bits of registers are '
            'choices',
     status=OTHERS)

rule('KR-48',
     gens='9',
     confidence='H',
     title='a draw without what avoids the MSC RAW hazard',
     text='Bit 9 of CACHE_MODE_1, with its mask, avoids a hazard of reads '
          'after writes in the MSC; no kernel sets it',
     effect='corruption',
     missing='CACHE_MODE_1 with MSC RAW Hazard Avoidance Bit, once in a '
             'context',
     source='Mesa 545d852a7a7, 22011374674 (i965, iris, anv)',
     status=ENFORCED)
