/* SPDX-License-Identifier: MIT */
/*
 * Objects of the driver that are the same on every generation.
 *
 * Units: an address is a GPU virtual address (pinned, or to be relocated:
 * saf_reloc.h), an offset is relative to what its comment says, sizes end in
 * _B.
 */
#ifndef SAF_PRIVATE_H
#define SAF_PRIVATE_H

#include <pthread.h>

/* First: it asks vulkan.h for the platform that we have. */
#include "saf_entrypoints.h"
#include <vulkan/vk_icd.h>

#include "compiler/nir/nir.h"
#include "intel/compiler/intel_compiler.h"
#include "intel/dev/intel_device_info.h"
#include "intel/isl/isl.h"
#include "intel/vulkan/memory/kmd.h"
#include "intel/vulkan/memory/saf_reloc.h"
#include "intel/vulkan/memory/saf_va.h"
#include "util/dynarray.h"
#include "util/list.h"
#include "util/macros.h"

#define SAF_MAX_SETS 32
#define SAF_UNIFORM_ALIGN_B 16 /* ranges of uniform buffers end there */
#define SAF_MAX_RTS 8
#define SAF_MAX_VIEWPORTS 16
#define SAF_MAX_SAMPLES 16
#define SAF_MAX_VERTEX_BINDINGS 31
#define SAF_MAX_VIEWS 32 /* bits of a mask */
/* With two elements of numbers of vertex and draw, 112 registers: all push
 * constants and two for the thread fit beside them, and a few are left. */
#define SAF_MAX_VERTEX_ATTRIBS 26
#define SAF_MAX_PUSH_CONSTANTS_B 256
#define SAF_MAX_PUSH_DESCRIPTORS 32
#define SAF_MAX_INLINE_BLOCK_B 4096
#define SAF_MAX_XFB_BUFFERS 4
#define SAF_MAX_XFB_STREAMS 4
#define SAF_MAX_DYNAMIC_BUFFERS 16
#define SAF_MAX_BINDING_TABLE 240
#define SAF_MAX_SAMPLERS 32
#define SAF_MAX_BINDLESS (1u << 19) /* records of a set */
#define SAF_MAX_QUERY_POOL_SLOTS (1u << 20)

/* Push constants are read from uniform buffers without a bounds check, up
 * to 64 registers: memory goes on for that long after each allocation. */
#define SAF_PUSH_OVERREAD_B 2048

/* ---- handles ---- */

#define SAF_DISPATCHABLE(type, Vk)                                           \
   static inline struct type *type##_from_handle(Vk h)                       \
   {                                                                         \
      return (struct type *)h;                                               \
   }                                                                         \
   static inline Vk type##_to_handle(struct type *p)                         \
   {                                                                         \
      return (Vk)p;                                                          \
   }

#define SAF_NONDISPATCHABLE(type, Vk)                                        \
   static inline struct type *type##_from_handle(Vk h)                       \
   {                                                                         \
      return (struct type *)(uintptr_t)h;                                    \
   }                                                                         \
   static inline Vk type##_to_handle(struct type *p)                         \
   {                                                                         \
      return (Vk)(uintptr_t)p;                                               \
   }

#define SAF_FROM_HANDLE(type, name, handle)                                  \
   struct type *name = type##_from_handle(handle)

/* Walks a pNext chain. */
#define saf_foreach_struct(s, first)                                         \
   for (const VkBaseInStructure *s = (const VkBaseInStructure *)(first); s;  \
        s = s->pNext)
#define saf_foreach_out_struct(s, first)                                     \
   for (VkBaseOutStructure *s = (VkBaseOutStructure *)(first); s;            \
        s = s->pNext)

/* The first structure of a type in a chain, or NULL. */
const void *saf_find_struct(const void *first, VkStructureType type);

/* ---- host memory ---- */

/* Zeroed memory from the application's allocator (NULL: malloc), or NULL. */
void *saf_alloc(const VkAllocationCallbacks *alloc, size_t size_B);

void saf_free(const VkAllocationCallbacks *alloc, void *p);

