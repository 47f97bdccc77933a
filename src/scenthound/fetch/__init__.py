"""The downloading side of a live crawl: HTTP, robots.txt, addresses, logins, the browser."""
