"""Fights on the grid."""
