"""The front app by version, maker and situation: each text is a few lines as the phone prints them."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.screen.dumpsys import Foreground, State, foreground, foreground_commands, more_commands, split_process

APP, OVERLAY, KEYGUARD, DARK, UNKNOWN = State.APP, State.OVERLAY, State.KEYGUARD, State.SCREEN_OFF, State.UNKNOWN

GRANT = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity"
GRANT_OLD = "com.android.packageinstaller.permission.ui.GrantPermissionsActivity"

# id, text, package, activity, state, overlay, confident
Row = tuple[str, str, str | None, str | None, State, str | None, bool]

VERSIONS: list[Row] = [
    (
        "android_4_1_prints_no_user_and_a_paused_flag",
        """
  mCurrentFocus=Window{41b37570 org.notes/org.notes.Main paused=false}
  mFocusedApp=AppWindowToken{41c0 token=Token{41d0 ActivityRecord{41e0 org.notes/.Main}}}
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
    (
        "android_4_1_main_stack_without_displays",
        """
ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)
  Main stack:
  * TaskRecord{4126da80 #2 A org.notes}
    * Hist #0: ActivityRecord{413cf978 org.notes/org.notes.Main}
  mResumedActivity: ActivityRecord{413cf978 org.notes/org.notes.Main}
  mFocusedActivity: ActivityRecord{413cf978 org.notes/org.notes.Main}
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
    (
        "android_7_focused_activity_after_the_stacks",
        """
ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)
Display #0 (activities from top to bottom):
  Stack #1:
    mResumedActivity: ActivityRecord{5a1 u0 org.notes/.Editor t12}
    mLastPausedActivity: ActivityRecord{5a2 u0 org.mail/.Inbox t11}
  Stack #0:
    mLastPausedActivity: ActivityRecord{5a3 u0 com.launcher/.Home t1}
  mFocusedActivity: ActivityRecord{5a1 u0 org.notes/.Editor t12}
  mFocusedStack=ActivityStack{77 stackId=1, 2 tasks}
""",
        "org.notes",
        "org.notes.Editor",
        APP,
        None,
        True,
    ),
    (
        "android_9_stack_in_focus_beats_the_first_one_listed",
        """
Display #0 (activities from top to bottom):
  Stack #9: type=standard mode=split-screen-primary
    mResumedActivity: ActivityRecord{1 u0 org.top/.Half t90}
  Stack #8: type=standard mode=split-screen-secondary
    mResumedActivity: ActivityRecord{2 u0 org.bottom/.Half t80}
  mFocusedStack=ActivityStack{77 stackId=8 type=standard mode=split-screen-secondary visible=true, 1 tasks}
""",
        "org.bottom",
        "org.bottom.Half",
        APP,
        None,
        True,
    ),
    (
        "android_12_several_leaf_tasks_and_the_root_in_focus",
        """
