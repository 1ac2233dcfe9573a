// Enlarge a stack on the board, with its description, while it is hovered, held or focused.
// It shows only the drawing and title that are already in the page, so it reveals nothing.

const LINGER = 350; // milliseconds of hovering, holding or focus before it opens

/** Enlarge the stacks of this board, both in its picture and in the replay. */
export function watch(board) {
  const view = Object.assign(document.createElement("div"), { className: "stack-view", hidden: true });
  view.setAttribute("aria-hidden", "true"); // the stack itself has the same text
  board.append(view);
  let [waiting, shown] = [0, null];

  const stackAt = (target) => (target.closest?.(".cell")?.querySelectorAll(".stack > [class]").length > 3 ? target.closest(".cell") : null);

  function hide() {
    clearTimeout(waiting);
    view.hidden = true;
    shown = null;
  }

  function soon(cell) {
    if (cell === shown) return;
    hide();
    if (!cell) return;
    shown = cell;
    waiting = setTimeout(() => show(cell), LINGER);
  }

  function show(cell) {
    const isBusy = board.querySelector(".popup:not([hidden]), .ghost");
    if (!cell.isConnected || isBusy) return hide();
    const stack = cell.querySelector(".stack");
    const box = stack.getBBox();
    const copy = stack.cloneNode(true);
    copy.removeAttribute("transform");
    const words = Object.assign(document.createElement("p"), { textContent: cell.querySelector("title")?.textContent ?? "" });
    view.innerHTML = `<svg viewBox="${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}"></svg>`;
    view.firstChild.append(copy);
    view.append(words);
    view.hidden = false;
    place(cell);
  }

  function place(cell) {
    const [at, frame] = [cell.getBoundingClientRect(), board.getBoundingClientRect()];
    const isLeft = at.x - frame.x > frame.width / 2;
    const left = isLeft ? at.x - frame.x - view.offsetWidth - 8 : at.right - frame.x + 8;
    const top = at.y - frame.y + at.height / 2 - view.offsetHeight / 2;
    view.style.left = `${Math.max(0, Math.min(left, frame.width - view.offsetWidth))}px`;
    view.style.top = `${Math.max(0, Math.min(top, frame.height - view.offsetHeight))}px`;
  }

  board.addEventListener("pointerover", (event) => event.pointerType !== "touch" && soon(stackAt(event.target)));
  board.addEventListener("pointerleave", hide);
  board.addEventListener("pointerdown", (event) => (event.pointerType === "touch" ? soon(stackAt(event.target)) : hide()));
  board.addEventListener("pointermove", (event) => event.pointerType === "touch" && view.hidden && Math.hypot(event.movementX, event.movementY) > 3 && hide());
  board.addEventListener("pointerup", (event) => event.pointerType === "touch" && view.hidden && hide());
  board.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && soon(stackAt(event.target)));
  board.addEventListener("focusout", hide);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
}
