"""Whether an entry was true only for a time that is over: deadlines that have passed, words such as "tomorrow", states
that were current long ago. Pure; what day it is comes from the caller."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from commonplace.gate.suspicion import Suspicion
from commonplace.language.monthnames import month_numbers

_CURRENT_DAYS = 90
_RELATIVE_DAYS = 1
_LOOKED_AT = 2000

_MONTHS = month_numbers()
_MONTH = "|".join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))
_DATES = re.compile(
    r"(?<![\d.])(?P<iso>(?:19|20)\d\d-\d\d?(?:-\d\d?)?)(?![\d-])"
    r"|(?<![\d.])(?P<dotted>\d{1,2}\.\s?\d{1,2}\.\s?(?:19|20)\d\d)(?!\d)"
    r"|(?P<cjk>(?:19|20)\d\d\s?[年년]\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日일])?)"
    rf"|\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|er|º)?\s+(?:of\s+|de\s+|d['’])?(?P<name>{_MONTH})\b\.?"
    r"(?:\s*,?\s*(?:de\s+|of\s+)?(?P<year>(?:19|20)\d\d)\b)?"
    rf"|\b(?P<name2>{_MONTH})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:\s*,?\s+(?P<year2>(?:19|20)\d\d)\b)?"
    rf"|\b(?P<name3>{_MONTH})\.?,?\s+(?:de\s+|of\s+)?(?P<year3>(?:19|20)\d\d)\b"
    r"|\b(?:Q(?P<quarter>[1-4])[\s/-]*)(?P<year4>20\d\d)\b",
    re.IGNORECASE,
)

# Words that put a date in the future of whoever wrote them. "Lived there until 2019" looks back and is none.
_AHEAD = re.compile(
    r"\b(?:deadlines?|due|expires?|expiring|valid (?:until|till|through)|ends? (?:on|in)|ending|runs (?:until"
    r"|till|out)"
    r"|until|till|no later than|by|before|will|plans? to|planning|planned|scheduled?|upcoming|appointment|going to"
    r"|is on|are on|takes place|starts? (?:on|in)|launch(?:es)? (?:on|in)|renew(?:s|al)"
    r"|frist|fällig|bis|läuft (?:bis|ab|aus)|termin|geplant|abgabe|wird|échéance|avant|jusqu|date limite|prévu"
    r"|fecha límite|hasta|vence|prevista?|antes del?|scadenza|entro|scade|previsto|fino al|prazo|até|vencimento"
    r"|uiterlijk|verloopt|tot|gepland|wygasa|planowan\w+|najpóźniej|förfaller|senast|planerad|son tarih|kadar"
    r"|срок|истекает|запланирован\w*)\b|截止|到期|之前|計画|计划|締め切り|締切|期限|まで|予定|마감|까지|만료|예정",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"\b(?:was|were|had|did|lived|worked|studied|used to|has been|have been|been|since|born|married|died|founded"
    r"|left|bought|won|got|met|became|(?!(?:scheduled|planned|expected|booked|reserved|supposed|required"
    r"|extended)\b)\w{3,}ed)\b"
    r"|\b(?:war|waren|hatte|lebte|arbeitete|wurde|seit|geboren|était|avait|depuis|né|née|fue|era|desde|nació|era|nato"
    r"|nata|nasceu|foi|was|waren|urodzon\w+|był|była|родил\w+|был|была)\b|出生|以来|から",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:tomorrow|tonight|yesterday|later today|today(?!['’]s)|(?:next|this|last) (?:week|weekend|month"
    r"|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday)|this (?:morning|afternoon|evening)|in (?:a|an|one|two|three"
    r"|four|\d+) (?:hours?"
    r"|days?|weeks?)|the day after tomorrow|soon"
    r"|morgen(?= (?:früh|abend|nachmittag|um|ist|hat))|übermorgen|heute|gestern|nächste[nr]? (?:woche|monat)"
    r"|diese woche|demain|aujourd['’]hui|hier soir|la semaine prochaine|cette semaine|mañana por la"
    r"|pasado mañana|la próxima semana"
    r"|esta semana|hoy|ayer|domani|oggi|ieri|la prossima settimana|questa settimana|amanhã|hoje|ontem"
    r"|na próxima semana|esta semana|vandaag|gisteren|volgende week|deze week|jutro|dzisiaj|wczoraj"
    r"|w przyszłym tygodniu|завтра|сегодня|вчера|на следующей неделе|yarın|bugün|dün|gelecek hafta|imorgon|idag"
    r"|igår|nästa vecka)\b"
    r"|明天|今天|昨天|下周|本周|明日|今日|昨日|来週|今週|내일|오늘|어제|다음 주|이번 주|غدا|غدًا|اليوم|أمس|कल|आज"
    r"|अगले हफ़्ते",
    re.IGNORECASE,
)
_CURRENT = re.compile(
    r"\b(?:currently|at the moment|right now|at present|presently|for now|these days|for the time being|as of now"
    r"|momentan|derzeit|zurzeit|aktuell|gerade|vorerst|actuellement|en ce moment|pour l['’]instant|actualmente"
    r"|ahora mismo|por ahora|de momento|attualmente|al momento|per ora|atualmente|no momento|por enquanto"
    r"|momenteel|op dit moment"
    r"|obecnie|teraz|na razie|сейчас|в настоящее время|пока что|şu anda|şimdilik|för närvarande|just nu)\b"
    r"|目前|现在|現在|暂时|今のところ|現時点|현재|지금|حاليا|حاليًا|फिलहाल|अभी",
    re.IGNORECASE,
)
_HABITUAL = re.compile(
    r"\b(?:every|each|always|usually|never|often|whenever|as a rule|weekly|daily|monthly|yearly|annual\w*|birthday"
    r"|anniversary|jede[nrs]?|immer|meistens|nie|täglich|geburtstag|chaque|toujours|tous les|toutes les|jamais|cada"
    r"|siempre|todos los|todas las|nunca|ogni|sempre|tutti i|tutte le|todo dia|elke|iedere|altijd|każd\w+"
    r"|zawsze|кажд\w+|всегда"
    r"|her|varje|alltid)\b|每|总是|毎|いつも|매일|매주|항상|생일|生日|誕生日",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"\b(?:latest|current|newest|most recent|neueste|aktuelle|dernière|última|ultima|senaste|nieuwste)\b[^.;]{0,40}?"
    r"\b(?:version|release|build|versión|versione|versão|wersja|versie)\b[^.;]{0,30}?\bv?\d+(?:\.\d+)+"
    r"|\b(?:version|release)\s+v?\d+(?:\.\d+)+\s+(?:is|was)\s+(?:the\s+)?(?:latest|current|newest|just)",
    re.IGNORECASE,
)


def stale(text: str, today: date, since: date | None = None) -> Suspicion | None:
    """How surely `text`, which stands there `since` that day (None: nobody knows), is no longer true `today`."""
    text = text[:_LOOKED_AT]
    if past := _passed(text, today, since):
        return Suspicion(0.9, f"It speaks of {past} as something to come; that has passed.")
    if _HABITUAL.search(text):
        return None
    age = (today - since).days if since else None
    relative = _RELATIVE.search(text)
    if relative and (age is None or age > _RELATIVE_DAYS):
        when = f" It was written on {since}." if since else ""
        return Suspicion(0.7, f'"{relative[0].lower()}" meant another day when it was written.{when}')
    current = _CURRENT.search(text)
    if current and age is not None and age > _CURRENT_DAYS:
        return Suspicion(0.6, f'It says "{current[0].lower()}", and was written {age} days ago.')
    if _VERSION.search(text):
        return Suspicion(0.6, "It names a version as the current one, which changes by itself.")
    return None


def _passed(text: str, today: date, since: date | None) -> str:
    """The date of a deadline or plan that is over, as it is written; empty if there is none."""
    found = list(_dates(text, since))
    if not found or max(last for _, _, last in found) >= today:
        return ""
    for start, written, _ in found:
        before = text[:start]
        if _BEHIND.search(before):
            return ""
        if _AHEAD.search(text):
            return written
    return ""


def _dates(text: str, since: date | None) -> Iterator[tuple[int, str, date]]:
    """Where a date stands in the text, how it is written, and the last day that it may mean."""
    for match in _DATES.finditer(text):
        last = _last_day(match, since)
        if last is not None:
            yield match.start(), match[0].strip(" ,."), last


def _last_day(match: re.Match[str], since: date | None) -> date | None:
    numbers = [int(number) for number in re.findall(r"\d+", match[0])]
    try:
        if match["iso"] or match["cjk"]:
            return date(*numbers) if len(numbers) == 3 else _end_of_month(*numbers)
        if match["dotted"]:
            return date(numbers[2], numbers[1], numbers[0])
        if match["quarter"]:
            return _end_of_month(int(match["year4"]), 3 * int(match["quarter"]))
        if match["name3"]:
            return _end_of_month(int(match["year3"]), _MONTHS[match["name3"].lower()])
        month = _MONTHS[(match["name"] or match["name2"]).lower()]
        day, year = int(match["day"] or match["day2"]), match["year"] or match["year2"]
        if year:
            return date(int(year), month, day)
        if since is None:
            return None
        same_year = date(since.year, month, day)
        return same_year if same_year >= since else date(since.year + 1, month, day)
    except (ValueError, TypeError):
        return None


def _end_of_month(year: int, month: int) -> date:
    return (date(year, month, 1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)
