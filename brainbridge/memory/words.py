"""Words that decide whether two texts say the same: negations, words that exclude each other, numbers, and fillers.

Small closed lists on purpose: what is not on them is compared by its letters alone. Where a list lacks a word, a change
of fact may count as a restatement; the wording that was there first always stays, and the outcome says what happened.
"""

import re
from functools import cache

# Any of these in one text and none in the other turns the meaning round.
NEGATIONS = frozenset(
    "not no never none nothing nobody neither nor without cannot "
    "nicht kein keine keinen keinem keiner keines nie niemals ohne nichts weder "
    "nunca jamás sin ningún ninguna tampoco nada "
    "ne pas jamais sans aucun aucune rien ni "
    "não nem sem 不 没 沒 无 無 别 未 ない ません なし 않 안 못".split()
)

# They turn the meaning by being there, wherever they stand.
QUALIFIERS = frozenset(
    "only except unless hardly barely rarely seldom half quit nur außer solo salvo seulement sauf".split()
)

# Function words, and what is said for politeness or emphasis. They change no fact, so they are not compared.
FILLERS = frozenset(
    "a an the this that these those it its is are was were be been being am do does did has have had get gets got "
    "to of in on at for with by from into as and or so but if when then than there here we you i he she they our my "
    "your his her their us me again also just ever really very actually quite please remember note reminder fyi btw keep "
    "mind once will would should can could let's "
    "bitte merke merken notiere daran denk denken erinnerung der die das den dem des ein eine einen einem einer ist "
    "sind war waren wird werden hat haben zu zum zur im am an auf für mit von vom bei und oder so da dass auch "
    "ich du er sie es wir ihr man noch immer "
    "por favor recuerda recordatorio recuerde que de del el la los las lo un una unos unas es son está están era fue ha "
    "han a al en con para y o se su sus mi tu también ya cada todo todos toda todas "
    "s'il vous te plaît rappel rappelle retiens noter le la les l' un une des du de d' est sont était a ont au aux en "
    "dans avec pour par et ou se sa son ses mon ma que qui aussi tous tout toute toutes chaque".split()
)

# Chinese particles that come and go without changing what is said.
CJK_FILLERS = str.maketrans("", "", "是的了吗呢啊吧")

