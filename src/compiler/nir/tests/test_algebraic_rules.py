#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""nir_algebraic.py refuses bad rules, and its automaton finds patterns."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'tables'))

from nir_algebraic import (Automaton, Rule, RuleError, Var, op,  # noqa: E402
                           pattern_of)

a, b, c = Var('a'), Var('b'), Var('c')


class BitSizes(unittest.TestCase):
    def refused(self, why, search, replace):
        with self.assertRaises(RuleError) as caught:
            Rule(search(), replace())
        self.assertIn(why, str(caught.exception))

    def test_good_rules_pass(self):
        Rule(op.fadd(a, a), op.fmul(a, 2.0))
        Rule(op.ieq(op.b2i32(a.size(1)), 0), op.inot(a))
        Rule(op.f2f32(op.f2f64(a.size(32))), a)
        Rule(op.pack_half_2x16(a), op.pack_half_2x16_split(a.x, a.y))

    def test_size_of_the_replacement_is_unknown(self):
        # The inner conversions read a value whose size nothing gives.
        self.refused('does not follow', lambda: op.f2i32(a),
                     lambda: op.f2i32(op.i2f16(op.ieq(1, 2))))

    def test_size_is_not_allowed_in_the_replacement(self):
        # iadd matches 64 bits, find_lsb's result is 32.
        self.refused('does not allow', lambda: op.iadd(a, a),
                     lambda: op.find_lsb(a))

    def test_result_and_source_differ(self):
        # A comparison gives 1 bit whatever it compares.
        self.refused('of one bit size', lambda: op.ieq(a, 0), lambda: a)

    def test_source_size_restricted_only_in_the_replacement(self):
        self.refused('does not allow', lambda: op.fneg(a),
                     lambda: op.fmulz(a, -1.0))

    def test_two_variables_must_agree(self):
        self.refused('of one bit size',
                     lambda: op.ishl(a, b), lambda: op.iadd(a, b))

    def test_search_that_nothing_can_match(self):
        self.refused('no bit size',
                     lambda: op.f2f32(a).size(64), lambda: a)


class Form(unittest.TestCase):
    def test_unknown_opcode(self):
        with self.assertRaises(RuleError):
            op.fadd_carefully(a, b)

    def test_number_of_sources(self):
        with self.assertRaises(RuleError):
            op.fadd(a)

    def test_variable_from_nowhere(self):
        with self.assertRaises(RuleError):
            Rule(op.fadd(a, b), op.fadd(a, c))

    def test_condition_in_a_replacement(self):
        with self.assertRaises(RuleError):
            Rule(op.iadd(a, b), op.iadd(a, b.const()))

    def test_component_in_a_search(self):
        with self.assertRaises(RuleError):
            Rule(op.fneg(a.x), a)

    def test_rule_without_end(self):
        """One that matches what it makes: always, with its sources the other
        way round, or where a variable is a constant."""
        for search, replace in (
                (op.fadd(a, b), op.fadd(b, a)),
                (op.ishl(a, b), op.inot(op.ishl(a, b))),
                (op.iand(op.ilt(a, b.const()), op.ieq(a, c.const())),
                 op.iand(op.ilt(c, b), op.ieq(a, c)))):
            with self.assertRaises(RuleError) as caught:
                Rule(search, replace)
            self.assertIn('matches what it makes', str(caught.exception))
        a_number = a.not_const()
        Rule(op.iand(op.ilt(a_number, b.const()), op.ieq(a_number, c.const())),
             op.iand(op.ilt(c, b), op.ieq(a, c)))

    def test_search_must_be_an_expression(self):
        with self.assertRaises(RuleError):
            Rule(a, a)


class States(unittest.TestCase):
    def state(self, automaton, node):
        """The state of an expression, by the tables alone."""
        p = pattern_of(node)
        if p == '*':
            return 0
        if p == '#':
            return 1
        name = node.opcode.name
        combo = tuple(automaton.filter[name][self.state(automaton, s)]
                      for s in node.sources)
        return automaton.table[name][combo]

    def test_finds_nested_patterns_in_either_order(self):
        rule = Rule(op.fadd(op.fmul(a, b), c), op.ffma(a, b, c))
        automaton = Automaton([rule])
        want = pattern_of(rule.search)
        for found in (op.fadd(op.fmul(a, b), c), op.fadd(c, op.fmul(a, b)),
                      op.fadd(op.fmul(a, 1.0), 2.0)):
            self.assertIn(want, automaton.states[self.state(automaton,
                                                            found)])
        for other in (op.fadd(a, b), op.fmul(op.fadd(a, b), c)):
            self.assertNotIn(want, automaton.states[self.state(automaton,
                                                               other)])

    def test_tells_constants_from_the_rest(self):
        rule = Rule(op.udiv(a, b.pow2()), op.ushr(a, op.find_lsb(b)))
        automaton = Automaton([rule])
        want = pattern_of(rule.search)
        self.assertIn(want, automaton.states[
            self.state(automaton, op.udiv(a, 4))])
        self.assertNotIn(want, automaton.states[
            self.state(automaton, op.udiv(a, b))])


if __name__ == '__main__':
    unittest.main()
