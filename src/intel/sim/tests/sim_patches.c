/* SPDX-License-Identifier: MIT */
#include "sim_patches.h"

#include <string.h>

void
restart(void **state)
{
   f_teardown(state);
   f_setup(state);
}

void
program(struct pipe *p, unsigned offset_B, const char *text)
{
   assert_true(batch_program(&p->programs, offset_B, text) <= PROGRAM_B);
}

static void
emit_vertices(struct pipe *p)
{
   struct batch *b = &p->b;
   const struct GEN9_3DSTATE_VERTEX_ELEMENTS e = { .DWordLength = 3 };
   const struct GEN9_VERTEX_ELEMENT_STATE s[2] = {
      { .Valid = true,
        .Component0Control = VFCOMP_STORE_0,
        .Component1Control = VFCOMP_STORE_0,
        .Component2Control = VFCOMP_STORE_0,
        .Component3Control = VFCOMP_STORE_0 },
      { .Valid = true,
        .SourceElementFormat = ISL_FORMAT_R32G32B32A32_FLOAT,
        .Component0Control = VFCOMP_STORE_SRC,
        .Component1Control = VFCOMP_STORE_SRC,
        .Component2Control = VFCOMP_STORE_SRC,
        .Component3Control = VFCOMP_STORE_SRC },
   };
   GEN9_3DSTATE_VERTEX_ELEMENTS_pack(b->next, &e);
   for (unsigned i = 0; i < 2; i++)
      GEN9_VERTEX_ELEMENT_STATE_pack(&b->next[1 + 2 * i], &s[i]);
   b->next += 5;

   const struct GEN9_3DSTATE_VERTEX_BUFFERS v = { .DWordLength = 3 };
   const struct GEN9_VERTEX_BUFFER_STATE vb = {
      .AddressModifyEnable = true,
      .BufferStartingAddress = VERTICES,
      .BufferSize = 4096,
      .BufferPitch = 16,
   };
   GEN9_3DSTATE_VERTEX_BUFFERS_pack(b->next, &v);
   GEN9_VERTEX_BUFFER_STATE_pack(b->next + 1, &vb);
   b->next += 5;
   for (unsigned i = 0; i < 256; i++) {
      const float f[4] = { (float)i, 2 * (float)i, 3 * (float)i, 1 };
      memcpy(&p->vertices.map[4 * i], f, sizeof(f));
   }
}

static void
emit_capture(struct pipe *p)
{
   struct batch *b = &p->b;
   EMIT(b, 3DSTATE_STREAMOUT, .SOFunctionEnable = true,
        .SOStatisticsEnable = true, .RenderingDisable = true,
        .Stream0VertexReadLength = 1, .Buffer0SurfacePitch = 4 * VERTEX_DW);
   batch_so_decls(b, 1);
   EMIT(b, 3DSTATE_SO_BUFFER, .SOBufferEnable = true,
        .StreamOffsetWriteEnable = true, .StreamOffset = 0,
        .SurfaceBaseAddress = SO, .SurfaceSize = SO_SIZE_B / 4 - 1);
}

struct pipe
pipe_start(void **state)
{
   struct pipe p = { .b = batch_start(state) };
   struct fixture *f = p.b.f;
   struct batch *b = &p.b;
   p.vertices = f_bo(f, 4096, VERTICES);
   p.so = f_bo(f, SO_SIZE_B, SO);
   p.constants = f_bo(f, 4096, CONSTANTS);
   p.programs = f_bo(f, 4 * PROGRAM_B, PROGRAMS);
   EMIT(b, PIPELINE_SELECT, .MaskBits = 3, .PipelineSelection = PIPELINE_3D);
   EMIT(b, STATE_BASE_ADDRESS, .InstructionBaseAddress = PROGRAMS,
        .InstructionBaseAddressModifyEnable = true);
   EMIT(b, 3DSTATE_URB_VS, .VSNumberofURBEntries = 64,
        .VSURBEntryAllocationSize = 0);
   EMIT(b, 3DSTATE_URB_HS, .HSURBStartingAddress = 1,
        .HSNumberofURBEntries = 8, .HSURBEntryAllocationSize = 2);
   EMIT(b, 3DSTATE_URB_DS, .DSURBStartingAddress = 2,
        .DSNumberofURBEntries = 64, .DSURBEntryAllocationSize = 0);
   emit_vertices(&p);
   emit_capture(&p);
   return p;
}

