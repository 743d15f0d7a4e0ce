/* SPDX-License-Identifier: MIT */
/* Text of JSON. */
#ifndef UTIL_TEXT_JSON_H
#define UTIL_TEXT_JSON_H

#include "util/strbuf.h"

/* A string with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void json_string(struct strbuf *out, const char *s, size_t length);
/* Bytes as base64, with quotes. */
void json_base64(struct strbuf *out, const void *bytes, size_t size_B);

#endif
