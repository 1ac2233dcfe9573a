// The page of a game: replay, updates without reloading, and the board if it is the visitor's turn.

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const game = () => document.querySelector("[data-pulse]");
const typing = (target) => target.closest("input, textarea, select, [role=button]");

// -- the board: loaded if the visitor can move -------------------------------------------------------

let playing = null;
let watched = null;

// the script for stacks is loaded once the game has any
async function watchStacks() {
  const board = document.querySelector("#board");
  if (!board?.querySelector(".stack") || board === watched || !game()?.dataset.stacks) return;
  watched = board;
  (await import(game().dataset.stacks)).watch(board);
}

async function begin() {
  await watchStacks();
  const form = document.querySelector("#play");
  if (!form) return (playing = null);
  if (playing?.form !== form) playing = (await import(game().dataset.board)).begin(form);
  return playing;
}

// an incomplete move or unsent text, which updates must not discard
const isWriting = (where) => [...where.querySelectorAll("#move, textarea")].some((one) => one.value !== one.defaultValue);
const isBusy = () => Boolean(playing?.isBusy()) || isWriting(document);

// -- replacing changed parts --------------------------------------------------------------------------

const member = (page) => page.querySelector("[name=for-member]")?.value ?? "";

// Returns null also if another member has signed in meanwhile: then the whole page is reloaded, so that it is never mixed.
async function fetched(href) {
  const answer = await fetch(href);
  const page = answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
  if (!page || member(page) === member(document)) return page;
  location.assign(href);
  return null;
}

function exchange(page) {
  const held = document.activeElement?.dataset?.key ?? document.activeElement?.id;
  const { scrollX, scrollY } = window;
  for (const old of document.querySelectorAll("[data-swap]")) {
    const fresh = page.querySelector(`[data-swap="${old.dataset.swap}"]`);
    if (fresh && old.isConnected && !isWriting(old) && old.innerHTML !== fresh.innerHTML) old.replaceWith(document.adoptNode(fresh));
  }
  document.title = page.title;
  document.querySelector("link[rel=icon]").href = page.querySelector("link[rel=icon]").getAttribute("href");
  document.dispatchEvent(new Event("exchanged")); // look.js shows its choices again
  if (held && !document.activeElement?.matches?.("a, button, input")) {
    document.querySelector(`[data-key="${held}"], [id="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  }
  scrollTo(scrollX, scrollY);
  for (const name of ["ply", "last", "over"]) {
    const value = page.querySelector("[data-pulse]")?.dataset[name];
    if (value !== undefined) game().dataset[name] = value;
  }
  keepInSight();
}

function keepInSight() {
  const list = document.querySelector(".scroll");
  const current = list?.querySelector("[aria-current]");
  if (!current) return;
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.top < outer.top + 40 || inner.bottom > outer.bottom) {
    list.scrollTop += inner.top - outer.top - outer.height / 2;
  }
}

// -- replay: keys pressed before its script is loaded are queued -----------------------------------------

const REPLAYED = ["ArrowLeft", "ArrowRight", "Home", "End", " ", "f", "?"];
const replaying = beginReplay();

async function beginReplay() {
  const { scenes, replay, film } = game()?.dataset ?? {};
  if (!scenes) return null;
  const [{ begin: beginOn }, films] = await Promise.all([import(replay), import(film)]);
  return beginOn(game(), films, { playing: () => (document.querySelector("#play") ? playing : null), keepInSight });
}

function means(event) {
  const { key, target } = event;
  if (!REPLAYED.includes(key) || document.querySelector("dialog[open]")) return false;
  if (target.matches(".board [role=button]")) return key === "Home" || key === "End";
  if (key === " ") return !target.closest("a, button, summary, input, textarea, select");
  return !typing(target);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const jump = !typing(event.target) && document.querySelector(`[data-jump="${CSS.escape(event.key)}"]`);
  if (jump) return jump.click();
  if (!game()?.dataset.scenes || !means(event)) return;
  event.preventDefault();
  replaying.then((replay) => replay.obey(event.key));
});

// -- updates: polled while the page is visible --------------------------------------------------------------

const [EACH, SOON, AT_ONCE] = [12_000, 3_000, 500]; // milliseconds between two questions
const QUICK = 10; // questions at the shortest interval while a robot thinks, which mostly answers within seconds
let [timer, asked] = [0, 0];
let pulse = game()?.dataset.pulse;

const isPast = () => /\/games\/\d+\/\d+/.test(location.pathname);

function later() {
  clearTimeout(timer);
  if (!document.querySelector(".thinking")) asked = 0;
  const whileThinking = asked++ < QUICK ? AT_ONCE : SOON;
  if (game()?.dataset.watch) timer = setTimeout(look, document.querySelector(".thinking") ? whileThinking : EACH);
}

async function look() {
  if (document.visibilityState !== "visible") return;
  const options = { cache: "no-store", headers: { Accept: "application/json", "If-None-Match": `"${pulse}"` } };
  const answer = await fetch(game().dataset.watch, options).catch(() => null);
  if (answer?.status === 200) await tell(await answer.json());
  later();
}

async function tell(news) {
  if (isBusy() || isPast()) {
    const notice = part("news");
    if (notice.hidden) announce(notice.textContent);
    return void (notice.hidden = false);
  }
  const page = await fetched(part("news").querySelector("a").href);
  if (!page || isBusy()) return;
  part("news").hidden = true;
  const before = document.querySelector('[data-swap="talk"]')?.textContent;
  exchange(page);
  pulse = page.querySelector("[data-pulse]").dataset.pulse;
  if (news.over) delete game().dataset.watch;
  const spoken = document.querySelector('[data-swap="talk"]')?.textContent !== before ? part("announce").dataset.talk : "";
  await begin();
  (await replaying)?.renew();
  announce([part("fresh")?.textContent, part("present")?.textContent, spoken].filter(Boolean).join(" "));
  markSeen();
}

function announce(sentence) {
  if (part("announce")) part("announce").textContent = sentence.replace(/\s+/g, " ").trim();
}

// screen readers do not read notices that are on a page when it loads, so the notice is announced again
function tellWhatWasDone() {
  const done = document.querySelector(".pending .notice[role=status]");
  if (done) setTimeout(() => announce(`${done.textContent} ${part("present")?.textContent ?? ""}`), 300);
}

// moves shown on a visible page count as seen; their marks stay until the page is reloaded
function markSeen() {
  const form = part("seen");
  if (!form || document.visibilityState !== "visible") return;
  const sent = new FormData(form);
  form.querySelector("button").hidden = true;
  form.removeAttribute("data-part");
  fetch(form.action, { method: "POST", body: sent, headers: { Accept: "application/json" } }).catch(() => null);
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return clearTimeout(timer);
  markSeen();
  if (game()?.dataset.watch) look();
});

// -- start -------------------------------------------------------------------------------------------------

keepInSight();
markSeen();
await begin();
tellWhatWasDone();
later();
