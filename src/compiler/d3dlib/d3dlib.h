/* SPDX-License-Identifier: MIT */
/*
 * What the files of libsaffron-d3d share. The public face is
 * include/saffron/d3d_shader.h.
 *
 * A call runs in a scope of guard.h on a deep stack; what it gives to the
 * program is copied to memory of malloc() afterwards.
 */
#ifndef D3DLIB_H
#define D3DLIB_H

#include "compiler/d3d/d3dbc/d3dbc.h"
#include "compiler/d3d/dxbc/dxbc.h"
#include "compiler/d3d/tpf/tpf.h"
#include "saffron/d3d_shader.h"
#include "util/dynarray.h"

/* A range of registers that a shader declares. */
struct d3dlib_resource {
   struct vkd3d_shader_descriptor_info info;
   unsigned range; /* SM5.1: its number, else the register */
};

struct d3dlib_call {
   enum vkd3d_result (*run)(struct d3dlib_call *call, struct arena *arena);
   const void *info; /* what the function was given */
   const char *name; /* of the source, for messages; may be NULL */
   struct util_dynarray out;
   char message[320];
   enum vkd3d_result result;
};

/* Runs it; `messages` (may be NULL) gets what it says. The result, and
 * call->out, which is the caller's. */
enum vkd3d_result d3dlib_run(struct d3dlib_call *call, char **messages);
/* Gives the message to the program; the result. */
enum vkd3d_result d3dlib_say(const struct d3dlib_call *call, char **messages);
/* Sets the message; gives `result`. */
enum vkd3d_result d3dlib_fail(struct d3dlib_call *call,
                              enum vkd3d_result result, const char *fmt, ...)
   PRINTFLIKE(3, 4);
enum vkd3d_result d3dlib_bad_input(struct d3dlib_call *call,
                                   const struct d3d_error *error);
/* The bytes of call->out in memory of malloc(); NULL: none left. */
void *d3dlib_take(struct d3dlib_call *call, size_t *size_B);

/* The structure of that type in a chain; NULL: none. */
const void *d3dlib_find(const void *chain,
                        enum vkd3d_shader_structure_type type);

/* The program of a container; NULL with the call's message. */
struct tpf_shader *d3dlib_read(struct d3dlib_call *call, struct arena *arena,
                               const struct vkd3d_shader_code *code,
                               struct dxbc *container);
/* What the program declares, in its order: struct d3dlib_resource. */
void d3dlib_resources(const struct tpf_shader *shader,
                      struct util_dynarray *out);

#endif
