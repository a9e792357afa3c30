"""Ten thousand documents to search: the shipped ones, the facts where they are at hand, and generated ones.

The generated ones have names of their own, texts about other purposes than the real ones, and the words that all such
texts share. Everything is drawn from one seed.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.resources import resource_dir

__all__ = ["PURPOSES", "Generated", "generated", "write_corpus"]

SEED = 7

# What the apps and sites of the facts are for, in the way an APP.md says it: the facts hold no descriptions.
PURPOSES = {
    "tmall": "品牌旗舰店网购，看商品价格和优惠，下单和查看物流",
    "dianping": "找餐厅和美食，看评价、人均和团购，预约排队",
    "eleme": "点外卖，看商家菜单、配送费和骑手位置",
    "didi": "叫出租车、快车和专车，看预估车费和司机位置",
    "kuaishou": "看短视频和直播，拍摄发布作品，关注老铁",
    "qqmusic": "听歌、看歌词、下载歌曲和听电台",
    "tencent-video": "看电视剧、电影、综艺、动漫和体育比赛",
    "iqiyi": "看电视剧、电影、综艺和动漫",
    "youku": "看电视剧、电影、综艺和动漫",
    "ctrip": "订机票、酒店、火车票和旅游线路，看攻略",
    "fliggy": "订机票、酒店和度假产品，用飞猪里程",
    "qunar": "比较机票和酒店价格并预订",
    "dingtalk": "企业打卡、审批、群聊、视频会议和日程",
    "feishu": "团队聊天、在线文档、日历和视频会议",
    "wecom": "公司同事沟通、客户联系和打卡",
    "baidu": "搜索网页、看新闻资讯和小程序",
    "toutiao": "看新闻头条、本地资讯和短视频",
    "dedao": "听书、学课程和读电子书",
    "ximalaya": "听有声书、相声、播客和电台",
    "cmb": "查余额和账单、转账汇款、信用卡还款、理财",
    "unionpay": "扫码支付、查银行卡余额、跨行转账和优惠",
    "wps": "编辑文档、表格和演示文稿，查看 PDF",
    "baidu-netdisk": "网盘存文件、备份相册、分享和下载",
    "gmail": "收发电子邮件，搜索邮件和管理标签",
    "messages": "收发短信和验证码",
    "clock": "设闹钟、计时器、秒表和世界时间",
    "calendar": "看日程、新建日程和提醒",
    "photos": "看照片和视频，备份相册，搜索人物和地点",
    "signal": "private encrypted messages and calls",
    "x": "read and post short messages, follow people and trends",
    "instagram": "share photos and stories, follow friends and creators",
    "facebook": "friends, groups, pages and marketplace",
    "tiktok": "watch and post short videos",
    "reddit": "read and discuss posts in communities",
    "spotify": "listen to music and podcasts, make playlists",
    "netflix": "watch films and series",
    "amazon": "shop for goods, track parcels and orders",
    "uber": "order a ride and follow the driver, see fares",
    "linkedin": "professional network, job search and applications",
    "vlc": "play local video and music files",
    "fdroid": "install open source apps",
    "outlook": "mail, calendar and contacts",
    "teams": "meetings, chats and files of a company",
    "slack": "team channels and direct messages",
    "zoom": "video meetings",
    "baidu.com": "搜索网页、图片和资讯",
    "sogou.com": "搜索网页和公众号文章",
    "bing.com": "搜索网页和图片",
    "stackoverflow.com": "questions and answers about programming",
    "google.com": "search the web, pictures and news",
    "imdb.com": "films, series, actors and ratings",
    "ebay.com": "auctions and used goods",
    "news.ycombinator.com": "technology news and discussion",
    "arxiv.org": "scientific papers and preprints",
    "openstreetmap.org": "free map of the world",
    "weather.gov": "weather forecasts and warnings in the United States",
    "open-meteo.com": "free weather forecast API",
    "booking.com": "book hotels and holiday homes",
    "airbnb.com": "rent homes and rooms for a trip",
    "docs.python.org": "documentation of the Python language and its library",
    "developer.android.com": "documentation for Android developers",
    "csdn.net": "程序员博客、技术文章和下载",
    "juejin.cn": "前端和后端技术文章",
    "sspai.com": "效率工具和数码使用技巧文章",
    "163.com": "新闻、邮箱和游戏资讯",
    "qq.com": "新闻、体育和财经资讯",
    "ctrip.com": "订机票、酒店、火车票和旅游线路",
    "dianping.com": "找餐厅和美食，看评价和团购",
    "douban.com": "书影音评分、短评和小组讨论",
    "toutiao.com": "看新闻头条和资讯",
}

_HEADS = re.findall(
    r"\w+",
    "云朵 星河 青禾 小鹿 橙子 蓝鲸 竹影 晨曦 极光 银杏 麦田 海棠 松果 萤火 白鹭 山岚 "
    "雨巷 霓虹 琥珀 飞鸟 鲸落 南风 暖阳 墨香 石榴 青柠 旷野 归舟 清泉 彩虹 雪松 月牙 "
    "蒲公英 向日葵 薄荷 荔枝 芒果 蜂鸟 河狸 雪豹 远山 流沙 翡翠 珊瑚 木棉 紫藤 枫叶 苔藓 ",
)
_TAILS = (
    ("记账", "记录收入和支出，看月度报表"),
    ("菜谱", "找家常菜做法和食材清单"),
    ("健身", "跟练课程，记录体重和运动"),
    ("背单词", "按词书背单词，复习错词"),
    ("冥想", "引导呼吸、助眠声音"),
    ("天气", "看逐小时预报和空气质量"),
    ("跑步", "记录路线、配速和心率"),
    ("养花", "识别植物，提醒浇水"),
    ("胎教", "孕期知识和产检提醒"),
    ("驾考", "刷题和模拟考试"),
    ("棋牌", "在线对局和残局练习"),
    ("漫画", "看连载漫画和收藏"),
    ("租房", "找房源和房东聊"),
    ("家电维修", "预约师傅上门修理"),
    ("宠物", "记录疫苗和遛狗"),
    ("公考", "刷真题和看解析"),
    ("测距", "量长度、水平和角度"),
    ("字体", "下载和预览字体"),
    ("壁纸", "找高清壁纸并设置"),
    ("手账", "贴纸、排版和打印"),
    ("合唱", "分声部练习和录音"),
    ("钓鱼", "看钓点、潮汐和气压"),
    ("古诗", "读诗词、听朗诵"),
    ("围棋", "做死活题和对弈"),
    ("编织", "看图解和针法教程"),
    ("观星", "认星座和看流星雨预报"),
    ("农技", "看病虫害和农时提醒"),
    ("骑行", "记录爬升和轨迹"),
    ("急救", "学心肺复苏和止血"),
    ("手语", "学手语动作"),
)
_MARKS = ("", "Pro", "极速版", "助手", "社区", "日记", "课堂", "大全", "小屋", "工坊", "学院", "图鉴")
_SHARED = (
    "首页顶部有搜索框，下面是分类入口和推荐列表。",
    "底部有首页、消息、我的三个标签。",
    "不登录可以浏览，收藏和评论要登录。",
    "列表可以按时间、热度和距离排序。",
    "设置在「我的」页面右上角的齿轮里。",
    "详情页能看到标题、作者、发布时间和评论数。",
    "第一次打开会弹出通知权限和隐私说明。",
    "下拉可以刷新，滚到底会继续加载。",
    "会员可以去广告和下载离线内容。",
)


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated document: its id and its name."""

    id: str
    display: str