Display #0 (activities from top to bottom):
  * Task{aa #40 type=standard U=0 visible=true visibleRequested=true mode=multi-window sz=1}
    * Task{ab #41 type=standard A=10100:org.left U=0 rootTaskId=40 visible=true mode=multi-window sz=1}
      topResumedActivity=ActivityRecord{1 u0 org.left/.Pane t41}
  * Task{ba #50 type=standard U=0 visible=true visibleRequested=true mode=multi-window sz=1}
    * Task{bb #51 type=standard A=10101:org.right U=0 rootTaskId=50 visible=true mode=multi-window sz=1}
      topResumedActivity=ActivityRecord{2 u0 org.right/.Pane t51}
  topDisplayFocusedRootTask=Task{ba #50 type=standard U=0 visible=true}
""",
        "org.right",
        "org.right.Pane",
        APP,
        None,
        True,
    ),
    (
        "split_screen_without_a_focus_line_is_not_certain",
        """
Display #0 (activities from top to bottom):
  * Task{ab #41 type=standard U=0 visible=true mode=multi-window sz=1}
    topResumedActivity=ActivityRecord{1 u0 org.left/.Pane t41}
  * Task{bb #51 type=standard U=0 visible=true mode=multi-window sz=1}
    topResumedActivity=ActivityRecord{2 u0 org.right/.Pane t51}
""",
        "org.left",
        "org.left.Pane",
        APP,
        None,
        False,
    ),
    (
        "android_13_closing_brace_in_front_of_the_task",
        "topResumedActivity=ActivityRecord{d9b8281 u0 org.video/.MainV2} t57}",
        "org.video",
        "org.video.MainV2",
        APP,
        None,
        True,
    ),
    (
        "android_14_full_dump_names_the_history_of_other_apps",
        """
ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)
Display #0 (activities from top to bottom):
  * Task{61 #7 type=standard A=10201:org.video U=0 visible=true visibleRequested=true mode=fullscreen sz=2}
    mLastPausedActivity: ActivityRecord{31 u0 org.video/.Splash t7}
    mLastNonFullscreenBounds=Rect(312, 668 - 768, 1732)
    isSleeping=false
    topResumedActivity=ActivityRecord{32 u0 org.video/.Player t7}
    * Hist  #1: ActivityRecord{32 u0 org.video/.Player t7}
        intent={act=android.intent.action.VIEW dat=https://example.org/... cmp=org.video/.Router}
    * Hist  #0: ActivityRecord{31 u0 org.video/.Splash t7}
  * Task{62 #1 type=home U=0 visible=false visibleRequested=false mode=fullscreen sz=1}
    mLastPausedActivity: ActivityRecord{33 u0 com.launcher/.Home t2}
    * Hist  #0: ActivityRecord{33 u0 com.launcher/.Home t2}

  Resumed activities in task display areas (from top to bottom):
    Resumed: ActivityRecord{32 u0 org.video/.Player t7}

  ResumedActivity: ActivityRecord{32 u0 org.video/.Player t7}

ActivityTaskSupervisor state:
  topDisplayFocusedRootTask=Task{61 #7 type=standard A=10201:org.video U=0 visible=true}
  Display: mDisplayId=0 (organized)
    mCurrentFocus=Window{9c u0 org.video/org.video.Player}
    mFocusedApp=ActivityRecord{32 u0 org.video/.Player t7}
  KeyguardController:
    mKeyguardShowing=false
    mAodShowing=false
    mKeyguardGoingAway=false
    Occluded=false DismissingKeyguardActivity=null at display=0
""",
        "org.video",
        "org.video.Player",
        APP,
        None,
        True,
    ),
    (
        "android_15_decimal_hash",
        "  ResumedActivity: ActivityRecord{153529581 u0 com.android.settings/.Settings t5}",
        "com.android.settings",
        "com.android.settings.Settings",
        APP,
        None,
        True,
    ),
    (
        "samsung_prints_display_and_process_behind_the_user",
        "mCurrentFocus=Window{1df6dd3d0 u0 d0 p3541 com.sec.gallery/com.sec.gallery.Main$Inner}",
        "com.sec.gallery",
        "com.sec.gallery.Main$Inner",
        APP,
        None,
        True,
    ),
    (
        "input_dispatcher_up_to_android_9",
        """
  FocusedApplication: name='AppWindowToken{35 token=Token{5a ActivityRecord{12 u0 org.tv/.Main t2}}}', timeout=5000ms
  FocusedWindow: name='Window{3e u0 org.tv/org.tv.Main}'
""",
        "org.tv",
        "org.tv.Main",
        APP,
        None,
        True,
    ),
]

DISPLAYS: list[Row] = [
    (
        "cover_screen_in_use_while_the_big_one_sleeps",
        """
  Display: mDisplayId=0
    mCurrentFocus=null
    mFocusedApp=null
  Display: mDisplayId=1
    mCurrentFocus=Window{2 u0 org.chat/org.chat.Main}
    mFocusedApp=ActivityRecord{1 u0 org.chat/.Main t4}
""",
        "org.chat",
        "org.chat.Main",
        APP,
        None,
        True,
    ),
    (
        "desktop_on_a_second_display_has_the_focus",
        """
  Display: mDisplayId=0
    mCurrentFocus=Window{1 u0 com.launcher/com.launcher.Home}
    mFocusedApp=ActivityRecord{1a u0 com.launcher/.Home t1}
  Display: mDisplayId=2
    mCurrentFocus=Window{2 u0 org.office/org.office.Sheet}
    mFocusedApp=ActivityRecord{2a u0 org.office/.Sheet t9}
  mTopFocusedDisplayId=2
""",
        "org.office",
        "org.office.Sheet",
        APP,
        None,
        True,
    ),
    (
        "resumed_activity_of_the_system_tells_which_display_is_in_use",
        """
  Display: mDisplayId=4
    mCurrentFocus=Window{2 u0 org.manual/org.manual.Reader}
    mFocusedApp=ActivityRecord{2a u0 org.manual/.Reader t9}
  Display: mDisplayId=0
    mCurrentFocus=Window{1 u0 org.game/org.game.Main}
    mFocusedApp=ActivityRecord{1a u0 org.game/.Main t1}
  ResumedActivity: ActivityRecord{1a u0 org.game/.Main t1}
""",
        "org.game",
        "org.game.Main",
        APP,
        None,
        True,
    ),
    (
        "two_displays_in_focus_and_nothing_more_is_not_certain",
        """
  mCurrentFocus=Window{2 u0 org.manual/org.manual.Reader}
  mCurrentFocus=Window{1 u0 org.game/org.game.Main}
""",
        "org.manual",
        "org.manual.Reader",
        APP,
        None,
        False,
    ),
    (
        "home_of_a_cover_screen_is_not_the_app",
        """
  mCurrentFocus=Window{2 u0 com.android.systemui/com.android.systemui.subscreen.SubHomeActivity}
  mCurrentFocus=Window{1 u0 org.game/org.game.Main}
""",
        "org.game",
        "org.game.Main",
        APP,
        None,
        False,
    ),
    (
        "focused_display_of_the_input_dispatcher",
        """
  FocusedDisplayId: 4
  FocusedApplications:
    displayId=4, name='ActivityRecord{2a u0 org.manual/.Reader t9}', dispatchingTimeout=5000ms
    displayId=0, name='ActivityRecord{1a u0 org.game/.Main t1}', dispatchingTimeout=5000ms
  FocusedWindows:
    displayId=4, name='5d2 org.manual/org.manual.Reader'
    displayId=0, name='77c org.game/org.game.Main'
  FocusRequests:
    displayId=0, name='77c org.game/org.game.Main' result='OK'
""",
        "org.manual",
        "org.manual.Reader",
        APP,
        None,
        True,
    ),
    (
        "picture_in_picture_is_not_in_front",
        """
Display #0 (activities from top to bottom):
  * Task{aa #40 type=standard A=10100:org.video U=0 visible=true mode=pinned translucent=false sz=1}
    topResumedActivity=ActivityRecord{1 u0 org.video/.Player t40}
  * Task{ba #50 type=standard A=10101:org.mail U=0 visible=true mode=fullscreen translucent=false sz=1}
    topResumedActivity=ActivityRecord{2 u0 org.mail/.Inbox t50}
""",
        "org.mail",
        "org.mail.Inbox",
        APP,
        None,
        True,
    ),
    (
        "freeform_window_in_focus_over_a_full_screen_app",
        """
  mCurrentFocus=Window{4 u0 org.calc/org.calc.Main}
  mFocusedApp=ActivityRecord{3 u0 org.calc/.Main t31}
  mResumedActivity: ActivityRecord{9 u0 org.browser/.Tab t30}
""",
        "org.calc",
        "org.calc.Main",
        APP,
        None,
        True,
    ),
]

OVERLAYS: list[Row] = [
    *(
        (
            f"window_title_{title}",
            f"mCurrentFocus=Window{{85a52f2 u0 {title}}}\nmFocusedApp=ActivityRecord{{2d u0 org.notes/.Main t8}}",
            "org.notes",
            "org.notes.Main",
            state,
            overlay,
            True,
        )
        for title, state, overlay in (
            ("NotificationShade", OVERLAY, "notification_shade"),
            ("StatusBarExpanded", OVERLAY, "notification_shade"),
            ("control_center", OVERLAY, "notification_shade"),
            ("StatusBar", OVERLAY, "status_bar"),
            ("Keyguard", KEYGUARD, "keyguard"),
            ("KeyguardScrim", KEYGUARD, "keyguard"),
            ("AOD", DARK, "screen_off"),
            ("dream", OVERLAY, "dream"),
            ("Sys2023:dream", OVERLAY, "dream"),
            ("Application Error: org.other", OVERLAY, "crash_dialog"),
            ("Application Not Responding: org.notes", OVERLAY, "anr_dialog"),
            ("PopupWindow:3f2a11", OVERLAY, "popup"),
            ("Pop-Up Window", OVERLAY, "popup"),
            ("InputMethod", OVERLAY, "ime"),
            ("Splash Screen org.notes", OVERLAY, "splash"),
            ("Starting org.notes", OVERLAY, "splash"),
            ("SnapshotStartingWindow for taskId=8", OVERLAY, "splash"),
            ("Toast", OVERLAY, "window:Toast"),
            ("ShellDropTarget", OVERLAY, "window:ShellDropTarget"),
            ("Waiting For Debugger: org.notes", OVERLAY, "window:Waiting For Debugger: org.notes"),
            ("com.maker.assistant", OVERLAY, "window:com.maker.assistant"),
        )
    ),
    (
        "permission_dialog_of_the_permission_controller",
        f"""
  mCurrentFocus=Window{{7 u0 com.google.android.permissioncontroller/{GRANT}}}
  mFocusedApp=ActivityRecord{{8 u0 com.google.android.permissioncontroller/{GRANT} t12}}
""",
        "com.google.android.permissioncontroller",
        GRANT,
        OVERLAY,
        "permission_dialog",
        True,
    ),
    (
        "permission_dialog_up_to_android_9",
        f"mCurrentFocus=Window{{7 u0 com.android.packageinstaller/{GRANT_OLD}}}",
        "com.android.packageinstaller",
        GRANT_OLD,
        OVERLAY,
        "permission_dialog",
        True,
    ),
    (
        "permission_dialog_of_miui",
        f"mResumedActivity: ActivityRecord{{7 u0 com.lbe.security.miui/{GRANT_OLD} t3}}",
        "com.lbe.security.miui",
        GRANT_OLD,
        OVERLAY,
        "permission_dialog",
        True,
    ),
    (
        "chooser_of_the_system",
        "topResumedActivity=ActivityRecord{1a u0 android/com.android.internal.app.ResolverActivity t88}",
        "android",
        "com.android.internal.app.ResolverActivity",
        OVERLAY,
        "chooser",
        True,
    ),
    (
        "chooser_of_android_14",
        "mCurrentFocus=Window{1a u0 com.android.intentresolver/com.android.intentresolver.ChooserActivity}",
        "com.android.intentresolver",
        "com.android.intentresolver.ChooserActivity",
        OVERLAY,
        "chooser",
        True,
    ),
    (
        "miui_asks_which_of_two_copies",
        "mCurrentFocus=Window{1a u0 com.miui.securitycore/com.miui.xspace.ui.activity.XSpaceResolveActivity}",
        "com.miui.securitycore",
        "com.miui.xspace.ui.activity.XSpaceResolveActivity",
        OVERLAY,
        "chooser",
        True,
    ),
    (
        "an_apps_own_file_chooser_is_the_app",
        "mCurrentFocus=Window{1a u0 org.files/org.files.FileChooserActivity}",
        "org.files",
        "org.files.FileChooserActivity",
        APP,
        None,
        True,
    ),
    (
        "screensaver_as_an_activity_keeps_the_app_below",
        """
  mCurrentFocus=Window{7 u0 com.clock/android.service.dreams.DreamActivity}
  mFocusedApp=ActivityRecord{8 u0 org.video/.Player t12}
""",
        "org.video",
        "org.video.Player",
        OVERLAY,
        "dream",
        True,
    ),
    (
        "splash_alone_names_the_package_and_no_activity",
        "mCurrentFocus=Window{7 u0 Splash Screen org.notes}",
        "org.notes",
        None,
        OVERLAY,
        "splash",
        False,
    ),
    (
        "dialog_window_carries_the_component_of_its_activity",
        "mCurrentFocus=Window{7 u0 AtchDlg:org.notes/org.notes.Main}",
        "org.notes",
        "org.notes.Main",
        OVERLAY,
        "popup",
        False,
    ),
    (
        "shade_alone_names_no_app",
        "mCurrentFocus=Window{7 u0 NotificationShade}",
        None,
        None,
        OVERLAY,
        "notification_shade",
        False,
    ),
    (
        "popup_without_a_focused_app_is_found_in_the_window_list",
        """
  Window #3 Window{3f2a11 u0 PopupWindow:1b2c}:
    mDisplayId=0 rootTaskId=9 mSession=Session{8 88:u0a10178} mClient=android.os.BinderProxy@1c
    mOwnerUid=10178 showForAllUsers=false package=org.notes appop=NONE
    mActivityRecord=ActivityRecord{d9 u0 org.notes/.Main t9}
    mViewVisibility=0x0 mHaveFrame=true mObscured=false
  mCurrentFocus=Window{3f2a11 u0 PopupWindow:1b2c}
""",
        "org.notes",
        "org.notes.Main",
        OVERLAY,
        "popup",
        False,
    ),
]

SCREEN: list[Row] = [
    (
        "keyguard_of_the_delegate_over_an_app",
        """
  mCurrentFocus=Window{7 u0 NotificationShade}
  mFocusedApp=ActivityRecord{8 u0 org.video/.Player t12}
    KeyguardServiceDelegate
      showing=true
      showingAndNotOccluded=true
      inputRestricted=true
      occluded=false
      screenState=SCREEN_STATE_ON
      interactiveState=INTERACTIVE_STATE_AWAKE
      KeyguardStateMonitor
        mIsShowing=true
""",
        "org.video",
        "org.video.Player",
        KEYGUARD,
        "keyguard",
        True,
    ),
    (
        "camera_over_the_keyguard_is_in_front",
        """
  mCurrentFocus=Window{7 u0 org.camera/org.camera.Secure}
  mFocusedApp=ActivityRecord{8 u0 org.camera/.Secure t12}
      showing=true
      occluded=true
      screenState=SCREEN_STATE_ON
        mIsShowing=true
""",
        "org.camera",
        "org.camera.Secure",
        APP,
        None,
        True,
    ),
    (
        "screen_off_with_an_app_that_still_counts_as_focused",
        """
  mCurrentFocus=null
  mFocusedApp=ActivityRecord{8 u0 org.video/.Player t12}
      showing=true
      screenState=SCREEN_STATE_OFF
      interactiveState=INTERACTIVE_STATE_SLEEP
""",
        "org.video",
        "org.video.Player",
        DARK,
        "screen_off",
        True,
    ),
    (
        "lock_screen_up_to_android_7",
        "    mShowingLockscreen=true mShowingDream=false mDreamingLockscreen=false",
        None,
        None,
        KEYGUARD,
        "keyguard",
        False,
    ),
    (
        "lock_screen_of_android_8",
        "    mShowingDream=false mDreamingLockscreen=true mDreamingSleepToken=null",
        None,
        None,
        KEYGUARD,
        "keyguard",
        False,
    ),
    (
        "policy_says_unlocked",
        "    showing=false\n    mIsShowing=false\n    mAwake=true",
        None,
        None,
        UNKNOWN,
        None,
        False,
    ),
    ("asleep", "  mWakefulness=Asleep\n  mWakefulnessChanging=false", None, None, DARK, "screen_off", False),
    ("always_on_display", "  mWakefulness=Dozing", None, None, DARK, "screen_off", False),
    (
        "keyguard_controller_of_the_activity_manager",
        """
  ResumedActivity: null
  KeyguardController:
    mKeyguardShowing=true
    mAodShowing=false
    Occluded=false DismissingKeyguardActivity=null at display=0
""",
        None,
        None,
        KEYGUARD,
        "keyguard",
        False,
    ),
    (
        "cover_display_is_off_while_the_other_one_is_on",
        """
  Display: mDisplayId=1
    mAwake=false mScreenOnEarly=false mScreenOnFully=false
    mCurrentFocus=null
  Display: mDisplayId=0
    mAwake=true mScreenOnEarly=true mScreenOnFully=true
    mCurrentFocus=Window{7 u0 org.notes/org.notes.Main}
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
]

UNCERTAIN: list[Row] = [
    ("nothing", "", None, None, UNKNOWN, None, False),
    ("service_missing", "Can't find service: window", None, None, UNKNOWN, None, False),
    ("permission_denied", "Permission Denial: can't dump WindowManager from pid=1", None, None, UNKNOWN, None, False),
    ("no_focus_yet", "  mCurrentFocus=null\n  mFocusedApp=null", None, None, UNKNOWN, None, False),
    (
        "no_focus_and_only_the_app_that_is_starting",
        "  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{1 u0 org.notes/.Main t1}",
        None,
        None,
        UNKNOWN,
        None,
        False,
    ),
    (
        "no_focus_but_two_lines_that_agree",
        """
  mCurrentFocus=null
  mFocusedApp=ActivityRecord{1 u0 org.notes/.Main t1}
  ResumedActivity: ActivityRecord{1 u0 org.notes/.Main t1}
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "dump_that_ran_into_its_time_limit",
        "  mCurrentFocus=Window{1 u0 org.notes/org.notes.Main}\n*** SERVICE 'window' DUMP TIMEOUT EXPIRED ***",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "text_that_ends_inside_the_record",
        "  mCurrentFocus=Window{1 u0 org.notes/org.notes.Ma",
        "org.notes",
        None,
        APP,
        None,
        False,
    ),
    (
        "window_on_its_way_out",
        "  mCurrentFocus=Window{1 u0 org.notes/org.notes.Main EXITING}",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "focused_app_alone_up_to_android_10",
        "mFocusedApp=AppWindowToken{20 token=Token{21 ActivityRecord{16 u0 org.notes/.Main, isShadow:false t10}}}",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "resumed_and_focused_contradict",
        "mFocusedApp=ActivityRecord{1 u0 org.mail/.Inbox t1}\nResumedActivity: ActivityRecord{2 u0 org.notes/.Main t2}",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "only_a_task_that_cannot_be_seen",
        """
      * Task{d2 #55 type=standard A=10284:org.stars U=0 visible=false mode=fullscreen sz=1}
        * ActivityRecord{40 u0 org.stars/.Map t55}
""",
        None,
        None,
        UNKNOWN,
        None,
        False,
    ),
    (
        "first_record_of_the_first_task_that_can_be_seen",
        """
      * Task{d1 #54 type=standard A=10284:org.stars U=0 visible=false mode=fullscreen sz=1}
        * Hist  #0: ActivityRecord{40 u0 org.stars/.Map t54}
      * Task{d2 #55 type=standard A=10285:org.notes U=0 visible=true mode=fullscreen sz=1}
        * Hist  #0: ActivityRecord{41 u0 org.notes/.Main t55}
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "activity_top_lists_the_focused_one_last",
        """
TASK org.mail id=21 userId=0
  ACTIVITY org.mail/.Inbox 589e99e pid=8859
    Local Activity 75 State:
      mResumed=false mStopped=true mFinished=false
TASK org.notes id=22 userId=0
  ACTIVITY org.notes/.Main 589e99f pid=8860
    Local Activity 76 State:
      mResumed=true mStopped=false mFinished=false
TASK org.old id=23 userId=0
  ACTIVITY org.old/.Main 589e9a0 pid=(not running)
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "am_stack_list",
        """
Stack id=7 bounds=[0,0][1080,2340] displayId=0 userId=0
  configuration={1.0 310mcc260mnc}
  taskId=31: org.notes/.Splash userId=0 visible=true topActivity=ComponentInfo{org.notes/org.notes.Main}
Stack id=0 bounds=[0,0][1080,2340] displayId=0 userId=0
  taskId=2: com.launcher/.Home userId=0 visible=false topActivity=ComponentInfo{com.launcher/com.launcher.Home}
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        False,
    ),
    (
        "process_at_the_top",
        "    Proc # 0: fg     T/A/TOP  LCM  t: 0 6204:com.tencent.mm:appbrand0/u0a201 (top-activity)",
        "com.tencent.mm",
        None,
        APP,
        None,
        False,
    ),
    (
        "log_of_a_launch",
        "01-02 10:00:00.123  1500  1600 I ActivityTaskManager: Displayed org.notes/.Main: +312ms",
        "org.notes",
        "org.notes.Main",
        UNKNOWN,
        None,
        False,
    ),
    (
        "intents_and_affinities_are_no_answer",
        """
  mLastFocusedRootTask=Task{57 #554 type=standard A=1000:com.android.settings.root}
  intent={act=android.intent.action.MAIN cmp=org.notes/.Main}
  mLastPausedActivity: ActivityRecord{33 u0 com.launcher/.Home t2}
""",
        None,
        None,
        UNKNOWN,
        None,
        False,
    ),
]

PASTED: list[Row] = [
    (
        "focus_at_the_last_anr_is_the_past",
        """
WINDOW MANAGER LAST ANR (dumpsys window lastanr)
  ANR time: 7 Apr 2025 20:17:01
  Application at fault: AppWindowToken{5 token=Token{6 ActivityRecord{7 u0 org.stuck/.Main t2}}}
  mCurrentFocus=Window{8 u0 org.stuck/org.stuck.Main}
-------------------------------------------------------------------------------
WINDOW MANAGER POLICY STATE (dumpsys window policy)
    mAwake=true
WINDOW MANAGER WINDOWS (dumpsys window windows)
  mCurrentFocus=Window{9 u0 org.notes/org.notes.Main}
""",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
    (
        "input_focus_at_the_last_anr_is_the_past",
        """
Input Dispatcher State:
  FocusedDisplayId: 0
  FocusedApplications: <none>
  FocusedWindows: <none>
Input Dispatcher State at time of last ANR:
  FocusedApplications:
    displayId=0, name='ActivityRecord{7 u0 org.stuck/.Main t25}', dispatchingTimeout=5000ms
  FocusedWindows:
    displayId=0, name='8 org.stuck/org.stuck.Main'
""",
        None,
        None,
        UNKNOWN,
        None,
        False,
    ),
    (
        "class_left_out_by_the_writer",
        "mCurrentFocus=Window{... u0 keystoneMenu}\nmFocusedApp=ActivityRecord{... u0 com.tv.home/...HomeActivity t2}",
        "com.tv.home",
        None,
        OVERLAY,
        "window:keystoneMenu",
        True,
    ),
    (
        "key_misspelt_by_the_writer",
        "mCurrentFocus=Window{8 u0 StatusBar}\nmFocuseadApp=Token{5 ActivityRecord{2 u0 a.b/.C t1}}",
        "a.b",
        "a.b.C",
        OVERLAY,
        "status_bar",
        True,
    ),
    (
        "carriage_returns",
        "\r\r\n  mCurrentFocus=Window{1 u0 org.notes/org.notes.Main}\r\r\n  mFocusedApp=null\r\r\n",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
    (
        "several_lines_pasted_as_one",
        "mCurrentFocus=Window{1 u0 NotificationShade} mFocusedApp=ActivityRecord{2 u0 org.notes/.Main t9}",
        "org.notes",
        "org.notes.Main",
        OVERLAY,
        "notification_shade",
        True,
    ),
    (
        "grep_with_line_numbers",
        "812:  mCurrentFocus=Window{1 u0 org.notes/org.notes.Main}",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
    (
        "quoted_in_a_log",
        "10:00:00 INFO adb said: mCurrentFocus=Window{1 u0 org.notes/org.notes.Main}",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
    (
        "hash_left_out_by_the_writer",
        "mCurrentFocus=Window{... u0 org.notes/org.notes.Main}",
        "org.notes",
        "org.notes.Main",
        APP,
        None,
        True,
    ),
]


@pytest.mark.parametrize("row", [*VERSIONS, *DISPLAYS, *OVERLAYS, *SCREEN, *UNCERTAIN, *PASTED], ids=lambda row: row[0])
def test_front_app_is_read_as_it_stands_in_the_lines(row: Row) -> None:
    _, text, package, activity, state, overlay, confident = row

    seen = foreground({"dumpsys": text})

    assert (seen.package, seen.activity, seen.state, seen.overlay, seen.confident) == (
        package,
        activity,
        state,
        overlay,
        confident,
    )


PASTINGS: dict[str, Callable[[str], str]] = {
    "damaged line ends": lambda text: text.replace("\n", "\r\r\n"),
    "quoted": lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    "numbered by grep -n": lambda text: "\n".join(f"{n}:{line}" for n, line in enumerate(text.split("\n"))),
    "printed twice": lambda text: f"{text}\n{text}",
}


@pytest.mark.parametrize("paste", PASTINGS.values(), ids=PASTINGS)
def test_pasting_does_not_change_an_answer(paste: Callable[[str], str]) -> None:
    texts = [row[1] for row in (*VERSIONS, *OVERLAYS, *SCREEN, *UNCERTAIN)]

    assert [foreground({"": paste(text)}) for text in texts] == [foreground({"": text}) for text in texts]


def test_background_app_listed_last_by_activity_top_is_not_named() -> None:
    """The order of commands in which other tools end up with the wrong app (FG-01)."""
    seen = foreground(
        {
            "dumpsys window windows": "  Window #2 Window{77 u0 StatusBar}:\n    mDisplayId=0",
            "dumpsys activity activities": "topResumedActivity=ActivityRecord{d9b8281 u0 org.video/.MainV2} t57}",
            "dumpsys activity top": "ACTIVITY org.video/.MainV2 d9 pid=100\nACTIVITY org.chat/.Home aa pid=200",
        },
        sdk=33,
    )

    assert seen == Foreground(
        "org.video",
        "org.video.MainV2",
        user=0,
        display=0,
        state=State.APP,
        confident=True,
        via="topResumedActivity in dumpsys activity activities",
        record="d9b8281",
    )


def test_three_dumps_of_one_round_trip_complete_each_other() -> None:
    seen = foreground(
        {
            "dumpsys window displays": (
                "  Display: mDisplayId=0\n    mCurrentFocus=Window{7 u10 StatusBar}\n"
                "    mFocusedApp=ActivityRecord{8 u10 org.mail/.Inbox t12}"
            ),
            "dumpsys window policy": "    mAwake=true\n      showing=false\n        mIsShowing=false",
            "dumpsys activity activities": "  ResumedActivity: ActivityRecord{8 u10 org.mail/.Inbox t12}",
        },
        sdk=29,
    )

    assert seen == Foreground(
        "org.mail",
        "org.mail.Inbox",
        user=10,
        state=State.OVERLAY,
        overlay="status_bar",
        confident=True,
        via="mCurrentFocus in dumpsys window displays",
    )


def test_stale_focused_app_is_kept_as_behind() -> None:
    seen = foreground(
        {
            "dumpsys window windows": (
                "  mCurrentFocus=Window{41 u0 com.car.home/com.car.home.Home}\n"
                "  mFocusedApp=AppWindowToken{42 token=Token{43 ActivityRecord{44 u0 org.radio/.ui.Play t14}}}\n"
                "  mLastDisplayFreezeDuration=0 due to Window{45 u0 org.welcome/org.welcome.Main}\n"
            )
        }
    )

    assert (seen.package, seen.behind, seen.confident) == ("com.car.home", "org.radio/.ui.Play", True)


def test_caller_may_ask_for_another_display() -> None:
    dump = {
        "dumpsys window displays": (
            "  Display: mDisplayId=0\n    mCurrentFocus=Window{1 u0 org.a/org.a.Main}\n"
            "  Display: mDisplayId=2\n    mCurrentFocus=Window{2 u0 org.b/org.b.Main}\n"
        )
    }

    assert foreground(dump, display=2).package == "org.b"
    assert foreground(dump, display=0).package == "org.a"


def test_pinned_stack_of_android_7_televisions_is_known_by_its_number() -> None:
    dump = {
        "dumpsys activity activities": (
            "Display #0 (activities from top to bottom):\n"
            "  Stack #4:\n    mResumedActivity: ActivityRecord{1 u0 org.video/.Player t40}\n"
            "  Stack #1:\n    mResumedActivity: ActivityRecord{2 u0 org.mail/.Inbox t50}\n"
        )
    }

    assert foreground(dump, sdk=24).package == "org.mail"
    assert foreground(dump, sdk=23).package == "org.video"


def test_permission_dialog_stands_in_front_of_the_app_below_it_in_the_task() -> None:
    seen = foreground(
        {
            "dumpsys activity activities": (
                "  * Task{ab #12 type=standard A=10201:org.video U=0 visible=true mode=fullscreen sz=2}\n"
                f"    topResumedActivity=ActivityRecord{{8 u0 com.android.permissioncontroller/{GRANT} t12}}\n"
                f"    * Hist  #1: ActivityRecord{{8 u0 com.android.permissioncontroller/{GRANT} t12}}\n"
                "    * Hist  #0: ActivityRecord{7 u0 org.video/.Player t12}\n"
            )
        }
    )

    assert (seen.package, seen.overlay, seen.behind) == (
        "com.android.permissioncontroller",
        "permission_dialog",
        "org.video/.Player",
    )


def test_launch_that_never_became_visible_is_not_certain() -> None:
    """A television whose launcher still covers the screen while the app counts as resumed."""
    seen = foreground(
        {
            "dumpsys activity activities": (
                "topResumedActivity=ActivityRecord{b u0 org.tv/.Main t6}\n"
                "mFocusedApp=ActivityRecord{b u0 org.tv/.Main t6}\n"
                "mTopFullscreenOpaqueWindowState=Window{8 u0 com.launcher/com.launcher.Home}\n"
            )
        }
    )

    assert (seen.package, seen.confident) == ("org.tv", False)


def test_null_focus_beside_a_resumed_activity_of_another_dump_is_a_transition() -> None:
    seen = foreground(
        {
            "dumpsys window | grep mCurrentFocus": "  mCurrentFocus=null",
            "dumpsys activity activities": (
                "Display #0 (activities from top to bottom):\n  Resumed activities in task display areas:\n"
                "    Resumed: ActivityRecord{8 u0 org.notes/.Main t12}\n"
            ),
        }
    )

    assert (seen.package, seen.confident, seen.transition) == (None, False, True)


def test_crash_dialog_says_which_process_it_is_about() -> None:
    seen = foreground({"": "mCurrentFocus=Window{… Application Error: org.helper}"})

    assert (seen.package, seen.overlay, seen.about) == (None, "crash_dialog", "org.helper")


def test_answer_as_json_has_plain_words() -> None:
    assert foreground({"": "mCurrentFocus=Window{1 u0 org.a/org.a.Main}"}).as_dict() == {
        "package": "org.a",
        "activity": "org.a.Main",
        "user": 0,
        "display": 0,
        "state": "app",
        "overlay": None,
        "behind": None,
        "confident": True,
        "via": "mCurrentFocus",
        "about": None,
        "transition": False,
        "record": None,
    }


@pytest.mark.parametrize(
    ("sdk", "focus"),
    [
        (19, "dumpsys window windows"),
        (28, "dumpsys window windows"),
        (29, "dumpsys window displays"),
        (36, "dumpsys window displays"),
    ],
)
def test_focus_is_asked_where_the_version_prints_it(sdk: int, focus: str) -> None:
    assert foreground_commands(sdk)[0] == focus


@pytest.mark.parametrize("sdk", [None, 16, 28, 29, 34])
def test_commands_are_plain_words_for_any_shell(sdk: int | None) -> None:
    assert all(word.isalpha() for line in foreground_commands(sdk) + more_commands(sdk) for word in line.split())


@pytest.mark.parametrize(
    ("process", "expected"),
    [
        ("com.tencent.mm:appbrand0", ("com.tencent.mm", "mini_program")),
        ("com.tencent.mm:toolsmp", ("com.tencent.mm", "article")),
        ("com.tencent.mm:push", ("com.tencent.mm", "push")),
        ("com.tencent.mm", ("com.tencent.mm", None)),
    ],
)
def test_suffix_of_a_process_is_kept_as_the_surface(process: str, expected: tuple[str, str | None]) -> None:
    assert split_process(process) == expected


_PIECES = st.sampled_from(
    [
        "mCurrentFocus=", "mFocusedApp=", "Window{1 u0 ", "ActivityRecord{2 u0 ", "a.b/.C", "a.b/a.b.C", "}", "}}",
        " t5", "null", "\n", "  ", "Display: mDisplayId=", "Display #", "0", "2", "mTopFocusedDisplayId=",
        "ResumedActivity: ",
        "topResumedActivity=", "* Task{3 #4 visible=true mode=pinned}", "FocusedWindows:", "displayId=0, name='", "'",
        "ACTIVITY ", "mResumed=true", "Window #1 ", "{", "/", "StatusBar", "taskId=1: ", "showing=true", "mAwake=false",
        "DUMP TIMEOUT", "topActivity=ComponentInfo{", "Proc ", "99999999999999999999", "Stack #", "u", "=", "\r", "\0",
    ]
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=20), st.one_of(st.text(), st.lists(_PIECES).map("".join)), max_size=4))
def test_any_text_gives_an_answer(dumps: dict[str, str]) -> None:
    seen = foreground(dumps)

    assert seen.package != ""
    assert not (seen.confident and seen.package is None)


def test_a_dump_cut_anywhere_never_names_another_app_with_confidence() -> None:
    dump = next(row[1] for row in VERSIONS if row[0].startswith("android_14_full"))
    rng = random.Random(7)

    for end in rng.sample(range(len(dump)), 200):
        seen = foreground({"dumpsys activity activities": dump[:end]})
        assert seen.package == "org.video" or not seen.confident
