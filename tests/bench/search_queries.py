"""The written-down queries: what was typed, and the documents of which one has to come first, or among the first three.

`real` ones mean documents that ship or that the facts hold; a query whose documents are all missing is left out.
"""

from __future__ import annotations

__all__ = ["ALIASES", "INTENTS", "NAMES", "SOUNDS", "TYPOS", "Query"]

Query = tuple[str, tuple[str, ...]]


def _queries(text: str) -> tuple[Query, ...]:
    rows = (line.split(" = ") for line in text.strip().splitlines())
    return tuple((query.strip(), tuple(wanted.split())) for query, wanted in rows)


NAMES = _queries("""
微信 = app:wechat
QQ = app:qq
支付宝 = app:alipay
淘宝 = app:taobao site:taobao.com
天猫 = app:tmall
京东 = app:jd site:jd.com
拼多多 = app:pinduoduo
美团 = app:meituan
大众点评 = app:dianping site:dianping.com
饿了么 = app:eleme
高德地图 = app:amap
百度地图 = app:baidumap
滴滴出行 = app:didi
抖音 = app:douyin site:douyin.com
快手 = app:kuaishou
小红书 = app:xiaohongshu site:xiaohongshu.com
哔哩哔哩 = app:bilibili site:bilibili.com
微博 = app:weibo site:weibo.com
知乎 = app:zhihu site:zhihu.com
豆瓣 = app:douban site:douban.com
网易云音乐 = app:netease-music
QQ音乐 = app:qqmusic
腾讯视频 = app:tencent-video
爱奇艺 = app:iqiyi
铁路12306 = app:12306 site:12306.cn
携程旅行 = app:ctrip
飞猪 = app:fliggy
钉钉 = app:dingtalk
企业微信 = app:wecom
今日头条 = app:toutiao site:toutiao.com
闲鱼 = app:xianyu
喜马拉雅 = app:ximalaya
招商银行 = app:cmb
云闪付 = app:unionpay
百度网盘 = app:baidu-netdisk
设置 = app:settings
YouTube = app:youtube site:youtube.com
whatsapp = app:whatsapp
TELEGRAM = app:telegram
github = site:github.com
Hacker News = site:news.ycombinator.com
bilibili.com = site:bilibili.com
com.tencent.mm = app:wechat
""")

ALIASES = _queries("""
B站 = app:bilibili site:bilibili.com
b 站 = app:bilibili site:bilibili.com
Ｂ站 = app:bilibili site:bilibili.com
手淘 = app:taobao
WeChat = app:wechat
jingdong = app:jd
京东秒送 = app:jd
Taobao = app:taobao site:taobao.com
推特 = app:x
领英 = app:linkedin
云音乐 = app:netease-music
维基百科 = site:wikipedia.org
掘金 = site:juejin.cn
Google Maps = app:google-maps
""")

SOUNDS = _queries("""
weixin = app:wechat
zhifubao = app:alipay
zhi fu bao = app:alipay
zfb = app:alipay
taobao = app:taobao site:taobao.com
tb = app:taobao site:taobao.com
pinduoduo = app:pinduoduo
pdd = app:pinduoduo
meituan = app:meituan
eleme = app:eleme
elm = app:eleme
gaodeditu = app:amap
gddt = app:amap
bddt = app:baidumap
didichuxing = app:didi
douyin = app:douyin site:douyin.com
kuaishou = app:kuaishou
xhs = app:xiaohongshu site:xiaohongshu.com
bilibili = app:bilibili site:bilibili.com
weibo = app:weibo site:weibo.com
zhihu = app:zhihu site:zhihu.com
wangyiyunyinyue = app:netease-music
wyyyy = app:netease-music
qqyinyue = app:qqmusic
txsp = app:tencent-video
aiqiyi = app:iqiyi
xiecheng = app:ctrip site:ctrip.com
qunaer = app:qunar
qywx = app:wecom
jinritoutiao = app:toutiao site:toutiao.com
xianyu = app:xianyu
ximalaya = app:ximalaya
zsyh = app:cmb
zhaoshangyinhang = app:cmb
ysf = app:unionpay
bdwp = app:baidu-netdisk
shezhi = app:settings
""")