def generated(count: int) -> list[Generated]:
    """The generated documents, each with a name of its own."""
    rng = random.Random(SEED)
    names = [head + tail + mark for head in _HEADS for tail, _ in _TAILS for mark in _MARKS]
    rng.shuffle(names)
    return [Generated(f"gen-{number}", name) for number, name in enumerate(names[:count])]


def write_corpus(root: Path, *, count: int = 10_000) -> int:
    """Write the documents below `root/knowledge`; how many of them are real."""
    real = 0
    for kind in ("apps", "sites"):
        shutil.copytree(resource_dir("knowledge") / kind, root / "knowledge" / kind)
        real += sum(each.is_dir() for each in (root / "knowledge" / kind).iterdir())
    for path, text in _facts():
        target = root / "knowledge" / path
        if not target.exists():
            target.parent.mkdir(parents=True)
            target.write_text(text, encoding="utf-8")
            real += 1
    purposes = dict(_TAILS)
    rng = random.Random(SEED)
    for each in generated(count - real):
        tail = next(tail for tail in sorted(purposes, key=len, reverse=True) if tail in each.display)
        body = "".join(rng.sample(_SHARED, 5))
        text = _document(
            {
                "name": each.id,
                "display": each.display,
                "description": purposes[tail],
                "packages": [f"com.example.{each.id.replace('-', '.n')}"],
            },
            f"## 是什么\n{each.display}：{purposes[tail]}。\n\n## 界面\n{body}\n\n"
            f"## 功能\n- **{tail}**：{purposes[tail]}。\n",
        )
        target = root / "knowledge/apps" / each.id / "APP.md"
        target.parent.mkdir(parents=True)
        target.write_text(text, encoding="utf-8")
    return real


def _facts() -> Iterator[tuple[str, str]]:
    shared = Path(os.environ.get("PHONECTL_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "facts"
    if not shared.is_dir():
        return
    for line in (shared / "apps.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        header = {
            "name": row["id"],
            "display": row["display_zh"],
            "description": PURPOSES.get(row["id"], row["display_en"]),
            "packages": row["packages"],
            "aliases": [*row["aliases"], row["display_en"]],
        }
        titles = "".join(f"- **{link['title']}**：从链接打开。\n" for link in row["links"])
        body = f"## 是什么\n{row['display_zh']}。\n\n## 界面\n{row['login_notes']}\n\n## 功能\n{titles}"
        yield f"apps/{row['id']}/APP.md", _document(header, body)
    for line in (shared / "sites.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        header = {
            "name": row["id"],
            "display": row["display"],
            "description": PURPOSES.get(row["id"], row["display"]),
            "domains": [row["id"], *row["domains"]],
            "aliases": row["aliases"],
        }
        titles = "".join(f"- **{url['title']}**：{url['format']}\n" for url in row["urls"])
        yield (
            f"sites/{row['id']}/SITE.md",
            _document(header, f"## 是什么\n{row['display']}。\n\n## 页面与网址\n{titles}"),
        )


def _document(header: dict[str, object], body: str) -> str:
    lines = "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in header.items())
    return f"---\n{lines}---\n{body}"
