/* SPDX-License-Identifier: MIT */
/* Metadata; copying, checking, printing and parsing of whole shaders; how
 * passes are run. */
#ifndef NIR_PASS_H
#define NIR_PASS_H

#include <stdio.h>

#include "ir/nir_walk.h"

/* --- Metadata ---------------------------------------------------------- */

/* Computes what is asked and not valid. */
void nir_metadata_require(nir_function_impl *impl, nir_metadata required,
                          ...);
/* Drops all that is not named. */
void nir_metadata_preserve(nir_function_impl *impl, nir_metadata kept);
/* For the end of a pass over a body: if it changed something, what is named
 * is still true, and nothing else; if not, all. */
static inline void
nir_changed(nir_function_impl *impl, bool progress, nir_metadata kept)
{
   nir_metadata_preserve(impl, progress ? kept : nir_metadata_all);
}
void nir_shader_preserve_all_metadata(nir_shader *shader);

void nir_number_blocks(nir_function_impl *impl);
unsigned nir_number_instrs(nir_function_impl *impl);
void nir_number_values(nir_function_impl *impl);
void nir_find_dominators(nir_function_impl *impl);
void nir_find_live_values(nir_function_impl *impl);
void nir_loop_analyze_impl(nir_function_impl *impl, unsigned indirect_mask);

nir_block *nir_common_dominator(nir_block *b1, nir_block *b2);
/* A block dominates itself; an unreachable block is dominated by all. */
bool nir_block_dominates(const nir_block *parent, const nir_block *child);
bool nir_block_is_unreachable(const nir_block *block);
/* Whether it is directly in an if of which one says that it is hardly ever
 * taken. */
bool nir_block_is_unlikely(const nir_block *block);

/* --- Whole shaders ----------------------------------------------------- */

nir_shader *nir_shader_clone(struct arena *parent, const nir_shader *shader);
nir_function_impl *nir_function_impl_clone(nir_shader *shader,
                                           const nir_function_impl *impl);
nir_instr *nir_instr_clone(nir_shader *shader, const nir_instr *instr);
nir_instr *nir_instr_clone_deep(nir_shader *shader, const nir_instr *instr,
                                struct hash_table *remap);
/* Gives back the memory of what was removed. Pointers into the shader other
 * than the shader itself and its variables may move: keep none. */
void nir_sweep(nir_shader *shader);
void nir_shader_gather_info(nir_shader *shader, nir_function_impl *entry);

/* Reports every fault of the shader on stderr, with the shader, and aborts
 * if there is one. No-op in release builds unless NIR_DEBUG=validate. */
void nir_validate_shader(nir_shader *shader, const char *when);
/* The same check as a question: the faults as text in `arena`, or NULL. */
char *nir_validate_shader_text(nir_shader *shader, struct arena *arena);

void nir_print_shader(nir_shader *shader, FILE *out);
/* Notes by instruction, variable or block pointer, printed below it. */
void nir_print_shader_annotated(nir_shader *shader, FILE *out,
                                struct hash_table *notes);
char *nir_shader_as_str(nir_shader *shader, struct arena *arena);
char *nir_shader_as_str_annotated(nir_shader *shader,
                                  struct hash_table *annotations,
                                  struct arena *arena);
char *nir_instr_as_str(const nir_instr *instr, struct arena *arena);

/* Reads the text form. NULL on bad input: *error then is "line:column:
 * sentence" in `parent` (the arena that must not be NULL then). */
nir_shader *nir_parse_shader(struct arena *parent, const char *text,
                             size_t size_B,
                             const nir_shader_compiler_options *options,
                             char **error);

/* dest[c] of `num_components`, src[i][c] already swizzled. `bit_size` is that
 * of the size-less types of the opcode. `execution_mode`: float_controls. */
void nir_eval_const_opcode(nir_op op, nir_const_value *dest,
                           unsigned num_components, unsigned bit_size,
                           nir_const_value **src, unsigned execution_mode);

/* What combines with any value to that value: where reductions by `op`, one
 * of SPIR-V's group operations (3.49.21 of SPIR-V 1.3), begin. */
nir_const_value nir_reduction_identity(nir_op op, unsigned bit_size);

/* Names by which NIR_DEBUG asks for printing and so on: bits of nir_debug. */
enum {
   NIR_DEBUG_PRINT = 1 << 0,
   NIR_DEBUG_VALIDATE = 1 << 1,
   NIR_DEBUG_NOVALIDATE = 1 << 2,
   NIR_DEBUG_CLONE = 1 << 3, /* copy after each pass, go on with that */
   NIR_DEBUG_TIME = 1 << 4,
};
unsigned nir_debug_flags(void);
void nir_pass_before(nir_shader *shader, const char *pass);
void nir_pass_after(nir_shader *shader, const char *pass, bool progress);
bool nir_pass_enabled(const char *pass);

/* Runs a pass that returns whether it changed the shader; validates, and
 * prints when NIR_DEBUG says so. NIR_DEBUG=skip:nir_opt_cse leaves it out. */
#define NIR_PASS(progress, nir, pass, ...)                                   \
   do {                                                                      \
      if (nir_pass_enabled(#pass)) {                                         \
         nir_pass_before(nir, #pass);                                        \
         const bool pass_progress_ = pass(nir, ##__VA_ARGS__);               \
         nir_pass_after(nir, #pass, pass_progress_);                         \
         if (pass_progress_)                                                 \
            progress = true;                                                 \
      }                                                                      \
   } while (0)

/* Called after every pass that changed something, by the thread that ran it;
 * to be set before there are several. NULL: nothing is called. */
extern void (*nir_pass_observer)(nir_shader *shader, const char *pass);
/* The same before every pass. */
extern void (*nir_pass_announcer)(nir_shader *shader, const char *pass);

/* --- Walking passes ---------------------------------------------------- */

typedef bool (*nir_visit_instr)(struct nir_builder *b, nir_instr *instr,
                                void *data);
typedef bool (*nir_wants_instr)(const nir_instr *instr, const void *data);
typedef nir_value *(*nir_replace_instr)(struct nir_builder *b,
                                        nir_instr *instr, void *data);

/* Calls `pass` on every instruction that is there at the time its block is
 * reached; whether any call said that it changed something. */
bool nir_visit_instrs(nir_shader *shader, nir_visit_instr pass,
                      nir_metadata preserved, void *data);
/* A callback may return this to say that it did the work itself, or this
 * that the instruction is to go. NULL means unchanged. */
#define NIR_CHANGED_IN_PLACE ((nir_value *)(uintptr_t)1)
#define NIR_REPLACED_BY_NOTHING ((nir_value *)(uintptr_t)2)
bool nir_replace_instrs(nir_shader *shader, nir_wants_instr filter,
                        nir_replace_instr lower, void *data);
bool nir_replace_instrs_of(nir_function_impl *impl, nir_wants_instr filter,
                           nir_replace_instr lower, void *data);

#endif
