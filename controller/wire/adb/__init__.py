"""The ADB protocols without IO, for both sides of each.

In the order in which bytes meet them, from a client to a phone:

    client ⇄ adb server    `host`        smart-socket requests, OKAY and FAIL, length-prefixed strings
    adb server ⇄ adbd      `transport`   framed messages, the banner
                           `connection`  streams over those messages: open, acknowledge, close
    inside one stream      `shell`       shell v2 packets
                           `sync`        file transfer, v1 and v2

Every reader takes bytes in whatever pieces they come and keeps what is not yet whole. A peer that breaks its protocol
raises `errors.ProtocolError`; opening sockets and waiting for them is left to the callers.
"""
