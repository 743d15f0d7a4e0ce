/* SPDX-License-Identifier: MIT */
/*
 * From the front end's NIR to the finished program: lowering, variables
 * between blocks, graphs, schedules, and then what only the whole program
 * knows: branch targets and where temporaries lie.
 *
 * What is better is known at the end only: a shader with an array in
 * temporaries is compiled with selects, too, and one that is too large with
 * its loops left as loops.
 */
#include "gp_build.h"
#include "gp_compiler.h"
#include "gp_sched.h"

/* ---- the interface ---- */

static void
count_attributes(struct gpc_build *b)
{
   const nir_variable *last = NULL;

   nir_foreach_variable_with_modes(var, b->nir, nir_var_shader_in) {
      const unsigned end = var->data.driver_location +
                           glsl_count_vec4_slots(var->type, true, false);
      if (end <= b->program->num_attributes)
         continue;
      b->program->num_attributes = end;
      last = var;
   }
   if (b->program->num_attributes > GP_NUM_ATTRIBUTES)
      gpc_error(b, NULL, "%u attributes of at most %u, the last in \"%s\"",
                b->program->num_attributes, GP_NUM_ATTRIBUTES,
                last && last->name ? last->name : "");
}

/* ---- schedules ---- */

static void
add_statistics(struct gpc_program *p, const struct gpc_schedule *s)
{
   p->lower_bound += s->lower_bound;
   p->moves += s->stats.moves;
   p->register_stores += s->stats.register_stores;
   p->spills += s->stats.spills;
}

/* Of what a block may take, the part that a program of many blocks can
 * afford; nothing is gained when it does not fit anyway. */
static float
share_of_effort(const struct gpc_build *b)
{
   float work = 0;

   util_dynarray_foreach(&b->blocks, struct gpc_block, block)
      work += (float)block->count *
              (float)gpc_schedules_for(block->count, b->options->effort);
   const float most = 8000.0f * (float)MAX2(b->options->effort, 1);
   return work > most ? most / work : 1;
}

/* Words of all blocks after each other; `start` gets where each begins. */
static unsigned
schedule_blocks(struct gpc_build *b, struct util_dynarray *words,
                unsigned *start)
{
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&b->blocks, struct gpc_block);
   const float share = share_of_effort(b);
   unsigned count = 0;

   for (unsigned i = 0; i < n; i++) {
      const bool is_hopeless = MAX2(count, b->program->lower_bound) >
                               GP_MAX_INSTRS;
      const struct gpc_block *block =
         util_dynarray_element(&b->blocks, struct gpc_block, i);
      start[i] = count;
      if (!block->count)
         continue;
      const struct gpc_schedule s =
         gpc_schedule_block(b->arena, block, &b->literals, b->num_temps,
                            is_hopeless ? 0 : b->options->effort, share);
      if (b->options->explain)
         gpc_explain_block(block, i, count, &s, b->options->explain);
      for (unsigned w = 0; w < s.count; w++) {
         struct gp_instr instr = s.words[w].w;
         if (instr.mode == GP_MODE_BRANCH)
            instr.branch_target = (uint16_t)block->target;
         if (count + w < 4 * GP_MAX_INSTRS)
            util_dynarray_append(words, struct gp_instr, instr);
      }
      count += s.count;
      b->program->num_temps =
         MAX2(b->program->num_temps, b->num_temps + s.stats.temps);
      b->program->blocks++;
      add_statistics(b->program, &s);
   }
   start[n] = count;
   return count;
}

/* A program may end in a branch target after it; there is a word then. */
static unsigned
add_landing(const struct gpc_build *b, struct util_dynarray *words,
            const unsigned *start, unsigned count)
{
   struct gp_instr nop;

   util_dynarray_foreach(words, struct gp_instr, w) {
      if (w->mode == GP_MODE_BRANCH && start[w->branch_target] == count) {
         gp_instr_init(&nop);
         util_dynarray_append(words, struct gp_instr, nop);
         return count + 1;
      }
   }
   if (count)
      return count;
   gp_instr_init(&nop);
   util_dynarray_append(words, struct gp_instr, nop);
   return 1;
}

/* Ports that load a register for this word or, port 0, for the next. */
static unsigned
register_loads(const struct gp_instr *i, const struct gp_instr *next)
{
   const bool port0 = !i->port0_is_attribute &&
                      (gp_components_read(i, GP_SRC_PORT0_X) ||
                       (next && gp_components_read(next, GP_SRC_PORT0_X_1)));

   return port0 + !!gp_components_read(i, GP_SRC_PORT1_X);
}

