"""From bytes to terms: decoding, extraction, links, languages, WordNet, PDF."""
