/* SPDX-License-Identifier: MIT */
/* MEDIA and GPGPU commands (section 3d of the rules). */
#include "strict_private.h"

#include "intel/genxml/gen9_pack.h"

static void
check_closed(struct strict_command *c)
{
   STRICT_CHECK(c, CO_41, c->c->walker_open, "%s", "");
   c->c->walker_open = false;
}

static void
check_vfe(struct strict_command *c)
{
   check_closed(c);
   STRICT_CHECK(c, CO_40, c->c->in_flight, "%s", "");
   c->c->descriptors_loaded = false;
}

static void
check_curbe(struct strict_command *c)
{
   check_closed(c);
}

static void
check_descriptors(struct strict_command *c)
{
   check_closed(c);
   c->c->descriptors_loaded = true;
}

static void
check_flush(struct strict_command *c)
{
   c->c->walker_open = false;
}

static void
check_walker(struct strict_command *c)
{
   struct strict_context *s = c->c;
   const bool predicated =
      strict_get(c, "PredicateEnable") &&
      !(cs_get_register(c->cs, GEN9_MI_PREDICATE_RESULT_num) & 1);
   bool empty = false;
   for (unsigned i = 0; i < 3; i++)
      empty |= !cs_get_register(c->cs, GEN9_GPGPU_DISPATCHDIMX_num + 4 * i);
   check_closed(c);
   STRICT_CHECK(c, CO_42, !s->descriptors_loaded, "%s", "");
   STRICT_CHECK(c, CO_43,
                strict_get(c, "IndirectParameterEnable") && !predicated &&
                   empty,
                "%s", "");
   STRICT_CHECK(c, CO_44,
                strict_get(c, "IndirectParameterEnable") &&
                   strict_get(c, "IndirectDataLength"),
                "%s", "an indirect payload");
   STRICT_CHECK(c, CC_27, s->base_wants, "%s",
                "no invalidate after the base addresses");
   s->base_wants = 0;
   strict_work(s);
   s->walker_open = true;
}

static void
check_end(struct strict_command *c)
{
   check_closed(c);
}

/* MEDIA commands in 3D mode. MEDIA_VFE_STATE is not among them: drivers send
 * it before they go back to 3D (CO-05). */
static void
check_media(struct strict_command *c)
{
   STRICT_CHECK(c, CO_07, c->c->pipeline == STRICT_3D, "%s",
                "GPGPU is not selected");
}

const struct strict_row strict_compute_rows[] = {
   { "MEDIA_CURBE_LOAD", false, check_media },
   { "MEDIA_INTERFACE_DESCRIPTOR_LOAD", false, check_media },
   { "GPGPU_WALKER", false, check_media },
   { "MEDIA_VFE_STATE", false, check_vfe },
   { "MEDIA_CURBE_LOAD", false, check_curbe },
   { "MEDIA_INTERFACE_DESCRIPTOR_LOAD", false, check_descriptors },
   { "MEDIA_STATE_FLUSH", false, check_flush },
   { "GPGPU_WALKER", false, check_walker },
   { "PIPELINE_SELECT", false, check_end },
   { "MI_BATCH_BUFFER_END", false, check_end },
   { NULL, false, NULL },
};
