"""Sentences of the offline verification page, by the keys that its scripts use."""

from __future__ import annotations

from collections.abc import Callable

from engines.wording import N_, ngettext

Sentence = str | Callable[[int], str]
"""A sentence to translate, or a pair for singular and plural."""

PAGE: dict[str, Sentence] = {
    "title": N_("Check records and letters"),
    "what": N_(
        "This page checks what a game's record and its letters prove, in your browser alone. It sends "
        "nothing to anybody, and it works from your disk without a network."
    ),
    "no script": N_("The checks are a script of this page, so they need JavaScript."),
    "paste": N_("Paste a record"),
    "paste hint": N_("The text of a file such as game-12.record, whole."),
    "choose": N_("Or choose files"),
    "choose hint": N_(
        "You can choose several files: records, whole mailboxes (mbox), single letters (eml), and a server's "
        "correspondence-keys.json."
    ),
    "check": N_("Check"),
    "findings": N_("Findings"),
    "nothing": N_("Nothing was checked yet."),
    "working": N_("Checking …"),
    "not here": N_("Not checked by this page"),
    "not legal": N_(
        "Whether the moves are legal, and whether the result follows from them: that takes the rules of the "
        "game. The program verify.pyz knows them."
    ),
    "not which sealed": N_(
        "Which entries had to be sealed: that follows from the rules too. The seals that exist are checked."
    ),
    "not tags": N_(
        "What an operator wrote about a result (the tag Correction), and the licence: neither a hash nor a signature covers them."
    ),
    "not key": N_(
        "Whose key it is. Compare the key with the server's published list, and with letters of other people."
    ),
    "not friend": N_(
        "Whether the server showed a seed or a secret to a friend of its operator. Nothing can prove that it "
        "did not."
    ),
    "save": N_("Save this page to keep the checker: it is a single file and will always work the same way."),
    "insecure": N_(
        "The browser checks hashes only on pages from a disk or over HTTPS. Save this page, and open the "
        "file."
    ),
    "failed": N_("The check ended with a browser error: {why}"),
    "checked": N_("Item"),
    "state": N_("State"),
    "state holds": N_("holds"),
    "state open": N_("open"),
    "state absent": N_("not checked"),
    "state wrong": N_("wrong"),
    "all holds": N_("All checks on this page have passed."),
    "all open": N_("All possible checks have passed; some points are open."),
    "all wrong": N_("Something is wrong."),
    "line": N_("line {number}: "),
    "pasted": N_("what was pasted"),
    "files": N_("Files"),
    "record": N_("Record: {name} {site}"),
    "game": N_("Letters of game {game}"),
    "keys alone": N_("There are keys here, but neither a record nor letters."),
    "too large": N_("{name} was not read: all files together may have {most} million bytes."),
    "unknown": N_("{name} is not a record, a mailbox, a letter or a list of keys."),
    "not text": N_("{name} is not a record: a record is text in UTF-8."),
}  # fmt: skip
"""Texts of the page other than its findings."""

