"""Where pages come from: replay over an archive, later the live web."""
