"""How good is a crawl? Pages drawn at random, judged by a person, and what that proves."""