TYPOS = _queries("""
微心 = app:wechat
支付包 = app:alipay
支付寶 = app:alipay
zhifbao = app:alipay
zhifubo = app:alipay
taoboa = app:taobao site:taobao.com
tabao = app:taobao site:taobao.com
拼夕夕多 = app:pinduoduo
拼多 = app:pinduoduo
pingduoduo = app:pinduoduo
美图团 = app:meituan
metuan = app:meituan
高的地图 = app:amap
高德地图图 = app:amap
百度地 = app:baidumap
滴滴出形 = app:didi
抖因 = app:douyin site:douyin.com
doyin = app:douyin site:douyin.com
小红薯 = app:xiaohongshu site:xiaohongshu.com
小洪书 = app:xiaohongshu site:xiaohongshu.com
xiaohongsu = app:xiaohongshu site:xiaohongshu.com
哔哩哔里 = app:bilibili site:bilibili.com
哔哩哔 = app:bilibili site:bilibili.com
bilbili = app:bilibili site:bilibili.com
bilibli = app:bilibili site:bilibili.com
billibili = app:bilibili site:bilibili.com
网易音乐 = app:netease-music
网易云音月 = app:netease-music
腾迅视频 = app:tencent-video
爱其艺 = app:iqiyi
豆办 = app:douban site:douban.com
知呼 = app:zhihu site:zhihu.com
zhihuu = app:zhihu site:zhihu.com
喜马拉亚 = app:ximalaya
今日头头条 = app:toutiao site:toutiao.com
咸鱼 = app:xianyu
钉丁 = app:dingtalk
youtub = app:youtube site:youtube.com
yotube = app:youtube site:youtube.com
whatsap = app:whatsapp
watsapp = app:whatsapp
telegarm = app:telegram
instgram = app:instagram
gihtub = site:github.com
githb = site:github.com
wikipeda = site:wikipedia.org
stackoverfow = site:stackoverflow.com
spotfy = app:spotify
netflx = app:netflix
firfox = app:firefox
chorme = app:chrome
""")

INTENTS = _queries("""
我想点个外卖 = app:meituan app:eleme
附近有什么好吃的餐厅 = app:dianping site:dianping.com app:meituan
打车去机场 = app:didi app:uber app:amap
叫一辆出租车 = app:didi
买一张去上海的高铁票 = app:12306 site:12306.cn app:ctrip site:ctrip.com
看一下火车票余票 = app:12306 site:12306.cn
订酒店 = app:ctrip app:fliggy app:qunar app:meituan site:ctrip.com site:booking.com
比较机票价格 = app:qunar app:ctrip app:fliggy site:ctrip.com
听歌看歌词 = app:qqmusic app:netease-music
想听有声书 = app:ximalaya app:dedao
追一部电视剧 = app:tencent-video app:iqiyi app:youku
看看豆瓣上的书评 = app:douban site:douban.com
导航去公司 = app:amap app:baidumap
查公交路线 = app:amap app:baidumap
卖掉二手手机 = app:xianyu
给同事打卡审批 = app:dingtalk app:wecom
开一个视频会议 = app:feishu app:dingtalk app:zoom app:teams
设一个明早七点的闹钟 = app:clock
看今天的日程安排 = app:calendar app:feishu app:dingtalk
信用卡还款 = app:cmb app:alipay
查银行卡余额 = app:unionpay app:cmb
交水电费 = app:alipay
把文件存到网盘里 = app:baidu-netdisk
编辑一个表格文档 = app:wps
收验证码短信 = app:messages
发朋友圈 = app:wechat
和朋友聊天发消息 = app:wechat app:qq app:whatsapp app:telegram
看短视频 = app:douyin app:kuaishou app:toutiao site:douyin.com
看直播 = app:bilibili app:douyin app:kuaishou site:bilibili.com
看热搜 = app:weibo site:weibo.com
提一个问题看别人的回答 = app:zhihu site:zhihu.com
找穿搭和旅行笔记 = app:xiaohongshu site:xiaohongshu.com
打开手机的无线网络开关 = app:settings
改一下屏幕亮度 = app:settings
浏览网页 = app:chrome app:firefox
watch a film tonight = app:netflix site:imdb.com app:youtube
listen to podcasts = app:spotify
order a ride to the station = app:uber
find a job = app:linkedin site:linkedin.com
read scientific papers = site:arxiv.org
python library documentation = site:docs.python.org
install open source apps = app:fdroid
encrypted messages = app:signal app:whatsapp app:telegram
book a holiday home = site:booking.com site:airbnb.com
看新闻 = app:toutiao site:toutiao.com site:163.com site:qq.com app:baidu
""")
