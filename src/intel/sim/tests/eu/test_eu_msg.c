/* SPDX-License-Identifier: MIT */
/*
 * Messages: each kind's layout, masks and bounds, against memory that the
 * test fills and reads itself.
 *
 * Descriptors are built here from the manual's fields, not by a table that
 * the simulator uses.
 */
#include "eu_test.h"
#include "intel/genxml/gen9_pack.h"
#include "intel/sim/mem/mem.h"

#define BUFFER 0x100000000ull
#define STATE 0x200000000ull
#define SURFACE_OFFSET 0x100
#define BUFFER_B 4096u

#define DESC(mlen, rlen, header, control)                                    \
   ((uint32_t)(mlen) << 25 | (uint32_t)(rlen) << 20 |                        \
    (uint32_t)(header) << 19 | (control))
#define DP(type, ctrl, bti)                                                  \
   ((uint32_t)(type) << 14 | (uint32_t)(ctrl) << 8 | (bti))

#define STATELESS 255

struct fixture {
   struct sim_vm *vm;
   struct sim_bo *data, *state;
   struct sim_mem mem;
   struct sim_eu_env env;
   uint8_t urb[4096], slm[256];
   struct sim_eu_thread t;
};

static struct fixture f;

static int
setup(void **state)
{
   f.vm = sim_vm_create();
   f.data = sim_bo_create(BUFFER_B);
   f.state = sim_bo_create(4096);
   if (!f.vm || !f.data || !f.state || !sim_vm_bind(f.vm, f.data, BUFFER) ||
       !sim_vm_bind(f.vm, f.state, STATE))
      return -1;
   sim_mem_init(&f.mem, f.vm);

   /* Binding table entry 1: 256 raw bytes at BUFFER + 1024; 2: structures of
    * 16 bytes, 4 of them, in the same place. */
   uint32_t *table = (uint32_t *)f.state->map;
   table[1] = SURFACE_OFFSET;
   table[2] = SURFACE_OFFSET + 64;
   for (unsigned i = 0; i < 2; i++) {
      const unsigned n = i ? 4 : 256;
      const struct GEN9_RENDER_SURFACE_STATE s = {
         .SurfaceType = i ? 5 : 4,
         .SurfaceFormat = 0x1ff, /* RAW */
         .SurfaceBaseAddress = BUFFER + 1024,
         .Width = (n - 1) & 0x7f,
         .Height = (n - 1) >> 7,
         .SurfacePitch = i ? 15 : 0,
         .ShaderChannelSelectRed = 4,
         .ShaderChannelSelectGreen = 5,
         .ShaderChannelSelectBlue = 6,
         .ShaderChannelSelectAlpha = 7,
      };
      GEN9_RENDER_SURFACE_STATE_pack(f.state->map + SURFACE_OFFSET + 64 * i,
                                     &s);
   }
   /* 3: an image of 8 x 4 texels of four bytes, rows 64 bytes apart; 4: the
    * same memory as dwords. */
   for (unsigned i = 0; i < 2; i++) {
      table[3 + i] = SURFACE_OFFSET + 64 * (2 + i);
      const struct GEN9_RENDER_SURFACE_STATE s = {
         .SurfaceType = 1,
         .SurfaceFormat = i ? 0xd7 : 0xc7, /* R32_UINT, R8G8B8A8_UNORM */
         .SurfaceBaseAddress = BUFFER + 2048,
         .SurfaceHorizontalAlignment = 1,
         .SurfaceVerticalAlignment = 1,
         .Width = 7,
         .Height = 3,
         .SurfacePitch = 63,
         .ShaderChannelSelectRed = 4,
         .ShaderChannelSelectGreen = 5,
         .ShaderChannelSelectBlue = 6,
         .ShaderChannelSelectAlpha = 7,
      };
      GEN9_RENDER_SURFACE_STATE_pack(
         f.state->map + SURFACE_OFFSET + 64 * (2 + i), &s);
   }
   f.env = (struct sim_eu_env) {
      .verx10 = 90,
      .general_state_base = BUFFER,
      .surface_state_base = STATE,
      .urb = f.urb,
      .urb_size_B = sizeof(f.urb),
      .slm = f.slm,
      .slm_size_B = sizeof(f.slm),
   };
   return 0;
}

static int
teardown(void **state)
{
   sim_vm_destroy(f.vm);
   sim_bo_unref(f.data);
   sim_bo_unref(f.state);
   return 0;
}

static uint32_t *
memory(unsigned offset_B)
{
   return (uint32_t *)(f.data->map + offset_B);
}

/* Numbers in memory, a pattern in registers. */
static void
prepare(void)
{
   for (unsigned i = 0; i < BUFFER_B / 4; i++)
      *memory(4 * i) = 0x10000 + i;
   for (unsigned i = 0; i < SIM_GRF_COUNT; i++)
      for (unsigned k = 0; k < 8; k++)
         f.t.grf[i].ud[k] = i << 8 | k;
   memset(f.urb, 0, sizeof(f.urb));
   memset(f.slm, 0, sizeof(f.slm));
}

