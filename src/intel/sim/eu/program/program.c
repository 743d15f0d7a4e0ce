/* SPDX-License-Identifier: MIT */
/*
 * Programs: instructions in a row become ops in a row, with a join before
 * each one where channels can wait, and one op at the end that faults.
 *
 * Where a program ends is not written anywhere: it is decoded up to an EOT
 * message that no jump seen so far goes beyond.
 */
#include "headers.h"
#include "intel/sim/eu/decode.h"
#include "intel/sim/mem/watch.h"
#include "util/environment.h"
#include "util/fallible.h"
#include "util/guard.h"
#include "util/hash_table.h"

#include <stdio.h>

#define MAX_PROGRAM_B (16u << 20)

/* One instruction on its way to an op. */
struct item {
   const struct isa_inst *inst;
   uint32_t ip_B, size_B;
   const char *illegal; /* could not be decoded, or breaks a rule */
};

struct builder {
   struct sim_eu_program *p;
   struct item *items;
   unsigned count, room;
   enum eu_bodies bodies;
};

static void
add_item(struct builder *b, struct item it)
{
   if (b->count == b->room) {
      const unsigned room = b->room ? 2 * b->room : 64;
      b->items = arena_grow(b->p->arena, b->items,
                            b->room * sizeof(*b->items),
                            room * sizeof(*b->items));
      b->room = room;
   }
   b->items[b->count++] = it;
}

static const struct item *
item_at(const struct builder *b, uint32_t ip_B)
{
   unsigned lo = 0, hi = b->count;
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      if (b->items[mid].ip_B < ip_B)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo < b->count && b->items[lo].ip_B == ip_B ? &b->items[lo] : NULL;
}

/* Targets of an instruction as offsets in the program. BREAK's uip is its
 * WHILE; the channels go on after it, or they would loop. */
static void
targets(const struct builder *b, const struct item *it, uint32_t *jip_B,
        uint32_t *uip_B)
{
   const struct isa_opcode_info *info = isa_opcode_info(it->inst->opcode);
   *jip_B = it->ip_B + it->inst->jip;
   *uip_B = info->has_uip ? it->ip_B + it->inst->uip : *jip_B;
   if (it->inst->opcode == ISA_OPCODE_CALLA)
      *jip_B = *uip_B = it->inst->jip;
   if (it->inst->opcode == ISA_OPCODE_ELSE &&
       !sim_traits(b->p->verx10)->else_has_uip)
      *uip_B = *jip_B;
   if (it->inst->opcode == ISA_OPCODE_BREAK) {
      const struct item *to = item_at(b, *uip_B);
      if (to && to->inst && to->inst->opcode == ISA_OPCODE_WHILE)
         *uip_B += to->size_B;
   }
}

/* Marks each instruction at which channels can wait. */
static void
mark_joins(const struct builder *b, bool *join)
{
   for (unsigned i = 0; i < b->count; i++) {
      const struct item *it = &b->items[i], *to;
      uint32_t jip_B, uip_B;
      if (!it->inst || !isa_opcode_info(it->inst->opcode)->is_flow)
         continue;
      targets(b, it, &jip_B, &uip_B);
      if ((to = item_at(b, jip_B)))
         join[to - b->items] = true;
      if ((to = item_at(b, uip_B)))
         join[to - b->items] = true;
      /* while and goto leave channels behind themselves, call returns. */
      if (i + 1 < b->count)
         join[i + 1] = true;
   }
}

/* Whether a jump may go where none is marked, as its target, or where it
 * returns to, is in a register. */
static bool
jumps_by_register(const struct builder *b)
{
   for (unsigned i = 0; i < b->count; i++) {
      const struct isa_inst *inst = b->items[i].inst;
      if (!inst || !isa_opcode_info(inst->opcode)->is_flow)
         continue;
      const struct isa_operand *s = &inst->src[0];
      if (inst->opcode == ISA_OPCODE_RET || s->file == ISA_FILE_GRF ||
          (s->file == ISA_FILE_ARF && s->nr != ISA_ARF_NULL))
         return true;
   }
   return false;
}

