// All scenes of a game from the server, and how to draw one of them.

const SVG = "http://www.w3.org/2000/svg";
const GLIDE = 150; // milliseconds

const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
const isCalm = () => lessMotion.matches || document.documentElement.dataset.motion === "off"; // look.js

/** Fetch all scenes of a game that this viewer may see. Null if there are none now. */
export async function fetchFilm(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  return answer?.ok ? read(await answer.json()) : null;
}

function read({ tags, shapes, pictures, texts, ...scenes }) {
  const whole = [];
  for (const listed of pictures) whole.push(typeof listed[0] === "number" ? listed : changed(whole.at(-1), listed));
  const words = (numbers) => numbers.map((number) => texts[number]);
  return {
    last: whole.length - 1,
    shapes: (ply) => whole[ply],
    source: (shape) => shapes[shape].map((tag) => tags[tag]).join(""),
    told: (ply) => (ply ? texts[scenes.told[ply - 1]] : ""),
    notes: (ply) => words(scenes.notes[ply]),
    rules: (ply) => scenes.rules[ply].map(words),
    sentences: (ply) => words(scenes.sentences[ply]),
    board: (ply) => texts[scenes.boards[ply]],
    glides: (ply) => scenes.glides[ply - 1],
    foreseen: (ply) => scenes.foreseen.filter((line) => line.ply === ply),
  };
}

function changed(before, pairs) {
  const after = [...before];
  for (const [at, shape] of pairs) after[at] = shape;
  return after;
}

/** A stage for films; `show` redraws only what differs from the previous scene. */
export function screen(stage) {
  let [shown, drawn, at] = [null, [], 0];

  const svg = () => stage.querySelector("svg");
  const whole = (film, ply) => `${film.shapes(ply).map(film.source).join("")}</svg>`;

  function show(film, ply, { moves = true } = {}) {
    endGlides();
    stage.querySelector(".foreseen")?.remove();
    const shapes = film.shapes(ply);
    const step = film === shown && Math.abs(ply - at) === 1 && moves && !isCalm();
    const glides = step ? starts(film.glides(Math.max(ply, at)), ply < at) : [];
    if (film === shown && svg() && shapes.length === drawn.length) patch(film, shapes);
    else stage.innerHTML = whole(film, ply);
    [shown, drawn, at] = [film, shapes, ply];
    foresee(film.foreseen(ply));
    glides.forEach(glide);
  }

  function patch(film, shapes) {
    const places = shapes.map((_shape, place) => place).filter((place) => shapes[place] !== drawn[place]);
    if (places[0] === 0) svg().setAttribute("viewBox", film.source(shapes[0]).match(/viewBox="([^"]*)"/)[1]);
    const inner = places.filter((place) => place > 0);
    const fresh = document.createElementNS(SVG, "g");
    fresh.innerHTML = inner.map((place) => film.source(shapes[place])).join("");
    const [old, now] = [inner.map((place) => svg().children[place - 1]), [...fresh.children]];
    now.forEach((one, place) => old[place].replaceWith(one));
  }

  // -- planned moves, as dashed lines from origin to goal -----------------------------------------------------

  function foresee(lines) {
    if (!lines.length) return;
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "foreseen");
    svg().append(group);
    for (const { seat, paths } of lines) for (const path of paths) group.append(...dashes(seat, path));
  }

  function dashes(seat, path) {
    const points = path.map(place).filter(Boolean).map(middle);
    if (!points.length) return [];
    const [line, end] = ["polyline", "circle"].map((name) => document.createElementNS(SVG, name));
    line.setAttribute("points", points.map((point) => point.join()).join(" "));
    const [cx, cy] = points.at(-1);
    Object.entries({ cx, cy, r: 9 }).forEach(([name, value]) => end.setAttribute(name, value));
    for (const one of [line, end]) one.setAttribute("class", `is-of-${seat}`);
    return [line, end];
  }

  // -- moving pieces ---------------------------------------------------------------------------------

  const place = (token) => svg()?.querySelector(`[data-touch="${CSS.escape(token)}"]`);

  /** The middle of a shape in coordinates of the whole picture; trays have their own. */
  function middle(one) {
    const box = one.getBoundingClientRect();
    const point = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    const { x, y } = point.matrixTransform(svg().getScreenCTM().inverse());
    return [x, y];
  }

  function copyOf(one) {
    const { a, b, c, d, e, f } = svg().getScreenCTM().inverse().multiply(one.getScreenCTM());
    const copy = document.createElementNS(SVG, "g");
    copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f]})`);
    copy.append(one.cloneNode(true));
    copy.firstChild.removeAttribute("data-touch");
    return copy;
  }

  function starts(moved, isBack) {
    return moved.map((pair) => (isBack ? [pair[1], pair[0]] : pair)).flatMap(([source, target]) => {
      const lifted = place(source)?.querySelector(".pieces") ?? place(source);
      return lifted ? [{ target, copy: copyOf(lifted), from: middle(lifted) }] : [];
    });
  }

  function glide({ target, copy, from }) {
    const goal = place(target)?.querySelector(".pieces") ?? place(target);
    if (!goal) return;
    const [x, y] = middle(goal);
    const ghost = document.createElementNS(SVG, "g");
    ghost.setAttribute("class", "gliding");
    ghost.append(copy);
    svg().append(ghost);
    goal.classList.add("is-arriving");
    const ways = [{ transform: "none" }, { transform: `translate(${x - from[0]}px, ${y - from[1]}px)` }];
    ghost.animate(ways, { duration: GLIDE, easing: "ease-out" }).finished.then(endGlides, () => null);
  }

  function endGlides() {
    stage.querySelectorAll(".gliding").forEach((ghost) => ghost.remove());
    stage.querySelectorAll(".is-arriving").forEach((goal) => goal.classList.remove("is-arriving"));
  }

  return { show, whole };
}
