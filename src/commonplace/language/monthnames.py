"""The names of the months, in the languages people keep memories in: here and nowhere else. Pure."""

_NAMES = {
    "en": "january february march april may june july august september october november december",
    "en, short": "jan feb mar apr may jun jul aug sep oct nov dec",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "tr": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
}
_OTHER_SPELLINGS = {"maerz": 3, "fevrier": 2, "marco": 3, "aout": 8, "decembre": 12, "okt": 10, "dez": 12}

MONTHS = tuple(name.capitalize() for name in _NAMES["en"].split())
"""In English, as they are written."""


def month_numbers(*languages: str) -> dict[str, int]:
    """The number of each month by its name in small letters, in these languages (by default all that are known);
    English names also as they are shortened."""
    chosen = (*languages, "en, short") if "en" in languages else languages or tuple(_NAMES)
    found = {name: number for one in chosen for number, name in enumerate(_NAMES[one].split(), start=1)}
    more = {"sept": 9} if "en, short" in chosen else {}
    return found | more | ({} if languages else _OTHER_SPELLINGS)
