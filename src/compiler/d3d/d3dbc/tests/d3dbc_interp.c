/* SPDX-License-Identifier: MIT */
#include "compiler/d3d/d3dbc/tests/d3dbc_interp.h"

#include <math.h>

#define MAX_STACK 64

struct dest {
   uint32_t token;
   unsigned index;
   bool on[4]; /* mask and predicate */
};

struct machine {
   struct d3dbc_interp *s;
   const uint32_t *words;
   size_t num_words, at; /* after the instruction token */
   unsigned major, minor;
   bool ps;
   uint32_t token;
   size_t next; /* the next instruction */
   const char *error;

   struct {
      size_t body;
      int left, step, saved_al;
      bool has_al;
   } loop[MAX_STACK];
   unsigned num_loops;
   size_t calls[MAX_STACK];
   unsigned num_calls;

   /* The next instruction happens together with this one (+): what it wrote
    * comes after that has read. */
   bool paired, has_late;
   struct dest late;
   float late_value[4];
};

/* --- Lengths ------------------------------------------------------------ */

/* Operand tokens of version 1, which has no lengths. */
static unsigned
length_1(unsigned op, unsigned minor, bool ps)
{
   switch (op) {
   case 0x00:
   case 0xfffd: return 0;
   case 0x41:
   case 0x57: return 1;
   case 0x40:
   case 0x42: return ps && minor < 4 ? 1 : 2;
   case 0x01:
   case 0x06:
   case 0x07:
   case 0x0e:
   case 0x0f:
   case 0x10:
   case 0x13:
   case 0x4e:
   case 0x4f:
   case 0x1f:
   case 0x43:
   case 0x44:
   case 0x45:
   case 0x46:
   case 0x47:
   case 0x48:
   case 0x49:
   case 0x4a:
   case 0x4d:
   case 0x52:
   case 0x53:
   case 0x54:
   case 0x55:
   case 0x56: return 2;
   case 0x04:
   case 0x12:
   case 0x50:
   case 0x58: return 4;
   case 0x51: return 5;
   default: return 3;
   }
}

static size_t
after(const struct machine *m, size_t at)
{
   const uint32_t token = m->words[at];

   if ((token & 0xffff) == 0xfffe)
      return at + 1 + (token >> 16 & 0x7fff);
   if (m->major >= 2)
      return at + 1 + (token >> 24 & 0xf);
   return at + 1 + length_1(token & 0xffff, m->minor, m->ps);
}

/* --- Registers ---------------------------------------------------------- */

static unsigned
reg_type(uint32_t token)
{
   return (token >> 28 & 7) | (token >> 8 & 0x18);
}

/* The index of the operand at m->at, which is moved after it. */
static unsigned
take_index(struct machine *m, uint32_t token, unsigned add, unsigned limit)
{
   int index = (int)(token & 0x7ff);

   m->at++;
   if (token & 0x2000) {
      if (m->major < 2) {
         index += m->s->a[0];
      } else {
         const uint32_t addr = m->words[m->at++];
         index += reg_type(addr) == 15 ? m->s->al : m->s->a[addr >> 16 & 3];
      }
   }
   index += (int)add;
   if (reg_type(token) == 2)
      return index < 0 || (unsigned)index >= 256 ? 256 : (unsigned)index;
   /* Relative ones stay in their file. */
   return (token & 0x2000) && (unsigned)index >= limit ? limit - 1
                                                       : (unsigned)index;
}

static const float *
read_reg(struct machine *m, unsigned add)
{
   static const float zero[4];
   struct d3dbc_interp *s = m->s;
   const uint32_t token = m->words[m->at];
   const unsigned i =
      take_index(m, token, add, m->ps && m->major == 3 ? 10 : 16);

   switch (reg_type(token)) {
   case 0: return s->r[i];
   case 1: return s->v[i];
   case 2: return i == 256 ? zero : s->c[i];
   case 3: return s->t[i];
   case 17: return i ? s->vface : s->vpos;
   default: m->error = "a register that cannot be read"; return zero;
   }
}

