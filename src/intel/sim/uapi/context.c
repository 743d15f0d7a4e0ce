/* SPDX-License-Identifier: MIT */
/* Contexts, address spaces, reset statistics. */
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "intel/sim/gen/traits.h"
#include "uapi.h"

struct uapi_vm *
uapi_vm_create(void)
{
   struct uapi_vm *vm = calloc(1, sizeof(*vm));
   if (vm && !(vm->mem = sim_vm_create())) {
      free(vm);
      return NULL;
   }
   if (vm)
      vm->refcount = 1;
   return vm;
}

void
uapi_vm_unref(struct uapi_vm *vm)
{
   if (--vm->refcount)
      return;
   sim_vm_destroy(vm->mem);
   free(vm);
}

struct uapi_vm *
uapi_vm_for_context(struct saffron_sim *sim)
{
   if (uapi_has_full_ppgtt(sim))
      return uapi_vm_create();
   if (!sim->global_vm)
      sim->global_vm = uapi_vm_create();
   if (sim->global_vm)
      sim->global_vm->refcount++;
   return sim->global_vm;
}

struct uapi_context *
uapi_context_create(struct uapi_vm *vm)
{
   struct uapi_context *ctx = calloc(1, sizeof(*ctx));
   if (!ctx)
      return NULL;
   *ctx = (struct uapi_context) {
      .refcount = 1,
      .vm = vm,
      .bannable = true,
      .recoverable = true,
      .persistent = true,
   };
   vm->refcount++;
   return ctx;
}

void
uapi_context_unref(struct uapi_context *ctx)
{
   if (--ctx->refcount)
      return;
   for (unsigned e = 0; e < ARRAY_SIZE(ctx->hw); e++)
      sim_hw_context_destroy(ctx->hw[e]);
   uapi_vm_unref(ctx->vm);
   free(ctx->engines);
   free(ctx);
}

struct uapi_context *
uapi_get_context(struct saffron_sim_file *file, uint32_t id)
{
   return id ? sim_ids_get(&file->contexts, id) : file->default_ctx;
}

/*
 * Parameters
 */

static bool
engine_exists(const struct i915_engine_class_instance *e)
{
   return (e->engine_class == I915_ENGINE_CLASS_RENDER ||
           e->engine_class == I915_ENGINE_CLASS_COPY) &&
          e->engine_instance == 0;
}

/* Balancing and bonds: there is one engine of each class. */
static int
engines_extension(void *data, uint32_t name, uint64_t address)
{
   return name <= I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT ? -ENODEV
                                                           : -EINVAL;
}

static int
set_engines(struct uapi_context *ctx,
            const struct drm_i915_gem_context_param *p)
{
   const struct i915_engine_class_instance invalid = {
      (uint16_t)I915_ENGINE_CLASS_INVALID,
      (uint16_t)I915_ENGINE_CLASS_INVALID_NONE,
   };
   if (ctx->has_engines)
      return -EINVAL; /* once is enough: set_proto_ctx_engines() */
   const size_t header_B = sizeof(struct i915_context_param_engines);
   if (p->size < header_B || (p->size - header_B) % sizeof(invalid))
      return -EINVAL;
   const uint32_t n = (uint32_t)((p->size - header_B) / sizeof(invalid));
   if (n > I915_EXEC_RING_MASK + 1)
      return -EINVAL;
   void *engines;
   int ret =
      uapi_copy_array(&engines, p->value + header_B, n, sizeof(invalid));
   if (ret)
      return ret;
   for (uint32_t i = 0; i < n; i++) {
      const struct i915_engine_class_instance *e =
         (struct i915_engine_class_instance *)engines + i;
      if (!engine_exists(e) && memcmp(e, &invalid, sizeof(invalid))) {
         free(engines);
         return -ENOENT;
      }
   }
   uint64_t extensions;
   ret = uapi_copy_in(&extensions, p->value, sizeof(extensions));
   if (!ret)
      ret = uapi_walk_extensions(extensions, engines_extension, NULL);
   if (ret) {
      free(engines);
      return ret;
   }
   ctx->engines = engines;
   ctx->num_engines = n;
   ctx->has_engines = true;
   return 0;
}

static int
get_engines(const struct uapi_context *ctx,
            struct drm_i915_gem_context_param *p)
{
   const size_t header_B = sizeof(struct i915_context_param_engines);
   const size_t engines_B = ctx->num_engines * sizeof(*ctx->engines);
   const uint64_t none = 0;
   if (!ctx->has_engines) {
      p->size = 0;
      return 0;
   }
   if (!p->size) {
      p->size = (uint32_t)(header_B + engines_B);
      return 0;
   }
   if (p->size < header_B + engines_B)
      return -EINVAL;
   p->size = (uint32_t)(header_B + engines_B);
   const int ret = uapi_copy_out(p->value, &none, header_B);
   return ret ? ret
              : uapi_copy_out(p->value + header_B, ctx->engines, engines_B);
}

