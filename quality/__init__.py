"""Measured quality as a gate: what was reached on real webs must not be lost."""
