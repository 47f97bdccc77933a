"""The Scrapy add-on: a focused crawl inside any Scrapy project."""
