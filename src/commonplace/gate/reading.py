"""A text as the gate reads it to compare it with another: its words that matter, in order, and what kind each is. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from commonplace.gate.concepts import stem_of
from commonplace.gate.kinship import rarity, row_of
from commonplace.gate.polarity import negations
from commonplace.terms import STOP_WORDS, normalise, terms

Kind: TypeAlias = Literal["word", "number", "day", "name", "kin"]

_TOKEN = re.compile(
    r"#?\d[\w]*(?:[.,:/\-'\u2019]\d[\w]*)*%?"  # numbers, times, dates, versions
    r"|[^\W\d_]+(?:[.\-_/+&'\u2019][^\W_]+)*[+#]*"  # words, names with marks inside
    r"|[^\W_]+",
)
_REQUESTED = re.compile(r"^\s*user requested:\s*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_LABEL = re.compile(r"\d{1,3}[a-zA-Z]?|[A-Z]\d?|[IVX]+")
_OWNER = re.compile(r"\b([^\W\d_]+)['\u2019]s\b|\b([^\W\d_]+s)['\u2019](?=\s)")
_NOBODY = frozenset({"user", "it", "he", "she", "that", "there", "let", "what", "who", "users"})
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
)

_NUMBERS = {
    word: str(number)
    for number, row in enumerate(
        """
        zero null cero zéro|one once ein eine un una uno une um uma een jeden один bir|two twice both zwei dos deux due dois duas twee dwa два iki
        couple|three thrice drei tres trois tre três drie trzy три üç|four vier cuatro quatre quattro quatro cztery четыре dört|five fünf cinco
        cinq cinque vijf pięć пять beş|six sechs seis sei zes sześć шесть altı|seven sieben siete sept sette sete zeven siedem семь yedi|eight
        acht ocho huit otto oito osiem восемь sekiz|nine neun nueve neuf nove negen dziewięć девять dokuz|ten zehn diez dix dieci dez tien
        dziesięć десять on|eleven elf once|twelve dozen zwölf doce douze|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty
        """.replace("\n", " ").split("|")
    )
    for word in row.split()
    if word not in {"once", "un", "una", "uno", "une", "um", "uma", "ein", "eine", "een", "on", "sei", "null", "couple"}
} | {
    "third": "3",
    "second": "2",
    "fourth": "4",
    "fifth": "5",
    "sixth": "6",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
}
_DAYS = {
    form: group[0]
    for group in (
        names.split()
        for names in """
        monday mon mondays montag montags lunes lundi lunedì segunda maandag poniedziałek понедельник понедельникам pazartesi måndag
        tuesday tue tues tuesdays dienstag dienstags martes mardi martedì terça terças dinsdag wtorek вторник вторникам salı tisdag
        wednesday wed wednesdays mittwoch mittwochs miércoles mercredi mercoledì quarta woensdag środa среда средам çarşamba onsdag
        thursday thu thur thurs thursdays donnerstag donnerstags jueves jeudi giovedì quinta quintas donderdag czwartek четверг четвергам perşembe torsdag
        friday fri fridays freitag freitags viernes vendredi venerdì sexta vrijdag piątek пятница пятницам cuma fredag
        saturday sat saturdays samstag samstags sábado samedi sabato zaterdag sobota суббота субботам cumartesi lördag
        sunday sun sundays sonntag sonntags domingo dimanche domenica zondag niedziela воскресенье воскресеньям pazar söndag
        january jan januar enero janvier gennaio janeiro januari styczeń stycznia январь января ocak
        february feb februar febrero février febbraio fevereiro februari luty lutego февраль февраля şubat
        march märz marzo mars março maart marzec marca март марта mart
        april apr abril avril aprile kwiecień kwietnia апрель апреля nisan
        may mai mayo maggio maio mei maj maja май мая mayıs
        june jun juni junio juin giugno junho czerwiec czerwca июнь июня haziran
        july jul juli julio juillet luglio julho lipiec lipca июль июля temmuz
        august aug agosto août augustus sierpień sierpnia август августа ağustos augusti
        september sep sept septiembre septembre settembre setembro wrzesień września сентябрь сентября eylül
        october oct oktober octubre octobre ottobre outubro październik października октябрь октября ekim
        november nov noviembre novembre listopad listopada ноябрь ноября kasım
        december dec dezember diciembre décembre dicembre dezembro grudzień grudnia декабрь декабря aralık
        """.strip().splitlines()
    )
    for form in group
}
_AMBIGUOUS = {"sun", "sat", "mon", "mar", "may", "march", "wed", "mei", "mai", "sexta", "mart", "on"}
KIN = frozenset(
    """
    wife husband spouse partner girlfriend boyfriend fiancé fiancée son daughter child kid baby toddler mother mum mom father dad parents
    parent sister brother sibling grandmother grandma grandfather granddad grandpa aunt uncle cousin niece nephew mother-in-law
    father-in-law sister-in-law brother-in-law stepson stepdaughter stepmother stepfather stepson twin neighbour neighbor friend colleague boss
    manager supervisor landlord flatmate roommate dog cat puppy kitten hamster horse rabbit parrot
    frau mann sohn tochter mutter vater schwester bruder oma opa hund katze chef chefin schwiegermutter esposa marido hijo hija madre padre hermana
    hermano perro gata gato femme mari fils fille mère père soeur sœur frère chien chat chatte moglie marito figlio figlia sorella fratello cane
    gatto esposa filho filha mãe pai irmã irmão cão cachorro vrouw man zoon dochter moeder vader zus broer hond kat żona mąż syn córka matka ojciec
    siostra brat pies kot жена муж сын дочь мать мама отец папа сестра брат племянница племянник собака кошка бабушка дедушка eş karısı kocası oğlu kızı annesi babası
    kardeşi köpeği kedisi fru son dotter mor far syster bror hund katt
    """.split()
)
_FRAMING = frozenset(
    """
    user users he she his her him hers i me my mine we our us they their them it its you your this that these those please also too very
    really quite now nowadays currently usually generally typically often mostly mainly just still already always actually
    name named called goes
    nutzer benutzer nutzerin benutzerin der die das ein eine und ist hat sein seine ihr ihre ich im in am zu den dem des usuario usuaria el la los las un una y es
    su sus le se lo utilisateur utilisatrice l le la les un une et est son sa ses il elle utente il lo la gli e è un una suo sua usuário usuária o a os as um uma é
    seu sua de het een en is zijn haar gebruiker gebruikster użytkownik jest i w na z się пользователь пользователю пользовательница он она и в на с kullanıcı ve bir bu användaren är och en ett
    de du des da do dos del della di do van voor mit für por para pour per par con com avec à al au aux a z ze
    المستخدم في من उपयोगकर्ता है और में के की का हूँ मैं
    """.split()
)
_WEAK = frozenset(
    """
    prefer prefers preferred like likes liked want wants wanted use uses using used keep keeps get gets go take takes have has having make makes
    need needs should must may can be been do does wish wishes would rather fan favourite favorite love loves enjoy enjoys main
    given give gives put write written set thing things way new old good fine current person people based
    """.split()
)
_LINKS = frozenset(
    """
    is are was were be been has have had uses use runs run lives live works work prefers prefer likes like wants want drives plays takes goes speaks
    studies keeps gets leaves opens closes pays costs needs need expires ends starts meets should must will can does don't doesn't never always
    listens moved moves follow follows happens happen supports teaches eats drinks reads reports started changed went grows sends sits allows belongs
    turns wears charges holds sells shows stands contains comes became
    ist sind hat wohnt arbeitet heißt läuft es son tiene vive trabaja usa est sont a habite travaille utilise è sono ha vive lavora usa é são tem mora
    trabalha is zijn heeft woont werkt gebruikt jest są ma mieszka pracuje używa
    """.split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that matters. `form` is what it is compared by; `weight` how much it tells; `place` where it stands, 0 to 1."""

    form: str
    stem: str
    kind: Kind
    weight: float
    place: float
    leads: bool  # stands before the verb: what the text is about


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and its words."""

    text: str
    words: tuple[Word, ...]
    sequence: tuple[str, ...]  # all words, folded
    negations: int
    acronyms: frozenset[str]
    unspaced: bool
    link: int  # which word is the verb: what comes before is what the text is about
    stems: tuple[str, ...]  # of all words
    numbered: dict[str, str]  # room 5, server B: what has a number or letter as its name
    possessors: frozenset[str]  # whose something is

    def of_kind(self, *kinds: Kind) -> "tuple[Word, ...]":
        return tuple(word for word in self.words if word.kind in kinds)


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    plain = _REQUESTED.sub("", text)
    runs = list(_runs(plain))
    sequence = tuple(run.casefold() for run, _ in runs)
    link = next((at for at, word in enumerate(sequence) if word in _LINKS), 0)
    colon = plain.find(":")
    if 0 < colon < 40 and (before := len(list(_runs(plain[:colon])))) and (not link or before <= link):
        link = before
    shouting = plain.upper() == plain
    found: list[Word] = []
    for at, (run, starts) in enumerate(runs):
        word = _word(run, at / max(len(runs) - 1, 1), leads=at < link, starts=starts or shouting)
        if word:
            found.append(word)
    capitals = "".join(run[0] for run, _ in runs if run[:1].isalpha()).casefold()
    spans = {capitals[a : a + n] for n in (2, 3, 4) for a in range(len(capitals) - n + 1)}
    return Reading(
        plain,
        tuple(found),
        sequence,
        negations(plain),
        frozenset(spans),
        bool(_UNSPACED.search(plain)),
        link,
        tuple(map(stem_of, sequence)),
        _numbered(runs, link),
        _possessors(plain),
    )


def _numbered(runs: "list[tuple[str, bool]]", link: int) -> dict[str, str]:
    pairs = zip(runs[:link], runs[1 : link + 1], strict=False)
    return {a.casefold(): b.casefold() for (a, _), (b, _) in pairs if _LABEL.fullmatch(b) and not _LABEL.fullmatch(a)}


def _possessors(text: str) -> frozenset[str]:
    owners = {(match.group(1) or match.group(2)).casefold() for match in _OWNER.finditer(text)}
    return frozenset(owners - _NOBODY)


def _runs(text: str) -> "list[tuple[str, bool]]":
    """The words as they are written, and whether each begins a sentence. Where there are no spaces, pairs of letters."""
    runs: list[tuple[str, bool]] = []
    for match in _TOKEN.finditer(text):
        run = match.group()
        before = text[: match.start()].rstrip()
        starts = not before or before[-1] in '.!?;:•("“'
        if _UNSPACED.search(run):
            runs += [
                (term, False) for term in terms(run) if len(term) > 1 or len(run) == 1 or not _UNSPACED.match(term)
            ]
        else:
            for part in _parts(run):
                runs.append((part, starts))
                starts = False
    return runs


def _parts(run: str) -> list[str]:
    """`e-mail` is one word, `type-safe` two; a name keeps its marks."""
    bare = _POSSESSIVE.sub("", run)
    folded = bare.casefold()
    if "-" in bare and not any(letter.isdigit() for letter in bare):
        joined = folded.replace("-", "")
        if folded in KIN or row_of(joined) is not None:
            return [bare.replace("-", "") if folded not in KIN else bare]
        return [part for part in bare.split("-") if part]
    if "/" in bare and not any(letter.isdigit() for letter in bare):
        return [part for part in bare.split("/") if part]
    return [bare]


def _word(run: str, place: float, *, leads: bool, starts: bool) -> Word | None:
    folded = normalise(run.casefold())
    raw = run.casefold()
    if raw in _DAYS and (raw not in _AMBIGUOUS or (run[0].isupper() and not starts) or len(raw) > 4):
        return Word(_DAYS[raw], _DAYS[raw], "day", 0.8, place, leads)
    if raw in _NUMBERS:
        return Word(_NUMBERS[raw], _NUMBERS[raw], "number", 0.7, place, leads)
    if any(letter.isdigit() for letter in run):
        return _number(folded, place, leads=leads)
    singular = raw[:-1] if raw.endswith("s") and raw[:-1] in KIN else raw
    if singular in KIN:
        return Word(singular, singular, "kin", 0.7, place, leads)
    if raw in _FRAMING or raw in STOP_WORDS:
        return None
    stems = terms(run)
    stem = stems[0] if stems else folded
    if raw in _WEAK:
        return Word(folded, stem, "word", 0.15, place, leads)
    rare = rarity(folded)
    is_name = (run[0].isupper() and (not starts or row_of(folded) is None)) or run[1:].lower() != run[1:]
    return Word(folded, stem, "name" if is_name else "word", 0.3 + 0.7 * rare, place, leads)


def _number(folded: str, place: float, *, leads: bool) -> Word:
    """`1,150` and `1150`, `3x` and `3`, `09:15` and `9:15` are the same; ordinals are numbers."""
    value = re.sub(r"(?<=\d)[,'\u2019](?=\d{3}\b)", "", folded.strip("%"))
    value = re.sub(r"(?<=\d)(?:st|nd|rd|th|x|h|%|er|e|uhr|km|kg|gb|tb|am|pm)$", "", value)
    value = re.sub(r"^0+(?=\d)", "", value)
    value = re.sub(r":00$", "", value)
    return Word(value, value, "number", 0.7, place, leads)
