// Say that this browser is in use: the page asks for it once an hour at most, because loading it writes nothing.

const { note } = document.querySelector("[data-note]").dataset;
const token = document.querySelector("[name=csrf_token]").value;
fetch(note, { method: "POST", body: new URLSearchParams({ csrf_token: token }) }).catch(() => null);
