"""The URLs that wait."""
