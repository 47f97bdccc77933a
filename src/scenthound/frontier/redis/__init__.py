"""A frontier on a Redis or Valkey server, shared by many workers."""
