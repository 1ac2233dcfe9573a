// Say that this browser is in use: the page asks for it once an hour at most, because loading it writes nothing.

const { note } = document.querySelector("[data-note]").dataset;
fetch(note, { method: "POST" }).catch(() => null);
