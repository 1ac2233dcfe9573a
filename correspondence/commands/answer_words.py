"""Vocabulary of answers, by language: yes, no, courtesies and filler words.

Phrases are written in lower case without accents, separated by |. Words that are in no list make a text prose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The phrases of one language.

    `yes` and `no` answer any question; `accept` and `decline` answer an offer. `fillers` change no meaning. `thanks`
    and `closings` end a message if alone on a line. `greetings` may be followed by a name. `numbers` and `ordinals`
    are the words for 1, 2, 3 and so on; forms of one ordinal are separated by /.
    """

    yes: str
    accept: str
    no: str
    decline: str
    fillers: str
    thanks: str
    closings: str
    greetings: str
    please: str
    pleasantries: str
    mistake: str
    hedges: str
    numbers: str = ""
    ordinals: str = ""
    thanks_for: str = ""
    """Beginnings of thanks that continue: “thanks for asking”."""
    thanked: str = ""
    """Single words that may follow `thanks_for`; thanks for anything else are prose."""
    news: str = ""
    """Such words for a message received. Behind a yes they only confirm that it arrived."""


WORDS: Mapping[str, Words] = {
    "en": Words(
        yes="yes|y|yep|yup|yeah|yea|ya|ye|aye|ok|okay|okey|oki|okey dokey|k|kk|sure|sure thing|of course|certainly|"
        "absolutely|definitely|indeed|affirmative|roger|correct|exactly|fine|fine by me|fine with me|that's fine|"
        "all right|alright|sounds good|sounds great|gladly|with pleasure|my pleasure|happy to|happily|"
        "by all means|why not|why not ?|go ahead|go for it|please do|do it|do that|do so|yes i do|i do|i am|i'm sure|"
        "i am sure|yes i am|it is|it's ok|it's okay|that's ok|that is ok|confirm|confirmed|i confirm|confirming|"
        "approved|approve|i approve|works for me|suits me|i'd love to|i would love to|i'd like to|i would like to|"
        "i'd like that|i would like that|i'd love a game|i would love a game|i'd like a game|"
        "i'd be happy to|i would be happy to|i'd be glad to|glad to|i want to|"
        "i want that|i want this|it's fine|it is fine|i will|will do|it was me|that was me|it's me|that's me|it is me|"
        "i am sure about it|yes sir|yes ma'am|yes madam|that's right|that is right|that's correct|that is correct|"
        "you bet|quite right|right|most certainly|naturally|that works|that works for me|yessir|okie|okie dokie|"
        "i'm fine with that|i am fine with that|i'm fine with it|i'm ok with it|i'm ok with that|i'm okay with it|"
        "i am ok with it|no objection|no objections|it's a yes|it's a yes from me|i say yes|would love to|"
        "sounds like a plan|i would love that|i'd love that|consider it accepted|it would be an honour|"
        "i'd be honoured|i would be honoured|i'd be honored|i'd be delighted to|i would be delighted to|"
        "delighted to|delighted",
        accept="accept|accepted|accepting|i accept|we accept|accepts|i'm accepting|i am accepting|i agree|agree|agreed|"
        "agreeing|we agree|i'll accept|i shall accept|i take|i'll take|count me in|i'm in|i am in|deal|it's a deal|"
        "you're on|you are on|challenge accepted|"
        "i'm happy to accept|i am happy to accept|happy to accept",
        no="unfortunately not|unfortunately no|unfortunately i can't|unfortunately i cannot|sadly no|sadly not|"
        "i don't think so|no time|i have no time|sorry no time|no|n|nope|nah|nay|no way|no thank you|no thanks|"
        "no wait|wait no|i changed my mind|changed my mind|don't|do not|not now|not today|not this time|"
        "not at the moment|not right now|certainly not|of course not|definitely not|absolutely not|negative|"
        "i do not|i don't|i'd rather not|i would rather not|rather not|i can't|i cannot|i don't want to|"
        "i do not want to|don't want to|i don't|better not|too busy|i'm too busy|i am too busy|count me out|"
        "i'm afraid not|i am afraid not|i'm afraid i can't|no interest|not really|not yet|maybe next time|"
        "perhaps next time|"
        "another time|some other time|maybe later|perhaps later|i don't have time|i do not have time|"
        "maybe another time|perhaps another time|maybe some other time|i'll pass|"
        "i will pass|i'll have to pass|i won't|i will not|but no|but no thanks|"
        "but no thank you|but not now|but not today|but not this time|never|can't|cannot|no can do|"
        "i dont want to|i have to say no|no time at the moment|"
        "but i'll pass|but i will pass|no thank u|no ty|i don't wish to|i do not wish to|gonna pass|i'm going to pass|no deal",
        decline=""
        "decline|declined|declining|i decline|i must decline|i have to decline|i'd like to decline|reject|"
        "rejected|i reject|i'll decline|i'll have to decline|but i decline|but i must decline|but i have to decline|"
        "i do not accept|i don't accept|i won't accept|i can't accept|i cannot accept|i can not accept|refuse|"
        "i will decline|i disagree|disagree|don't accept|do not accept|don't agree|do not agree|"
        "i don't agree|i do not agree|not agreed|refused|i refuse|not interested|i'm not interested|"
        "i am not interested",
        fillers="i|we|do|really|very|truly|hereby|the|your|this|that|it|to|with|be|am|is|so|then|well|oh|ah|hm|and|"
        "just|"
        "me|us|a|an|for|of|offer|of yours|proposal|kind|nice|much|too|also|here|answer|my answer|my answer is|is|"
        "reply|definitely|certainly|unfortunately|sadly|will|i will|want|i want|now|right now|at once|as well|you|"
        "dear|friendly|"
        "one|all|surely|gladly|quite|both|always|this time",
        thanks="thanks|thank you|many thanks|thanks a lot|thank you very much|thank you so much|thanks so much|"
        "thanks very much|thanks again|thanks a million|thanx|thx|thnx|tx|ty|tysm|much appreciated|appreciated|"
        "thanks in advance|thank you in advance|thanks and regards",
        closings="cheers|regards|kind regards|best regards|warm regards|with kind regards|with best regards|best|"
        "best wishes|all the best|yours|yours sincerely|sincerely|yours truly|greetings|love|bye|bye bye|goodbye|"
        "see you|see you soon|see you there|take care|talk soon|have a nice day|have a good day|have a great day|"
        "have a nice weekend|have a good weekend|warmly|many greetings|good night|br|kr|rgds|ttyl",
        greetings="hi|hello|hey|hiya|hallo|dear|good morning|good afternoon|good evening|good day|greetings|hi there|"
        "hello there|hey there|hi all|hello all|dear all|dear friend|dear sir or madam|dear sirs|howdy|morning|"
        "evening",
        please="please|pls|plz|kindly|if you please",
        pleasantries="sorry|please accept my apologies|accept my apologies|accept my thanks|i'm sorry|i am sorry|"
        "so sorry|"
        "my apologies|apologies|sorry for the delay|sorry for the late reply|sorry for my late reply|good luck|"
        "best of luck|have fun|good game|gg|gl|hf|gl hf|glhf|well played|nicely played|nice game|great game|"
        "good match|nice move|congratulations|congrats|welcome|you're welcome|looking forward|"
        "looking forward to it|i look forward to it|can't wait|i can't wait|cannot wait|i cannot wait|"
        "i am looking forward to it|i'm looking forward to it|"
        "looking forward to the game|looking forward to our game|looking forward to playing|"
        "looking forward to playing with you|i look forward to our game|i look forward to the game|"
        "i look forward to playing|this will be a good game|this will be fun|it will be fun|it will be a pleasure|"
        "i am sure|nice to meet you|pleased to meet you|nice idea|good idea|great idea|what a nice idea|how nice|"
        "how kind|very kind|that's kind|that is kind|that's very kind of you|that is very kind of you|"
        "hope you are well|i hope you are well|hope you're well|i hope you're well|hope all is well|"
        "may the best win|may the better player win|have a good game|enjoy|enjoy the game|haha|lol|xd|good|"
        "very good|great|perfect|cool|nice|excellent|wonderful|hooray|yay|wow|great game everyone|you win|you won|"
        "you deserve it|well deserved|that was fun|i'm afraid|i am afraid|sounds like fun|sounds fun|fair result|"
        "a fair result|fair enough|no problem|no problem at all|no worries|don't worry|take your time|"
        "enjoy your holiday|"
        "enjoy your holidays|enjoy your vacation|enjoy your trip|have a nice holiday|have a good holiday|"
        "have a good trip|happy holidays|safe travels|get well soon",
        mistake="that was a mistake|this was a mistake|it was a mistake|was a mistake|a mistake|mistake|my mistake|"
        "that was my mistake|that was an error|it was an error|by mistake|that was by mistake|i made a mistake|"
        "i declined by mistake|i pressed the wrong button|i wrote the wrong thing|i didn't mean to decline|"
        "i did not mean to decline|i didn't mean that|i did not mean that|i didn't mean it|i did not mean it|"
        "that was an accident|oops|ooops|whoops|undo that|reopen it|reopen|please reopen it",
        hedges="but|if|unless|only|except|however|although|though|provided|until|when|once|maybe|perhaps|possibly|"
        "probably|not|no|never|don't|doesn't|won't|can't|cannot|without|instead|later|tomorrow|first|before|after|"
        "because|would|could|should|might|guess|think|suppose|as long as|depends|whether|or|while|against|nothing|"
        "hardly|nor|neither|rather|yet|still|wait|stop|isn't|wasn't|didn't|wouldn't",
        numbers="one|two|three|four|five|six|seven|eight|nine|ten",
        ordinals="first/first one|second/second one|third/third one|fourth/fourth one|fifth/fifth one",
        thanks_for="thanks for|thank you for|many thanks for|thank you very much for|thank you so much for|"
        "thanks a lot for|"
        "thx for",
        thanked="asking|ask|inviting|invitation|invite|offer|offering|offered|challenge|challenging|proposal|"
        "proposing|game|games|match|rematch|round|patience|waiting|playing|play|thinking|having|draw|"
        "chance|opportunity|pleasure|everything|kindness|understanding|kind|nice|lovely|generous|great|"
        "good|fine|interesting|exciting|quick|friendly|me|us|you|of|in|with|to|on|at|a|an|the|your|this|"
        "that|it|all|so|very|again|another|new|first|fun|question|counter|terms",
        news="message|messages|mail|email|mails|letter|note|writing|reply|answer|back|e",
    ),
    "it": Words(
        yes="si|ok|okay|va bene|va benissimo|certo|certamente|sicuro|sicuramente|volentieri|con piacere|"
        "molto volentieri|d'accordo|esatto|assolutamente|assolutamente si|certo che si|confermo|confermato|"
        "lo confermo|conferma|conferma pure|procedi|procedete|fallo|vai|perche no|perche no ?|come no|sono sicuro|"
        "sono sicura|sono io|ero io|"
        "lo voglio|si lo voglio|mi sta bene|ovviamente|naturalmente|sicurissimo|sicurissima|sono stato io|"
        "sono stata io",
        accept="accetto|accettato|accettata|accetta|ci sto|sono d'accordo|concordo|affare fatto|andata",
        no="no|no grazie|no aspetta|aspetta no|aspetta|ho cambiato idea|non farlo|non ora|non adesso|non oggi|"
        "non ancora|non ho tempo|purtroppo no|non questa volta|non posso|non voglio|non mi va|assolutamente no|"
        "certo che no|"
        "meglio di no|preferisco di no|"
        "preferirei di no|negativo|adesso no|ora no|oggi no|no grazie mille|un'altra volta|magari un'altra volta|mai|"
        "ma no|ma no grazie|ma non ora|ma non posso",
        decline="rifiuto|rifiutato|rifiutata|non accetto|non posso accettare|declino|respingo|devo rifiutare|"
        "non mi interessa|non sono interessato|"
        "non sono interessata",
        fillers="io|noi|lo|la|il|l'|le|i|gli|un|una|che|e|di|del|della|tua|tuo|questa|questo|davvero|proprio|sul|serio|"
        "molto|allora|beh|oh|ah|con|te|voi|a|al|alla|per|me|ti|vi|subito|proposta|offerta|"
        "l'offerta|la tua offerta|anche|risposta|dai|vada|"
        "purtroppo|"
        "la mia risposta e",
        thanks="grazie|grazie mille|molte grazie|mille grazie|ti ringrazio|vi ringrazio|la ringrazio|grazie tante|"
        "grazie ancora|tante grazie|grazie di cuore|grazie in anticipo",
        closings="saluti|cordiali saluti|un saluto|tanti saluti|cari saluti|a presto|ciao|ciao ciao|arrivederci|"
        "buona giornata|buona serata|buon fine settimana|distinti saluti|un abbraccio|a dopo|buonanotte",
        greetings="ciao|salve|buongiorno|buonasera|buon giorno|buona sera|caro|cara|gentile|egregio|ciao a tutti|ehi",
        please="per favore|per piacere|per cortesia|prego",
        pleasantries="grazie dell'invito|grazie dell'offerta|"
        "scusa|scusami|scusate|mi dispiace|mi spiace|spiacente|buona fortuna|buona partita|bella partita|"
        "ben giocato|"
        "complimenti|buon divertimento|piacere|piacere di conoscerti|non vedo l'ora|bella idea|buona idea|"
        "che vinca il migliore|vinca il migliore|che gentile|molto gentile|in bocca al lupo|viva il lupo|"
        "hai vinto|perfetto|ottimo|bene|benissimo|bello|"
        "spero tu stia bene|nessun problema|buone vacanze|buon viaggio|buona vacanza",
        mistake="riapri|e stato un errore|era un errore|un errore|errore|errore mio|mi sono sbagliato|"
        "mi sono sbagliata|"
        "ho sbagliato|per errore|per sbaglio|ho rifiutato per errore|ho rifiutato per sbaglio|e stato uno sbaglio",
        hedges="ma|se|pero|solo|soltanto|tranne|purche|forse|magari|non|mai|quando|finche|senza|invece|domani|"
        "prima|dopo|"
        "perche|pero|o|oppure|credo|penso|dipende|a patto che|niente|nulla|neanche",
        numbers="uno|due|tre|quattro|cinque|sei|sette|otto|nove|dieci",
        ordinals="la prima/il primo|la seconda/il secondo|la terza/il terzo|la quarta/il quarto|la quinta/il quinto",
        thanks_for="grazie per|grazie mille per|molte grazie per|grazie di|grazie della|grazie del|ti ringrazio per",
        thanked="invito|l'invito|proposta|la|l'offerta|offerta|sfida|partita|gioco|pazienza|attesa|avermi|averlo|"
        "aver|avere|chiesto|invitato|sfidato|pensato|proposto|offerto|aspettato|tutto|bella|bel|bello|"
        "gentile|gentilezza|il|lo|le|i|gli|un|una|tua|tuo|vostra|vostro|questa|questo|di|a|giocare|"
        "rivincita|patta|pausa|ancora|nuova|domanda|piacere|occasione|l'occasione",
        news="messaggio|lettera|mail|email|risposta|scritto|scrivere",
    ),
    "de": Words(
        yes="gerne doch|gern doch|aber gerne|aber gern|aber ja|aber klar|"
        "ja|jo|jawohl|jep|jap|jup|jaja|ok|okay|klar|na klar|sicher|natuerlich|naturlich|gern|gerne|sehr gern|"
        "sehr gerne|ja gern|mit vergnugen|einverstanden|in ordnung|alles klar|passt|das passt|richtig|genau|"
        "stimmt|unbedingt|auf jeden fall|selbstverstandlich|abgemacht|von mir aus|warum nicht|warum nicht ?|"
        "mach das|mach es|"
        "macht das|bestatigt|bestatige|ich bestatige|bestatigen|ich bin sicher|ich bin mir sicher|das war ich|"
        "ich war es|das bin ich|will ich|ich will|das will ich|ich mochte|freilich|doch|so machen wir es|"
        "so machen wir das",
        accept="annehmen|angenommen|nehme ich an|ich nehme an|nehme an|ich nehme|akzeptiert|akzeptiere|"
        "ich akzeptiere|zugestimmt|"
        "ich stimme zu|stimme zu|ich bin einverstanden|bin einverstanden|ich bin dabei|bin dabei|ich mache mit",
        no="nein|ne|nee|nein danke|lieber nicht|diesmal leider nicht|heute leider nicht|"
        "jetzt nicht|nicht jetzt|heute nicht|nicht heute|diesmal nicht|"
        "auf keinen fall|keinesfalls|nein warte|warte nein|ich habe es mir anders uberlegt|naturlich nicht|"
        "sicher nicht|keine zeit|ich habe keine zeit|leider keine zeit|ich mochte nicht|ich will nicht|"
        "ich kann nicht|doch nicht|leider nein|leider nicht|"
        "aber nein|aber nein danke|aber leider nicht|aber jetzt nicht",
        decline="ablehnen|abgelehnt|ich lehne ab|lehne ab|kein interesse|ich habe kein interesse|muss ablehnen|"
        "ich muss ablehnen|muss leider ablehnen|ich muss leider ablehnen|nehme nicht an|ich nehme nicht an|"
        "ich nehme das nicht an|ich nehme es nicht an|nicht einverstanden|ich bin nicht einverstanden",
        fillers="ich|wir|das|die|der|den|dem|dein|deine|deinen|ihr|ihre|es|mir|uns|mit|zu|zum|zur|und|sehr|"
        "wirklich|dann|"
        "also|na|oh|ach|so|hier|hiermit|auch|angebot|vorschlag|antwort|meine antwort|meine antwort ist|ein|eine|"
        "einen|dir|an|sofort|doch|mal|ganz|bestimmt",
        thanks="danke|danke schon|dankeschon|vielen dank|herzlichen dank|besten dank|danke sehr|danke vielmals|"
        "tausend dank|schonen dank|danke nochmals|danke im voraus|vielen dank im voraus|lieben dank",
        closings="gruss|grusse|viele grusse|liebe grusse|beste grusse|schone grusse|freundliche grusse|"
        "mit freundlichen grussen|herzliche grusse|gruesse|viele gruesse|liebe gruesse|mit freundlichen gruessen|"
        "lg|vg|mfg|bis bald|bis dann|tschuss|tschuess|schonen tag|schonen tag noch|einen schonen tag|"
        "schonen abend|schones wochenende|alles gute|servus",
        greetings="hallo|hi|hey|guten tag|guten morgen|guten abend|moin|servus|lieber|liebe|gruss gott|gruezi|"
        "sehr geehrter|"
        "sehr geehrte|sehr geehrte damen und herren|hallo zusammen|morgen",
        please="bitte|bitteschon|bitte schon",
        pleasantries="sorry|entschuldigung|entschuldige|tut mir leid|es tut mir leid|leider|viel gluck|viel spass|"
        "viel erfolg|"
        "gutes spiel|schones spiel|gut gespielt|ich freue mich|freue mich|ich freue mich darauf|"
        "ich freue mich auf das spiel|ich freu mich|gute idee|schone idee|wie nett|sehr nett|das ist nett|"
        "gluckwunsch|herzlichen gluckwunsch|auf ein gutes spiel|du hast gewonnen|gut|sehr gut|super|prima|perfekt|"
        "auf gutes gelingen|moge der bessere gewinnen|moge der beste gewinnen|das wird lustig|wird bestimmt lustig|"
        "auf ein spannendes spiel|auf ein schones spiel|kein problem|schonen urlaub|gute reise|"
        "gute besserung",
        mistake="das war ein versehen|war ein versehen|ein versehen|versehen|aus versehen|das war ein irrtum|"
        "ein irrtum|"
        "irrtum|das war ein fehler|ein fehler|mein fehler|ich habe mich geirrt|ich habe mich vertan|versehentlich|"
        "ich habe aus versehen abgelehnt",
        hedges="aber|wenn|falls|sofern|nur|ausser|jedoch|vielleicht|eventuell|moglicherweise|wahrscheinlich|nicht|kein|"
        "keine|keinen|nie|niemals|ohne|statt|erst|spater|morgen|bevor|nachdem|weil|oder|bis|sobald|solange|glaube|"
        "denke|kommt darauf an|ob|nichts|allerdings|sondern|obwohl|bedingung",
        numbers="eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn",
        ordinals="erste/ersten/erster|zweite/zweiten/zweiter|dritte/dritten/dritter|vierte/vierten|funfte/funften",
        thanks_for="danke fur|vielen dank fur|herzlichen dank fur|danke fuer|vielen dank fuer|besten dank fur",
        thanked="einladung|angebot|das|die|den|der|dein|deine|deinen|ihr|ihre|ihren|eure|nette|netten|freundliche|"
        "schone|schones|liebe|tolle|gute|gutes|spiel|partie|herausforderung|anfrage|frage|fragen|"
        "nachfrage|vorschlag|geduld|warten|alles|revanche|remis|remisangebot|gelegenheit|einladen|noch|"
        "eine|ein|neue|runde",
        news="nachricht|mail|email|brief|antwort|schreiben|rueckmeldung|ruckmeldung",
    ),
    "fr": Words(
        yes="oui|ouais|ouaip|ok|okay|d'accord|bien sur|certainement|volontiers|avec plaisir|avec grand plaisir|"
        "avec joie|"
        "entendu|absolument|"
        "exactement|evidemment|pourquoi pas|pourquoi pas ?|vas y|allez y|allons y|c'est bon|ca marche|ca me va|"
        "je confirme|"
        "confirme|confirmer|je suis sur|je suis sure|c'est moi|c'etait moi|c'est exact|je le veux|je veux bien|"
        "bien entendu|tout a fait|fais le|faites le|marche conclu",
        accept="j'accepte|accepte|accepter|acceptee|je suis d'accord|je suis partant|je suis partante|j'en suis|"
        "defi accepte|defi releve|je releve le defi",
        no="non|non merci|nan|pas maintenant|pas aujourd'hui|pas cette fois|surtout pas|certainement pas|"
        "bien sur que non|j'ai change d'avis|je ne veux pas|je ne peux pas|plutot pas|non attends|attends non|"
        "je prefere pas|je ne prefere pas|jamais|mais non|mais non merci|mais pas maintenant",
        decline="je refuse|refuse|refuser|je decline|decline|decliner|pas interesse|pas interessee|"
        "je ne suis pas interesse|je ne suis pas interessee|je n'accepte pas|je ne suis pas d'accord|pas d'accord",
        fillers="je|nous|le|la|les|l'|un|une|ta|ton|votre|cette|ce|cet|et|de|du|vraiment|tres|bien|alors|eh|oh|ah|"
        "avec|a|"
        "au|moi|toi|vous|pour|tout|suite|offre|proposition|aussi|reponse|ma reponse|ma reponse est|en|y|que|"
        "volontiers",
        thanks="merci|merci beaucoup|merci bien|mille mercis|un grand merci|grand merci|merci encore|merci d'avance|"
        "je te remercie|je vous remercie",
        closings="cordialement|bien cordialement|amities|salutations|bonne journee|bonne soiree|bon week end|a bientot|"
        "au revoir|bises|bien a toi|bien a vous|sinceres salutations|cdt|a plus|salut|meilleures salutations",
        greetings="bonjour|salut|bonsoir|cher|chere|coucou|bonjour a tous|madame monsieur|allo",
        please="s'il te plait|s'il vous plait|stp|svp",
        pleasantries="desole|desolee|je suis desole|je suis desolee|pardon|excuse moi|excusez moi|bonne chance|"
        "bonne partie|"
        "belle partie|bien joue|amuse toi bien|au plaisir|au plaisir de jouer|enchante|enchantee|bonne idee|"
        "que le meilleur gagne|quelle bonne idee|c'est gentil|tres gentil|felicitations|bravo|tu as gagne|"
        "tres bien|bien|parfait|super|"
        "j'ai hate|pas de probleme|pas de souci|aucun probleme|bonnes vacances|bon voyage",
        mistake="c'etait une erreur|c'est une erreur|une erreur|erreur|mon erreur|par erreur|je me suis trompe|"
        "je me suis trompee|j'ai refuse par erreur|fausse manoeuvre|une fausse manoeuvre",
        hedges="mais|si|sauf|seulement|uniquement|cependant|peut etre|peut|sans|pas|ne|jamais|quand|lorsque|demain|"
        "avant|"
        "apres|parce|ou|plutot|a condition|toutefois|pourvu|sinon|crois|pense|depend|rien|ni|n'est|aucun|aucune",
        numbers="un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix",
        ordinals="premier/premiere|deuxieme/second/seconde|troisieme|quatrieme|cinquieme",
        thanks_for="merci pour|merci beaucoup pour|merci de|merci d'avoir|merci bien pour|je te remercie pour",
        thanked="invitation|l'invitation|offre|l'offre|proposition|defi|le|la|les|l'|ton|ta|votre|cette|ce|un|une|"
        "partie|jeu|patience|tout|gentille|gentil|belle|bonne|beau|revanche|nulle|m'avoir|m'inviter|avoir|"
        "invite|defie|propose|demande|demander|proposer|inviter|attendu|attendre|jouer|joue|moi|a|nous|de|"
        "question|aimable",
        news="message|mail|courriel|lettre|reponse|ecrit|ecrire|m'ecrire",
    ),
    "es": Words(
        yes="si|ok|okay|vale|claro|claro que si|por supuesto|de acuerdo|con gusto|con mucho gusto|encantado|encantada|"
        "cierto|correcto|exacto|seguro|desde luego|sin duda|por que no|por que no ?|adelante|hazlo|hagalo|confirmo|"
        "confirmado|"
        "lo confirmo|confirmar|estoy seguro|estoy segura|soy yo|fui yo|era yo|lo quiero|si quiero|venga|dale|"
        "me parece bien|esta bien",
        accept="acepto|aceptado|aceptada|aceptar|acepta|estoy de acuerdo|trato hecho|me apunto|cuenta conmigo|"
        "reto aceptado|desafio aceptado",
        no="no|no gracias|ahora no|hoy no|esta vez no|no puedo|no quiero|mejor no|prefiero que no|claro que no|"
        "por supuesto que no|de ninguna manera|he cambiado de idea|cambie de idea|no espera|espera no|negativo|"
        "nunca|jamas|otra vez sera|"
        "pero no|pero no gracias|pero ahora no",
        decline="rechazo|rechazado|rechazada|rechazar|declino|declinar|rehuso|no me interesa|no estoy interesado|"
        "no estoy interesada|debo rechazar|no acepto|no lo acepto|no la acepto|no estoy de acuerdo",
        fillers="yo|nosotros|el|la|los|las|lo|un|una|tu|su|esta|este|esto|y|de|del|muy|realmente|mucho|entonces|"
        "pues|oh|"
        "ah|con|a|al|me|mi respuesta|mi respuesta es|te|ti|usted|para|ahora mismo|oferta|propuesta|tambien|"
        "respuesta|que",
        thanks="gracias|muchas gracias|mil gracias|muchisimas gracias|gracias de nuevo|gracias de antemano|"
        "te lo agradezco|se lo agradezco",
        closings="saludos|un saludo|saludos cordiales|cordiales saludos|atentamente|un abrazo|abrazos|hasta luego|"
        "hasta pronto|adios|buen dia|que tengas un buen dia|nos vemos|besos",
        greetings="hola|buenos dias|buenas tardes|buenas noches|buenas|estimado|estimada|querido|querida|hola a todos",
        please="por favor|porfa|porfavor",
        pleasantries="perdon|perdona|disculpa|disculpe|lo siento|lo siento mucho|suerte|buena suerte|mucha suerte|"
        "buena partida|bien jugado|que te diviertas|que gane el mejor|encantado de conocerte|buena idea|que amable|"
        "muy amable|"
        "felicidades|enhorabuena|has ganado|muy bien|bien|perfecto|bueno|con ganas|sin problema|"
        "no hay problema|ningun problema|buen viaje|felices vacaciones|buenas vacaciones",
        mistake="fue un error|era un error|ha sido un error|un error|error|mi error|error mio|por error|me equivoque|"
        "me he equivocado|rechace por error|he rechazado por error",
        hedges="pero|si no|solo|solamente|excepto|salvo|quizas|quiza|tal vez|sin|no|nunca|jamas|cuando|hasta|manana|"
        "antes|despues|porque|o|sino|siempre que|creo|pienso|depende|nada|ni|aunque|tampoco|condicion",
        numbers="uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez",
        ordinals="primero/primera|segundo/segunda|tercero/tercera|cuarto/cuarta|quinto/quinta",
        thanks_for="gracias por|muchas gracias por|mil gracias por|te agradezco",
        thanked="invitacion|invitarme|invitar|oferta|propuesta|reto|desafio|retarme|desafiarme|partida|juego|"
        "paciencia|esperar|todo|la|el|los|las|tu|su|esta|este|una|un|amable|bonita|buena|gran|preguntar|"
        "preguntarme|pensar|en|mi|jugar|revancha|tablas|proponer|proponerme|ofrecer|ofrecerme|haberme|"
        "invitado|retado|pregunta|nueva|otra|a|con",
        news="mensaje|correo|carta|respuesta|escribir|escribirme",
    ),
}


