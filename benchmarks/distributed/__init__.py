"""What the server that workers share costs."""