static float
modify(float x, unsigned mod, const float *v)
{
   switch (mod) {
   case 1: return -x;
   case 2: return x - 0.5f;
   case 3: return -(x - 0.5f);
   case 4: return 2 * (x - 0.5f);
   case 5: return -(2 * (x - 0.5f));
   case 6: return 1 - x;
   case 7: return 2 * x;
   case 8: return -(2 * x);
   case 9: return x / v[2];
   case 10: return x / v[3];
   case 11: return fabsf(x);
   case 12: return -fabsf(x);
   default: return x;
   }
}

static void
read_src_row(struct machine *m, unsigned add, float out[4])
{
   const uint32_t token = m->words[m->at];
   const float *v = read_reg(m, add);
   float copy[4];

   memcpy(copy, v, sizeof(copy));
   for (unsigned i = 0; i < 4; i++) {
      const unsigned c = token >> (16 + 2 * i) & 3;
      out[i] = modify(copy[c], token >> 24 & 0xf, copy);
   }
}

static void
read_src(struct machine *m, float out[4])
{
   read_src_row(m, 0, out);
}

static bool
read_bool(struct machine *m)
{
   const uint32_t token = m->words[m->at++];
   const bool v = reg_type(token) == 19 ? m->s->p[token >> 16 & 3]
                                        : m->s->b[token & 0xf] != 0;

   return (token >> 24 & 0xf) == 13 ? !v : v;
}

static const int *
read_int(struct machine *m)
{
   return m->s->i[m->words[m->at++] & 0xf];
}

/* --- Writing ------------------------------------------------------------ */

static struct dest
take_dest(struct machine *m)
{
   struct dest d = { .token = m->words[m->at] };

   d.index = take_index(m, d.token, 0, m->major == 3 ? 12 : 32);
   for (unsigned i = 0; i < 4; i++)
      d.on[i] = d.token >> (16 + i) & 1;
   if (m->token & 0x10000000) {
      const uint32_t p = m->words[m->at++];
      for (unsigned i = 0; i < 4; i++) {
         const bool v = m->s->p[p >> (16 + 2 * i) & 3];
         d.on[i] &= (p >> 24 & 0xf) == 13 ? !v : v;
      }
   }
   return d;
}

static float *
dest_reg(struct machine *m, const struct dest *d)
{
   struct d3dbc_interp *s = m->s;

   switch (reg_type(d->token)) {
   case 0: return s->r[d->index];
   case 3: return s->t[d->index];
   case 4: return s->raster[d->index];
   case 5: return s->od[d->index];
   case 6: return s->o[d->index];
   case 8: return s->oc[d->index];
   case 9: s->wrote_depth = true; return s->depth;
   default: m->error = "a register that cannot be written"; return s->r[31];
   }
}

static void
write_dest(struct machine *m, const struct dest *d, const float v[4])
{
   if (m->paired) {
      /* The other one reads what was there before. */
      m->late = *d;
      memcpy(m->late_value, v, sizeof(m->late_value));
      m->has_late = true;
      return;
   }
   const int shift = (int)(d->token << 4) >> 28;
   float *reg;

   if (!m->ps && reg_type(d->token) == 3) {
      for (unsigned i = 0; i < 4; i++) {
         if (d->on[i])
            m->s->a[i] = (int)(m->major < 2 ? floorf(v[i]) : rintf(v[i]));
      }
      return;
   }
   reg = dest_reg(m, d);
   for (unsigned i = 0; i < 4; i++) {
      float x = ldexpf(v[i], shift);
      if (d->token & 0x100000)
         x = x > 0 ? (x > 1 ? 1 : x) : 0;
      if (d->on[i])
         reg[i] = x;
   }
}

/* --- Arithmetic --------------------------------------------------------- */

static float
mul(const struct machine *m, float x, float y)
{
   return m->s->mul_zero && (x == 0 || y == 0) ? 0 : x * y;
}

