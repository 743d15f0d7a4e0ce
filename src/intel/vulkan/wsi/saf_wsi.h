/* SPDX-License-Identifier: MIT */
/*
 * What a window system does for surfaces and swapchains; the rest is common
 * (saf_wsi.c).
 */
#ifndef SAF_WSI_H
#define SAF_WSI_H

#include "intel/vulkan/base/saf_device.h"

#define SAF_WSI_MAX_IMAGES 8
#define SAF_WSI_MIN_IMAGES 2
#define SAF_WSI_MAX_FORMATS 8

struct saf_wsi_platform;

SAF_NONDISPATCHABLE(saf_surface, VkSurfaceKHR)
SAF_NONDISPATCHABLE(saf_swapchain, VkSwapchainKHR)

/* What a surface is of; two may be of the same. */
struct saf_native_window {
   const void *connection; /* to the window system; NULL: there is none */
   uintptr_t id;
};

struct saf_surface {
   union {
      VkIcdSurfaceBase base;
      VkIcdSurfaceXcb xcb;
      VkIcdSurfaceWayland wayland;
   } icd;
   const struct saf_wsi_platform *platform;
   struct saf_native_window native;
};

struct saf_swapchain {
   struct list_head link; /* in saf_instance.swapchains; with its mutex: */
   bool retired;          /* the window may have another one */
   uint32_t holders;      /* threads that present it */
   struct saf_native_window native;
   struct saf_device *device;
   const VkAllocationCallbacks *alloc;
   const struct saf_wsi_platform *platform;
   void *window; /* the platform's own, or NULL */
   VkExtent2D extent;
   VkFormat format;
   VkPresentModeKHR mode;
   VkCompositeAlphaFlagBitsKHR alpha;
   uint32_t image_count;
   VkImage images[SAF_WSI_MAX_IMAGES];
   struct saf_bo *bos[SAF_WSI_MAX_IMAGES];
   bool acquired[SAF_WSI_MAX_IMAGES];
   /* The window system reads the images themselves (dma-bufs), and waits for
    * the rendering by their fences; those that it has not let go of. */
   bool shares_images;
   bool shown[SAF_WSI_MAX_IMAGES];
   uint32_t next;
   uint64_t next_frame_ns; /* FIFO by the clock: not before */
   /* Of who waits for a frame to be shown. */
   pthread_mutex_t mutex;
   pthread_cond_t presented;
   uint64_t present_id; /* the last one */
   bool lost;
};

/* Pixels of an image, to be shown from the top; pitch_B bytes a row. */
struct saf_wsi_picture {
   const char *pixels;
   uint32_t pitch_B;
   uint32_t index; /* of the image */
};

struct saf_wsi_platform {
   const VkPresentModeKHR *modes;
   uint32_t mode_count;
   VkCompositeAlphaFlagsKHR alphas;
   uint32_t image_count; /* 0: SAF_WSI_MIN_IMAGES will do */

   /* What a surface shows, each in the sRGB colour space; how many, 0: no
    * pixels of ours. NULL: saf_wsi_common_formats(). */
   uint32_t (*formats)(const struct saf_surface *surface,
                       VkFormat out[SAF_WSI_MAX_FORMATS]);
   /* The size that images must have; UINT32_MAX: any. False: the surface is
    * gone. */
   bool (*extent)(const struct saf_surface *surface, VkExtent2D *out);
   /* The same of a swapchain's surface. */
   bool (*chain_extent)(const struct saf_swapchain *chain, VkExtent2D *out);
   /* Sets chain->window. What it has made when it fails, detach() frees. */
   VkResult (*attach)(struct saf_swapchain *chain,
                      const struct saf_surface *surface);
   void (*detach)(struct saf_swapchain *chain);
   /* Shows a picture at its time, for FIFO. It is the caller's again
    * afterwards, unless `shown` says that the window system keeps it. False:
    * the surface is gone. */
   bool (*present)(struct saf_swapchain *chain,
                   const struct saf_wsi_picture *picture);
   /* Waits until that time (of saf_now_ns()) or until something came of the
    * window system, by which `shown` may have changed. False: it is gone.
    * NULL: no image is ever kept. */
   bool (*wait)(struct saf_swapchain *chain, uint64_t until_ns);
};

extern const struct saf_wsi_platform saf_wsi_x11, saf_wsi_wayland,
   saf_wsi_headless;

/* A surface of a window system; the rest of `icd`, and `native` if it is not
 * the surface itself, are the caller's to fill. */
VkResult saf_surface_create(struct saf_instance *instance,
                            const VkAllocationCallbacks *alloc,
                            VkIcdWsiPlatform kind,
                            const struct saf_wsi_platform *platform,
                            struct saf_surface **out);

/* What most windows show; how many. */
uint32_t saf_wsi_common_formats(VkFormat out[SAF_WSI_MAX_FORMATS]);

/* Of platforms on which a surface has the size of what is shown on it. */
bool saf_wsi_any_extent(const struct saf_surface *surface, VkExtent2D *out);
bool saf_wsi_any_chain_extent(const struct saf_swapchain *chain,
                              VkExtent2D *out);

/* Waits for the next frame of 60 a second, for what has no better clock. */
void saf_wsi_wait_for_frame(struct saf_swapchain *chain);

#endif
