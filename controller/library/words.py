"""Tables of words, as data: what knowledge does not say, and which links pay.

Chinese and English stand side by side; a new word is a new row.
"""

from __future__ import annotations

import re

__all__ = ["BANNED_WORDS", "CONDUCT", "ORDERS", "SCREEN_WORDS", "SKILL_MENTIONS", "pays"]

# Jargon of the template that does not belong in a text for readers. The English three are field names of old headers;
# in `code spans` and addresses they may stand, because identifiers are kept as they are.
BANNED_WORDS = re.compile(r"本批|证据|总则|通道|(?<![\w-])(?:scope|stops|features)(?![\w-])", re.IGNORECASE)

# Rules of conduct: who may do what, when to ask or to stop. They belong to approval and to skills.
CONDUCT = re.compile(
    r"(?:不要|不得|不可|禁止|勿|切勿)(?:编造|臆测|猜测|杜撰)"
    r"|(?:交给|交由|交还|移交|转交)(?:给)?(?:用户|本人|机主)"
    r"|(?:须|需|需要|必须|应|应当|请)(?:先|再|经|由|向|让|请|要|再次|二次)*(?:确认|(?:用户|本人|机主)(?:的)?(?:确认|同意|授权|批准))"
    r"|(?:征得|取得|经过|经|得到)(?:用户|本人|机主)(?:的)?(?:同意|授权|确认|许可)"
    r"|(?:询问|请示|征求|问一下|提醒)(?:用户|本人|机主)"
    r"|(?:立即|马上|应|应当|必须|需要|就|要|请)停(?:止|下)"
    r"|停止(?:操作|执行|任务|一切|并)"
    r"|停下(?:来)?(?:并|，|,|等|交)"
    r"|(?:禁止|严禁)(?:操作|点击|使用|自动|代)"
    r"|(?:you|agents?|assistants?|models?) (?:must|should)\b"
    r"|(?:do not|don't|never) (?:invent|make up|guess|fabricate)"
    r"|(?:ask|confirm with|hand (?:it |over )?(?:back )?to|wait for) the (?:user|person|owner)"
    r"|(?:user's|owner's) (?:consent|permission|confirmation|approval)"
    r"|stop (?:and|when|if|before|at once)",
    re.IGNORECASE,
)

# Orders where a phenomenon is to be described. 「别」 is also a part of 分别, 特别 and others.
ORDERS = re.compile(
    r"(?:请勿|切勿|千万不要|不要|不得|不可以|禁止|避免|勿)(?=\S)"
    r"|(?<![分特类识个区级鉴判辨性差告离])别(?=[点按选用进开去动碰再急把在])"
    r"|(?:^|(?<=[.;:] )|(?<=- ))(?:do not|don't|never|avoid|be careful)\b",
    re.IGNORECASE | re.MULTILINE,
)

SCREEN_WORDS = re.compile(r"看屏幕")

# Knowledge stands alone: it names no skill.
SKILL_MENTIONS = re.compile(
    r"(?<![\w-])(?:skill|personal):[\w-]+"
    r"|(?:按|按照|依|参见|参照|见|使用|用|调用|运行)[^。；;，,\n]{0,20}技能"
    r"|(?:use|see|run|follow|per) (?:the )?[\w\"'`-]+(?: [\w\"'`-]+){0,3} skill\b",
    re.IGNORECASE,
)

# A link with one of these words in its title opens a place where money moves. 收款 receives it.
_PAYING = re.compile(
    r"付款|支付(?!宝)|付钱|转账|转帐|汇款|充值|缴费|还款|红包|打赏|提现|下单|结算|购买"
    r"|(?<![a-z])(?:pay|payments?|paying|checkout|transfer|top[ -]?up|donate|send money|buy|purchase)(?![a-z])",
    re.IGNORECASE,
)


def pays(title: str) -> bool:
    """Whether a link's title says that money moves behind it."""
    return _PAYING.search(title) is not None
