"""What a topic is, and how it is read."""
