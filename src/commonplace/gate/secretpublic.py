"""What reads like a secret and is none, whichever rule found it: the title of a work, a motto, an Indian PIN code.

Looked at only where something was found, within bounds.
"""

from commonplace.gate import secretwords as said
from commonplace.patterns import LazyPattern

_BACK = 110
_AHEAD = 60

_WORK = (
    r"(?:\b(?:novels?|novella|book|film|movie|songs?|album|poem|play|musical|opera|(?:escape |board |video )?game"
    r"|episode|chapter|(?:short )?story|podcast|band|track|series|comic|essay|painting|exhibition|quiz team|team"
    r"|thriller"
    r"|buch|lied|gedicht|theaterstück|hörspiel|folge|kapitel|spiel|erzählung|krimi|roman|livre|chanson|poème|pièce|jeu"
    r"|épisode|chapitre|nouvelle|novela|libro|película|canción|cuento|poema|juego|capítulo|romanzo|canzone|racconto"
    r"|poesia|gioco|episodio|capitolo|romance|livro|filme|canção|música|conto|jogo|boek|liedje|verhaal|toneelstuk|spel"
    r"|aflevering|powieść|książka|piosenka|wiersz|sztuka|gra|odcinek|rozdział|opowiadanie|román|kniha|píseň|bok|låt"
    r"|romanı\w{0,3}|kitabı\w{0,3}|şarkısı\w{0,3}|filmi\w{0,3}|roman\w{0,3})\b"
    r"|роман|книг|фильм|песн|стих|пьес|рассказ|小说|小説|电影|映画|歌|曲|소설|영화|노래)"
)
_IS_CALLED = (
    r"(?:titled|entitled|called|named|title is|is|heißt|lautet|betitelt|intitulée?|s['’]intitule|s['’]appelle|se titula"
    r"|titulad[oa]|se llama|si intitola|intitolat[oa]|si chiama|chama-se|intitulad[oa]|se chama|heet|getiteld"
    r"|nosi tytuł|pod tytułem|pt\.|zatytułowan\w+|jmenuje se|se jmenuje|heter|называется|adı|adlı)"
)
_TITLE_NEXT = LazyPattern(rf"{_WORK}(?:[^.;:\n\"“„«]{{0,40}}?{_IS_CALLED})?\s?[:：,(]?\s?$")
_TITLED = LazyPattern(r"\b(?:titled|entitled|betitelt|intitulée?|titulad[oa]|intitolat[oa]|intitulad[oa]|getiteld)\s?$")
_WRITTEN_DOWN = LazyPattern(
    r"\b(?:notes?|files?|doc\w*|pages?|entry|memo|e-?mails?|message|sheet|folder|zettel|datei)\b"
)
_OPENING = LazyPattern(r"(?:(?<=[\s(])|^)[\"'“„«‘「『](?=[^\W\d_]|\s)|[“„«「『]")
_CLOSING = LazyPattern(r"[\"'”“»’」』](?!\w)")
_WORK_BEHIND = LazyPattern(
    rf"[\"'”“»’」』],?\s(?:her|his|their|my|our|a|an|sein\w*|ihr\w*|ein\w*|son|sa|une?|su|il suo|la sua|o seu|zijn|haar"
    rf"|een|jej|jego)\s(?:[^\W\d_]{{2,12}}\s){{0,3}}?{_WORK}(?!\s(?:says|reads))"
)
_LETTER = LazyPattern(r"[^\W\d_]")