static int
set_vm(struct saffron_sim_file *file, struct uapi_context *ctx, uint64_t id)
{
   struct uapi_vm *vm =
      id <= UINT32_MAX ? sim_ids_get(&file->vms, (uint32_t)id) : NULL;
   if (!vm)
      return -ENOENT;
   vm->refcount++;
   uapi_vm_unref(ctx->vm);
   ctx->vm = vm;
   return 0;
}

static int
get_vm(struct saffron_sim_file *file, const struct uapi_context *ctx,
       struct drm_i915_gem_context_param *p)
{
   const uint32_t id = sim_ids_add(&file->vms, 1, ctx->vm);
   if (!id)
      return -ENOMEM;
   ctx->vm->refcount++;
   p->size = 0;
   p->value = id;
   return 0;
}

static int
set_flag(bool *flag, const struct drm_i915_gem_context_param *p)
{
   if (p->size)
      return -EINVAL;
   *flag = p->value != 0;
   return 0;
}

/* Whether the caller has the capability `cap` now, as the kernel's capable():
 * neither does user 0 have all of them everywhere, nor others none. */
static bool
is_capable(unsigned cap)
{
   struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
   struct __user_cap_data_struct d[_LINUX_CAPABILITY_U32S_3];
   return !syscall(SYS_capget, &h, d) &&
          (d[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap));
}

/* Rings have no order but that in which they are written to: the kernel's
 * check of I915_SCHEDULER_CAP_PRIORITY comes before that of the value. */
static int
set_priority(const struct saffron_sim *sim, struct uapi_context *ctx,
             const struct drm_i915_gem_context_param *p)
{
   const int64_t v = (int64_t)p->value;
   if (p->size)
      return -EINVAL;
   if (!sim_traits(sim->gpu.verx10)->has_execlists)
      return -ENODEV;
   if (v > I915_CONTEXT_MAX_USER_PRIORITY ||
       v < I915_CONTEXT_MIN_USER_PRIORITY)
      return -EINVAL;
   if (v > I915_CONTEXT_DEFAULT_PRIORITY && !is_capable(CAP_SYS_NICE))
      return -EPERM;
   ctx->priority = (int)v;
   return 0;
}

/* What the render engine is made of; it cannot be changed before Gen11. */
static int
get_sseu(const struct saffron_sim *sim, struct drm_i915_gem_context_param *p)
{
   const struct intel_device_info *info = sim->gpu.info;
   struct drm_i915_gem_context_param_sseu sseu;
   if (!p->size) {
      p->size = sizeof(sseu);
      return 0;
   }
   if (p->size < sizeof(sseu))
      return -EINVAL;
   const int ret = uapi_copy_in(&sseu, p->value, sizeof(sseu));
   if (ret)
      return ret;
   if (sseu.rsvd || sseu.flags || sseu.engine.engine_instance ||
       sseu.engine.engine_class != I915_ENGINE_CLASS_RENDER)
      return -EINVAL;
   sseu.slice_mask = BITFIELD_MASK(info->num_slices);
   sseu.subslice_mask = BITFIELD_MASK(info->num_subslices / info->num_slices);
   sseu.min_eus_per_subslice = (uint16_t)info->num_eu_per_subslice;
   sseu.max_eus_per_subslice = (uint16_t)info->num_eu_per_subslice;
   p->size = sizeof(sseu);
   return uapi_copy_out(p->value, &sseu, sizeof(sseu));
}

/* The address space and the engines of a context cannot be changed once it is
 * used. */
static int
set_param(struct saffron_sim_file *file, struct uapi_context *ctx,
          const struct drm_i915_gem_context_param *p)
{
   switch (p->param) {
   case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
      return set_flag(&ctx->no_error_capture, p);
   case I915_CONTEXT_PARAM_BANNABLE:
      if (!p->value && !p->size && !is_capable(CAP_SYS_ADMIN))
         return -EPERM;
      return set_flag(&ctx->bannable, p);
   case I915_CONTEXT_PARAM_RECOVERABLE: return set_flag(&ctx->recoverable, p);
   case I915_CONTEXT_PARAM_PERSISTENCE: return set_flag(&ctx->persistent, p);
   case I915_CONTEXT_PARAM_PRIORITY: return set_priority(file->sim, ctx, p);
   case I915_CONTEXT_PARAM_VM:
      if (!uapi_has_full_ppgtt(file->sim))
         return -ENODEV;
      if (p->size || ctx->used)
         return -EINVAL;
      return set_vm(file, ctx, p->value);
   case I915_CONTEXT_PARAM_ENGINES:
      return ctx->used ? -EINVAL : set_engines(ctx, p);
   case I915_CONTEXT_PARAM_PROTECTED_CONTENT:
      if (!p->value && !ctx->used)
         return 0;
      return ctx->used ? -EINVAL : -ENODEV;      /* later hardware */
   case I915_CONTEXT_PARAM_SSEU: return -ENODEV; /* the same */
   default: return -EINVAL;
   }
}