/* Of what an application has hung on an object, which ends: saf_free() says
 * so. */
void saf_private_data_forget(const void *object);

/* Two-call enumerations: VK_INCOMPLETE if not all `n` items fit. */
VkResult saf_enumerate(uint32_t *count, void *out, const void *items,
                       uint32_t n, size_t item_size_B);

/* CLOCK_MONOTONIC */
uint64_t saf_now_ns(void);

/* Prints what went wrong on stderr, if INTEL_DEBUG or the error asks for it,
 * and returns `result`. */
VkResult saf_error(VkResult result, const char *fmt, ...) PRINTFLIKE(2, 3);

/* ---- instance and physical device ---- */

struct saf_physical_device {
   VK_LOADER_DATA loader_data;
   struct saf_instance *instance;
   struct kmd *kmd;
   const struct intel_device_info *info;
   struct intel_compiler *compiler;
   unsigned gen_index; /* into saf_entrypoint.per_gen */
   uint64_t memory_size_B;
   uint64_t used_B;              /* of it, by VkDeviceMemory; atomic */
   uint64_t timestamp_frequency; /* Hz */
   bool relocates;               /* the kernel may move objects */
   uint8_t cache_uuid[VK_UUID_SIZE], driver_uuid[VK_UUID_SIZE];
   char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
};

struct saf_instance {
   VK_LOADER_DATA loader_data;
   VkAllocationCallbacks alloc_copy;
   const VkAllocationCallbacks *alloc;
   struct saf_physical_device *physical_device; /* NULL until enumerated */
   bool enumerated;
   uint32_t api_version; /* up to which the application calls functions */
   bool for_zink;        /* the engine's name is that of Mesa's zink */
   struct list_head swapchains; /* those that can be presented */
   /* Of all but what is there from the beginning. */
   pthread_mutex_t mutex;
   pthread_cond_t let_go; /* of a swapchain, by who presented it */
};

SAF_DISPATCHABLE(saf_instance, VkInstance)
SAF_DISPATCHABLE(saf_physical_device, VkPhysicalDevice)

VkResult saf_physical_device_create(struct saf_instance *instance,
                                    struct saf_physical_device **out);
void saf_physical_device_destroy(struct saf_physical_device *pdev);
bool saf_physical_device_is_simulated(const struct saf_physical_device *pdev);

/* ---- buffer objects and addresses ---- */

struct saf_device;

struct saf_bo {
   uint32_t handle;
   uint32_t exec_index; /* in saf_device.exec_objects */
   uint64_t size_B;
   uint64_t addr;
   void *map; /* NULL until saf_bo_map() */
   bool map_is_foreign;
   bool is_reported; /* as the device's */
   uint64_t id;      /* for reports; no two have had the same */
   const char *name;
   uint32_t references; /* one, and one for each import of it */
   /* On devices that relocate: where the kernel has had it last, the places
    * in it that hold addresses, and how many hold its own. */
   uint64_t offset;
   struct saf_relocs relocs;
   uint32_t pointers;
};

/* A new, zeroed object with an address. It is resident in every submission
 * from now on. `at`: a fixed address, or 0 for one from the general heap. */
VkResult saf_bo_create(struct saf_device *device, const char *name,
                       uint64_t size_B, uint64_t at, struct saf_bo **out);

/* The same below 4 GiB, for scratch: threads find theirs by the 32-bit
 * pointer in r0.5 (PRM SKL Vol. 7, "Thread Payload Register Header"), which
 * is relative to the general state base, 0 here. */
VkResult saf_bo_create_low(struct saf_device *device, const char *name,
                           uint64_t size_B, struct saf_bo **out);

/* What the application allocates, which it reports itself. `replayed`: at an
 * address that nothing else gets, `at`, or any if that is 0. */
VkResult saf_bo_create_memory(struct saf_device *device, uint64_t size_B,
                              bool replayed, uint64_t at,
                              struct saf_bo **out);

/* One that is the application's memory, of whole pages, which stays there.
 * VK_ERROR_INVALID_EXTERNAL_HANDLE: the kernel does not take it. */
