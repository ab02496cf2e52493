/**
 * Random texts, from the execution's own generator. Upstream: sprig v3 crypto.go, goutils cryptorandomstringutils.go, xstrings
 * Shuffle.
 */
import { type Call, Failure } from "../go-template/values.ts";
import { base64Of } from "./encodings.ts";
import { define, type Named } from "./signature.ts";

const digits = "0123456789";
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join(
  "",
);

export const randomFunctions: readonly Named[] = [
  define("randAlphaNum", ["int"], ([count], call) => randomText(count, letters + digits, call)),
  define("randAlpha", ["int"], ([count], call) => randomText(count, letters, call)),
  define("randNumeric", ["int"], ([count], call) => randomText(count, digits, call)),
  define("randAscii", ["int"], ([count], call) => randomText(count, printable, call)),
  define("randBytes", ["int"], ([count], call) => {
    if (count < 0n) return new Failure("runtime error: makeslice: len out of range");
    return call.charge(Number(count) * 2) ?? base64Of(randomBytes(Number(count), call));
  }),
  define("randInt", ["int", "int"], ([least, end], call) =>
    end <= least
      ? new Failure("invalid argument to Intn")
      : least + BigInt(Math.floor(call.random() * Number(end - least))),
  ),
  define("shuffle", ["string"], ([text], call) => call.charge(text.length) ?? shuffled(text, call)),
  define("uuidv4", [], (_none, call) => uuid(call)),
];

/** A negative count gives an empty text: upstream ignores the error. */
function randomText(count: bigint, alphabet: string, call: Call): string | Failure {
  if (count <= 0n) return "";
  return call.charge(Number(count)) ?? randomLetters(Number(count), alphabet, call);
}

export function randomLetters(count: number, alphabet: string, call: Call): string {
  let text = "";
  for (let index = 0; index < count; index++)
    text += alphabet[Math.floor(call.random() * alphabet.length)] ?? "";
  return text;
}

export function randomBytes(count: number, call: Call): Uint8Array {
  return Uint8Array.from({ length: count }, () => Math.floor(call.random() * 256));
}

function shuffled(text: string, call: Call): string {
  const characters = [...text];
  for (let index = characters.length - 1; index > 0; index--) {
    const other = Math.floor(call.random() * (index + 1));
    const [a = "", b = ""] = [characters[index], characters[other]];
    characters[index] = b;
    characters[other] = a;
  }
  return characters.join("");
}

const uuidForm = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";

function uuid(call: Call): string | Failure {
  const made = (sign: string): string =>
    randomLetters(1, sign === "x" ? "0123456789abcdef" : "89ab", call);
  return call.charge(uuidForm.length) ?? uuidForm.replace(/[xy]/g, made);
}