static float
dot(const struct machine *m, const float *x, const float *y, unsigned n)
{
   float sum = mul(m, x[0], y[0]);

   for (unsigned i = 1; i < n; i++)
      sum += mul(m, x[i], y[i]);
   return sum;
}

static bool
compare(unsigned code, float x, float y)
{
   return code == 1   ? x > y
          : code == 2 ? x == y
          : code == 3 ? x >= y
          : code == 4 ? x < y
          : code == 5 ? x != y
                      : x <= y;
}

/* -0 is smaller than 0. */
static float
smaller(float x, float y)
{
   if (x == y)
      return signbit(x) ? x : y;
   return fminf(x, y);
}

static float
larger(float x, float y)
{
   return -smaller(-x, -y);
}

/* Per component; false: not of this kind. */
static bool
map(const struct machine *m, unsigned op, const float *a, const float *b,
    const float *c, float *out)
{
   for (unsigned i = 0; i < 4; i++) {
      switch (op) {
      case 0x01:
      case 0x2e: out[i] = a[i]; break;
      case 0x02: out[i] = a[i] + b[i]; break;
      case 0x03: out[i] = a[i] - b[i]; break;
      case 0x04: out[i] = mul(m, a[i], b[i]) + c[i]; break;
      case 0x05: out[i] = mul(m, a[i], b[i]); break;
      case 0x0a: out[i] = smaller(a[i], b[i]); break;
      case 0x0b: out[i] = larger(a[i], b[i]); break;
      case 0x0c: out[i] = a[i] < b[i]; break;
      case 0x0d: out[i] = a[i] >= b[i]; break;
      case 0x12: out[i] = mul(m, a[i], b[i] - c[i]) + c[i]; break;
      case 0x13: out[i] = a[i] - floorf(a[i]); break;
      case 0x22:
         out[i] = a[i] > 0 ? 1 : a[i] < 0 ? -1 : a[i] == 0 ? a[i] : 0;
         break;
      case 0x23: out[i] = fabsf(a[i]); break;
      case 0x50: out[i] = a[i] > 0.5f ? b[i] : c[i]; break;
      case 0x58: out[i] = a[i] >= 0 ? b[i] : c[i]; break;
      default: return false;
      }
   }
   return true;
}

static bool
replicated(const struct machine *m, unsigned op, const float *a,
           const float *b, const float *c, float *out)
{
   float v;

   switch (op) {
   case 0x06: v = 1 / a[0]; break;
   case 0x07: v = (float)(1 / sqrt(fabs((double)a[0]))); break;
   case 0x08: v = dot(m, a, b, 3); break;
   case 0x09: v = dot(m, a, b, 4); break;
   case 0x0e: v = (float)exp2((double)a[0]); break;
   case 0x0f: v = (float)log2(fabs((double)a[0])); break;
   case 0x20: v = (float)pow(fabs((double)a[0]), (double)b[0]); break;
   case 0x5a: v = dot(m, a, b, 2) + c[0]; break;
   default: return false;
   }
   for (unsigned i = 0; i < 4; i++)
      out[i] = v;
   return true;
}

static void
lit(const float *a, float *out)
{
   const float w = larger(smaller(a[3], 127.99609375f), -127.99609375f);

   out[0] = out[3] = 1;
   out[1] = larger(a[0], 0);
   out[2] = a[0] > 0 && a[1] > 0 ? (float)pow((double)a[1], (double)w) : 0;
}

static void
parts(const struct machine *m, unsigned op, float x, float *out)
{
   const bool log = op == 0x4f;
   const float full = log ? (float)log2(fabs((double)x))
                          : (float)exp2((double)x);

   if (m->major >= 2) {
      for (unsigned i = 0; i < 4; i++)
         out[i] = full;
      return;
   }
   if (log) {
      out[0] = floorf(full);
      out[1] = fabsf(x) * (float)exp2((double)-out[0]);
   } else {
      out[0] = (float)exp2((double)floorf(x));
      out[1] = x - floorf(x);
   }
   out[2] = full;
   out[3] = 1;
}

