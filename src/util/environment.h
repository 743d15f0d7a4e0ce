/* SPDX-License-Identifier: MIT */
/*
 * The environment as the libraries may read it. They are loaded into
 * programs of others, some of which run with rights that whoever sets the
 * variables does not have: see secure_getenv(3).
 */
#ifndef UTIL_ENVIRONMENT_H
#define UTIL_ENVIRONMENT_H

/*
 * The value of a variable, or NULL: it is not set, or this program was
 * started with more rights than its caller has (set-user-id, set-group-id,
 * file capabilities). The text is the environment's own: it holds until the
 * program changes that variable. Nothing else in the libraries reads the
 * environment (tests/lint/environment.py).
 */
const char *environment_get(const char *name);

#endif
