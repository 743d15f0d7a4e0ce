/* SPDX-License-Identifier: MIT */
/*
 * A secret of the user who runs this process, by which the driver knows what
 * it has stored itself from what others could have written.
 */
#ifndef UTIL_USER_KEY_H
#define UTIL_USER_KEY_H

#include "siphash.h"

/*
 * Random, and the same in all processes of the user: it is kept in
 * $XDG_STATE_HOME/saffron/cache-key (~/.local/state if that is not set),
 * which only its owner may read, and made when it is not there. Where it
 * cannot be kept (no home, a read-only one, a program with more rights than
 * its caller, a file that belongs to another or that others may read or
 * write) it is one of this process alone. NULL: the host gives no random
 * bytes. Any thread may call; the result stays.
 */
const struct siphash_key *user_key(void);

#endif