int
uapi_context_setparam(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_context_param *p = arg;
   struct uapi_context *ctx = uapi_get_context(file, p->ctx_id);
   if (!ctx)
      return -ENOENT;
   return set_param(file, ctx, p);
}

int
uapi_context_getparam(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_context_param *p = arg;
   const struct uapi_context *ctx = uapi_get_context(file, p->ctx_id);
   if (!ctx)
      return -ENOENT;
   switch (p->param) {
   case I915_CONTEXT_PARAM_GTT_SIZE:
      p->value = BITFIELD64_BIT(file->sim->gpu.info->address_bits);
      break;
   case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE:
      p->value = ctx->no_error_capture;
      break;
   case I915_CONTEXT_PARAM_BANNABLE: p->value = ctx->bannable; break;
   case I915_CONTEXT_PARAM_RECOVERABLE: p->value = ctx->recoverable; break;
   case I915_CONTEXT_PARAM_PERSISTENCE: p->value = ctx->persistent; break;
   case I915_CONTEXT_PARAM_PRIORITY:
      p->value = (uint64_t)(int64_t)ctx->priority;
      break;
   case I915_CONTEXT_PARAM_VM:
      if (!uapi_has_full_ppgtt(file->sim))
         return -ENODEV;
      return get_vm(file, ctx, p);
   case I915_CONTEXT_PARAM_ENGINES: return get_engines(ctx, p);
   case I915_CONTEXT_PARAM_SSEU: return get_sseu(file->sim, p);
   case I915_CONTEXT_PARAM_PROTECTED_CONTENT: p->value = 0; break;
   default: return -EINVAL;
   }
   p->size = 0;
   return 0;
}

/*
 * Life
 */

struct create_data {
   struct saffron_sim_file *file;
   struct uapi_context *ctx;
};

static int
create_extension(void *data, uint32_t name, uint64_t address)
{
   const struct create_data *d = data;
   struct drm_i915_gem_context_create_ext_setparam ext;
   if (name != I915_CONTEXT_CREATE_EXT_SETPARAM)
      return -EINVAL;
   const int ret = uapi_copy_in(&ext, address, sizeof(ext));
   if (ret)
      return ret;
   if (ext.param.ctx_id)
      return -EINVAL;
   return set_param(d->file, d->ctx, &ext.param);
}

int
uapi_create_context(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_context_create_ext *a = arg;
   if (a->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
      return -EINVAL;
   struct uapi_vm *vm = uapi_vm_for_context(file->sim);
   struct uapi_context *ctx = vm ? uapi_context_create(vm) : NULL;
   if (vm)
      uapi_vm_unref(vm);
   if (!ctx)
      return -ENOMEM;
   int ret = 0;
   if (a->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS) {
      struct create_data data = { file, ctx };
      ret = uapi_walk_extensions(a->extensions, create_extension, &data);
   }
   if (!ret) {
      a->ctx_id = sim_ids_add(&file->contexts, 1, ctx);
      ret = a->ctx_id ? 0 : -ENOMEM;
   }
   if (ret)
      uapi_context_unref(ctx);
   return ret;
}

int
uapi_context_destroy(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_context_destroy *a = arg;
   if (a->pad)
      return -EINVAL;
   if (!a->ctx_id)
      return -ENOENT; /* the default context stays */
   struct uapi_context *ctx = sim_ids_remove(&file->contexts, a->ctx_id);
   if (!ctx)
      return -ENOENT;
   uapi_context_unref(ctx);
   return 0;
}

int
uapi_create_vm(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_gem_vm_control *a = arg;
   if (!uapi_has_full_ppgtt(file->sim))
      return -ENODEV;
   if (a->flags)
      return -EINVAL;
   const int ret = uapi_no_extensions(a->extensions);
   if (ret)
      return ret;
   struct uapi_vm *vm = uapi_vm_create();
   if (!vm)
      return -ENOMEM;
   a->vm_id = sim_ids_add(&file->vms, 1, vm);
   if (!a->vm_id) {
      uapi_vm_unref(vm);
      return -ENOMEM;
   }
   return 0;
}

int
uapi_vm_destroy(struct saffron_sim_file *file, void *arg)
{
   const struct drm_i915_gem_vm_control *a = arg;
   if (a->flags || a->extensions)
      return -EINVAL;
   struct uapi_vm *vm = sim_ids_remove(&file->vms, a->vm_id);
   if (!vm)
      return -ENOENT;
   uapi_vm_unref(vm);
   return 0;
}

int
uapi_get_reset_stats(struct saffron_sim_file *file, void *arg)
{
   struct drm_i915_reset_stats *a = arg;
   if (a->flags || a->pad)
      return -EINVAL;
   const struct uapi_context *ctx = uapi_get_context(file, a->ctx_id);
   if (!ctx)
      return -ENOENT;
   /* The count of the whole device is for CAP_SYS_ADMIN. */
   a->reset_count = 0;
   a->batch_active = ctx->batch_active;
   a->batch_pending = 0; /* device.c, reset() */
   return 0;
}
