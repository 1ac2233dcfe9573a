// The page of a game: replay by keys, news without loading the page anew, and the board when it is one's turn.

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const game = () => document.querySelector("[data-pulse]");
const typing = (target) => target.closest("input, textarea, select, [role=button]");
const token = () => document.querySelector("[name=csrf_token]")?.value;

// -- the board: loaded where a move can be made ------------------------------------------------------

let playing = null;

async function begin() {
  const form = document.querySelector("#play");
  if (!form) return (playing = null);
  if (playing?.form !== form) playing = (await import(game().dataset.board)).begin(form);
  return playing;
}

// a half-made move, and words that were not sent: nothing may take these away
const isWriting = (where) => [...where.querySelectorAll("#move, textarea")].some((one) => one.value !== one.defaultValue);
const isBusy = () => Boolean(playing?.isBusy()) || isWriting(document);

// -- exchanging what differs --------------------------------------------------------------------------

async function fetched(href) {
  const answer = await fetch(href);
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

function exchange(page) {
  const held = document.activeElement?.dataset?.key ?? document.activeElement?.id;
  const { scrollX, scrollY } = window;
  for (const old of document.querySelectorAll("[data-swap]")) {
    const fresh = page.querySelector(`[data-swap="${old.dataset.swap}"]`);
    if (fresh && !isWriting(old) && old.innerHTML !== fresh.innerHTML) old.replaceWith(document.adoptNode(fresh));
  }
  document.title = page.title;
  if (held && !document.activeElement?.matches?.("a, button, input")) {
    document.querySelector(`[data-key="${held}"], [id="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  }
  scrollTo(scrollX, scrollY);
  keepInSight();
  showSlider();
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

// -- replay: where a move is being made, following a link leaves the page, as links do ------------------

const mayFollow = () => document.querySelector("#play") === null;

async function follow(href, { remember = true } = {}) {
  const page = await fetched(href);
  if (!page) return location.assign(href);
  exchange(page);
  if (remember) history.pushState(null, "", href);
  await begin();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || typing(event.target)) return;
  const jump = document.querySelector(`[data-jump="${CSS.escape(event.key)}"]`);
  if (jump) return jump.click();
  const link = document.querySelector(`.replay [data-key="${CSS.escape(event.key)}"]`);
  if (!link || !mayFollow()) return;
  event.preventDefault();
  follow(link.href);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest(".replay a, .moves a");
  if (!link || !mayFollow() || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const key = link.dataset.key;
  follow(link.href).then(() => key && document.querySelector(`.replay [data-key="${key}"]`)?.focus());
});

window.addEventListener("popstate", () => (mayFollow() ? follow(location.href, { remember: false }) : location.reload()));

// the slider is shown where this script runs; it and the field of numbers follow the same permalinks
let sliding = 0;

function showSlider() {
  for (const slider of document.querySelectorAll('[data-part="slider"]')) slider.hidden = !mayFollow();
}

const moment = (form, ply) => form.dataset.go.replace(/0$/, ply);

document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-go]");
  if (!form || event.target.type !== "range") return;
  const { value } = event.target;
  form.elements.ply.value = value;
  clearTimeout(sliding);
  sliding = setTimeout(() => follow(moment(form, value)).then(() => part("slider")?.focus()), 120);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-go]");
  if (!form || !mayFollow()) return;
  event.preventDefault();
  follow(moment(form, form.elements.ply.value)).then(() => document.querySelector("#ply")?.focus());
});

// -- news: asked for while the page is in sight, at first often, then more and more seldom ---------------

const [SOONEST, LATEST] = [12_000, 300_000];
let wait = SOONEST;
let timer = 0;
let pulse = game()?.dataset.pulse;

const isPast = () => /\/games\/\d+\/\d+/.test(location.pathname);

function later() {
  clearTimeout(timer);
  if (game()?.dataset.watch) timer = setTimeout(look, wait);
  wait = Math.min(wait * 1.5, LATEST);
}

async function look() {
  if (document.visibilityState !== "visible") return;
  const asked = { cache: "no-store", headers: { Accept: "application/json", "If-None-Match": `"${pulse}"` } };
  const answer = await fetch(game().dataset.watch, asked).catch(() => null);
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
  [pulse, wait] = [page.querySelector("[data-pulse]").dataset.pulse, SOONEST];
  if (news.over) delete game().dataset.watch;
  const spoken = document.querySelector('[data-swap="talk"]')?.textContent !== before ? part("announce").dataset.talk : "";
  await begin();
  announce([part("fresh")?.textContent, document.querySelector(".status")?.textContent, spoken].filter(Boolean).join(" "));
  markSeen();
}

function announce(sentence) {
  part("announce").textContent = sentence.replace(/\s+/g, " ").trim();
}

// what a page says when it is loaded is read by no voice: it is said once more, where voices listen
function tellWhatWasDone() {
  const done = document.querySelector("main > .notice[role=status]");
  if (done) setTimeout(() => announce(`${done.textContent} ${document.querySelector(".status")?.textContent ?? ""}`), 300);
}

// what was shown on a page in sight has been seen; the marks stay until the page is loaded anew
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
  wait = SOONEST;
  markSeen();
  if (game()?.dataset.watch) look();
});

// -- beginning ---------------------------------------------------------------------------------------------

keepInSight();
showSlider();
markSeen();
await begin();
tellWhatWasDone();
later();
