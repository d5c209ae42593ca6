"""The browser as a face of a game under way: a server of pages, private to each browser, without foreign scripts."""
