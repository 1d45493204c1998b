"""A user's message, taken apart: what they wrote, and what they put into it from somewhere else. Pure.

What came from elsewhere shows by its form: fences, quotes, tags, headers of mails, output of programs, a line that
announces it. Where a form does not say where it ends, all that follows is taken as foreign: a page must not be able to
end itself and go on as if it were the user. One pass over the lines; nothing is searched twice.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from commonplace.types import Voice


class Part(NamedTuple):
    """A stretch of a message; `voice` is USER for what the user wrote."""

    voice: Voice
    text: str


_FENCE = re.compile(r"[ \t]{0,8}(`{3,}|~{3,}|\"\"\"|''')")
_OPENING = re.compile(r"<([A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,400})?>")
_CLOSING = re.compile(r"</([A-Za-z][\w:.-]{0,40})\s{0,4}>")
_COMMENT = re.compile(r"<!--|<script\b|<style\b|<html\b|<!doctype\b", re.IGNORECASE)
_KNOWN = re.compile(
    r"(?:documents?|doc|web[-_]?(?:page|site|content|results?|search|fetch)|page|article|site|url|html|body|file|files"
    r"|file[-_](?:content|contents|text)|attachment|attachments|source|sources|context|content|contents|tool[-_]?\w*|function[-_]?\w*|results?|search[-_]?\w*"
    r"|outputs?|stdout|stderr|logs?|email|e-mail|mail|message|messages|thread|forwarded|quote|blockquote|pasted?|clipboard|transcript|"
    r"observation|response|reply|snippet|code|pre|data|json|xml|pdf|image|ocr|invite|calendar|event|issue|comment|comments|review|reviews"
    r"|readme|note|notes|system|system[-_]\w+|memory|instructions?|assistant|user|div|p|table|section)",
    re.IGNORECASE,
)
_LONG_TAGGED = 160
_QUOTED = re.compile(r"[ \t]{0,3}(?:>|&gt;|\|[ \t])")
_HEADER = re.compile(
    r"[ \t>*_]{0,6}(?:From|To|Cc|Bcc|Sent|Date|Subject|Reply-To|Message-ID|Von|An|Gesendet|Datum|Betreff|De|À|Envoyé|Objet"
    r"|Enviado|Para|Asunto|Assunto|Da|A|Inviato|Oggetto|Van|Aan|Verzonden|Onderwerp|Od|Do|Wysłano|Temat|От|Кому|Тема|Дата"
    r"|Kimden|Kime|Konu|Från|Till|Ämne|Organizer|Attendees|Location|When|Where|发件人|收件人|主题|日期|差出人|宛先|件名|보낸사람|받는사람|제목)[ \t*_]{0,4}[:：]\s*\S",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"[ \t>*_-]*(?:-{2,}\s*)?(?:Forwarded message|Original Message|Begin forwarded message|Weitergeleitete Nachricht|Ursprüngliche Nachricht"
    r"|Mensaje reenviado|Mensaje original|Message transféré|Message d'origine|Messaggio inoltrato|Messaggio originale|Mensagem encaminhada"
    r"|Mensagem original|Doorgestuurd bericht|Oorspronkelijk bericht|Przekazana wiadomość|Пересылаемое сообщение|İletilen ileti|Vidarebefordrat meddelande"
    r"|转发的邮件|転送メッセージ|전달된 메시지)\b",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r".{0,120}\b(?:wrote|schrieb|escribió|a écrit|ha scritto|escreveu|schreef|napisał\w*|написал\w*|yazdı|skrev)\s*(?:[^:]{0,40})[:：]\s*$",
    re.IGNORECASE,
)
_CALENDAR = re.compile(r"(?:BEGIN:V|SUMMARY:|DTSTART|DESCRIPTION:|LOCATION:|ORGANIZER)")
_FORGED = re.compile(
    r"[ \t*_#>\[(-]{0,8}(?:(?:tool|function|system|assistant|ai|developer|admin(?:istrator)?|model|search|web|browser|terminal|console|command|shell|api|server|file)"
    r"(?:[ _-]?(?:result|results|output|response|message|note|notice|prompt|call|reply|contents?|update|directive|instruction|instructions))?"
    r"|result|results|output|response|observation|stdout|stderr|memory(?: update| note)?|daily summary|long[- ]term (?:facts?|memory))"
    r"[ \t*_\])]{0,6}(?:[:：]|$)",
    re.IGNORECASE,
)
_TOOL_LINE = re.compile(r"\W{0,4}(?:tool|function|observation|assistant)\b", re.IGNORECASE)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}\s+\S")
_LOG = re.compile(
    r"[ \t]{0,8}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|Traceback \(most|\s{2,}at \S+\(|File \"[^\"]{1,200}\", line|\$ \S|(?:npm|pip|cargo|error|warning)(?:\[\w+\])?:? )"
)
_DATA = re.compile(
    r"[ \t]{0,40}(?://|/\*|\*/|#!|--\s|;;)\s?\S|[ \t]{0,40}(?:[{\[\]}]+,?\s*$|[{\[]\s*[\"{\[]|\"[^\"]{1,80}\"\s*:)"
)
_NOUN = (
    r"(?:page|web ?page|web ?site|site|article|post|blog|story|news|piece|text|passage|paragraph|excerpt|extract|snippet|quote|review|reviews|comment|comments|thread|email|e-mail|mail|message|letter|newsletter|invite|invitation|invoice|receipt"
    r"|log|logs|output|error|traceback|stack ?trace|dump|response|result|results|transcript|minutes|readme|file|document|doc|pdf|spec|report|paper|abstract|chapter|contract|policy|terms|listing|description|ad|job posting|posting|manual|docs|documentation"
    r"|cv|résumé|resume|code|function|script|config|snippet|diff|patch|issue|ticket|changelog|table|csv|json|html|recipe|menu|lyrics|poem|chat|conversation|slack|whatsapp|caption|ocr|notes"
    r"|seite|webseite|artikel|text|nachricht|e-mail|protokoll|datei|dokument|ausgabe|fehlermeldung|rezept|página|artículo|correo|mensaje|archivo|documento|registro|salida|reseña|texto|receta|article|courriel|fichier|journal|sortie|texte|recette|avis"
    r"|pagina|articolo|messaggio|documento|testo|ricetta|recensione|artigo|arquivo|mensagem|receita|bericht|bestand|tekst|recept|strona|artykuł|wiadomość|plik|dokument|tekst|przepis|страниц\w*|стать\w*|письмо|сообщение|файл|документ|текст|лог|рецепт|отзыв"
    r"|sayfa|makale|e-posta|mesaj|dosya|belge|metin|sidan|artikeln|mejlet|meddelandet|filen|dokumentet|texten)"
)
_ANNOUNCED = re.compile(
    rf"(?:\b(?:here(?:'s|’s| is| are)|this is|these are|below(?: is| are)?|following|see|attached|pasted?|pasting|copied|forwarding|forwarded|got|received|found|hier (?:ist|sind|kommt)|aquí (?:está|tienes?|va)|esta es|este es|voici|voilà|ecco|aqui (?:está|vai)|segue|oto|вот|işte|här (?:är|kommer))\b.{{0,80}}\b{_NOUN}\b"
    rf"|\b(?:summari[sz]e|tl;?dr|translate|proofread|review|explain|check|read|fix|debug|look at|analy[sz]e|rewrite|rephrase|shorten|edit|extract|what (?:does|do|is)|fass\w*|zusammenfass\w*|übersetz\w*|erklär\w*|lies|prüf\w*|resume|resumir|traduce|explica|revisa|lee|résume|résumer|traduis|explique|relis|lis|riassumi|traduci|spiega|leggi|traduza|resuma|leia|vat|vertaal|lees|streść|przetłumacz|przeczytaj|перевед\w*|прочит\w*|объясни|кратко|özetle|çevir|oku|sammanfatta|översätt|läs)\b.{{0,80}}\b(?:this|these|that|the|following|below|dies\w*|das|den|folgend\w*|est[ea]|esto|siguiente|ce|cet|cette|ceci|suivant\w*|quest[oa]|seguente|isto|seguinte|dit|deze|volgende|to|tę|ten|это\w*|эту|bu|det här|denna|detta)\b"
    r"|[页頁]面|网页|網頁|文章|邮件|郵件|日志|日誌|文件|记事|記事|メール|ページ|ログ|ファイル|次の|以下|下記|下面|페이지|기사|이메일|메일|로그|파일|다음|아래|الصفحة|المقال|البريد|الرسالة|الملف|التالي|पेज|लेख|ईमेल|संदेश|फ़ाइल|निम्नलिखित)"
    r".{0,120}$",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\b(?:this|these|following|below|here|dies\w*|folgend\w*|est[ea]|siguiente|cet?|cette|suivant\w*|quest[oa]|seguinte|dit|deze|tę|ten|это\w*|эту|bu|denna|detta)\b"
    r"|次の|以下|下記|下面|다음|아래|التالي|निम्नलिखित",
    re.IGNORECASE,
)
_THIS_TEXT = re.compile(
    r"\b(?:this|these|following|below|diese[nrsm]?|folgende[nrsm]?|est[ea]|cet?|cette|quest[oa]|ess[ea]|dit|deze|tę|ten|это\w*|эту|bu|denna|detta) (?:\w+ )?"
    r"(?:text|poem|letter|article|e?-?mail|message|review|paragraph|passage|excerpt|post|story|lyrics|quote|note|comment|cv|résumé|resume|recipe|transcript|abstract|essay|speech|statement|ad|newsletter"
    r"|gedicht|brief|artikel|nachricht|texto|poema|carta|artículo|correo|mensaje|texte|poème|lettre|courriel|testo|poesia|lettera|articolo|artigo|tekst|wiersz|list|текст|стих\w*|письмо|статью|metin|şiir|mektup|brev|dikt)\b",
    re.IGNORECASE,
)
_INLINE_QUOTE = re.compile(r"[:：]\s*[\"“”«„「‘']{1,3}\s*(?=\S.{20})")
_LETTER = re.compile(
    r"[ \t>]{0,4}(?:Dear (?!assistant|claude|chatgpt|gemini|ai\b|bot\b)\w|Sehr geehrte|Liebe[rs]? \w+,\s*$|Estimad[oa]s?\b|Querid[oa]s?\b|Ch[eè]re?s? |Gentile |Egregio |Prezad[oa]|Geachte |Beste \w+,\s*$"
    r"|Szanown|Drog[ai] \w+,\s*$|Уважаем|Дорог(?:ой|ая) \w+,|Sayın |Kära |Hej \w+,\s*$|尊敬的|亲爱的|拝啓|안녕하세요 고객)",
    re.IGNORECASE,
)
_SENT_TO_ME = re.compile(
    r"\b(?:what|this|that|mail|email|message|text|note|dm|letter|reply|answer|comment|post) (?:\w+ ){0,4}(?:sent|wrote|texted|messaged|posted|emailed|forwarded|replied|answered|got|received|said)\b(?: me| us| to me| to us| in| on| back)?"
    r"|\b(?:sent|texted|messaged|emailed|forwarded|wrote) (?:me|us|to me|to us|back)\b|\bhat (?:mir|uns) .{0,30}(?:geschickt|geschrieben)|\bme (?:ha )?(?:escrito|escribió|mandó|envió)|\bm'a (?:écrit|envoyé)|\bmi ha (?:scritto|mandato)|\bme (?:escreveu|mandou|enviou)"
    r"|\b(?:schreef|stuurde) me|\bnapisał\w* (?:mi|do mnie)|\b(?:написал|прислал)\w* мне|\bmne (?:написал|прислал)|bana .{0,20}(?:yazdı|gönderdi)|skrev till mig|skickade mig|发给我|送ってき|보내왔",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"[:：?？]\s*$|^\W*(?:here|this is|look|see|check|got|so here|hier|das|mira|aquí|voici|voilà|regarde|ecco|guarda|olha|kijk|patrz|вот|смотри|bak|titta|看)|\b(?:what|how) (?:should|shall|do|can|would|could) (?:i|we)\b|\b(?:can|could) you\b",
    re.IGNORECASE,
)
_ENDS_IN_THIS = re.compile(
    r"\W*(?:\w+[^\w\n]+){0,7}(?:this|these|that|it|following|below|here you go|das|dies|folgendes|esto|ça|ceci|questo|isto|dit|to|это|bunu|detta|det här|这个|这段|これ|이거)\W*$",
    re.IGNORECASE,
)
_REWORK = re.compile(
    r"\W*(?:(?:please|pls|can you|could you|would you|kannst du|bitte|puedes|por favor|peux-tu|puoi|pode|kun je|możesz|можешь|пожалуйста|kan du) ){0,2}"
    r"(?:summari[sz]e|tl;?dr|translate|proofread|shorten|rewrite|rephrase|reword|paraphrase|simplify|polish|improve|transcribe|fasse?|zusammenfassen|übersetze?n?|korrigiere?|resume|resumir|traduce|traducir|corrige|résume[rz]?|tradui[st]\w*|corrige[rz]?"
    r"|riassum\w+|traduc\w+|correggi|resuma|traduza|corrija|vat|vertaal|verbeter|streść|przetłumacz|popraw|перевед\w+|исправ\w+|özetle|çevir|düzelt|sammanfatta|översätt|rätta|总结|翻译|润色|改写|要約|翻訳|添削|요약|번역)"
    r"(?!.{0,80}\b(?:i|my|we)\b)",
    re.IGNORECASE,
)
_WHO_WROTE = re.compile(
    r"\b(?:just |has |have |hat |ha |a )?(?:wrote|written|sent|texted|replied|answered|posted|says|said|geschrieben|geschickt|escribió|écrit|scritto|escreveu|geschreven|napisał\w*|написал\w*|yazdı|skrev)(?: (?:this|me|us|back|today|this morning|mir|das|me|esto|ceci|questo|isto|dit|to|это|bunu|detta))?\s*[:：.…]*\s*$",
    re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"\s{0,4}[\"“«„「].{20,}[\"”»“」]\s*$")
_ABOVE = re.compile(
    r"\b(?:this|that|these|above|it|das|dies\w*|oben|esto|est[ea]|arriba|ça|ceci|cet?|cette|ci-dessus|questo|sopra|isto|acima|dit|dat|hierboven|to|powyżej|это\w*|выше|bu|yukarıdaki|detta|det|ovan)\b|上面|这|上記|これ|위의|이거",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"[?？]\s*$|^\W*(?:please\s+)?(?:summari[sz]e|translate|proofread|explain|check|fix|review|shorten|rewrite|rephrase|reply|answer|debug|tl;?dr|fass|übersetz|prüf|resume|traduce|explica|résume|traduis|riassumi|traduci|resuma|traduza|vat|vertaal|przetłumacz|перевед|özetle|çevir|sammanfatta|översätt)\b",
    re.IGNORECASE,
)
_QUOTE_END = re.compile(r"[\"”»“」’']\s*[.?!]?\s*$|[\"”»“」].{0,60}$")
_ASKS_ABOUT = re.compile(
    r"\b(?:this|these|following|below|make|shorten|shorter|longer|translate|rewrite|rephrase|mean|means|says?|said|wrote|think of|diese\w*|folgend\w*|est[ea]|cet?|cette|quest[oa]|dit|deze|to|tę|ten|это\w*|bu|denna|detta)\b"
    r"|次の|以下|下面|这|다음",
    re.IGNORECASE,
)
_COLON = re.compile(r"[:：]\s*$")
_INLINE = re.compile(
    rf"\b(?:here(?:'s|’s| is| are)|this is|below is|following(?: is)?|says?|reads?|said)\b[^:\n]{{0,60}}\b{_NOUN}\b[^:\n]{{0,40}}[:：]\s+\S|\b(?:the|an?|this|that|their|his|her) {_NOUN}(?: \w+){{0,3}} (?:says?|reads?|said|states?|claims?)[:：,]?\s+\S",
    re.IGNORECASE,
)
_WEB = re.compile(
    r"https?://|\bwww\.|\b(?:web|page|site|article|blog|html|url|search|browser|seite|página|pagina|strona|сайт|網|网|ページ|サイト)",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"tool|function|result|output|stdout|stderr|observation|response|terminal|console|command|shell|\bapi\b|server",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:I|I'm|I've|I'd|me|my|we|our|ich|mein\w*|mir|je|mon|ma|mes|yo|mi|mis|io|mio|eu|meu|minha|ik|mijn|ja|mój|moja|я|мой|моя|мне|ben|benim|jag|min|mitt)\b|我|私|僕|나는|제가",
    re.IGNORECASE,
)
_SHORT_ASK = 160
_LONG_PARAGRAPH = 1500
_LONG_MESSAGE = 6000
_LONGEST_LINE = 600
_SELF_EVERY = 160  # characters: people who tell much about themselves say "I" at least so often


def parts(text: str) -> list[Part]:
    """The message in order, in stretches of one voice."""
    found: list[Part] = []
    for voice, piece in _by_tags(text):
        if voice is Voice.USER:
            found += _by_lines(piece)
        else:
            found.append(Part(voice, piece))
    return [part for part in found if part.text.strip()]


def _by_tags(text: str) -> Iterator[Part]:
    """Stretches in tags that name a source, or that are long; each up to the last tag that closes it."""
    if "<" not in text:
        yield Part(Voice.USER, text)
        return
    closings = {match[1].lower(): match.end() for match in _CLOSING.finditer(text)}
    done = at = 0
    while opening := _OPENING.search(text, at):
        name = opening[1].lower()
        end = closings.get(name, -1)
        known = _KNOWN.fullmatch(name) is not None
        if end <= opening.end():
            end = len(text) if known and opening.end() < len(text) else -1
        if end < 0 or not (known or end - opening.start() > _LONG_TAGGED or "\n" in text[opening.start() : end]):
            at = opening.end()
            continue
        yield Part(Voice.USER, text[done : opening.start()])
        yield Part(_voice_of(opening[0]), text[opening.end() : end])
        done = at = end
    yield Part(Voice.USER, text[done:])


def _by_lines(text: str) -> list[Part]:
    """Stretches of lines: fences, quotes, mails, logs, and what is announced."""
    lines = text.split("\n")
    pasted_before = _asked_about(lines)
    found: list[Part] = []
    fence, rest = "", Voice.USER
    for at, line in enumerate(lines):
        if not line:
            found.append(Part(found[-1].voice if found else Voice.USER, line))
            continue
        if at < pasted_before:
            found.append(Part(Voice.FILE, line))
            continue
        mark = _FENCE.match(line[:80])
        head = line[:_LONGEST_LINE]
        if fence or mark:
            found.append(Part(Voice.FILE, line))
            fence = _fence_after(fence, mark[1] if mark else "", line)
        elif rest is not Voice.USER:
            found.append(Part(rest, line))
        elif opened := _opens(head, lines, at):
            rest, starts_here = opened
            found.append(Part(rest if starts_here else Voice.USER, line))
        elif _COMMENT.search(head):
            rest = Voice.WEB
            found.append(Part(rest, line))
        elif any(shape.match(head) for shape in (_QUOTED, _LOG, _DATA, _CALENDAR, _QUOTED_LINE)):
            found.append(Part(Voice.FILE, line))
        elif len(line) > _LONG_PARAGRAPH and not _tells_of_self(line):
            found.append(Part(Voice.FILE, line))
        elif (quote := _INLINE_QUOTE.search(head)) and _ASKS_ABOUT.search(head[: quote.start()]):
            found += [Part(Voice.USER, line[: quote.start()]), Part(Voice.FILE, line[quote.end() :])]
            if not _QUOTE_END.search(line[-_LONGEST_LINE:]):
                rest = Voice.FILE
        else:
            found.append(Part(Voice.USER, line))
    joined = list(_joined(found))
    if sum(len(part.text) for part in joined if part.voice is Voice.USER) > _LONG_MESSAGE:
        return [_unless_too_long(part) for part in joined]
    return joined


def _asked_about(lines: list[str]) -> int:
    """How many lines are a text that the last line asks about ("… What does this mean?")."""
    last = max((at for at, line in enumerate(lines) if line.strip()), default=0)
    asking = lines[last]
    if last < 1 or len(asking) > _SHORT_ASK or not (_ASKING.search(asking) and _ABOVE.search(asking)):
        return 0
    before = "\n".join(lines[:last])
    if not before.strip():
        return 0
    if _REWORK.match(asking):
        return last
    if _tells_of_self(before) or "```" in before or _ASKING.search(lines[0][:_SHORT_ASK]):
        return 0
    return last


def _fence_after(fence: str, mark: str, line: str) -> str:
    """The fence that is open after a line: none if it closes the open one, or opens and closes one."""
    if not fence:
        return "" if line.strip()[3:].rstrip().endswith(mark[:3]) else mark
    return "" if mark.startswith(fence) and not line.strip().strip(mark[0]) else fence


def _opens(line: str, lines: list[str], at: int) -> tuple[Voice, bool] | None:
    """Whether foreign text begins at this line and goes on: whose it is, and whether the line is a part of it."""
    following = any(later.strip() for later in lines[at + 1 : at + 4])
    if _FORWARDED.match(line) or _LETTER.match(line) or (following and _WROTE.match(line)):
        return Voice.FILE, True
    if _HEADER.match(line) and at + 1 < len(lines) and _HEADER.match(lines[at + 1][:_LONGEST_LINE]):
        return Voice.FILE, True
    if _FORGED.match(line) and (at > 0 or following or _TOOL_LINE.match(line)):
        return (_voice_of(line), True)
    if not following:
        return (_voice_of(line), True) if _INLINE.search(line) else None
    if _HEADING.match(line) and not _tells_of_self(_after(lines, at)):
        return Voice.FILE, True
    if not lines[at + 1].strip() and _THIS_TEXT.search(line):
        return _voice_of(line), False
    short = len(line) <= _SHORT_ASK
    if short and _SHOWS.search(line) and _SENT_TO_ME.search(line):
        return _voice_of(line), False
    if short and (_REWORK.match(line) or _WHO_WROTE.search(line)):
        return _voice_of(line), False
    if short and _ENDS_IN_THIS.match(line) and not _tells_of_self(line) and not _tells_of_self(_after(lines, at)):
        return _voice_of(line), False
    announced = _ANNOUNCED.search(line)
    if announced and _COLON.search(line):
        return _voice_of(line), False
    if short and not lines[at + 1].strip() and _ASKING.search(line) and _THIS.search(line):
        return None if _tells_of_self(_after(lines, at)) else (_voice_of(line), False)
    if announced and not lines[at + 1].strip() and _THIS.search(announced[0]) and not _tells_of_self(_after(lines, at)):
        return _voice_of(line), False
    if _INLINE.search(line):
        return _voice_of(line), True
    return None


def _after(lines: list[str], at: int) -> str:
    """What follows a line, as much of it as is looked at."""
    return "\n".join(lines[at + 1 : at + 40])[:_LONG_MESSAGE]


def _joined(pieces: list[Part]) -> Iterator[Part]:
    for voice, group in groupby(pieces, key=lambda part: part.voice):
        yield Part(voice, "\n".join(part.text for part in group))


def _unless_too_long(part: Part) -> Part:
    if part.voice is Voice.USER and len(part.text) > _LONG_PARAGRAPH and not _tells_of_self(part.text):
        return Part(Voice.FILE, part.text)
    return part


def _tells_of_self(text: str) -> bool:
    return len(_SELF.findall(text)) * _SELF_EVERY >= len(text)


def _voice_of(announcement: str) -> Voice:
    if _TOOL.search(announcement):
        return Voice.TOOL
    return Voice.WEB if _WEB.search(announcement) else Voice.FILE
