"""What people say for one thing, as data: a query with one word of a row also looks for the others, with less weight.

Chinese and English stand side by side; a new row is a new purpose.
"""

from __future__ import annotations

import re

from controller.library.search.tokens import normal

__all__ = ["others_for"]

_ROWS = """
打车 叫车 网约车 出租车 taxi ride
外卖 点餐 订餐 送餐 takeaway delivery
餐厅 餐馆 饭馆 美食 好吃 吃饭 聚餐 restaurant
酒店 住宿 宾馆 民宿 旅馆 hotel
机票 航班 飞机票 flight
火车票 高铁 动车 车票 余票 train
地图 导航 路线 公交 地铁 怎么走 map route navigation
购物 网购 买东西 商品 比价 shop shopping goods
快递 包裹 物流 parcel
二手 闲置 转卖 旧货 used
支付 付款 付钱 收款 pay payment
转账 汇款 转钱 transfer money
缴费 交费 水费 电费 水电 煤气 话费 充值 bill
聊天 发消息 消息 私信 打电话 chat message messaging call
朋友圈 动态 moments
视频 video
电影 影片 film movie
电视剧 追剧 剧集 连续剧 series
短视频 刷视频 抖音 clip
直播 主播 live
动漫 番剧 动画 anime
音乐 听歌 歌曲 歌单 music song
听书 有声书 播客 电台 audiobook podcast
读书 看书 小说 电子书 书评 book
新闻 资讯 头条 时事 news
热搜 热榜 热点 热门话题 trend trending
问答 提问 回答 问题 question answer
笔记 攻略 种草 穿搭 心得
评价 评分 点评 口碑 打分 review rating
浏览器 浏览网页 上网 网页 browser web
搜索 查找 检索 search
邮件 邮箱 mail email
短信 验证码 sms
日程 日历 行程 calendar
闹钟 定时 起床 alarm
照片 相册 图片 photo picture
网盘 云盘 云存储 备份
文档 表格 幻灯片 办公 document spreadsheet
会议 开会 meeting
打卡 考勤 签到
审批 请假 报销
挂号 看病 医院 医生 doctor
天气 下雨 气温 预报 weather forecast
设置 无线网络 wifi wlan 蓝牙 亮度 音量 飞行模式 流量 存储空间 settings bluetooth brightness
应用商店 下载应用 安装应用 装软件 install
翻译 translate translation
招聘 找工作 求职 职位 简历 job career
加密 隐私 encrypted private privacy
代码 开源 仓库 源码 code repository source
论文 学术 文献 paper preprint
百科 词条 wiki encyclopedia
旅行 旅游 出行 travel trip
团购 优惠 优惠券 拼单 便宜 coupon deal
"""


_GROUPS = tuple(tuple(row.split()) for row in _ROWS.strip().splitlines())


def others_for(query: str) -> tuple[str, ...]:
    """The words that stand for the same as a word of the query, without those that it holds itself."""
    plain = normal(query)
    words = set(re.findall(r"[a-z0-9]+", plain))
    words |= {word.removesuffix("s") for word in words}

    def held(word: str) -> bool:
        return word in words if word.isascii() else word in plain

    found: dict[str, None] = {}
    for group in _GROUPS:
        if any(map(held, group)):
            found.update(dict.fromkeys(word for word in group if not held(word)))
    return tuple(found)
