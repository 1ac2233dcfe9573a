// The page: what is pasted or chosen goes in, findings come out. Nothing leaves this page; its policy forbids it.

let language = (navigator.languages ?? []).map((one) => one.slice(0, 2)).find((one) => one in DATA.sentences) ?? "en";

// A sentence in the language chosen; {count} takes the singular where there is one of them.
function say(key, values = {}) {
  const known = DATA.sentences[language][key];
  const text = Array.isArray(known) ? known[values.count === 1 ? 0 : 1] : known;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

const byId = (id) => document.getElementById(id);

function made(name, text = "", className = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (className) element.className = className;
  return element;
}

function speak() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(element.dataset.say);
  for (const button of document.querySelectorAll("[data-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.language === language));
  }
  document.title = say("title");
}

function binaryOf(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 32768) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 32768)));
  return pieces.join("");
}

// What was given, as texts: {name, binary, text}; refuses what is too large by a finding.
async function given() {
  const pasted = byId("pasted").value;
  const texts = [];
  const refused = [];
  if (pasted.trim()) texts.push({ name: say("pasted"), bytes: new TextEncoder().encode(pasted) });
  let room = DATA.most.bytes;
  for (const file of byId("files").files) {
    if (file.size > room) {
      refused.push(finding("file", "wrong", say("too large", { name: file.name.slice(0, 80), most: DATA.most.bytes / 1000000 })));
      continue;
    }
    room -= file.size;
    texts.push({ name: file.name.slice(0, 80), bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return { texts, refused };
}

function keysIn(text) {
  try {
    const listed = JSON.parse(text)?.keys;
    return Array.isArray(listed) ? listed.slice(0, 100).map((one) => String(one?.key ?? "")) : null;
  } catch {
    return null;
  }
}

// A record as a letter carries it, which answered “record 12”.
function recordIn(letter) {
  return /^\[Game "[^]*?(?=\n(?!\[|[0-9]+\. |\n)|$(?![^]))/m.exec(letter.text)?.[0] ?? null;
}

function utf8(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function checkAll() {
  const { texts, refused } = await given();
  const found = { sections: [], reports: [], letters: [], keys: [] };
  if (refused.length) found.sections.push({ title: say("files"), findings: refused });
  for (const one of texts) takeKeys(one, found);
  for (const one of texts) await take(one, found);
  await takeCarried(found);
  found.sections.push(...(await checkLetters(found.letters, found.reports, found.keys)));
  if (!found.sections.length && texts.length) found.sections.push({ title: say("files"), findings: [finding("file", "open", say("keys alone"))] });
  return found.sections;
}

// The keys of a list are taken first, because records of other files are judged by them.
function takeKeys(one, found) {
  const text = utf8(one.bytes);
  const keys = text !== null && text.trimStart().startsWith("{") ? keysIn(text) : null;
  one.isList = keys !== null;
  found.keys.push(...(keys ?? []));
}

async function take({ name, bytes, isList }, found) {
  const text = utf8(bytes);
  if (isList) return;
  if (text !== null && looksLikeRecord(text)) {
    await takeRecord(name, text, found);
  } else if (looksLikeMail(binaryOf(bytes.subarray(0, 200)))) {
    await takeMailbox(name, messagesIn(binaryOf(bytes)), found);
  } else {
    found.sections.push({ title: name, findings: [finding("file", "wrong", say(text === null ? "not text" : "unknown", { name }))] });
  }
}

async function takeRecord(name, text, found) {
  const report = await checkRecord(text, found.keys);
  found.reports.push(report);
  const site = report.record?.tags.get("Site") ?? "";
  found.sections.push({ title: say("record", { name, site }), findings: report.findings });
}

async function takeMailbox(name, messages, found) {
  const letters = messages.slice(0, DATA.most.letters).map(letterOf).filter(Boolean);
  const told = [finding("file", letters.length ? "holds" : "open", say("mailbox", { count: messages.length, letters: letters.length }))];
  if (messages.length > DATA.most.letters) told.push(finding("file", "open", say("many letters", { most: DATA.most.letters })));
  found.sections.push({ title: name, findings: told });
  found.letters.push(...letters);
}

// The newest record that letters of a game carry is checked too, where none of that game was given besides.
async function takeCarried(found) {
  const newest = new Map();
  for (const letter of [...found.letters].sort((one, other) => one.at - other.at)) {
    if (recordIn(letter)) newest.set(letter.game, letter);
  }
  for (const letter of newest.values()) {
    const isGiven = found.reports.some((one) => one.record && isOf(one.record, letter));
    if (!isGiven) await takeRecord(letter.name, recordIn(letter), found);
  }
}

function stateOf(findings) {
  return ["wrong", "open"].find((state) => findings.some((one) => one.state === state)) ?? "holds";
}

const SIGNS = { holds: "✓", open: "…", absent: "–", wrong: "✗" };

function tableOf({ title, findings }) {
  const section = made("section");
  const table = made("table");
  table.append(made("caption", say("checked"), "unseen"));
  const head = made("tr");
  for (const key of ["state", "checked"]) {
    const cell = made("th", say(key));
    cell.scope = "col";
    head.append(cell);
  }
  table.append(made("thead"), made("tbody"));
  table.tHead.append(head);
  for (const one of findings) {
    const row = made("tr");
    row.dataset.claim = one.claim;
    row.dataset.state = one.state;
    const where = one.line && one.state !== "holds" ? say("line", { number: one.line }) : "";
    row.append(made("td", `${SIGNS[one.state]} ${say(`state ${one.state}`)}`, one.state), made("td", where + one.sentence));
    table.tBodies[0].append(row);
  }
  section.append(made("h3", title), table);
  return section;
}

function show(sections) {
  const state = stateOf(sections.flatMap((one) => one.findings));
  const verdict = made("p", say(sections.length ? `all ${state}` : "nothing"), "verdict");
  verdict.dataset.state = sections.length ? state : "none";
  byId("verdict").replaceChildren(verdict);
  byId("found").replaceChildren(...sections.map(tableOf));
}

let shown = null;

async function run() {
  const button = byId("check");
  button.disabled = true;
  byId("verdict").replaceChildren(made("p", say("working")));
  try {
    show(await checkAll());
  } catch (error) {
    byId("verdict").replaceChildren(made("p", say("failed", { why: String(error?.message ?? error).slice(0, 200) }), "verdict"));
  }
  shown = true;
  button.disabled = false;
}

for (const button of document.querySelectorAll("[data-language]")) {
  button.addEventListener("click", () => {
    language = button.dataset.language;
    speak();
    if (shown) run();
  });
}

speak();
if (!globalThis.crypto?.subtle) {
  byId("verdict").replaceChildren(made("p", say("insecure"), "verdict"));
} else {
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    run();
  });
  byId("check").disabled = false;
}