VkResult saf_bo_of_host(struct saf_device *device, void *memory,
                        uint64_t size_B, struct saf_bo **out);

/* The object behind a dma-buf, which stays the caller's. What this device
 * made itself, or has imported before, is the same object once more.
 * VK_ERROR_INVALID_EXTERNAL_HANDLE: the kernel takes it for none. */
VkResult saf_bo_import(struct saf_device *device, int fd,
                       struct saf_bo **out);

/* A new dma-buf of it, the caller's. From now on the kernel orders its users
 * among all processes. */
VkResult saf_bo_export(struct saf_device *device, struct saf_bo *bo, int *fd);

/* Gives up what one of these gave; the last one ends it. */
void saf_bo_destroy(struct saf_device *device, struct saf_bo *bo);

/* Ends saf_device.submitting. Caller holds bo_mutex. */
void saf_bo_submitted(struct saf_device *device);

/* The whole object, mapped for as long as it lives; NULL on failure. */
void *saf_bo_map(struct saf_device *device, struct saf_bo *bo);

/* ---- state pools ---- */

/* A pool's offsets are relative to its start, which is what
 * STATE_BASE_ADDRESS gets: struct intel_address_layout. */

struct saf_state {
   uint32_t offset; /* from the start of the pool */
   uint32_t size_B; /* 0: no state */
   void *map;
};

/* The largest state of a pool: code of millions of instructions. */
#define SAF_POOL_MAX_LOG2 28

struct saf_state_pool {
   struct saf_device *device;
   const char *name;
   uint64_t base, size_B;
   uint64_t next_B; /* unused from here on, to block_end_B */
   uint64_t block_end_B;
   uint8_t *block_map;
   uint64_t block_start_B;
   struct util_dynarray blocks; /* struct saf_bo * */
   struct util_dynarray free_states[SAF_POOL_MAX_LOG2 + 1];
   VkResult error; /* why there was no new block the last time */
   pthread_mutex_t mutex;
};

void saf_state_pool_init(struct saf_state_pool *pool,
                         struct saf_device *device, const char *name,
                         uint64_t base, uint64_t size_B);
void saf_state_pool_finish(struct saf_state_pool *pool);

/* Sizes are rounded up to a power of two of at least 32 bytes, to which the
 * state is aligned. size_B is 0 in the result if there is no memory. */
struct saf_state saf_state_alloc(struct saf_state_pool *pool,
                                 uint32_t size_B);
void saf_state_free(struct saf_state_pool *pool, struct saf_state state);

/* Many small states that all go at once. */
struct saf_state_stream {
   struct saf_state_pool *pool;
   struct util_dynarray blocks; /* struct saf_state */
   uint32_t used_B;
};

void saf_state_stream_init(struct saf_state_stream *stream,
                           struct saf_state_pool *pool);
void saf_state_stream_reset(struct saf_state_stream *stream);
void saf_state_stream_finish(struct saf_state_stream *stream);
struct saf_state saf_state_stream_alloc(struct saf_state_stream *stream,
                                        uint32_t size_B, uint32_t align_B);
/* The same with whatever is in it. */
struct saf_state saf_state_stream_take(struct saf_state_stream *stream,
                                       uint32_t size_B, uint32_t align_B);
/* Makes the next `size_B` bytes come from one block, without an end of the
 * pool in between. False: streams have had their three quarters of it; what
 * lives longer than a recording finds room in the rest. */
bool saf_state_stream_reserve(struct saf_state_stream *stream,
                              uint32_t size_B);

/* isl's, into a state of a pool. */
#define saf_surf_fill_state(device, map, ...)                                \
   do {                                                                      \
      isl_surf_fill_state((device)->info, map, __VA_ARGS__);                 \
      saf_reloc_note_surface(device, map);                                   \
   } while (0)
#define saf_buffer_fill_state(device, map, ...)                              \
   do {                                                                      \
      isl_buffer_fill_state((device)->info, map, __VA_ARGS__);               \
      saf_reloc_note_surface(device, map);                                   \
   } while (0)

