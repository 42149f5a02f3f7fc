"""The site: a Django project that takes submissions, stores verdicts, and shows boards."""
