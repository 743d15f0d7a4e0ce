/* SPDX-License-Identifier: MIT */
/*
 * The trace of threads: what the filter takes, and that the record of a
 * thread has its registers after each instruction. Whole draws are traced by
 * the test of `saffron trace`.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "intel/isa/isa.h"
#include "intel/sim/eu/eu.h"
#include "intel/sim/trace/trace.h"
#include "util/dynarray.h"
#include "util/unit_test.h"

static struct sim_eu_thread thread;

static void
filters(void **state)
{
   static const struct {
      const char *text;
      unsigned at; /* of the first wrong character; ~0u: none */
      const char *what;
   } rows[] = {
      { NULL, ~0u, NULL },
      { "", ~0u, NULL },
      { "vs,fs,draw=3-5,threads=10,size=4,nocommands", ~0u, NULL },
      { "pixel=10:20", ~0u, NULL },
      { "xs", 0, "vs, hs" },
      { "fs,", ~0u, NULL },
      { "fs,,vs", 3, "vs, hs" },
      { "fs vs", 0, "vs, hs" },
      { "draw=", 5, "a number" },
      { "vs,draw=x", 8, "a number" },
      { "draw=5-", 7, "a number" },
      { "draw=99999999999", 5, "a smaller number" },
      { "pixel=10", 8, "':'" },
      { "pixel=10:", 9, "a number" },
      { "pixel=10:40000", 9, "a smaller number" },
      { "nocommandsx", 10, "a comma" },
      { "threads=3x", 9, "a comma" },
      { "memory,profile,pictures=64,thread=3", ~0u, NULL },
      { "pictures=0x1", 10, "a comma" },
      { "pictures=99999", 9, "a smaller number" },
      { "thread=", 7, "a number" },
      { "memoryx", 6, "a comma" },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct sim_trace_filter f;
      unsigned at;
      const char *what;
      const bool ok = sim_trace_filter_parse(rows[i].text, &f, &at, &what);
      if (ok != (rows[i].at == ~0u))
         fail_msg("'%s': %s at %u", rows[i].text, what, at);
      if (!ok && (at != rows[i].at || !strstr(what, rows[i].what)))
         fail_msg("'%s': expected %s at %u", rows[i].text, what, at);
   }
}

static void
filter_values(void **state)
{
   struct sim_trace_filter f;
   unsigned at;
   const char *what;
   assert_true(sim_trace_filter_parse(NULL, &f, &at, &what));
   assert_int_equal(f.stages, 0x3f);
   assert_true(f.first_draw == 0 && f.last_draw == UINT32_MAX);
   assert_true(sim_trace_filter_parse("pixel=7:9,draw=4", &f, &at, &what));
   assert_int_equal(f.stages, 1u << TRACE_FS);
   assert_true(f.has_pixel && f.x == 7 && f.y == 9);
   assert_true(f.first_draw == 4 && f.last_draw == 4);
   assert_true(sim_trace_filter_parse("vs,cs,draw=2-3,size=2,threads=8", &f,
                                      &at, &what));
   assert_int_equal(f.stages, 1u << TRACE_VS | 1u << TRACE_CS);
   assert_true(f.first_draw == 2 && f.last_draw == 3);
   assert_true(f.max_size_B == 2 << 20 && f.max_threads == 8);
   assert_false(f.memory || f.profile || f.pictures_px || f.has_number);
   assert_true(
      sim_trace_filter_parse("memory,threads=0,nocommands", &f, &at, &what));
   assert_true(f.memory && f.no_commands && f.max_threads == 0);
   assert_true(
      sim_trace_filter_parse("profile,pictures=48,thread=7", &f, &at, &what));
   assert_true(f.profile && f.pictures_px == 48 && f.has_number &&
               f.number == 7);
}

/*
 * Files
 */

struct reader {
   uint8_t bytes[65536];
   size_t size_B, at_B;
};