/* ---- device and queue ---- */

struct saf_queue {
   VK_LOADER_DATA loader_data;
   struct saf_device *device;
   pthread_mutex_t mutex;
   uint32_t idle_syncobj; /* timeline: point N = Nth submission */
   uint64_t submissions;
   /* What waits for timeline points that nobody has submitted, and all that
    * came after it; a thread, made when first needed, hands it over. */
   struct list_head pending;
   pthread_cond_t changed; /* pending or stop */
   pthread_t thread;
   bool has_thread, stop;
};

#define SAF_RECENT_TARGETS 16

/* Which functions of genX_*.c serve the device. */
struct saf_genx;

struct saf_meta;
struct saf_device_cache;

struct saf_device {
   VK_LOADER_DATA loader_data;
   const VkAllocationCallbacks *alloc;
   VkAllocationCallbacks alloc_copy;
   struct saf_physical_device *pdev;
   const struct intel_device_info *info;
   struct intel_compiler *compiler;
   struct kmd *kmd;
   const struct saf_genx *genx;
   struct saf_queue queue;

   bool lost; /* saf_device_is_lost(), once lost_why is there */
   pthread_mutex_t lost_mutex;
   char lost_why[64];
   bool robust_buffer_access, robust_buffer_access_2;
   bool mutable_descriptors; /* all sets have records then */
   bool extensions[SAF_DEVICE_EXTENSION_COUNT]; /* enabled */

   uint32_t vm_id, context_id;

   /* Every object that exists is part of every submission. */
   pthread_mutex_t bo_mutex;
   struct util_dynarray exec_objects; /* drm_i915_gem_exec_object2 */
   struct util_dynarray exec_bos;     /* struct saf_bo *, same order */
   /* The kernel has a list of all objects that it has not gone through: what
    * is destroyed meanwhile is closed afterwards. bo_mutex. */
   bool submitting;
   struct util_dynarray closing; /* uint32_t, handles */
   struct saf_va_heap va, va_low, va_replayed;
   uint64_t last_bo_id;
   struct saf_memory_report *memory_reports;
   uint32_t memory_report_count;
   /* On devices that relocate, else empty; bo_mutex. */
   struct util_dynarray bos_by_addr; /* struct saf_bo * */
   /* That addresses were in; or NULL. */
   struct saf_bo *recent_targets[SAF_RECENT_TARGETS];
   struct saf_bo *states;          /* all four pools in one object */
   struct util_dynarray batch_bos; /* free ones, SAF_BATCH_SIZE_B each */

   struct saf_state_pool dynamic_pool;
   struct saf_state_pool binding_table_pool;
   struct saf_state_pool surface_pool;
   struct saf_state_pool instruction_pool;

   struct saf_bo *trivial_batch;
   /* Zeroes that stand for buffers which are not there; also a place for
    * PIPE_CONTROL writes that nobody reads, at its end. */
   struct saf_bo *null_bo;
   struct saf_state null_surface; /* 1x1 null surface */
   /* The six standard ones, and what follows them: saf_sampler.c */
   struct saf_state border_colors;
   uint32_t standard_borders[6][4];
   uint32_t border_slots_used;             /* bo_mutex */
   struct util_dynarray free_border_slots; /* uint32_t, bo_mutex */

   struct saf_meta *meta;
   struct saf_device_cache *cache; /* compiled shaders */
};

#define SAF_NULL_BO_SIZE_B 8192
#define SAF_WORKAROUND_OFFSET_B 4096

SAF_DISPATCHABLE(saf_queue, VkQueue)
SAF_DISPATCHABLE(saf_device, VkDevice)

#define SAF_BATCH_SIZE_B 65536

struct saf_bo *saf_batch_bo_get(struct saf_device *device);
void saf_batch_bo_put(struct saf_device *device, struct saf_bo *bo);

/* The core version that a generation reports. */
uint32_t saf_api_version(const struct intel_device_info *dev);

/* Whether a generation has an extension, by its SAF_DEVICE_ number. */
bool saf_has_device_extension(const struct intel_device_info *dev,
                              unsigned index);

