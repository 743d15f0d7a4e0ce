/* SPDX-License-Identifier: MIT */
/* What isa_message.c sees of the generated tables of messages. */
#ifndef ISA_MESSAGE_TABLES_H
#define ISA_MESSAGE_TABLES_H

#include "isa_messages.h"

enum isa_show {
   ISA_SHOW_NUM,
   ISA_SHOW_MORE, /* as a number unless it is zero */
   ISA_SHOW_HEX,
   ISA_SHOW_FLAG,
   ISA_SHOW_ENUM,
};

#define ISA_MAX_CODES 16
#define ISA_NO_VALUE 0xffffu

/* The named values of a field on one generation, by code. */
struct isa_values {
   uint16_t value[ISA_MAX_CODES]; /* ISA_NO_VALUE: reserved */
   const char *text[ISA_MAX_CODES];
};

/* One field of a layout: its bits are `width` from `low` on, and above them
 * `high_width` from `high_low` on. */
struct isa_message_field {
   enum isa_message_member member;
   uint8_t low, width, high_low, high_width;
   enum isa_show show;
   const char *text;
   const struct isa_values *values; /* NULL: the code is the value */
};

struct isa_message_layout {
   const struct isa_message_field *fields;
   uint8_t num_fields;
   uint8_t type_low;
   uint32_t free_bits; /* must be zero, or ignored */
};

struct isa_message_row {
   const char *text;
   uint8_t layout;
};

struct isa_selector {
   uint8_t low, width;      /* width 0: no such shared function */
   const uint8_t *messages; /* enum isa_msg by number */
};

#define ISA_SFID_LIMIT 16

extern const struct isa_message_row isa_message_rows[ISA_MSG_COUNT];
extern const struct isa_selector isa_selectors[ISA_GEN_COUNT][ISA_SFID_LIMIT];

/* The layout of a message; ISA_MSG_NONE has one with no fields. */
const struct isa_message_layout *isa_message_layout(enum isa_gen gen,
                                                    enum isa_msg msg);

/* First shared function of each message, and its number there. */
struct isa_message_home {
   uint8_t sfid, number;
};
extern const struct isa_message_home isa_message_homes[ISA_GEN_COUNT]
                                                      [ISA_MSG_COUNT];

/* Lengths by the message's row; a header's are not counted yet. */
void isa_message_row_lengths(const struct isa_message *m,
                             struct isa_message_lengths *l);

#endif
