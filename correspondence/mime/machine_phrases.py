"""Subjects of automatic mail: how absence notices and bounces begin, by language.

Outlook and Exchange translate their subjects, so both lists cover many languages, one per row. They are compared
without case and accents, and a phrase must end at the end of a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

AWAY = {
    "en": "automatic reply | automated reply | automatic response | automated response | auto reply"
    " | auto-reply | autoreply | auto response | auto-response | autoresponse | autoresponder | auto:"
    " | out of office | out of the office | out-of-office | ooo: | i am out of | i'm out of"
    " | i am currently out of | i'm currently out of | away from the office | away from my desk"
    " | vacation reply | vacation response | vacation message | vacation notice | holiday notice"
    " | absence notice | annual leave",
    "de": "automatische antwort | automatische rückantwort | autom. antwort | abwesenheitsnotiz"
    " | abwesenheitsmeldung | abwesenheitsbenachrichtigung | abwesenheitsnachricht"
    " | abwesenheitsassistent | abwesenheit | abwesend | außer haus | ich bin nicht im büro"
    " | ich bin außer haus | nicht im büro | ich bin abwesend | urlaubsmeldung | eingangsbestätigung",
    "fr": "réponse automatique | réponse automatisée | message automatique | absence du bureau"
    " | absent du bureau | absente du bureau | en dehors du bureau | hors du bureau"
    " | message d'absence | notification d'absence | réponse d'absence | avis d'absence"
    " | je suis absent | je suis absente | je suis actuellement absent",
    "es": "respuesta automática | respuesta automatizada | mensaje automático | fuera de la oficina"
    " | fuera de oficina | ausente de la oficina | ausencia temporal | estoy fuera de la oficina"
    " | ausente",
    "it": "risposta automatica | messaggio automatico | fuori sede | fuori ufficio | fuori dall'ufficio"
    " | assente dall'ufficio | assenza dall'ufficio | sono assente | sono fuori sede"
    " | avviso di assenza | assente",
    "pt": "resposta automática | mensagem automática | fora do escritório | ausência do escritório"
    " | ausente do escritório | ausência temporária | estou ausente | estou fora do escritório"
    " | ausente",
    "ca": "resposta automàtica | fora de l'oficina",
    "nl": "automatisch antwoord | automatische reactie | automatische beantwoording | afwezigheidsbericht"
    " | afwezigheidsassistent | afwezig | niet op kantoor | buiten kantoor | ik ben afwezig",
    "sv": "automatiskt svar | autosvar | frånvaromeddelande | frånvarande | frånvaro | ej på kontoret"
    " | inte på kontoret | utanför kontoret | jag är inte på kontoret",
    "da": "automatisk svar | autosvar | ikke til stede | ikke på kontoret | fraværsmeddelelse"
    " | fraværende | jeg er ikke på kontoret",
    "nb": "automatisk svar | autosvar | fraværsassistent | fraværsmelding | ikke på kontoret | fravær",
    "fi": "automaattinen vastaus | poissaoloviesti | poissaoloilmoitus | poissaolo | poissa toimistolta"
    " | olen poissa | lomavastaaja",
    "et": "automaatvastus | automaatne vastus | kontorist väljas",
    "lv": "automātiskā atbilde | ārpus biroja",
    "lt": "automatinis atsakymas | nesu biure",
    "pl": "odpowiedź automatyczna | automatyczna odpowiedź | autoodpowiedź | poza biurem"
    " | jestem poza biurem | nieobecność | nieobecny | nieobecna",
    "cs": "automatická odpověď | mimo kancelář | jsem mimo kancelář | nepřítomnost | nepřítomen",
    "sk": "automatická odpoveď | mimo kancelárie | neprítomnosť",
    "hu": "automatikus válasz | házon kívül | irodán kívül | távollét | nem vagyok az irodában",
    "ro": "răspuns automat | în afara biroului | absență din birou",
    "sl": "samodejni odgovor | odsotnost | odsoten",
    "hr": "automatski odgovor | izvan ureda | van kancelarije | odsutan",
    "tr": "otomatik yanıt | otomatik cevap | ofis dışında | iş yeri dışında | ofiste değilim",
    "el": "αυτόματη απάντηση | εκτός γραφείου | απουσία από το γραφείο",
    "ru": "автоматический ответ | автоответ | автоответчик | нет на месте | вне офиса | не в офисе"
    " | нет в офисе | я в отпуске",
    "uk": "автоматична відповідь | автовідповідь | поза офісом | не в офісі | немає на місці",
    "bg": "автоматичен отговор | извън офиса",
    "sr": "аутоматски одговор | ван канцеларије",
    "he": "מענה אוטומטי | תשובה אוטומטית | מחוץ למשרד",
    "ar": "رد تلقائي | الرد التلقائي | خارج المكتب",
    "fa": "پاسخ خودکار",
    "hi": "स्वचालित उत्तर",
    "th": "การตอบกลับอัตโนมัติ | ตอบกลับอัตโนมัติ",
    "vi": "trả lời tự động | thư trả lời tự động",
    "id": "balasan otomatis | di luar kantor",
    "ja": "自動応答 | 自動返信 | 不在通知 | 不在連絡 | 不在のお知らせ | 不在:",
    "zh": "自动答复 | 自动回复 | 自動答覆 | 自動回覆 | 自動回復 | 不在办公室 | 不在辦公室 | 外出通知",
    "ko": "자동 회신 | 자동회신 | 자동 응답 | 자동응답 | 부재중 | 부재 중",
}
"""Beginnings of the subjects of automatic replies, by language."""

RETURNED = {
    "en": "undelivered mail returned to sender | undelivered mail | undeliverable | undelivered"
    " | undeliverable mail | delivery status notification | delivery failure | delivery failed"
    " | delivery notification | delivery report | delivery delayed | delivery problem"
    " | mail delivery failed | mail delivery failure | mail delivery problem | mail delivery system"
    " | mail delivery subsystem | mail system error | mail could not be delivered"
    " | message undeliverable | message delivery failure | message delayed"
    " | non-delivery notification | nondeliverable mail | returned mail | returned to sender"
    " | failure notice | failure delivery | failed delivery | warning: could not send message"
    " | warning: message | could not deliver message | unable to deliver"
    " | your message could not be delivered | message could not be delivered | rejected: your message",
    "de": "unzustellbar | unzustellbare nachricht | nicht zustellbar | zustellung fehlgeschlagen"
    " | fehler bei der zustellung | übermittlungsfehler | zustellfehler"
    " | mail konnte nicht zugestellt werden",
    "fr": "non remis | échec de la remise | échec de remise | message non distribué | non distribuable"
    " | courrier non distribué | retour de courrier",
    "es": "no se puede entregar | no se pudo entregar | error de entrega | mensaje no entregado"
    " | correo devuelto | notificación de estado de entrega",
    "it": "non recapitabile | mancato recapito | messaggio non recapitato | impossibile recapitare"
    " | notifica di mancato recapito | posta non consegnata",
    "pt": "não é possível entregar | não entregue | não foi possível entregar | falha na entrega"
    " | mensagem não entregue | mensagem devolvida",
    "nl": "onbestelbaar | niet bezorgd | bezorging mislukt | mail kon niet worden bezorgd",
    "sv": "olevererbart | kan inte levereras | kunde inte levereras | leveransfel",
    "da": "kan ikke leveres | ikke leveret | ikke-leveret | leveringsfejl",
    "nb": "kan ikke leveres | ikke levert | leveringsfeil",
    "fi": "toimitus epäonnistui | ei voi toimittaa | perillemenoilmoitus",
    "pl": "niedostarczone | nie można dostarczyć | nie dostarczono | zwrot wiadomości",
    "cs": "nedoručitelné | nelze doručit | nedoručeno",
    "sk": "nedoručiteľné | nedoručené",
    "hu": "kézbesíthetetlen | sikertelen kézbesítés",
    "ro": "nelivrabil | livrare eșuată",
    "tr": "teslim edilemedi | teslim edilemez",
    "el": "δεν είναι δυνατή η παράδοση | αποτυχία παράδοσης",
    "ru": "не удается доставить | не удалось доставить | недоставленное сообщение | недоставлено"
    " | сообщение не доставлено",
    "uk": "не вдалося доставити | недоставлене повідомлення",
    "he": "לא ניתן למסור",
    "ar": "تعذر التسليم",
    "ja": "配信不能 | 配信できません | 未配信 | 配送エラー",
    "zh": "无法送达 | 无法投递 | 未送达 | 退信 | 系统退信 | 無法傳遞 | 無法投遞 | 未傳遞",
    "ko": "배달되지 않음 | 전송 실패 | 배달할 수 없음 | 반송",
}
"""Beginnings of the subjects of bounces, by language."""

PREFIXES = (
    "re | r | rif | ref | aw | antw | antwort | wg | fw | fwd | wtr | i | tr | rép | rv | res | enc | sv"
    " | vs | vb | vl | odp | pd | ha | továbbítás | na | ynt | ilt | απ | σχετ | πρθ | отв | ответ | на"
    " | відп | пер | atb | ats | vá | továbbra | 回复 | 答复 | 回覆 | 转发 | 轉寄 | 返信 | 転送 | 회신"
    " | 전달 | תגובה | השב"
)
"""Prefixes that mail programs put before the subject of a reply or a forwarded mail."""

_SPACELESS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_MOST_PREFIXES = 12


def is_machine_subject(subject: str) -> bool:
    """Whether a decoded subject, after any `Re:`, begins like an automatic reply or a bounce."""
    return bool(_beginning(*AWAY.values(), *RETURNED.values()).match(_without_prefixes(subject)))


def is_away_subject(subject: str) -> bool:
    """Whether a decoded subject, after any `Re:`, begins like an automatic reply."""
    return bool(_beginning(*AWAY.values()).match(_without_prefixes(subject)))


def is_returned_subject(subject: str) -> bool:
    """Whether a decoded subject begins like a bounce's; `Re:` marks a person's reply instead."""
    return bool(_beginning(*RETURNED.values()).match(folded(subject)))


def _without_prefixes(subject: str) -> str:
    rest = folded(subject)
    for _turn in range(_MOST_PREFIXES):
        prefix = _prefix().match(rest)
        if prefix is None:
            break
        rest = rest[prefix.end() :]
    return rest


def folded(text: str) -> str:
    """Normalise `text` for comparison: no case or accents, single spaces, plain apostrophes."""
    bare = unicodedata.normalize("NFKD", text.replace("’", "'").replace("–", "-").casefold())
    return " ".join("".join(sign for sign in bare if not unicodedata.combining(sign)).split())


def _phrases(*rows: str) -> list[str]:
    listed = {folded(phrase) for row in rows for phrase in row.split("|")}
    return sorted(listed, key=len, reverse=True)


def _pattern(phrase: str) -> str:
    return re.escape(phrase) + ("" if _SPACELESS.search(phrase) or phrase.endswith(":") else r"(?!\w)")


_OPENING = r"[\s\[(<\"'*]*"


@cache  # compiled at the first mail: the pattern is slow to compile and takes 330 kB
def _prefix() -> re.Pattern[str]:
    phrases = "|".join(map(re.escape, _phrases(PREFIXES)))
    return re.compile(rf"{_OPENING}(?:{phrases})\s*(?:\[\d+\]|\(\d+\))?\s*:\s*")


@cache
def _beginning(*rows: str) -> re.Pattern[str]:
    return re.compile(rf"{_OPENING}(?:{'|'.join(map(_pattern, _phrases(*rows)))})")
