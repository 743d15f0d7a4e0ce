/* SPDX-License-Identifier: MIT */
/*
 * What a command buffer says to the GPU: the commands of a batch that the
 * simulated GPU recorded (SAFFRON_SIM_RECORD), and the states in memory that
 * they point to, field by field.
 */
#ifndef PACKETS_H
#define PACKETS_H

#include "intel/genxml/genxml.h"

struct packet {
   const struct genxml_group *group;
   const char *pointer; /* the field that led to a state; NULL: a command */
   uint32_t *dw;
   unsigned num_dw;
};

struct packets {
   const struct genxml_spec *spec;
   struct packet *list; /* as executed, a state after what points to it */
   unsigned count;
};

/* Of a file of the recorder; fails the test if it is damaged. */
struct packets packets_load(const char *path);
void packets_free(struct packets *p);

/* The last packet of this name before the (n + 1)-th 3DPRIMITIVE (of some
 * vertices) or GPGPU_WALKER, that included; or the one `back` places before
 * it, as there are several surfaces. NULL if there are not so many. */
const struct packet *packets_before_draw(const struct packets *p, unsigned n,
                                         const char *name, unsigned back);

/* The value of a number, fixed-point number or bool. */
double packet_value(const struct packet *p, const char *field);

/* The name that genxml has for the value of a field, or NULL. */
const char *packet_value_name(const struct packet *p, const char *field);

/*
 * A block a packet: its name, and a line for each field that is not zero.
 * Addresses are called by the packet in which they come first, so that the
 * text does not depend on where things lie. Of what stands in `base`, too
 * (NULL: nothing is left out), the name alone is printed.
 */
void packets_print(struct strbuf *out, const struct packets *p,
                   const struct packets *base);

#endif
