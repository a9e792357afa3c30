"""Finding documents by name, by sound, with slips of the pen, and by what they are for.

`tokens` takes text apart (pure), `entry` says what of a record is searched (pure), `index` keeps it on disk and notices
changed files, `ranking` answers a query. Which skills a person has switched off is the caller's business.
"""