static void
take(struct reader *r, void *out, size_t size_B)
{
   assert_true(r->at_B + size_B <= r->size_B);
   memcpy(out, r->bytes + r->at_B, size_B);
   r->at_B += size_B;
}

static uint32_t
take_record(struct reader *r, uint32_t type)
{
   struct trace_record record;
   take(r, &record, sizeof(record));
   assert_int_equal(record.type, type);
   return record.size_B;
}

/* A change of register `reg`, of the dwords of `mask`. */
static void
expect_change(struct reader *r, unsigned reg, unsigned mask, uint32_t first)
{
   struct trace_change c;
   uint32_t dw[TRACE_REGISTER_DW];
   take(r, &c, sizeof(c));
   assert_int_equal(c.reg, reg);
   assert_int_equal(c.mask, mask);
   take(r, dw, 4 * (size_t)__builtin_popcount(mask));
   assert_int_equal(dw[0], first);
}

static void
read_file(struct reader *r, const char *name)
{
   FILE *f = fopen(name, "rb");
   assert_non_null(f);
   r->at_B = 0;
   r->size_B = fread(r->bytes, 1, sizeof(r->bytes), f);
   fclose(f);
   unlink(name);
}

static struct sim_eu_program *
assemble(const char *text)
{
   struct util_dynarray code = { 0 };
   struct isa_errors errors = { 0 };
   if (!isa_assemble(ISA_SKL, text, strlen(text), &code, &errors))
      fail_msg("%u: %s", errors.error[0].line, errors.error[0].text);
   struct sim_eu_program *p =
      sim_eu_program_create(90, false, code.data, (uint32_t)code.size_B);
   util_dynarray_fini(&code);
   return p;
}

static void
run(struct sim_trace *trace, const struct sim_eu_program *p, int x)
{
   static const struct sim_eu_env env = { .verx10 = 90,
                                          .stage = TRACE_FS,
                                          .trace = sim_trace_step };
   const struct trace_item item = { { x, 4, -1, 0 } };
   memset(thread.grf, 0, sizeof(thread.grf));
   sim_eu_thread_init(&thread, &env, 0x0f);
   thread.cr0[0] = 0; /* else one more register that is not zero */
   thread.grf[3].ud[2] = 42;
   sim_trace_thread(trace, &thread, p, TRACE_FS, 4, &item, 1);
   assert_int_equal(sim_eu_run(&thread, p, 0), SIM_EU_EOT);
   sim_trace_end_thread(trace, &thread);
   assert_null(thread.trace_data);
}

static const char text[] =
   "mov (8|M0) r10.0<1>:ud 7:ud\n" /* the first four channels */
   "mov (8|M0) r10.0<1>:ud 7:ud\n" /* the same again */
   "(W) mov (1|M0) f1.0<1>:uw 0x1234:uw\n"
   "(W) mov (1|M0) a0.0<1>:uw 0x60:uw\n"
   "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n"
   "(W) send (8|M0) null:ud r127 0x7 0x02000010 {EOT}\n";