/* Branch targets; temporaries after the literals; prefetch. */
static void
finish_words(struct gpc_build *b, const unsigned *start)
{
   struct gpc_program *p = b->program;

   p->prefetch = -1;
   for (unsigned i = 0; i < p->count; i++) {
      struct gp_instr *w = &p->instrs[i];
      if (w->mode == GP_MODE_BRANCH)
         w->branch_target = (uint16_t)start[w->branch_target];
      if (w->uniform_index >= GPC_TEMP_BASE)
         w->uniform_index =
            (uint16_t)(w->uniform_index - GPC_TEMP_BASE + p->first_temp);
      if (w->port0_is_attribute)
         p->prefetch = (int)i;
      p->register_loads += register_loads(w, i + 1 < p->count ? w + 1 : NULL);
   }
}

static unsigned
count_literals(const struct gpc_build *b)
{
   return (unsigned)util_dynarray_num_elements(&b->literals.list,
                                               struct gpc_literal);
}

/* Whether memory holds literals and so many vec4 of temporaries. */
static bool
check_memory(struct gpc_build *b, unsigned temps)
{
   const unsigned all = b->program->first_literal +
                        DIV_ROUND_UP(count_literals(b), 4) + temps;

   if (all <= GP_NUM_UNIFORMS)
      return true;
   b->too_large = true;
   gpc_error(b, NULL,
             "%u vec4 of uniforms, literals and temporaries: "
             "the machine has %u",
             all, GP_NUM_UNIFORMS);
   return false;
}

static void
finish_literals(struct gpc_build *b)
{
   struct gpc_program *p = b->program;
   const struct gpc_literal *list = b->literals.list.data;
   const unsigned n = count_literals(b);

   p->num_literals = DIV_ROUND_UP(n, 4);
   p->first_temp = p->first_literal + p->num_literals;
   float *values = arena_new_array(b->arena, float, p->num_literals * 4);
   for (unsigned i = 0; i < n; i++) {
      values[i] = list[i].is_temp_address
                     ? (float)(p->first_temp + list[i].value)
                     : util_bits_float(list[i].value);
   }
   p->literals = (const float(*)[4])values;
   check_memory(b, p->num_temps);
}

static void
compile(struct gpc_build *b)
{
   struct gpc_program *p = b->program;
   struct util_dynarray words = { 0 };

   gpc_infer_types(b);
   gpc_allocate(b);
   if (!b->error)
      gpc_build_blocks(b);
   /* Literals beyond all memory would be taken for temporaries. */
   if (b->error || !check_memory(b, b->num_temps))
      return;
   const unsigned n =
      (unsigned)util_dynarray_num_elements(&b->blocks, struct gpc_block);
   unsigned *start = arena_new_array(b->arena, unsigned, n + 1);
   p->count = schedule_blocks(b, &words, start);
   if (p->count <= GP_MAX_INSTRS)
      p->count = add_landing(b, &words, start, p->count);
   finish_literals(b);
   if (p->count > GP_MAX_INSTRS) {
      b->too_large = true;
      gpc_error(b, NULL, "%u instructions: the machine has %u", p->count,
                GP_MAX_INSTRS);
   }
   if (!b->error) {
      p->instrs = arena_memdup(b->arena, words.data, words.size_B);
      finish_words(b, start);
   }
   util_dynarray_fini(&words);
}

static void
fini_build(struct gpc_build *b)
{
   util_dynarray_fini(&b->literals.list);
   util_dynarray_fini(&b->nodes);
   util_dynarray_fini(&b->orders);
   util_dynarray_fini(&b->moved);
   util_dynarray_fini(&b->accesses);
   util_dynarray_fini(&b->blocks);
}

/* ---- several ways to compile a shader ---- */

struct attempt {
   struct gpc_program *program;
   struct strbuf explained;
   bool too_large; /* of gpc_build */
   /* What arrays in temporaries would take as selects, in words; 0: there
    * are none. */
   unsigned selects;
};

static struct attempt
compile_once(struct arena *arena, nir_shader *nir,
             const struct gpc_options *options, bool no_arrays)
{
   struct gpc_program *p = arena_new(arena, struct gpc_program);
   struct attempt a = { .program = p };
   struct gpc_options own = *options;
   struct gpc_build b = { .arena = arena,
                          .nir = nir,
                          .options = &own,
                          .program = p,
                          .memory.arena = arena,
                          .memory.no_arrays = no_arrays };

   p->nir = nir;
   own.explain = options->explain ? &a.explained : NULL;
   if (!gpc_lower_nir(nir, &b.memory)) {
      p->error = arena_strdup(arena, b.memory.error);
      return a;
   }
   p->num_uniforms = b.memory.uniforms;
   p->uniform_source = b.memory.sources;
   b.impl = nir_entry_point(nir);
   nir_number_values(b.impl);
   p->viewport = p->num_uniforms;
   p->first_literal = p->num_uniforms + (options->no_viewport ? 0 : 2);
   b.literals.base = p->first_literal * 4;
   if (p->first_literal > GP_NUM_UNIFORMS)
      gpc_error(&b, NULL, "%u vec4 of uniforms: the machine has %u%s%s",
                p->first_literal, GP_NUM_UNIFORMS,
                b.memory.beyond ? ", beyond which lies " : "",
                b.memory.beyond ? b.memory.beyond : "");
   count_attributes(&b);
   if (gpc_assign_varyings(&b) && !b.error)
      compile(&b);
   p->error = b.error;
   if (p->error)
      p->instrs = NULL;
   a.too_large = b.too_large;
   a.selects = b.memory.num_arrays ? b.memory.selects : 0;
   fini_build(&b);
   return a;
}

