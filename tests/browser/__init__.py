"""Tests of the pages: with a browser where there is one, and over the wire without."""
