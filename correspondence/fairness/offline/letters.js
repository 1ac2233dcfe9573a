// Letters: a mailbox file cut into messages, and what letters of games tell compared with keys and records.

const HEAD = /^ply=([0-9]{1,6}); hash=([0-9a-f]{64}); sig=([A-Za-z0-9+/]{86}==)$/;
const END = /^text=([A-Za-z0-9+/]+={0,2});sig=([A-Za-z0-9+/]{86}==)$/;
const MOST_NAMED = 20;
const MOST_HEADER = 65536;
const MOST_TEXT = 2000000;
const MOST_DEPTH = 6;

// The messages of a mailbox in the mbox format (RFC 4155), or the one message that a file is; text with a byte a character.
function messagesIn(binary) {
  const text = binary.replace(/\r\n/g, "\n");
  if (!text.startsWith("From ")) return [text];
  const messages = `\n${text}`.split("\nFrom ").slice(1, DATA.most.letters + 2);
  return messages.map((one) => one.slice(one.indexOf("\n") + 1).replace(/^>(>*From )/gm, "$1"));
}

function looksLikeMail(text) {
  return text.startsWith("From ") || /^[A-Za-z][A-Za-z0-9-]{0,70}:/.test(text);
}

function partOf(raw) {
  const end = raw.startsWith("\n") ? 0 : raw.indexOf("\n\n");
  const head = (end < 0 ? raw : raw.slice(0, end)).slice(0, MOST_HEADER);
  const fields = new Map();
  for (const line of head.replace(/\n[ \t]+/g, " ").split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, wordsOf(line.slice(colon + 1)).trim());
  }
  return { fields, body: end < 0 ? "" : raw.slice(end + (end ? 2 : 1)) };
}

// A header field with its encoded words (RFC 2047) in clear.
function wordsOf(value) {
  const joined = value.replace(/\?=\s+=\?/g, "?==?");
  return joined.replace(/=\?([\w-]+)(?:\*\w+)?\?([bq])\?([^?]*)\?=/gi, (_whole, charset, kind, text) => {
    const bytes = kind.toLowerCase() === "b" ? base64(text) : quoted(text.replace(/_/g, " "));
    return inCharset(bytes, charset);
  });
}

function base64(text) {
  try {
    return atob(text.replace(/[^A-Za-z0-9+/=]/g, ""));
  } catch {
    return "";
  }
}

function quoted(text) {
  const whole = text.replace(/=[ \t]*\n/g, "");
  return whole.replace(/=([0-9A-Fa-f]{2})/g, (_found, hex) => String.fromCharCode(parseInt(hex, 16)));
}

function inCharset(binary, charset) {
  const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

// The first part of a message that is plain text, decoded.
function plainText(part, depth = 0) {
  const type = part.fields.get("content-type") ?? "text/plain";
  const boundary = /\bboundary="?([^";]{1,80})"?/i.exec(type)?.[1];
  if (/^multipart\//i.test(type) && boundary && depth < MOST_DEPTH) {
    const pieces = `\n${part.body}`.split(`\n--${boundary}`).slice(1, 20);
    for (const piece of pieces.filter((one) => !one.startsWith("--"))) {
      const found = plainText(partOf(piece.slice(piece.indexOf("\n") + 1)), depth + 1);
      if (found !== null) return found;
    }
    return null;
  }
  if (!/^text\/plain\b/i.test(type)) return null;
  const encoding = (part.fields.get("content-transfer-encoding") ?? "").toLowerCase();
  const body = part.body.slice(0, MOST_TEXT);
  const binary = encoding === "base64" ? base64(body) : encoding === "quoted-printable" ? quoted(body) : body;
  return inCharset(binary, /\bcharset="?([\w-]+)"?/i.exec(type)?.[1] ?? "utf-8").replace(/\r\n/g, "\n");
}

