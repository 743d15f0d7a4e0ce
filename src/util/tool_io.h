/* SPDX-License-Identifier: MIT */
/* Files and exit codes of the command line tools. */
#ifndef UTIL_TOOL_IO_H
#define UTIL_TOOL_IO_H

#include <stdio.h>

#include "dynarray.h"

enum {
   TOOL_EXIT_OK = 0,
   TOOL_EXIT_BAD_INPUT = 1, /* the file was read and is not good */
   TOOL_EXIT_USAGE = 2,     /* options, or a file that cannot be opened */
};

/* Appends the whole file, or standard input if `path` is NULL or "-". False
 * after a message on standard error. */
bool tool_read_file(const char *tool, const char *path,
                    struct util_dynarray *out) MUST_CHECK;

/* Reads a file as above, works on its contents and frees them. Returns what
 * the work returned, or TOOL_EXIT_USAGE. */
int tool_on_file(const char *tool, const char *path,
                 int (*work)(void *user, struct util_dynarray *contents),
                 void *user);

/* A file to write, or standard output if `path` is NULL. NULL after a message
 * on standard error. */
FILE *tool_open_output(const char *tool, const char *path) MUST_CHECK;

/* Ends what the function above began. False after a message if not all could
 * be written. */
bool tool_close_output(const char *tool, const char *path,
                       FILE *out) MUST_CHECK;

/* The exit code of a tool that ends with `result`: TOOL_EXIT_USAGE after a
 * message if what it printed could not be written. */
int tool_exit(const char *tool, int result) MUST_CHECK;

/* The same of `run`, for tools that recurse into what they read: it has a
 * deep stack (guard.h). */
int tool_run_deep(const char *tool, int (*run)(int argc, char **argv),
                  int argc, char **argv) MUST_CHECK;

/* Runs a program with `argv`, its output on standard error; in that the file
 * is `name` wherever it is `temporary`. False if it ends with an error. */
bool tool_run(const char *tool, char *const argv[], const char *temporary,
              const char *name) MUST_CHECK;

/* Writes to a file, or to standard output if `path` is NULL. */
bool tool_write_text(const char *tool, const char *path,
                     const char *text) MUST_CHECK;

#endif
