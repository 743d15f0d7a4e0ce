/* SPDX-License-Identifier: MIT */
#include "hlsl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* The first that compiles what docs/d3d.rst has figures of. 1.2 has no HLSL,
 * the next ones little of it. */
#define LEAST_MAJOR 2

#define NAME "libvkd3d-shader.so.1"

static struct {
   pthread_once_t once;
   bool found;
   struct hlsl_library library;
   char why[160];
} state = { .once = PTHREAD_ONCE_INIT };

/* Calls of the library to itself stay in it, even if libsaffron-d3d, whose
 * functions have the same names, was there first. The address sanitizer takes
 * no library that is opened so. */
static int
open_flags(void)
{
#ifdef __SANITIZE_ADDRESS__
   return RTLD_NOW | RTLD_LOCAL;
#else
   return RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
}

static bool
load(void *handle)
{
   const struct {
      const char *name;
      void *place;
   } functions[] = {
      { "vkd3d_shader_compile", &state.library.compile },
      { "vkd3d_shader_preprocess", &state.library.preprocess },
      { "vkd3d_shader_free_shader_code", &state.library.free_code },
      { "vkd3d_shader_free_messages", &state.library.free_messages },
   };
   const char *(*get_version)(unsigned *major, unsigned *minor);
   unsigned major = 0, minor = 0;
   void *symbol = dlsym(handle, "vkd3d_shader_get_version");

   if (symbol) {
      memcpy(&get_version, &symbol, sizeof(symbol));
      snprintf(state.library.version, sizeof(state.library.version), "%s",
               get_version(&major, &minor));
   }
   if (major < LEAST_MAJOR) {
      snprintf(state.why, sizeof(state.why),
               NAME " is of version %u.%u; HLSL needs %u.0 or newer", major,
               minor, LEAST_MAJOR);
      return false;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(functions); i++) {
      symbol = dlsym(handle, functions[i].name);
      if (!symbol) {
         snprintf(state.why, sizeof(state.why), NAME " has no %s",
                  functions[i].name);
         return false;
      }
      memcpy(functions[i].place, &symbol, sizeof(symbol));
   }
   return true;
}

static void
find(void)
{
   void *handle = dlopen(NAME, open_flags());

   if (!handle) {
      snprintf(state.why, sizeof(state.why),
               "there is no " NAME "; HLSL needs version %u.0 or newer of it",
               LEAST_MAJOR);
      return;
   }
   state.found = load(handle);
   if (!state.found)
      dlclose(handle);
}

const struct hlsl_library *
hlsl_library_get(const char **why)
{
   pthread_once(&state.once, find);
   if (why)
      *why = state.why;
   return state.found ? &state.library : NULL;
}

enum vkd3d_shader_target_type
hlsl_profile_target(const char *profile)
{
   const char *model = strchr(profile, '_');

   return model && model[1] >= '1' && model[1] <= '3'
             ? VKD3D_SHADER_TARGET_D3D_BYTECODE
             : VKD3D_SHADER_TARGET_DXBC_TPF;
}

bool
hlsl_compile(const struct hlsl_source *source, struct util_dynarray *code,
             char **messages)
{
   /* `double` is float where a profile has none, as fxc has it. */
   static const struct vkd3d_shader_compile_option options[] = {
      { VKD3D_SHADER_COMPILE_OPTION_BACKWARD_COMPATIBILITY,
        VKD3D_SHADER_COMPILE_OPTION_DOUBLE_AS_FLOAT_ALIAS },
   };
   const struct vkd3d_shader_hlsl_source_info hlsl = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_HLSL_SOURCE_INFO,
      .entry_point = source->entry,
      .profile = source->profile,
   };
   const struct vkd3d_shader_compile_info info = {
      .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
      .next = &hlsl,
      .source = { source->text, source->size_B },
      .source_type = VKD3D_SHADER_SOURCE_HLSL,
      .target_type = hlsl_profile_target(source->profile),
      .options = options,
      .option_count = ARRAY_SIZE(options),
      .log_level = VKD3D_SHADER_LOG_ERROR,
      .source_name = source->name,
   };
   const struct hlsl_library *library = hlsl_library_get(NULL);
   struct vkd3d_shader_code out = { 0 };
   char *said = NULL;
   const int result = library->compile(&info, &out, &said);

   *messages = NULL;
   if (result != VKD3D_OK) {
      if (said && *said)
         *messages = strdup(said);
      else if (asprintf(messages, "%s: libvkd3d-shader gives up (%d)\n",
                        source->name, result) < 0)
         *messages = NULL;
      library->free_messages(said);
      return false;
   }
   memcpy(util_dynarray_grow_bytes(code, out.size), out.code, out.size);
   library->free_code(&out);
   library->free_messages(said);
   return true;
}