void
emit_hs_constants(struct pipe *p)
{
   struct batch *b = &p->b;
   struct GEN9_3DSTATE_CONSTANT_HS c = { GEN9_3DSTATE_CONSTANT_HS_header };
   c.ConstantBody.ReadLength[3] = 1;
   c.ConstantBody.Buffer[3] = CONSTANTS;
   GEN9_3DSTATE_CONSTANT_HS_pack(b->next, &c);
   b->next += GEN9_3DSTATE_CONSTANT_HS_length;
}

void
emit_hs(struct pipe *p, unsigned instances)
{
   EMIT(&p->b, 3DSTATE_HS, .Enable = true, .StatisticsEnable = true,
        .InstanceCount = instances - 1, .IncludeVertexHandles = true,
        .KernelStartPointer = HS_AT,
        .DispatchGRFStartRegisterForURBData = HS_GRF);
}

void
emit_te(struct pipe *p, uint32_t domain, uint32_t partitioning,
        uint32_t topology)
{
   EMIT(&p->b, 3DSTATE_TE, .TEEnable = true, .TEDomain = domain,
        .Partitioning = partitioning, .OutputTopology = topology,
        .MaximumTessellationFactorOdd = 63,
        .MaximumTessellationFactorNotOdd = 64);
}

void
emit_ds(struct pipe *p, bool w)
{
   EMIT(&p->b, 3DSTATE_DS, .Enable = true, .StatisticsEnable = true,
        .KernelStartPointer = DS_AT, .ComputeWCoordinateEnable = w,
        .DispatchMode = DISPATCH_MODE_SIMD8_SINGLE_PATCH,
        .DispatchGRFStartRegisterForURBData = 5, .PatchURBEntryReadOffset = 1,
        .PatchURBEntryReadLength = 1);
}

void
draw_patches(struct pipe *p, unsigned control_points, unsigned patches)
{
   struct batch *b = &p->b;
   EMIT(b, 3DSTATE_VF_TOPOLOGY,
        .PrimitiveTopologyType = _3DPRIM_PATCHLIST_1 + control_points - 1);
   EMIT(b, 3DPRIMITIVE, .VertexCountPerInstance = control_points * patches,
        .InstanceCount = 1);
}

void
set_header(struct pipe *p, const float header[8])
{
   memcpy(p->constants.map, header, 32);
}

float
so_float(const struct pipe *p, unsigned vertex, unsigned component)
{
   float f;
   memcpy(&f, &p->so.map[VERTEX_DW * vertex + component], 4);
   return f;
}

const char hs_text[] =
   "mov (8|M0) r10.0<1>:ud r0.0<0;1,0>:ud\n"
   "send (8|M0) r20:uw r1 0x6 0x02480018\n"
   "mov (8|M0) r11.0<1>:uw 0x76543210:uv\n"
   "mov (8|M0) r30.0<1>:ud r10.0<8;8,1>:ud\n"
   "mov (8|M0) r31.0<1>:ud r11.0<8;8,1>:uw\n"
   "mov (8|M0) r32.0<1>:ud r20.0<8;8,1>:ud\n"
   "mov (8|M0) r33.0<1>:ud r21.0<8;8,1>:ud\n"
   "mov (8|M0) r34.0<1>:ud r22.0<8;8,1>:ud\n"
   "mov (8|M0) r35.0<1>:ud r0.1<0;1,0>:ud\n"
   "send (8|M0) null r30 0x6 0x0C0A0027\n" HS_WRITE_HEADER(
      "0x26 0x12080007 {EOT}");

#define HS_INSTANCE                                                          \
   "mov (8|M0) r10.0<1>:ud r0.0<0;1,0>:ud\n"                                 \
   "shr (8|M0) r12.0<1>:ud r0.2<0;1,0>:ud 0x11:ud\n"                         \
   "and (8|M0) r12.0<1>:ud r12.0<8;8,1>:ud 0x7f:ud\n"                        \
   "add (8|M0) r13.0<1>:ud r12.0<8;8,1>:ud 0x2:ud\n"                         \
   "mov (8|M0) r30.0<1>:ud r10.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r31.0<1>:ud r13.0<8;8,1>:ud\n"                                \
   "mov (8|M0) r32.0<1>:ud r12.0<8;8,1>:ud\n"                                \
   "send (8|M0) null r30 0x6 0x060A0007\n"