/*
 * What holds wherever channels can wait, and so wherever a thread may come
 * from elsewhere: what the instructions before the first such place leave, as
 * they are executed once and first, and none after them changes.
 */
static void
headers_at_joins(const struct builder *b, const bool *join,
                 struct sim_headers *h)
{
   bool first = true;
   sim_headers_init(h);
   for (unsigned i = 0; i < b->count; i++) {
      const struct isa_inst *inst = b->items[i].inst;
      first = first && !join[i];
      if (!inst)
         continue;
      if (first)
         sim_headers_step(h, inst);
      else
         sim_headers_meet(h, inst);
   }
}

static void
add_effects(const struct builder *b, const bool *join)
{
   const bool clear = !jumps_by_register(b);
   struct sim_headers at_joins = { 0 }, headers = { 0 };
   if (clear) {
      headers_at_joins(b, join, &at_joins);
      sim_headers_init(&headers);
   }
   for (unsigned i = 0; i < b->count; i++) {
      const struct isa_inst *inst = b->items[i].inst;
      if (join[i])
         headers = at_joins;
      if (!inst)
         continue;
      sim_effects_add(&b->p->effects, b->p->verx10, inst, &headers);
      if (clear)
         sim_headers_step(&headers, inst);
   }
}

static void
link_op(const struct builder *b, const struct item *it, struct eu_op *op)
{
   if (!it->inst || !isa_opcode_info(it->inst->opcode)->is_flow)
      return;
   targets(b, it, &op->jip_B, &op->uip_B);
   op->jip = eu_program_at(b->p, op->jip_B);
   op->uip = eu_program_at(b->p, op->uip_B);
}

static void
place_op(struct builder *b, const struct item *it, struct eu_op *op,
         uint32_t index, uint32_t simd8)
{
   op->ip_B = it->ip_B;
   op->size_B = it->size_B;
   op->index = index;
   op->simd8 = simd8;
}

static void
build_ops(struct builder *b)
{
   struct sim_eu_program *p = b->p;
   bool *join = guard_alloc(b->count + 1, sizeof(*join));
   uint32_t simd8 = 0, n = 0;

   mark_joins(b, join);
   add_effects(b, join);
   p->count = b->count;
   p->ops = arena_new_array(p->arena, struct eu_op, 2 * b->count + 1);
   p->op_at = arena_new_array(p->arena, uint32_t, p->size_B / 8 + 1);
   memset(p->op_at, 0xff, (p->size_B / 8 + 1) * sizeof(*p->op_at));

   for (unsigned i = 0; i < b->count; i++) {
      const struct item *it = &b->items[i];
      p->op_at[it->ip_B / 8] = n;
      if (join[i]) {
         place_op(b, it, &p->ops[n], i, simd8);
         p->ops[n++].fn = eu_flow_join;
      }
      struct eu_op *op = &p->ops[n++];
      place_op(b, it, op, i, simd8);
      if (it->inst)
         eu_decode_inst(it->inst, p->verx10, b->bodies, p->arena, op);
      if (it->illegal)
         eu_decode_illegal(op, it->illegal);
      simd8 += it->inst ? MAX2(it->inst->exec_size / 8, 1) : 1;
   }
   p->num_ops = n + 1;
   p->ops[n].fn = eu_flow_off_end;
   p->ops[n].ip_B = p->size_B;
   p->ops[n].index = b->count;
   p->ops[n].simd8 = simd8;
   n = 0;
   for (unsigned i = 0; i < b->count; i++) {
      n += join[i];
      link_op(b, &b->items[i], &p->ops[n++]);
   }
   guard_free(join);
   eu_time_program(p);
   for (unsigned i = 0; i < p->num_ops; i++)
      p->ops[i].hot = p->ops[i].fn;
}

static struct sim_eu_program *
new_program(unsigned verx10, bool low_power)
{
   struct arena *a = arena_create(NULL);
   struct sim_eu_program *p = arena_new(a, struct sim_eu_program);
   p->arena = a;
   p->verx10 = verx10;
   p->low_power = low_power;
   return p;
}

