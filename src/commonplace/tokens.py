"""How many tokens a text has, by estimate. Pure, and without a vocabulary.

The text is cut as the tokeniser o200k_base cuts it before it looks at its vocabulary; what a piece of some kind and
length costs are averages over English, Chinese and source code. Whole texts come out within a tenth of the true count.
"""

import re

from commonplace.patterns import LazyPattern

_PIECE = re.compile(
    r"(?P<word>(?:[^\r\n\w]|_)?(?:[A-Z]*[^\W\d_A-Z]+|[A-Z]+)(?:'(?:s|t|re|ve|m|ll|d)\b)?)"
    r"|(?P<digits>\d{1,3})"
    r"|(?P<marks>[ ]?(?:[^\s\w]|_)+[\r\n/]*)"
    r"|\s*[\r\n]+|\s+(?!\S)|\s"
)
_WIDE = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
# The commonest Chinese words of two characters that are one token each.
_PAIRS = (
    "一个中国我们他们自己没有国家可以发展工作这个什么主要问题进行地方已经这样全国经济这些不是公司人民社会知道这种起来"
    "地区如果开始技术重要美国成为因为通过研究文化企业北京历史世界其中现在不能一些时间生产情况代表决定湖北关系领导生活"
    "时候一种可能出来学生以及一般同时认为由于所以不同这里学院两个作为会议但是部分活动需要怎么管理方面市场组织工业建设"
    "形成其他出现日本之间一定具有城市以上政治发现记者国际规定机关武汉虽然根据法律影响发生包括使用中心教育要求政府因此"
    "人口建立参加产品一样面积各种提出我国作用必须行政编辑职业制度以后说道世纪为了应该之一之后主席系统有关组成民族基本"
    "增长自然大学如何人员计划不会产生时期最后一次表示机构大家特别改革那么这么东西能力革命一直基础还有得到进入运动目前"
    "对于过程方法举行群众第一单位如此孩子所有资源过去不过条件学校提高工程环境提供方式百科报告或者下来军事部门分别十分"
    "上海完成那些最大然后农业经过专业准备增加获得旅游觉得一起理论今天非常中央比较表现价值科技完全亿元存在达到内容实行"
    "思想事情实现甚至任务形式有人突然不断变化直接战争可是政策不要资本继续年代期间任何那个执行先生解决建筑能够结构一点"
    "成立英国统一先进结果投资后来一下水平保护主任关于负责制定艺术利用于是学习合作科学看到项目几个那里公里服务精神人大"
    "当然个人超过重点很多原因希望新闻设计相关国内最高集团信息重大采用回来范围实际其实不仅取得丰富整个了解价格劳动按照"
    "控制目标基地农村传统受到全部法国比赛土地规模左右选择批准专家分析加强不到铁路百度告诉支持交通处理时代实施成功办法"
    "随着终于大量人物共同多少来说严重接受收入以来声音意见保持今日另外坚持汽车商品改变力量事业开发战略标准是否出去今年"
    "报道程度平均消息还是安全注意机会此外经验采取喜欢领域具体联系干部印度如今大会不可德国阶段无法原则真正法规目的造成"
    "以前建议全面明显就是欧洲首先作品集中正式朋友第二召开材料帮助飞机委员行动保证特点现代资料同志行为结束介绍认识人数"
    "姑娘积极家庭之前更加回答应用来到产业人才意义台湾容易长期一句大道扩大调整考虑联合自由拥有民主附近一天结合说明稳定"
    "三个电话网络利益然而不少调查开放重新知识别人综合出口动物速度用于设备女人措施展开通常电子方向小时行业特色完善功能"
    "香港巨大发表性质质量和平监督一年身体位置体系指出安排训练考试指导除了发布感觉努力机场业务植物状态"
)
_COMMON = frozenset(_PAIRS[at : at + 2] for at in range(0, len(_PAIRS), 2))
_OTHER_PAIRS = 0.91  # for the words that are not in that list


def estimate_tokens(text: str) -> int:
    total = 0.0
    for piece in _PIECE.finditer(text):
        kind = piece.lastgroup
        if kind == "word":
            total += _word(piece[0])
        elif kind == "marks":
            total += _marks(piece[0])
        else:
            total += 1.0
    return round(total + 0.49) if total else 0


def least_tokens(text: str) -> int:
    """What the estimate is never below, also once the text is framed; counted in a tenth of its time."""
    return len(text.split()) if text.isascii() and text.isprintable() else 0


def _word(piece: str) -> float:
    if not piece.isascii():
        return _wide(piece) if _WIDE.search(piece) else max(1.0, 0.27 * len(piece))
    spaced = piece.startswith(" ")
    length = len(piece) - (0 if piece[0].isalpha() else 1)
    if length > 1 and piece.isupper():
        return 1 + (0.08 if spaced else 0.18) * (length - 2)
    if spaced:
        return 1 + 0.035 * max(0, length - 4) + 0.35 * max(0, length - 14)
    return 1 + 0.085 * max(0, length - 2) + 0.35 * max(0, length - 12)


def _wide(piece: str) -> float:
    """A run of a script that sets no spaces: word by word where the word is known, else character by character."""
    total, at = 0.0, 0
    while at < len(piece):
        known = piece[at : at + 2] in _COMMON
        total += 1.0 if known else _character(piece[at])
        at += 2 if known else 1
    return total * _OTHER_PAIRS


def _character(char: str) -> float:
    try:
        code = char.encode("gb2312")
    except UnicodeEncodeError:
        return 0.6 if "\uac00" <= char <= "\ud7af" else 1.2
    if code[0] < 0xB0:  # kana, and marks, which often share a token with what follows
        return 0.7 if _WIDE.match(char) else 0.3
    return 1.0 if code[0] < 0xD8 else 2.0  # the rarer half of the characters stands at the end of that table


def _marks(piece: str) -> float:
    if piece.isascii():
        mixed = len(set(piece.strip())) > 2  # a row of dashes is in the vocabulary, a regular expression is not
        return 1 + (0.15 * max(0, len(piece) - 3) + 0.25 * max(0, len(piece) - 5) if mixed else len(piece) / 32)
    return max(1.0, sum(0.5 if mark.isascii() else 1.0 for mark in piece.strip()))