// A letter of a game as a value; null where a message is none.
function letterOf(raw) {
  const part = partOf(raw);
  const told = part.fields.get("correspondence-head");
  const named = [part.fields.get("list-id"), part.fields.get("references")].join(" ");
  const number = /<g([0-9]{1,12})(?:\.games\.|@)([A-Za-z0-9.-]{1,253})>/.exec(named);
  if (told === undefined || !number) return null;
  const text = plainText(part) ?? "";
  const base = /<(https?:\/\/[^<>\s]{1,300})\/u\/[a-z0-9]+>/.exec(part.fields.get("list-unsubscribe") ?? "")?.[1];
  const page = new RegExp(`https?://[^\\s<>"]{1,300}?/games/${number[1]}(?![0-9])`).exec(text)?.[0];
  const head = HEAD.exec(told.replace(/\s+/g, " "));
  return {
    game: `${number[1]} @ ${number[2]}`, number: number[1], text,
    at: Date.parse(part.fields.get("date") ?? "") || 0,
    name: `${part.fields.get("date") ?? "?"} · ${(part.fields.get("subject") ?? "").slice(0, 100)}`,
    sites: [page, base && `${base}/games/${number[1]}`].filter(Boolean),
    head: head && { ply: Number(head[1]), hash: head[2], signature: head[3] },
    end: endOfLetter(part.fields.get("correspondence-end")),
  };
}

// The signed end that a letter tells: {text, signature}; undefined where it tells none, null where it cannot be read.
function endOfLetter(told) {
  if (told === undefined) return undefined;
  const found = END.exec(told.replace(/\s+/g, ""));
  const text = found && utf8(Uint8Array.from(base64(found[1]), (one) => one.charCodeAt(0)));
  return text ? { text, signature: found[2] } : null;
}

// Letters compared with records and keys: for each game {title, findings}.
async function checkLetters(letters, reports, keys) {
  const games = Map.groupBy ? Map.groupBy(letters, (one) => one.game) : grouped(letters);
  const told = [];
  for (const [game, ofGame] of games) told.push(await checkGame(game, ofGame, reports, keys));
  return told;
}

function grouped(letters) {
  const games = new Map();
  for (const one of letters) {
    if (!games.has(one.game)) games.set(one.game, []);
    games.get(one.game).push(one);
  }
  return games;
}

async function checkGame(game, letters, reports, keys) {
  const sorted = [...letters].sort((one, other) => one.at - other.at).map((one, order) => ({ ...one, order }));
  const report = reports.find((one) => one.record && sorted.some((letter) => isOf(one.record, letter)));
  const known = [...keys, ...reports.flatMap((one) => one.record?.tags.get("Key") ?? [])];
  const findings = [finding("letters", "holds", say("letters", { count: letters.length }))];
  findings.push(await judgeEach(sorted, "letter signatures", (one) => signatureTrouble(one, report?.record, known)));
  const withEnd = sorted.filter((one) => one.end !== undefined);
  if (withEnd.length) findings.push(await judgeEach(withEnd, "letter ends", (one) => endTrouble(one, report, withEnd, known)));
  findings.push(await judgeEach(sorted, "letter digits", digitsTrouble));
  findings.push(await judgeEach(sorted, "letter heads", (one) => headTrouble(one, report, sorted)));
  findings.push(await judgeEach(sorted, "letter seals", (one) => sealTrouble(one, report)));
  findings.push(await judgeEach(sorted, "letter commitments", (one) => commitmentTrouble(one, report)));
  return { title: say("game", { game }), findings: findings.flat() };
}

function isOf(record, letter) {
  const site = record.tags.get("Site") ?? "";
  return letter.sites.length ? letter.sites.includes(site) : site.endsWith(`/games/${letter.number}`);
}

// One finding where all letters agree, else one for each letter with trouble.
async function judgeEach(letters, claim, trouble) {
  const found = [];
  for (const letter of letters) {
    const one = await trouble(letter);
    if (one) found.push(finding(claim, one.state, say("letter", { name: letter.name, why: one.why })));
  }
  if (!found.length) return [finding(claim, "holds", say(claim))];
  const general = found.every((one) => one.state === "open") && found.length === letters.length && letters.length > 1;
  if (general) return [finding(claim, "open", say(`${claim} open`))];
  const more = found.length - MOST_NAMED;
  const rest = more > 0 ? [finding(claim, found.some((one) => one.state === "wrong") ? "wrong" : "open", say("more", { count: more }))] : [];
  return [...found.slice(0, MOST_NAMED), ...rest];
}