/* The first rule by which the instruction is a fault, as text; NULL if
 * none. */
static const char *
broken_rule(const struct sim_eu_program *p, const struct isa_inst *inst)
{
   const struct isa_rule *rule =
      isa_rule_fault(isa_gen_from_number(p->verx10), p->low_power, inst);
   if (!rule)
      return NULL;
   return arena_printf(p->arena, "%s%s%s: %s (%s)",
                       rule->chip ? rule->chip : "", rule->chip ? " " : "",
                       rule->id, rule->text, rule->source);
}

struct sim_eu_program *
eu_program_from_insts(unsigned verx10, bool low_power,
                      const struct isa_inst *insts, unsigned count,
                      enum eu_bodies bodies)
{
   struct sim_eu_program *p = new_program(verx10, low_power);
   struct builder b = { .p = p, .bodies = bodies };
   for (unsigned i = 0; i < count; i++)
      add_item(&b,
               (struct item) {
                  .inst = arena_memdup(p->arena, &insts[i], sizeof(insts[i])),
                  .ip_B = p->size_B + i * ISA_INST_SIZE_B,
                  .size_B = ISA_INST_SIZE_B,
               });
   p->size_B = count * ISA_INST_SIZE_B;
   build_ops(&b);
   if (bodies == EU_BODIES_HOST_CODE)
      eu_jit_program(p);
   return p;
}

/* Decodes instructions from `code`; with `find_end`, until the program's
 * end as far as it can be told. */
static void
decode_all(struct builder *b, const uint8_t *code, uint32_t avail_B,
           bool find_end)
{
   struct sim_eu_program *p = b->p;
   const enum isa_gen gen = isa_gen_from_number(p->verx10);
   struct isa_extent extent = { 0 };
   uint32_t ip_B = 0;

   while (ip_B < avail_B) {
      struct isa_inst *inst = arena_new(p->arena, struct isa_inst);
      struct isa_error err = { 0 };
      unsigned size_B = ISA_INST_SIZE_B;
      if (!isa_decode(gen, code + ip_B, avail_B - ip_B, inst, &size_B,
                      &err)) {
         add_item(b, (struct item) {
                        .ip_B = ip_B,
                        .size_B = MIN2(ISA_INST_SIZE_B, avail_B - ip_B),
                        .illegal = arena_strdup(p->arena, err.text),
                     });
         ip_B += MIN2(ISA_INST_SIZE_B, avail_B - ip_B);
         if (find_end)
            break;
         continue;
      }
      struct item it = { .inst = inst, .ip_B = ip_B, .size_B = size_B };
      it.illegal = broken_rule(p, inst);
      add_item(b, it);
      /* What is illegal is a fault, so that a thread ends there, too. */
      const bool ends = isa_extend(&extent, inst, ip_B, size_B);
      ip_B += size_B;
      if (find_end && (ends || (it.illegal && ip_B > extent.farthest_B)))
         break;
   }
   p->size_B = ALIGN(ip_B, 8);
}

struct decoding {
   unsigned verx10;
   bool low_power, find_end;
   const void *code;
   uint32_t avail_B;
   enum eu_bodies bodies;
   struct sim_eu_program *p;
};

/* In a scope (util/guard.h), so that it may run out of memory anywhere. */
static void
decode(void *data)
{
   struct decoding *d = data;
   struct sim_eu_program *p = new_program(d->verx10, d->low_power);
   struct builder b = { .p = p, .bodies = d->bodies };
   decode_all(&b, d->code, d->avail_B, d->find_end);
   const uint32_t bytes_B = MIN2(p->size_B, d->avail_B);
   p->bytes = arena_memdup(p->arena, d->code, bytes_B);
   p->hash = eu_program_hash(p->bytes, bytes_B);
   build_ops(&b);
   d->p = p;
}

