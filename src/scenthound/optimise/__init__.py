"""Optimisers of link weights: they propose, somebody else evaluates."""
