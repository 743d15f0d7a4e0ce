/* SPDX-License-Identifier: MIT */
/*
 * VK_KHR_pipeline_executable_properties: an executable is a stage in one
 * width. Its statistics and texts are those of INTEL_DEBUG.
 */
#include <stdio.h>

#include "saf_shader.h"

struct executable {
   const struct saf_shader *shader;
   unsigned index; /* among the stage's widths */
   uint32_t width;
};

#define MAX_EXECUTABLES (2 * SAF_STAGES)

static unsigned
list_executables(const struct saf_pipeline *p,
                 struct executable out[MAX_EXECUTABLES])
{
   unsigned n = 0;
   for (unsigned s = 0; s < SAF_STAGES; s++) {
      const struct saf_shader *shader = p->shaders[s];
      if (!shader)
         continue;
      if (s != MESA_SHADER_FRAGMENT) {
         const uint32_t width =
            s == MESA_SHADER_COMPUTE ? shader->prog.cs.simd_size : 8;
         out[n++] = (struct executable) { shader, 0, width };
         continue;
      }
      unsigned index = 0;
      if (shader->prog.wm.dispatch_8)
         out[n++] = (struct executable) { shader, index++, 8 };
      if (shader->prog.wm.dispatch_16)
         out[n++] = (struct executable) { shader, index++, 16 };
   }
   return n;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPipelineExecutablePropertiesKHR(VkDevice device,
                                       const VkPipelineInfoKHR *info,
                                       uint32_t *count,
                                       VkPipelineExecutablePropertiesKHR *out)
{
   SAF_FROM_HANDLE(saf_pipeline, pipeline, info->pipeline);
   struct executable list[MAX_EXECUTABLES];
   const unsigned n = list_executables(pipeline, list);
   if (!out) {
      *count = n;
      return VK_SUCCESS;
   }
   const uint32_t written = MIN2(*count, n);
   for (uint32_t i = 0; i < written; i++) {
      const gl_shader_stage stage = list[i].shader->stage;
      const char *name = saf_stage_name(stage);
      /* Bits of Vulkan's stages have the order of ours. */
      out[i].stages = 1u << stage;
      out[i].subgroupSize = list[i].width;
      snprintf(out[i].name, sizeof(out[i].name), "SIMD%u %s shader",
               list[i].width, name);
      snprintf(out[i].description, sizeof(out[i].description),
               "%s shader for %u invocations a thread", name, list[i].width);
   }
   *count = written;
   return written < n ? VK_INCOMPLETE : VK_SUCCESS;
}

/* The one that the application names, which must have been captured. */
static const struct saf_capture *
find_executable(const VkPipelineExecutableInfoKHR *info,
                struct executable *out)
{
   SAF_FROM_HANDLE(saf_pipeline, pipeline, info->pipeline);
   struct executable list[MAX_EXECUTABLES];
   if (info->executableIndex >= list_executables(pipeline, list))
      return NULL;
   *out = list[info->executableIndex];
   return out->shader->capture;
}

/* ---- statistics ---- */

#define STAT(member, name, description)                                      \
   {                                                                         \
      offsetof(struct intel_compile_stats, member), name, description        \
   }

static const struct {
   size_t offset_B; /* of a uint32_t */
   const char *name, *description;
} statistics[] = {
   STAT(instructions, "Instructions", "EU instructions of the program"),
   STAT(sends, "Sends", "messages to shared functions"),
   STAT(loops, "Loops", "loops that were not unrolled"),
   STAT(cycles, "Cycles", "estimated issue cycles of one pass"),
   STAT(spills, "Spills", "stores of registers to scratch memory"),
   STAT(fills, "Fills", "loads of registers from scratch memory"),
   STAT(max_live_grf, "Registers", "most registers in use at a time"),
   STAT(code_size_B, "Code size", "bytes"),
   STAT(compacted, "Compacted", "instructions in the short form"),
};

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPipelineExecutableStatisticsKHR(
   VkDevice device, const VkPipelineExecutableInfoKHR *info, uint32_t *count,
   VkPipelineExecutableStatisticKHR *out)
{
   struct executable e;
   const struct saf_capture *capture = find_executable(info, &e);
   const uint32_t n = capture ? ARRAY_SIZE(statistics) : 0;
   if (!out) {
      *count = n;
      return VK_SUCCESS;
   }
   const uint32_t written = MIN2(*count, n);
   for (uint32_t i = 0; i < written; i++) {
      uint32_t value;
      memcpy(&value,
             (const char *)&capture->stats[e.index] + statistics[i].offset_B,
             sizeof(value));
      snprintf(out[i].name, sizeof(out[i].name), "%s", statistics[i].name);
      snprintf(out[i].description, sizeof(out[i].description), "%s",
               statistics[i].description);
      out[i].format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
      out[i].value.u64 = value;
   }
   *count = written;
   return written < n ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ---- texts ---- */

/* Heads of the listing's parts; the last one comes once a width. */
static const struct {
   const char *head, *name, *description;
} texts[] = {
   { "NIR (SSA form)", "NIR", "the shader after front end and linking" },
   { "NIR (final form)", "Final NIR", "the shader as the back end gets it" },
   { "Reasons for", "Reasons", "why this width, what is pulled, spilled" },
   { "Native code for", "Assembly", "EU instructions, with NIR beside them" },
};

/* Where the next part of a listing begins, from `p` on; NULL: nowhere. */
static const char *
next_part(const char *p, const char *head)
{
   const size_t length = strlen(head);
   while (p && strncmp(p, head, length)) {
      p = strchr(p, '\n');
      p = p ? p + 1 : NULL;
   }
   return p;
}

/* A part by its number; the size is without a terminator. "" if the listing
 * has none such. */
static const char *
find_text(const struct saf_capture *capture, unsigned text, unsigned width,
          size_t *size_B)
{
   const char *p = next_part(capture->listing, texts[text].head);
   for (unsigned i = 0; p && i < width; i++)
      p = next_part(p + 1, texts[text].head);
   *size_B = 0;
   if (!p)
      return "";
   const char *end = p + strlen(p);
   for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
      const char *other = next_part(p + 1, texts[i].head);
      if (other && other < end)
         end = other;
   }
   *size_B = (size_t)(end - p);
   return p;
}

/* False: there was no room for all of it. */
static bool
fill_text(const struct saf_capture *capture, unsigned text, unsigned width,
          VkPipelineExecutableInternalRepresentationKHR *out)
{
   size_t size_B;
   const char *data = find_text(capture, text, width, &size_B);
   snprintf(out->name, sizeof(out->name), "%s", texts[text].name);
   snprintf(out->description, sizeof(out->description), "%s",
            texts[text].description);
   out->isText = VK_TRUE;
   if (!out->pData) {
      out->dataSize = size_B + 1;
      return true;
   }
   const size_t room_B = out->dataSize;
   if (room_B) {
      const size_t written_B = MIN2(room_B - 1, size_B);
      memcpy(out->pData, data, written_B);
      ((char *)out->pData)[written_B] = 0;
      out->dataSize = written_B + 1;
   }
   return room_B > size_B;
}

VKAPI_ATTR VkResult VKAPI_CALL
saf_GetPipelineExecutableInternalRepresentationsKHR(
   VkDevice device, const VkPipelineExecutableInfoKHR *info, uint32_t *count,
   VkPipelineExecutableInternalRepresentationKHR *out)
{
   struct executable e;
   const struct saf_capture *capture = find_executable(info, &e);
   const uint32_t n = capture ? ARRAY_SIZE(texts) : 0;
   if (!out) {
      *count = n;
      return VK_SUCCESS;
   }
   const uint32_t written = MIN2(*count, n);
   bool whole = written == n;
   for (uint32_t i = 0; i < written; i++) {
      /* Only code differs by width. */
      const unsigned width = i + 1 == ARRAY_SIZE(texts) ? e.index : 0;
      whole &= fill_text(capture, i, width, &out[i]);
   }
   *count = written;
   return whole ? VK_SUCCESS : VK_INCOMPLETE;
}
