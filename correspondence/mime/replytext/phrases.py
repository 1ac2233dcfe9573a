"""Phrases of mail programs for quotations and signatures, in some thirty languages.

The tables alone decide nothing. Their callers require further evidence (an address, a date, quoted lines below)
wherever a person might have typed the phrase.
"""

from __future__ import annotations


def fold(text: str) -> str:
    """Return `text` case-folded, including the Turkish dotted capital I."""
    return text.casefold().replace("i\u0307", "i")


def words(listed: str) -> frozenset[str]:
    """Split a table at `|` and fold its entries for comparison."""
    return frozenset(fold(entry.strip()) for entry in listed.split("|") if entry.strip())


VERBS = words(
    "wrote | writes | written | écrit | ecrit | écrivait | scritto | scrisse | scrive | scriveva"
    "| schrieb | schrieben | geschrieben | schreibt | escribió | escribio | escrito | escribía | escriure"
    "| escrit | escreveu | escrevia | schreef | geschreven | schrijft | skrev | skreiv | følgende"
    "| kirjoitti | kirjoittaa | napisał | napisała | pisze | napsal | napsala | napísal | napísala"
    "| написал | написала | пишет | писал | писала | написав | пише | написа | написао | yazdı | yazmış"
    "| yazıb | έγραψε | γράφει | έγραψαν | írta | scris | napisao | pisal | pisala | rašė | parašė"
    "| rakstīja | kirjutas | menulis | viết | skrifaði | shkroi | quoting | zitat | citando | cita"
    "| citado | citation"
)
"""“Wrote”, as a separate word, in many languages."""

GLUED_VERBS = tuple(
    words("写道 | 寫道 | 写到 | 書きました | さんは書 | のメール | 작성 | 썼습니다 | 님의 말 | เขียน | כתב | كتب| लिखा")
)
"""“Wrote” in languages without spaces between words."""

OPENERS = words(
    "on | at | le | am | il | in | op | em | el | en | den | dne | dňa | dnia | w | на | в | у | στις"
    "| la | a | az | no | pe | ma | ti | ke | to | su | kl | tarihinde | от | дана | dana"
)
"""First words of attributions such as “On Monday, 3 March …”, in many languages."""

_FROM = words(
    "from | von | de | da | van | fra | från | lähettäjä | od | от | от кого | від | від кого | kimden"
    "| gönderen | από | 差出人 | 发件人 | 寄件者 | 寄件人 | 發件人 | 보낸 사람 | 보낸사람 | 보낸이"
    "| feladó | de la | expéditeur | remitente | mittente | afzender | avsändare | absender | remetente"
    "| nadawca | odesílatel | отправитель | відправник | avsender | afsender | αποστολέας | מאת | من"
    "| จาก | từ | dari | kto | pošiljatelj | šalje"
)
_SENT = words(
    "sent | date | sent at | sent on | gesendet | gesendet am | datum | envoyé | envoyé le | date d'envoi"
    "| message du | inviato | inviato il | data | verzonden | verzonden op | sendt | dato | skickat"
    "| skickat den | lähetetty | päivämäärä | päiväys | wysłano | data wysłania | odesláno | отправлено"
    "| дата | дата отправки | надіслано | gönderildi | gönderme tarihi | tarih | στάλθηκε | ημερομηνία"
    "| 送信日時 | 日時 | 日付 | 送信日 | 发送时间 | 发送日期 | 寄件日期 | 傳送時間 | 日期 | 时间 | 時間"
    "| 보낸 날짜 | 날짜 | 보낸시간 | enviado | enviado el | enviada | enviada em | enviado em | fecha"
    "| elküldve | dátum | trimis | נשלח | תאריך | تاريخ | ส่ง | ngày | poslano | odoslané"
)
_TO = words(
    "to | an | à | a | para | aan | til | till | vastaanottaja | do | komu | кому | до | kime | alıcı"
    "| προς | 宛先 | 收件人 | 收件者 | 받는 사람 | 받는사람 | címzett | către | destinataire"
    "| destinatario | destinatário | empfänger | mottaker | modtager | mottagare | odbiorca | příjemce"
    "| per | voor | אל | إلى | ถึง | đến | kepada | za | prima"
)
_SUBJECT = words(
    "subject | betreff | thema | objet | sujet | oggetto | asunto | assunto | onderwerp | emne | ämne | aihe"
    "| temat | předmět | predmet | тема | konu | θέμα | 件名 | 主题 | 主題 | 标题 | 제목 | tárgy"
    "| subiect | נושא | الموضوع | เรื่อง | chủ đề | subjek | assumpte"
)
_COPY = words(
    "cc | cci | bcc | copie | copie à | copia | copia a | kopie | kopie an | kopia | копия | копія"
    "| bilgi | κοιν | cópia | 抄送 | 副本 | 참조 | reply-to | reply to | antwort an | répondre à"
    "| rispondi a | responder a | priority | importance | attachments | allegati | anlagen"
    "| pièces jointes | organization"
)

