/* SPDX-License-Identifier: MIT */
/* Running passes: walkers, and what NIR_DEBUG asks for around them. */
#include "nir.h"

#include <pthread.h>
#include <time.h>

#include "nir_builder.h"
#include "nir_private.h"
#include "util/environment.h"
#include "util/guard.h"

bool
nir_visit_instrs(nir_shader *shader, nir_visit_instr pass,
                 nir_metadata preserved, void *data)
{
   bool progress = false;
   nir_foreach_impl(impl, shader) {
      bool impl_progress = false;
      nir_builder b = nir_builder_at(impl, nir_before_impl(impl));
      nir_foreach_block_safe(block, impl)
         nir_foreach_instr_safe(instr, block)
            impl_progress |= pass(&b, instr, data);
      nir_changed(impl, impl_progress, preserved);
      progress |= impl_progress;
   }
   return progress;
}

bool
nir_replace_instrs_of(nir_function_impl *impl, nir_wants_instr filter,
                      nir_replace_instr lower, void *data)
{
   nir_builder b;
   nir_builder_init(&b, impl);
   bool progress = false;
   nir_metadata preserved = nir_metadata_control_flow;

   /* A callback may split blocks: what follows the instruction is found
    * through the cursor, not through saved neighbours. */
   nir_cursor at = nir_before_block(nir_start_block(impl));
   for (nir_block *block = nir_start_block(impl); block;) {
      nir_instr *instr;
      if (at.option == nir_cursor_before_block)
         instr = nir_block_first_instr(at.block);
      else if (at.option == nir_cursor_after_instr)
         instr = nir_instr_next(at.instr);
      else
         instr = NULL;
      if (!instr) {
         block = nir_block_cf_tree_next(nir_cursor_current_block(at));
         if (block)
            at = nir_before_block(block);
         continue;
      }
      at = nir_after_instr(instr);
      if (filter && !filter(instr, data))
         continue;

      nir_value *old_def = nir_instr_value(instr);
      const unsigned old_blocks_valid = impl->valid_metadata;
      b.cursor = nir_after_instr_and_phis(instr);
      /* Uses that the callback itself makes of the old value stay. */
      struct list_head old_uses;
      list_inithead(&old_uses);
      if (old_def)
         list_splicetail(&old_def->uses, &old_uses);
      nir_value *new_def = lower(&b, instr, data);
      if ((old_blocks_valid & nir_metadata_block_index) &&
          !(impl->valid_metadata & nir_metadata_block_index))
         preserved = nir_metadata_none;

      if (new_def && new_def != NIR_CHANGED_IN_PLACE &&
          new_def != NIR_REPLACED_BY_NOTHING) {
         assert(old_def);
         list_for_each_entry(nir_use, src, &old_uses, link)
            src->value = new_def;
         list_splicetail(&old_uses, &new_def->uses);
         if (nir_value_is_unused(old_def))
            at = nir_instr_remove_with_sources(instr);
         else
            at = nir_after_instr(instr);
         progress = true;
         continue;
      }
      if (old_def)
         list_splicetail(&old_uses, &old_def->uses);
      if (new_def == NIR_REPLACED_BY_NOTHING) {
         at = nir_instr_remove_with_sources(instr);
         progress = true;
      } else if (new_def == NIR_CHANGED_IN_PLACE) {
         progress = true;
      }
   }
   nir_changed(impl, progress, preserved);
   return progress;
}

bool
nir_replace_instrs(nir_shader *shader, nir_wants_instr filter,
                   nir_replace_instr lower, void *data)
{
   bool progress = false;
   nir_foreach_impl(impl, shader)
      progress |= nir_replace_instrs_of(impl, filter, lower, data);
   return progress;
}

/* --- NIR_DEBUG ---------------------------------------------------------- */

static pthread_once_t debug_once = PTHREAD_ONCE_INIT;
static unsigned debug_flags;
static const char *debug_text;

