"""Flows: YAML files of commands in Maestro's run format, read, checked without a phone, and run.

`parser` reads one file into a `Flow` with the place of everything in it, `check` reads a flow with all its sub-flows
and finds every fault, `runner` runs what was checked. `commands` is the one table of what a flow can say.
"""