static void
bump(const struct machine *m, unsigned stage, const float *x, const float *y,
     float *out)
{
   const float *k = m->s->bump[stage];

   out[0] = x[0] + k[0] * y[0] + k[2] * y[1];
   out[1] = x[1] + k[1] * y[0] + k[3] * y[1];
   out[2] = x[2];
   out[3] = x[3];
}

static bool
special(const struct machine *m, unsigned op, const struct dest *d,
        const float *a, const float *b, float *out)
{
   switch (op) {
   case 0x10: lit(a, out); return true;
   case 0x11:
      out[0] = 1;
      out[1] = mul(m, a[1], b[1]);
      out[2] = a[2];
      out[3] = b[3];
      return true;
   case 0x21:
      for (unsigned i = 0; i < 3; i++)
         out[i] = mul(m, a[(i + 1) % 3], b[(i + 2) % 3]) -
                  mul(m, a[(i + 2) % 3], b[(i + 1) % 3]);
      out[3] = 0;
      return true;
   case 0x24: {
      const float f = (float)(1 / sqrt((double)dot(m, a, a, 3)));
      for (unsigned i = 0; i < 4; i++)
         out[i] = mul(m, a[i], f);
      return true;
   }
   case 0x25:
      out[0] = (float)cos((double)a[0]);
      out[1] = (float)sin((double)a[0]);
      out[2] = out[3] = 0;
      return true;
   case 0x4e:
   case 0x4f: parts(m, op, a[0], out); return true;
   case 0x59: bump(m, d->index, a, b, out); return true;
   default: return false;
   }
}

static void
matrix(struct machine *m, unsigned op)
{
   static const unsigned size[][2] = {
      { 4, 4 }, { 4, 3 }, { 3, 4 }, { 3, 3 }, { 3, 2 }
   };
   const struct dest d = take_dest(m);
   float a[4], b[4], out[4] = { 0 };
   size_t src;

   read_src(m, a);
   src = m->at;
   for (unsigned i = 0; i < size[op - 0x14][1]; i++) {
      m->at = src;
      read_src_row(m, i, b);
      out[i] = dot(m, a, b, size[op - 0x14][0]);
   }
   write_dest(m, &d, out);
}

/* --- Textures ----------------------------------------------------------- */

static void
sample(struct machine *m, const struct dest *d, unsigned stage,
       const float *coord, unsigned kind, float extra, uint32_t swizzle)
{
   const float xyz[3] = { coord[0], coord[1],
                          m->s->coords[stage] > 2 ? coord[2] : 0 };
   float v[4], out[4];

   m->s->texel(stage, xyz, kind, extra, v);
   for (unsigned i = 0; i < 4; i++)
      out[i] = v[swizzle >> 2 * i & 3];
   write_dest(m, d, out);
}

static void
texld(struct machine *m, unsigned op)
{
   const struct dest d = take_dest(m);
   const unsigned control = m->token >> 16 & 0xff;
   float c[4], dx[4], dy[4], extra = 0;
   unsigned kind = 0;
   uint32_t s;

   read_src(m, c);
   s = m->words[m->at++];
   if (op == 0x5d) {
      read_src(m, dx);
      read_src(m, dy);
      kind = 3;
      extra = dx[0] + dx[1] + dy[0] + dy[1];
      if (m->s->coords[s & 0xf] > 2)
         extra += dx[2] + dy[2];
   } else if (op == 0x5f) {
      kind = 2;
      extra = c[3];
   } else if (control == 1) {
      for (unsigned i = 0; i < 3; i++)
         c[i] /= c[3];
   } else if (control == 2) {
      kind = 1;
      extra = c[3];
   }
   sample(m, &d, s & 0x7ff, c, kind, extra, s >> 16 & 0xff);
}

