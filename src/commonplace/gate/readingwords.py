"""The words that the gate looks for when it reads a text, in the languages people keep memories in."""

NUMBERS = {
    word: number
    for number, words in {
        "0": "zero cero zéro",
        "1": "one jeden один bir",
        "2": "two twice both zwei dos deux due dois duas twee dwa два iki second",
        "3": "three thrice drei tres trois tre três drie trzy три üç third",
        "4": "four vier cuatro quatre quattro quatro cztery четыре dört fourth",
        "5": "five fünf cinco cinq cinque vijf pięć пять beş fifth",
        "6": "six sechs seis zes sześć шесть altı sixth",
        "7": "seven sieben siete sept sette sete zeven siedem семь yedi",
        "8": "eight acht ocho huit otto oito osiem восемь sekiz",
        "9": "nine neun nueve neuf nove negen dziewięć девять dokuz",
        "10": "ten zehn diez dix dieci dez tien dziesięć десять",
        "11": "eleven elf",
        "12": "twelve dozen zwölf doce douze",
        "13": "thirteen",
        "14": "fourteen",
        "15": "fifteen",
        "16": "sixteen",
        "17": "seventeen",
        "18": "eighteen",
        "19": "nineteen",
        "20": "twenty",
        "30": "thirty",
        "40": "forty",
        "50": "fifty",
    }.items()
    for word in words.split()
}

DAYS = {
    form: day
    for day, forms in {
        "monday": "monday mon mondays montag montags lunes lundi lunedì segunda maandag poniedziałek "
        "понедельник понедельникам pazartesi måndag",
        "tuesday": "tuesday tue tues tuesdays dienstag dienstags martes mardi martedì terça terças dinsdag "
        "wtorek вторник вторникам salı tisdag",
        "wednesday": "wednesday wed wednesdays mittwoch mittwochs miércoles mercredi mercoledì quarta woensdag "
        "środa среда средам çarşamba onsdag",
        "thursday": "thursday thu thur thurs thursdays donnerstag donnerstags jueves jeudi giovedì quinta "
        "quintas donderdag czwartek четверг четвергам perşembe torsdag",
        "friday": "friday fri fridays freitag freitags viernes vendredi venerdì sexta vrijdag piątek пятница "
        "пятницам cuma fredag",
        "saturday": "saturday sat saturdays samstag samstags sábado samedi sabato zaterdag sobota суббота "
        "субботам cumartesi lördag",
        "sunday": "sunday sun sundays sonntag sonntags domingo dimanche domenica zondag niedziela воскресенье "
        "воскресеньям pazar söndag",
        "january": "january jan januar enero janvier gennaio janeiro januari styczeń stycznia январь января ocak",
        "february": "february feb februar febrero février febbraio fevereiro februari luty lutego февраль "
        "февраля şubat",
        "march": "march märz marzo mars março maart marzec marca март марта mart",
        "april": "april apr abril avril aprile kwiecień kwietnia апрель апреля nisan",
        "may": "may mai mayo maggio maio mei maj maja май мая mayıs",
        "june": "june jun juni junio juin giugno junho czerwiec czerwca июнь июня haziran",
        "july": "july jul juli julio juillet luglio julho lipiec lipca июль июля temmuz",
        "august": "august aug agosto août augustus sierpień sierpnia август августа ağustos augusti",
        "september": "september sep sept septiembre septembre settembre setembro wrzesień września сентябрь "
        "сентября eylül",
        "october": "october oct oktober octubre octobre ottobre outubro październik października октябрь октября ekim",
        "november": "november nov noviembre novembre listopad listopada ноябрь ноября kasım",
        "december": "december dec dezember diciembre décembre dicembre dezembro grudzień grudnia декабрь "
        "декабря aralık",
    }.items()
    for form in forms.split()
}
"""Days and months, as they are called in English."""

KIN = frozenset(
    """
    wife husband spouse partner girlfriend boyfriend fiancé fiancée son daughter child kid baby toddler mother
    mum mom father dad parents parent sister brother sibling grandmother grandma grandfather granddad grandpa
    aunt uncle cousin niece nephew mother-in-law father-in-law sister-in-law brother-in-law stepson stepdaughter
    stepmother stepfather twin neighbour neighbor friend colleague boss manager supervisor landlord flatmate
    roommate dog cat puppy kitten hamster horse rabbit parrot frau mann sohn tochter mutter vater schwester
    bruder oma opa hund katze chef chefin schwiegermutter esposa marido hijo hija madre padre hermana hermano
    perro gata gato femme mari fils fille mère père soeur sœur frère chien chat chatte moglie marito figlio
    figlia sorella fratello cane gatto filho filha mãe pai irmã irmão cão cachorro vrouw man zoon dochter moeder
    vader zus broer hond kat żona mąż syn córka matka ojciec siostra brat pies kot жена муж сын дочь мать мама
    отец папа сестра брат племянница племянник собака кошка бабушка дедушка eş karısı kocası oğlu kızı annesi
    babası kardeşi köpeği kedisi fru dotter mor far syster bror katt
    """.split()
)
"""Who somebody is to somebody: a fact about the sister is none about the user."""

FRAMING = frozenset(
    """
    user users he she his her him hers i me my mine we our us they their them it its you your this that these
    those please also too very really quite now nowadays currently usually generally typically often mostly
    mainly just still already always actually name named called goes nutzer benutzer nutzerin benutzerin der die
    das ein eine und ist hat sein seine ihr ihre ich im in am zu den dem des usuario usuaria el la los las un
    una y es su sus le se lo utilisateur utilisatrice l les une et est son sa ses il elle utente gli e è suo sua
    usuário usuária o a os as um uma é seu de het een en is zijn haar gebruiker gebruikster użytkownik jest w na
    z się пользователь пользователю пользовательница он она и в на с kullanıcı ve bir bu användaren är och ett
    du da do dos del della di van voor mit für por para pour per par con com avec à al au aux ze المستخدم في من
    उपयोगकर्ता है और में के की का हूँ मैं
    """.split()
)
"""Words that say nothing about what a text is about."""

WEAK = frozenset(
    """
    prefer prefers preferred like likes liked want wants wanted use uses using used keep keeps get gets go take
    takes have has having make makes need needs should must may can be been do does wish wishes would rather fan
    favourite favorite love loves enjoy enjoys main given give gives put write written set thing things way new
    old good fine current person people based
    """.split()
)
"""Words that say little: almost every entry has one."""

LINKS = frozenset(
    """
    is are was were be been has have had uses use runs run lives live works work prefers prefer likes like wants
    want drives plays takes goes speaks studies keeps gets leaves opens closes pays costs needs need expires
    ends starts meets should must will can does don't doesn't never always listens moved moves follow follows
    happens happen supports teaches eats drinks reads reports started changed went grows sends sits allows
    belongs turns wears charges holds sells shows stands contains comes became ist sind hat wohnt arbeitet heißt
    läuft es son tiene vive trabaja usa est sont a habite travaille utilise è sono ha lavora é são tem mora
    trabalha zijn heeft woont werkt gebruikt jest są ma mieszka pracuje używa
    """.split()
)
"""Verbs that come after what a text is about."""

AMBIGUOUS = frozenset({"mai", "mar", "march", "mart", "may", "mei", "mon", "on", "sat", "sexta", "sun", "wed"})
"""Names of days that are other words too: only with a capital."""

QUALIFYING = frozenset("for in on at during when while with of from under if as per".split())
"""Words that lead to where, when, for what or of what something is so."""
