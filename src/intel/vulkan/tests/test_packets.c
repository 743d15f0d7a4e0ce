/* SPDX-License-Identifier: MIT */
/*
 * The packets that the driver writes, field by field.
 *
 *    test_vulkan_packets FOLDER [--update]
 *
 * Each scene is recorded by the simulated GPU, decoded by genxml and compared
 * with FOLDER/GENERATION/SCENE.txt; --update writes these files instead, to
 * be read as any other change. What a scene asks for must be in the fields
 * that its table names, whatever the files say. A scene is recorded twice,
 * with other things in memory: the text must be the same.
 */
#include "packet_scenes.h"
#include "packets.h"
#include "vkt.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/macros.h"

#define MAX_SCENES 64

/* ---- recording ---- */

static struct {
   const char *folder, *gen;
   bool update;
   char jobs[64]; /* where the simulated GPU puts batches */
} run;

static int
by_name(const struct dirent **a, const struct dirent **b)
{
   return strcmp((*a)->d_name, (*b)->d_name);
}

static int
is_job(const struct dirent *d)
{
   return strstr(d->d_name, ".job") != NULL;
}

/* The batch that a scene submits last; all of its files go. */
static struct packets
record(void (*scene)(void))
{
   struct dirent **files;
   scene();
   const int n = scandir(run.jobs, &files, is_job, by_name);
   assert_true(n > 0);
   struct packets p = { 0 };
   for (int i = 0; i < n; i++) {
      char path[400];
      snprintf(path, sizeof(path), "%s/%s", run.jobs, files[i]->d_name);
      if (i == n - 1)
         p = packets_load(path);
      unlink(path);
      free(files[i]);
   }
   free(files);
   return p;
}

/* ---- comparing ---- */

/* Copies the index-th of the words between bars. */
static bool
alternative(const char *words, unsigned index, char *out, size_t size_B)
{
   for (; index; index--) {
      words = strchr(words, '|');
      if (!words)
         return false;
      words++;
   }
   snprintf(out, size_B, "%.*s", (int)strcspn(words, "|"), words);
   return true;
}

static bool
is_value(const struct packet *p, const char *field, const char *value)
{
   const char *name = packet_value_name(p, field);
   char word[64], *end;
   for (unsigned i = 0; alternative(value, i, word, sizeof(word)); i++) {
      if (name && strcmp(name, word) == 0)
         return true;
      const double number = strtod(word, &end);
      if (!*end && number == packet_value(p, field))
         return true;
   }
   return false;
}

static bool
find_wanted(const struct packets *p, const struct packet_scene *scene,
            const struct packet_want *w, unsigned back,
            const struct packet **packet, char *field, size_t size_B)
{
   char name[64];
   *packet = NULL;
   for (unsigned i = 0; alternative(w->packet, i, name, sizeof(name)); i++) {
      const struct genxml_group *g = genxml_find(p->spec, name);
      if (!g)
         continue;
      for (unsigned j = 0; alternative(w->field, j, field, size_B); j++) {
         if (!genxml_find_field(g, field))
            continue;
         *packet = packets_before_draw(p, scene->draw, name, back);
         return *packet != NULL;
      }
   }
   return false;
}

/* The shader may have more surfaces than the one that a scene is about. */
static bool
is_wanted(const struct packets *p, const struct packet_scene *scene,
          const struct packet_want *w)
{
   const struct packet *packet;
   char field[64];
   const unsigned most = strcmp(w->packet, "RENDER_SURFACE_STATE") == 0 ? 2
                                                                        : 1;
   for (unsigned back = 0; back < most; back++) {
      if (find_wanted(p, scene, w, back, &packet, field, sizeof(field)) &&
          is_value(packet, field, w->value))
         return true;
   }
   return false;
}

static void
check_wants(const struct packets *p, const struct packet_scene *scene)
{
   unsigned wrong = 0;
   for (const struct packet_want *w = scene->wants; w->packet; w++) {
      const struct packet *packet;
      char field[64];
      if (is_wanted(p, scene, w))
         continue;
      wrong++;
      if (!find_wanted(p, scene, w, 0, &packet, field, sizeof(field))) {
         print_error("%s: no %s.%s before draw %u\n", scene->name, w->packet,
                     w->field, scene->draw);
      } else {
         const char *name = packet_value_name(packet, field);
         print_error("%s: %s.%s is %g (%s), not %s\n", scene->name,
                     packet->group->name, field, packet_value(packet, field),
                     name ? name : "no name", w->value);
      }
   }
   assert_int_equal(wrong, 0);
}

