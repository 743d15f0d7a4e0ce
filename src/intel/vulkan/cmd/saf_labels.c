/* SPDX-License-Identifier: MIT */
/*
 * VK_EXT_debug_utils.
 *
 * Labels stand in the batch itself: commands that do nothing (MI_NOOP) whose
 * numbers are text, as the simulated GPU reads it (saffron/sim_labels.h): so
 * they come where they belong, also when a recording runs again. Names of
 * objects are kept by handle and become labels where a pipeline is bound or
 * an image is drawn to.
 *
 * The driver has no messages of its own: messengers are the loader's, which
 * gives to them what applications submit, too.
 */
#include "saf_labels.h"

#include "intel/vulkan/base/saf_genx.h"
#include "intel/vulkan/memory/saf_image.h"
#include "saf_record.h"
#include "saffron/sim_labels.h"
#include "util/environment.h"
#include "util/fallible.h"
#include "util/hash_table.h"

struct label {
   struct saf_recorded head;
   enum saffron_label kind;
   const char *text; /* NULL: none */
};

/* Only recordings have a place for them. */
static bool
are_wanted(void)
{
   return environment_get("SAFFRON_SIM_TRACE_FILE") != NULL;
}

/* ---- names ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct hash_table names; /* char *, by handle */
static bool any_name;           /* is kept; atomic */

/* Nothing is left when the last named object is gone: the driver may be
 * unloaded. */
static void
drop_if_empty(void)
{
   if (names.live)
      return;
   __atomic_store_n(&any_name, false, __ATOMIC_RELAXED);
   hash_table_finish(&names);
}

void
saf_name_release(const void *object)
{
   if (!__atomic_load_n(&any_name, __ATOMIC_RELAXED))
      return;
   pthread_mutex_lock(&mutex);
   free(hash_table_get(&names, hash_key_ptr(object)));
   hash_table_remove(&names, hash_key_ptr(object));
   drop_if_empty();
   pthread_mutex_unlock(&mutex);
}

/* NULL: no name, or not enough memory for it. */
static void
set_name(const void *object, const char *text)
{
   char *copy = text && *text ? strdup(text) : NULL;

   saf_name_release(object);
   if (!copy)
      return;
   pthread_mutex_lock(&mutex);
   __atomic_store_n(&any_name, true, __ATOMIC_RELAXED);
   if (!hash_table_try_insert(&names, hash_key_ptr(object), copy)) {
      free(copy);
      drop_if_empty();
   }
   pthread_mutex_unlock(&mutex);
}

