"""Whether a text has three or more facts that do not belong together, and which. Pure.

A text is taken apart at bullets, lines, semicolons and sentences, and a sentence at commas and "and" where a new
statement begins: with a verb ("…, is allergic to …") or with a subject of its own ("…, the cat is …"). A list of values
("likes jazz, blues and funk") has no such places. Pieces that lean on the one before ("It …", "so …") or speak of the
same thing belong to it.
"""

import re
from collections.abc import Sequence

from commonplace.gate.suspicion import Suspicion
from commonplace.language import terms
from commonplace.language.monthnames import month_numbers
from commonplace.patterns import LazyPattern

_LEAST = 3
_LOOKED_AT = 4_000
_BULLET = re.compile(r"^[ \t]*(?:[-*+•‣▪◦·–]|\d{1,2}[.)]|\(\d{1,2}\)|[a-h]\))[ \t]+", re.MULTILINE)
_INLINE_BULLET = re.compile(r"\s+(?:[•‣▪◦·]|\(\d{1,2}\))\s+")
_NUMBERED = re.compile(r"(?:^|\s)\d[.)]\s+(?=\S)")
_GERMAN_MONTHS = "|".join(name[:3].capitalize() for name in month_numbers("de"))  # "am 3. Mai" is no end
_SENTENCE_END = re.compile(
    r"(?<!\b[A-Z])(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bProf)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bca)(?<!\bNo)(?<!\bNr)(?<!\betc)"
    r"(?<!\bapprox)(?<!\bSr)(?<!\bJr)(?<!\bz\.B)(?<!\d)(?<!\bdep)(?<!\barr)(?<!\btel)(?<!\bTel)"
    r"(?<!\bmin)(?<!\bmax)[.!?…]+[\"')\]]*\s+(?=[^\Wa-z_])"
    rf"|(?<=\d)\.\s+(?=[A-Z][a-z]+\s)(?!(?:{_GERMAN_MONTHS}))|(?<=[。！？])"
)
_SEMICOLON = re.compile(r"\s*[;；](?!\s*[\w.-]{1,30}=)\s*")  # "v=DKIM1; k=rsa" is one value
_COMMA = re.compile(
    r",\s+(?:and\s+|und\s+|y\s+|et\s+|e\s+|en\s+|i\s+|и\s+|ve\s+|och\s+)?|\s+(?:and|und|y|et|och|ve|и)\s+|[，、]"
)
_TITLE = re.compile(r"^[^\n:：]{2,60}[:：]\s*(?=\n|[-*•]|[^\n]*[;；])")
_SUBJECT = LazyPattern(
    r"^(?P<subject>(?:the |this )?user|i|he|she|they|der nutzer|die nutzerin|el usuario|la usuaria|l'utilisateur"
    r"|l'utilisatrice|l'utente|o usuário|a usuária"
    r"|de gebruiker|użytkownik|użytkowniczka|пользователь|kullanıcı|användaren|用户|ユーザーは|사용자는|المستخدم"
    r"|उपयोगकर्ता)(?=[\s、，是はの]|$)",
    re.IGNORECASE,
)
_BE_OR_DO = (
    r"(?:is|are|was|were|has|have|had|does|doesn't|isn't|hasn't|can|can't|cannot|will|won't|must|should|may|would"
    r"|wouldn't|ist|sind|hat|kann|muss|war|wird|es|está|tiene|son|fue"
    r"|est|sont|ont|peut|è|ha|sono|hanno|era|é|está|tem|são|foi|is|zijn|heeft|kan|jest|ma|są|był|była|är|har|kan|var)"
)
_VERBS = (
    r"(?:lives?|works?|uses?|likes?|loves?|hates?|prefers?|wants?|needs?|plays?|speaks?|drives?|writes?|reads?"
    r"|teaches|teach|studies|study|owns?|keeps?|takes?|goes|runs?|rents?|supports?|learns?"
    r"|drinks?|eats?|codes?|bought|sold|switched|moved|started|stopped|plans?|collects?|manages?|follows?|faces?"
    r"|expires?|meets?|starts?|ends?|costs?|sings?|swims?|cycles?|commutes?|dislikes?|enjoys?|avoids?|volunteers?"
    r"|maintains?|builds?"
    r"|married|graduated|grew|wears?|sleeps?|travels?|pays?|earns?|believes?|requires?|hosts?|replies|answers?"
    r"|belongs?|contains?|stands?|holds?|opens?|closes?|leads?|cooks?|bakes?|breeds?|trains?|practi[sc]es?|serves?"
    r"|ships?|deploys?|tests?"
    r"|wohnt|arbeitet|mag|spielt|spricht|fährt|trinkt|isst|lebt|heißt|nutzt|verwendet|bevorzugt|lernt|schreibt|vive"
    r"|trabaja|usa|prefiere|toca|habla|bebe|come|estudia|escribe|juega|conduce|odia|travaille|habite|utilise"
    r"|préfère|joue|parle|boit|mange|étudie|déteste"
    r"|lavora|abita|preferisce|suona|parla|beve|mangia|studia|guida|gioca|trabalha|mora|prefere|toca|fala|dirige"
    r"|woont|werkt|gebruikt|speelt|spreekt|drinkt|eet|rijdt|houdt|mieszka|pracuje|używa|woli|gra|mówi|pije|jeździ"
    r"|lubi"
    r"|живёт|живет|работает|использует|предпочитает|играет|говорит|пьёт|пьет|ездит|любит|учит|yaşıyor|çalışıyor"
    r"|kullanıyor|bor|arbetar|jobbar|använder|spelar|talar|dricker|äter|kör|gillar)"
)
_STARTS = LazyPattern(
    rf"^(?:also\s+|auch\s+|también\s+|aussi\s+|anche\s+|também\s+|ook\s+|też\s+|тоже\s+|currently\s+|usually\s+"
    rf"|always\s+|never\s+|often\s+|only\s+)?(?:{_BE_OR_DO}|{_VERBS})\b(?!\s*$)",
    re.IGNORECASE,
)
_STATES = LazyPattern(
    rf"^(?:(?:the|his|her|their|my|our|its|der|die|das|sein\w*|ihr\w*|mein\w*|el|la|los|su|sus|mi|le|les|son|sa|ses"
    rf"|il|lo|i|o|os|as|seu|sua|de|het|zijn|haar|mijn|jego|jej|hans|hennes)\s+|[A-ZÀ-ÞА-Я][\w'’-]*\s+|(?:i'm|he's"
    rf"|she's|they're|i've)\s+\S|user\s+|they\s+|he\s+|she\s+|i\s+)"
    rf"(?:[\w'’&-]+\s+){{0,5}}?(?:{_BE_OR_DO}|{_VERBS}|[a-z]{{3,}}s)\b\s+\S",
)
_VERB = LazyPattern(rf"\b(?:{_BE_OR_DO}|{_VERBS})\b", re.IGNORECASE)
_NOUN_STATES = LazyPattern(rf"^(?:[\w'’&-]+\s+){{1,6}}(?:{_BE_OR_DO}|{_VERBS})\s+\S", re.IGNORECASE)
_LEANS = LazyPattern(
    r"^(?:and\s+)?(?:it|its|it's|this|that|these|those|which|who|whose|where|there|so|because|since|but|however"
    r"|therefore|then|otherwise|instead|except|unless|if|when|while|as|for example|e\.g|the latter|both|one of|each"
    r"|not|nor|or|with|without"
    r"|es|dies\w*|das|daher|deshalb|weil|aber|sondern|denn|que|porque|pero|por eso|qui|car|mais|donc|che|perché|ma"
    r"|quindi|mas|por isso|die|dat|want|maar|który|która|bo|ale|więc|который|которая|потому|но|поэтому|çünkü|ama"
    r"|som|men|därför|因为|所以|但|它|这|なので|ため|しかし|그래서|하지만)\b",
    re.IGNORECASE,
)
_OF_SOMEBODY = LazyPattern(r"^(?:and\s+)?(?:all\s+)?(?:he|she|they|his|her|their)\b", re.IGNORECASE)
_IS_NAMED = LazyPattern(  # "Co-founder Ines left", "Ines has"
    r"^(?!(?i:the user|user|my|our|i|he|she|they|his|her|their)\b)"
    rf"(?:[\w-]+ [A-Z]\w+ (?!and\b)[a-z]|[A-Z]\w+ (?:{_BE_OR_DO}|{_VERBS})\b)"
)
_RELATIVE = LazyPattern(
    r"\b(?:who|which|that|when|where|while|because|since|if|unless|so|but|although|after|before|until|wenn|weil"
    r"|dass|que|qui|quand|che|quando|die|dat|als|który|gdy|который|когда|som|när)\b",
    re.IGNORECASE,
)
_COMMON = (
    "user prefers likes uses has wants works lives living project called named he she they good day week time year"
)
_SIBLINGS = tuple(
    frozenset(group.split())
    for group in (
        "breakfast lunch dinner supper brunch snack snacks",
        "monday tuesday wednesday thursday friday saturday sunday",
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays",
        "morning mornings afternoon afternoons evening evenings night nights",
        "spring summer autumn fall winter",
        "first second third fourth fifth",
        "left right north south east west",
    )
)
_REASON = "These are several facts: keep each as an entry of its own."