/* Says where two texts part, with what stands before it. */
static void
check_same(const char *what, const char *want, const char *got)
{
   unsigned line = 1;
   const char *begin = got, *packet = got;
   size_t i = 0;
   for (; want[i] && want[i] == got[i]; i++) {
      if (got[i] != '\n')
         continue;
      line++;
      begin = got + i + 1;
      if (*begin != ' ')
         packet = begin;
   }
   if (!want[i] && !got[i])
      return;
   const char *old = want + (begin - got);
   fail_msg("%s: line %u, in %.*s:\nnot  %.*s\nbut  %.*s", what, line,
            (int)strcspn(packet, "\n"), packet, (int)strcspn(old, "\n"), old,
            (int)strcspn(begin, "\n"), begin);
}

static char *
read_text(const char *path)
{
   FILE *f = fopen(path, "r");
   if (!f)
      fail_msg("%s is not there: --update writes it", path);
   fseek(f, 0, SEEK_END);
   const size_t size_B = (size_t)ftell(f);
   char *text = calloc(1, size_B + 1);
   rewind(f);
   assert_int_equal(fread(text, 1, size_B, f), size_B);
   fclose(f);
   return text;
}

static void
compare_with_file(const struct packet_scene *scene, const char *text)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/%s", run.folder, run.gen);
   if (run.update)
      mkdir(path, 0777);
   snprintf(path, sizeof(path), "%s/%s/%s.txt", run.folder, run.gen,
            scene->name);
   if (run.update) {
      FILE *f = fopen(path, "w");
      assert_non_null(f);
      fputs(text, f);
      assert_int_equal(fclose(f), 0);
      return;
   }
   char *want = read_text(path);
   check_same(path, want, text);
   free(want);
}

static void
test_scene(void **state)
{
   const struct packet_scene *scene = *state;
   if (scene->vec4_stages &&
       (strcmp(run.gen, "hsw") == 0 || strcmp(run.gen, "ivb") == 0))
      return;
   assert_int_equal(vkt_setup(state), 0);
   const bool is_base = scene == &packet_scenes[0];
   struct packets base = record(packet_scenes[0].record);
   struct packets first = record(scene->record);
   struct vkt_buffer other = vkt_buffer_create(123456);
   struct packets second = record(scene->record);
   vkt_buffer_destroy(&other);

   struct strbuf text = { 0 }, again = { 0 };
   packets_print(&text, &first, is_base ? NULL : &base);
   packets_print(&again, &second, is_base ? NULL : &base);
   check_same("recorded once more", strbuf_str(&text), strbuf_str(&again));
   /* What is recorded alike is looked at in several draws, and kept once. */
   if (is_base || scene[-1].record != scene->record)
      compare_with_file(scene, strbuf_str(&text));
   check_wants(&first, scene);
   strbuf_fini(&text);
   strbuf_fini(&again);
   packets_free(&base);
   packets_free(&first);
   packets_free(&second);
   vkt_teardown(state);
}

static int
wrong_use(void)
{
   fprintf(stderr, "usage: test_vulkan_packets FOLDER [--update]\n"
                   "SAFFRON_DEVICE names the GPU: sim:skl\n");
   return 2;
}

int
main(int argc, char **argv)
{
   const char *device = getenv("SAFFRON_DEVICE");
   if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "--update")) ||
       !device || strncmp(device, "sim:", 4) != 0)
      return wrong_use();
   run.folder = argv[1];
   run.gen = device + 4;
   run.update = argc == 3;
   snprintf(run.jobs, sizeof(run.jobs), "/tmp/saffron-packets-XXXXXX");
   if (!mkdtemp(run.jobs))
      return wrong_use();
   setenv("SAFFRON_SIM_RECORD", run.jobs, 1);

   struct CMUnitTest tests[MAX_SCENES];
   size_t count = 0;
   for (const struct packet_scene *s = packet_scenes; s->name; s++) {
      assert(count < MAX_SCENES);
      tests[count++] =
         (struct CMUnitTest) { s->name, test_scene, NULL, NULL, (void *)s };
   }
   const int failed =
      _cmocka_run_group_tests("packets", tests, count, NULL, NULL);
   rmdir(run.jobs);
   return failed;
}