/* NULL: the host is out of memory. */
static struct sim_eu_program *
decode_program(struct decoding d)
{
   struct guard_error error;
   if (guard_run(decode, &d, &error) != GUARD_DONE)
      return NULL;
   if (d.bodies == EU_BODIES_HOST_CODE)
      eu_jit_program(d.p);
   return d.p;
}

struct sim_eu_program *
eu_program_from_bytes(unsigned verx10, bool low_power, const void *code,
                      uint32_t size_B, enum eu_bodies bodies)
{
   if (size_B % 8 || size_B > MAX_PROGRAM_B)
      return NULL;
   return decode_program((struct decoding) {
      .verx10 = verx10,
      .low_power = low_power,
      .code = code,
      .avail_B = size_B,
      .bodies = bodies,
   });
}

struct sim_eu_program *
sim_eu_program_create(unsigned verx10, bool low_power, const void *code,
                      uint32_t size_B)
{
   return eu_program_from_bytes(verx10, low_power, code, size_B,
                                EU_BODIES_BEST);
}

void
sim_eu_program_destroy(struct sim_eu_program *p)
{
   if (!p)
      return;
   free(p->shadow);
   eu_jit_free(p);
   arena_destroy(p->arena);
}

uint32_t
sim_eu_program_size_B(const struct sim_eu_program *p)
{
   return p->size_B;
}

uint32_t
sim_eu_program_count(const struct sim_eu_program *p)
{
   return p->count;
}

uint32_t
sim_eu_program_cycles(const struct sim_eu_program *p)
{
   return p->num_ops ? p->ops[p->num_ops - 1].cycle_end : 0;
}

uint32_t
sim_eu_program_issue(const struct sim_eu_program *p)
{
   return p->num_ops ? p->ops[p->num_ops - 1].issue_end : 0;
}

const void *
sim_eu_program_bytes(const struct sim_eu_program *p)
{
   return p->bytes;
}

uint64_t
sim_eu_program_hash(const struct sim_eu_program *p)
{
   return p->hash;
}

uint64_t
sim_eu_program_address(const struct sim_eu_program *p)
{
   return p->address;
}

const struct sim_effects *
sim_eu_program_effects(const struct sim_eu_program *p)
{
   return &p->effects;
}

/* Cache ------------------------------------------------------------------ */

#define MIN_ROOM 1024
#define KEPT_ROUNDS 256

struct sim_eu_cache {
   unsigned verx10;
   bool low_power;
   struct hash_table programs; /* by address */
   /* Code moves, and its old place is asked for no more: beyond `room_for`
    * programs, those go that the last rounds (from one trim to the next) have
    * not used. */
   uint32_t room_for;
   uint64_t round;
   /* Programs that were replaced: threads may still run them. */
   struct sim_eu_program **old;
   unsigned num_old, room_old;
   const char *save_dir; /* SAFFRON_SIM_KERNELS, or NULL */
   enum eu_bodies bodies;
};

struct sim_eu_cache *
sim_eu_cache_create(unsigned verx10, bool low_power)
{
   struct sim_eu_cache *c = calloc(1, sizeof(*c));
   if (!c)
      return NULL;
   c->verx10 = verx10;
   c->low_power = low_power;
   c->save_dir = environment_get("SAFFRON_SIM_KERNELS");
   const char *interpret = environment_get("SAFFRON_SIM_INTERPRET");
   c->bodies = interpret && *interpret == '1' ? EU_BODIES_BEST
                                              : EU_BODIES_HOST_CODE;
   c->room_for = MIN_ROOM;
   hash_table_init(&c->programs);
   return c;
}

void
sim_eu_cache_destroy(struct sim_eu_cache *c)
{
   if (!c)
      return;
   hash_table_foreach(&c->programs, e)
      sim_eu_program_destroy(e->data);
   hash_table_finish(&c->programs);
   sim_eu_cache_trim(c);
   free(c->old);
   free(c);
}