def several_facts(text: str) -> Suspicion | None:
    """How surely a text has three or more unrelated facts; the pieces are those facts, each able to stand alone."""
    text = text[:_LOOKED_AT].strip()
    pieces, listed = _pieces(text)
    if len(pieces) < _LEAST:
        return None
    groups = _grouped(pieces, listed)
    if len(groups) < _LEAST:
        return None
    certainty = min(0.95, 0.35 + 0.1 * len(groups) + (0.2 if listed else 0.0))
    return Suspicion(round(certainty, 3), _REASON, tuple(_alone(groups, text)))


def _pieces(text: str) -> tuple[list[str], bool]:
    """The statements of a text, and whether somebody wrote them as a list."""
    bare = _TITLE.sub("", text, count=1) if _TITLE.match(text) else text
    for mark in (_BULLET, _INLINE_BULLET):
        if len(mark.findall(bare)) >= _LEAST - 1:
            found = [piece.strip() for piece in mark.split(bare.strip(" \t•‣▪◦·"))]
            return [" ".join(piece.split()) for piece in found if piece], True
    if len(_NUMBERED.findall(bare)) >= _LEAST:
        return [piece.strip(" ,;") for piece in _NUMBERED.split(bare) if piece.strip()], True
    lines = [line.strip() for line in bare.split("\n") if line.strip()]
    if len(lines) >= _LEAST:
        return lines, True
    found: list[str] = []
    for sentence in _SENTENCE_END.split(" ".join(lines)):
        for part in _SEMICOLON.split(sentence):
            found += _statements(part.strip())
    return [piece for piece in found if piece], False