static void
texkill(struct machine *m)
{
   const struct dest d = take_dest(m);
   const uint32_t token = d.token;
   const float *v;

   m->at = m->at - 1 - (m->token >> 28 & 1);
   v = read_reg(m, 0);
   for (unsigned i = 0; i < (m->major < 2 ? 3 : 4); i++) {
      const bool on = m->major < 2 || (token >> (16 + i) & 1);
      const bool pred = !(m->token & 0x10000000) || d.on[i];
      if (on && pred && v[i] < 0)
         m->s->killed = true;
   }
}

static void
finish_matrix(struct machine *m, unsigned op, const struct dest *d,
              const float coord[8][4], const float *constant)
{
   struct d3dbc_interp *s = m->s;
   const float n[4] = { s->row[0], s->row[1], s->row[2], 1 };
   float e[4] = { 0 }, out[4] = { 0 };

   s->num_rows = 0;
   if (op == 0x56) {
      write_dest(m, d, n);
      return;
   }
   memcpy(out, n, sizeof(out));
   if (op != 0x4a) {
      for (unsigned i = 0; i < 3; i++)
         e[i] = op == 0x4c ? constant[i] : coord[d->index - 2 + i][3];
      const float ne = dot(m, n, e, 3), nn = dot(m, n, n, 3);
      for (unsigned i = 0; i < 3; i++)
         out[i] = (ne + ne) / nn * n[i] - e[i];
   }
   sample(m, d, d->index, out, 0, 0, 0xe4);
}

static void
write_depth(struct machine *m, float z, float w)
{
   const float v = w == 0 ? 1 : z / w;

   m->s->wrote_depth = true;
   for (unsigned i = 0; i < 4; i++)
      m->s->depth[i] = v;
}

/* ps_1_x: `coord` are the coordinates, which t registers begin as. */
static void
tex_1(struct machine *m, unsigned op, const float coord[8][4])
{
   const struct dest d = take_dest(m);
   struct d3dbc_interp *s = m->s;
   float a[4] = { 0 }, c[4] = { 0 }, out[4];

   if (m->at < m->next)
      read_src(m, a);
   if (m->at < m->next)
      read_src(m, c);
   const float row = dot(m, coord[d.index], a, 3);
   switch (op) {
   case 0x40:
      for (unsigned i = 0; i < 4; i++) {
         const float x = coord[d.index][i];
         out[i] = m->minor == 4 ? a[i] : x > 0 ? (x > 1 ? 1 : x) : 0;
      }
      write_dest(m, &d, out);
      break;
   case 0x42:
      sample(m, &d, d.index, m->minor == 4 ? a : coord[d.index], 0, 0, 0xe4);
      break;
   case 0x43:
   case 0x44:
      bump(m, d.index, coord[d.index], a, out);
      if (op == 0x44) {
         const float xyz[3] = { out[0], out[1], out[2] };
         const float l = a[2] * s->bump[d.index][4] + s->bump[d.index][5];
         s->texel(d.index, xyz, 0, 0, out);
         for (unsigned i = 0; i < 4; i++)
            out[i] *= l;
         write_dest(m, &d, out);
      } else {
         sample(m, &d, d.index, out, 0, 0, 0xe4);
      }
      break;
   case 0x45:
      sample(m, &d, d.index, (float[]) { a[3], a[0], 0 }, 0, 0, 0xe4);
      break;
   case 0x46:
      sample(m, &d, d.index, (float[]) { a[1], a[2], 0 }, 0, 0, 0xe4);
      break;
   case 0x52: sample(m, &d, d.index, a, 0, 0, 0xe4); break;
   case 0x47:
   case 0x49: s->row[s->num_rows++] = row; break;
   case 0x48:
      sample(m, &d, d.index, (float[]) { s->row[0], row, 0 }, 0, 0, 0xe4);
      s->num_rows = 0;
      break;
   case 0x54:
      write_depth(m, s->row[0], row);
      s->num_rows = 0;
      break;
   case 0x4a:
   case 0x4c:
   case 0x4d:
   case 0x56:
      s->row[2] = row;
      finish_matrix(m, op, &d, coord, c);
      break;
   case 0x53:
      sample(m, &d, d.index, (float[]) { row, 0, 0 }, 0, 0, 0xe4);
      break;
   case 0x55: write_dest(m, &d, (float[]) { row, row, row, row }); break;
   case 0x57: write_depth(m, s->r[d.index][0], s->r[d.index][1]); break;
   default: m->error = "a texture instruction of version 1"; break;
   }
}