static void
drop_unused(struct sim_eu_cache *c)
{
   hash_table_foreach(&c->programs, e) {
      struct sim_eu_program *p = e->data;
      if (p->used_in + KEPT_ROUNDS < c->round) {
         hash_table_remove(&c->programs, p->address);
         sim_eu_program_destroy(p);
      }
   }
   c->room_for = MAX2(MIN_ROOM, 2 * c->programs.live);
}

void
sim_eu_cache_trim(struct sim_eu_cache *c)
{
   for (unsigned i = 0; i < c->num_old; i++)
      sim_eu_program_destroy(c->old[i]);
   c->num_old = 0;
   c->round++;
   if (c->programs.live > c->room_for)
      drop_unused(c);
}

uint32_t
sim_eu_cache_count(const struct sim_eu_cache *c)
{
   return c->programs.live;
}

/* Puts a program at its address, in place of what was there, which threads
 * may still run. False: no memory, and nothing has changed. */
static bool
replace(struct sim_eu_cache *c, struct sim_eu_program *p)
{
   struct sim_eu_program *was = hash_table_get(&c->programs, p->address);
   if (was && c->num_old == c->room_old) {
      const unsigned room = c->room_old ? 2 * c->room_old : 16;
      void *old = realloc(c->old, room * sizeof(*c->old));
      if (!old)
         return false;
      c->old = old;
      c->room_old = room;
   }
   if (!hash_table_try_insert(&c->programs, p->address, p))
      return false;
   if (was)
      c->old[c->num_old++] = was;
   return true;
}

static const struct sim_eu_program *
no_memory(struct sim_eu_fault *fault)
{
   *fault = (struct sim_eu_fault) {
      .reason = SIM_FAULT_MEMORY,
      .lane = -1,
   };
   snprintf(fault->text, sizeof(fault->text), "the host is out of memory");
   return NULL;
}

/* Whether the program is still the code in memory, as the cache of
 * instructions has it. */
static bool
is_current(const struct sim_eu_program *p, const struct sim_mem *mem,
           const uint8_t *code, uint32_t avail_B)
{
   if (p->size_B > avail_B)
      return false;
   sim_mem_note(mem, SIM_CLIENT_CODE, p->address, p->size_B, SIM_MEM_READ);
   return !memcmp(p->bytes, code, p->size_B);
}

const struct sim_eu_program *
sim_eu_cache_get(struct sim_eu_cache *c, struct sim_mem *mem,
                 uint64_t address, struct sim_eu_fault *fault)
{
   address &= SIM_ADDRESS_MASK;
   const struct sim_vma *vma = sim_vm_lookup(mem->vm, address);
   struct sim_eu_program *p = hash_table_get(&c->programs, address);

   if (!vma || address % 8) {
      *fault = (struct sim_eu_fault) {
         .reason = SIM_FAULT_MEMORY,
         .lane = -1,
         .address = address,
      };
      snprintf(fault->text, sizeof(fault->text),
               "no program in memory at 0x%012llx",
               (unsigned long long)address);
      return NULL;
   }
   const uint64_t offset = address - vma->address;
   const uint32_t avail_B = MIN2(vma->size_B - offset, MAX_PROGRAM_B);
   const uint8_t *code = vma->host + offset;
   if (p && is_current(p, mem, code, avail_B)) {
      p->used_in = c->round;
      return p;
   }
   /* How long it is shows when it is decoded; what is fetched then may be
    * something else, with chaos, but for once. */
   for (unsigned i = 0; i < 2; i++) {
      p = decode_program((struct decoding) {
         .verx10 = c->verx10,
         .low_power = c->low_power,
         .find_end = true,
         .code = code,
         .avail_B = avail_B,
         .bodies = c->bodies,
      });
      if (!p)
         return no_memory(fault);
      p->address = address;
      p->used_in = c->round;
      if (!replace(c, p)) {
         sim_eu_program_destroy(p);
         return no_memory(fault);
      }
      if (p->size_B > avail_B || is_current(p, mem, code, avail_B))
         break;
   }
   if (c->save_dir && p->size_B <= avail_B)
      eu_save_program(p, c->save_dir);
   return p;
}
