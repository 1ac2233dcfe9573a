// Hashes, chance and signatures, as docs/fairness.md defines them. DATA and say() come from the page around this file.

const encoder = new TextEncoder();

function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOfHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function bytesOfBase64(text, length) {
  let binary;
  try {
    binary = atob(text);
  } catch {
    return null;
  }
  return binary.length === length && btoa(binary) === text ? Uint8Array.from(binary, (one) => one.charCodeAt(0)) : null;
}

async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

async function hashOf(text) {
  return hexOf(await sha256(encoder.encode(text)));
}

async function hmac(seed, text) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

async function commitmentOf(seed) {
  return hexOf(await sha256(seed));
}

async function sealOf(seed, ply, text) {
  return hashOf(`${hexOf(await hmac(seed, `seal-1\n${ply}`))}\n${text}`);
}

// The stream of one entry of chance: blocks of HMAC-SHA-256 in order, taken from the front.
class Chance {
  constructor(seed, ply, hashes) {
    Object.assign(this, { seed, ply, hashes, counter: 0, bytes: [] });
  }

  async bits(count) {
    const length = Math.ceil(count / 8);
    while (this.bytes.length < length) {
      const message = `lots-1\n${this.ply}\n${this.hashes[0]}\n${this.hashes[1]}\n${this.counter}`;
      this.bytes.push(...(await hmac(this.seed, message)));
      this.counter += 1;
    }
    const whole = this.bytes.splice(0, length).reduce((value, byte) => value * 256 + byte, 0);
    return Math.floor(whole / 2 ** (8 * length - count));
  }

  async below(n) {
    if (n === 1) return 0;
    const count = n.toString(2).length;
    let drawn = n;
    while (drawn >= n) drawn = await this.bits(count);
    return drawn;
  }

  async sample(pool) {
    const rest = [...pool];
    const drawn = [];
    for (let left = rest.length; left > 0; left -= 1) {
      const at = await this.below(left);
      drawn.push(rest[at]);
      rest[at] = rest[left - 1];
    }
    return drawn;
  }
}

// What chance draws for an entry, as the record writes it; null for a game whose chance this page does not know.
async function drawnEntry(chance, game, options, isFirst) {
  if (game === "duel-puzzle") return `deal ${(await chance.sample(DATA.buttons)).join(" ")}`;
  if (game !== "proteus-dice") return null;
  if (isFirst && /\bwall_street=(open|secret)\b/.test(options)) return `roll ${DATA.rolls[await chance.below(30)]}`;
  const order = /\bwarhorses=yes\b/.test(options) ? "YPNBRQ" : "YPBNRQ";
  return `{${order[await chance.below(6)]}}`;
}

// Whether this key made the signature of a text; null where the browser knows no Ed25519.
async function isSigned(key, signature, text) {
  const [rawKey, rawSignature] = [bytesOfBase64(key, 32), bytesOfBase64(signature, 64)];
  if (!rawKey || !rawSignature) return false;
  if (!(await knowsEd25519())) return null;
  try {
    const imported = await crypto.subtle.importKey("raw", rawKey, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, imported, rawSignature, encoder.encode(text));
  } catch {
    return false;
  }
}

// What is signed of a record with so many entries.
function headText(site, ply, head) {
  return `head-1\n${site}\n${ply}\n${head}`;
}

let ed25519 = null;

async function knowsEd25519() {
  if (ed25519 === null) {
    const known = Uint8Array.from(atob(DATA.key), (one) => one.charCodeAt(0));
    const tried = crypto.subtle.importKey("raw", known, { name: "Ed25519" }, false, ["verify"]);
    ed25519 = tried.then(() => true, () => false);
  }
  return ed25519;
}
