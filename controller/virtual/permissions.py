"""Permissions that apps ask for while they run: the dialog, and the answer that is remembered.

Owns when the dialog shows and what its buttons mean, as Android's PermissionController does it: one time only, a
second refusal for good. What the dialog looks like is data of the system's package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.virtual import actions
from controller.virtual.activities import Activity, Callback
from controller.virtual.intents import Intent

if TYPE_CHECKING:
    from controller.virtual.phone import VirtualPhone

__all__ = ["Permissions"]

_CLASS = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
_DIALOG = ("com.android.permissioncontroller", _CLASS)
_OLD_DIALOG = (
    "com.android.packageinstaller",
    "com.android.packageinstaller.permission.ui.GrantPermissionsActivity",
)
_LAST_REFUSAL = 2
"""From Android 11 on the second refusal is for good."""
_TEXTS = {
    "android.permission.CAMERA": "拍摄照片和录制视频",
    "android.permission.RECORD_AUDIO": "录制音频",
    "android.permission.ACCESS_FINE_LOCATION": "获取此设备的位置信息",
    "android.permission.READ_CONTACTS": "访问您的通讯录",
    "android.permission.POST_NOTIFICATIONS": "向您发送通知",
    "android.permission.READ_EXTERNAL_STORAGE": "访问设备上的照片、媒体内容和文件",
}


class Permissions:
    """The permissions of one phone's apps; which are granted stands in their packages."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._phone = phone

    def ask(self, activity: Activity, permission: str, callback: Callback) -> None:
        """Show the dialog; go on at once where the answer is known for good."""
        phone = self._phone
        package = phone.packages[activity.package]
        if permission in package.granted:
            self._go_on(activity, callback, granted=True)
            return
        if phone.sdk >= 30 and package.refused.get(permission, 0) >= _LAST_REFUSAL:
            self._go_on(activity, callback, granted=False)
            return
        values = {
            "permission": permission,
            "app_label": package.spec.label,
            "asks": _TEXTS.get(permission, permission.rpartition(".")[2]),
        }
        component = _DIALOG if phone.sdk >= 29 else _OLD_DIALOG
        result = phone.start(Intent(component=component, extras=values, caller=activity.package))
        dialog = phone.tasks.top
        if result.ok and dialog is not None and dialog is not activity:
            dialog.callback, dialog.caller = callback, activity

    def answer(self, dialog: Activity, how: str) -> None:
        """A button of the dialog: `allow`, `once` or `deny`."""
        phone, caller, callback = self._phone, dialog.caller, dialog.callback
        permission = dialog.vars.get("permission", "")
        if caller is not None:
            self.set(caller.package, permission, granted=how != "deny", once=how == "once")
        phone.launcher.finish(dialog)
        if caller is not None and callback is not None:
            self._go_on(caller, callback, granted=how != "deny")

    def set(self, name: str, permission: str, *, granted: bool, once: bool = False) -> None:
        """Remember an answer: `once` until the app's process ends, a refusal by how often it was given."""
        package = self._phone.packages[name]
        package.once.discard(permission)
        if not granted:
            package.granted.discard(permission)
            package.refused[permission] = package.refused.get(permission, 0) + 1
            return
        package.granted.add(permission)
        package.refused.pop(permission, None)
        if once:
            package.once.add(permission)

    def flags(self, name: str, permission: str) -> list[str]:
        """What `dumpsys package` prints behind a permission."""
        package = self._phone.packages[name]
        refused = package.refused.get(permission, 0)
        flags = ["USER_SET"] if refused or permission in package.granted else []
        flags += ["USER_FIXED"] if refused >= _LAST_REFUSAL else []
        flags += ["ONE_TIME"] if permission in package.once else []
        return [*flags, "USER_SENSITIVE_WHEN_GRANTED"]

    def _go_on(self, activity: Activity, callback: Callback, *, granted: bool) -> None:
        todo = callback.then if granted else callback.otherwise
        actions.run(actions.Doing(self._phone, activity, callback.scope), todo)