def _statements(sentence: str) -> list[str]:
    """A sentence taken apart where a new statement begins after a comma or "and"."""
    if not sentence:
        return []
    cuts: list[tuple[int, int]] = []
    start = 0
    for match in _COMMA.finditer(sentence):
        rest = sentence[match.end() : match.end() + 160]
        before = sentence[start : match.start()]
        if not _begins(rest, match[0]) or not _complete(before):
            continue
        if _RELATIVE.search(before[-60:]) and "," not in match[0]:
            continue  # "who pay on the 5th and have a lease" goes on about the same
        if "," in before and _STARTS.match(rest) and not _VERB.search(before):
            continue  # "the cat, Pixel, is diabetic": a name was put in between
        cuts.append(match.span())
        start = match.end()
    if len(cuts) == 1 and "," not in sentence[slice(*cuts[0])] and _STARTS.match(sentence[cuts[0][1] :]):
        return [sentence]  # "is called Elias and lives in Bergen" is about one
    edges = [0, *(end for _, end in cuts)]
    ends = [*(begin for begin, _ in cuts), len(sentence)]
    return [sentence[begin:end].strip(" ,") for begin, end in zip(edges, ends, strict=True)]


def _begins(rest: str, joint: str) -> bool:
    if _LEANS.match(rest):
        return False
    if _STARTS.match(rest) or _STATES.match(rest):
        return True
    return "," in joint and _NOUN_STATES.match(rest) is not None


def _complete(before: str) -> bool:
    return len(before.split()) >= 2 or len(before) >= 8


def _grouped(pieces: Sequence[str], listed: bool) -> list[str]:
    """Pieces that stand for themselves; one that leans on another, or speaks of the same thing, is joined to it."""
    groups: list[str] = []
    said: list[set[str]] = []
    common = set(terms(_COMMON))
    for piece in pieces:
        own = {term for term in terms(piece) if term not in common}
        related = (
            _LEANS.match(piece)
            or any(own & other for other in said)
            or _sibling(piece, pieces[0])
            or (_OF_SOMEBODY.match(piece) and _IS_NAMED.match(pieces[0]))
        )
        if groups and not listed and related:
            groups[-1] = (
                f"{groups[-1]}; {piece}" if not groups[-1].endswith((".", "!", "?")) else f"{groups[-1]} {piece}"
            )
            said[-1] |= own
            continue
        groups.append(piece)
        said.append(own)
    return groups


def _sibling(piece: str, first: str) -> bool:
    """Whether two pieces begin with things of one kind, as breakfast and lunch are."""
    heads = [text.lower().removeprefix("the ").partition(" ")[0].strip(":,") for text in (piece, first)]
    return any(heads[0] in group and heads[1] in group for group in _SIBLINGS)


def _alone(groups: Sequence[str], text: str) -> list[str]:
    """Each fact as a sentence: with the subject of the first where it has none of its own."""
    subject = _SUBJECT.match(groups[0])
    name = subject["subject"] if subject else ""
    possessive = text.lower().startswith(("the user's", "user's", "his ", "her ", "their "))
    found: list[str] = []
    for piece in groups:
        sentence = piece.strip(" ,;.")
        if name and not possessive and _STARTS.match(sentence) and not _SUBJECT.match(sentence):
            sentence = f"{name} {sentence}"
        found.append(sentence[:1].upper() + sentence[1:] + ("" if sentence.endswith(("。", "!", "?")) else "."))
    return found