/* Sends the payload from r10 (second part r20) with the response to r30. */
static enum sim_eu_status
send(unsigned sfid, uint32_t desc, unsigned exec_size, uint32_t mask,
     unsigned ex_mlen)
{
   struct isa_inst insts[2] = { 0 };
   struct isa_inst *i = &insts[0];
   i->opcode = ex_mlen ? ISA_OPCODE_SENDS : ISA_OPCODE_SEND;
   i->exec_size = exec_size;
   i->sfid = sfid;
   i->desc = desc;
   i->ex_desc = ex_mlen << 6;
   i->src[0] = (struct isa_operand) { .file = ISA_FILE_GRF, .nr = 10 };
   i->src[1] = (struct isa_operand) { .file = ISA_FILE_GRF, .nr = 20 };
   if (desc >> 20 & 31)
      i->dst = (struct isa_operand) { .file = ISA_FILE_GRF, .nr = 30 };
   insts[1].opcode = ISA_OPCODE_WAIT;
   insts[1].exec_size = 1;
   insts[1].src[0].file = ISA_FILE_ARF;
   insts[1].src[0].nr = ISA_ARF_NOTIFICATION;
   struct sim_eu_program *p =
      eu_program_from_insts(90, false, insts, 2, EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&f.t, &f.env, mask);
   f.t.mem = &f.mem;
   const enum sim_eu_status s = sim_eu_run(&f.t, p, 0);
   sim_eu_program_destroy(p);
   return s;
}

static void
send_ok(unsigned sfid, uint32_t desc, unsigned exec_size, uint32_t mask,
        unsigned ex_mlen)
{
   if (send(sfid, desc, exec_size, mask, ex_mlen) != SIM_EU_WAIT)
      fail_msg("desc %08x: %s", desc, f.t.fault.text);
}

static void
test_oword_block(void **state)
{
   prepare();
   f.t.grf[10].ud[2] = 3; /* OWords */
   f.t.grf[10].ud[5] = 0x400 | 7;
   send_ok(10, DESC(1, 1, 1, DP(0, 2, STATELESS)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], *memory(1024 + 48 + 4 * i));
   /* Unaligned: bytes, from the constant cache. */
   prepare();
   f.t.grf[10].ud[2] = 20;
   f.t.grf[10].ud[5] = 0;
   send_ok(9, DESC(1, 2, 1, DP(1, 3, STATELESS)), 8, 0xff, 0);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(f.t.grf[30 + i / 8].ud[i % 8], *memory(20 + 4 * i));
   /* A write leaves out channels that are off. */
   prepare();
   f.t.grf[10].ud[2] = 1;
   f.t.grf[10].ud[5] = 0;
   send_ok(10, DESC(2, 0, 1, DP(8, 2, STATELESS)), 8, 0x0f, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(*memory(16 + 4 * i),
                       i < 4 ? 11 << 8 | i : 0x10000 + 4 + i);
   /* The same from a split send. */
   prepare();
   f.t.grf[10].ud[2] = 1;
   f.t.grf[10].ud[5] = 0;
   send_ok(10, DESC(1, 0, 1, DP(8, 2, STATELESS)), 8, 0xff, 1);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(*memory(16 + 4 * i), 20 << 8 | i);
   /* Past the end of a surface: zero, dword by dword. */
   prepare();
   f.t.grf[10].ud[2] = 15;
   send_ok(10, DESC(1, 1, 1, DP(0, 2, 1)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i],
                       i < 4 ? *memory(1024 + 240 + 4 * i) : 0);
}

static void
test_scratch(void **state)
{
   prepare();
   f.env.scratch_per_thread_B = 1024;
   f.t.grf[10].ud[5] = 0x400;
   send_ok(10, DESC(3, 0, 1, 1 << 18 | 1 << 17 | 1 << 16 | 1 << 12 | 2), 16,
           0xfffe, 0);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(*memory(1024 + 64 + 4 * i),
                       i ? (11 + i / 8) << 8 | (i % 8) : 0x10000 + 272);
   send_ok(10, DESC(1, 2, 1, 1 << 18 | 1 << 12 | 2), 16, 0xffff, 0);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(f.t.grf[30 + i / 8].ud[i % 8],
                       *memory(1024 + 64 + 4 * i));
   assert_int_equal(send(10, DESC(1, 2, 1, 1 << 18 | 1 << 12 | 31), 16,
                         0xffff, 0),
                    SIM_EU_FAULT);
   assert_int_equal(f.t.fault.reason, SIM_FAULT_RANGE);
   f.env.scratch_per_thread_B = 0;
}

static void
test_untyped(void **state)
{
   /* SIMD8, two channels (blue and alpha off), raw surface. */
   const uint32_t simd8_xy = 2 << 4 | 0xc;
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10].ud[i] = i == 7 ? 252 : 8 * i;
   send_ok(12, DESC(1, 2, 0, DP(1, simd8_xy, 1)), 8, 0xfd, 0);
   for (unsigned i = 0; i < 8; i++) {
      if (i == 1) {
         assert_int_equal(f.t.grf[30].ud[i], 30 << 8 | 1);
         continue;
      }
      const unsigned at = i == 7 ? 252 : 8 * i;
      assert_int_equal(f.t.grf[30].ud[i], *memory(1024 + at));
      assert_int_equal(f.t.grf[31].ud[i],
                       i == 7 ? 0 : *memory(1024 + at + 4));
   }
   /* SIMD16 write of one channel; the last slots are out of bounds. */
   prepare();
   for (unsigned i = 0; i < 16; i++)
      f.t.grf[10 + i / 8].ud[i % 8] = 224 + 4 * i;
   send_ok(12, DESC(4, 0, 0, DP(9, 1 << 4 | 0xe, 1)), 16, 0xffff, 0);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(*memory(1024 + 224 + 4 * i),
                       i < 8 ? 12 << 8 | i : 0x10000 + 312 + i);
   /* FIXME: structured buffers, once surfaces have them. */
   prepare();
   assert_int_equal(send(12, DESC(2, 1, 0, DP(1, 2 << 4 | 0xe, 2)), 8, 0xff,
                         0),
                    SIM_EU_FAULT);
   /* A header's pixel mask counts. */
   prepare();
   f.t.grf[10].ud[7] = 0x1;
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[11].ud[i] = 4 * i;
   send_ok(12, DESC(2, 1, 1, DP(1, 2 << 4 | 0xe, 1)), 8, 0xff, 0);
   assert_int_equal(f.t.grf[30].ud[0], *memory(1024));
   assert_int_equal(f.t.grf[30].ud[1], 30 << 8 | 1);
   /* A64. */
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10 + i / 4].uq[i % 4] = BUFFER + 4 * (7 - i);
   send_ok(12, DESC(2, 1, 0, DP(0x11, 2 << 4 | 0xe, 253)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], *memory(4 * (7 - i)));
}

