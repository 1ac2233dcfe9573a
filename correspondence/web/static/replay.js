// Replay: the arrow keys follow the page's own links, and only the parts that differ are exchanged.

const typing = (target) => target.closest("input, textarea, select, [role=button]");

async function follow(href, { remember = true } = {}) {
  const answer = await fetch(href);
  if (!answer.ok) return location.assign(href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of document.querySelectorAll("[data-swap]")) {
    const fresh = page.querySelector(`[data-swap="${part.dataset.swap}"]`);
    if (fresh) part.replaceWith(document.adoptNode(fresh));
  }
  document.title = page.title;
  if (remember) history.pushState(null, "", href);
  document.dispatchEvent(new Event("swapped"));
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

// where a move is being made, following a link leaves the page, as links do
const isPlaying = document.querySelector("#play") !== null;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || typing(event.target)) return;
  const link = document.querySelector(`.replay [data-key="${event.key}"]`);
  if (!link || isPlaying) return;
  event.preventDefault();
  follow(link.href);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest(".replay a, .moves a");
  if (!link || isPlaying || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const key = link.dataset.key;
  follow(link.href).then(() => key && document.querySelector(`.replay [data-key="${key}"]`)?.focus());
});

window.addEventListener("popstate", () => (isPlaying ? location.reload() : follow(location.href, { remember: false })));
keepInSight();

// the slider is shown where this script runs; it and the field of numbers follow the same permalinks
let sliding = 0;

function showSlider() {
  for (const slider of document.querySelectorAll('[data-part="slider"]')) slider.hidden = isPlaying;
}

const moment = (form, ply) => form.dataset.go.replace(/0$/, ply);

document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-go]");
  if (!form || event.target.type !== "range") return;
  const { value } = event.target;
  form.elements.ply.value = value;
  clearTimeout(sliding);
  sliding = setTimeout(() => follow(moment(form, value)).then(() => document.querySelector('[data-part="slider"]')?.focus()), 120);
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-go]");
  if (!form || isPlaying) return;
  event.preventDefault();
  follow(moment(form, form.elements.ply.value)).then(() => document.querySelector("#ply")?.focus());
});

document.addEventListener("swapped", showSlider);
showSlider();
