// Report that this browser is in use, at most once an hour: loading a page writes nothing.

const { note } = document.querySelector("[data-note]").dataset;
fetch(note, { method: "POST" }).catch(() => null);
