"""Live crawling measured on loopback, beside plain crawlers that do the same or less."""
