"""All that is drawn with matplotlib."""
