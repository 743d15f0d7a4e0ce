/* SPDX-License-Identifier: MIT */
/*
 * Recorded batches with their memory: what programs asked of our driver
 * while this was built (pack_jobs.py), each a sequence in one context. All
 * memory is compared after each batch. What two runs on the simulator leave
 * differently (clocks) cannot be compared, and is left out.
 */
#include <stdio.h>

#include <i915_drm.h>

#include "intel/chip/chip.h"
#include "util/tool_io.h"

#define MAGIC "SaffRpl2"
#define PAGE_B 4096u
#define WHOLE_B (1u << 20) /* of larger ones: what was recorded */
#define MAX_BOS 64

/* The file: pages, then scenes of jobs of objects of pages. */
struct file_head {
   char magic[8], gen[8];
   uint32_t num_pages, num_scenes;
};
struct scene_head {
   char name[64];
   uint32_t num_jobs, size_B; /* of all jobs */
};
struct job_head {
   uint64_t batch_address;
   uint32_t engine, reset_so, num_bos, pad;
};
struct bo_head {
   uint64_t address, size_B;
   uint32_t num_pages, pad;
};
struct page_ref {
   uint32_t page, source;
};

struct replay {
   const struct scene_head *scene;
   const char *pages;
   uint32_t num_pages;
};

struct cursor {
   const char *at, *end;
};

static const void *
take(struct cursor *c, uint64_t size_B)
{
   const char *at = c->at;
   if ((uint64_t)(c->end - at) < size_B)
      return NULL;
   c->at += size_B;
   return at;
}

struct loaded {
   struct chip_bo bo;
   const struct bo_head *head;
   const struct page_ref *refs;
};

static bool
load_bo(struct chip_device *d, const struct replay *r, struct cursor *c,
        struct loaded *l)
{
   l->head = take(c, sizeof(*l->head));
   l->refs = l->head ? take(c, l->head->num_pages * sizeof(*l->refs)) : NULL;
   if (!l->refs ||
       !chip_bo_create(d, &l->bo, l->head->address, l->head->size_B))
      return false;
   for (unsigned i = 0; i < l->head->num_pages; i++) {
      const struct page_ref *p = &l->refs[i];
      if (p->source >= r->num_pages ||
          (p->page + 1ull) * PAGE_B > l->bo.size_B)
         return false;
      memcpy((char *)l->bo.map + (size_t)p->page * PAGE_B,
             r->pages + (size_t)p->source * PAGE_B, PAGE_B);
   }
   return true;
}

static void
keep(const struct loaded *l, struct util_dynarray *out)
{
   if (l->bo.size_B <= WHOLE_B) {
      memcpy(util_dynarray_grow_bytes(out, l->bo.size_B), l->bo.map,
             l->bo.size_B);
      return;
   }
   for (unsigned i = 0; i < l->head->num_pages; i++)
      memcpy(util_dynarray_grow_bytes(out, PAGE_B),
             (char *)l->bo.map + (size_t)l->refs[i].page * PAGE_B, PAGE_B);
}

/* The kernel wants the batch behind all others. */
static void
move_batch(const struct chip_bo **list, unsigned n, uint64_t address)
{
   for (unsigned i = 0; i < n; i++) {
      const struct chip_bo *bo = list[i];
      if (address - bo->address < bo->size_B) {
         list[i] = list[n - 1];
         list[n - 1] = bo;
         return;
      }
   }
}

static enum chip_status
run_job(struct chip_device *d, uint32_t context, const struct replay *r,
        struct cursor *c, struct util_dynarray *out)
{
   struct loaded bos[MAX_BOS];
   const struct chip_bo *list[MAX_BOS];
   const struct job_head *job = take(c, sizeof(*job));
   enum chip_status status = CHIP_REFUSED;
   unsigned n = 0;
   bool ok = job && job->num_bos <= MAX_BOS;
   for (; ok && n < job->num_bos; n++) {
      bos[n] = (struct loaded) { 0 };
      ok = load_bo(d, r, c, &bos[n]);
      list[n] = &bos[n].bo;
   }
   if (ok)
      move_batch(list, n, job->batch_address);
   if (ok)
      status =
         chip_execute_in(d, context, list, n, job->batch_address,
                         (job->engine ? I915_EXEC_BLT : I915_EXEC_RENDER) |
                            (job->reset_so ? I915_EXEC_GEN7_SOL_RESET : 0));
   for (unsigned i = 0; i < n; i++) {
      if (status == CHIP_DONE)
         keep(&bos[i], out);
      chip_bo_destroy(d, &bos[i].bo);
   }
   return status;
}

static enum chip_status
run_scene(struct chip_device *d, const void *data, struct util_dynarray *out)
{
   const struct replay *r = data;
   const char *first = (const char *)(r->scene + 1);
   struct cursor c = { first, first + r->scene->size_B };
   enum chip_status status = CHIP_DONE;
   uint32_t context;
   if (!chip_context_create(d, &context))
      return CHIP_REFUSED;
   for (unsigned i = 0; status == CHIP_DONE && i < r->scene->num_jobs; i++)
      status = run_job(d, context, r, &c, out);
   chip_context_destroy(d, context);
   return status;
}

/* Whether the simulator leaves the same twice. */
static bool
is_steady(struct chip *c, const struct replay *r)
{
   struct util_dynarray a = { 0 }, b = { 0 };
   const bool same = run_scene(c->sim, r, &a) == CHIP_DONE &&
                     run_scene(c->sim, r, &b) == CHIP_DONE &&
                     a.size_B == b.size_B &&
                     !memcmp(a.data, b.data, a.size_B);
   util_dynarray_fini(&a);
   util_dynarray_fini(&b);
   return same;
}

static bool
run_scenes(struct chip *c, struct cursor *at, const char *gen)
{
   const struct file_head *head = take(at, sizeof(*head));
   if (!head || memcmp(head->magic, MAGIC, sizeof(head->magic)) ||
       strncmp(head->gen, gen, sizeof(head->gen)))
      return false;
   struct replay r = { .num_pages = head->num_pages };
   r.pages = take(at, (uint64_t)head->num_pages * PAGE_B);
   bool goes_on = true;
   for (unsigned i = 0; r.pages && goes_on && i < head->num_scenes; i++) {
      r.scene = take(at, sizeof(*r.scene));
      if (!r.scene || !take(at, r.scene->size_B))
         return false;
      struct chip_case k = { .run = run_scene, .data = &r };
      snprintf(k.name, sizeof(k.name), "%.*s", (int)sizeof(r.scene->name) - 1,
               r.scene->name);
      if (chip_wants(c, k.name) && is_steady(c, &r))
         goes_on = chip_run(c, &k);
   }
   return r.pages != NULL;
}

static void
replay(struct chip *c, const char *kind)
{
   struct util_dynarray file = { 0 };
   char path[1024];
   if (!c->data_folder)
      return;
   snprintf(path, sizeof(path), "%s/%s-%s.bin", c->data_folder, kind,
            c->sim->info->gen_name);
   bool ok = tool_read_file("saffron-chip", path, &file);
   struct cursor at = { file.data, (const char *)file.data + file.size_B };
   if (ok && !run_scenes(c, &at, c->sim->info->gen_name)) {
      fprintf(stderr, "saffron-chip: %s is no recording\n", path);
      ok = false;
   }
   c->failed |= !ok;
   util_dynarray_fini(&file);
}

void
chip_stage_raster(struct chip *c)
{
   replay(c, "raster");
}

void
chip_stage_scenes(struct chip *c)
{
   replay(c, "scenes");
}
