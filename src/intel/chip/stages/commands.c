/* SPDX-License-Identifier: MIT */
/* The kernel's word, and the command streamer: no thread runs here. */
#include "intel/chip/chip.h"

#include <stdio.h>

#include <drm.h>
#include <i915_drm.h>

/* Parameters that tell of the chip, not of the kernel. */
static const struct {
   const char *name;
   int param;
} params[] = {
   { "CHIPSET_ID", I915_PARAM_CHIPSET_ID },
   { "REVISION", I915_PARAM_REVISION },
   { "SLICE_MASK", I915_PARAM_SLICE_MASK },
   { "SUBSLICE_MASK", I915_PARAM_SUBSLICE_MASK },
   { "SUBSLICE_TOTAL", I915_PARAM_SUBSLICE_TOTAL },
   { "EU_TOTAL", I915_PARAM_EU_TOTAL },
   { "CS_TIMESTAMP_FREQUENCY", I915_PARAM_CS_TIMESTAMP_FREQUENCY },
   { "HAS_LLC", I915_PARAM_HAS_LLC },
};

static void
param_where(unsigned offset_B, char *out, size_t size_B)
{
   snprintf(out, size_B, "%s", params[offset_B / 4].name);
}

/* An id is looked up, as a row of the table has several. */
static uint32_t
known_id(int id)
{
   const struct intel_device_info *info =
      intel_device_info_by_pci_id((uint16_t)id);
   return info ? info->pci_id : (uint32_t)id;
}

static enum chip_status
run_params(struct chip_device *d, UNUSED const void *data,
           struct util_dynarray *out)
{
   for (unsigned i = 0; i < ARRAY_SIZE(params); i++) {
      int value = -1;
      struct drm_i915_getparam get = { .param = params[i].param,
                                       .value = &value };
      uint32_t told = ~0u;
      if (!chip_ioctl(d, DRM_IOCTL_I915_GETPARAM, &get))
         told = get.param == I915_PARAM_CHIPSET_ID ? known_id(value)
                                                   : (uint32_t)value;
      util_dynarray_append(out, uint32_t, told);
   }
   return CHIP_DONE;
}

void
chip_stage_identify(struct chip *c)
{
   const struct chip_case k = { .name = "parameters",
                                .text = "I915_GETPARAM",
                                .run = run_params,
                                .where = param_where };
   chip_run(c, &k);
}

/* Stores ----------------------------------------------------------------- */

#define TEMPORARY "MI_PREDICATE_SRC0"

static uint32_t
reg(const struct chip_device *d, const char *name)
{
   return genxml_find(d->spec, name)->address;
}

static void
load_imm(struct chip_device *d, uint32_t r, uint32_t value)
{
   CHIP_EMIT(d, "MI_LOAD_REGISTER_IMM", { "RegisterOffset", r },
             { "DataDWord", value });
}

static void
save(struct chip_device *d, uint32_t r, unsigned offset_B)
{
   CHIP_EMIT(d, "MI_STORE_REGISTER_MEM", { "RegisterAddress", r },
             { "MemoryAddress", chip_address(d, CHIP_OUTPUT) + offset_B });
}

static void
store_dword(struct chip_device *d)
{
   for (unsigned i = 0; i < 4; i++)
      CHIP_EMIT(d, "MI_STORE_DATA_IMM",
                { "Address", chip_address(d, CHIP_OUTPUT) + 4 * i },
                { "ImmediateData", 0x01010101u << i });
}

static void
store_register(struct chip_device *d)
{
   load_imm(d, reg(d, TEMPORARY), 0x12345678);
   save(d, reg(d, TEMPORARY), 0);
}

static void
load_memory(struct chip_device *d)
{
   d->bos[CHIP_INPUT].map[1] = 0x600dcafe;
   CHIP_EMIT(d, "MI_LOAD_REGISTER_MEM",
             { "RegisterAddress", reg(d, TEMPORARY) },
             { "MemoryAddress", chip_address(d, CHIP_INPUT) + 4 });
   save(d, reg(d, TEMPORARY), 0);
}

static void
copy_register(struct chip_device *d)
{
   load_imm(d, reg(d, "CS_GPR0"), 0x0badf00d);
   CHIP_EMIT(d, "MI_LOAD_REGISTER_REG",
             { "SourceRegisterAddress", reg(d, "CS_GPR0") },
             { "DestinationRegisterAddress", reg(d, "CS_GPR1") });
   save(d, reg(d, "CS_GPR1"), 0);
}

static void
copy_memory(struct chip_device *d)
{
   d->bos[CHIP_INPUT].map[2] = 0x00c0ffee;
   CHIP_EMIT(d, "MI_COPY_MEM_MEM",
             { "DestinationMemoryAddress", chip_address(d, CHIP_OUTPUT) },
             { "SourceMemoryAddress", chip_address(d, CHIP_INPUT) + 8 });
}

struct command {
   const char *name; /* what the generation must have */
   void (*emit)(struct chip_device *d);
};

static const struct command stores[] = {
   { "MI_STORE_DATA_IMM", store_dword },
   { "MI_STORE_REGISTER_MEM", store_register },
   { "MI_LOAD_REGISTER_MEM", load_memory },
   { "MI_LOAD_REGISTER_REG", copy_register },
   { "MI_COPY_MEM_MEM", copy_memory },
};