/* --- Control flow ------------------------------------------------------- */

/* After the endif, or the else if `to_else`, of the construct inside of
 * which `at` is; with `loop`, past the end of that loop. */
static size_t
skip(struct machine *m, size_t at, bool to_else, bool loop)
{
   unsigned depth = 0;

   for (; at < m->num_words; at = after(m, at)) {
      switch (m->words[at] & 0xffff) {
      case 0x28:
      case 0x29: depth += !loop; break;
      case 0x1b:
      case 0x26: depth += loop; break;
      case 0x2a:
         if (!loop && to_else && !depth)
            return after(m, at);
         break;
      case 0x2b:
         if (!loop && !depth--)
            return after(m, at);
         break;
      case 0x1d:
      case 0x27:
         if (loop && !depth--)
            return after(m, at);
         break;
      }
   }
   m->error = "a construct without end";
   return m->num_words;
}

static void
begin_loop(struct machine *m, bool has_al)
{
   const int *i;

   if (m->num_loops == MAX_STACK) {
      m->error = "too many nested loops";
      return;
   }
   if (has_al)
      m->at++;
   i = read_int(m);
   if (i[0] <= 0) {
      m->next = skip(m, m->next, false, true);
      return;
   }
   m->loop[m->num_loops].body = m->next;
   m->loop[m->num_loops].left = i[0];
   m->loop[m->num_loops].step = i[2];
   m->loop[m->num_loops].saved_al = m->s->al;
   m->loop[m->num_loops].has_al = has_al;
   if (has_al)
      m->s->al = i[1];
   m->num_loops++;
}

static void
leave_loop(struct machine *m)
{
   m->num_loops--;
   if (m->loop[m->num_loops].has_al)
      m->s->al = m->loop[m->num_loops].saved_al;
}

static void
end_loop(struct machine *m)
{
   const unsigned n = m->num_loops - 1;

   if (m->loop[n].has_al)
      m->s->al += m->loop[n].step;
   if (--m->loop[n].left > 0)
      m->next = m->loop[n].body;
   else
      leave_loop(m);
}

static void
call(struct machine *m, unsigned label)
{
   for (size_t at = 1; m->words[at] != 0xffff; at = after(m, at)) {
      if ((m->words[at] & 0xffff) == 0x1e &&
          (m->words[at + 1] & 0x7ff) == label && m->num_calls < MAX_STACK) {
         m->calls[m->num_calls++] = m->next;
         m->next = after(m, at);
         return;
      }
   }
   m->error = "a call of nothing";
}

static bool
compared(struct machine *m)
{
   float a[4], b[4];

   read_src(m, a);
   read_src(m, b);
   return compare(m->token >> 16 & 7, a[0], b[0]);
}

/* False: no control flow. */
static bool
flow(struct machine *m, unsigned op, bool *end)
{
   bool leave = false;

   switch (op) {
   case 0x19: call(m, m->words[m->at] & 0x7ff); return true;
   case 0x1a: {
      const unsigned label = m->words[m->at++] & 0x7ff;
      if (read_bool(m))
         call(m, label);
      return true;
   }
   case 0x1c:
   case 0x1e:
      if (m->num_calls)
         m->next = m->calls[--m->num_calls];
      else
         *end = true;
      return true;
   case 0x1b: begin_loop(m, true); return true;
   case 0x26: begin_loop(m, false); return true;
   case 0x1d:
   case 0x27: end_loop(m); return true;
   case 0x28:
      if (!read_bool(m))
         m->next = skip(m, m->next, true, false);
      return true;
   case 0x29:
      if (!compared(m))
         m->next = skip(m, m->next, true, false);
      return true;
   case 0x2a: m->next = skip(m, m->next, false, false); return true;
   case 0x2b: return true;
   case 0x2c: leave = true; break;
   case 0x2d: leave = compared(m); break;
   case 0x60: leave = read_bool(m); break;
   default: return false;
   }
   if (leave) {
      m->next = skip(m, m->next, false, true);
      leave_loop(m);
   }
   return true;
}

