// Watch for the opponent's move: every half minute, while the page is in sight.

const game = document.querySelector("[data-watch]");
const isWriting = () => [...document.querySelectorAll("#move, textarea")].some((one) => one.value.trim());
const isPast = () => /\/games\/\d+\/\d+$/.test(location.pathname);

async function look() {
  if (document.visibilityState !== "visible") return;
  const answer = await fetch(game.dataset.watch).catch(() => null);
  if (!answer?.ok) return;
  const { ply, over } = await answer.json();
  if (ply === Number(game.dataset.ply) && !over) return;
  clearInterval(watch);
  if (isWriting() || isPast()) document.querySelector('[data-part="news"]').hidden = false;
  else location.reload();
}

const watch = setInterval(look, 30_000);
document.addEventListener("visibilitychange", look);