LABELS: dict[str, str] = {
    label: kind
    for kind, labels in (
        ("copy", _COPY), ("to", _TO), ("sent", _SENT), ("subject", _SUBJECT), ("from", _FROM),
    )
    for label in labels
}  # fmt: skip
"""The kind of a header label, by its folded name."""

FORWARDED = words(
    "forwarded message | forwarded by | begin forwarded message | weitergeleitete nachricht"
    "| message transféré | message transmis | messaggio inoltrato | mensaje reenviado"
    "| mensagem encaminhada | doorgestuurd bericht | videresendt | vidarebefordrat | vidarebefordrade"
    "| välitetty viesti | wiadomość przekazana | přeposlaná zpráva | przekazana wiadomość"
    "| пересылаемое сообщение | пересланное сообщение | переслане повідомлення | iletilen mesaj"
    "| iletilmiş | προωθημένο μήνυμα | 転送されたメッセージ | 転送メッセージ | 转发的邮件 | 轉寄的郵件"
    "| 转发邮件 | 전달된 메시지 | weitergeleiteten nachricht | továbbított üzenet | mesaj redirecționat"
    "| přeposlaný"
)
"""“Forwarded message”, in many languages."""

ORIGINAL = FORWARDED | words(
    "original message | original appointment | original-nachricht | originalnachricht"
    "| ursprüngliche nachricht | originalmeldung | message d'origine | message original | message initial"
    "| messaggio originale | mensaje original | mensagem original | oorspronkelijk bericht"
    "| origineel bericht | oprindelig besked | oprindelig meddelelse | opprinnelig melding"
    "| opprinnelig e-post | ursprungligt meddelande | originalmeddelande | alkuperäinen viesti"
    "| wiadomość oryginalna | oryginalna wiadomość | původní zpráva | pôvodná správa | исходное сообщение"
    "| оригинальное сообщение | вихідне повідомлення | оригінальне повідомлення | orijinal mesaj"
    "| özgün ileti | αρχικό μήνυμα | 元のメッセージ | 元のメール | オリジナルメッセージ | 原始邮件"
    "| 原始郵件 | 原郵件 | 邮件原件 | 원본 메일 | 원본 메시지 | 원본메일 | eredeti üzenet"
    "| mesajul original | mesaj original | izvorna poruka | replied message | reply message"
    "| původní e-mail | 原邮件 | missatge original | originalna poruka | algne kiri | הודעה מקורית"
)
"""“Original message”, between dashes or underscores, in many languages."""

SENT_FROM: tuple[str, ...] = tuple(
    words(
        "sent from | sent via | sent with | sent securely | secured with | sent by | sent using | get outlook for"
        "| get bluemail for"
        "| download outlook for | gesendet von | gesendet mit | gesendet über | gesendet aus"
        "| diese nachricht wurde von | envoyé de | envoyé depuis | envoyé à partir | envoyé avec"
        "| envoyé via | télécharger outlook pour | obtenir outlook pour | inviato da | inviato dal"
        "| inviato con | inviato tramite | ottieni outlook per | scarica outlook per"
        "| scaricare outlook per | enviado desde | enviado do | enviado de | enviado a partir"
        "| enviado por | enviado con | enviado com | obtener outlook para | obtén outlook para"
        "| obter o outlook para | obtenha o outlook para | verzonden vanaf | verzonden met"
        "| verzonden vanuit | verzonden via | verstuurd vanaf | verstuurd met | download outlook voor"
        "| skickat från | skickades från | skickat med | hämta outlook för | sendt fra | sendt med"
        "| hent outlook | få outlook | skaff outlook | lähetetty | hanki outlook | wysłane z | wysłano z"
        "| wysłane przez | pobierz outlook | pobierz aplikację outlook | odesláno z | odesláno přes"
        "| získejte outlook | отправлено с | отправлено из | отправлено через | отправлено от"
        "| получить outlook | скачать outlook | надіслано з | надіслано із | отримати outlook"
        "| στάλθηκε από | λήψη του outlook | outlook for | 发自 | 發自 | 傳送自 | 获取 outlook"
        "| 取得 outlook | 下載 outlook | outlook for ios | elküldve | trimis de pe | trimis din"
        "| odoslané z | poslano s | enviat des de | saadetud minu | dikirim dari | išsiųsta iš | küldve"
        "| nosūtīts no | được gửi từ | εστάλη από | נשלח מ | أرسلت من | أُرسلت من | مرسل من | ส่งจาก | 来自 | 來自"
        "| 발신자: | yahoo mail: search | please excuse my brevity | please excuse the brevity"
    )
)
"""Beginnings of “Sent from my phone”, in many languages."""