static void
test_scattered(void **state)
{
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10].ud[i] = 1 + i;
   send_ok(10, DESC(1, 1, 0, DP(4, 0, STATELESS)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], f.data->map[1 + i]);
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10].ud[i] = 2 * i;
   send_ok(10, DESC(2, 0, 0, DP(12, 1 << 2, STATELESS)), 8, 0x0f, 0);
   assert_int_equal(*memory(0), (11 << 8) | (11u << 8 | 1) << 16);
   assert_int_equal(*memory(8), 0x10002);
   /* A header masks no slots. */
   prepare();
   memset(&f.t.grf[10], 0, SIM_GRF_B);
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[11].ud[i] = 4 * i;
   send_ok(10, DESC(3, 0, 1, DP(12, 2 << 2, STATELESS)), 8, 0x03, 0);
   assert_int_equal(*memory(0), 12 << 8);
   assert_int_equal(*memory(4), 12 << 8 | 1);
   assert_int_equal(*memory(8), 0x10002);
   /* Dwords count in dwords. */
   prepare();
   for (unsigned i = 0; i < 16; i++)
      f.t.grf[10 + i / 8].ud[i % 8] = 15 - i;
   send_ok(10, DESC(2, 2, 0, DP(3, 3, 1)), 16, 0xffff, 0);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(f.t.grf[30 + i / 8].ud[i % 8],
                       *memory(1024 + 4 * (15 - i)));
   /* Their header masks no pixels: M0.7 is 0 here. */
   prepare();
   memset(&f.t.grf[10], 0, sizeof(f.t.grf[10]));
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[11].ud[i] = 7 - i;
   send_ok(10, DESC(2, 1, 1, DP(3, 2, STATELESS)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], *memory(4 * (7 - i)));
}

static uint32_t
atomic(unsigned op, uint32_t old, uint32_t a, uint32_t b, uint32_t *returned)
{
   static const uint8_t operands[16] = { 0, 1, 1, 1, 1, 0, 0, 1,
                                         1, 1, 1, 1, 1, 1, 2, 0 };
   prepare();
   *memory(1024 + 4) = old;
   f.t.grf[10].ud[0] = 4;
   f.t.grf[11].ud[0] = a;
   f.t.grf[12].ud[0] = b;
   send_ok(12, DESC(1 + operands[op], 1, 0, DP(2, 1 << 5 | 1 << 4 | op, 1)),
           8, 0x01, 0);
   *returned = f.t.grf[30].ud[0];
   return *memory(1024 + 4);
}

static void
test_atomics(void **state)
{
   static const struct {
      unsigned op;
      uint32_t old, a, b, want, returned;
   } rows[] = {
      { 1, 0xff, 0x0f, 0, 0x0f, 0xff },
      { 2, 0xf0, 0x0f, 0, 0xff, 0xf0 },
      { 3, 0xff, 0x0f, 0, 0xf0, 0xff },
      { 4, 5, 9, 0, 9, 5 },
      { 5, 5, 0, 0, 6, 5 },
      { 6, 5, 0, 0, 4, 5 },
      { 7, 5, 9, 0, 14, 5 },
      { 8, 5, 9, 0, (uint32_t)-4, 5 },
      { 9, 5, 9, 0, 4, 5 },
      { 10, 5, (uint32_t)-1, 0, 5, 5 },
      { 11, 5, (uint32_t)-1, 0, (uint32_t)-1, 5 },
      { 12, 5, (uint32_t)-1, 0, (uint32_t)-1, 5 },
      { 13, 5, (uint32_t)-1, 0, 5, 5 },
      { 14, 5, 5, 9, 9, 5 },
      { 14, 5, 6, 9, 5, 5 },
      { 15, 5, 0, 0, 4, 4 },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      uint32_t returned;
      assert_int_equal(atomic(rows[i].op, rows[i].old, rows[i].a, rows[i].b,
                              &returned),
                       rows[i].want);
      assert_int_equal(returned, rows[i].returned);
   }
   /* All slots on one address: all of them count. */
   prepare();
   for (unsigned i = 0; i < 16; i++) {
      f.t.grf[10 + i / 8].ud[i % 8] = 0;
      f.t.grf[12 + i / 8].ud[i % 8] = 3;
   }
   *memory(1024) = 100;
   send_ok(12, DESC(4, 2, 0, DP(2, 1 << 5 | 7, 1)), 16, 0xffff, 0);
   assert_int_equal(*memory(1024), 148);
   assert_int_equal(f.t.grf[31].ud[7], 145);
   /* Shared local memory. */
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10].ud[i] = 16;
   send_ok(12, DESC(1, 0, 0, DP(2, 1 << 4 | 5, 254)), 8, 0xff, 0);
   assert_int_equal(f.slm[16], 8);
}