/* The shorter one of two, or the one without an error, stays in `best`. */
static void
keep_better(struct attempt *best, struct attempt other)
{
   const struct gpc_program *p = best->program, *q = other.program;
   const bool better =
      !p->error == !q->error ? q->count && q->count < p->count : !q->error;

   strbuf_fini(better ? &best->explained : &other.explained);
   if (better)
      *best = other;
}

struct choices {
   bool loops, arrays;
};

static void
find_choices_in(const struct list_head *list, struct choices *c)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_loop) {
         c->loops = true;
         find_choices_in(&nir_cf_node_as_loop(node)->body, c);
      } else if (node->type == nir_cf_node_if) {
         find_choices_in(&nir_cf_node_as_if(node)->then_list, c);
         find_choices_in(&nir_cf_node_as_if(node)->else_list, c);
      } else {
         nir_foreach_instr(instr, nir_cf_node_as_block(node)) {
            const nir_deref_instr *d = nir_maybe_deref(instr);
            if (!d)
               continue;
            c->arrays |= d->deref_type == nir_deref_type_array &&
                         !nir_use_is_const(d->index) &&
                         nir_deref_mode_is_one_of(d, nir_var_function_temp |
                                                        nir_var_shader_temp |
                                                        nir_var_shader_out);
         }
      }
   }
}

static struct choices
find_choices(nir_shader *nir)
{
   struct choices c = { 0 };

   nir_foreach_impl(impl, nir)
      find_choices_in(&impl->body, &c);
   return c;
}

static void
forbid_unrolling(struct list_head *list)
{
   list_for_each_entry(nir_cf_node, node, list, node) {
      if (node->type == nir_cf_node_loop) {
         nir_loop *loop = nir_cf_node_as_loop(node);
         loop->control = nir_loop_control_dont_unroll;
         forbid_unrolling(&loop->body);
      } else if (node->type == nir_cf_node_if) {
         forbid_unrolling(&nir_cf_node_as_if(node)->then_list);
         forbid_unrolling(&nir_cf_node_as_if(node)->else_list);
      }
   }
}

/* Loops as loops, for a program that is too large otherwise. */
static void
compile_rolled(struct attempt *best, struct arena *arena, nir_shader *nir,
               const struct gpc_options *options)
{
   nir_foreach_impl(impl, nir)
      forbid_unrolling(&impl->body);
   keep_better(best, compile_once(arena, nir, options, false));
}

struct gpc_program *
gpc_compile(struct arena *arena, nir_shader *nir,
            const struct gpc_options *options)
{
   if (nir->info.stage != MESA_SHADER_VERTEX) {
      struct gpc_program *p = arena_new(arena, struct gpc_program);
      p->nir = nir;
      p->error = arena_printf(arena,
                              "%s shader: the vertex processor runs vertex "
                              "shaders only",
                              gl_shader_stage_name(nir->info.stage));
      return p;
   }
   const struct choices c = find_choices(nir);
   nir_shader *selects = c.arrays ? nir_shader_clone(arena, nir) : NULL;
   nir_shader *rolled = c.loops ? nir_shader_clone(arena, nir) : NULL;
   struct attempt best = compile_once(arena, nir, options, false);

   if (best.selects && best.selects <= GP_MAX_INSTRS && selects)
      keep_better(&best, compile_once(arena, selects, options, true));
   if (best.too_large && rolled)
      compile_rolled(&best, arena, rolled, options);
   if (options->explain)
      strbuf_puts(options->explain, strbuf_str(&best.explained));
   strbuf_fini(&best.explained);
   return best.program;
}

void
gpc_print_json(const struct gpc_program *p, struct strbuf *out)
{
   strbuf_printf(out,
                 "{\"instructions\": %u, \"lower_bound\": %u, "
                 "\"blocks\": %u, \"moves\": %u, \"register_stores\": %u, "
                 "\"register_loads\": %u, "
                 "\"spills\": %u, \"temporaries\": %u, "
                 "\"cross_block_scalars\": %u, \"uniform_vec4s\": %u, "
                 "\"literal_vec4s\": %u, \"attributes\": %u, "
                 "\"varyings\": %u, \"prefetch\": %d}\n",
                 p->count, p->lower_bound, p->blocks, p->moves,
                 p->register_stores, p->register_loads, p->spills,
                 p->num_temps, p->cross_block, p->num_uniforms,
                 p->num_literals, p->num_attributes, p->num_varyings,
                 p->prefetch);
}
