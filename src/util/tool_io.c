/* SPDX-License-Identifier: MIT */
#include "tool_io.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard.h"
#include "strbuf.h"

bool
tool_read_file(const char *tool, const char *path, struct util_dynarray *out)
{
   const bool use_stdin = !path || !strcmp(path, "-");
   FILE *in = use_stdin ? stdin : fopen(path, "rb");
   if (!in) {
      fprintf(stderr, "%s: %s: %s\n", tool, path, strerror(errno));
      return false;
   }
   char chunk[65536];
   size_t n;
   while ((n = fread(chunk, 1, sizeof(chunk), in)) > 0)
      memcpy(util_dynarray_grow_bytes(out, n), chunk, n);
   const bool good = !ferror(in);
   if (!good)
      fprintf(stderr, "%s: %s: %s\n", tool, use_stdin ? "<stdin>" : path,
              strerror(errno));
   if (!use_stdin)
      fclose(in);
   return good;
}

int
tool_on_file(const char *tool, const char *path,
             int (*work)(void *user, struct util_dynarray *contents),
             void *user)
{
   struct util_dynarray contents = { 0 };
   int result = TOOL_EXIT_USAGE;
   if (tool_read_file(tool, path, &contents))
      result = work(user, &contents);
   util_dynarray_fini(&contents);
   return result;
}

FILE *
tool_open_output(const char *tool, const char *path)
{
   FILE *out = path ? fopen(path, "wb") : stdout;
   if (!out)
      fprintf(stderr, "%s: %s: %s\n", tool, path, strerror(errno));
   return out;
}

bool
tool_close_output(const char *tool, const char *path, FILE *out)
{
   const bool bad = ferror(out) | (path ? fclose(out) : fflush(out));
   if (bad)
      fprintf(stderr, "%s: %s: cannot write\n", tool,
              path ? path : "standard output");
   return !bad;
}

int
tool_exit(const char *tool, int result)
{
   return tool_close_output(tool, NULL, stdout) ? result : TOOL_EXIT_USAGE;
}

struct deep_tool {
   int (*run)(int argc, char **argv);
   int argc, result;
   char **argv;
};

static void
run_deep(void *data)
{
   struct deep_tool *t = data;

   t->result = t->run(t->argc, t->argv);
}

int
tool_run_deep(const char *tool, int (*run)(int argc, char **argv), int argc,
              char **argv)
{
   struct deep_tool t = { run, argc, TOOL_EXIT_USAGE, argv };

   if (!deep_stack_run(run_deep, &t))
      fprintf(stderr, "%s: no memory for a stack\n", tool);
   return tool_exit(tool, t.result);
}

static void
print_renamed(const char *text, const char *temporary, const char *name)
{
   const char *at;

   for (; (at = strstr(text, temporary)); text = at + strlen(temporary))
      fprintf(stderr, "%.*s%s", (int)(at - text), text, name);
   fputs(text, stderr);
}

bool
tool_run(const char *tool, char *const argv[], const char *temporary,
         const char *name)
{
   struct strbuf messages = { 0 };
   char part[512];
   int fd[2], status;
   ssize_t n;

   if (pipe(fd))
      return false;
   const pid_t pid = fork();
   if (pid == 0) {
      dup2(fd[1], STDERR_FILENO);
      dup2(fd[1], STDOUT_FILENO);
      close(fd[0]);
      close(fd[1]);
      execvp(argv[0], argv);
      fprintf(stderr, "%s: %s: %s\n", tool, argv[0], strerror(errno));
      _exit(127);
   }
   close(fd[1]);
   while ((n = read(fd[0], part, sizeof(part))) > 0)
      strbuf_printf(&messages, "%.*s", (int)n, part);
   close(fd[0]);
   print_renamed(strbuf_str(&messages), temporary, name);
   strbuf_fini(&messages);
   if (pid < 0 || waitpid(pid, &status, 0) < 0)
      return false;
   return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool
tool_write_text(const char *tool, const char *path, const char *text)
{
   FILE *out = tool_open_output(tool, path);
   if (!out)
      return false;
   fputs(text, out);
   return tool_close_output(tool, path, out);
}
