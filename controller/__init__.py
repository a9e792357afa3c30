"""Android device automation that knows the apps it drives."""
