"""Wire formats as values: bytes in, values out, no file, socket, clock or thread anywhere below this package."""
