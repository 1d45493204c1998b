"""The forms by which text from elsewhere shows in a message: fences, tags, mails, logs, and how people announce it.

Patterns only; `gate.pasted` says what they mean. Each looks at one line, and none can run away on a long one.
"""

import re

from commonplace.patterns import LazyPattern

RULE = re.compile(r"-{3,}|={3,}|\*{3,}|_{3,}")
FENCE = LazyPattern(r"[ \t]{0,8}(`{3,}|~{3,}|\"\"\"|''')")
OPENING = LazyPattern(r"<([A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,400})?>")
CLOSING = LazyPattern(r"</([A-Za-z][\w:.-]{0,40})\s{0,4}>")
COMMENT = LazyPattern(r"<!--|<script\b|<style\b|<html\b|<!doctype\b", re.IGNORECASE)
KNOWN = LazyPattern(
    r"(?:documents?|doc|web[-_]?(?:page|site|content|results?|search|fetch)|page|article|site|url|html|body|file"
    r"|files"
    r"|file[-_](?:content|contents|text)|attachment|attachments|source|sources|context|content|contents"
    r"|tool[-_]?\w*|function[-_]?\w*|results?|search[-_]?\w*"
    r"|outputs?|stdout|stderr|logs?|email|e-mail|mail|message|messages|thread|forwarded|quote|blockquote|pasted?"
    r"|clipboard|transcript|"
    r"observation|response|reply|snippet|code|pre|data|json|xml|pdf|image|ocr|invite|calendar|event|issue|comment"
    r"|comments|review|reviews"
    r"|readme|note|notes|system|system[-_]\w+|memory|instructions?|assistant|user|div|p|table|section)",
    re.IGNORECASE,
)
QUOTED = LazyPattern(r"[ \t]{0,3}(?:>|&gt;|\|[ \t])")
HEADER = LazyPattern(
    r"[ \t>*_]{0,6}(?:From|To|Cc|Bcc|Sent|Date|Subject|Reply-To|Message-ID|Von|An|Gesendet|Datum|Betreff|De|À"
    r"|Envoyé|Objet"
    r"|Enviado|Para|Asunto|Assunto|Da|A|Inviato|Oggetto|Van|Aan|Verzonden|Onderwerp|Od|Do|Wysłano|Temat|От|Кому"
    r"|Тема|Дата"
    r"|Kimden|Kime|Konu|Från|Till|Ämne|Organizer|Attendees|Location|When|Where|发件人|收件人|主题|日期|差出人|宛先|件名|보낸사람|받는사람"
    r"|제목)[ \t*_]{0,4}[:：]\s*\S",
    re.IGNORECASE,
)
FORWARDED = LazyPattern(
    r"[ \t>*_-]*(?:-{2,}\s*)?(?:Forwarded message|Original Message|Begin forwarded message"
    r"|Weitergeleitete Nachricht|Ursprüngliche Nachricht"
    r"|Mensaje reenviado|Mensaje original|Message transféré|Message d'origine|Messaggio inoltrato"
    r"|Messaggio originale|Mensagem encaminhada"
    r"|Mensagem original|Doorgestuurd bericht|Oorspronkelijk bericht|Przekazana wiadomość|Пересылаемое сообщение"
    r"|İletilen ileti|Vidarebefordrat meddelande"
    r"|转发的邮件|転送メッセージ|전달된 메시지)\b",
    re.IGNORECASE,
)
WROTE = LazyPattern(
    r".{0,120}\b(?:wrote|schrieb|escribió|a écrit|ha scritto|escreveu|schreef|napisał\w*|написал\w*|yazdı"
    r"|skrev)\s*(?:[^:]{0,40})[:：]\s*$",
    re.IGNORECASE,
)
CALENDAR = LazyPattern(r"(?:BEGIN:V|SUMMARY:|DTSTART|DESCRIPTION:|LOCATION:|ORGANIZER)")
FORGED = LazyPattern(
    r"[ \t*_#>\[(-]{0,8}(?:(?:tool|function|system|assistant|ai|developer|admin(?:istrator)?|model|search|web"
    r"|browser|terminal|console|command|shell|api|server|file)"
    r"(?:[ _-]?(?:result|results|output|response|message|note|notice|prompt|call|reply|contents?|update|directive"
    r"|instruction|instructions))?"
    r"|result|results|output|response|observation|stdout|stderr|memory(?: update| note)?|daily summary"
    r"|long[- ]term (?:facts?|memory))"
    r"[ \t*_\])]{0,6}(?:[:：]|$)",
    re.IGNORECASE,
)
TOOL_LINE = LazyPattern(r"\W{0,4}(?:tool|function|observation|assistant)\b", re.IGNORECASE)
HEADING = LazyPattern(r"[ \t]{0,3}#{1,6}\s+\S")
LOG = LazyPattern(
    r"[ \t]{0,8}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL"
    r"|TRACE)\b|Traceback \(most|\s{2,}at \S+\(|File \"[^\"]{1,200}\", line|\$ \S|(?:npm|pip|cargo|error"
    r"|warning)(?:\[\w+\])?:? )"
)
DATA = LazyPattern(
    r"[ \t]{0,40}(?://|/\*|\*/|#!|--\s|;;)\s?\S|[ \t]{0,40}(?:[{\[\]}]+,?\s*$|[{\[]\s*[\"{\[]|\"[^\"]{1,80}\"\s*:)"
)
NOUN = (
    r"(?:page|web ?page|web ?site|site|article|post|blog|story|news|piece|text|passage|paragraph|excerpt|extract"
    r"|snippet|quote|review|reviews|comment|comments|thread|email|e-mail|mail|message|letter|newsletter|invite"
    r"|invitation|invoice|receipt"
    r"|log|logs|output|error|traceback|stack ?trace|dump|response|result|results|transcript|minutes|readme|file"
    r"|document|doc|pdf|spec|report|paper|abstract|chapter|contract|policy|terms|listing|description|ad|job posting"
    r"|posting|manual|docs|documentation"
    r"|cv|résumé|resume|code|function|script|config|snippet|diff|patch|issue|ticket|changelog|table|csv|json|html"
    r"|recipe|menu|lyrics|poem|chat|conversation|slack|whatsapp|caption|ocr|notes"
    r"|seite|webseite|artikel|text|nachricht|e-mail|protokoll|datei|dokument|ausgabe|fehlermeldung|rezept|página"
    r"|artículo|correo|mensaje|archivo|documento|registro|salida|reseña|texto|receta|article|courriel|fichier"
    r"|journal|sortie|texte|recette|avis"
    r"|pagina|articolo|messaggio|documento|testo|ricetta|recensione|artigo|arquivo|mensagem|receita|bericht|bestand"
    r"|tekst|recept|strona|artykuł|wiadomość|plik|dokument|tekst|przepis|страниц\w*|стать\w*|письмо|сообщение|файл"
    r"|документ|текст|лог|рецепт|отзыв"
    r"|sayfa|makale|e-posta|mesaj|dosya|belge|metin|sidan|artikeln|mejlet|meddelandet|filen|dokumentet|texten)"
)
ANNOUNCED = LazyPattern(
    rf"(?:\b(?:here(?:'s|’s| is| are)|this is|these are|below(?: is| are)?|following|see|attached|pasted?|pasting"
    rf"|copied|forwarding|forwarded|got|received|found|hier (?:ist|sind|kommt)|aquí (?:está|tienes?|va)|esta es"
    rf"|este es|voici|voilà|ecco|aqui (?:está|vai)|segue|oto|вот|işte|här (?:är|kommer))\b.{{0,80}}\b{NOUN}\b"
    rf"|\b(?:summari[sz]e|tl;?dr|translate|proofread|review|explain|check|read|fix|debug|look at|analy[sz]e|rewrite"
    rf"|rephrase|shorten|edit|extract|what (?:does|do|is)|fass\w*|zusammenfass\w*|übersetz\w*|erklär\w*|lies"
    rf"|prüf\w*|resume|resumir|traduce|explica|revisa|lee|résume|résumer|traduis|explique|relis|lis|riassumi"
    rf"|traduci|spiega|leggi|traduza|resuma|leia|vat|vertaal|lees|streść|przetłumacz|przeczytaj|перевед\w*"
    rf"|прочит\w*|объясни|кратко|özetle|çevir|oku|sammanfatta|översätt|läs)\b.{{0,80}}\b(?:this|these|that|the"
    rf"|following|below|dies\w*|das|den|folgend\w*|est[ea]|esto|siguiente|ce|cet|cette|ceci|suivant\w*|quest[oa]"
    rf"|seguente|isto|seguinte|dit|deze|volgende|to|tę|ten|это\w*|эту|bu|det här|denna|detta)\b"
    r"|[页頁]面|网页|網頁|文章|邮件|郵件|日志|日誌|文件|记事|記事|メール|ページ|ログ|ファイル|次の|以下|下記|下面|페이지|기사|이메일|메일|로그|파일|다음|아래|الصفحة|المقال"
    r"|البريد|الرسالة|الملف|التالي|पेज|लेख|ईमेल|संदेश|फ़ाइल|निम्नलिखित)"
    r".{0,120}$",
    re.IGNORECASE,
)
THIS = LazyPattern(
    r"\b(?:this|these|following|below|here|dies\w*|folgend\w*|est[ea]|siguiente|cet?|cette|suivant\w*|quest[oa]"
    r"|seguinte|dit|deze|tę|ten|это\w*|эту|bu|denna|detta)\b"
    r"|次の|以下|下記|下面|다음|아래|التالي|निम्नलिखित",
    re.IGNORECASE,
)
THIS_TEXT = LazyPattern(
    r"\b(?:this|these|following|below|diese[nrsm]?|folgende[nrsm]?|est[ea]|cet?|cette|quest[oa]|ess[ea]|dit|deze|tę"
    r"|ten|это\w*|эту|bu|denna|detta) (?:\w+ )?"
    r"(?:text|poem|letter|article|e?-?mail|message|review|paragraph|passage|excerpt|post|story|lyrics|quote|note"
    r"|comment|cv|résumé|resume|recipe|transcript|abstract|essay|speech|statement|ad|newsletter"
    r"|gedicht|brief|artikel|nachricht|texto|poema|carta|artículo|correo|mensaje|texte|poème|lettre|courriel|testo"
    r"|poesia|lettera|articolo|artigo|tekst|wiersz|list|текст|стих\w*|письмо|статью|metin|şiir|mektup|brev|dikt)\b",
    re.IGNORECASE,
)
INLINE_QUOTE = LazyPattern(r"[:：]\s*[\"“”«„「‘']{1,3}\s*(?=\S.{20})")
LETTER = LazyPattern(
    r"[ \t>]{0,4}(?:Dear (?!assistant|claude|chatgpt|gemini|ai\b|bot\b)\w|Sehr geehrte|Liebe[rs]? \w+,\s*$"
    r"|Estimad[oa]s?\b|Querid[oa]s?\b|Ch[eè]re?s? |Gentile |Egregio |Prezad[oa]|Geachte |Beste \w+,\s*$"
    r"|Szanown|Drog[ai] \w+,\s*$|Уважаем|Дорог(?:ой|ая) \w+,|Sayın |Kära |Hej \w+,\s*$"
    r"|尊敬的|亲爱的|拝啓|안녕하세요 고객)",
    re.IGNORECASE,
)
SENT_TO_ME = LazyPattern(
    r"\b(?:what|this|that|mail|email|message|text|note|dm|letter|reply|answer|comment|post) (?:\w+ ){0,4}(?:sent"
    r"|wrote|texted|messaged|posted|emailed|forwarded|replied|answered|got|received|said)\b(?: me| us| to me| to us"
    r"| in| on| back)?"
    r"|\b(?:sent|texted|messaged|emailed|forwarded|wrote) (?:me|us|to me|to us|back)\b|\bhat (?:mir"
    r"|uns) .{0,30}(?:geschickt|geschrieben)|\bme (?:ha )?(?:escrito|escribió|mandó|envió)|\bm'a (?:écrit|envoyé)"
    r"|\bmi ha (?:scritto|mandato)|\bme (?:escreveu|mandou|enviou)"
    r"|\b(?:schreef|stuurde) me|\bnapisał\w* (?:mi|do mnie)|\b(?:написал|прислал)\w* мне|\bmne (?:написал|прислал)"
    r"|bana .{0,20}(?:yazdı|gönderdi)|skrev till mig|skickade mig|发给我|送ってき|보내왔",
    re.IGNORECASE,
)
SHOWS = LazyPattern(
    r"[:：?？]\s*$|^\W*(?:here|this is|look|see|check|got|so here|hier|das|mira|aquí|voici|voilà|regarde|ecco|guarda"
    r"|olha|kijk|patrz|вот|смотри|bak|titta|看)|\b(?:what|how) (?:should|shall|do|can|would|could) (?:i|we)\b"
    r"|\b(?:can|could) you\b",
    re.IGNORECASE,
)
ENDS_IN_THIS = LazyPattern(
    r"\W*(?:\w+[^\w\n]+){0,7}(?:this|these|that|it|following|below|here you go|das|dies|folgendes|esto|ça|ceci"
    r"|questo|isto|dit|to|это|bunu|detta|det här|这个|这段|これ|이거)\W*$",
    re.IGNORECASE,
)
SPEAKER = LazyPattern(
    r"[ \t*_>]{0,4}(?:customer|client|seller|buyer|boss|manager|colleague|coworker|support|agent|user|human|recruiter"
    r"|landlord|tenant|neighbou?r|teacher|doctor|patient|reporter|interviewer|host|guest|caller|sender|vendor|kunde|kundin"
    r"|chef|cliente|client|jefe|vendedor|klient|szef|клиент|müşteri|kund|客户|卖家|お客様|고객|him|her|them|me|mom|mum|dad)"
    r"[ \t*_]{0,4}[:：][ \t]*\S",
    re.IGNORECASE,
)
TO_REWORK = LazyPattern(
    rf"\b(?:improv\w+|correct|edit|polish|verbessern?|verbessere|korrigieren?|überarbeit\w+|zusammenfassen|übersetzen|kürzen"
    rf"|mejora\w*|corregir|traducir|resumir|acorta\w*|améliore\w*|corrige\w*|traduire|résumer|raccourci\w*|migliora\w*"
    rf"|correggere|tradurre|riassumere|melhora\w*|corrigir|traduzir|verbeteren|vertalen|samenvatten|inkorten|popraw\w*"
    rf"|przetłumacz\w*|skróc\w*|улучш\w+|исправ\w+|перевест\w+|düzelt\w*|çevir\w*|förbättra|översätta|korta)\b.{{0,60}}\b{NOUN}\b"
    rf"|\b{NOUN}\b.{{0,60}}\b(?:verbessern|korrigieren|überarbeiten|zusammenfassen|übersetzen|kürzen|verbeteren|vertalen"
    rf"|samenvatten|düzelt\w*|çevir\w*|özetle\w*)\b",
    re.IGNORECASE,
)
REWORK = LazyPattern(
    r"\W*(?:(?:please|pls|can you|could you|would you|kannst du|bitte|puedes|por favor|peux-tu|puoi|pode|kun je"
    r"|możesz|можешь|пожалуйста|kan du) ){0,2}"
    r"(?:summari[sz]e|tl;?dr|translate|proofread|shorten|rewrite|rephrase|reword|paraphrase|simplify|polish|improve"
    r"|transcribe|fasse?|zusammenfassen|übersetze?n?|korrigiere?|resume|resumir|traduce|traducir|corrige"
    r"|résume[rz]?|tradui[st]\w*|corrige[rz]?"
    r"|riassum\w+|traduc\w+|correggi|resuma|traduza|corrija|vat|vertaal|verbeter|streść|przetłumacz|popraw"
    r"|перевед\w+|исправ\w+|özetle|çevir|düzelt|sammanfatta|översätt|rätta|总结|翻译|润色|改写|要約|翻訳|添削|요약|번역)"
    r"(?!.{0,80}\b(?:i|my|we)\b)",
    re.IGNORECASE,
)
WHO_WROTE = LazyPattern(
    r"\b(?:just |has |have |hat |ha |a )?(?:wrote|written|sent|texted|replied|answered|posted|says|said|geschrieben"
    r"|geschickt|escribió|écrit|scritto|escreveu|geschreven|napisał\w*|написал\w*|yazdı|skrev)(?: (?:this|me|us"
    r"|back|today|this morning|mir|das|me|esto|ceci|questo|isto|dit|to|это|bunu|detta))?\s*[:：.…]*\s*$",
    re.IGNORECASE,
)
QUOTED_LINE = LazyPattern(r"\s{0,4}[\"“«„「].{20,}[\"”»“」]\s*$")
FOREIGN_LINES = (QUOTED, LOG, DATA, CALENDAR, QUOTED_LINE)
ABOVE = LazyPattern(
    r"\b(?:this|that|these|above|it|das|dies\w*|oben|esto|est[ea]|arriba|ça|ceci|cet?|cette|ci-dessus|questo|sopra"
    r"|isto|acima|dit|dat|hierboven|to|powyżej|это\w*|выше|bu|yukarıdaki|detta|det|ovan)\b|上面|这|上記|これ|위의|이거",
    re.IGNORECASE,
)
ASKING = LazyPattern(
    r"[?？]\s*$|^\W*(?:please\s+)?(?:summari[sz]e|translate|proofread|explain|check|fix|review|shorten|rewrite"
    r"|rephrase|reply|answer|debug|tl;?dr|fass|übersetz|prüf|resume|traduce|explica|résume|traduis|riassumi|traduci"
    r"|resuma|traduza|vat|vertaal|przetłumacz|перевед|özetle|çevir|sammanfatta|översätt)\b",
    re.IGNORECASE,
)
QUOTE_END = LazyPattern(r"[\"”»“」’']\s*[.?!]?\s*$|[\"”»“」].{0,60}$")
ASKS_ABOUT = LazyPattern(
    r"\b(?:this|these|following|below|make|shorten|shorter|longer|translate|rewrite|rephrase|mean|means|says?|said"
    r"|wrote|think of|diese\w*|folgend\w*|est[ea]|cet?|cette|quest[oa]|dit|deze|to|tę|ten|это\w*|bu|denna|detta)\b"
    r"|次の|以下|下面|这|다음",
    re.IGNORECASE,
)
COLON = LazyPattern(r"[:：]\s*$")
INLINE = LazyPattern(
    rf"\b(?:here(?:'s|’s| is| are)|this is|below is|following(?: is)?|says?|reads?"
    rf"|said)\b[^:\n]{{0,60}}\b{NOUN}\b[^:\n]{{0,40}}[:：]\s+\S|\b(?:the|an?|this|that|their|his"
    rf"|her) {NOUN}(?: \w+){{0,3}} (?:says?|reads?|said|states?|claims?)[:：,]?\s+\S",
    re.IGNORECASE,
)
WEB = LazyPattern(
    r"https?://|\bwww\.|\b(?:web|page|site|article|blog|html|url|search|browser|seite|página|pagina|strona|сайт|網|网"
    r"|ページ|サイト)",
    re.IGNORECASE,
)
TOOL = LazyPattern(
    r"tool|function|result|output|stdout|stderr|observation|response|terminal|console|command|shell|\bapi\b|server",
    re.IGNORECASE,
)
SELF = LazyPattern(
    r"\b(?:I|I'm|I've|I'd|me|my|we|our|ich|mein\w*|mir|je|mon|ma|mes|yo|mi|mis|io|mio|eu|meu|minha|ik|mijn|ja|mój"
    r"|moja|я|мой|моя|мне|ben|benim|jag|min|mitt)\b|我|私|僕|나는|제가",
    re.IGNORECASE,
)