static void
test_urb(void **state)
{
   /* Write two dwords at OWord 1, second one masked off for slot 3. */
   prepare();
   for (unsigned i = 0; i < 8; i++) {
      f.t.grf[10].ud[i] = 4 + i;
      f.t.grf[11].ud[i] = i == 3 ? 1 << 16 : 0xff << 16;
   }
   send_ok(6, DESC(4, 0, 1, 1 << 15 | 1 << 4 | 7), 8, 0x7f, 0);
   for (unsigned i = 0; i < 8; i++) {
      uint32_t v[2];
      memcpy(v, f.urb + (4 + i) * 64 + 16, 8);
      assert_int_equal(v[0], i < 7 ? 12 << 8 | i : 0);
      assert_int_equal(v[1], i < 7 && i != 3 ? 13 << 8 | i : 0);
   }
   /* Read with an offset per slot. */
   for (unsigned i = 0; i < sizeof(f.urb) / 4; i++)
      memcpy(f.urb + 4 * i, &i, 4);
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[11].ud[i] = i;
   send_ok(6, DESC(2, 4, 1, 1 << 17 | 2 << 4 | 8), 8, 0xff, 0);
   for (unsigned k = 0; k < 4; k++)
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(f.t.grf[30 + k].ud[i],
                          (4 + i) * 16 + (2 + i) * 4 + k);
   /* An entry past its end. */
   f.t.grf[10].ud[5] = 64;
   assert_int_equal(send(6, DESC(1, 1, 1, 8), 8, 0xff, 0), SIM_EU_FAULT);
   assert_int_equal(f.t.fault.lane, 5);
   send_ok(6, DESC(1, 1, 1, 8), 8, 0xdf, 0);
}

/* Offsets that lead out of the URB: reads get nothing, up to the largest
 * valid one; writes must not be. */
static void
test_urb_outside(void **state)
{
   prepare();
   for (unsigned i = 0; i < 8; i++) {
      f.t.grf[10].ud[i] = i;
      f.t.grf[11].ud[i] = i == 3 ? 0x0fffffff : 0;
   }
   memset(f.urb, 0x77, sizeof(f.urb));
   send_ok(6, DESC(2, 1, 1, 1 << 17 | 8), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], i == 3 ? 0 : 0x77777777);
   assert_int_equal(send(6, DESC(3, 0, 1, 1 << 17 | 7), 8, 0xff, 0),
                    SIM_EU_FAULT);
   assert_int_equal(f.t.fault.lane, 3);

   /* Two entries, interleaved. */
   prepare();
   memset(f.urb, 0x77, sizeof(f.urb));
   memset(&f.t.grf[10], 0, sizeof(f.t.grf[10]));
   f.t.grf[10].ud[4] = 0x0fffffff;
   send_ok(6, DESC(1, 1, 1, 1 << 17 | 1 << 15 | 3), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], i < 4 ? 0x77777777 : 0);
   f.t.grf[10].ud[4] = 0x10000000;
   assert_int_equal(send(6, DESC(1, 1, 1, 1 << 17 | 1 << 15 | 3), 8, 0xff, 0),
                    SIM_EU_FAULT);
}

/* Texels by coordinates; outside is zero, or nothing. What is written is
 * converted; UNORM is read as its bits. */