# Each line is a set of words that exclude each other: one of them in the one text and another in the other is a change.
_EXCLUSIVE = """
second seconds · millisecond milliseconds · minute minutes · hour hours · day days · week weeks · month months · year years
byte bytes · kilobyte kb · megabyte mb · gigabyte gb · terabyte tb
gram grams · kilogram kilograms kg · ton tons tonnes | meter metre meters · kilometer kilometre km · mile miles · foot feet · inch inches
celsius · fahrenheit | kilogram kilograms kg · pound pounds lb | euro euros eur · dollar dollars usd · pound pounds gbp · franc francs chf
monday · tuesday · wednesday · thursday · friday · saturday · sunday · weekday weekdays · weekend weekends
montag · dienstag · mittwoch · donnerstag · freitag · samstag · sonntag
lunes · martes · miércoles · jueves · viernes · sábado · domingo
lundi · mardi · mercredi · jeudi · vendredi · samedi · dimanche
january · february · march · april · may · june · july · august · september · october · november · december
januar · februar · märz · april · mai · juni · juli · august · september · oktober · november · dezember
enero · febrero · marzo · abril · mayo · junio · julio · agosto · septiembre · octubre · noviembre · diciembre
janvier · février · mars · avril · mai · juin · juillet · août · septembre · octobre · novembre · décembre
morning · noon · afternoon · evening · night · midnight
morgen morgens · mittag mittags · nachmittag · abend abends · nacht nachts
mañana · tarde · noche | matin · midi · soir · nuit
daily · weekly · monthly · yearly annually · hourly · nightly
täglich · wöchentlich · monatlich · jährlich | quotidien · hebdomadaire · mensuel · annuel
red · green · blue · yellow · black · white · orange · purple · grey gray · brown
north · south · east · west | left · right | links · rechts | izquierda · derecha | gauche · droite
up · down | upper · lower | top · bottom | above · below | over · under | oben · unten | arriba · abajo | haut · bas
before · after | earlier · later | early · late | vor · nach | früh · spät | antes · después | avant · après
first · last | erste · letzte | primero · último | premier · dernier
enable enabled enables · disable disabled disables | activate activated · deactivate deactivated | on · off | an · aus
aktivieren aktiviert · deaktivieren deaktiviert | activar activado · desactivar desactivado | activer activé · désactiver désactivé
include includes included including · exclude excludes excluded excluding except | inside · outside | internal · external
accept accepts accepted · reject rejects rejected refuse refuses | allow allows allowed permit · deny denied forbid forbidden block blocked
erlaubt · verboten | permitir permitido · prohibir prohibido | autorisé · interdit
open opens opened · close closes closed | start starts begin begins · stop stops end ends | arrive arrives · leave leaves depart
add adds added · remove removes removed | increase increases increased raise · decrease decreases decreased reduce lower
true · false | always · sometimes · rarely · never | immer · nie | siempre · nunca | toujours · jamais
more · less fewer | mehr · weniger | más · menos | plus · moins | most · least | maximum max · minimum min | at-least · at-most
read reads reading · write writes writing | readable · writable | sync synchronous synchronously · async asynchronous asynchronously
push pushes · pull pulls | client · server | frontend · backend | input · output | source · target | parent · child
encrypt encrypted · decrypt decrypted | lock locked · unlock unlocked | import imports · export exports | upload · download
install · uninstall | attach · detach | connect connected · disconnect disconnected | save keep keeps · discard delete drop deletes drops
show shows shown · hide hides hidden | visible · invisible hidden | public · private | local · remote | online · offline
required mandatory · optional | mutable · immutable | static · dynamic | strict · lenient | manual manually · automatic automatically
single · multiple | short shorter · long longer | small smaller · large larger big bigger | old older · new newer
fast faster · slow slower | high higher · low lower | ascending · descending | hot warm · cold cool | wet · dry | light · dark
full · empty | cheap cheaper · expensive | easy · difficult hard | strong · weak | safe · unsafe dangerous | valid · invalid
stable · unstable | success succeeds · failure fails fail | passes passed · failed | buy buys · sell sells | win · lose
likes like loves love enjoys prefers prefer · dislikes dislike hates hate avoids avoid | tabs · spaces | vegetarian · vegan
production · staging · development testing | odd · even | vertical · horizontal | front · back | day · night
alt · neu | viejo · nuevo | vieux · nouveau | schnell schneller · langsam langsamer | rápido · lento | rapide · lent | intérieur · extérieur | interior · exterior | innen · außen | warm · kalt
开启 启用 · 关闭 禁用 | 打开 · 关闭 | 上午 · 下午 | 之前 · 之后 | 左边 · 右边 | 增加 · 减少 | 允许 · 禁止 | 最大 · 最小
有効 · 無効 | 午前 · 午後 | 左側 · 右側 | 増や · 減ら | 許可 · 禁止 | 最大 · 最小 | 開始 · 終了 | 追加 · 削除
"""

# Numbers that people write as words; `one` and its like are left out, because they are mostly articles and pronouns.
_NUMBER_WORDS = """
2 two zwei dos deux · 3 three drei tres trois · 4 four vier cuatro quatre · 5 five fünf cinco cinq · 6 six sechs seis
7 seven sieben siete sept · 8 eight acht ocho huit · 9 nine neun nueve neuf · 10 ten zehn diez dix
11 eleven elf once onze · 12 twelve zwölf doce douze · 15 fifteen fünfzehn quince quinze · 20 twenty zwanzig veinte vingt
30 thirty dreißig treinta trente · 40 forty vierzig cuarenta quarante · 50 fifty fünfzig cincuenta cinquante
60 sixty sechzig sesenta soixante · 70 seventy siebzig setenta · 80 eighty achtzig ochenta · 90 ninety neunzig noventa
 100 hundred hundert cien cent · 1000 thousand tausend mil mille
"""


# "Do not forget that …" forgets nothing: said before the fact, it is neither a negation nor a part of it.
REMINDING = re.compile(
    r"^\s*(?:(?:please\s+)?(?:do\s+not|don't|never)\s+forget|n'oublie[zs]?\s+pas|vergiss\s+nicht|nicht\s+vergessen"
    r"|no\s+(?:te\s+)?olvides)\b[\s:,]*",
    re.IGNORECASE,
)


@cache
def exclusive() -> dict[str, tuple[tuple[int, int], ...]]:
    """For each listed word the (set, place) pairs it has: two words of one set at different places exclude each other."""
    places: dict[str, list[tuple[int, int]]] = {}
    sets = (one for line in _EXCLUSIVE.strip().splitlines() for one in line.split("|"))
    for number, members in enumerate(sets):
        for place, same in enumerate(members.split("·")):
            for word in same.split():
                places.setdefault(word, []).append((number, place))
    return {word: tuple(found) for word, found in places.items()}


@cache
def number_words() -> dict[str, str]:
    """Digits by number word."""
    found = {}
    for entry in _NUMBER_WORDS.replace("\n", " · ").split("·"):
        digits, *words = entry.split() or [""]
        found.update(dict.fromkeys(words, digits))
    return found