# Words for a password that are words for a motto, too, with what has a motto.
_OF_WHOM = (
    r"(?:[^.\n]{0,40}?\b)(?:festiv|kampani|kampaň|campa|kongres|kirchentag|partei|partii|verein|jahr|roku|rok|année|year"
    r"|season|stagione|estate|squadra|conferen|konferen|movement|bewegung|marsz|protest|strajk|zjazd|zlot|obchod|szkoł|obóz|oboz|tábor"
    r"|škol|dnia|dne|miesiąca|tygodnia|pielgrzym|summer|team|club|klub|choir|chór|firm|wybor|voleb|projek|serata|anno)"
)
_MOTTO = LazyPattern(
    r"(?:hasł[oaeu]|haseł)\s(?:przewodni|reklam|wyborcz|promocyj|krzyżów|encyklop|programow|motywacyj)"
    rf"|(?:hasł[oa]|hesl[oa]|jelszava|jelmondat)\s(?!do\b|k\b|na\b|pro\b|od\b|wi-?fi){_OF_WHOM}"
    r"|(?:hesl[oa])\s(?:volebn|reklamn)"
    rf"|(?:parola d['’]ordine|losungswort|losung|watchword)\s(?:of|for|des|der|vom|von|del|della|dell['’]|di|per)"
    rf"{_OF_WHOM}"
    r"|\b(?:motto|slogan|wahlspruch|leitspruch|leitwort|tagline|hashtag|crossword|kreuzworträtsel|девиз|лозунг|слоган)"
    r"[^.\n]{0,40}(?:\bis|\bist|lautet|est|\bes|è|é|to|jest|:)\s[\"'“„«]?$"
)

_PIN = LazyPattern(r"(?<![a-z])pin(?:[- ]?code)?(?![a-z])")
_PIN_CODE = LazyPattern(r"(?<![a-z])pin[- ]?code(?![a-z])")
_PLACE_NAMED = LazyPattern(r"\b(?:in|near|at) (?:the )?[A-Z][a-z]{2,}")
_PLACE_NEXT = LazyPattern(r"\s?(?:[(,]\s?|in |near )[A-Z][A-Za-z]{2,}")
_INDIAN = LazyPattern(
    r"[a-z]{2}(?:nagar|pur|abad|halli|pall[iey]|gaon|puram|kulam|wadi|garh|ganj|patnam|guda|mangala|wada|kode|padi)\b"
    r"|\b(?:mysuru|mysore|kochi|thane|nashik|bhopal|patna|coimbatore|thrissur|andheri|bandra|noida|surat|indore|lucknow"
    r"|mumbai|delhi|pune|bengaluru|bangalore|chennai|kolkata|kerala|goa|india|gurugram|layout|postal|courier"
    r"|deliver\w*|ships? to|post office|colony|locality)\b"
)
_LOCKED = LazyPattern(r"gym|gate|keypad|garage|wallet|\bupi\b|revolut|monzo|visa|passcode|screen|device")


def is_for_all(text: str, low: str, kind: str, start: int, end: int) -> bool:
    """Whether what was found is made to be known."""
    begin = max(0, start - _BACK)
    if kind in {"PIN", "access code"} and _is_postal(text, low, begin, start, end):
        return True
    if kind in {"password", "passphrase"} and _MOTTO.search(low, begin, start):
        return True
    return kind in {"password", "passphrase", "PIN", "access code"} and _is_in_title(text, low, begin, start, end)


def _is_in_title(text: str, low: str, begin: int, start: int, end: int) -> bool:
    """Whether it stands in the title of a work, behind other words of it."""
    line = max(begin, text.rfind("\n", begin, start) + 1)
    quotes = [found.start() for found in _OPENING.finditer(text, line, start)]
    closed = _CLOSING.search(text, end, end + _AHEAD)
    if not quotes or closed is None or not _LETTER.search(text, quotes[-1] + 1, start):
        return False
    if _CLOSING.search(text, quotes[-1] + 1, start):  # that quotation has ended
        return False
    before = low[line : quotes[-1]]
    if _WORK_BEHIND.match(low, closed.start()):
        return True
    return _TITLE_NEXT.search(before) is not None or (
        _TITLED.search(before) is not None and not _WRITTEN_DOWN.search(before[-40:])
    )


def _is_postal(text: str, low: str, begin: int, start: int, end: int) -> bool:
    """In India a place has a PIN code, of six digits."""
    value = text[start:end].replace(" ", "")
    if len(value) != 6 or not value.isdigit() or value[0] in "09":
        return False
    near = low[begin : end + 40]
    if not _PIN.search(near) or said.NOT_POSTAL.search(near) or _LOCKED.search(near):
        return False
    if _INDIAN.search(near):
        return True
    named = _PLACE_NAMED.search(text, begin, start) or _PLACE_NEXT.match(text, end)
    return named is not None and _PIN_CODE.search(near) is not None
