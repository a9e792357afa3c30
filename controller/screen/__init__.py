"""What is on the screen, as values: text of dumpsys, view trees, outlines and pictures; all of it pure."""
