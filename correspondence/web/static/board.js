// The board of the player to move: touching, dragging, keys and typing all write one text into one form.

const SVG = "http://www.w3.org/2000/svg";
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const DRAGGED = 6; // pixels after which a press becomes a drag

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const isSmall = matchMedia("(max-width: 40rem)"); // elements beside the board are too small to touch
const hasSheet = matchMedia("(max-width: 56rem) and (min-height: 30rem)"); // choices and the button are fixed at the lower edge: nothing scrolls

/** Make the board of this form interactive; returns an object that says whether a move is incomplete. */
export function begin(form) {
  const [picture, preview, saying, choices, row, verdict, undo, look, legal, suggested] =
    ["picture", "preview", "saying", "choices", "row", "verdict", "undo", "look", "legal", "suggestions"].map(part);
  const board = document.querySelector("#board");
  const field = form.elements.move;
  const play = form.querySelector("button.primary");
  const sends = form.hasAttribute("data-send"); // a complete move is sent at once, without a preview
  const prompts = JSON.parse(form.dataset.prompts ?? "[]"); // what to touch next, in the words of the game
  let original = board.classList.contains("is-preview") ? null : picture.innerHTML;
  let facing = Number(document.querySelector("[data-bottom]")?.dataset.bottom ?? 0); // the seat at the bottom of the board

  let tree = null; // touch tree by token; a leaf is the text of a move
  let labels = {};
  let faces = {}; // small pictures of choices, by token
  let path = [];
  let asking = new AbortController();
  let heldBack = false; // true if the next click only ends a drag

  const popup = document.createElement("div"); // choices shown beside their piece
  Object.assign(popup, { className: "popup", hidden: true });
  popup.setAttribute("role", "group");
  popup.setAttribute("aria-label", form.dataset.choose);
  board.querySelector(".popup")?.remove();
  board.append(popup);
  popup.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    stepBack();
    focusOn(places()[0]);
  });

  // -- the path so far --------------------------------------------------------------------

  const branch = () => path.reduce((at, token) => at[token], tree);
  const named = (token) => labels[token] ?? token;
  const places = () => [...picture.querySelectorAll("[data-touch]")];
  const isSquare = (place) => place.classList.contains("cell");
  const isShown = (token) => places().some((place) => place.dataset.touch === token && (isSquare(place) || !isSmall.matches));

  function touch(token) {
    if (board.classList.contains("is-preview")) start();
    if (!tree) return;
    const at = branch();
    if (typeof at === "object" && token in at) path.push(token);
    else if (path.at(-1) === token) path.pop();
    else if (token in tree) path = [token];
    else return say(form.dataset.nothing);
    show();
  }

  function stepBack() {
    if (board.classList.contains("is-preview")) restore();
    path.pop();
    field.value = "";
    judge({ state: "", sentence: "" });
    show();
  }

  function start() {
    path = [];
    field.value = "";
    judge({ state: "", sentence: "" });
    restore();
  }

  // -- showing it -------------------------------------------------------------------------

  function show() {
    const at = branch();
    const isWhole = typeof at === "string";
    const next = isWhole ? [] : Object.keys(at);
    standAtGoal();
    mark(next);
    offer(next.filter((token) => !isShown(token)), next.some(isShown));
    undo.hidden = path.length === 0;
    const tab = document.querySelector('[data-tab="move"]');
    if (tab && path.length) tab.checked = true;
    if (isWhole && sends) {
      field.value = at;
      form.requestSubmit();
    } else if (isWhole) {
      field.value = at;
      say("");
      read();
      bringIntoSight(row);
    } else {
      if (path.length) field.value = "";
      say(words(next));
      if (path.length) bringIntoSight(choices.children.length ? choices : picture);
    }
  }

  function bringIntoSight(shown) {
    if (!hasSheet.matches) shown.scrollIntoView({ block: "nearest" });
  }

  function words(next) {
    if (!path.length) return form.dataset.begin;
    const chosen = form.dataset.chosen.replace("{path}", path.map(named).join(" → "));
    return `${chosen} ${prompt(next) ?? (choices.children.length + popup.children.length === next.length ? form.dataset.choose : form.dataset.further)}`;
  }

  /** The sentence of the game's first prompt that fits the touches so far and the next ones. */
  function prompt(next) {
    const fits = (pattern, text) => new RegExp(`^(?:${pattern})$`).test(text);
    return prompts.find(([after, then]) => fits(after, path.join(" ")) && next.every((token) => fits(then, token)))?.[2];
  }

  function say(sentence) {
    saying.textContent = sentence;
  }

  function mark(next) {
    picture.querySelector("svg").classList.toggle("is-picking", path.length > 0);
    for (const place of places()) {
      const token = place.dataset.touch;
      place.classList.toggle("is-next", next.includes(token));
      place.classList.toggle("is-chosen", path.includes(token));
      place.setAttribute("aria-disabled", String(!(next.includes(token) || path.includes(token) || token in tree)));
      place.setAttribute("aria-pressed", String(path.includes(token)));
    }
  }

  function offer(tokens, hasPlaces) {
    const isNear = path.length > 0 && !hasPlaces && tokens.every(placeOfChoice); // otherwise the popup would hide those places
    const [near, far] = isNear ? [tokens, []] : [[], tokens];
    choices.replaceChildren(...far.slice(0, 60).map((token) => choiceOf(token, named(token))));
    popup.replaceChildren(...near.map((token) => choiceOf(token, pictureOf(token), named(token))));
    popup.hidden = !near.length;
    if (near.length) popUpAt(placeOfChoice(near[0]));
  }

  function choiceOf(token, content, name = "") {
    const button = Object.assign(document.createElement("button"), { type: "button", value: token });
    if (name) [button.title, button.ariaLabel] = [name, name];
    button.innerHTML = content.startsWith("<svg") ? content : "";
    if (!button.innerHTML) button.textContent = content;
    button.classList.toggle("is-words", content === name);
    button.addEventListener("click", () => {
      touch(token);
      (popup.querySelector("button") ?? choices.querySelector("button") ?? play).focus({ preventScroll: true });
    });
    return button;
  }

  // -- choices beside their piece -------------------------------------------------------------

  const cellOf = (token) => places().find((place) => place.dataset.touch === token && isSquare(place));
  const countedOn = (token) => token.match(/^(.+)\((\d+)\)$/); // a token with the number of pieces that move on from this square

  const lastPlace = () => places().find((place) => place.dataset.touch === path.at(-1) && (isSquare(place) || !isSmall.matches));

  /** Where to show a choice: at pieces that move on, at the last piece with pictured choices, or at the last touched place. */
  function placeOfChoice(token) {
    const counted = countedOn(token);
    if (counted) return cellOf(counted[1]);
    return token in faces ? cellOf(path.findLast(cellOf)) : lastPlace();
  }

  /** The picture of a choice beside its square: a piece, or a number of pieces, or both. */
  function pictureOf(token) {
    const counted = countedOn(token);
    if (!counted) return faces[token] ?? named(token);
    return counted[1] === path[0] && token in faces ? `${faces[token]}<small>${counted[2]}</small>` : counted[2];
  }

  function popUpAt(place) {
    const [cell, frame] = [place.getBoundingClientRect(), board.getBoundingClientRect()];
    const left = cell.x - frame.x + cell.width / 2 - popup.offsetWidth / 2;
    const above = cell.y - frame.y - popup.offsetHeight - 6;
    const below = cell.bottom - frame.y + 6;
    popup.style.left = `${Math.max(0, Math.min(left, frame.width - popup.offsetWidth))}px`;
    popup.style.top = `${above < 0 ? below : above}px`;
  }

  // -- a piece whose goal is chosen is drawn there while the move is incomplete --------------------------

  function standAtGoal() {
    picture.querySelector(".at-goal")?.remove();
    for (const name of ["is-leaving", "is-reached"]) picture.querySelector(`.${name}`)?.classList.remove(name);
    const [source, goal] = path.map(cellOf).filter(Boolean);
    const pieces = source?.querySelector(".pieces");
    if (!pieces || !goal || source === goal || source.dataset.touch !== path[0]) return;
    const [from, to] = [source, goal].map((place) => place.querySelector(".halo").getBBox());
    const copy = document.createElementNS(SVG, "g");
    copy.setAttribute("class", "at-goal");
    copy.setAttribute("transform", `translate(${to.x - from.x} ${to.y - from.y})`);
    copy.append(pieces.cloneNode(true));
    goal.after(copy);
    source.classList.add("is-leaving");
    goal.classList.add("is-reached");
  }

  // -- the picture ------------------------------------------------------------------------

  function restore() {
    if (original === null) return;
    popup.hidden = true;
    board.classList.remove("is-preview");
    preview.hidden = true;
    picture.innerHTML = original;
    dress();
  }

  /** Turn the board so that the seat `bottom` is at the bottom; `drawing` is the picture for that side. */
  function turn(drawing, bottom) {
    if (original === null || bottom === facing) return;
    [original, facing] = [drawing, bottom];
    const isForeseen = board.classList.contains("is-preview");
    restore();
    if (isForeseen) read();
    else if (tree) show();
  }

  function dress() {
    const svg = picture.querySelector("svg");
    svg.setAttribute("role", "group");
    for (const place of places()) {
      const ground = isSquare(place) ? place.querySelector("rect, polygon") : null;
      const box = (ground ?? place).getBBox();
      const isPolygon = ground?.matches("polygon");
      const wash = isPolygon ? alike("wash", ground) : frame("wash", box, ground ? 0 : -4);
      if (ground) ground.after(wash);
      else place.prepend(wash);
      place.append(isPolygon ? alike("halo", ground, box, 3.5) : frame("halo", box, ground ? 3.5 : -3));
      place.setAttribute("role", "button");
      place.setAttribute("tabindex", "-1");
      place.setAttribute("aria-label", place.querySelector("title")?.textContent ?? place.dataset.touch);
    }
    places()[0]?.setAttribute("tabindex", "0");
  }

  function alike(name, ground, box, inset = 0) {
    const shape = ground.cloneNode();
    for (const look of ["fill", "stroke", "stroke-width"]) shape.removeAttribute(look);
    shape.setAttribute("class", name);
    if (inset) shape.setAttribute("transform", shrunk(box, inset));
    return shape;
  }

  function shrunk(box, inset) {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return `translate(${x} ${y}) scale(${1 - 2 * inset / box.width}) translate(${-x} ${-y})`;
  }

  function frame(name, box, inset) {
    const rect = document.createElementNS(SVG, "rect");
    const size = { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset };
    Object.entries({ class: name, rx: inset ? 5 : 0, ...size }).forEach(([key, value]) => rect.setAttribute(key, value));
    return rect;
  }

  picture.addEventListener("click", (event) => {
    const place = event.target.closest("[data-touch]");
    if (place && !heldBack) touch(place.dataset.touch);
    heldBack = false;
  });

  // -- dragging a piece to its goal, by mouse, pen or finger --------------------------------------------------

  let drag = null;

  picture.addEventListener("pointerdown", (event) => {
    const place = event.target.closest("[data-touch]");
    heldBack = false;
    if (!place || event.button || !tree || !(place.matches(".is-next, .is-chosen") || place.dataset.touch in tree)) return;
    drag = { place, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null };
  });

  window.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (!form.isConnected) return void (drag = null);
    const [across, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(across, down) < DRAGGED) return;
    if (!drag.ghost && !lift()) return void (drag = null);
    const scale = picture.querySelector("svg").getScreenCTM().a || 1;
    const goal = under(event);
    goal?.classList.add("is-under");
    const [x, y] = goal?.matches(".is-next") ? apart(goal) : [across / scale, down / scale];
    drag.ghost.setAttribute("transform", `translate(${x} ${y})`);
  });

  // above a legal goal, the dragged piece snaps to it
  function apart(goal) {
    const scale = picture.querySelector("svg").getScreenCTM().a || 1; // trays have their own coordinates
    const [from, to] = [drag.lifted, goal].map((place) => place.querySelector(".halo").getBoundingClientRect());
    return [to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2].map((way) => way / scale);
  }

  // touching a movable piece drags it instead of scrolling
  picture.addEventListener("touchmove", (event) => drag && event.cancelable && event.preventDefault(), { passive: false });

  function lift() {
    const { place } = drag;
    if (path.at(-1) !== place.dataset.touch) touch(place.dataset.touch);
    const lifted = picture.querySelector(`[data-touch="${CSS.escape(place.dataset.touch)}"]`);
    if (!lifted || path.at(-1) !== place.dataset.touch) return false;
    const copy = lifted.cloneNode(true);
    for (const fixed of copy.querySelectorAll(".wash, .halo, .space, [class^=sq-], title")) fixed.remove();
    for (const name of ["class", "data-touch", "role", "tabindex", "aria-label", "aria-pressed"]) copy.removeAttribute(name);
    const svg = picture.querySelector("svg");
    const { a, b, c, d, e, f } = svg.getScreenCTM().inverse().multiply(lifted.getScreenCTM());
    copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f]})`);
    drag.ghost = document.createElementNS(SVG, "g");
    drag.lifted = lifted;
    drag.ghost.setAttribute("class", "ghost");
    drag.ghost.append(copy);
    svg.append(drag.ghost);
    lifted.classList.add("is-lifted");
    return true;
  }

  function under(event) {
    picture.querySelector(".is-under")?.classList.remove("is-under");
    return document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-part="picture"] [data-touch]');
  }

  function drop(event, isTaken) {
    if (drag?.id !== event.pointerId) return;
    const { ghost, place } = drag;
    drag = null;
    if (!ghost) return;
    const target = isTaken ? under(event) : null;
    ghost.remove();
    picture.querySelector(".is-lifted")?.classList.remove("is-lifted");
    heldBack = true;
    setTimeout(() => (heldBack = false), 50); // in case no click follows
    const token = target?.dataset.touch;
    if (token && token !== place.dataset.touch && typeof branch() === "object" && token in branch()) touch(token);
    else if (isTaken && token === place.dataset.touch) show(); // dropped where it was lifted: it stays selected
  }

  window.addEventListener("pointerup", (event) => drop(event, true));
  window.addEventListener("pointercancel", (event) => drop(event, false));

  // -- keys ---------------------------------------------------------------------------------

  picture.addEventListener("keydown", (event) => {
    const place = event.target.closest("[data-touch]");
    if (!place || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in WAYS) go(place, WAYS[event.key]);
    else if (event.key === "Enter" || event.key === " ") press(place);
    else if (event.key === "Backspace" || event.key === "Escape") press(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function press(place) {
    const token = place?.dataset.touch;
    if (place) touch(token);
    else stepBack();
    if (popup.querySelector("button")) return popup.querySelector("button").focus({ preventScroll: true });
    if (document.contains(place)) return;
    if (field.value) play.focus();
    else focusOn(places()[0]);
  }

  function go(from, [across, down]) {
    const middle = (place) => {
      const box = place.querySelector(".halo").getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(from);
    const ahead = places().map((place) => {
      const [u, v] = middle(place);
      const [along, aside] = [(u - x) * across + (v - y) * down, Math.abs((u - x) * down) + Math.abs((v - y) * across)];
      return { place, along, far: along + 3 * aside };
    }).filter(({ along }) => along > 4);
    if (ahead.length) focusOn(ahead.reduce((best, one) => (one.far < best.far ? one : best)).place);
  }

  function focusOn(place) {
    places().forEach((one) => one.setAttribute("tabindex", one === place ? "0" : "-1"));
    place?.focus();
  }

  // -- reading typed text ---------------------------------------------------------------------

  function judge({ state, sentence, suggestions = [] }) {
    row.className = state ? `move-row is-${state}` : "move-row";
    verdict.textContent = sentence;
    suggested.replaceChildren(...(state === "good" ? [] : suggestions).map((text) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      button.addEventListener("click", () => {
        field.value = text;
        read();
        field.focus();
      });
      return button;
    }));
  }

  async function read() {
    asking.abort();
    asking = new AbortController();
    if (!form.isConnected) return;
    if (!field.value.trim()) return judge({ state: "", sentence: "" });
    try {
      const asked = new FormData(form);
      asked.append("bottom", facing);
      const answer = await fetch(form.dataset.read, {
        method: "POST", body: asked, headers: { Accept: "application/json" }, signal: asking.signal,
      });
      const said = await answer.json();
      if (!form.isConnected) return; // the page has been replaced meanwhile
      judge(answer.ok ? said : { state: "wrong", sentence: said.sentence });
      if (answer.ok && said.picture) foresee(said.picture);
    } catch (error) {
      if (error.name !== "AbortError") judge({ state: "", sentence: "" });
    }
  }

  function foresee(drawing) {
    const held = picture.contains(document.activeElement);
    picture.innerHTML = drawing;
    dress();
    board.classList.add("is-preview");
    preview.hidden = false;
    if (held) play.focus();
  }

  let pause = 0;
  field.addEventListener("input", () => {
    path = [];
    restore();
    if (tree) {
      mark(Object.keys(tree));
      choices.replaceChildren();
    }
    popup.replaceChildren();
    popup.hidden = true;
    undo.hidden = true;
    say("");
    clearTimeout(pause);
    pause = setTimeout(read, 250);
  });

  undo.addEventListener("click", stepBack);

  legal?.addEventListener("click", (event) => {
    if (event.target.name !== "pick") return;
    event.preventDefault();
    start();
    field.value = event.target.value;
    read();
    field.focus();
  });

  // -- start ------------------------------------------------------------------------------------

  async function open() {
    dress();
    look.hidden = true;
    if (form.dataset.tree) ({ tree, labels, faces } = JSON.parse(form.dataset.tree));
    else {
      const answer = await fetch(form.dataset.moves);
      if (answer.ok) ({ tree, labels, faces } = await answer.json());
    }
    if (!tree) say(form.dataset.unlisted);
    else if (field.value && !document.querySelector(".refusal")) read(); // otherwise the page already shows what is wrong
    else show();
  }

  if (original !== null) open();
  return { form, turn, isBusy: () => path.length > 0 || drag !== null || field.value !== "" };
}