VkResult saf_queue_init(struct saf_device *device);
void saf_queue_finish(struct saf_device *device);
VkResult saf_queue_wait_idle(struct saf_queue *queue);
/* Until the kernel has all that was submitted; what is exported then carries
 * its fences. */
VkResult saf_queue_wait_handed_over(struct saf_queue *queue);
/* Until the kernel has all that was submitted to signal a syncobj. */
void saf_queue_wait_submitted(struct saf_queue *queue, uint32_t syncobj);
VkResult saf_device_set_lost(struct saf_device *device, const char *why);

static inline bool
saf_device_is_lost(const struct saf_device *device)
{
   return __atomic_load_n(&device->lost, __ATOMIC_ACQUIRE);
}

/* VK_ERROR_DEVICE_LOST if the kernel reset the GPU under our context. */
VkResult saf_device_check_lost(struct saf_device *device);

/* ---- synchronisation ---- */

#include "intel/vulkan/api/saf_sync.h"

/* ---- memory and buffers ---- */

struct saf_device_memory {
   struct saf_bo *bo;
   uint64_t size_B;
   uint64_t map_offset_B;
   bool is_imported;
};

/* What memory a buffer or an image wants; none wants one of its own. */
void saf_memory_requirements(VkMemoryRequirements2 *out, uint64_t size_B,
                             uint64_t align_B);

struct saf_buffer {
   uint64_t size_B;
   VkBufferUsageFlags usage;
   struct saf_bo *bo;
   uint64_t offset_B; /* of the buffer in its memory */
};

struct saf_buffer_view {
   struct saf_buffer *buffer;
   enum isl_format format;
   struct isl_swizzle swizzle; /* the format's */
   uint64_t addr, range_B;
   struct saf_state sampled; /* surface state */
   /* enum saf_storage_part; one of the last two. */
   struct saf_state storage, storage_load, storage_raw;
};

static inline uint64_t
saf_buffer_addr(const struct saf_buffer *b, uint64_t offset_B)
{
   return b->bo->addr + b->offset_B + offset_B;
}

/* VK_WHOLE_SIZE resolved; never past the end of the buffer. */
static inline uint64_t
saf_buffer_range(const struct saf_buffer *b, uint64_t offset_B,
                 uint64_t range_B)
{
   if (offset_B >= b->size_B)
      return 0;
   return MIN2(range_B, b->size_B - offset_B);
}

SAF_NONDISPATCHABLE(saf_device_memory, VkDeviceMemory)
SAF_NONDISPATCHABLE(saf_buffer, VkBuffer)
SAF_NONDISPATCHABLE(saf_buffer_view, VkBufferView)

#include "intel/vulkan/memory/saf_format.h"

/* ---- images ---- */

#include "intel/vulkan/memory/saf_ycbcr.h"

#define SAF_MAX_PLANES 3

struct saf_plane {
   VkImageAspectFlagBits aspect;
   struct isl_surf surf;
   uint8_t texel_px;  /* that a texel of the surface has across, or a block */
   uint64_t offset_B; /* in the image, or in what a plane is bound to */
   struct saf_bo *bo; /* of a plane that is bound for itself; or NULL */
};

struct saf_image {
   VkImageType type;
   VkFormat vk_format;
   VkImageAspectFlags aspects;
   VkImageUsageFlags usage;
   VkImageTiling tiling;
   uint64_t modifier; /* with VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT */
   VkExtent3D extent;
   uint32_t levels, layers, samples;
   uint32_t plane_count;
   struct saf_plane planes[SAF_MAX_PLANES];
   /* Stencil as the sampler can read it: saf_meta_stencil.c. */
   bool has_shadow;
   struct saf_plane shadow;
   struct isl_hiz hiz; /* of the depth plane; size 0: none. saf_hiz.c */
   uint64_t hiz_offset_B;
   struct isl_surf mcs; /* of a colour plane; size 0: none. saf_meta_mcs.c */
   uint64_t mcs_offset_B;
   struct isl_ccs ccs; /* the same without samples: saf_fast_clear.c */
   uint64_t ccs_offset_B;
   uint64_t size_B;
   uint32_t align_B;
   bool disjoint;     /* planes are bound one by one */
   struct saf_bo *bo; /* NULL until bound */
   uint64_t offset_B; /* in the memory */
};

