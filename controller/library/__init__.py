"""Documents of knowledge and skills: read, checked, listed and found.

`reader` turns bytes into a header and a body; `app`, `site` and `skill` each know one format; `catalog` gathers them
from folders; `lint` reports on them. Nothing here touches a phone.
"""
