"""Crawls: live, replayed over an archive, or by one worker of many; and seeds to start from."""