/* How an image that is shared has to lie in its memory. */
struct saf_image_layout {
   uint32_t tiling_flags; /* of which the surface gets one */
   uint32_t row_pitch_B;  /* 0: as it comes */
   uint64_t offset_B;
};

/* The modifier that an image of VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT gets,
 * and its layout. False: none of those it may have, or more planes. */
bool saf_image_choose_modifier(const VkImageCreateInfo *info,
                               uint64_t *modifier,
                               struct saf_image_layout *out);

/* 0: no image of the format has this modifier. */
VkFormatFeatureFlags
saf_modifier_features(const struct saf_physical_device *pdev, VkFormat format,
                      uint64_t modifier);
void saf_fill_modifiers(const struct saf_physical_device *pdev,
                        VkFormat format,
                        VkDrmFormatModifierPropertiesListEXT *out);
void saf_fill_modifiers2(const struct saf_physical_device *pdev,
                         VkFormat format,
                         VkDrmFormatModifierPropertiesList2EXT *out);

/* VK_ERROR_FORMAT_NOT_SUPPORTED if the image cannot be shared as `info` asks;
 * fills in VkExternalImageFormatProperties in the chain. */
VkResult
saf_external_image_properties(const VkPhysicalDeviceImageFormatInfo2 *info,
                              void *chain);

#define SAF_HOST_MEMORY_ALIGN_B 4096

/* The object that the chain of vkAllocateMemory imports, in *out: of a
 * descriptor, which is closed if that went well, or of memory of the host.
 * VK_SUCCESS with *out NULL: it imports nothing. */
VkResult saf_import_memory(struct saf_device *device, const void *chain,
                           uint64_t size_B, struct saf_bo **out);

struct saf_image_view {
   struct saf_image *image;
   VkImageAspectFlags aspects;
   VkFormat vk_format;
   VkImageViewType type;
   uint32_t base_level, levels, base_layer, layers;
   VkExtent3D extent; /* of the base level */
   enum isl_format format;
   struct isl_swizzle format_swizzle; /* that of every view of vk_format */
   struct isl_view view;
   struct saf_state sampled; /* surface state for the sampler */
   struct saf_state target;  /* for rendering; only for colour */
   struct saf_state storage, storage_load, storage_raw; /* as above */
   /* Sampled, of the planes after the first, if it shows all of them. */
   struct saf_state planes[SAF_MAX_COLOR_PLANES - 1];
};

#define SAF_MAX_CUSTOM_BORDERS 4096

bool saf_border_colors_init(struct saf_device *device);
void saf_border_colors_finish(struct saf_device *device);

/* All that descriptors need of one. */
struct saf_sampler_state {
   uint32_t state[4];              /* SAMPLER_STATE */
   VkClearColorValue border_color; /* Vulkan's red, green, ... */
   bool has_border;                /* some coordinate can reach it */
   enum isl_format border_format;  /* what it is for, if that was said */
   struct isl_swizzle
      border_swizzle; /* that format's, for which `state` is */
   /* From Gen8 on, of one that was made for no format: the offset of its
    * colour with red and blue exchanged; 0: there is none. */
   uint32_t exchanged_B;
};

struct saf_sampler {
   struct saf_sampler_state s;
   /* Custom border colours: as `s.state` has it, and exchanged; or none. */
   struct saf_state border, exchanged;
   /* The same states where shaders find them by their place, if they do. */
   struct saf_state bindless, bindless_exchanged;
   struct saf_ycbcr_conversion ycbcr;
};

