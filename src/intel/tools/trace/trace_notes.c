/* SPDX-License-Identifier: MIT */
#include "trace_notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "util/tool_io.h"

/* Of one shader; no width has as many instructions. */
#define MAX_PIECES (1u << 24)

struct cursor {
   const char *at, *end;
};

/* The next line, without its end; NULL: there is none. */
static const char *
take_line(struct cursor *c, size_t *length)
{
   const char *line = c->at;
   const char *end = memchr(line, '\n', (size_t)(c->end - line));
   if (!end)
      return NULL;
   *length = (size_t)(end - line);
   c->at = end + 1;
   return line;
}

/* Lines are copied, so that numbers end where they do. */
static bool
scan_line(struct cursor *c, char *copy, size_t room, const char **line)
{
   size_t length;
   *line = take_line(c, &length);
   if (!*line)
      return false;
   snprintf(copy, room, "%.*s", (int)MIN2(length, room - 1), *line);
   return true;
}

static bool
take_piece(struct cursor *c, struct trace_piece *p)
{
   char copy[64];
   const char *line;
   int name_at = 0;
   if (!scan_line(c, copy, sizeof(copy), &line) ||
       sscanf(copy, "%" SCNu32 " %" SCNu32 "%n", &p->offset_B, &p->line,
              &name_at) != 2)
      return false;
   p->file = line + name_at + 1;
   p->file_B = line + name_at + 1 < c->at ? (uint32_t)(c->at - 1 - p->file)
                                          : 0;
   return true;
}

static bool
take_pieces(struct cursor *c, struct trace_note *n)
{
   n->pieces = calloc(MAX2(n->num_pieces, 1u), sizeof(*n->pieces));
   for (uint32_t i = 0; n->pieces && i < n->num_pieces; i++) {
      if (!take_piece(c, &n->pieces[i]) ||
          (i && n->pieces[i].offset_B < n->pieces[i - 1].offset_B))
         return false;
   }
   return n->pieces != NULL;
}

static bool
take_note(struct cursor *c, struct trace_note *n)
{
   char copy[128];
   const char *line;
   unsigned stage, width;
   if (!scan_line(c, copy, sizeof(copy), &line) ||
       sscanf(copy, "shader %" SCNx64 " %u %u %" SCNu32 " %zu", &n->hash,
              &stage, &width, &n->num_pieces, &n->listing_B) != 5 ||
       n->num_pieces > MAX_PIECES || !take_pieces(c, n))
      return false;
   n->listing = c->at;
   if (n->listing_B >= (size_t)(c->end - c->at))
      return false;
   c->at += n->listing_B + 1;
   return true;
}

static void
free_note(struct trace_note *n)
{
   if (n)
      free(n->pieces);
   free(n);
}

/* A program that was killed may have left the last one unfinished. */
static void
parse(struct trace_notes *notes, const char *path)
{
   struct cursor c = { .at = notes->bytes.data };
   c.end = c.at + notes->bytes.size_B;
   while (c.at < c.end) {
      const char *start = c.at;
      struct trace_note *n = calloc(1, sizeof(*n));
      if (!n)
         abort();
      if (!take_note(&c, n)) {
         free_note(n);
         fprintf(stderr,
                 "saffron trace: %s: byte %zu: no note of a shader; what "
                 "comes before is used\n",
                 path, (size_t)(start - (char *)notes->bytes.data));
         return;
      }
      free_note(hash_table_get(&notes->notes, n->hash));
      hash_table_insert(&notes->notes, n->hash, n);
   }
}

bool
trace_notes_read(struct trace_notes *n, const char *recording,
                 const char *path)
{
   char beside[4096];
   *n = (struct trace_notes) { 0 };
   hash_table_init(&n->notes);
   if (!path) {
      snprintf(beside, sizeof(beside), "%s.shaders", recording);
      if (access(beside, F_OK))
         return true;
      path = beside;
   }
   if (!tool_read_file("saffron trace", path, &n->bytes))
      return false;
   parse(n, path);
   return true;
}

void
trace_notes_free(struct trace_notes *n)
{
   hash_table_foreach(&n->notes, e)
      free_note(e->data);
   hash_table_finish(&n->notes);
   util_dynarray_fini(&n->bytes);
}

const struct trace_piece *
trace_notes_piece(const struct trace_notes *notes, uint64_t hash,
                  uint32_t ip_B)
{
   const struct trace_note *n = hash_table_get(&notes->notes, hash);
   uint32_t from = 0, to = n ? n->num_pieces : 0;
   while (from < to) {
      const uint32_t middle = (from + to) / 2;
      if (n->pieces[middle].offset_B <= ip_B)
         from = middle + 1;
      else
         to = middle;
   }
   return from ? &n->pieces[from - 1] : NULL;
}
