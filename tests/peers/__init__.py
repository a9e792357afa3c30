"""Other projects' own test suites, run against the virtual phone over a real adb server."""
