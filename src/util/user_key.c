/* SPDX-License-Identifier: MIT */
#include "user_key.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct siphash_key the_key;
static bool has_key;

/* The folder, made if it is not there; false: nowhere. */
static bool
open_folder(char *path, size_t size)
{
   const char *state = environment_get("XDG_STATE_HOME");
   const char *home = environment_get("HOME");
   int n = -1;
   if (state && *state == '/')
      n = snprintf(path, size, "%s/saffron", state);
   else if (home && *home == '/')
      n = snprintf(path, size, "%s/.local/state/saffron", home);
   if (n < 0 || (size_t)n >= size)
      return false;
   for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
      *slash = '\0';
      mkdir(path, 0700);
      *slash = '/';
   }
   return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* 1: read; 0: there is none; -1: it cannot be trusted, or not be read. */
static int
read_key(const char *path)
{
   const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
   if (fd < 0)
      return errno == ENOENT ? 0 : -1;
   struct stat s;
   struct siphash_key key;
   const bool mine = fstat(fd, &s) == 0 && S_ISREG(s.st_mode) &&
                     s.st_uid == geteuid() && !(s.st_mode & 077) &&
                     s.st_size == sizeof(key) &&
                     read(fd, &key, sizeof(key)) == sizeof(key);
   close(fd);
   if (mine)
      the_key = key;
   else
      fprintf(stderr,
              "saffron: %s is not a key that only its owner may read: "
              "remove it; until then pipeline caches last for one process\n",
              path);
   return mine ? 1 : -1;
}

/* Whole, or not at all: it is written under another name and linked. Who
 * finds one there is late, and takes that. */
static void
keep_key(const char *path)
{
   char part[PATH_MAX];
   const int n = snprintf(part, sizeof(part), "%s.XXXXXX", path);
   const int fd =
      n > 0 && (size_t)n < sizeof(part) ? mkostemp(part, O_CLOEXEC) : -1;
   if (fd < 0)
      return;
   const bool written = write(fd, &the_key, sizeof(the_key)) ==
                        sizeof(the_key);
   const bool closed = close(fd) == 0;
   if (written && closed && link(part, path) && errno == EEXIST)
      read_key(path);
   unlink(part);
}

static void
make_key(void)
{
   char path[PATH_MAX];
   has_key = getrandom(&the_key, sizeof(the_key), 0) == sizeof(the_key);
   if (!has_key || !open_folder(path, sizeof(path) - sizeof("/cache-key")))
      return;
   strcat(path, "/cache-key");
   if (read_key(path) == 0)
      keep_key(path);
}

const struct siphash_key *
user_key(void)
{
   pthread_once(&once, make_key);
   return has_key ? &the_key : NULL;
}