SENT_FROM_ENDINGS: tuple[str, ...] = tuple(
    words(
        "gönderildi | から送信 | より送信 | 에서 보냄 | 에서 보낸 편지 | で送信 | 傳送 | 发送"
        "| から送信されました | gesendet | herunterladen | downloaden | edinin | を入手 | 다운로드"
        "| 에서 발송"
    )
)
"""Endings of “Sent from my phone” in languages with the verb last.

The line must also contain a word of `DEVICES`.
"""

DEVICES: tuple[str, ...] = tuple(
    words(
        "iphone | ipad | android | samsung | galaxy | outlook | huawei | xiaomi | pixel | nokia | mobil"
        "| handy | telefon | smartphone | blackberry | yahoo | mail | gmx | web.de | windows | tablet"
        "| 아이폰 | 휴대 | 手机 | 手機 | スマート | 携帯"
    )
)
"""Names of devices in “Sent from my phone”."""

FOOTERS: tuple[str, ...] = tuple(
    words(
        "message is confidential | mail is confidential | email is confidential | confidentiality notice"
        "| message and any attachments | mail and any attachments | email and any attachments | intended recipient"
        "| intended solely for | for the sole use of the | legally privileged | checked for viruses | checked by avg"
        "| scanned for viruses | scanned by mailscanner | avast.com | avast antivirus | before printing this"
        "| you received this message because you are subscribed | to unsubscribe from this group"
        "| messaggio è confidenziale | messaggio è riservato | messaggio e gli eventuali allegati | destinatario indicato"
        "| informazioni riservate | contenute in questo messaggio | prima di stampare"
        "| enthält vertrauliche | vertrauliche informationen | nicht der richtige adressat"
        "| message et toutes les pièces jointes | est confidentiel | destinataire de ce message"
        "| mensaje es confidencial | contiene información confidencial | está dirigido exclusivamente"
        "| dit bericht is vertrouwelijk | uitsluitend bestemd voor | denna e-post är konfidentiell"
        "| mensagem é confidencial | wiadomość jest poufna"
        "| ai-generated content | ai generated content | generated by ai | generated with ai | written with the help of ai"
        "| mit ki erstellt | mithilfe von ki | mit hilfe von ki | généré par ia | generato con ia | generato dall'ia"
        "| mailing list | to unsubscribe send | to unsubscribe, send | to unsubscribe or change | unsubscribe from this list"
        "| to unsubscribe from this list | list archives | attachment was scrubbed | next part --------------"
        "| lista de correo | liste de diffusion | mailingliste | you are receiving this because | has been scanned"
        "| was scanned by | views expressed are those | views expressed in this | virus-free. www"
        "| sin virus. www | libre de virus | vérifié par le logiciel antivirus | auf viren geprüft"
        "| print this e-mail unless | print this email unless | print this mail unless | consider the environment before"
        "| wirklich ausgedruckt werden | umwelt, bevor sie | avant d'imprimer | antes de imprimir | denk aan het milieu"
        "| inhalt dieser e-mail ist vertraulich | inhalt dieser nachricht ist vertraulich | son confidenciales"
        "| conter informação confidencial | contém informação confidencial | registered office | registergericht"
        "| amtsgericht | sitz der gesellschaft | to unsubscribe, click | to unsubscribe click | report this email as spam"
        "| report this message as spam | book a meeting with me | translated with deepl | traduit avec deepl"
        "| übersetzt mit deepl | tradotto con deepl | traducido con deepl | translated by google | typed with thumbs"
        "| excuse brevity | ai sensi del d.lgs | ai sensi del regolamento | enjoy secure & ad-free"
        "| virus-free.www | informations confidentielles | opinions expressed are those"
    )
)
"""Words of footers that mail servers and virus scanners add."""

