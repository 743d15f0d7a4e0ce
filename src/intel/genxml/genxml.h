/* SPDX-License-Identifier: MIT */
/*
 * Packets at run time: which command is this dword, how long is it, what do
 * its fields say. For the batch decoder and the simulator's reports; code
 * that knows its packet uses the generated genN_pack.h instead.
 */
#ifndef GENXML_H
#define GENXML_H

#include "util/macros.h"
#include "util/strbuf.h"

enum genxml_kind {
   GENXML_UINT,
   GENXML_INT,
   GENXML_BOOL,
   GENXML_FLOAT,
   GENXML_ADDRESS,
   GENXML_OFFSET,
   GENXML_UFIXED,
   GENXML_SFIXED,
   GENXML_STRUCT,
};

struct genxml_value {
   const char *name;
   uint32_t value;
};

struct genxml_field {
   const char *name;
   enum genxml_kind kind;
   uint8_t fraction;  /* bits after the point of fixed-point numbers */
   uint16_t lo, bits; /* from bit 0 of dword 0 */
   uint16_t count;    /* 0: as many as the packet's length has room for */
   uint16_t stride;   /* bits from one element to the next */
   bool is_array;
   uint16_t num_values;
   const struct genxml_value *values;
   const struct genxml_group *group; /* of a GENXML_STRUCT */
};

struct genxml_group {
   const char *name;
   uint32_t opcode, opcode_mask; /* of a command */
   uint32_t address;             /* of a register */
   uint16_t dwords;              /* the fixed part */
   bool variable;                /* a command's length field says more */
   uint8_t length_lo, length_bits, length_bias; /* bits 0: no length field */
   uint16_t num_fields;
   const struct genxml_field *fields;
};

struct genxml_spec {
   unsigned verx10;
   unsigned num_structs, num_commands, num_registers;
   const struct genxml_group *structs;   /* sorted by name */
   const struct genxml_group *commands;  /* sorted by opcode */
   const struct genxml_group *registers; /* sorted by address */
};

/* `verx10` as in intel_device_info; NULL if there is no description. */
const struct genxml_spec *genxml_spec_get(unsigned verx10);

/* The command whose opcode bits `dw0` has; NULL if it is unknown. */
const struct genxml_group *genxml_find_command(const struct genxml_spec *spec,
                                               uint32_t dw0);

/* A struct, command or register by its name ("3DSTATE_VS"); NULL if none. */
const struct genxml_group *genxml_find(const struct genxml_spec *spec,
                                       const char *name);

/* The register that holds the byte address; NULL if it is unknown. */
const struct genxml_group *
genxml_find_register(const struct genxml_spec *spec, uint32_t address);

/* Dwords of the command, from its length field if it has one. */
unsigned genxml_command_dwords(const struct genxml_group *g, uint32_t dw0);

/*
 * Dwords that any command of this shape has, known or not, so that a decoder
 * can walk past it; 0 if the first dword is of a reserved type.
 */
unsigned genxml_unknown_command_dwords(uint32_t dw0);

/*
 * One line a field, indented by `indent` spaces, of the first `num_dw` dwords
 * at `dw`; fields beyond are left out. Bits that no field owns and that are
 * not zero get a line of their own.
 */
void genxml_print_fields(struct strbuf *out, const struct genxml_group *g,
                         const uint32_t *dw, unsigned num_dw,
                         unsigned indent);

/* The value of a field that is not a struct, `element` of an array: as text,
 * and its bits.
 */
void genxml_print_value(struct strbuf *out, const struct genxml_field *f,
                        unsigned element, const uint32_t *dw);
uint64_t genxml_field_raw(const struct genxml_field *f, unsigned element,
                          const uint32_t *dw);

const struct genxml_field *genxml_find_field(const struct genxml_group *g,
                                             const char *name);

#endif