async function signatureTrouble({ head, sites }, record, keys) {
  if (!head) return { state: "wrong", why: say("bad head") };
  const places = new Set([...sites, ...(record ? [record.tags.get("Site") ?? ""] : [])]);
  if (!keys.length || !places.size) return { state: "open", why: say("letter signatures open") };
  for (const site of places) {
    for (const key of new Set(keys)) {
      const holds = await isSigned(key, head.signature, headText(site, head.ply, head.hash));
      if (holds === null) return { state: "open", why: say("no ed25519") };
      if (holds) return null;
    }
  }
  return { state: "wrong", why: say("letter unsigned") };
}

async function endTrouble({ end, sites }, report, letters, keys) {
  if (!end) return { state: "wrong", why: say("bad end") };
  if (!keys.length) return { state: "open", why: say("letter ends open") };
  let isKnown = false;
  for (const key of new Set(keys)) {
    const holds = await isSigned(key, end.signature, end.text);
    if (holds === null) return { state: "open", why: say("no ed25519") };
    isKnown ||= holds;
  }
  if (!isKnown) return { state: "wrong", why: say("end by stranger") };
  if (sites.length && !sites.includes(end.text.split("\n")[1])) return { state: "wrong", why: say("end of another") };
  if (letters.some((one) => one.end && one.end.text !== end.text)) return { state: "wrong", why: say("other end") };
  if (!report?.record) return { state: "open", why: say("letter ends open") };
  if ((await endText(report.record)) === end.text) return null;
  return report.record.tags.has(AMENDED) ? { state: "open", why: say("end before") } : { state: "wrong", why: say("end unlike") };
}

function digitsTrouble({ head, text }) {
  if (!head || text.includes(head.hash.slice(0, 8))) return null;
  return { state: "wrong", why: say("other digits") };
}

function headTrouble(letter, report, letters) {
  if (!letter.head) return null;
  if (!report) return contradiction(letter, letters);
  const { ply, hash } = letter.head;
  if (report.heads[ply] === hash) return null;
  const isBack = letters.some((one) => one.at > letter.at && one.head && one.head.ply < ply && report.heads[one.head.ply] === one.head.hash);
  if (isBack) return { state: "open", why: say("taken back", { ply }) };
  return { state: "wrong", why: say("other head", { ply }) };
}

// Without a record letters can only be compared with one another.
function contradiction(letter, letters) {
  const { ply, hash } = letter.head;
  if (!letters.some((one) => one.head?.ply === ply && one.head.hash !== hash)) {
    return { state: "open", why: say("letter heads open") };
  }
  const isBack = letters.some((one) => one.head && one.head.ply < ply && one.order > letter.order);
  return isBack ? { state: "open", why: say("taken back", { ply }) } : { state: "wrong", why: say("contradiction", { ply }) };
}

function sealTrouble({ text }, report) {
  const told = [...text.matchAll(/^([1-9][0-9]{0,8})=([0-9a-f]{64})$/gm)];
  if (!told.length) return null;
  if (!report?.record) return { state: "open", why: say("letter seals open") };
  let seals;
  try {
    seals = sealsOf(report.record);
  } catch {
    seals = new Map();
  }
  const other = told.find(([, ply, seal]) => seals.get(Number(ply)) !== seal);
  return other ? { state: "wrong", why: say("other seal", { ply: other[1] }) } : null;
}

function commitmentTrouble({ text }, report) {
  const told = [...text.matchAll(/^([0-9a-f]{64})$/gm)].map((found) => found[1]);
  if (!told.length) return null;
  if (!report?.record) return { state: "open", why: say("letter commitments open") };
  const fitting = [report.record.tags.get("Commitment"), report.record.tags.get("Seed")];
  const isOdd = told.some((one) => one !== fitting[0] && fitting[1] && one !== fitting[1]);
  return isOdd ? { state: "wrong", why: say("other commitment") } : null;
}
