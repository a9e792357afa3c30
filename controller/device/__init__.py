"""One phone: what is seen on it, what is done to it, how it is described and examined.

    profile      devices/*.yaml: how a phone is found, how fast its person reads, what its maker calls things
    keys         names of keys
    commands     argument lists for am, cmd package and the like
    input        touching and pressing, by either of two routes
    gestures     durations as the steps of uiautomator2's server
    observation  what one look at the phone gave
    phone        one phone's verbs
    typing       text into a field, and the keyboard put back afterwards
    doctor       tries each part for real and says the next step

Which app is meant, how long to wait and what it counts are decided above.
"""
