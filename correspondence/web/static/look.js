// This browser's display settings for boards, applied before the first paint to avoid flicker.

{
  const KEPT = "look"; // key in the browser's local storage
  const root = document.documentElement;

  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(KEPT)) ?? {};
    } catch {
      return {};
    }
  };

  const apply = (look) => {
    for (const name of ["colours", "coordinates", "motion"]) {
      if (look[name]) root.dataset[name] = look[name];
      else delete root.dataset[name];
    }
  };

  const show = (look) => {
    for (const field of document.querySelectorAll("[data-look]")) {
      const value = look[field.dataset.look] ?? "";
      if (field.type === "checkbox") field.checked = value !== "off";
      else field.value = value;
    }
    for (const one of document.querySelectorAll("[data-part=looks]")) one.hidden = false;
  };

  apply(read());
  for (const drawn of ["DOMContentLoaded", "exchanged"]) document.addEventListener(drawn, () => show(read()));
  document.addEventListener("change", ({ target }) => {
    const name = target.dataset?.look;
    if (!name) return;
    const value = target.type === "checkbox" ? (target.checked ? "" : "off") : target.value;
    const look = { ...read(), [name]: value };
    localStorage.setItem(KEPT, JSON.stringify(look));
    apply(look);
  });

  const close = (returns) => {
    const open = document.querySelector(".look[open]");
    if (!open) return;
    open.open = false;
    if (returns) open.querySelector("summary").focus();
  };

  document.addEventListener("click", ({ target }) => target.closest(".look") || close(false));
  document.addEventListener("keydown", ({ key, target }) => key === "Escape" && target.closest(".look") && close(true));
}
