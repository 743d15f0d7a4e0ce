/* SPDX-License-Identifier: MIT */
/* Doubly linked intrusive lists with a sentinel head. */
#ifndef UTIL_LIST_H
#define UTIL_LIST_H

#include "macros.h"

struct list_head {
   struct list_head *prev, *next;
};

static inline void
list_inithead(struct list_head *h)
{
   h->prev = h->next = h;
}

/* Puts `n` right after `where` (a node, or the head: then it is first). */
static inline void
list_add(struct list_head *n, struct list_head *where)
{
   n->prev = where;
   n->next = where->next;
   where->next->prev = n;
   where->next = n;
}

/* Puts `n` right before `where` (a node, or the head: then it is last). */
static inline void
list_addtail(struct list_head *n, struct list_head *where)
{
   list_add(n, where->prev);
}

/* Unlinks `n`; its links become NULL. */
static inline void
list_del(struct list_head *n)
{
   n->prev->next = n->next;
   n->next->prev = n->prev;
   n->prev = n->next = NULL;
}

static inline bool
list_is_linked(const struct list_head *n)
{
   return n->next != NULL;
}

static inline bool
list_is_empty(const struct list_head *h)
{
   return h->next == h;
}

static inline bool
list_is_singular(const struct list_head *h)
{
   return h->next != h && h->next->next == h;
}

static inline unsigned
list_length(const struct list_head *h)
{
   unsigned n = 0;
   for (const struct list_head *p = h->next; p != h; p = p->next)
      n++;
   return n;
}

/* Moves all of `src` to the end of `dst`; `src` is empty afterwards. */
static inline void
list_splicetail(struct list_head *src, struct list_head *dst)
{
   struct list_head *first = src->next, *last = src->prev;
   if (first == src)
      return;
   first->prev = dst->prev;
   dst->prev->next = first;
   dst->prev = last;
   last->next = dst;
   list_inithead(src);
}

#define list_entry(ptr, type, member) CONTAINER_OF(ptr, type, member)
#define list_first_entry(head, type, member)                                 \
   list_entry((head)->next, type, member)
#define list_last_entry(head, type, member)                                  \
   list_entry((head)->prev, type, member)

/* The element that a link belongs to; NULL if it is the head's own. */
#define list_entry_unless(link, head, type, member)                          \
   ((link) == (head) ? NULL : list_entry(link, type, member))

/* Walks forward, or (_rev) backward. The body may take `pos` out of the list
 * in a _safe one only, and there no other element. */
#define list_for_each_entry(type, pos, head, member)                         \
   list_walk(type, pos, head, member, next)

#define list_for_each_entry_rev(type, pos, head, member)                     \
   list_walk(type, pos, head, member, prev)

#define list_for_each_entry_safe(type, pos, head, member)                    \
   list_walk_safe(type, pos, head, member, next)

#define list_for_each_entry_rev_safe(type, pos, head, member)                \
   list_walk_safe(type, pos, head, member, prev)

#define list_walk(type, pos, head, member, way)                              \
   for (type *pos = list_entry_unless((head)->way, head, type, member); pos; \
        pos = list_entry_unless(pos->member.way, head, type, member))

/* `pos`_rest is where the walk goes on, taken before the body runs. */
#define list_walk_safe(type, pos, head, member, way)                         \
   for (type *pos = NULL, *pos##_rest = list_entry_unless((head)->way, head, \
                                                          type, member);     \
        (pos = pos##_rest) && (pos##_rest = list_entry_unless(               \
                                  pos->member.way, head, type, member),      \
                              true);)

#endif
