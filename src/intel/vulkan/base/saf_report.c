/* SPDX-License-Identifier: MIT */
#include "saf_report.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "util/environment.h"

#define MAX_REPORTS 16

/* Its name is in `path`; false if it is not kept. */
static bool
keep_shader(const struct saf_report_shader *shader, char path[PATH_MAX])
{
   static unsigned reports;
   const char *folder = environment_get("TMPDIR");
   const bool may_write = !getauxval(AT_SECURE) &&
                          __atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED) <
                             MAX_REPORTS;
   if (!shader->words || !may_write)
      return false;
   const int n = snprintf(path, PATH_MAX, "%s/saffron-shader-XXXXXX.spv",
                          folder && *folder ? folder : "/tmp");
   if (n < 0 || n >= PATH_MAX)
      return false;
   const int fd = mkostemps(path, 4, O_CLOEXEC);
   if (fd < 0)
      return false;
   const bool written = write(fd, shader->words, shader->size_B) ==
                        (ssize_t)shader->size_B;
   const bool kept = close(fd) == 0 && written;
   if (!kept)
      unlink(path);
   return kept;
}

VkResult
saf_compile_failure(const struct saf_report_shader *shader, const char *kind,
                    const char *text)
{
   char path[PATH_MAX];
   const bool kept = keep_shader(shader, path);
   return saf_error(VK_ERROR_UNKNOWN,
                    "%s a %s shader%s: %s; please report this line%s%s", kind,
                    shader->stage, shader->words ? "" : " of the driver's",
                    text, kept ? " and " : "", kept ? path : "");
}

VkResult
saf_compile_result(enum guard_end end, const struct guard_error *error,
                   const struct saf_report_shader *shader)
{
   switch (end) {
   case GUARD_DONE: return VK_SUCCESS;
   case GUARD_NO_MEMORY: return VK_ERROR_OUT_OF_HOST_MEMORY;
   case GUARD_INTERNAL_ERROR: break;
   }
   return saf_compile_failure(shader, "internal error in", error->text);
}
