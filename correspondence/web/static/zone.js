// Guess the time zone if none is chosen yet.

const field = document.querySelector("[data-guess]");
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && zone.includes("/") && ![...field.options].some((option) => option.value === zone)) field.add(new Option(zone)); // an older name
if (field && [...field.options].some((option) => option.value === zone)) field.value = zone;