static void
test_typed(void **state)
{
   prepare();
   for (unsigned i = 0; i < 8; i++) {
      f.t.grf[10].ud[i] = i + 1;
      f.t.grf[11].ud[i] = 2;
      *memory(2048 + 128 + 4 * i) = 0xff003300u | i;
   }
   send_ok(12, DESC(2, 4, 0, DP(5, 1 << 4, 3)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++) {
      const bool in = i < 7;
      assert_int_equal(f.t.grf[30].ud[i], in ? 0xff003300u | (i + 1) : 0);
      assert_int_equal(f.t.grf[31].ud[i], 0);
      assert_int_equal(f.t.grf[33].ud[i], in);
   }
   /* A write of all channels under a mask. */
   prepare();
   for (unsigned i = 0; i < 8; i++) {
      f.t.grf[10].ud[i] = i;
      f.t.grf[11].ud[i] = 1;
      f.t.grf[12].f[i] = 1.0f;
      f.t.grf[13].f[i] = 0.2f;
      f.t.grf[14].f[i] = -1.0f;
      f.t.grf[15].f[i] = 2.0f;
   }
   send_ok(12, DESC(6, 0, 0, DP(13, 1 << 4, 3)), 8, 0x0f, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(*memory(2048 + 64 + 4 * i),
                       i < 4 ? 0xff0033ff : 0x10000 + 528 + i);
   /* Atomic addition on a texel. */
   prepare();
   for (unsigned i = 0; i < 8; i++) {
      f.t.grf[10].ud[i] = 3;
      f.t.grf[11].ud[i] = i == 0 ? 7 : 1; /* one is outside */
      f.t.grf[12].ud[i] = 2;
   }
   *memory(2048 + 64 + 12) = 50;
   send_ok(12, DESC(3, 1, 0, DP(6, 1 << 5 | 7, 4)), 8, 0xff, 0);
   assert_int_equal(*memory(2048 + 64 + 12), 64);
   assert_int_equal(f.t.grf[30].ud[0], 0);
   assert_int_equal(f.t.grf[30].ud[7], 62);
}

/* Two slots with four channels each: PRM HSW vol 7, SIMD4x2 of the typed
 * messages. */
static void
test_typed_simd4x2(void **state)
{
   prepare();
   memset(&f.t.grf[10], 0, SIM_GRF_B);
   f.t.grf[10].ud[0] = 3;
   f.t.grf[10].ud[1] = 2;
   f.t.grf[10].ud[4] = 8; /* outside */
   *memory(2048 + 128 + 12) = 0xff0033ff;
   send_ok(12, DESC(1, 1, 0, DP(5, 0, 3)), 8, 0xff, 0);
   static const uint32_t texel[8] = { 0xff0033ff, 0, 0, 1 };
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], texel[i]);
   /* Without green, which keeps what was in the register. */
   prepare();
   memset(&f.t.grf[10], 0, SIM_GRF_B);
   *memory(2048) = 0xffffffff;
   send_ok(12, DESC(1, 1, 0, DP(5, 2, 3)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++) {
      static const uint32_t bits[4] = { 0xffffffff, 0, 0, 1 };
      const uint32_t kept = 30 << 8 | i;
      assert_int_equal(f.t.grf[30].ud[i], i % 4 == 1 ? kept : bits[i % 4]);
   }
   /* A write of the second slot alone. */
   prepare();
   memset(&f.t.grf[10], 0, SIM_GRF_B);
   f.t.grf[10].ud[4] = 5;
   f.t.grf[10].ud[5] = 1;
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[11].f[i] = i % 4 ? 1.0f : 0.2f;
   send_ok(12, DESC(2, 0, 0, DP(13, 0, 3)), 8, 0xf0, 0);
   assert_int_equal(*memory(2048), 0x10000 + 512);
   assert_int_equal(*memory(2048 + 64 + 20), 0xffffff33);
   /* An atomic addition by each; the old values come back. */
   prepare();
   memset(&f.t.grf[10], 0, SIM_GRF_B);
   f.t.grf[10].ud[0] = f.t.grf[10].ud[4] = 6;
   f.t.grf[11].ud[0] = 10;
   f.t.grf[11].ud[4] = 5;
   *memory(2048 + 24) = 1;
   send_ok(12, DESC(2, 1, 0, DP(7, 1 << 5 | 7, 4)), 8, 0xff, 0);
   assert_int_equal(*memory(2048 + 24), 16);
   assert_int_equal(f.t.grf[30].ud[0], 1);
   assert_int_equal(f.t.grf[30].ud[4], 11);
}

/* PRM SKL vol 7, "Media Block Read": M0.0 and M0.1 the corner, M0.2 the size;
 * elements at the edges repeat. Writes beyond them are dropped. */
static void
test_media_block(void **state)
{
   prepare();
   f.t.grf[10].ud[0] = 24;
   f.t.grf[10].ud[1] = (uint32_t)-1;
   f.t.grf[10].ud[2] = 2 << 16 | 11;
   /* Rows of twelve bytes, sixteen apart; three of them. */
   send_ok(12, DESC(1, 2, 1, DP(4, 0, 4)), 8, 0xff, 0);
   for (unsigned row = 0; row < 3; row++) {
      for (unsigned i = 0; i < 3; i++) {
         const unsigned y = row ? row - 1 : 0, x = MIN2(6 + i, 7);
         assert_int_equal(f.t.grf[30 + row / 2].ud[row % 2 * 4 + i],
                          *memory(2048 + 64 * y + 4 * x));
      }
   }
   prepare();
   f.t.grf[10].ud[0] = (uint32_t)-4;
   f.t.grf[10].ud[1] = 3;
   f.t.grf[10].ud[2] = 1 << 16 | 7;
   send_ok(12, DESC(2, 0, 1, DP(10, 0, 4)), 8, 0xff, 0);
   assert_int_equal(*memory(2048 + 192), 11 << 8 | 1);
   assert_int_equal(*memory(2048 + 192 - 4), 0x10000 + (2048 + 192 - 4) / 4);
   assert_int_equal(*memory(2048 + 192 + 4), 0x10000 + (2048 + 192 + 4) / 4);
   assert_int_equal(*memory(2048 + 256), 0x10000 + (2048 + 256) / 4);
   /* Larger than eight registers. */
   f.t.grf[10].ud[2] = 7 << 16 | 63;
   assert_int_equal(send(12, DESC(1, 8, 1, DP(4, 0, 4)), 8, 0xff, 0),
                    SIM_EU_FAULT);
}

/* Several dwords or qwords a slot: PRM SKL vol 2d, "A64 Scattered". */
static void
test_a64_scattered(void **state)
{
   /* Eight bytes a slot, anywhere. */
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10 + i / 4].uq[i % 4] = BUFFER + 64 * i + 2;
   send_ok(12, DESC(2, 2, 0, DP(0x10, 3 << 2, 255)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++) {
      uint64_t want;
      memcpy(&want, (const uint8_t *)memory(64 * i) + 2, sizeof(want));
      assert_true(f.t.grf[30 + i / 4].uq[i % 4] == want);
   }
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10 + i / 4].uq[i % 4] = BUFFER + 64 * i;
   send_ok(12, DESC(2, 4, 0, DP(0x10, 2 << 2 | 1, 253)), 8, 0xff, 0);
   for (unsigned k = 0; k < 4; k++)
      for (unsigned i = 0; i < 8; i++)
         assert_int_equal(f.t.grf[30 + k].ud[i], *memory(64 * i + 4 * k));
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10 + i / 4].uq[i % 4] = BUFFER + 64 * i;
   send_ok(12, DESC(6, 0, 0, DP(0x1a, 1 << 2 | 2, 253)), 8, 0x7f, 0);
   for (unsigned i = 0; i < 8; i++) {
      for (unsigned k = 0; k < 4; k++) {
         const uint32_t want = i == 7 ? 0x10000 + 16 * i + k
                                      : (12 + k / 2 * 2 + i / 4) << 8 |
                                           (i % 4 * 2 + k % 2);
         assert_int_equal(*memory(64 * i + 4 * k), want);
      }
   }
}