REACTED: tuple[str, ...] = tuple(
    words(
        "reacted to your message | reacted with to your message | auf ihre nachricht reagiert | auf deine nachricht reagiert"
        "| reacted to this message | reacted to your email | reacted to your e-mail | リアクションしました"
        "| reacted via gmail | hat auf ihre nachricht reagiert"
        "| hat auf deine nachricht reagiert | a réagi à votre message | a réagi à ton message | ha reagito al tuo messaggio"
        "| ha reagito al messaggio | ha reaccionado a tu mensaje | ha reaccionado a su mensaje | reaccionó a tu mensaje"
        "| reagiu à sua mensagem | heeft gereageerd op uw bericht | heeft gereageerd op je bericht"
        "| reagerade på ditt meddelande | reagerede på din meddelelse | reagerte på meldingen din | reagoi viestiisi"
        "| na twoją wiadomość | na vaši zprávu | отреагировал на ваше сообщение | отреагировала на ваше сообщение"
        "| iletinize tepki verdi | mesajınıza tepki verdi | にリアクションしました | 回应了你的消息 | 對您的郵件做出回應"
    )
)
"""“Reacted to your message”, as mail programs write it in a person's name."""

PORTALS: tuple[str, ...] = (
    "office365.com/encryption/", "office.com/encryption/", "protection.outlook.com/encryption", "retrieve.ashx?recipient",
    "mail.proton.me/eo/", "protonmail.com/eo/", "app.tuta.com/mail/", "mail.tutanota.com/mail", "app.tutanota.com/mail",
    "secure.virtru.com", "zixmessagecenter.com", "mimecast.com/secure",
    "proofpoint.com/securereader", "barracudanetworks.com/message", "trustifi.com", "encryption.symantec",
)  # fmt: skip
"""Parts of the addresses of portals for protected messages, case-folded."""

BANNERS: tuple[str, ...] = tuple(
    words(
        "originated from outside | originated outside | came from outside | was sent from outside | sent from outside of"
        "| from an external sender | from an external source | external email | external sender | [external]"
        "| do not click links | do not click on links | do not click any links | don't click links | unless you recognize"
        "| unless you recognise | you don't often get email from | you don’t often get email from | learn why this is"
        "| this sender is not from your | first time you received | caution: external | be cautious with"
        "| stammt von außerhalb | von einem externen absender | externe e-mail | externer absender"
        "| klicken sie nicht auf links | öffnen sie keine anhänge | sie erhalten nicht oft | sie erhalten nicht häufig"
        "| provient de l'extérieur | provient de l’extérieur | expéditeur externe | courriel externe | e-mail externe"
        "| ne cliquez pas sur | vous n'obtenez pas souvent | vous n’obtenez pas souvent"
        "| proviene dall'esterno | proviene dall’esterno | mittente esterno | messaggio esterno | non fare clic"
        "| non si ricevono spesso | proviene de fuera | remitente externo | correo externo | no haga clic en"
        "| no suele recibir correo | remetente externo | e-mail externo | não clique em"
        "| afkomstig van buiten | externe afzender | klik niet op links | ekstern afsender | extern avsändare"
        "| proveniente dall'esterno | proveniente dall’esterno | non aprire allegati | non cliccare su"
        "| provenant de l'extérieur | provenant de l’extérieur | n'ouvrez pas | n’ouvrez pas | kommt von außerhalb"
        "| no abra los archivos | procede de fuera | might be impersonating | untrusted sender | bannerstart | bannerend"
        "| not previously corresponded with this sender | sender is outside your | outside your organization"
        "| outside your organisation"
        "| wiadomość spoza | nadawca zewnętrzny | внешний отправитель | 外部メール | 外部邮件 | 外部郵件"
    )
)
"""Words of warnings that mail servers add above a mail."""