static void
thread_record(void **state)
{
   static struct reader r;
   char name[] = "/tmp/saffron_trace_XXXXXX";
   close(mkstemp(name));
   unlink(name);
   struct sim_eu_program *p = assemble(text);
   struct sim_trace *t = sim_trace_create(name, "pixel=9:5", 90);
   assert_non_null(t);
   assert_int_equal(access(name, F_OK), -1); /* nothing has happened yet */
   const struct trace_draw draw = { .address = 0x1234, .vertex_count = 3 };
   sim_trace_draw(t, &draw);
   run(t, p, 6);
   assert_true(thread.untraced);
   run(t, p, 8);
   assert_false(thread.untraced);
   sim_trace_finish(t, NULL);
   run(t, p, 8); /* too late */
   sim_trace_destroy(t);
   read_file(&r, name);

   struct trace_header h;
   take(&r, &h, sizeof(h));
   assert_memory_equal(h.magic, TRACE_MAGIC, 8);
   assert_true(h.version == TRACE_VERSION && h.verx10 == 90);

   struct trace_draw d;
   assert_int_equal(take_record(&r, TRACE_DRAW), sizeof(d));
   take(&r, &d, sizeof(d));
   assert_memory_equal(&d, &draw, sizeof(d));

   struct trace_program tp;
   const uint32_t code_B = take_record(&r, TRACE_PROGRAM) - sizeof(tp);
   take(&r, &tp, sizeof(tp));
   assert_int_equal(code_B, sim_eu_program_size_B(p));
   assert_memory_equal(r.bytes + r.at_B, sim_eu_program_bytes(p), code_B);
   r.at_B += code_B;

   struct trace_thread th;
   take_record(&r, TRACE_THREAD);
   take(&r, &th, sizeof(th));
   assert_true(th.draw == 0 && th.number == 1 && th.program == tp.hash &&
               th.dispatch_mask == 0xf && th.stage == TRACE_FS &&
               th.num_items == 1 && th.lanes_per_item == 4 &&
               th.num_steps == 6 && th.num_initial == 1);
   struct trace_item item;
   take(&r, &item, sizeof(item));
   assert_true(item.v[0] == 8 && item.v[1] == 4 && item.v[2] == -1);
   expect_change(&r, 3, 1 << 2, 42);

   static const struct {
      unsigned changes, reg, mask, value;
   } steps[6] = {
      { 1, 10, 0x0f, 7 },
      { 0 },
      { 1, TRACE_FLAGS, 2, 0x1234 },
      { 1, TRACE_ADDRESS, 1, 0x60 },
      { 0 },
      { 0 },
   };
   for (unsigned i = 0; i < 6; i++) {
      struct trace_step s;
      take(&r, &s, sizeof(s));
      assert_int_equal(s.active, 0xf);
      assert_int_equal(s.ip_B, 16 * i);
      assert_int_equal(s.num_changes, steps[i].changes);
      if (s.num_changes)
         expect_change(&r, steps[i].reg, steps[i].mask, steps[i].value);
   }
   assert_int_equal(r.at_B, r.size_B);
   sim_eu_program_destroy(p);
}

/* A file is never overwritten, and limits end the recording of threads. */
static void
limits(void **state)
{
   static struct reader r;
   char name[] = "/tmp/saffron_trace_XXXXXX", second[64];
   close(mkstemp(name));
   snprintf(second, sizeof(second), "%s.2", name);
   struct sim_eu_program *p = assemble(text);
   struct sim_trace *t = sim_trace_create(name, "fs,draw=1,threads=2", 90);
   const struct trace_draw draw = { 0 };
   for (unsigned i = 0; i < 3; i++) {
      sim_trace_draw(t, &draw);
      for (unsigned k = 0; k < 4; k++) {
         run(t, p, 0);
         assert_int_equal(thread.untraced, i != 1 || k >= 2);
      }
   }
   sim_trace_destroy(t);
   read_file(&r, name);
   assert_int_equal(r.size_B, 0);
   read_file(&r, second);
   assert_true(r.size_B > sizeof(struct trace_header));
   sim_eu_program_destroy(p);
}

/* The lines of the next record of memory: which page, and its first line. */
static void
expect_page(struct reader *r, uint32_t page, uint64_t lines, uint8_t value)
{
   struct trace_memory m;
   struct trace_page p;
   uint8_t line[TRACE_LINE_B];
   take_record(r, TRACE_MEMORY);
   take(r, &m, sizeof(m));
   take(r, &p, sizeof(p));
   take(r, line, sizeof(line));
   assert_int_equal(p.page, page);
   assert_int_equal(p.lines, lines);
   assert_int_equal(line[0], value);
}

