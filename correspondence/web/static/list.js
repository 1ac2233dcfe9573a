// Keys of the list of games: j and k go from game to game, n opens the next one that waits, ? shows the keys.

const rows = () => [...document.querySelectorAll("[data-row]")];

function go(by) {
  const all = rows();
  const at = all.indexOf(document.activeElement);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1);
  all[next]?.focus();
  all[next]?.closest("tr, li").scrollIntoView({ block: "nearest" });
}

const KEYS = {
  j: () => go(1),
  k: () => go(-1),
  n: () => rows().find((row) => row.closest(".is-mine"))?.click(),
  "?": () => {
    const keys = document.querySelector("#keys");
    keys.open = !keys.open;
    keys.querySelector("summary").focus();
  },
};

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select");
  if (isTyping || event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  KEYS[event.key]();
});