static void
debug_read(void)
{
   static const struct {
      const char *name;
      unsigned flag;
   } flags[] = {
      { "print", NIR_DEBUG_PRINT },
      { "validate", NIR_DEBUG_VALIDATE },
      { "novalidate", NIR_DEBUG_NOVALIDATE },
      { "clone", NIR_DEBUG_CLONE },
      { "time", NIR_DEBUG_TIME },
   };
   debug_text = environment_get("NIR_DEBUG");
   for (const char *s = debug_text; s && *s;) {
      const size_t n = strcspn(s, ",");
      for (unsigned i = 0; i < ARRAY_SIZE(flags); i++) {
         if (strlen(flags[i].name) == n && !strncmp(s, flags[i].name, n))
            debug_flags |= flags[i].flag;
      }
      s += n;
      s += *s == ',';
   }
}

unsigned
nir_debug_flags(void)
{
   pthread_once(&debug_once, debug_read);
   return debug_flags;
}

bool
nir_pass_enabled(const char *pass)
{
   nir_debug_flags();
   for (const char *s = debug_text; s && *s;) {
      const size_t n = strcspn(s, ",");
      if (n == 5 + strlen(pass) && !strncmp(s, "skip:", 5) &&
          !strncmp(s + 5, pass, n - 5))
         return false;
      s += n;
      s += *s == ',';
   }
   return true;
}

static _Thread_local struct timespec pass_start;
void (*nir_pass_observer)(nir_shader *shader, const char *pass);
void (*nir_pass_announcer)(nir_shader *shader, const char *pass);

#ifndef NDEBUG
/* Makes the shader wrong, as a pass with a mistake does: the last float that
 * is computed is a product in place of a sum, or the reverse. Or it makes no
 * sense. */
static void
spoil(nir_shader *shader, const char *pass)
{
   const enum guard_fault fault = guard_step_fault(pass);
   nir_alu_instr *last = NULL;

   if (fault == GUARD_FAULT_NONE)
      return;
   nir_foreach_block(block, nir_entry_point(shader)) {
      nir_foreach_instr(instr, block) {
         nir_alu_instr *alu = nir_maybe_alu(instr);
         if (alu && (alu->op == nir_op_fadd || alu->op == nir_op_fmul))
            last = alu;
      }
   }
   if (!last)
      return;
   if (fault == GUARD_FAULT_INVALID)
      last->instr.result.bit_size = 1;
   else
      last->op = last->op == nir_op_fadd ? nir_op_fmul : nir_op_fadd;
}
#endif

void
nir_pass_before(nir_shader *shader, const char *pass)
{
   const unsigned flags = nir_debug_flags();
   if (nir_pass_announcer)
      nir_pass_announcer(shader, pass);
   if (flags & NIR_DEBUG_TIME)
      clock_gettime(CLOCK_MONOTONIC, &pass_start);
#ifndef NDEBUG
   nir_foreach_impl(impl, shader)
      impl->valid_metadata |= nir_metadata_not_properly_reset;
#endif
}

void
nir_pass_after(nir_shader *shader, const char *pass, bool progress)
{
   const unsigned flags = nir_debug_flags();
   guard_step(pass);
   if (flags & NIR_DEBUG_TIME) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      fprintf(stderr, "%s: %ld us\n", pass,
              (now.tv_sec - pass_start.tv_sec) * 1000000 +
                 (now.tv_nsec - pass_start.tv_nsec) / 1000);
   }
#ifndef NDEBUG
   if (progress)
      spoil(shader, pass);
   nir_foreach_function(func, shader) {
      if (func->impl && progress)
         assert(
            !(func->impl->valid_metadata & nir_metadata_not_properly_reset) &&
            "a pass says with nir_metadata_preserve what it kept");
      if (func->impl)
         func->impl->valid_metadata &= ~nir_metadata_not_properly_reset;
   }
#endif
   if (progress && (flags & NIR_DEBUG_CLONE))
      nir_sweep(shader);
   if (progress)
      nir_validate_shader(shader, pass);
   if (progress && (flags & NIR_DEBUG_PRINT)) {
      fprintf(stderr, "%s\n", pass);
      nir_print_shader(shader, stderr);
   }
   if (progress && nir_pass_observer)
      nir_pass_observer(shader, pass);
}
