"""Arrows between modules that must not be."""

import unittest

import modules


class ModulesTests(unittest.TestCase):
    def test_reports_an_excluded_module_behind_another_one(self):
        graph = {"PromisedEngine": {"Middle"}, "Middle": {"PromisedPlaces"}, "PromisedPlaces": set()}
        self.assertEqual([sentence.split(",")[0] for sentence in modules.excess(graph)],
                         ["PromisedEngine imports PromisedPlaces"])

    def test_accepts_the_arrow_from_the_excluded_module(self):
        graph = {"PromisedEngine": set(), "PromisedPlaces": {"PromisedEngine"}, "PromisedJournal": {"PromisedPlaces"}}
        self.assertEqual(modules.excess(graph), [])


if __name__ == "__main__":
    unittest.main()
