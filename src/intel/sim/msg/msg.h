/* SPDX-License-Identifier: MIT */
/*
 * The shared functions that a thread's messages go to, by SFID. A handler
 * gets the message decoded as far as all messages are alike, and does the
 * rest: reads the payload, acts under the execution mask, writes the
 * response.
 */
#ifndef SIM_MSG_H
#define SIM_MSG_H

#include "intel/sim/eu/eu.h"

/* One file each. */
bool sim_msg_urb(struct sim_eu_thread *t, const struct sim_message *m);
bool sim_msg_gateway(struct sim_eu_thread *t, const struct sim_message *m);
bool sim_msg_spawner(struct sim_eu_thread *t, const struct sim_message *m);
bool sim_msg_pixel_interp(struct sim_eu_thread *t,
                          const struct sim_message *m);
bool sim_msg_data_port(struct sim_eu_thread *t, const struct sim_message *m);

/* "no such message": names the function, its type code and the descriptor. */
bool sim_msg_unknown(struct sim_eu_thread *t, const struct sim_message *m,
                     const char *function, unsigned type);

#endif
