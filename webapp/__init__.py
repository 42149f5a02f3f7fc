"""The site: a Django project that takes submissions, stores what the judge says, and shows boards."""