static void
test_dual_and_a64_blocks(void **state)
{
   prepare();
   f.t.grf[10].ud[5] = 0;
   f.t.grf[11].ud[0] = 2;
   f.t.grf[11].ud[4] = 7;
   send_ok(10, DESC(2, 1, 1, DP(2, 0, STATELESS)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i],
                       *memory((i < 4 ? 32 : 112) + 4 * (i % 4)));
   /* The second is off, and may be where nothing is. */
   prepare();
   f.t.grf[10].ud[5] = 0;
   f.t.grf[11].ud[0] = 2;
   f.t.grf[11].ud[4] = 0x7fa00001;
   send_ok(10, DESC(2, 1, 1, DP(2, 0, STATELESS)), 8, 0x0f, 0);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(f.t.grf[30].ud[i], *memory(32 + 4 * i));
   prepare();
   f.t.grf[10].uq[0] = BUFFER + 256;
   send_ok(12, DESC(1, 2, 1, DP(0x14, 3, 253)), 8, 0xff, 0);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(f.t.grf[30 + i / 8].ud[i % 8], *memory(256 + 4 * i));
   /* One OWord, as IGC loads a scalar of 64 bits: either half, and the other
    * one stays. */
   for (unsigned high = 0; high < 2; high++) {
      prepare();
      f.t.grf[10].uq[0] = BUFFER + 264;
      const uint32_t kept = f.t.grf[30].ud[high ? 0 : 4];
      send_ok(12, DESC(1, 1, 1, DP(0x14, high | 8, 255)), 8, 0xff, 0);
      for (unsigned i = 0; i < 4; i++)
         assert_int_equal(f.t.grf[30].ud[4 * high + i], *memory(264 + 4 * i));
      assert_int_equal(f.t.grf[30].ud[high ? 0 : 4], kept);
   }
   /* A 64-bit addition. */
   prepare();
   *memory(256) = 0xffffffff;
   *memory(260) = 0;
   for (unsigned i = 0; i < 8; i++) {
      f.t.grf[10 + i / 4].uq[i % 4] = BUFFER + 256;
      f.t.grf[12 + i / 4].uq[i % 4] = 1;
   }
   send_ok(12, DESC(4, 2, 0, DP(0x12, 1 << 5 | 1 << 4 | 7, 253)), 8, 0x03, 0);
   assert_int_equal(*memory(256), 1);
   assert_int_equal(*memory(260), 1);
   assert_int_equal(f.t.grf[30].uq[1], 0x100000000);
}

static void
test_faults(void **state)
{
   prepare();
   /* Not mapped: address and lane are told. */
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10].ud[i] = i == 6 ? 0x40000000 : 0;
   assert_int_equal(send(10, DESC(1, 1, 0, DP(4, 2 << 2, STATELESS)), 8, 0xff,
                         0),
                    SIM_EU_FAULT);
   assert_int_equal(f.t.fault.reason, SIM_FAULT_MEMORY);
   assert_int_equal(f.t.fault.lane, 6);
   assert_true(f.t.fault.address == BUFFER + 0x40000000);
   assert_non_null(strstr(f.t.fault.inst, "send"));
   /* No such message, no such function. */
   assert_int_equal(send(12, DESC(1, 1, 0, DP(0x1f, 0, 1)), 8, 0xff, 0),
                    SIM_EU_FAULT);
   assert_int_equal(f.t.fault.reason, SIM_FAULT_UNIMPLEMENTED);
   assert_int_equal(send(2, DESC(1, 1, 0, 0), 8, 0xff, 0), SIM_EU_FAULT);
   assert_int_equal(send(13, DESC(1, 1, 0, 0), 8, 0xff, 0), SIM_EU_FAULT);
   /* Lengths that do not fit the message. */
   assert_int_equal(send(10, DESC(2, 1, 0, DP(4, 2 << 2, STATELESS)), 8, 0xff,
                         0),
                    SIM_EU_FAULT);
   assert_int_equal(f.t.fault.reason, SIM_FAULT_MESSAGE);
   assert_int_equal(send(10, DESC(1, 1, 0, DP(0, 2, STATELESS)), 8, 0xff, 0),
                    SIM_EU_FAULT);
   /* A surface that is none: the type is reserved. */
   const struct GEN9_RENDER_SURFACE_STATE none = { .SurfaceType = 6 };
   ((uint32_t *)f.state->map)[9] = 0x800;
   GEN9_RENDER_SURFACE_STATE_pack(f.state->map + 0x800, &none);
   assert_int_equal(send(12, DESC(1, 1, 0, DP(1, 2 << 4 | 0xe, 9)), 8, 0xff,
                         0),
                    SIM_EU_FAULT);
   /* An image reads as zero, and is not written. */
   prepare();
   send_ok(12, DESC(1, 1, 0, DP(1, 2 << 4 | 0xe, 3)), 8, 0xff, 0);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], 0);
   send_ok(12, DESC(2, 0, 0, DP(9, 2 << 4 | 0xe, 3)), 8, 0xff, 0);
   for (unsigned i = 0; i < BUFFER_B / 4; i++)
      assert_int_equal(*memory(4 * i), 0x10000 + i);
}

