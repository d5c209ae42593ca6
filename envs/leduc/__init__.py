"""Leduc poker: six cards, two rounds of betting; a known benchmark of solvers and learners."""
