"""The live crawl: Scrapy downloads, the crawl decides, everything is kept."""
