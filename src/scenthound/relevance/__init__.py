"""Is this text about the topic?"""