RECORD: dict[str, Sentence] = {
    "reads": lambda n: ngettext("The record can be read: {count} entry.", "The record can be read: {count} entries.", n),
    "replay": N_("Whether every entry is a legal move was not checked here; verify.pyz does."),
    "long": N_("No record is longer than {most} characters."),
    "binary": N_("This is not a record: it contains bytes that are not text."),
    "many tags": N_("No record has more than {most} tags."),
    "many entries": N_("No game has more than {most} entries."),
    "missing": N_("Tags are missing: {names}."),
    "result": N_("No game can have this result."),
    "no game": N_("There is no game “{key}” here."),
    "no tag": N_("Line {number} cannot be read as a tag."),
    "no entry": N_("Line {number} cannot be read as an entry."),
    "order": N_("Found entry {ply} where entry {at} should be."),
    "time": N_("Line {number} has a time that cannot be read."),
    "old": N_("This game began before there were commitments, so it can't be verified."),
    "chain 2": N_("The tag Chain must be 2."),
    "seed open": N_("The seed is not open yet."),
    "seed digits": N_("The seed has {count} hex digits."),
    "no commitment": N_("There is no commitment with 64 hex digits."),
    "commitment wrong": N_("The seed does not match the commitment."),
    "commitment": N_("The commitment matches the seed."),
    "unknown chance": N_("This page does not know how this game draws at random."),
    "chance wrong": N_("According to the seed, entry {ply} is {drawn}, not {text}."),
    "chance": lambda n: ngettext("{count} draw follows from the seed.", "All {count} draws follow from the seed.", n),
    "no chance": N_("Nothing was drawn."),
    "seals unread": N_("The tag Seals cannot be read."),
    "seal of none": N_("A seal names an entry that does not exist."),
    "no seals": N_("No entry was sealed."),
    "seal wrong": N_("The seal of entry {ply} does not match its text."),
    "seals": lambda n: ngettext("{count} seal opens.", "All {count} seals open.", n),
    "no moment": N_("Entry {ply} has no time."),
    "no hash": N_("This record has no hash to prove it; while a game with secrets runs, its record has none."),
    "chain wrong": N_("The hash does not match the moves: this record has been changed."),
    "chain": N_("The chain of hashes ends in the hash of the record."),
    "unsigned": N_("The record is not signed."),
    "no ed25519": N_(
        "The signature was not checked: this browser does not know Ed25519. Newer ones do, and so does "
        "verify.pyz."
    ),
    "signature wrong": N_("The signature does not match."),
    "signature": N_("The signature matches the key {key}."),
    "end early": N_("This game is still running, but its record has the tag {name}."),
    "end open": N_("The game is not over, so its end is not signed yet."),
    "end unsigned": N_("This record is not proven complete: the end is not signed."),
    "end wrong": N_(
        "This record is not proven complete: the end is not signed in this form, so something was changed."
    ),
    "end": N_("The end is signed by the key {key}."),
    "end amended": N_("The end is signed by the key {key}, amended: {what}."),
    "key unknown": N_("It is signed by an unknown key: {key}."),
    "key none": N_("No key is named."),
    "key": N_("The keys are known."),
}  # fmt: skip
"""Findings on the claims of a record."""

LETTERS: dict[str, Sentence] = {
    "mailbox": N_("Messages: {count}; letters of games with a head among them: {letters}."),
    "many letters": N_("Only the first {most} messages were read."),
    "letters": lambda n: ngettext("{count} letter of this game has a head.", "{count} letters of this game have a head.", n),
    "letter": N_("{name}: {why}"),
    "more": lambda n: ngettext("{count} more letter is like these.", "{count} more letters are like these.", n),
    "bad head": N_("Its field Correspondence-Head cannot be read."),
    "letter signatures": N_("The head in every letter is signed by the server's key."),
    "letter signatures open": N_(
        "No signature was checked, because no key is known: add a record of this game, or the server's "
        "correspondence-keys.json."
    ),
    "letter unsigned": N_(
        "Its signature matches none of the keys given here. If the server has changed its key since, add its "
        "correspondence-keys.json."
    ),
    "bad end": N_("Its field Correspondence-End cannot be read."),
    "letter ends": N_("The signed endings in the letters match the record."),
    "letter ends open": N_("A letter shows a signed ending. Add a record of this game to compare it with."),
    "end by stranger": N_("Its ending is signed with none of the keys given here."),
    "end of another": N_("Its signed ending belongs to another game."),
    "other end": N_("Another letter of this game shows a different signed ending."),
    "end before": N_("Its signed ending is not that of the record, which has been amended since."),
    "end unlike": N_("Its signed ending is not that of the record."),
    "letter digits": N_("Every letter shows the first eight digits of its head."),
    "letter digits open": N_("No letter shows its first eight digits."),
    "other digits": N_("Its text lacks the first eight digits of its head."),
    "letter heads": N_("The heads of all letters are on the chain of the record."),
    "letter heads open": N_(
        "The heads do not contradict one another. Add the record of this game to compare them with it."
    ),
    "taken back": N_(
        "It has another head after {ply} entries, and a later letter goes back to fewer entries, as after a "
        "takeback. Did you agree to one?"
    ),
    "other head": N_("Its head after {ply} entries is not that of the record: one of them was changed."),
    "contradiction": N_("Another letter has a different head after {ply} entries."),
    "letter seals": N_("The seals in the letters are those of the record."),
    "letter seals open": N_("There are seals in the letters, and no record to compare them with."),
    "other seal": N_("Its seal of entry {ply} is not that of the record."),
    "letter commitments": N_("The commitment and the seed in the letters are those of the record."),
    "letter commitments open": N_(
        "There is a commitment or a seed in the letters, and no record to compare it with."
    ),
    "other commitment": N_("Its commitment or seed is not that of the record."),
}  # fmt: skip
"""Findings on letters."""

SENTENCES: dict[str, Sentence] = {**PAGE, **RECORD, **LETTERS}
"""Every sentence of the page by its key."""
