"""How well did it do? Judge, labels, indicators, runs."""
