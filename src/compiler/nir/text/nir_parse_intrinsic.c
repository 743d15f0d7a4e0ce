/* SPDX-License-Identifier: MIT */
/* Intrinsics in the text form. */
#include "nir_parse_private.h"

#include <ctype.h>

#include "nir_private.h"

static int
find_intrinsic(const char *name)
{
   return nir_parse_find_row(name, nir_intrinsic_infos,
                             sizeof(nir_intrinsic_infos[0]),
                             nir_num_intrinsics);
}

/* The number in an item: that of its comment if there is one, as after a
 * write mask of letters, else what stands after the '='. */
static bool
item_value(const char *item, const char *end, int *value)
{
   const char *at = item;
   for (const char *c = item; c < end; c++) {
      if (*c == '=' && at == item)
         at = c + 1;
      if (end - c > 2 && c[0] == '/' && c[1] == '*') {
         at = c + 2;
         break;
      }
   }
   char text[24];
   const size_t n = MIN2((size_t)(end - at), sizeof(text) - 1);
   memcpy(text, at, n);
   text[n] = '\0';
   long long v = 0;
   if (sscanf(text, " %lld", &v) != 1)
      return false;
   *value = (int)v;
   return true;
}

/* (0, 15) by place, or (base=0, wrmask=xyzw) by name. Names that the row
 * does not have are another version's and are passed over. */
static void
parse_indices(struct nir_parser *p, nir_intrinsic_instr *intr)
{
   const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
   unsigned place = 0;
   nir_parse_expect(p, "(");
   while (!p->error && !nir_parse_peek(p, ")")) {
      const char *item = p->at;
      unsigned parens = 0;
      while (p->at < p->end && *p->at != '\n' &&
             (parens || (*p->at != ',' && *p->at != ')'))) {
         parens += *p->at == '(';
         parens -= *p->at == ')';
         p->at++;
      }
      int value = 0;
      unsigned slot = place;
      if (item < p->at && isalpha((unsigned char)*item)) {
         slot = UINT32_MAX;
         size_t n = 0;
         while (item + n < p->at && item[n] != '=' && item[n] != ' ')
            n++;
         for (unsigned i = 0; i < info->num_indices; i++) {
            const char *name = nir_intrinsic_index_names[info->indices[i]];
            if (strlen(name) == n && memcmp(name, item, n) == 0)
               slot = i;
         }
      }
      if (slot != UINT32_MAX && slot >= info->num_indices) {
         p->at = item;
         nir_parse_fail(p, "%s has %u indices", info->name,
                        info->num_indices);
      } else if (slot != UINT32_MAX && !item_value(item, p->at, &value)) {
         p->at = item;
         nir_parse_fail(p, "an index without a number");
      } else if (slot != UINT32_MAX) {
         intr->const_index[slot] = value;
      }
      place++;
      if (!nir_parse_accept(p, ","))
         break;
   }
   nir_parse_expect(p, ")");
}

void
nir_parse_intrinsic(struct nir_parser *p, const struct nir_parse_dest *d)
{
   const char *start = p->at;
   char *name = nir_parse_ident(p);
   const int op = name ? find_intrinsic(name) : -1;
   if (op < 0) {
      p->at = start;
      nir_parse_skip(p);
      nir_parse_fail(p, "unknown intrinsic");
      return;
   }
   const nir_intrinsic_info *info = &nir_intrinsic_infos[op];
   if (info->has_dest != d->present) {
      nir_parse_fail(p, "%s %s", name,
                     info->has_dest ? "has a destination" : "has none");
      return;
   }
   nir_intrinsic_instr *intr =
      nir_new_intrinsic(p->shader, (nir_intrinsic_op)op);
   nir_parse_expect(p, "(");
   for (unsigned i = 0; i < info->num_srcs && !p->error; i++) {
      if (i)
         nir_parse_expect(p, ",");
      nir_parse_src(p, &intr->src[i]);
   }
   nir_parse_expect(p, ")");
   parse_indices(p, intr);
   if (p->error)
      return;
   if (info->has_dest) {
      nir_parse_set_dest(p, &intr->instr, &intr->instr.result, d);
      if (info->dest_components == 0)
         intr->num_components = (uint8_t)d->components;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (info->src_components[i] == 0)
         intr->num_components = (uint8_t)intr->src[i].value->num_components;
   }
   nir_parse_insert(p, &intr->instr);
}