static enum chip_status
run_store(struct chip_device *d, const void *data, struct util_dynarray *out)
{
   const struct command *command = data;
   chip_start(d);
   command->emit(d);
   return chip_finish(d, 64, out);
}

void
chip_stage_store(struct chip *c)
{
   bool goes_on = true;
   for (unsigned i = 0; goes_on && i < ARRAY_SIZE(stores); i++) {
      if (!chip_has(c->sim, stores[i].name))
         continue;
      struct chip_case k = { .run = run_store, .data = &stores[i] };
      snprintf(k.name, sizeof(k.name), "%s", stores[i].name);
      goes_on = chip_run(c, &k);
   }
}

/* Registers -------------------------------------------------------------- */

/* What the kernel lets any batch write, on each generation that has it. */
static const char *const registers[] = {
   "CS_GPR0",
   "CS_GPR1",
   "CS_GPR2",
   "CS_GPR15",
   "MI_PREDICATE_SRC0",
   "MI_PREDICATE_SRC1",
   "GPGPU_DISPATCHDIMX",
   "GPGPU_DISPATCHDIMY",
   "GPGPU_DISPATCHDIMZ",
   "3DPRIM_START_VERTEX",
   "3DPRIM_VERTEX_COUNT",
   "3DPRIM_INSTANCE_COUNT",
   "3DPRIM_START_INSTANCE",
   "3DPRIM_BASE_VERTEX",
   "SO_WRITE_OFFSET0",
   "SO_WRITE_OFFSET1",
   "SO_WRITE_OFFSET2",
   "SO_WRITE_OFFSET3",
};

static enum chip_status
run_register(struct chip_device *d, const void *data,
             struct util_dynarray *out)
{
   static const uint32_t values[] = { 0, 0x5a5a5a58, 0x00001234, 4 };
   const uint32_t r = reg(d, data);
   chip_start(d);
   for (unsigned i = 0; i < ARRAY_SIZE(values); i++) {
      load_imm(d, r, values[i]);
      save(d, r, 4 * i);
   }
   return chip_finish(d, 64, out);
}

/* That it goes forward is what can be compared. */
static enum chip_status
run_timestamp(struct chip_device *d, UNUSED const void *data,
              struct util_dynarray *out)
{
   struct util_dynarray times = { 0 };
   chip_start(d);
   save(d, reg(d, "TIMESTAMP"), 0);
   for (unsigned i = 0; i < 64; i++)
      store_dword(d);
   save(d, reg(d, "TIMESTAMP"), 32);
   const enum chip_status status = chip_finish(d, 64, &times);
   if (status == CHIP_DONE) {
      const uint32_t *t = times.data;
      util_dynarray_append(out, uint32_t, t[8] - t[0] < 1u << 30);
   }
   util_dynarray_fini(&times);
   return status;
}

void
chip_stage_registers(struct chip *c)
{
   bool goes_on = true;
   for (unsigned i = 0; goes_on && i < ARRAY_SIZE(registers); i++) {
      if (!chip_has(c->sim, registers[i]))
         continue;
      struct chip_case k = { .run = run_register, .data = registers[i] };
      snprintf(k.name, sizeof(k.name), "%s", registers[i]);
      goes_on = chip_run(c, &k);
   }
   const struct chip_case k = { .name = "TIMESTAMP", .run = run_timestamp };
   if (goes_on)
      chip_run(c, &k);
}

/* PIPE_CONTROL ----------------------------------------------------------- */

#define WRITE_IMMEDIATE 1
#define WRITE_DEPTH_COUNT 2

struct control {
   const char *name; /* of the flush */
   unsigned write;
};

static const struct control controls[] = {
   { "CommandStreamerStallEnable", WRITE_IMMEDIATE },
   { "RenderTargetCacheFlushEnable", WRITE_IMMEDIATE },
   { "DepthCacheFlushEnable", WRITE_IMMEDIATE },
   { "DCFlushEnable", WRITE_IMMEDIATE },
   { "TextureCacheInvalidationEnable", WRITE_IMMEDIATE },
   { "ConstantCacheInvalidationEnable", WRITE_IMMEDIATE },
   { "DepthStallEnable", WRITE_DEPTH_COUNT },
};

static enum chip_status
run_control(struct chip_device *d, const void *data,
            struct util_dynarray *out)
{
   const struct control *control = data;
   chip_start(d);
   CHIP_EMIT(d, "PIPE_CONTROL", { control->name, 1 },
             { "PostSyncOperation", control->write },
             { "CommandStreamerStallEnable", 0 },
             { "Address", chip_address(d, CHIP_OUTPUT) },
             { "ImmediateData", 0x7654321 });
   CHIP_EMIT(d, "PIPE_CONTROL", { "CommandStreamerStallEnable", 1 },
             { "StallAtPixelScoreboard", 1 });
   return chip_finish(d, 64, out);
}

void
chip_stage_pipe_control(struct chip *c)
{
   bool goes_on = true;
   for (unsigned i = 0; goes_on && i < ARRAY_SIZE(controls); i++) {
      struct chip_case k = { .run = run_control, .data = &controls[i] };
      snprintf(k.name, sizeof(k.name), "%s", controls[i].name);
      goes_on = chip_run(c, &k);
   }
}
