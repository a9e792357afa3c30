"""Reading what a suite came to."""

from __future__ import annotations

from tests.peers.running import Case, cases_of
from tests.peers.suites import Known

_REPORT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" tests="4">
<testcase classname="e2etests.test_adb" name="test_server_version" time="0.25" />
<testcase classname="e2etests.test_adb" name="test_wait_for" time="1.5"><failure message="AdbTimeout:&#10; adb read">
long</failure></testcase>
<testcase classname="demo_tests.test_input" name="test_set_ime" time="0"><error message="no phone" /></testcase>
<testcase classname="mobile_tests.test_simple" name="test_plugin" time="0"><skipped message="Deprecated" /></testcase>
</testsuite></testsuites>
"""


def test_a_report_is_read_to_cases() -> None:
    assert list(cases_of(_REPORT)) == [
        Case("e2etests/test_adb.py::test_server_version", "passed", seconds=0.25),
        Case("e2etests/test_adb.py::test_wait_for", "failed", "AdbTimeout: adb read", 1.5),
        Case("demo_tests/test_input.py::test_set_ime", "failed", "no phone"),
        Case("mobile_tests/test_simple.py::test_plugin", "skipped", "Deprecated"),
    ]


def test_what_is_known_to_fail_is_known_for_a_server_and_a_version() -> None:
    everywhere, one = Known("why"), Known("why", server="adb", versions=(9,))

    assert everywhere.on("phone", 14)
    assert [one.on("adb", 9), one.on("phone", 9), one.on("adb", 14)] == [True, False, False]