/* Memory fences of data and render cache: a response if they commit, and a
 * header always. */
static void
test_fences(void **state)
{
   static const unsigned sfids[2] = { 10, 5 };
   for (unsigned i = 0; i < 2; i++) {
      const unsigned sfid = sfids[i];
      prepare();
      send_ok(sfid, DESC(1, 1, 1, DP(7, 1 << 5, 0)), 8, 0xff, 0);
      send_ok(sfid, DESC(1, 0, 1, DP(7, 0, 0)), 8, 0xff, 0);
      assert_int_equal(send(sfid, DESC(1, 0, 1, DP(7, 1 << 5, 0)), 8, 0xff,
                            0),
                       SIM_EU_FAULT);
      assert_int_equal(send(sfid, DESC(1, 1, 1, DP(7, 0, 0)), 8, 0xff, 0),
                       SIM_EU_FAULT);
      assert_int_equal(send(sfid, DESC(1, 1, 0, DP(7, 1 << 5, 0)), 8, 0xff,
                            0),
                       SIM_EU_FAULT);
   }
}

/* Binding table index 252: the surface state is at the bindless base, in
 * units of 64 bytes in the extended descriptor. */
static void
test_bindless(void **state)
{
   struct isa_inst insts[2] = {
      { .opcode = ISA_OPCODE_SENDS,
        .exec_size = 8,
        .sfid = 12,
        .desc = DESC(1, 1, 0, DP(1, 2 << 4 | 0xe, 252)),
        .ex_desc = 2 << 12 },
      { .opcode = ISA_OPCODE_WAIT, .exec_size = 1 },
   };
   insts[0].dst = (struct isa_operand) { .file = ISA_FILE_GRF, .nr = 30 };
   insts[0].src[0] = (struct isa_operand) { .file = ISA_FILE_GRF, .nr = 10 };
   insts[0].src[1] = (struct isa_operand) { .file = ISA_FILE_GRF, .nr = 20 };
   insts[1].src[0].file = ISA_FILE_ARF;
   insts[1].src[0].nr = ISA_ARF_NOTIFICATION;
   prepare();
   for (unsigned i = 0; i < 8; i++)
      f.t.grf[10].ud[i] = 4 * i;
   f.env.bindless_surface_state_base = STATE + SURFACE_OFFSET - 2 * 64;
   struct sim_eu_program *p =
      eu_program_from_insts(90, false, insts, 2, EU_BODIES_HOST_CODE);
   sim_eu_thread_init(&f.t, &f.env, 0xff);
   f.t.mem = &f.mem;
   assert_int_equal(sim_eu_run(&f.t, p, 0), SIM_EU_WAIT);
   for (unsigned i = 0; i < 8; i++)
      assert_int_equal(f.t.grf[30].ud[i], *memory(1024 + 4 * i));
   sim_eu_program_destroy(p);
   f.env.bindless_surface_state_base = 0;
}

/* Code in the buffer, and nothing else there. */
static void
put_code(unsigned at_B, const char *text)
{
   struct util_dynarray code = { 0 };
   struct isa_errors errors = { 0 };
   assert_true(isa_assemble(ISA_SKL, text, strlen(text), &code, &errors));
   memset(f.data->map, 0xff, BUFFER_B);
   memcpy(f.data->map + at_B, code.data, code.size_B);
   util_dynarray_fini(&code);
}

/* Programs by address: decoded once, and anew when their bytes change. */
static void
test_cache(void **state)
{
   static const char *const texts[2] = {
      "mov (8|M0) r10.0<1>:ud 1:ud\n" TEST_EOT,
      "mov (8|M0) r10.0<1>:ud 2:ud\n"
      "mov (8|M0) r11.0<1>:ud 3:ud\n" TEST_EOT,
   };
   struct sim_eu_cache *c = sim_eu_cache_create(90, false);
   const struct sim_eu_program *p[2], *first = NULL;
   struct sim_eu_fault fault;
   assert_non_null(c);
   for (unsigned i = 0; i < 2; i++) {
      put_code(64, texts[i]);
      p[i] = sim_eu_cache_get(c, &f.mem, BUFFER + 64, &fault);
      assert_non_null(p[i]);
      assert_ptr_equal(p[i],
                       sim_eu_cache_get(c, &f.mem, BUFFER + 64, &fault));
      /* Bits 63:48 repeat bit 47 on the wire; here they are dropped. */
      assert_ptr_equal(p[i], sim_eu_cache_get(c, &f.mem,
                                              (BUFFER + 64) | 0xffffull << 48,
                                              &fault));
      assert_int_equal(sim_eu_program_count(p[i]), 2 + i);
      assert_int_equal(sim_eu_program_size_B(p[i]), 16 * (2 + i));
      if (!i)
         first = p[i];
      /* The first one stays good until trimmed. */
      sim_eu_thread_init(&f.t, &f.env, 0xff);
      assert_int_equal(sim_eu_run(&f.t, first, 0), SIM_EU_EOT);
      assert_int_equal(f.t.grf[10].ud[0], 1);
   }
   assert_ptr_not_equal(p[0], p[1]);
   sim_eu_cache_trim(c);
   sim_eu_thread_init(&f.t, &f.env, 0xff);
   assert_int_equal(sim_eu_run(&f.t, p[1], 0), SIM_EU_EOT);
   assert_int_equal(f.t.grf[11].ud[0], 3);
   assert_null(sim_eu_cache_get(c, &f.mem, BUFFER + BUFFER_B, &fault));
   assert_int_equal(fault.reason, SIM_FAULT_MEMORY);
   assert_null(sim_eu_cache_get(c, &f.mem, BUFFER + 4, &fault));
   /* Memory of zeros is no long program. */
   memset(f.data->map, 0, BUFFER_B);
   assert_int_equal(
      sim_eu_program_count(sim_eu_cache_get(c, &f.mem, BUFFER, &fault)), 1);
   sim_eu_cache_destroy(c);
}

