"""Topics of the questions in letters, each with the phrases that name it, by language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuestionTopic:
    """The topic of a question, with the phrases that name it in an answer, by language.

    `agreeing` phrases are a yes by themselves (“resign”), `declining` ones a no (“play on”). `nouns` only say what the yes
    or no is about (“the challenge”). `takes_yes`: whether a bare yes or no answers it. `confirms`: it asks back, so that
    “wait” is a no.
    """

    name: str
    agreeing: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    declining: tuple[str, ...] = ()
    takes_yes: bool = True
    confirms: bool = False


_PLAY_ON = (
    "play on|let's play on|let us play on|i play on|i'll play on|i will play on|i'd rather play on|i prefer to play on|"
    "i'd like to play on|i want to play on|let's continue|i'd rather continue|i continue|no draw|keep playing|"
    "let's keep playing|i'll keep playing|i will keep playing|i want to keep playing|i'd like to keep playing|"
    "i'd rather keep playing|i don't resign|i do not resign|i don't want to resign|i do not want to resign|"
    "i won't resign|i don't give up|i do not give up|i never give up",
    "continuiamo|continuo|preferisco continuare|voglio continuare|vorrei continuare|giochiamo ancora|gioco ancora|"
    "niente patta|nessuna patta|no patta|continuo a giocare|non mi arrendo|non abbandono|non voglio arrendermi|"
    "non voglio abbandonare",
    "weiterspielen|ich spiele weiter|spielen wir weiter|lass uns weiterspielen|kein remis|ich gebe nicht auf|"
    "ich will nicht aufgeben|ich mochte nicht aufgeben",
    "continuons|je continue|je prefere continuer|on continue|je n'abandonne pas|"
    "je ne veux pas abandonner|pas de nulle",
    "sigamos|seguimos|sigo jugando|prefiero seguir|no me rindo|no abandono|nada de tablas|sin tablas",
)  # fmt: skip

_NOT_ME = (
    "it wasn't me|it was not me|that wasn't me|that was not me|this wasn't me|this was not me|not me|not mine|"
    "it's not mine|it is not mine|this is not mine|not my address|this is not my address|that is not my address|"
    "it's not my address|i didn't send that|i didn't send it|i didn't send this|i did not send that|i did not send it|"
    "i did not send this|i didn't write that|i didn't write this|i did not write that|i did not write this|"
    "i didn't ask for this|i didn't ask for that|i did not ask for this|i did not ask for that|"
    "i never asked for this|i never asked for that|i never wrote that|i never wrote this",
    "non ero io|non sono stato io|non sono stata io|non e mio|non e il mio indirizzo|non l'ho chiesto io|"
    "non l'ho scritto io|non l'ho mandato io",
    "das war ich nicht|ich war das nicht|ich war es nicht|nicht meine adresse|das ist nicht meine adresse|"
    "das habe ich nicht geschrieben|das habe ich nicht geschickt",
    "ce n'etait pas moi|ce n'est pas moi|ce n'est pas mon adresse|je n'ai rien demande",
    "no fui yo|no he sido yo|no es mia|no es mi direccion|yo no lo pedi|no lo pedi",
)  # fmt: skip

CHALLENGE = QuestionTopic(
    "challenge",
    agreeing=(
        "i'm game|i am game|ready|i'm ready|i am ready|ready when you are|let's play again|would love to play|"
        "your terms are fine|the terms are fine|terms accepted|happy to play|i'm happy to play|i am happy to play|"
        "let's play|let us play|i'll play|i will play|let's go|let's do it|let's do this|let us begin|let's begin|"
        "let's start|i'd love to play|i would love to play|i'd like to play|i would like to play|i want to play|play|"
        "game on|bring it on|i take the challenge|i'll take it|challenge accepted|i'll play with you|"
        "let the game begin|let the games begin|one more|once more",
        "giochiamo|gioco|iniziamo|cominciamo|andiamo|giochiamo pure|voglio giocare|vorrei giocare|si gioca|"
        "accetto di giocare",
        "spielen wir|lass uns spielen|lasst uns spielen|los geht's|los gehts|auf geht's|ich spiele|ich spiele mit|"
        "ich mochte spielen|ich will spielen|fangen wir an|nehme die herausforderung an|"
        "ich nehme die herausforderung an|nehme ihre herausforderung an|ich nehme deine herausforderung an|"
        "ich nehme die einladung an|ich nehme deine einladung an|ich nehme gerne an|nehme gerne an",
        "jouons|on joue|commencons|je joue|je veux jouer|je veux bien jouer|c'est parti|allons y",
        "juguemos|vamos a jugar|jugamos|juego|quiero jugar|me gustaria jugar|empecemos|vamos",
        "vamos jogar|jogar", "laten we spelen|ik speel", "zagrajmy|gram", "vi spelar", "lad os spille", "играем|"
        "сыграем",
        "jatsszunk",
    ),
    nouns=(
        "challenge|the challenge|game|match|invitation|invite|rematch|counter offer|counteroffer|terms|conditions|play|"
        "playing|with you|your terms|these terms|round",
        "sfida|partita|invito|l'invito|rivincita|controproposta|condizioni|giocare|termini",
        "herausforderung|partie|spiel|einladung|revanche|gegenangebot|bedingungen|spielen",
        "defi|partie|invitation|revanche|contre offre|conditions|jouer",
        "reto|desafio|partida|invitacion|revancha|contraoferta|condiciones|jugar",
        "desafio|convite|partida|o", "uitdaging|partij|uitnodiging|de", "wyzwanie|partie|zaproszenie",
        "utmaning|utmaningen|parti|inbjudan", "udfordring|udfordringen|parti|invitation", "вызов|приглашение|игру|"
        "партию",
        "kihivast|a|meghivast",
    ),
)  # fmt: skip
RESIGN = QuestionTopic(
    "resign",
    agreeing=(
        "resign|i resign|resigned|resigning|i'm resigning|i am resigning|i give up|i'm giving up|give up|i surrender|"
        "surrender|i concede|concede|i want to resign|i quit|i do resign|i really resign|"
        "i wish to resign|i'd like to resign|i would like to resign",
        "abbandono|mi arrendo|rinuncio|getto la spugna|voglio abbandonare|abbandonare|arrendersi",
        "aufgeben|ich gebe auf|gebe auf|ich mochte aufgeben|ich will aufgeben|ich kapituliere|aufgegeben",
        "j'abandonne|abandon|abandonner|je me rends|je veux abandonner|j'abandonne la partie",
        "me rindo|abandono|abandonar|rendirse|quiero abandonar|quiero rendirme",
        "desisto|eu desisto", "ik geef op|opgeven", "poddaje sie|"
        "rezygnuje", "jag ger upp", "jeg giver op", "сдаюсь|я сдаюсь",
        "feladom",
    ),
    nouns=("game|match|it's over|it is over", "partita", "partie|spiel", "partie", "partida"),
    declining=_PLAY_ON,
    confirms=True,
)  # fmt: skip
DRAW = QuestionTopic(
    "draw",
    agreeing=(
        "draw|a draw|draw it is|draw then|draw agreed|i agree to a draw|let's draw|let's agree to a draw|"
        "we can draw|a draw is fine|let's call it a draw|call it a draw",
        "patta|pari|facciamo patta|patta accettata|e patta|pareggio",
        "remis|unentschieden|remis angenommen|ich nehme remis|ich nehme das remis an|ich nehme remis an|"
        "nehme remis an|nehme das remis an|remis ist ok|remis ist in ordnung|remis passt",
        "nulle|match nul|remise|partie nulle|la nulle",
        "tablas|empate|empatamos",
        "empate",
        "remise",
        "remis",
        "remi",
        "remis",
        "ничья|ничью",
        "dontetlen|dontetlent",
    ),
    nouns=("game|split|the point", "patta|la patta", "remisangebot|remis", "nulle|la nulle", "las tablas|tablas"),
    declining=_PLAY_ON,
)
TAKEBACK = QuestionTopic(
    "takeback",
    agreeing=(
        "takeback|take back|take it back|take your move back|you may take it back|you can take it back|"
        "take the move back|i allow it|allow it|allow|allowed|i allow the takeback|granted|permission granted|"
        "i'll allow it|"
        "you may|you can|undo|you can have it back|you may have it back",
        "ripresa|fai pure|ritira pure|ritirala|ritirala pure|ritira la mossa|ritira pure la mossa|riprendi|"
        "riprendila|riprendi la mossa|riprendila pure|riprendi pure|puoi riprenderla|concesso|concessa|"
        "lo permetto|permesso|te lo concedo",
        "zurucknehmen|nimm zuruck|nimm ihn zuruck|nimm den zug zuruck|du darfst|erlaubt|ich erlaube es|rucknahme",
        "reprends|reprends le|reprends ton coup|tu peux le reprendre|tu peux reprendre|accorde|je l'accorde|permis",
        "retirala|retira|puedes retirarla|permitido|lo permito|concedido|retroceder",
    ),
    nouns=("move|your move|request|the last move|last move|takeback|take back|undo", "mossa|ripresa|richiesta",
           "zug|rucknahme|zugrucknahme", "coup|reprise|demande", "jugada|peticion"),
    declining=(
        "no takeback|no takebacks|no take back|no take backs|no undo|no undos|i don't allow it|i do not allow it|"
        "not allowed",
        "niente ripresa|nessuna ripresa|niente riprese|non lo permetto|non te lo concedo",
        "keine rucknahme|nicht erlaubt|ich erlaube es nicht", "pas de reprise|je refuse la reprise|pas permis",
        "no lo permito|no permitido|nada de retroceder",
    ),
)  # fmt: skip
PAUSE = QuestionTopic(
    "pause",
    agreeing=(
        "pause|pause it|pause the game|let's pause|pause agreed|a break|take a break",
        "pausa|facciamo una pausa|in pausa",
        "pause|pausieren|machen wir eine pause",
        "pause|faisons une pause",
        "pausa|hagamos una pausa",
        "pausa",
        "pauze",
        "pauza|przerwa",
        "paus",
        "pause",
        "пауза|паузу",
        "szunet",
    ),
    nouns=("game|break|clocks|the clocks|stop the clocks", "pausa", "pause", "pause", "pausa"),
)
PLANS = QuestionTopic(
    "plans",
    agreeing=("open plans|open the plans|open my plan|open the plan|open them|open", "apri i piani|apri|"
    "apriamo i piani",
              "plane offnen|offnen", "ouvrir|ouvre les plans", "abrir|abre los planes"),
    nouns=("plans", "piani", "plane", "plans", "planes"),
)  # fmt: skip
JOIN = QuestionTopic(
    "join",
    agreeing=(
        "join|join me|i join|i want to join|i'd like to join|i would like to join|sign me up|sign up|register|"
        "i'm in|create it|"
        "create my account|create the account|i wrote this|i wrote that|i asked for this|i asked for that|this was me",
        "iscrivimi|voglio iscrivermi|partecipo|voglio partecipare|voglio giocare|mi iscrivo|"
        "iscrivi", "ich mochte mitmachen|"
        "anmelden|ich mache mit|ich trete bei",
        "inscris moi|inscrivez moi|je m'inscris|je veux m'inscrire", "inscribeme|me inscribo|quiero inscribirme",
    ),
    nouns=("join|account|my account|game|play|games|correspondence|my address|this is my address|address",
           "conto|indirizzo|giocare", "konto|adresse|spielen", "compte|adresse|jouer", "cuenta|direccion|jugar"),
    declining=_NOT_ME,
)  # fmt: skip
ADDRESS = QuestionTopic(
    "address",
    agreeing=("add|add it|add this address|add the address|please add it|it is mine|it's mine|that's mine|"
              "this is my address|that is my address|that's my address|it is my address|it is also mine|it's also mine|"
              "both are mine|they are both mine|it is mine too",
              "aggiungi|aggiungilo|e mio|e il mio indirizzo", "hinzufugen|fuge sie hinzu|das ist meine adresse",
              "ajoute|ajoutez|ajouter|c'est mon adresse", "anade|anadir|es mi direccion|es mia"),
    nouns=("address|my address|it", "indirizzo", "adresse", "adresse", "direccion"),
    declining=_NOT_ME,
)  # fmt: skip
PROPOSAL = QuestionTopic(
    "proposal",
    agreeing=("do it|do this|carry it out|carry on|go on|proceed|i asked for it|i asked for this|i wrote it|i wrote that|"
              "i wrote this|this was me|"
              "i sent it|i sent that",
              "fallo|eseguilo|l'ho chiesto io|l'ho scritto io", "mach es|ausfuhren|ich habe es geschrieben",
              "fais le|faites le|c'est moi qui l'ai ecrit", "hazlo|lo escribi yo|lo pedi yo"),
    nouns=("it|request|mail|message", "richiesta", "anfrage", "demande", "peticion"),
    declining=_NOT_ME,
    confirms=True,
)  # fmt: skip
FORGET = QuestionTopic(
    "forget",
    agreeing=(
        "i want to leave|erase me|erase|erase everything|erase my account|delete me|delete|delete everything|"
        "delete my account|"
        "forget me|remove me|remove my account|erase it all|delete it all|erase all|delete all|"
        "erase everything about me|delete everything about me",
        "cancellami|cancella|cancella tutto|dimenticami|elimina|elimina tutto|elimina il mio account",
        "losche mich|loschen|alles loschen|vergiss mich|losche alles|losche mein konto",
        "efface moi|effacez moi|effacer|oubliez moi|supprimez tout|efface tout|supprime mon compte",
        "borrame|borrar|borra todo|eliminar|elimina todo|olvidame|borra mi cuenta",
    ),
    nouns=("account|my account|everything|data|my data", "account|tutto|dati", "konto|alles|daten", "compte|tout",
           "cuenta|todo|datos"),
    declining=("keep it|keep me|keep my account|keep the account|i'll stay|i want to stay|i'm staying",
               "resto|voglio restare|tienilo", "ich bleibe|behalten", "je reste|gardez le", "me quedo"),
    confirms=True,
)  # fmt: skip
RENEW = QuestionTopic(
    "renew",
    agreeing=("renew|renew it|renew my seek|renew the seek|open it again|open again|reopen|reopen it|again|once more",
              "rinnovo|rinnova|rinnovalo|riapri|ancora", "erneuern|verlangern|wieder offnen|noch einmal",
              "renouveler|renouvelle|rouvrir", "renovar|renueva|reabrir"),
    nouns=("seek|my seek|game", "ricerca", "suche", "recherche", "busqueda"),
)  # fmt: skip
UNDO = QuestionTopic(
    "undo",
    agreeing=("undo|undo it|undo that|undo this|undo the change|undo the changes|undo everything|reverse it|revert|"
              "revert it|take it back|it wasn't me|it was not me|that wasn't me|that was not me|this wasn't me|"
              "this was not me|not me|cancel|cancel it|takeback|take back",
              "annulla|annullare|annulla tutto|annullalo|non ero io|non sono stato io|non sono stata io",
              "ruckgangig|ruckgangig machen|mach es ruckgangig|das war ich nicht|ich war das nicht|ich war es nicht",
              "annuler|annule|annulez|ce n'etait pas moi|ce n'est pas moi",
              "deshacer|deshaz|anular|cancelar|no fui yo|no he sido yo"),
    nouns=("change|changes|address|addresses", "modifica", "anderung", "changement", "cambio"),
    takes_yes=False,
)  # fmt: skip
CHOICES = QuestionTopic(
    "choices",
    nouns=("my move|move|number|nr|option|choice|my choice|i choose|i take|i'll take|i pick|choose|pick|take|play|"
    "i play|"
           "i'll play|i mean|i meant|the one|let's say|let's take|it's|it is|i'd like|go with|i'll go with|please play",
           "mossa|la mia mossa|numero|opzione|scelta|scelgo|prendo|gioco|intendo",
           "zug|mein zug|nummer|option|wahl|ich wahle|ich nehme|nimm|ich spiele|ich meine",
           "coup|mon coup|numero|option|choix|je choisis|je prends|je joue|c'est",
           "jugada|mi jugada|numero|opcion|eleccion|elijo|escojo|tomo|juego"),
)  # fmt: skip
OFFERS = {"draw": DRAW, "takeback": TAKEBACK, "pause": PAUSE}
"""Topics of the offers inside a game, by kind of offer."""
