// The running game on the front page: its board follows the moves while the page is visible.

const [EACH, MOST] = [12_000, 100]; // milliseconds between polls, and their maximum number
const figure = document.querySelector("[data-live]");
const [board, count] = [figure.querySelector("img"), figure.querySelector('[data-part="count"]')];
let [pulse, asked] = ["", 0];

async function look() {
  if (document.visibilityState !== "visible" || asked++ > MOST) return;
  const headers = { Accept: "application/json", ...(pulse && { "If-None-Match": `"${pulse}"` }) };
  const answer = await fetch(figure.dataset.live, { cache: "no-store", headers }).catch(() => null);
  if (answer?.status === 200) show(await answer.json());
}

function show(news) {
  pulse = news.pulse;
  const moment = figure.dataset.picture.replace("{ply}", news.ply);
  const address = news.takebacks ? `${moment}?${news.takebacks}` : moment; // another move may have the same number
  if (board.getAttribute("src") === address) return;
  board.src = address;
  count.textContent = count.dataset.words.replace("{ply}", news.ply);
}

setInterval(look, EACH);
document.addEventListener("visibilitychange", look);
