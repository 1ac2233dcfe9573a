// The viewer of a game in a frame on another site. It fetches all scenes once, at the first step, and stores nothing.

const STEPS = { Home: () => 0, ArrowLeft: (at) => at - 1, ArrowRight: (at) => at + 1, End: (_at, last) => last };
const PAUSE = 1_200; // milliseconds between two moves while watching

const viewer = document.querySelector("main[data-scenes]");
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const { fetchFilm, screen } = await import(viewer.dataset.film);
const stage = screen(part("picture"));
const films = new Map(); // by the side at the bottom of the board
let [want, last, bottom] = ["ply", "last", "bottom"].map((name) => Number(viewer.dataset[name]));
let timer = 0;

const address = (ply, side) => `${viewer.dataset.scenes.replace(/embed\.json$/, `${ply}/embed`)}${side ? `?bottom=${side}` : ""}`;

function film(side) {
  if (!films.has(side)) films.set(side, fetchFilm(`${viewer.dataset.scenes}?bottom=${side}`));
  return films.get(side);
}

async function show(ply, side = bottom) {
  [want, bottom] = [Math.max(0, Math.min(ply, last)), side];
  const [wanted, scenes] = [want, await film(side)];
  if (wanted !== want || side !== bottom) return; // another step came first
  if (!scenes) return location.assign(address(want, side)); // no scenes now: load the page of that position
  last = scenes.last; // a running game may have gone on
  stage.show(scenes, want);
  part("told").textContent = scenes.told(want);
  part("at").textContent = want;
  document.querySelector(".of").textContent = ` / ${last}`;
  part("page").href = `${viewer.dataset.page}/${want}`;
  for (const link of document.querySelectorAll("[data-key]")) aim(link);
}

function aim(link) {
  const step = STEPS[link.dataset.key];
  const ply = step ? step(want, last) : want;
  const isPossible = !step || (ply >= 0 && ply <= last && ply !== want);
  link.setAttribute("aria-disabled", String(!isPossible));
  if (isPossible) link.setAttribute("href", address(ply, step ? bottom : 1 - bottom));
  else link.removeAttribute("href");
}

// -- watching ------------------------------------------------------------------------------------------

const isWatching = () => part("watch").getAttribute("aria-pressed") === "true";

function watch(isOn) {
  clearTimeout(timer);
  part("watch").setAttribute("aria-pressed", String(isOn));
  part("watch").textContent = isOn ? "❚❚" : "▶";
}

async function play() {
  await show(want === last ? 0 : want + 1);
  if (!isWatching()) return;
  if (want < last) timer = setTimeout(play, PAUSE);
  else watch(false);
}

function watchOrNot() {
  watch(!isWatching());
  if (isWatching()) play();
}

// -- keys and links ------------------------------------------------------------------------------------

function obey(key) {
  if (key === " ") return watchOrNot();
  watch(false);
  if (key === "f") show(want, 1 - bottom);
  else show(STEPS[key](want, last));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in STEPS || "f ".includes(event.key))) return;
  if (event.key === " " && event.target.closest("a, button")) return;
  event.preventDefault();
  obey(event.key);
});

document.addEventListener("click", (event) => {
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("[data-key]");
  if (!link?.hasAttribute("href")) return;
  event.preventDefault();
  obey(link.dataset.key);
});

part("watch").addEventListener("click", watchOrNot);
part("watch").hidden = last === 0;
