"""Reports of crawls, comparisons and tunings, as HTML and as text."""