def _brief(yes: str, accept: str, no: str, decline: str, thanks: str, closings: str, please: str, hedges: str) -> Words:
    """Vocabulary of a language without translated letters: plain answers and courtesies only."""
    return Words(
        yes, accept, no, decline, fillers="", thanks=thanks, closings=closings, greetings="", please=please,
        pleasantries="", mistake="", hedges=hedges,
    )  # fmt: skip


MORE_WORDS: Mapping[str, Words] = {
    "pt": _brief(
        "sim|ok|claro|claro que sim|com certeza|com prazer|de acordo|esta bem|esta bom|tudo bem|confirmo|pode ser",
        "aceito|aceite|eu aceito|aceitar|concordo|combinado",
        "nao|nao obrigado|nao obrigada|agora nao|hoje nao",
        "recuso|eu recuso|rejeito|recusar|nao aceito|eu nao aceito",
        "obrigado|obrigada|muito obrigado|muito obrigada",
        "abraco|um abraco|cumprimentos|atenciosamente|ate logo|ola|oi|bom dia|boa tarde|boa noite",
        "por favor", "mas|se|nao|so|somente|talvez|nunca|sem|exceto",
    ),
    "nl": _brief(
        "ja|jazeker|ja hoor|leuk|ok|oke|prima|goed|graag|natuurlijk|zeker|akkoord|in orde|is goed|bevestigd|"
        "ik bevestig",
        "accepteer|geaccepteerd|ik accepteer|aangenomen|ik neem aan|ik doe mee|ik ga akkoord",
        "nee|neen|nee bedankt|nee dank je|niet nu|vandaag niet|liever niet",
        "weiger|geweigerd|ik weiger|afgewezen|ik wijs af|geen interesse",
        "bedankt|dank je|dank u|dank je wel|dank u wel|hartelijk dank|dankjewel",
        "groet|groeten|groetjes|met vriendelijke groet|mvg|tot ziens|hoi|hallo|goedemorgen|goedemiddag|goedenavond",
        "alsjeblieft|alstublieft|aub|svp", "maar|als|mits|tenzij|alleen|niet|geen|nooit|misschien|zonder",
    ),
    "pl": _brief(
        "tak|ok|dobrze|dobra|jasne|oczywiscie|zgoda|pewnie|chetnie|chetnie zagram|zagrajmy|z przyjemnoscia|potwierdzam",
        "akceptuje|przyjmuje|zgadzam sie|przyjete|zaakceptowane",
        "nie|nie dziekuje|nie teraz|nie dzisiaj|raczej nie", "odmawiam|odrzucam|odrzucone",
        "dzieki|dziekuje|dziekuje bardzo|wielkie dzieki",
        "pozdrawiam|pozdrowienia|do widzenia|czesc|dzien dobry|dobry wieczor",
        "prosze", "ale|jesli|jezeli|tylko|chyba|nie|nigdy|moze|bez|pod warunkiem",
    ),
    "sv": _brief(
        "ja|japp|ok|okej|visst|sjalvklart|garna|javisst|bra|absolut|bekraftar|jag bekraftar",
        "acceptera|accepterar|accepterat|jag accepterar|jag antar|antar",
        "nej|nej tack|men nej tack|inte nu|inte idag|helst inte", "avbojer|jag avbojer|avslar|jag avslar|"
        "tackar nej|jag tackar nej",
        "tack|tack sa mycket|tusen tack|stort tack", "halsningar|med vanliga halsningar|mvh|hej|hej da|vi ses|"
        "god morgon",
        "snalla|tack", "men|om|bara|inte|aldrig|kanske|utan|ingen|endast|forutsatt",
    ),
    "da": _brief(
        "ja|jep|ok|okay|gerne|selvfolgelig|naturligvis|klart|fint|godt|bekraefter|jeg bekraefter",
        "accepterer|accepteret|jeg accepterer|jeg er med", "nej|nej tak|ikke nu|ikke i dag|helst ikke",
        "afslar|jeg afslar|afviser|jeg afviser", "tak|mange tak|tusind tak", "hilsen|venlig hilsen|mvh|hej|hej hej|"
        "vi ses",
        "venligst", "men|hvis|kun|ikke|aldrig|maske|uden|ingen",
    ),
    "ru": _brief(
        "да|ок|окей|хорошо|конечно|согласен|согласна|ладно|с удовольствием|подтверждаю|верно|давай|давайте",
        "принимаю|я принимаю|принято|я согласен|я согласна",
        "нет|нет спасибо|не сейчас|не сегодня|лучше не надо", "отклоняю|отказываюсь|я отказываюсь|я отклоняю|отклонено",
        "спасибо|большое спасибо|спасибо большое|благодарю", "с уважением|привет|здравствуйте|пока|до свидания|"
        "добрый день",
        "пожалуйста", "но|если|только|не|никогда|может|без|кроме",
    ),
    "hu": _brief(
        "igen|ok|oke|rendben|persze|szivesen|jo|termeszetesen|megerositem", "elfogadom|elfogadva|egyetertek|"
        "benne vagyok",
        "nem|nem koszonom|most nem|ma nem", "elutasitom|visszautasitom",
        "koszonom|koszi|koszonom szepen", "udv|udvozlettel|szia|hello|jo napot|viszlat", "kerem|kerlek",
        "de|ha|csak|nem|soha|talan|nelkul|kiveve",
    ),
    "fi": _brief(
        "kylla|joo|juu|ok|okei|selva|totta kai|tottakai|mielellani|ilman muuta|sopii|vahvistan",
        "hyvaksyn|hyvaksytty|otan haasteen vastaan|olen mukana", "ei|ei kiitos|ei nyt|ei tanaan|"
        "en halua", "kieltaydyn|hylkaan",
        "kiitos|kiitti|kiitoksia|paljon kiitoksia", "terveisin|ystavallisin terveisin|moi|hei|terve|"
        "nahdaan", "ole hyva",
        "mutta|jos|vain|ei|ehka|ilman|paitsi",
    ),
    "cs": _brief(
        "ano|jo|jasne|ok|dobre|dobra|rad|rada|samozrejme|s radosti|urcite|potvrzuji|suhlas|ano rad|ano rada",
        "prijimam|prijato|souhlasim|beru|prijmam|suhlasim|akceptuji", "ne|ne diky|ted ne|dnes ne|nie|nie dakujem|"
        "radsi ne",
        "odmitam|odmietam", "diky|dekuji|dekuju|moc diky|dakujem|vdaka", "s pozdravem|s pozdravom|zdravim|ahoj|"
        "dobry den|nashle",
        "prosim", "ale|pokud|jestli|jen|jenom|ne|nikdy|mozna|bez|ak|iba",
    ),
    "tr": _brief(
        "evet|tamam|olur|peki|tabii|tabii ki|elbette|memnuniyetle|seve seve|onayliyorum|ok",
        "kabul|kabul ediyorum|kabul ettim|kabul edildi|katiliyorum|varim",
        "hayir|hayir tesekkurler|simdi degil|bugun degil|istemiyorum",
        "reddediyorum|ret", "tesekkurler|tesekkur ederim|cok tesekkurler|sagol|sag ol",
        "saygilar|saygilarimla|selamlar|selam|merhaba|iyi gunler|gorusuruz", "lutfen",
        "ama|fakat|eger|sadece|degil|belki|asla|ancak",
    ),
    "el": _brief(
        "ναι|οκ|ok|ενταξει|βεβαιως|βεβαια|φυσικα|ευχαριστως|συμφωνοι|επιβεβαιωνω", "δεχομαι|αποδεχομαι|συμφωνω|δεκτο",
        "οχι|οχι ευχαριστω|οχι τωρα|οχι σημερα", "αρνουμαι|απορριπτω", "ευχαριστω|ευχαριστω πολυ|σ'ευχαριστω",
        "γεια|γεια σου|χαιρετισμους|καλημερα|καλησπερα|με εκτιμηση", "παρακαλω", "αλλα|αν|μονο|οχι|δεν|ισως|ποτε|"
        "χωρις|εκτος",
    ),
    "uk": _brief(
        "так|ок|добре|звичаино|авжеж|гаразд|залюбки|із задоволенням|з радістю|згода|підтверджую",
        "приимаю|я приимаю|погоджуюсь|погоджуюся|згоден|згодна|приинято|приимаю виклик", "ні|ні дякую|не зараз|"
        "не сьогодні",
        "відмовляюсь|відмовляюся|відхиляю", "дякую|дуже дякую|щиро дякую", "з повагою|привіт|вітаю|бувамо|до зустрічі",
        "будь ласка", "але|якщо|тільки|лише|не|ніколи|можливо|може|без|крім",
    ),
    "ro": _brief(
        "da|ok|bine|sigur|desigur|cu placere|in regula|confirm|bineinteles|de acord", "accept|acceptat|"
        "sunt de acord|ma bag",
        "nu|nu multumesc|nu acum|nu azi", "refuz|resping", "multumesc|mersi|multumesc mult|multumiri",
        "salutari|cu stima|salut|buna|buna ziua|pe curand|o zi buna", "te rog|va rog",
        "dar|daca|doar|numai|nu|niciodata|poate|fara",
    ),
    "nb": _brief(
        "ja|jepp|ok|greit|gjerne|ja gjerne|selvfolgelig|klart|absolutt|det er greit|bekrefter",
        "godtar|jeg godtar|aksepterer|jeg aksepterer|godtatt|jeg er med", "nei|nei takk|ikke na|ikke i dag|helst ikke",
        "avslar|jeg avslar|takker nei|jeg takker nei", "takk|tusen takk|mange takk",
        "hilsen|vennlig hilsen|mvh|hei|ha det|vi ses",
        "vennligst|vaer sa snill", "men|hvis|om|bare|ikke|aldri|kanskje|uten|ingen|unntatt",
    ),
    "ca": _brief(
        "si|ok|d'acord|es clar|i tant|per descomptat|amb molt de gust|endavant|confirmo", "accepto|acceptat|"
        "estic d'acord|fet",
        "no|no gracies|ara no|avui no", "rebutjo|declino", "gracies|moltes gracies|merci",
        "salutacions|una salutacio|hola|bon dia|adeu|fins aviat|una abracada", "si us plau|sisplau",
        "pero|nomes|no|mai|potser|sense|excepte",
    ),
    "ja": _brief(
        "はい|はいはい|ええ|いいですよ|もちろん|もちろんです|喜んで|"
        "オーケー|オッケー|わかりました|了解|了解です|了解しました|よろしいです|確認しました",
        "承諾します|承諾|受けます|受けて立ちます|受け入れます|同意します|賛成です|承知しました",
        "いいえ|いや|結構です|今はだめです",
        "断ります|お断りします|辞退します", "ありがとう|ありがとうございます|どうも|どうもありがとう",
        "よろしく|よろしくお願いします|よろしくお願いいたします|こんにちは|こんばんは|おはようございます|敬具",
        "お願いします",
        "でも|もし|ただし|しかし|だけ|たぶん",
    ),
    "zh": _brief(
        "是|是的|好|好的|好啊|可以|行|没问题|沒問題|当然|當然|愿意|願意|确认|確認|确定|確定|嗯|对|對",
        "接受|我接受|同意|我同意|我愿意|我願意", "不|不是|不要|不行|不用|不用了|现在不行|不了谢谢|不谢谢",
        "拒绝|拒絕|我拒绝|我拒絕", "谢谢|謝謝|多谢|多謝|感谢|感謝|谢谢你|謝謝你", "你好|您好|再见|再見|祝好|此致|敬礼",
        "请|請", "但|但是|如果|只|只有|不过|可能|也许|没有",
    ),
    "ko": _brief(
        "네|예|응|그래|그래요|좋아|좋아요|좋습니다|물론|물론이죠|물론입니다|오케이|확인|확인합니다|알겠습니다|맞아요|맞습니다",
        "수락|수락합니다|수락할게요|동의|동의합니다|받아들입니다",
        "아니|아니요|아니오|아뇨|지금은 안돼요|괜찮습니다만",
        "거절|거절합니다|사양합니다|사양할게요", "감사합니다|고맙습니다|고마워요|감사해요",
        "안녕하세요|안녕|안녕히 계세요|수고하세요",
        "부탁합니다|부탁드려요", "하지만|만약|그런데|다만|아마|안|못",
    ),
    "ar": _brief(
        "نعم|اجل|حسنا|موافق|موافقة|طبعا|بالتاكيد|تمام", "اقبل|قبلت|اوافق|انا موافق|انا موافقة", "لا|لا شكرا|كلا|"
        "ليس الان",
        "ارفض|مرفوض|لا اقبل|لا اوافق", "شكرا|شكرا لك|شكرا جزيلا", "مع السلامة|تحياتي|مع تحياتي|مرحبا",
        "من فضلك|لو سمحت", "لكن|ولكن|اذا|لو|فقط|ربما|ليس|غدا",
    ),
    "he": _brief(
        "כן|בסדר|בטח|כמובן|אוקיי|אישור|מאשר|מאשרת|בשמחה", "מקבל|מקבלת|אני מקבל|אני מקבלת|מסכים|מסכימה|אני מסכים",
        "לא|לא תודה|לא עכשיו", "דוחה|אני דוחה|מסרב|מסרבת|אני לא מסכים", "תודה|תודה רבה", "בברכה|להתראות|שלום",
        "בבקשה", "אבל|אם|רק|אולי|מחר|לא",
    ),
}  # fmt: skip
