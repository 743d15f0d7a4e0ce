/* SPDX-License-Identifier: MIT */
/*
 * Recorded batches and their memory: see fuzz.h.
 *
 * The buffers of a batch are private mappings of a file that holds what was
 * recorded. What a run, or the damage before it, has written goes away when
 * the pages are dropped: only those that were touched cost anything. Between
 * the buffers, and around the URB, nothing is mapped, so that an access of
 * the simulator that leaves a buffer ends the process.
 *
 * Batches of one context are run in their order once, as they are, so that
 * each has the state that it was recorded with.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "saffron/sim_record.h"

#define GUARD_B (1ull << 20)

/* A batch that costs more is too slow to be run often. */
#define MAX_WORK 30000

/* Programs are decoded once, but what damage leaves behind must not grow. */
#define RUNS_PER_CACHE 64

void *
entry_map(const struct entry *e, uint64_t address, uint64_t size_B)
{
   address &= SIM_ADDRESS_MASK;
   for (unsigned i = 0; i < e->num_bos; i++) {
      const struct corpus_bo *b = &e->bos[i];
      if (address >= b->address && address - b->address < b->size_B &&
          size_B <= b->size_B - (address - b->address))
         return b->host + (address - b->address);
   }
   return NULL;
}

/* Private memory of anonymous origin between two guards. */
static uint8_t *
map_guarded(size_t size_B, int file, off_t offset)
{
   uint8_t *p = mmap(NULL, size_B + 2 * GUARD_B, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (p == MAP_FAILED)
      return NULL;
   const int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE |
                     (file < 0 ? MAP_ANONYMOUS : 0);
   if (mmap(p + GUARD_B, size_B, PROT_READ | PROT_WRITE, flags, file,
            offset) == MAP_FAILED)
      return NULL;
   return p + GUARD_B;
}

/*
 * Reading
 */

static bool
read_bo(FILE *f, int file, off_t *at, struct corpus_bo *b)
{
   struct record_bo head;
   uint8_t page[SIM_PAGE_SIZE];
   if (fread(&head, sizeof(head), 1, f) != 1 || !head.size_B ||
       head.size_B % SIM_PAGE_SIZE || head.size_B > 1ull << 30 ||
       head.num_pages > head.size_B / SIM_PAGE_SIZE)
      return false;
   *b = (struct corpus_bo) { .address = head.address & SIM_ADDRESS_MASK,
                             .size_B = head.size_B };
   for (uint64_t i = 0; i < head.num_pages; i++) {
      uint64_t n;
      if (fread(&n, sizeof(n), 1, f) != 1 || n >= b->size_B / SIM_PAGE_SIZE ||
          fread(page, sizeof(page), 1, f) != 1 ||
          pwrite(file, page, sizeof(page),
                 *at + (off_t)(n * SIM_PAGE_SIZE)) != sizeof(page))
         return false;
   }
   *at += (off_t)b->size_B;
   return true;
}

/* A free place for the batch that will be run, within what the generation
 * addresses. */
static uint64_t
find_room(const struct entry *e, unsigned num_bos)
{
   for (uint64_t at = 0x7f000000;; at -= GUARD_B) {
      bool is_free = true;
      for (unsigned i = 0; i < num_bos; i++) {
         const struct corpus_bo *b = &e->bos[i];
         is_free &= at + FUZZ_BATCH_B <= b->address ||
                    b->address + b->size_B <= at;
      }
      if (is_free)
         return at;
   }
}

/* Places the buffers, of which `size_B` are in the file, in an arena. */
static bool
map_bos(struct entry *e, int file, size_t size_B)
{
   e->arena_B = size_B + (e->num_bos + 1) * GUARD_B;
   e->arena = mmap(NULL, e->arena_B, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   e->vm = sim_vm_create();
   if (e->arena == MAP_FAILED || !e->vm)
      return false;
   uint8_t *to = e->arena + GUARD_B;
   off_t from = 0;
   for (unsigned i = 0; i < e->num_bos; i++) {
      struct corpus_bo *b = &e->bos[i];
      b->host = mmap(to, b->size_B, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, from);
      if (b->host == MAP_FAILED)
         return false;
      b->bo = sim_bo_create_user(b->host, b->size_B);
      if (!b->bo || !sim_vm_bind(e->vm, b->bo, b->address))
         return false;
      to += b->size_B + GUARD_B;
      from += (off_t)b->size_B;
   }
   return true;
}

static bool
read_job(struct corpus *c, FILE *f, int file, struct entry *e,
         struct record_head *head)
{
   off_t size_B = 0;
   if (fread(head, sizeof(*head), 1, f) != 1 ||
       memcmp(head->magic, RECORD_MAGIC, sizeof(head->magic)) ||
       head->num_bos > 1024 || head->verx10 != c->info->verx10)
      return false;
   e->engine = head->engine;
   e->batch_address = head->batch_address;
   e->reset_so = head->reset_so;
   e->num_bos = head->num_bos + 1;
   e->bos = calloc(e->num_bos, sizeof(*e->bos));
   for (unsigned i = 0; i < head->num_bos; i++) {
      if (!read_bo(f, file, &size_B, &e->bos[i]))
         return false;
   }
   e->bos[head->num_bos] =
      (struct corpus_bo) { .address = find_room(e, head->num_bos),
                           .size_B = FUZZ_BATCH_B };
   size_B += FUZZ_BATCH_B;
   return ftruncate(file, size_B) == 0 && map_bos(e, file, (size_t)size_B);
}

static bool
load_job(struct corpus *c, const char *path, struct entry *e,
         struct record_head *head)
{
   *e = (struct entry) { 0 };
   snprintf(e->name, sizeof(e->name), "%s", path);
   FILE *f = fopen(path, "rb");
   const int file = memfd_create("fuzz", 0);
   const bool ok = f && file >= 0 && read_job(c, f, file, e, head);
   if (!ok)
      fprintf(stderr, "fuzz_sim: %s: not a recorded batch of %s\n", path,
              c->info->name);
   if (f)
      fclose(f);
   close(file); /* the mappings keep it */
   return ok;
}

static void
unload(struct entry *e)
{
   sim_vm_destroy(e->vm);
   for (unsigned i = 0; i < e->num_bos; i++) {
      if (e->bos[i].bo)
         sim_bo_unref(e->bos[i].bo);
   }
   munmap(e->arena, e->arena_B);
   free(e->bos);
   free(e->before);
   free(e->after);
   free(e->curbe);
   sim_eu_cache_destroy(e->programs);
   util_dynarray_fini(&e->dw);
   util_dynarray_fini(&e->commands);
   util_dynarray_fini(&e->targets);
}

/*
 * Running
 */

void
entry_restore(struct entry *e)
{
   madvise(e->arena, e->arena_B, MADV_DONTNEED);
}

/* The context's memory is that of the corpus: it outlives every batch. */
static void
load_context(struct corpus *c, struct entry *e,
             const struct sim_hw_context *from, bool first)
{
   uint8_t *urb = c->hw->urb, *curbe = c->hw->curbe;
   struct strict_context *strict = c->hw->strict;
   if (first)
      memset(c->hw, 0, sizeof(*c->hw));
   else
      memcpy(c->hw, from, sizeof(*from));
   c->hw->urb = urb;
   c->hw->curbe = curbe;
   c->hw->strict = strict;
   c->hw->programs = e->programs;
   madvise(urb, SIM_URB_B, MADV_DONTNEED);
   madvise(curbe, SIM_CURBE_B, MADV_DONTNEED);
   if (e->curbe)
      memcpy(curbe, e->curbe, e->before->curbe_size_B);
   if (e->reset_so)
      sim_hw_context_reset_so_offsets(c->hw);
}

bool
entry_run(struct corpus *c, struct entry *e, bool after,
          uint64_t batch_address, uint64_t work_limit)
{
   if (++e->runs % RUNS_PER_CACHE == 0) {
      sim_eu_cache_destroy(e->programs);
      e->programs =
         sim_eu_cache_create(c->info->verx10, c->info->eu.qwords_stay);
   }
   load_context(c, e, after ? e->after : e->before, !e->before);
   memset(&c->gpu.stats, 0, sizeof(c->gpu.stats));
   c->gpu.spent = 0;
   c->gpu.work_limit = work_limit;
   const bool ok =
      sim_cs_execute(&c->gpu, c->hw, e->vm, e->engine, batch_address);
   sim_eu_cache_trim(c->hw->programs);
   return ok;
}

static struct sim_hw_context *
copy_context(const struct sim_hw_context *from)
{
   struct sim_hw_context *to = malloc(sizeof(*to));
   if (!to)
      abort();
   return memcpy(to, from, sizeof(*to));
}

/*
 * Loading
 */

static void
find_jobs(const char *folder, const char *gen, struct util_dynarray *paths)
{
   DIR *d = opendir(folder);
   struct dirent *entry;
   if (!d)
      return;
   while ((entry = readdir(d))) {
      char path[1024];
      if (entry->d_name[0] == '.')
         continue;
      snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
      const char *end = strrchr(entry->d_name, '.');
      if (end && strcmp(end, ".job") == 0) {
         if (strncmp(entry->d_name, gen, strlen(gen)) == 0)
            util_dynarray_append(paths, char *, strdup(path));
      } else {
         find_jobs(path, gen, paths);
      }
   }
   closedir(d);
}

static int
compare_paths(const void *a, const void *b)
{
   return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The latest context of each `state` of the process that was recorded. */
struct known_state {
   uint64_t state;
   char process[256]; /* path without the number */
   struct sim_hw_context *hw;
   uint8_t *curbe;
};

static struct known_state *
find_state(struct util_dynarray *states, const char *path,
           const struct record_head *head)
{
   struct known_state key = { .state = head->state };
   snprintf(key.process, sizeof(key.process), "%s", path);
   char *number = strrchr(key.process, '-');
   if (number)
      *number = 0;
   util_dynarray_foreach(states, struct known_state, s) {
      if (s->state == key.state && strcmp(s->process, key.process) == 0)
         return s;
   }
   util_dynarray_append(states, struct known_state, key);
   return util_dynarray_element(
      states, struct known_state,
      util_dynarray_num_elements(states, struct known_state) - 1);
}

/* Runs the batch as it is; whether it is one to be damaged. */
static bool
run_first(struct corpus *c, struct entry *e, struct known_state *s)
{
   e->programs =
      sim_eu_cache_create(c->info->verx10, c->info->eu.qwords_stay);
   if (s->hw) {
      e->before = copy_context(s->hw);
      e->curbe = malloc(SIM_CURBE_B);
      memcpy(e->curbe, s->curbe, SIM_CURBE_B);
   }
   const bool ok = entry_run(c, e, false, e->batch_address, 1u << 24);
   e->work = c->gpu.stats.eu_instructions + c->gpu.stats.commands +
             c->gpu.spent;
   if (!s->hw) {
      s->hw = calloc(1, sizeof(*s->hw));
      s->curbe = malloc(SIM_CURBE_B);
      /* Before the first batch of a context there is nothing. */
      e->before = calloc(1, sizeof(*e->before));
   }
   memcpy(s->hw, c->hw, sizeof(*s->hw));
   memcpy(s->curbe, c->hw->curbe, SIM_CURBE_B);
   e->after = copy_context(c->hw);
   if (!ok)
      fprintf(stderr, "fuzz_sim: %s: does not run as it is\n", e->name);
   const bool worth = ok && e->work <= MAX_WORK && c->gpu.stats.commands >= 3;
   if (worth)
      entry_analyse(c, e);
   entry_restore(e);
   return worth;
}

static void
open_gpu(struct corpus *c)
{
   c->gpu = (struct sim_gpu) {
      .info = c->info,
      .verx10 = c->info->verx10,
      .hang_limit_ns = 3600ull * 1000000000,
   };
   c->hw = sim_hw_context_create(&c->gpu);
   if (!c->hw)
      abort();
   sim_eu_cache_destroy(c->hw->programs);
   free(c->hw->urb);
   free(c->hw->curbe);
   c->hw->urb = map_guarded(SIM_URB_B, -1, 0);
   c->hw->curbe = map_guarded(SIM_CURBE_B, -1, 0);
   if (!c->hw->urb || !c->hw->curbe)
      abort();
}

bool
corpus_load(struct corpus *c, const char *gen, char *const *folders,
            unsigned num_folders)
{
   struct util_dynarray paths = { 0 }, states = { 0 };
   *c = (struct corpus) {
      .info = intel_device_info_by_name(gen),
      .isa_gen = isa_gen_from_name(gen),
   };
   if (!c->info)
      return false;
   c->spec = genxml_spec_get(c->info->verx10);
   open_gpu(c);
   for (unsigned i = 0; i < num_folders; i++)
      find_jobs(folders[i], gen, &paths);
   const unsigned n = (unsigned)util_dynarray_num_elements(&paths, char *);
   if (n)
      qsort(paths.data, n, sizeof(char *), compare_paths);
   c->entries = calloc(MAX2(n, 1), sizeof(*c->entries));
   util_dynarray_foreach(&paths, char *, path) {
      struct entry *e = &c->entries[c->num_entries];
      struct record_head head;
      if (load_job(c, *path, e, &head) &&
          run_first(c, e, find_state(&states, *path, &head)))
         c->num_entries++;
      else if (e->arena)
         unload(e);
      free(*path);
   }
   util_dynarray_foreach(&states, struct known_state, s) {
      free(s->hw);
      free(s->curbe);
   }
   util_dynarray_fini(&paths);
   util_dynarray_fini(&states);
   if (!c->num_entries)
      fprintf(stderr, "fuzz_sim: no recorded batch of %s to damage\n", gen);
   return c->num_entries > 0;
}

/*
 * Saving
 */

static bool
save_bo(FILE *f, const struct corpus_bo *b)
{
   static const uint8_t zeros[SIM_PAGE_SIZE];
   struct record_bo head = { b->address, b->size_B, 0 };
   const uint64_t pages = b->size_B / SIM_PAGE_SIZE;
   for (uint64_t i = 0; i < pages; i++)
      head.num_pages +=
         memcmp(b->host + i * SIM_PAGE_SIZE, zeros, SIM_PAGE_SIZE) != 0;
   bool ok = fwrite(&head, sizeof(head), 1, f) == 1;
   for (uint64_t i = 0; ok && i < pages; i++) {
      const uint8_t *page = b->host + i * SIM_PAGE_SIZE;
      ok = memcmp(page, zeros, SIM_PAGE_SIZE) == 0 ||
           (fwrite(&i, sizeof(i), 1, f) == 1 &&
            fwrite(page, SIM_PAGE_SIZE, 1, f) == 1);
   }
   return ok;
}

bool
corpus_save(const struct corpus *c, const struct entry *e, const char *path)
{
   FILE *f = fopen(path, "wb");
   if (!f)
      return false;
   const struct record_head head = {
      .magic = RECORD_MAGIC,
      .verx10 = c->info->verx10,
      .engine = e->engine,
      .batch_address = entry_fuzz_batch(e),
      .reset_so = e->reset_so,
      .num_bos = e->num_bos,
   };
   bool ok = fwrite(&head, sizeof(head), 1, f) == 1;
   for (unsigned i = 0; ok && i < e->num_bos; i++)
      ok = save_bo(f, &e->bos[i]);
   return fclose(f) == 0 && ok;
}
