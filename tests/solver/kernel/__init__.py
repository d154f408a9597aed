"""Tests of the compiled kernel."""
