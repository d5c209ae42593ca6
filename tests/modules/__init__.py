"""Tests of einBlatt's rule modules."""