/* Code that is somewhere else each time fills no memory, and what is used
 * between is not decoded again. */
static void
test_cache_of_moving_code(void **state)
{
   struct sim_eu_cache *c = sim_eu_cache_create(90, false);
   struct sim_eu_fault fault;
   assert_non_null(c);
   put_code(0, "mov (8|M0) r10.0<1>:ud 1:ud\n" TEST_EOT);
   const struct sim_eu_program *still =
      sim_eu_cache_get(c, &f.mem, BUFFER, &fault);
   assert_non_null(still);

   const uint64_t far = 1ull << 40;
   for (unsigned i = 0; i < 5000; i++) {
      /* All of the buffer is elsewhere, but for one look at the first. */
      assert_true(sim_vm_bind(f.vm, f.data, far + i * BUFFER_B));
      assert_non_null(
         sim_eu_cache_get(c, &f.mem, far + i * BUFFER_B, &fault));
      assert_true(sim_vm_bind(f.vm, f.data, BUFFER));
      assert_ptr_equal(sim_eu_cache_get(c, &f.mem, BUFFER, &fault), still);
      sim_eu_cache_trim(c);
      assert_in_range(sim_eu_cache_count(c), 2, 1500);
   }
   sim_eu_cache_destroy(c);
}

/* Pixel interpolator: offsets, samples, and the layout of the response. */
static void
barycentric(struct sim_eu_thread *t, unsigned lane, int sample, float dx,
            float dy, bool perspective, float out[2])
{
   out[0] = (float)lane + dx + (perspective ? 1000 : 0);
   out[1] = (float)sample + dy;
}

static void
test_pixel_interp(void **state)
{
   static const struct sim_eu_interp interp = { barycentric };
   prepare();
   f.env.interp = &interp;
   send_ok(11, DESC(1, 4, 0, 1 << 16 | 0x8 | 0x4 << 4), 16, 0xffff, 0);
   for (unsigned i = 0; i < 16; i++) {
      assert_true(f.t.grf[30 + i / 8 * 2].f[i % 8] == (float)i + 999.5f);
      assert_true(f.t.grf[31 + i / 8 * 2].f[i % 8] == -0.75f);
   }
   prepare();
   send_ok(11, DESC(1, 2, 0, 1 << 14 | 1 << 12 | 3 << 4), 8, 0xfe, 0);
   assert_int_equal(f.t.grf[30].ud[0], 30 << 8);
   assert_true(f.t.grf[30].f[1] == 1 && f.t.grf[31].f[1] == 3);
   f.env.interp = NULL;
   assert_int_equal(send(11, DESC(1, 2, 0, 1 << 12), 8, 0xff, 0),
                    SIM_EU_FAULT);
}

/* What one slot of an untyped float atomic leaves in memory. */
static uint32_t
float_atomic(unsigned op, uint32_t old, uint32_t a)
{
   prepare();
   *memory(1024 + 4) = old;
   f.t.grf[10].ud[0] = 4;
   f.t.grf[11].ud[0] = a;
   send_ok(12, DESC(2, 1, 0, DP(27, 1 << 5 | 1 << 4 | op, 1)), 8, 0x01, 0);
   assert_int_equal(f.t.grf[30].ud[0], old);
   return *memory(1024 + 4);
}

/* A signaling NaN wins over all, a quiet one over none, whichever of the two
 * is in memory (GL_INTEL_shader_atomic_float_minmax, issue 3). */
static void
test_float_atomics(void **state)
{
   enum { FMAX = 1, FMIN = 2 };
   const uint32_t one = 0x3f800000, two = 0x40000000, quiet = 0x7fc00123,
                  signaling = 0xff801234;
   static const unsigned ops[] = { FMAX, FMIN };
   assert_int_equal(float_atomic(FMAX, one, two), two);
   assert_int_equal(float_atomic(FMAX, two, one), two);
   assert_int_equal(float_atomic(FMIN, one, two), one);
   assert_int_equal(float_atomic(FMIN, two, one), one);
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++) {
      const struct {
         uint32_t winner, loser;
      } rows[] = { { one, quiet }, { signaling, one }, { signaling, quiet } };
      for (unsigned r = 0; r < ARRAY_SIZE(rows); r++) {
         assert_int_equal(float_atomic(ops[i], rows[r].winner, rows[r].loser),
                          rows[r].winner);
         assert_int_equal(float_atomic(ops[i], rows[r].loser, rows[r].winner),
                          rows[r].winner);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_oword_block),
      cmocka_unit_test(test_scratch),
      cmocka_unit_test(test_untyped),
      cmocka_unit_test(test_scattered),
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_float_atomics),
      cmocka_unit_test(test_urb),
      cmocka_unit_test(test_urb_outside),
      cmocka_unit_test(test_typed),
      cmocka_unit_test(test_typed_simd4x2),
      cmocka_unit_test(test_media_block),
      cmocka_unit_test(test_a64_scattered),
      cmocka_unit_test(test_dual_and_a64_blocks),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_fences),
      cmocka_unit_test(test_bindless),
      cmocka_unit_test(test_pixel_interp),
      cmocka_unit_test(test_cache),
      cmocka_unit_test(test_cache_of_moving_code),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
