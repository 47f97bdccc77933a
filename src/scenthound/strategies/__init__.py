"""Crawling strategies: the catalogue, ``scent``, baselines, learned weights, plug-ins."""
