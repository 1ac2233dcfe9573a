// Replay in the page of a game: the scenes are fetched once, then every step is drawn here.

const STEPS = { ArrowLeft: (at) => at - 1, ArrowRight: (at) => at + 1, Home: () => 0, End: (_at, last) => last };
const [SAYS, IN_WORDS] = ["says moves", "moves in words"]; // keys in the browser's local storage
const OFTEN = 250; // milliseconds between two changes of the URL, which browsers limit

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const parts = (name) => document.querySelectorAll(`[data-part="${name}"]`);
const tool = (name) => document.querySelector(`[data-tool="${name}"]`);

/** Make the page of a game replayable. `playing` returns the board of the move form, or null. */
export function begin(game, { fetchFilm, screen }, { playing, keepInSight }) {
  const base = game.dataset.scenes.replace(/\/scenes\.json$/, "");
  const usual = Number(game.dataset.bottom);
  const isPermalink = "past" in game.dataset;
  let [at, want, last] = ["ply", "ply", "last"].map((name) => Number(game.dataset[name]));
  let [eyes, bottom] = ["", usual];
  let films = new Map();
  let stages = new WeakMap();
  let links = null; // links in the lists of moves, by ply
  let timer = 0;

  // -- films: one for each viewing seat and each side of the board ---------------------------------------

  const key = () => `${base}/scenes.json?bottom=${bottom}${eyes && `&eyes=${eyes}`}`;

  function wait() {
    if (!films.has(key())) {
      const waiting = { film: null, coming: fetchFilm(key()).then((film) => (waiting.film = film)) };
      films.set(key(), waiting);
    }
    return films.get(key());
  }

  const screenOn = (stage) => stages.get(stage) ?? stages.set(stage, screen(stage)).get(stage);

  // -- showing a position --------------------------------------------------------------------------------

  function show(ply, options) {
    want = Math.max(0, Math.min(ply, last));
    const waiting = wait();
    if (waiting.film) return draw(waiting.film, options);
    waiting.coming.then((film) => {
      if (films.get(key()) !== waiting) return; // another viewing seat, or the game has gone on
      if (film) draw(film, options);
      else leave();
    });
  }

  const leave = () => location.assign(`${base}/${want}#board`); // no scenes now: load the page of that position

  function draw(film, options) {
    paint(film, options);
    at = want;
    tell(film);
    mark();
    remember();
  }

  function paint(film, options) {
    const board = playing();
    if (!board) return screenOn(part("picture")).show(film, want, options);
    const isPast = want !== last || eyes !== "";
    part("stage").hidden = !isPast;
    part("picture").hidden = isPast;
    if (isPast) screenOn(part("stage")).show(film, want, options);
    else board.turn(screenOn(part("stage")).whole(film, want), bottom);
  }

  function tell(film) {
    part("told").textContent = film.told(at);
    part("foreseen").replaceChildren(...film.foreseen(at).map((line) => element("p", line.words)));
    part("notes").replaceChildren(...film.notes(at).map((note) => element("p", note)));
    const rules = film.rules(at);
    part("rules").hidden = !rules.length;
    part("rules").replaceChildren(...rules.map(([name, meaning]) => {
      const rule = document.createElement("div");
      rule.append(element("dt", name), element("dd", meaning));
      return rule;
    }));
    for (const list of parts("sentences")) list.replaceChildren(...film.sentences(at).map((one) => element("li", one)));
    if (part("text-board")) part("text-board").textContent = film.board(at);
    if (isSaying()) say(film.told(at));
  }

  function element(name, text) {
    return Object.assign(document.createElement(name), { textContent: text });
  }

  // -- updating the parts that name the position ---------------------------------------------------------

  const address = (ply) => `${base}/${ply}#board`;
  const named = (words, ply) => words.replace("{ply}", ply);

  function linksByPly() {
    const found = new Map();
    for (const link of document.querySelectorAll(".moves a, .told a")) {
      const ply = plyOf(link);
      if (ply !== null) found.set(ply, [...(found.get(ply) ?? []), link]);
    }
    return found;
  }

  function plyOf(link) {
    const ply = link.pathname.startsWith(`${base}/`) ? link.pathname.slice(base.length + 1) : "";
    return /^\d+$/.test(ply) ? Number(ply) : null;
  }

  function mark() {
    links ??= linksByPly();
    part("at").textContent = at;
    for (const link of document.querySelectorAll(".replay [data-key]")) {
      const ply = STEPS[link.dataset.key](at, last);
      const isPossible = ply >= 0 && ply <= last && ply !== at;
      if (isPossible) link.setAttribute("href", address(ply));
      else link.removeAttribute("href");
      link.setAttribute("aria-disabled", String(!isPossible));
      if (isPossible) link.removeAttribute("tabindex");
      else link.setAttribute("tabindex", "-1"); // it keeps the focus
    }
    for (const field of document.querySelectorAll("[data-part=slider], #ply")) field.value = at;
    for (const link of document.querySelectorAll(".moves [aria-current], .told [aria-current]")) link.removeAttribute("aria-current");
    for (const link of links.get(at) ?? []) link.setAttribute("aria-current", "true");
    keepInSight();
    const [past, present] = [part("past"), part("present")];
    [past.hidden, present.hidden] = [at === last, at !== last];
    past.firstChild.textContent = `${named(past.dataset.words, at)} `;
    for (const about of parts("about")) about.textContent = named(about.dataset.words, at);
    for (const field of parts("about-ply")) field.value = at;
    for (const link of document.querySelectorAll("[data-moment]")) link.setAttribute("href", moment(link.getAttribute("href")));
    for (const snippet of parts("embed")) snippet.value = moment(snippet.value);
  }

  const moments = new RegExp(`(${base})/\\d+(?=[./"#?]|$)`, "g");
  const moment = (text) => text.replaceAll(moments, `$1/${at}`);

  let renamed = { at: 0, timer: 0 };

  function remember() {
    clearTimeout(renamed.timer);
    const wait = renamed.at + OFTEN - performance.now();
    if (wait > 0) return void (renamed.timer = setTimeout(remember, wait));
    renamed.at = performance.now();
    history.replaceState(history.state, "", at === last && !isPermalink ? base : `${base}/${at}`);
  }

  // -- playing, turning, announcing -------------------------------------------------------------------------

  const isWatching = () => tool("watch")?.getAttribute("aria-pressed") === "true";

  function press(name, isPressed) {
    tool(name)?.setAttribute("aria-pressed", String(isPressed));
  }

  function watch() {
    if (isWatching()) return pause();
    press("watch", true);
    show(want === last ? 0 : want + 1);
    later();
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isSaying() && speechSynthesis.speaking) return later();
      if (want < last) show(want + 1);
      if (want < last) later();
      else pause();
    }, Number(tool("speed").value));
  }

  function pause() {
    clearTimeout(timer);
    press("watch", false);
  }

  function flip() {
    bottom = 1 - bottom;
    press("flip", bottom !== usual);
    const board = document.querySelector("#board");
    const strips = [...document.querySelectorAll('[data-swap^="strip-"]')];
    for (const strip of strips) {
      if (strip.compareDocumentPosition(board) & Node.DOCUMENT_POSITION_FOLLOWING) board.after(strip);
      else board.before(strip);
    }
    show(want);
  }

  const isSaying = () => tool("say")?.getAttribute("aria-pressed") === "true";

  function say(words) {
    speechSynthesis.cancel();
    speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(words), { lang: document.documentElement.lang }));
  }

  function sayOrNot() {
    const isOn = !isSaying();
    press("say", isOn);
    localStorage.setItem(SAYS, isOn ? "yes" : "");
    if (isOn) say(part("told").textContent);
    else speechSynthesis.cancel();
  }

  // -- the list of moves, in notation or in words -----------------------------------------------------------

  const isInWords = () => tool("words")?.getAttribute("aria-pressed") === "true";

  function wordsOrNot() {
    press("words", !isInWords());
    localStorage.setItem(IN_WORDS, isInWords() ? "yes" : "");
    spell();
  }

  async function spell() {
    const inWords = isInWords();
    document.querySelector(".moves")?.classList.toggle("in-words", inWords);
    const film = inWords ? await wait().coming : null;
    if (inWords !== isInWords() || (inWords && !film)) return;
    for (const link of document.querySelectorAll(".moves a")) {
      const [ply, text] = [plyOf(link), link.firstChild];
      link.dataset.notation ??= text.nodeValue;
      text.nodeValue = (ply !== null && film?.told(ply)) || link.dataset.notation;
    }
    keepInSight();
  }

  const TOOLS = { watch, flip, words: wordsOrNot, say: sayOrNot, keys: () => part("keys").showModal() };
  const KEYS = { " ": "watch", f: "flip", "?": "keys" };

  // -- keys, buttons, links, the slider ---------------------------------------------------------------------

  function stepTo(ply) {
    pause();
    show(ply);
  }

  /** Handle a key. */
  function obey(name) {
    if (name in STEPS) stepTo(STEPS[name](want, last));
    else if (name in KEYS && tool(KEYS[name])) TOOLS[KEYS[name]]();
  }

  document.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const pressed = event.target.closest("[data-tool]");
    if (pressed && pressed.dataset.tool in TOOLS) return TOOLS[pressed.dataset.tool]();
    const link = event.target.closest("a[href]");
    const ply = link && !link.matches("[data-moment]") ? plyOf(link) : null;
    if (ply === null) return;
    event.preventDefault();
    stepTo(ply);
    if (!link.closest(".replay, .scroll")) document.querySelector("#board").scrollIntoView({ block: "nearest" });
  });

  document.addEventListener("input", (event) => {
    if (event.target.matches("[data-part=slider]")) stepTo(Number(event.target.value));
    else if (event.target.closest("#play") && want !== last) stepTo(last); // typing a move returns to the current position
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches('[data-tab="move"]') && want !== last) stepTo(last);
    if (!event.target.matches('[data-tool="eyes"]')) return;
    eyes = event.target.value;
    show(want);
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches(".go")) return;
    event.preventDefault();
    stepTo(Number(event.target.elements.ply.value));
  });

  // -- start, and restart after new moves -------------------------------------------------------------------

  function dress() {
    for (const slider of parts("slider")) slider.hidden = false;
    if (tool("words")) {
      tool("words").hidden = false;
      press("words", localStorage.getItem(IN_WORDS) === "yes");
      if (isInWords()) spell();
    }
    if (!part("tools")) return;
    part("tools").hidden = false;
    if (tool("say")) tool("say").hidden = !("speechSynthesis" in window);
    press("say", localStorage.getItem(SAYS) === "yes");
    press("flip", bottom !== usual);
  }

  function renew() {
    [films, stages, links] = [new Map(), new WeakMap(), null];
    [at, want, last] = ["ply", "ply", "last"].map((name) => Number(game.dataset[name]));
    pause();
    dress();
    part("stage").hidden = true;
    part("picture").hidden = false;
    if (bottom !== usual) show(want);
  }

  dress();
  if ("over" in game.dataset) (window.requestIdleCallback ?? setTimeout)(wait);
  return { obey, renew };
}
