/* SPDX-License-Identifier: MIT */
/*
 * The files, directories, links and nodes that the shim adds to the host's.
 *
 * There are a few dozen, so they are a list, and a directory is known by its
 * path alone. Paths are compared as text after "." and ".." and the links of
 * the tree are resolved; links of the host are not, so a host's link into
 * the tree is not followed.
 */
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "drm_shim_private.h"

#define MAX_LINKS 40 /* as the kernel's limit, before ELOOP */

static struct shim_entry *first, **last = &first;
static pthread_once_t once = PTHREAD_ONCE_INIT;

void
drm_shim_init(void)
{
   pthread_once(&once, drm_shim_backend_init);
}

static void *
check(void *p)
{
   if (!p)
      abort();
   return p;
}

static struct shim_entry *
find(const char *path)
{
   for (struct shim_entry *e = first; e; e = e->next) {
      if (!strcmp(e->path, path))
         return e;
   }
   return NULL;
}

static struct shim_entry *
add(enum shim_kind kind, const char *path)
{
   char *slash = strrchr(path, '/');
   if (slash) {
      char *parent = check(strndup(path, (size_t)(slash - path)));
      if (!find(parent))
         add(SHIM_DIR, parent);
      free(parent);
   }
   struct shim_entry *e = find(path);
   if (e)
      return e;
   e = check(calloc(1, sizeof(*e)));
   e->kind = kind;
   e->path = check(strdup(path));
   static ino_t next_inode = 0x5aff0000;
   e->inode = next_inode++;
   *last = e;
   last = &e->next;
   return e;
}

void
drm_shim_add_dir(const char *path)
{
   add(SHIM_DIR, path);
}

void
drm_shim_add_file(const char *path, const void *data, size_t size_B)
{
   struct shim_entry *e = add(SHIM_FILE, path);
   e->data = check(malloc(size_B + 1));
   memcpy(e->data, data, size_B);
   e->size_B = size_B;
}

void
drm_shim_add_text(const char *path, const char *format, ...)
{
   char text[1024];
   va_list args;
   va_start(args, format);
   const int n = vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   if (n < 0 || (size_t)n >= sizeof(text))
      abort();
   drm_shim_add_file(path, text, (size_t)n);
}

void
drm_shim_add_host_file(const char *path, const char *host, const char *text)
{
   drm_shim_add_file(path, text, strlen(text));
   find(path)->host = check(strdup(host));
}

void
drm_shim_add_link(const char *path, const char *target)
{
   struct shim_entry *e = add(SHIM_LINK, path);
   e->data = check(strdup(target));
   e->size_B = strlen(target);
}

void
drm_shim_add_node(const char *path, unsigned minor,
                  const struct drm_shim_ops *ops, void *device)
{
   struct shim_entry *e = add(SHIM_NODE, path);
   e->minor = minor;
   e->ops = ops;
   e->device = device;
}

