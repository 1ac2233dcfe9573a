// A record: read from its text, and each of its claims judged. The sentences are those of `flask verify`.

const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const BLANK_ENDS = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");
const TAG = /^\[([A-Z][A-Za-z]*[0-9]?) "((?:[^"\\]|\\[^])*)"\]$/;
const ENTRY = /^([0-9]{1,9})\. (\*|[A-Z][A-Za-z]*): ([^]{1,1000})$/u;
const MOMENT = /^\[%ts ([^\]]+)\]/;
const NEEDED = ["Game", "Version", "Options", "Result", "Reason", "Terms"];
const OWED = ["Commitment", "Words0", "Words1", "Seals", "Hash"];

class NotHeld extends Error {
  constructor(sentence, line = 0, state = "wrong") {
    super(sentence);
    Object.assign(this, { line, state });
  }
}

function stripped(text) {
  return text.replace(BLANK_ENDS, "");
}

function looksLikeRecord(text) {
  return /^\ufeff?\s*\[[A-Z][A-Za-z]*[0-9]? "/.test(text);
}

function readRecord(text) {
  if (text.length > DATA.most.characters) throw new NotHeld(say("long", { most: DATA.most.characters }));
  if (text.includes("\0")) throw new NotHeld(say("binary"));
  const lines = text.replace(/^\ufeff/, "").split("\n").map((line, at) => ({ number: at + 1, text: stripped(line) }));
  const tagLines = lines.filter((line) => line.text.startsWith("["));
  const entryLines = lines.filter((line) => line.text && !line.text.startsWith("["));
  if (tagLines.length > DATA.most.tags) throw new NotHeld(say("many tags", { most: DATA.most.tags }));
  if (entryLines.length > DATA.most.entries) throw new NotHeld(say("many entries", { most: DATA.most.entries }));
  const record = { tags: new Map(), lines: new Map() };
  for (const line of tagLines) readTag(record, line);
  const missing = NEEDED.filter((name) => !record.tags.has(name));
  if (missing.length) throw new NotHeld(say("missing", { names: missing.join(", ") }));
  if (!["1-0", "0-1", "1/2-1/2", "*"].includes(record.tags.get("Result"))) throw new NotHeld(say("result"));
  record.game = DATA.games[record.tags.get("Game")];
  if (!record.game) throw new NotHeld(say("no game", { key: record.tags.get("Game").slice(0, 40) }));
  const absent = record.game.seats.filter((name) => !record.tags.has(name));
  if (absent.length) throw new NotHeld(say("missing", { names: absent.join(", ") }));
  record.entries = entryLines.map((line, at) => readEntry(record, line, at + 1));
  record.isOver = record.tags.get("Result") !== "*" || record.tags.get("Reason") !== "";
  return record;
}

function readTag(record, line) {
  const found = TAG.exec(line.text);
  if (!found || record.tags.has(found[1])) throw new NotHeld(say("no tag", { number: line.number }), line.number);
  record.tags.set(found[1], found[2].replace(/\\([^])/g, "$1"));
  record.lines.set(found[1], line.number);
}

function readEntry(record, line, at) {
  const cut = line.text.indexOf(" ; ");
  const [body, remark] = cut < 0 ? [line.text, ""] : [line.text.slice(0, cut), line.text.slice(cut + 3)];
  const found = ENTRY.exec(body);
  const seat = found && (found[2] === "*" ? -1 : record.game.seats.indexOf(found[2]));
  if (!found || (seat < 0 && found[2] !== "*")) throw new NotHeld(say("no entry", { number: line.number }), line.number);
  if (Number(found[1]) !== at) throw new NotHeld(say("order", { ply: found[1], at }), line.number);
  const moment = MOMENT.exec(remark)?.[1] ?? "";
  if (moment && !isMoment(moment)) throw new NotHeld(say("time", { number: line.number }), line.number);
  return { seat, moment, text: stripped(found[3]), line: line.number };
}

function isMoment(text) {
  if (!/^(19|2[0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/.test(text)) return false;
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === text.slice(0, 19);
}

// The text of an entry without what a running game's record adds in braces.
function canonical(record, entry) {
  return record.isOver ? entry.text : entry.text.replace(/ \{[^{}]*\}$/, "");
}

const CLAIMS = { commitment: checkCommitment, lots: checkChance, seals: checkSeals, chain: checkChain, signature: checkSignature };

// Every claim of a record and what became of it: {claim, state, sentence, line}. Raises nothing, whatever the text.
async function checkRecord(text) {
  let record;
  try {
    record = readRecord(text);
  } catch (error) {
    if (!(error instanceof NotHeld)) throw error;
    return { record: null, heads: [], findings: [finding("reads", "wrong", error.message, error.line)] };
  }
  const findings = [finding("reads", "holds", say("reads", { count: record.entries.length }))];
  findings.push(finding("replay", "absent", say("replay")));
  for (const [claim, check] of Object.entries(CLAIMS)) findings.push(await judged(claim, check, record));
  return { record, heads: await headsOf(record).catch(() => []), findings };
}

function finding(claim, state, sentence, line = 0) {
  return { claim, state, sentence, line };
}

async function judged(claim, check, record) {
  try {
    return finding(claim, "holds", await check(record));
  } catch (error) {
    if (!(error instanceof NotHeld)) throw error;
    return finding(claim, error.state, error.message, error.line);
  }
}

function mustBeSealed(record) {
  const { tags, lines } = record;
  const claims = ["Seed", "Commitment", "Seals", "Signature"].some((name) => tags.has(name));
  if (!tags.get("Chain") && !claims) throw new NotHeld(say("old"), 0, "absent");
  if (tags.get("Chain") !== "2") throw new NotHeld(say("chain 2"), lines.get("Chain") ?? 0);
  const missing = OWED.filter((name) => !tags.has(name));
  if (missing.length) throw new NotHeld(say("missing", { names: missing.join(", ") }));
}

function seedOf(record) {
  mustBeSealed(record);
  const text = record.tags.get("Seed") ?? "";
  if (!text) throw new NotHeld(say("seed open"), 0, "open");
  if (!/^[0-9a-f]{64}$/.test(text)) throw new NotHeld(say("seed digits", { count: 64 }), record.lines.get("Seed"));
  return bytesOfHex(text);
}

async function checkCommitment(record) {
  mustBeSealed(record);
  const [line, told] = [record.lines.get("Commitment"), record.tags.get("Commitment")];
  if (!/^[0-9a-f]{64}$/.test(told)) throw new NotHeld(say("no commitment"), line);
  if ((await commitmentOf(seedOf(record))) !== told) throw new NotHeld(say("commitment wrong"), line);
  return say("commitment");
}

async function checkChance(record) {
  const seed = seedOf(record);
  const hashes = [await hashOf(record.tags.get("Words0")), await hashOf(record.tags.get("Words1"))];
  let count = 0;
  for (const [at, entry] of record.entries.entries()) {
    if (entry.seat !== -1) continue;
    count += 1;
    const chance = new Chance(seed, at + 1, hashes);
    const drawn = await drawnEntry(chance, record.tags.get("Game"), record.tags.get("Options"), count === 1);
    if (drawn === null) throw new NotHeld(say("unknown chance"), entry.line, "open");
    const text = canonical(record, entry);
    if (drawn !== text) throw new NotHeld(say("chance wrong", { ply: at + 1, drawn, text }), entry.line);
  }
  return count ? say("chance", { count }) : say("no chance");
}

function sealsOf(record) {
  const words = (record.tags.get("Seals") ?? "").split(/\s+/).filter(Boolean);
  const seals = new Map();
  for (const word of words) {
    const found = /^([1-9][0-9]{0,8})=([0-9a-f]{64})$/.exec(word);
    if (found) seals.set(Number(found[1]), found[2]);
  }
  if (seals.size !== words.length) throw new NotHeld(say("seals unread"), record.lines.get("Seals"));
  return seals;
}

async function checkSeals(record) {
  mustBeSealed(record);
  const [seals, line] = [sealsOf(record), record.lines.get("Seals")];
  if ([...seals.keys()].some((ply) => ply > record.entries.length)) throw new NotHeld(say("seal of none"), line);
  if (!seals.size) return say("no seals");
  const seed = seedOf(record);
  for (const [ply, seal] of seals) {
    const text = canonical(record, record.entries[ply - 1]);
    if ((await sealOf(seed, ply, text)) !== seal) throw new NotHeld(say("seal wrong", { ply }), line);
  }
  return say("seals", { count: seals.size });
}

// The hashes of a record after 0, 1, 2, … entries.
async function headsOf(record) {
  const { tags } = record;
  const isDated = tags.has("Chain");
  const seals = isDated ? sealsOf(record) : new Map();
  let head = await hashOf(stripped(`${tags.get("Game")} ${tags.get("Version")} ${tags.get("Options")}`));
  const heads = [head];
  for (const [at, entry] of record.entries.entries()) {
    if (isDated && !entry.moment) throw new NotHeld(say("no moment", { ply: at + 1 }), entry.line);
    const what = seals.has(at + 1) ? `seal:${seals.get(at + 1)}` : isDated ? canonical(record, entry) : entry.text;
    head = await hashOf(`${head}\n${at + 1} ${entry.seat} ${isDated ? `${entry.moment} ` : ""}${what}`);
    heads.push(head);
  }
  return heads;
}

async function checkChain(record) {
  const line = record.lines.get("Hash") ?? 0;
  if (!record.tags.get("Hash")) throw new NotHeld(say("no hash"), line);
  if ((await headsOf(record)).at(-1) !== record.tags.get("Hash")) throw new NotHeld(say("chain wrong"), line);
  return say("chain");
}

async function checkSignature(record) {
  mustBeSealed(record);
  const { tags } = record;
  const [key, signature, line] = [tags.get("Key"), tags.get("Signature"), record.lines.get("Signature") ?? 0];
  if (!key || !signature) throw new NotHeld(say("unsigned"), line, "open");
  const holds = await isSigned(key, signature, tags.get("Site") ?? "", record.entries.length, tags.get("Hash"));
  if (holds === null) throw new NotHeld(say("no ed25519"), line, "open");
  if (!holds) throw new NotHeld(say("signature wrong"), line);
  return say("signature", { key });
}
