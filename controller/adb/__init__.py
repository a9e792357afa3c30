"""The way to a phone: an adb server's sockets, and uiautomator2's server on the phone.

    connection   one socket with a deadline for every call
    client       phones and their states, shell, services, files
    states       which phone is meant, and what to do about each state it can be in
    starter      finding an adb program and starting its server where none runs
    http         requests and answers of one kept HTTP connection, without IO
    uiserver     uiautomator2's server: start it, call it, never send an action twice

Nothing here knows what is on a screen.
"""