/*
 * What a surface state cannot say: shaders that need it read it from a block
 * of these, one for each entry of the stage's table (SAF_SET_INFO). A texel
 * of an image that is read as bytes lies at base_B + x * its size +
 * y * pitch_B + slice_B * (z's low slice_shift bits) + slices_B * (the rest
 * of z), where z counts from first_slice. Of an image with several samples
 * 2^slice_shift slices make a layer of its surface, each slice_rows below the
 * one before (isl_surf_of_samples()).
 */
struct saf_surface_info {
   uint32_t swizzle; /* isl_channel_select of red, green, ...: 4 bits each */
   uint32_t slice_shift, first_slice, samples;
   union {
      struct {
         uint32_t base_B, pitch_B;
      };
      uint32_t address[2]; /* of a buffer, from Gen8 on: low and high half */
   };
   union {
      uint32_t slice_B;
      uint32_t slice_rows;
   };
   uint32_t slices_B;
   uint32_t width, height, slices; /* of a buffer: its size in bytes */
   uint32_t load_format;           /* saf_any_format_word() */
};

#define SAF_SWIZZLE_IDENTITY 0x7654u

static inline uint32_t
saf_swizzle_word(struct isl_swizzle s)
{
   return (uint32_t)(s.r | s.g << 4 | s.b << 8 | s.a << 12);
}

SAF_NONDISPATCHABLE(saf_image, VkImage)
SAF_NONDISPATCHABLE(saf_image_view, VkImageView)
SAF_NONDISPATCHABLE(saf_sampler, VkSampler)

static inline struct saf_surface_info
saf_no_surface_info(void)
{
   return (struct saf_surface_info) { .swizzle = SAF_SWIZZLE_IDENTITY };
}

struct saf_surface_info
saf_image_view_info(const struct saf_image_view *view);
struct saf_surface_info
saf_buffer_view_info(const struct saf_buffer_view *view);

/* The plane of one aspect (COLOR, DEPTH or STENCIL); NULL if not there. */
const struct saf_plane *saf_image_plane(const struct saf_image *image,
                                        VkImageAspectFlags aspect);

static inline uint64_t
saf_plane_addr(const struct saf_image *image, const struct saf_plane *p)
{
   return p->bo ? p->bo->addr + p->offset_B
                : image->bo->addr + image->offset_B + p->offset_B;
}

static inline VkExtent3D
saf_image_level_extent(const struct saf_image *image, uint32_t level)
{
   return (VkExtent3D) { MAX2(image->extent.width >> level, 1),
                         MAX2(image->extent.height >> level, 1),
                         MAX2(image->extent.depth >> level, 1) };
}

/* With numbers for VK_REMAINING_MIP_LEVELS and _ARRAY_LAYERS. */
VkImageSubresourceRange saf_image_range(const struct saf_image *image,
                                        const VkImageSubresourceRange *r);

#include "intel/vulkan/memory/saf_descriptor.h"

#include "intel/vulkan/cmd/saf_pass.h"

/* ---- queries ---- */

/*
 * A slot of a pool: qword 0 says whether the result is available; then
 * pairs of begin and end values, one pair for each value (a timestamp has a
 * single qword).
 */
struct saf_query_pool {
   VkQueryType type;
   VkQueryPipelineStatisticFlags statistics;
   uint32_t count, values;
   uint32_t stride_B;
   struct saf_bo *bo;
};

SAF_NONDISPATCHABLE(saf_query_pool, VkQueryPool)

/* The number among the pool's values of that which counts four times
 * (INTEL_WA_PS_INVOCATIONS_BY_FOUR), or -1. */
int saf_query_value_by_four(const struct saf_device *device,
                            const struct saf_query_pool *pool);

static inline uint64_t
saf_query_addr(const struct saf_query_pool *pool, uint32_t query)
{
   return pool->bo->addr + (uint64_t)query * pool->stride_B;
}

/* ---- presentation ---- */

SAF_NONDISPATCHABLE(saf_surface, VkSurfaceKHR)
SAF_NONDISPATCHABLE(saf_swapchain, VkSwapchainKHR)

/* Gives `image` the memory of the swapchain image that a chain names. */
void saf_wsi_bind_image(struct saf_image *image, const void *next);

#endif
