/* SPDX-License-Identifier: MIT */
/* Calls: scopes, messages, what is given to the program and taken back. */
#include "d3dlib.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/arena.h"
#include "util/guard.h"

enum vkd3d_result
d3dlib_fail(struct d3dlib_call *call, enum vkd3d_result result,
            const char *fmt, ...)
{
   const char *name = call->name && *call->name ? call->name : "<anonymous>";
   const int n =
      snprintf(call->message, sizeof(call->message), "%.64s:", name);
   va_list ap;

   va_start(ap, fmt);
   vsnprintf(call->message + n, sizeof(call->message) - (size_t)n, fmt, ap);
   va_end(ap);
   return result;
}

enum vkd3d_result
d3dlib_bad_input(struct d3dlib_call *call, const struct d3d_error *error)
{
   return d3dlib_fail(call, VKD3D_ERROR_INVALID_SHADER, "%zu: error: %s",
                      error->offset_B, error->text);
}

static void
in_scope(void *data)
{
   struct d3dlib_call *call = data;
   struct arena *arena = arena_create(NULL);

   call->result = call->run(call, arena);
   arena_destroy(arena);
}

static void
on_stack(void *data)
{
   struct d3dlib_call *call = data;
   struct guard_error error;

   switch (guard_run(in_scope, call, &error)) {
   case GUARD_DONE: return;
   case GUARD_NO_MEMORY: call->result = VKD3D_ERROR_OUT_OF_MEMORY; break;
   case GUARD_INTERNAL_ERROR:
      call->result = d3dlib_fail(call, VKD3D_ERROR, " error: %s", error.text);
      break;
   }
   /* It went with the scope. */
   call->out = (struct util_dynarray) { 0 };
}

enum vkd3d_result
d3dlib_say(const struct d3dlib_call *call, char **messages)
{
   const size_t size = strlen(call->message) + 2;

   if (!messages)
      return call->result;
   *messages = NULL;
   if (call->result != VKD3D_OK && call->message[0])
      *messages = malloc(size);
   if (*messages)
      snprintf(*messages, size, "%s\n", call->message);
   return call->result;
}

enum vkd3d_result
d3dlib_run(struct d3dlib_call *call, char **messages)
{
   if (!deep_stack_run(on_stack, call))
      call->result = VKD3D_ERROR_OUT_OF_MEMORY;
   return d3dlib_say(call, messages);
}

void *
d3dlib_take(struct d3dlib_call *call, size_t *size_B)
{
   void *copy = malloc(MAX2(call->out.size_B, 1));

   if (copy && call->out.size_B)
      memcpy(copy, call->out.data, call->out.size_B);
   *size_B = copy ? call->out.size_B : 0;
   util_dynarray_fini(&call->out);
   return copy;
}

/* Each begins with its type and the next one. */
const void *
d3dlib_find(const void *chain, enum vkd3d_shader_structure_type type)
{
   const struct vkd3d_shader_compile_info *s = chain;

   while (s && s->type != type)
      s = s->next;
   return s;
}

void
vkd3d_shader_free_messages(char *messages)
{
   free(messages);
}

void
vkd3d_shader_free_shader_code(struct vkd3d_shader_code *code)
{
   free((void *)code->code);
   code->code = NULL;
   code->size = 0;
}

const char *
vkd3d_shader_get_version(unsigned int *major, unsigned int *minor)
{
   if (major)
      *major = 1;
   if (minor)
      *minor = 2;
   return "libsaffron-d3d " SAFFRON_VERSION;
}

struct tpf_shader *
d3dlib_read(struct d3dlib_call *call, struct arena *arena,
            const struct vkd3d_shader_code *code, struct dxbc *container)
{
   struct d3d_error error = { 0 };
   const struct dxbc_chunk *chunk = NULL;
   struct tpf_shader *shader = NULL;

   if (dxbc_read(code->code, code->size, container, &error))
      chunk = dxbc_find_program(container, &error);
   if (chunk)
      shader = tpf_decode(arena, chunk->data, chunk->size_B, chunk->offset_B,
                          &error);
   if (shader && tpf_validate(shader, &error))
      return shader;
   d3dlib_bad_input(call, &error);
   return NULL;
}
