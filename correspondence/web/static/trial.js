// Boards for trying or planning moves: every step is fetched and replaced in the page, without reloading.

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const trial = () => document.querySelector("article.trial");
const typing = (target) => target.closest("input:not([type=hidden]), textarea, select, [role=button]");

let steps = Promise.resolve(); // runs one at a time, so that no key press is lost

function begin() {
  const [form, board] = [document.querySelector("#play"), document.querySelector("#board")];
  if (trial().dataset.stacks) import(trial().dataset.stacks).then((stacks) => board.isConnected && stacks.watch(board));
  if (form) import(trial().dataset.board).then((board) => form.isConnected && board.begin(form));
}

async function go(address, options, keeps, sendPlainly) {
  const answer = await fetch(address, { ...options, headers: { Accept: "text/html" } }).catch(() => null);
  const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page?.querySelector("article.trial");
  if (!fresh && answer?.ok === false && sendPlainly) return sendPlainly(); // the refusal page shows the typed text again
  if (!fresh) return location.assign(answer?.redirected ? answer.url : location.href);
  exchange(fresh);
  document.title = page.title;
  if (keeps && answer.ok) history.pushState(null, "", `${new URL(answer.url).pathname}${new URL(answer.url).search}`);
}

function exchange(fresh) {
  const old = document.activeElement;
  const [onBoard, key] = [Boolean(old?.closest(".board, .popup")), old?.dataset?.key ?? old?.dataset?.jump];
  const { scrollX, scrollY } = window;
  trial().replaceWith(document.adoptNode(fresh));
  begin();
  part("announce").textContent = fresh.dataset.told;
  if (onBoard) awaitPlaces().then((place) => place?.focus({ preventScroll: true }));
  else if (old !== document.body) stay(fresh, old, key);
  scrollTo(scrollX, scrollY);
}

/** Keep the focus; if its element is gone, focus the article, where arrow keys lead back and forward. */
function stay(fresh, old, key) {
  const same = old.id === "move" ? fresh.querySelector("#move") : fresh.querySelector(`[data-key="${key}"], [data-jump="${key}"]`);
  if (!same) fresh.setAttribute("tabindex", "-1");
  (same ?? fresh).focus({ preventScroll: true });
}

/** Wait for the place of the board that takes the focus. */
async function awaitPlaces() {
  for (let tries = 0; tries < 40; tries += 1) {
    const place = document.querySelector('#board [data-touch][tabindex="0"]');
    if (place) return place;
    await new Promise((done) => setTimeout(done, 25));
  }
  return null;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest("article.trial") || form.hasAttribute("data-leave")) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  const sendPlainly = () => {
    form.setAttribute("data-leave", "");
    form.requestSubmit(event.submitter);
  };
  steps = steps.then(() => go(form.action, { method: "POST", body }, form.hasAttribute("data-address"), sendPlainly));
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("article.trial a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  steps = steps.then(() => go(link.href, {}, true));
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
  const find = () => document.querySelector(`[data-jump="${CSS.escape(event.key)}"]`);
  if (!["ArrowLeft", "ArrowRight"].includes(event.key) || !trial()) return;
  event.preventDefault();
  steps = steps.then(() => {
    const jump = find();
    if (jump?.matches("a")) return go(jump.href, {}, true);
    return jump && go(jump.form.action, { method: "POST", body: new FormData(jump.form, jump) }, false);
  });
});

window.addEventListener("popstate", () => (steps = steps.then(() => go(location.href, {}, false))));

begin();
