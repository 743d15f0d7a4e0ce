/* SPDX-License-Identifier: MIT */
/*
 * OpName and OpMemberName (3.49.2): what variables, types and members are
 * called in NIR, in what is printed and in tables of constants. They mean
 * nothing else, so a name that the text form of NIR could not hold is
 * changed: what is no letter, digit or underscore becomes an underscore.
 */
#include "compiler/spirv/spirv_private.h"

/* Longer ones are cut. */
#define MAX_NAME 200u

static bool
is_word(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
          (c >= '0' && c <= '9') || c == '_';
}

/* NULL for an empty one. */
static const char *
read_name(struct spv *s, const uint32_t *w, const uint32_t *end)
{
   unsigned n;
   const char *text = spv_string(s, w, end, &n);
   char *name;

   n = (unsigned)strnlen(text, MAX_NAME);
   if (!n)
      return NULL;
   name = arena_printf(s->arena, "%.*s", (int)n, text);
   for (char *c = name; *c; c++) {
      if (!is_word(*c))
         *c = '_';
   }
   return name;
}

static void
add_member_name(struct spv *s, const uint32_t *w)
{
   struct spv_member_name *m = arena_new(s->arena, struct spv_member_name);
   struct spv_value *v = &s->values[w[1]];

   m->member = w[2];
   m->name = read_name(s, w + 3, w + spv_count(w));
   m->next = v->member_names;
   v->member_names = m;
}

void
spv_read_names(struct spv *s)
{
   for (const uint32_t *w = s->words + 5; w < s->first_function;
        w += spv_count(w)) {
      s->cur = w;
      if (spv_opcode(w) == SpvOpName)
         s->values[w[1]].name = read_name(s, w + 2, w + spv_count(w));
      else if (spv_opcode(w) == SpvOpMemberName)
         add_member_name(s, w);
   }
}

static bool
is_taken(struct hash_table *taken, const char *name)
{
   const uint32_t n = (uint32_t)strlen(name);
   const bool is = hash_table_get_bytes(taken, name, n) != NULL;

   if (!is)
      hash_table_insert_bytes(taken, name, n, (void *)name);
   return is;
}

const char **
spv_member_names(struct spv *s, uint32_t id, unsigned count)
{
   const char **names = arena_new_array(s->arena, const char *, count);
   struct hash_table taken;

   for (const struct spv_member_name *m = s->values[id].member_names; m;
        m = m->next) {
      if (m->member < count)
         names[m->member] = m->name;
   }
   hash_table_init(&taken);
   for (unsigned i = 0; i < count; i++) {
      if (!names[i])
         names[i] = arena_printf(s->arena, "field%u", i);
      if (is_taken(&taken, names[i]))
         names[i] = arena_printf(s->arena, "%s_member%u", names[i], i);
   }
   hash_table_finish(&taken);
   return names;
}

/* Types of one name are told apart by their id. */
const char *
spv_type_name(struct spv *s, uint32_t id, const char *otherwise)
{
   const char *name = s->values[id].name ? s->values[id].name : otherwise;

   if (is_taken(&s->type_names, name))
      name = arena_printf(s->arena, "%s_%u", name, id);
   return name;
}

const char *
spv_variable_name(struct spv *s, const struct spv_variable *v,
                  unsigned member)
{
   const char *name = v->id ? s->values[v->id].name : NULL;
   const struct spv_type *t = v->type;

   if (v->block) {
      const char *inner =
         glsl_get_struct_field_data(v->block->glsl, member)->name;
      return name ? arena_printf(s->arena, "%s_%s", name, inner) : inner;
   }
   while (t->base == SPV_ARRAY)
      t = t->elem;
   if (!name && t->base == SPV_STRUCT && t->id)
      name = s->values[t->id].name;
   return name;
}
