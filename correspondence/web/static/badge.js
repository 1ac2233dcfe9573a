// Poll the number of waiting games; show it in the header, in the title, and as a dot on the icon.

const [EACH, HIDDEN] = [14_000, 60_000]; // milliseconds between two questions of a visible and of a hidden page
const place = document.querySelector("[data-waiting]");
const icon = document.querySelector("link[rel=icon]");
const list = () => document.querySelector('[data-part="mine"]');
let [pulse, timer] = ["", 0];

async function look() {
  clearTimeout(timer);
  timer = setTimeout(look, pause());
  const headers = { Accept: "application/json", ...(pulse && { "If-None-Match": `"${pulse}"` }) };
  const answer = await fetch(place.dataset.waiting, { cache: "no-store", headers }).catch(() => null);
  if (answer?.status === 404) clearTimeout(timer); // the member has signed out
  if (answer?.status === 200) await tell(await answer.json());
}

const pause = () => (document.visibilityState === "visible" ? EACH : HIDDEN);

// the page of a game marks its title itself if it is the member's turn there
function entitle(waiting) {
  const bare = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting && !bare.startsWith("●") ? `(${waiting}) ${bare}` : bare;
}

async function tell(news) {
  const more = news.waiting > Number(document.querySelector(".badge")?.textContent ?? 0);
  if (pulse && list() && !(await renewList())) return; // retried at the next poll if the list has unsent input
  pulse = news.pulse;
  const badge = Object.assign(document.createElement("b"), { className: "badge", textContent: news.waiting, ariaLabel: news.words });
  document.querySelector('[data-swap="waiting"]').replaceChildren(...(news.waiting ? [badge] : []));
  entitle(news.waiting);
  icon.href = news.waiting ? icon.dataset.dot : icon.dataset.plain;
  if (more) document.querySelector('[data-part="turns"]').textContent = news.words;
}

const isBusy = () => list().contains(document.activeElement) && document.activeElement.matches("input, textarea, select")
  || [...list().querySelectorAll("input:not([type=hidden]), textarea")].some((one) => one.value !== one.defaultValue);

async function renewList() {
  if (isBusy()) return false;
  const answer = await fetch(location.href);
  const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector('[data-part="mine"]');
  if (!fresh || isBusy()) return false;
  const held = list().contains(document.activeElement) && document.activeElement.getAttribute("href");
  for (const [at, old] of list().querySelectorAll("details").entries()) {
    const same = fresh.querySelectorAll("details")[at];
    if (same) same.open = old.open;
  }
  list().replaceWith(document.adoptNode(fresh));
  if (held) list().querySelector(`[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  return true;
}

entitle(Number(document.querySelector(".badge")?.textContent ?? 0));
if (list()) look(); // the current version of the list, from which changes are detected
else timer = setTimeout(look, pause());
document.addEventListener("visibilitychange", look);
