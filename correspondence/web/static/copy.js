// Buttons that copy the samples of a document, where the browser lets a page write to the clipboard.

const text = document.querySelector("[data-copy]");

for (const sample of navigator.clipboard ? text.querySelectorAll("pre") : []) {
  const button = document.createElement("button");
  button.className = "quiet copy";
  button.textContent = text.dataset.copy;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(sample.textContent);
    button.textContent = text.dataset.copied;
    setTimeout(() => (button.textContent = text.dataset.copy), 2_000);
  });
  sample.before(button);
}