static void
expect_job(struct reader *r)
{
   struct trace_job job;
   struct trace_place place;
   take_record(r, TRACE_JOB);
   take(r, &job, sizeof(job));
   take(r, &place, sizeof(place));
}

/* Of an object that nobody has touched all over, what was is all there, and
 * again when it is zero; looking at it does not make it larger. */
static void
sparse_memory(void **state)
{
   enum { PAGES = 8 };
   static struct reader r;
   static uint8_t context[4] = { 1 }, curbe[4] = { 1 };
   uint8_t there[PAGES];
   uint8_t *bo = mmap(NULL, PAGES * TRACE_PAGE_B, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   const struct sim_trace_object objects[] = {
      { context, context, sizeof(context) },
      { curbe, curbe, sizeof(curbe) },
      { bo, bo, PAGES * TRACE_PAGE_B, .is_sparse = true },
   };
   char name[] = "/tmp/saffron_trace_XXXXXX";
   close(mkstemp(name));
   unlink(name);
   struct sim_trace *t = sim_trace_create(name, "memory", 90);
   bo[5 * TRACE_PAGE_B] = 2;
   sim_trace_job(t, objects, ARRAY_SIZE(objects), false);
   bo[5 * TRACE_PAGE_B] = 0;
   sim_trace_job(t, objects, ARRAY_SIZE(objects), false);
   bo[2 * TRACE_PAGE_B] = 3;
   sim_trace_job(t, objects, ARRAY_SIZE(objects), false);
   assert_int_equal(mincore(bo, PAGES * TRACE_PAGE_B, there), 0);
   sim_trace_destroy(t);
   munmap(bo, PAGES * TRACE_PAGE_B);

   struct trace_header h;
   read_file(&r, name);
   take(&r, &h, sizeof(h));
   expect_page(&r, 0, 1, 1); /* the context, its constants */
   expect_page(&r, 0, 1, 1);
   expect_page(&r, 5, 1, 2);
   expect_job(&r);
   expect_page(&r, 5, 1, 0);
   expect_job(&r);
   expect_page(&r, 2, 1, 3);
   expect_job(&r);
   /* Where the kernel says so, and nothing is in swap space. */
   struct sysinfo info;
   if (!sysinfo(&info) && info.totalswap == info.freeswap && there[2] & 1)
      assert_false(there[0] & 1 && there[1] & 1 && there[7] & 1);
}

/* What a link leads to is written; it is nobody's trace of the same run. */
static void
through_a_link(void **state)
{
   static struct reader r;
   char name[] = "/tmp/saffron_trace_XXXXXX", link[64], to[64];
   close(mkstemp(name));
   snprintf(link, sizeof(link), "%s.link", name);
   assert_int_equal(symlink(name, link), 0);
   struct sim_trace *t = sim_trace_create(link, NULL, 90);
   const struct trace_draw draw = { 0 };
   sim_trace_draw(t, &draw);
   sim_trace_destroy(t);
   assert_true(readlink(link, to, sizeof(to)) > 0);
   unlink(link);
   read_file(&r, name);
   assert_true(r.size_B > sizeof(struct trace_header));
}

/* Only lines that have changed go to the file, and all of them. */
static void
memory_record(void **state)
{
   static struct reader r;
   static uint8_t context[100], curbe[64], bo[3 * TRACE_PAGE_B];
   const struct sim_trace_object objects[] = {
      { context, context, sizeof(context), 0 },
      { curbe, curbe, sizeof(curbe), 0 },
      { bo, bo, sizeof(bo), 0x10000 },
   };
   char name[] = "/tmp/saffron_trace_XXXXXX";
   close(mkstemp(name));
   unlink(name);
   struct sim_trace *t = sim_trace_create(name, "memory", 90);
   context[99] = 1; /* in a line that is not whole */
   bo[TRACE_PAGE_B + 65] = 2;
   bo[2 * TRACE_PAGE_B + 4095] = 3;
   sim_trace_job(t, objects, ARRAY_SIZE(objects), false);
   bo[2 * TRACE_PAGE_B + 4095] = 0;
   sim_trace_job(t, objects, ARRAY_SIZE(objects), true);
   sim_trace_destroy(t);
   read_file(&r, name);

   static const struct {
      uint32_t object, page;
      uint64_t lines;
      unsigned at, value;
   } changes[] = {
      { 0, 0, 1ull << 1, 99 - 64, 1 },
      { 1, ~0u, 0, 0, 0 }, /* is there, and zero */
      { 2, 1, 1ull << 1, 1, 2 },
      { ~0u, 2, 1ull << 63, 63, 3 }, /* of the same record */
      { 2, 2, 1ull << 63, 63, 0 },
   };
   struct trace_header h;
   take(&r, &h, sizeof(h));
   for (unsigned i = 0; i < ARRAY_SIZE(changes); i++) {
      struct trace_memory m;
      struct trace_page page;
      uint8_t line[TRACE_LINE_B];
      if (changes[i].object != ~0u) {
         take_record(&r, TRACE_MEMORY);
         take(&r, &m, sizeof(m));
         assert_int_equal(m.object, changes[i].object);
         assert_int_equal(m.size_B, objects[m.object].size_B);
      }
      if (changes[i].lines) {
         take(&r, &page, sizeof(page));
         assert_true(page.page == changes[i].page &&
                     page.lines == changes[i].lines);
         take(&r, line, sizeof(line));
         assert_int_equal(line[changes[i].at], changes[i].value);
      }
      if (i < 3)
         continue;
      struct trace_job job;
      struct trace_place place;
      take_record(&r, TRACE_JOB);
      take(&r, &job, sizeof(job));
      assert_true(job.context == 0 && job.curbe == 1 && job.num_places == 1 &&
                  job.reset_so == (i == 4));
      take(&r, &place, sizeof(place));
      assert_true(place.object == 2 && place.address == 0x10000);
   }
   assert_int_equal(r.at_B, r.size_B);
}

static void
shaders(void **state)
{
   struct sim_shaders *s = sim_shaders_create();
   struct sim_eu_program *a = assemble(text),
                         *b = assemble(strchr(text, '\n'));
   struct sim_eu_program *again = assemble(text);
   const struct sim_eu_stats stats = {
      .instructions = 6, .simd8 = 7, .sends = 1, .cycles = 50
   };
   unsigned n;
   assert_null(sim_shaders_get(s, &n));
   assert_int_equal(n, 0);
   sim_shaders_add(s, a, TRACE_FS, &stats, 1);
   sim_shaders_add(s, b, TRACE_FS, &stats, 5);
   sim_shaders_add(s, again, TRACE_FS, &stats, 1);
   sim_shaders_add(s, a, TRACE_VS, &stats, 1);
   struct trace_shader *list = sim_shaders_get(s, &n);
   assert_int_equal(n, 3);
   assert_true(list[0].threads == 2 && list[0].instructions == 12 &&
               list[0].simd8 == 14 && list[0].sends == 2 &&
               list[0].cycles == 100 && list[0].count == 6 &&
               list[0].stage == TRACE_FS);
   assert_true(list[1].threads == 5 && list[1].instructions == 30 &&
               list[1].count == 5);
   assert_true(list[2].threads == 1 && list[2].stage == TRACE_VS &&
               list[2].hash == list[0].hash && list[1].hash != list[0].hash);
   free(list);
   sim_shaders_destroy(s);
   sim_eu_program_destroy(a);
   sim_eu_program_destroy(b);
   sim_eu_program_destroy(again);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(filters),        cmocka_unit_test(filter_values),
      cmocka_unit_test(thread_record),  cmocka_unit_test(limits),
      cmocka_unit_test(through_a_link), cmocka_unit_test(shaders),
      cmocka_unit_test(memory_record),  cmocka_unit_test(sparse_memory),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