SIGN_OFFS = words(
    "regards | best regards | kind regards | warm regards | with kind regards | with best regards | many regards"
    "| best wishes | all the best | sincerely | yours sincerely | sincerely yours | yours | yours truly | warmly"
    "| respectfully | take care | love | mit besten grüßen"
    "| mit besten grüssen | yours ever | warmest | xoxo | viele grüße | viele grüsse"
    "| viele liebe grüße | liebe grüße | liebe grüsse"
    "| schöne grüße | beste grüße | beste grüsse | herzliche grüße | herzliche grüsse | mit freundlichen grüßen"
    "| mit freundlichen grüssen | mit freundlichem gruß | freundliche grüße | freundliche grüsse | grüße | gruß | gruss"
    "| lg | vg | mfg | cordialement | bien cordialement | bien à vous | bien à toi | amicalement | amitiés | bonne journée"
    "| salutations | cordiali saluti | distinti saluti | saluti | un saluto | un caro saluto | cari saluti | a presto"
    "| saludos | un saludo | saludos cordiales | atentamente | un abrazo | abrazos | cumprimentos | atenciosamente"
    "| abraço | abraços | um abraço | att | salutacions | una salutació | met vriendelijke groet | met vriendelijke groeten"
    "| vriendelijke groeten | vriendelijke groet | groeten | groetjes | mvg | med vänlig hälsning | med vänliga hälsningar"
    "| vänliga hälsningar | hälsningar | mvh | med venlig hilsen | venlig hilsen | de bedste hilsner | med vennlig hilsen"
    "| vennlig hilsen | hilsen | terveisin | ystävällisin terveisin | pozdrawiam | z poważaniem | serdecznie pozdrawiam"
    "| s pozdravem | s přátelským pozdravem | s pozdravom | üdvözlettel | üdv | lep pozdrav | srdačan pozdrav | pozdrav"
    "| cu stimă | с уважением | с наилучшими пожеланиями | з повагою | поздрави | με εκτίμηση | saygılarımla | sevgiler"
    "| iyi günler | よろしくお願いします | よろしくお願いいたします | よろしくお願い致します | 敬具 | 此致 | 此致敬礼 | 祝好"
    "| 감사합니다 | 올림 | 드림 | בברכה | مع تحياتي | thanks and regards | thanks and best regards"
)
"""Closing phrases above a name, each a whole line."""

THANKS = words(
    "thanks | thank you | thx | many thanks | cheers | best | talk soon | ciao | bye | hej | tschüss | danke"
    "| vielen dank | merci | grazie | gracias | obrigado"
    "| obrigada | bedankt | tack | tak | takk | kiitos | dzięki | děkuji | спасибо | teşekkürler | ありがとう | 谢谢 | 謝謝"
)
"""Phrases of thanks, which may precede the writer's name or more text."""

TITLES = words(
    "ltd | ltd. | limited | inc | inc. | llc | plc | corp | corporation | gmbh | ag | kg | ohg | e.v | s.r.l | srl | s.p.a | spa"
    "| s.a | s.a.s | sas | sarl | s.l | lda | ltda | bv | b.v | n.v | ab | oy | as | a.s | a/s | aps | sp | kft | ооо | 株式会社"
    "| university | universität | università | université | universidad | universidade | institute | institut | istituto"
    "| department | abteilung | ceo | cto | cfo | coo | vp | phd | dr | prof | professor | dott | ing | dipl | msc | mba"
    "| president | director | directrice | directeur | direttore | direttrice | direktor | manager | head | lead | engineer"
    "| ingenieur | ingénieur | ingegnere | ingeniero | developer | entwickler | consultant | berater | beraterin | analyst"
    "| architect | designer | founder | gründer | owner | inhaber | geschäftsführer | geschäftsführerin | vertrieb | sales"
    "| marketing | leiter | leiterin | responsabile | responsable | gerente | assistant | assistentin | secretary"
    "| teacher | lehrer | lehrerin | attorney | solicitor | rechtsanwalt | avvocato | avocat | abogado | editor | researcher"
    "| associate | partner | officer | chairman | coordinator | specialist | supervisor | técnico | lecturer | registered"
    "| abteilungsleiter | abteilungsleiterin | projektleiter | projektleiterin | student | studentin"
)
"""Words of signatures: company forms, titles and professions."""