bool
drm_shim_host_has(const char *path)
{
   return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

/*
 * Appends the components of `path` to `out`, which is "" or "/a/b", and
 * resolves links. False if the result is too long or loops.
 */
static bool
walk(char out[PATH_MAX], const char *path, bool follow, unsigned *links)
{
   while (*path) {
      while (*path == '/')
         path++;
      const size_t n = strcspn(path, "/");
      const char *rest = path + n;
      if (n == 0 || (n == 1 && path[0] == '.')) {
         path = rest;
         continue;
      }
      const size_t length = strlen(out);
      if (n == 2 && !strncmp(path, "..", 2)) {
         char *slash = strrchr(out, '/');
         if (slash)
            *slash = '\0';
         path = rest;
         continue;
      }
      if (length + 1 + n >= PATH_MAX)
         return false;
      out[length] = '/';
      memcpy(out + length + 1, path, n);
      out[length + 1 + n] = '\0';
      path = rest;

      const struct shim_entry *e = find(out);
      const bool is_last = rest[strspn(rest, "/")] == '\0';
      if (!e || e->kind != SHIM_LINK || (is_last && !follow))
         continue;
      if (++*links > MAX_LINKS)
         return false;
      out[e->data[0] == '/' ? 0 : length] = '\0';
      if (!walk(out, e->data, true, links))
         return false;
   }
   return true;
}

/* The path of the directory that a relative path starts from: "" for the
 * root. */
static bool
start_of(int dirfd, char out[PATH_MAX])
{
   ssize_t n;
   struct shim_file *dir = dirfd == AT_FDCWD ? NULL : shim_file_get(dirfd);
   if (dir) {
      const bool is_dir = dir->entry->kind == SHIM_DIR;
      strcpy(out, dir->entry->path);
      shim_file_put(dir);
      return is_dir;
   }
   if (dirfd == AT_FDCWD) {
      n = (ssize_t)syscall(SYS_getcwd, out, PATH_MAX);
   } else {
      char link[32];
      snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd);
      n = syscall(SYS_readlinkat, AT_FDCWD, link, out, PATH_MAX - 1);
      out[n > 0 ? n : 0] = '\0';
   }
   /* What is outside of our view has another first character. */
   if (n <= 0 || out[0] != '/')
      return false;
   if (!out[1])
      out[0] = '\0';
   return true;
}

int
shim_proc_fd(const char *path)
{
   static const char prefix[] = "/proc/self/fd/";
   if (strncmp(path, prefix, sizeof(prefix) - 1))
      return -1;
   char *end;
   const long fd = strtol(path + sizeof(prefix) - 1, &end, 10);
   return *end || fd < 0 || fd > INT_MAX ? -1 : (int)fd;
}

const struct shim_entry *
shim_lookup(int dirfd, const char *path, bool follow)
{
   drm_shim_init();
   if (!path || !path[0])
      return NULL;
   char out[PATH_MAX];
   out[0] = '\0';
   const int saved = errno;
   const struct shim_entry *entry = NULL;
   const int fd = shim_proc_fd(path);
   unsigned links = 0;
   if (fd >= 0)
      entry = follow ? shim_node_entry(fd) : NULL;
   else if ((path[0] == '/' || start_of(dirfd, out)) &&
            walk(out, path, follow, &links))
      entry = find(out);
   errno = saved;
   return entry;
}

const struct shim_entry *
shim_find_node(unsigned minor)
{
   drm_shim_init();
   for (const struct shim_entry *e = first; e; e = e->next) {
      if (e->kind == SHIM_NODE && e->minor == minor)
         return e;
   }
   return NULL;
}

const char *
shim_name(const struct shim_entry *entry)
{
   const char *slash = strrchr(entry->path, '/');
   return slash ? slash + 1 : entry->path;
}

const struct shim_entry *
shim_next_child(const struct shim_entry *dir,
                const struct shim_entry *previous)
{
   const size_t n = strlen(dir->path);
   for (const struct shim_entry *e = previous ? previous->next : first; e;
        e = e->next) {
      if (!strncmp(e->path, dir->path, n) && e->path[n] == '/' &&
          !strchr(e->path + n + 1, '/'))
         return e;
   }
   return NULL;
}

void
shim_fill_stat(const struct shim_entry *entry, struct stat *st)
{
   static const mode_t modes[] = {
      [SHIM_DIR] = S_IFDIR | 0755,
      [SHIM_FILE] = S_IFREG | 0444,
      [SHIM_LINK] = S_IFLNK | 0777,
      [SHIM_NODE] = S_IFCHR | 0666,
   };
   *st = (struct stat) {
      .st_dev = makedev(0, 0x5af),
      .st_ino = entry->inode,
      .st_mode = modes[entry->kind],
      .st_nlink = 1,
      .st_blksize = 4096,
   };
   if (entry->kind == SHIM_FILE || entry->kind == SHIM_LINK)
      st->st_size = (off_t)entry->size_B;
   if (entry->kind == SHIM_NODE)
      st->st_rdev = makedev(DRM_SHIM_MAJOR, entry->minor);
}