/* --- All ---------------------------------------------------------------- */

static void
setp(struct machine *m)
{
   const struct dest d = take_dest(m);
   float a[4], b[4];

   read_src(m, a);
   read_src(m, b);
   for (unsigned i = 0; i < 4; i++) {
      if (d.on[i])
         m->s->p[i] = compare(m->token >> 16 & 7, a[i], b[i]);
   }
}

static void
alu(struct machine *m, unsigned op)
{
   const struct dest d = take_dest(m);
   float src[3][4] = { { 0 } }, out[4];

   for (unsigned i = 0; i < 3 && m->at < m->next; i++)
      read_src(m, src[i]);
   if (map(m, op, src[0], src[1], src[2], out) ||
       replicated(m, op, src[0], src[1], src[2], out) ||
       special(m, op, &d, src[0], src[1], out))
      write_dest(m, &d, out);
   else
      m->error = "an unknown opcode";
}

static void
step(struct machine *m, const float coord[8][4], bool *end)
{
   const unsigned op = m->token & 0xffff;

   if (op == 0xfffe || op == 0 || op == 0xfffd || op == 0x1f || op == 0x51 ||
       op == 0x30 || op == 0x2f || flow(m, op, end))
      return;
   if (op >= 0x14 && op <= 0x18)
      matrix(m, op);
   else if (op == 0x5e)
      setp(m);
   else if (op == 0x41)
      texkill(m);
   else if ((op == 0x42 && m->major >= 2) || op == 0x5d || op == 0x5f)
      texld(m, op);
   else if (op >= 0x40 && op <= 0x57 && op != 0x4e && op != 0x4f &&
            op != 0x50)
      tex_1(m, op, coord);
   else
      alu(m, op);
}

static void
define(struct machine *m)
{
   for (size_t at = 1; m->words[at] != 0xffff; at = after(m, at)) {
      const uint32_t *w = &m->words[at];
      if ((w[0] & 0xffff) == 0x51 && (w[1] & 0x7ff) < 256)
         memcpy(m->s->c[w[1] & 0x7ff], w + 2, 16);
      else if ((w[0] & 0xffff) == 0x30)
         memcpy(m->s->i[w[1] & 0xf], w + 2, 16);
      else if ((w[0] & 0xffff) == 0x2f)
         m->s->b[w[1] & 0xf] = w[2];
   }
}

const char *
d3dbc_interp_run(struct d3dbc_interp *s, const uint32_t *words,
                 size_t num_words)
{
   static struct machine m;
   float coord[8][4];
   bool end = false;

   /* clang-format off */
   m = (struct machine) {
      .s = s, .words = words, .num_words = num_words,
      .major = words[0] >> 8 & 0xff, .minor = words[0] & 0xff,
      .ps = words[0] >> 16 == 0xffff, .next = 1,
   };
   /* clang-format on */
   memcpy(coord, s->t, sizeof(coord));
   define(&m);
   while (!end && !m.error && words[m.next] != 0xffff) {
      if (++s->steps > (s->max_steps ? s->max_steps : 1000000))
         return "too many steps";
      m.token = words[m.next];
      m.at = m.next + 1;
      m.next = after(&m, m.next);
      size_t other = m.next;
      while ((words[other] & 0xffff) == 0xfffe)
         other = after(&m, other);
      m.paired = words[other] >> 30 == 1 && m.major == 1 && m.ps;
      step(&m, coord, &end);
      if (!m.paired && m.has_late) {
         m.has_late = false;
         write_dest(&m, &m.late, m.late_value);
      }
   }
   return m.error;
}