/* Into `buf`, "" if it has none. */
static void
get_name(const void *object, char *buf, size_t size)
{
   *buf = 0;
   if (!object || !__atomic_load_n(&any_name, __ATOMIC_RELAXED))
      return;
   pthread_mutex_lock(&mutex);
   const char *name = hash_table_get(&names, hash_key_ptr(object));
   if (name)
      snprintf(buf, size, "%s", name);
   pthread_mutex_unlock(&mutex);
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_SetDebugUtilsObjectNameEXT(VkDevice device,
                               const VkDebugUtilsObjectNameInfoEXT *info)
{
   if (are_wanted())
      set_name((const void *)(uintptr_t)info->objectHandle,
               info->pObjectName);
   return VK_SUCCESS;
}

/* Bytes that only their application can read. */
VKAPI_ATTR VkResult VKAPI_CALL
saf_SetDebugUtilsObjectTagEXT(VkDevice device,
                              const VkDebugUtilsObjectTagInfoEXT *info)
{
   return VK_SUCCESS;
}

/* ---- labels ---- */

/* Two characters a command, and what they are in the last. */
static void
emit(struct saf_cmd_buffer *cmd, enum saffron_label kind, const char *text)
{
   const size_t n = text ? strnlen(text, SAFFRON_MAX_LABEL) : 0;

   for (size_t i = 0; i < n; i += 2) {
      const uint32_t second = i + 1 < n ? (uint8_t)text[i + 1] : 0;
      cmd->device->genx->cmd_note(
         cmd, saffron_label_number(SAFFRON_LABEL_TEXT,
                                   (uint32_t)(uint8_t)text[i] | second << 8));
   }
   cmd->device->genx->cmd_note(cmd, saffron_label_number(kind, 0));
}

static void
play(struct saf_cmd_buffer *cmd, const struct saf_recorded *r)
{
   const struct label *l = (const struct label *)r;
   emit(cmd, l->kind, l->text);
}

static void
label(VkCommandBuffer _cmd, enum saffron_label kind, const char *text)
{
   SAF_FROM_HANDLE(saf_cmd_buffer, cmd, _cmd);

   if (!are_wanted())
      return;
   if (cmd->level == VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
      emit(cmd, kind, text);
      return;
   }
   struct label *l = saf_record(cmd, sizeof(*l), play);
   if (!l)
      return;
   l->kind = kind;
   l->text = saf_record_copy(cmd, text, text ? strlen(text) + 1 : 0);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdBeginDebugUtilsLabelEXT(VkCommandBuffer cmd,
                               const VkDebugUtilsLabelEXT *info)
{
   label(cmd, SAFFRON_LABEL_BEGIN, info->pLabelName);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdEndDebugUtilsLabelEXT(VkCommandBuffer cmd)
{
   label(cmd, SAFFRON_LABEL_END, NULL);
}

VKAPI_ATTR void VKAPI_CALL
saf_CmdInsertDebugUtilsLabelEXT(VkCommandBuffer cmd,
                                const VkDebugUtilsLabelEXT *info)
{
   label(cmd, SAFFRON_LABEL_POINT, info->pLabelName);
}

/* ---- what has a name ---- */

void
saf_label_pipeline(struct saf_cmd_buffer *cmd,
                   const struct saf_pipeline *pipeline)
{
   char name[SAFFRON_MAX_LABEL], text[SAFFRON_MAX_LABEL];

   get_name(pipeline, name, sizeof(name));
   if (!*name)
      return;
   snprintf(text, sizeof(text), "pipeline %.*s", SAFFRON_MAX_LABEL - 16,
            name);
   emit(cmd, SAFFRON_LABEL_POINT, text);
}

static void
label_target(struct saf_cmd_buffer *cmd, const char *what, unsigned index,
             const struct saf_image_view *view)
{
   char name[SAFFRON_MAX_LABEL], text[SAFFRON_MAX_LABEL];

   get_name(view, name, sizeof(name));
   if (!*name && view)
      get_name(view->image, name, sizeof(name));
   if (!*name)
      return;
   snprintf(text, sizeof(text), "%s %u %.*s", what, index,
            SAFFRON_MAX_LABEL - 32, name);
   emit(cmd, SAFFRON_LABEL_POINT, text);
}

void
saf_label_targets(struct saf_cmd_buffer *cmd)
{
   const struct saf_rendering *r = &cmd->rendering;

   if (!__atomic_load_n(&any_name, __ATOMIC_RELAXED))
      return;
   for (uint32_t i = 0; i < r->color_count; i++)
      label_target(cmd, "target", i, r->color[i].view);
   label_target(cmd, "depth", 0, r->depth.view);
}

/* ---- queues ---- */

/* What a queue does is a batch after the other. */
static void
mark(VkQueue _queue, enum saffron_label kind, const char *text)
{
   static const char *const words[SAFFRON_LABEL_COUNT] = SAFFRON_LABEL_WORDS;
   SAF_FROM_HANDLE(saf_queue, queue, _queue);
   char line[SAFFRON_MAX_LABEL + 16];

   if (!are_wanted())
      return;
   snprintf(line, sizeof(line), "%s%.*s", words[kind], SAFFRON_MAX_LABEL,
            text ? text : "");
   kmd_mark(queue->device->kmd, line);
}

VKAPI_ATTR void VKAPI_CALL
saf_QueueBeginDebugUtilsLabelEXT(VkQueue queue,
                                 const VkDebugUtilsLabelEXT *info)
{
   mark(queue, SAFFRON_LABEL_BEGIN, info->pLabelName);
}

VKAPI_ATTR void VKAPI_CALL
saf_QueueEndDebugUtilsLabelEXT(VkQueue queue)
{
   mark(queue, SAFFRON_LABEL_END, NULL);
}

VKAPI_ATTR void VKAPI_CALL
saf_QueueInsertDebugUtilsLabelEXT(VkQueue queue,
                                  const VkDebugUtilsLabelEXT *info)
{
   mark(queue, SAFFRON_LABEL_POINT, info->pLabelName);
}

/* ---- messengers ---- */

VKAPI_ATTR VkResult VKAPI_CALL
saf_CreateDebugUtilsMessengerEXT(
   VkInstance _instance, const VkDebugUtilsMessengerCreateInfoEXT *info,
   const VkAllocationCallbacks *alloc, VkDebugUtilsMessengerEXT *out)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   void *messenger = saf_alloc(alloc ? alloc : instance->alloc, 1);

   *out = (VkDebugUtilsMessengerEXT)(uintptr_t)messenger;
   return messenger ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL
saf_DestroyDebugUtilsMessengerEXT(VkInstance _instance,
                                  VkDebugUtilsMessengerEXT messenger,
                                  const VkAllocationCallbacks *alloc)
{
   SAF_FROM_HANDLE(saf_instance, instance, _instance);
   saf_free(alloc ? alloc : instance->alloc, (void *)(uintptr_t)messenger);
}

VKAPI_ATTR void VKAPI_CALL
saf_SubmitDebugUtilsMessageEXT(
   VkInstance instance, VkDebugUtilsMessageSeverityFlagBitsEXT severity,
   VkDebugUtilsMessageTypeFlagsEXT types,
   const VkDebugUtilsMessengerCallbackDataEXT *data)
{
}