#define HS_BARRIER                                                           \
   "mov (8|M0) r40.0<1>:ud 0x0:ud\n"                                         \
   "and (1|M0) r40.2<1>:ud r0.2<0;1,0>:ud 0x1e000:ud\n"                      \
   "shl (1|M0) r40.2<1>:ud r40.2<0;1,0>:ud 0xb:ud\n"                         \
   "or (1|M0) r40.2<1>:ud r40.2<0;1,0>:ud 0x8600:ud\n"                       \
   "send (8|M0) null r40 0x3 0x02000004\n"                                   \
   "wait n0.0<0;1,0>:ud\n"

/* r50: what the three have written, dword by dword. */
#define HS_SUM                                                               \
   "mov (8|M0) r30.0<1>:ud r10.0<8;8,1>:ud\n"                                \
   "send (8|M0) r50:uw r30 0x6 0x02180028\n"                                 \
   "send (8|M0) r51:uw r30 0x6 0x02180038\n"                                 \
   "send (8|M0) r52:uw r30 0x6 0x02180048\n"                                 \
   "add (8|M0) r50.0<1>:ud r50.0<8;8,1>:ud r51.0<8;8,1>:ud\n"                \
   "add (8|M0) r50.0<1>:ud r50.0<8;8,1>:ud r52.0<8;8,1>:ud\n"

const char hs_barrier_text[] = HS_INSTANCE HS_BARRIER HS_SUM HS_BARRIER
   "mov (8|M0) r31.0<1>:ud r50.0<8;8,1>:ud\n"
   "mov (8|M0) r32.0<1>:ud r6.0<0;1,0>:ud\n"
   "mov (8|M0) r33.0<1>:ud r7.0<0;1,0>:ud\n"
   "mov (8|M0) r34.0<1>:ud r8.0<0;1,0>:ud\n"
   "send (8|M0) null r30 0x6 0x0A080027\n" HS_WRITE_HEADER(
      "0x26 0x12080007 {EOT}");

const char hs_lost_text[] = HS_INSTANCE
   "cmp (8|M0) (eq)f0.0 null<1>:ud r12.0<8;8,1>:ud 0x0:ud\n"
   "(f0.0) if (8|M0) L1 L1\n" HS_WRITE_HEADER(
      "0x26 0x12080007 {EOT}") "L1:\n"
                               "endif (8|M0) L2\n"
                               "L2:\n" HS_BARRIER HS_WRITE_HEADER(
                                  "0x26 0x12080007 {EOT}");

/* r1 records, r2 primitive ids, r3, r4 handles, r5 constants, then two times
 * eight registers. */
const char hs_8_text[] =
   "mov (8|M0) r10.0<1>:ud r1.0<8;8,1>:ud\n"
   "send (8|M0) r20:uw r3 0x6 0x02480018\n"
   "mov (8|M0) r30.0<1>:ud r10.0<8;8,1>:ud\n"
   "mov (8|M0) r31.0<1>:ud r20.0<8;8,1>:ud\n" /* first, x */
   "mov (8|M0) r32.0<1>:ud r19.0<8;8,1>:ud\n" /* second, y */
   "mov (8|M0) r33.0<1>:ud r2.0<8;8,1>:ud\n"
   "shr (8|M0) r34.0<1>:ud r0.2<0;1,0>:ud 0x11:ud\n"
   "send (8|M0) null r30 0x6 0x0A080027\n" HS_WRITE_HEADER(
      "0x26 0x12080007 {EOT}");

const char ds_text[] = DS_WRITE("r4", "r5.2<0;1,0>");

void
save_statistics(struct pipe *p)
{
   batch_save(&p->b, GEN9_HS_INVOCATION_COUNT_num, DATA);
   batch_save(&p->b, GEN9_DS_INVOCATION_COUNT_num, DATA + 8);
   batch_save(&p->b, GEN9_SO_NUM_PRIMS_WRITTEN0_num, DATA + 16);
}
