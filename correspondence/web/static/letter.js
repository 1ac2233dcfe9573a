// A letter as formatted: its frame, in which no script runs, is as high as the letter.

for (const frame of document.querySelectorAll("[data-full-height]")) {
  const fit = () => {
    const page = frame.contentDocument?.documentElement;
    if (page) frame.style.height = `${page.scrollHeight + 2}px`;
  };
  frame.addEventListener("load", fit);
  addEventListener("resize", fit);
  fit();
}
