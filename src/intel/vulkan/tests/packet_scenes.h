/* SPDX-License-Identifier: MIT */
/* What test_packets.c records, and which fields that must set. */
#ifndef PACKET_SCENES_H
#define PACKET_SCENES_H

#include <stdbool.h>

/* What a scene asks for. Alternatives of the generations, of which the first
 * that genxml knows counts, are divided by |; the value is a number or the
 * name of one. */
struct packet_want {
   const char *packet, *field, *value;
};

struct packet_scene {
   const char *name;
   void (*record)(void);
   const struct packet_want *wants;
   unsigned draw;    /* which of the batch's the wants are about */
   bool vec4_stages; /* not on Gen7: geometry and tessellation shaders */
};

/* The first is the triangle with which the others are compared; the last has
 * no name. */
extern const struct packet_scene packet_scenes[];

#endif
