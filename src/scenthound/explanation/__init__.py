"""Why was a page fetched, and why was another one not?"""
