/**
 * Passwords, keys and certificates. Helm generates new ones on each rendering, so nothing that is judged can depend on their
 * contents: here they are random, with the form and roughly the length of real ones. Upstream: sprig v3 crypto.go. Not
 * modeled: that a certificate, or the key that signs it, is parsed before it is used.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { sprint } from "../go-template/printf.ts";
import {
  type Call,
  Failure,
  type GoList,
  type GoObject,
  type GoValue,
} from "../go-template/values.ts";
import { bytesOf, textOfBytes } from "./bytes.ts";
import { base64Of, bytesOfBase64 } from "./encodings.ts";
import { ipv6Complaint } from "./ip-address.ts";
import { randomBytes, randomLetters } from "./random.ts";
import { define, type Named } from "./signature.ts";

export const cryptoFunctions: readonly Named[] = [
  define("bcrypt", ["string"], (_text, call) => bcrypt(call)),
  define("htpasswd", ["string", "string"], ([name], call) => htpasswd(name, call)),
  define(
    "derivePassword",
    ["uint32", "string", "string", "string", "string"],
    (values, call) => call.charge(costOfPassword) ?? derivedPassword(values),
  ),
  define("genPrivateKey", ["string"], ([type], call) => privateKey(type, call)),
  define("genCA", ["string", "int"], (_values, call) => certificate(call)),
  define("genCAWithKey", ["string", "int", "string"], ([, , key], call) => certificate(call, key)),
  define(
    "genSelfSignedCert",
    ["string", "list", "list", "int"],
    ([, ips, names], call) => namesFailure(ips, names) ?? certificate(call),
  ),
  define(
    "genSelfSignedCertWithKey",
    ["string", "list", "list", "int", "string"],
    ([, ips, names, , key], call) => namesFailure(ips, names) ?? certificate(call, key),
  ),
  define(
    "genSignedCert",
    ["string", "list", "list", "int", "certificate"],
    ([, ips, names], call) => namesFailure(ips, names) ?? certificate(call),
  ),
  define(
    "genSignedCertWithKey",
    ["string", "list", "list", "int", "certificate", "string"],
    ([, ips, names, , , key], call) => namesFailure(ips, names) ?? certificate(call, key),
  ),
  define("buildCustomCert", ["string", "string"], ([cert, key]) => customCertificate(cert, key)),
  define("encryptAES", ["string", "string"], ([, text], call) => encrypted(text, call)),
  define("decryptAES", ["string", "string"], ([, text]) =>
    bytesOfBase64(text) === undefined ? new Failure(noBase64(text)) : "decrypted",
  ),
];

const bcryptAlphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function bcrypt(call: Call): string | Failure {
  return call.charge(bcryptLength) ?? `$2a$10$${randomLetters(bcryptLength, bcryptAlphabet, call)}`;
}

const bcryptLength = 53;

function htpasswd(name: string, call: Call): string | Failure {
  if (name.includes(":")) return `invalid username: ${name}`;
  const hash = bcrypt(call);
  return hash instanceof Failure ? hash : `${name}:${hash}`;
}

/** The alphabet for each letter of a form, and the forms of each kind of password. */
const passwordLetters: Readonly<Record<string, string>> = {
  V: "AEIOU",
  C: "BCDFGHJKLMNPQRSTVWXYZ",
  v: "aeiou",
  c: "bcdfghjklmnpqrstvwxyz",
  a: "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
  n: "0123456789",
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: "AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()",
};
const passwordForms: ReadonlyMap<string, string> = new Map([
  ["maximum", "anoxxxxxxxxxxxxxxxxx"],
  ["long", "CvcvnoCvcvCvcv"],
  ["medium", "CvcnoCvc"],
  ["short", "Cvcn"],
  ["basic", "aaanaaan"],
  ["pin", "nnnn"],
]);

/** In units of printed letters. */
const costOfPassword = 64;

/** Depends only on the arguments, but differs from Helm's result, which takes a third of a second to compute. */
function derivedPassword(values: readonly GoValue[]): string {
  const [, type] = values;
  const form = passwordForms.get(String(type));
  if (form === undefined) return `cannot find password template ${String(type)}`;
  const seed = sha256(bytesOf(values.map(String).join("\0")));
  return Array.from(form, (sign, index) => {
    const alphabet = passwordLetters[sign] ?? "";
    return alphabet[(seed[index] ?? 0) % alphabet.length] ?? "";
  }).join("");
}

/** Bytes of a typical key or certificate. */
const sizes = { rsa4096: 2349, rsa2048: 1192, dsa: 846, ecdsa: 121, ed25519: 48, certificate: 770 };

function privateKey(type: string, call: Call): string | Failure {
  switch (type) {
    case "":
    case "rsa":
      return pem("RSA PRIVATE KEY", sizes.rsa4096, call);
    case "dsa":
      return pem("DSA PRIVATE KEY", sizes.dsa, call);
    case "ecdsa":
      return pem("EC PRIVATE KEY", sizes.ecdsa, call);
    case "ed25519":
      return pem("PRIVATE KEY", sizes.ed25519, call);
    default:
      return `Unknown type ${type}`;
  }
}

/** Generating a byte takes as long as printing this many letters. */
const costOfByte = 4;

function pem(type: string, size: number, call: Call): string | Failure {
  const refused = call.charge(size * costOfByte);
  if (refused !== undefined) return refused;
  const lines = base64Of(randomBytes(size, call)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join("\n")}\n-----END ${type}-----\n`;
}

/** Checks addresses and names: lists of texts, or nil. */
function namesFailure(ips: GoList | null, names: GoList | null): Failure | undefined {
  for (const ip of ips ?? []) {
    if (typeof ip !== "string")
      return new Failure(`error parsing ip: ${sprint(ip)} is not a string`);
    if (!isAddress(ip)) return new Failure(`error parsing ip: ${ip}`);
  }
  for (const name of names ?? [])
    if (typeof name !== "string")
      return new Failure(`error processing alternate dns name: ${sprint(name)} is not a string`);
  return undefined;
}

/** As Go's net.ParseIP, which allows no zone. */
function isAddress(text: string): boolean {
  return !text.includes("%") && ipv6Complaint(text) === undefined;
}

class Certificate implements GoObject {
  readonly goType = "sprig.certificate";
  readonly #cert: string;
  readonly #key: string;

  constructor(cert: string, key: string) {
    this.#cert = cert;
    this.#key = key;
  }

  member(name: string): GoValue | undefined {
    if (name === "Cert") return this.#cert;
    return name === "Key" ? this.#key : undefined;
  }

  print(): string {
    return `{${this.#cert} ${this.#key}}`;
  }

  fields(): GoValue {
    return new Map([
      ["Cert", this.#cert],
      ["Key", this.#key],
    ]);
  }
}

function certificate(call: Call, key?: string): GoValue | Failure {
  if (key !== undefined && !key.includes("PRIVATE KEY-----"))
    return new Failure("parsing private key: no PEM data in input");
  const made = pem("CERTIFICATE", sizes.certificate, call);
  const ownKey = key ?? pem("RSA PRIVATE KEY", sizes.rsa2048, call);
  if (made instanceof Failure) return made;
  return ownKey instanceof Failure ? ownKey : new Certificate(made, ownKey);
}

function customCertificate(base64Cert: string, base64Key: string): GoValue | Failure {
  const cert = bytesOfBase64(base64Cert);
  if (cert === undefined) return new Failure("unable to decode base64 certificate");
  const key = bytesOfBase64(base64Key);
  if (key === undefined) return new Failure("unable to decode base64 private key");
  const text = textOfBytes(cert);
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    return new Failure("unable to decode certificate");
  return new Certificate(text, textOfBytes(key));
}

/** An initialization vector of one block, and the text padded to whole blocks. */
function encrypted(text: string, call: Call): string | Failure {
  if (text === "") return "";
  const size = 16 + (Math.floor(bytesOf(text).length / 16) + 1) * 16;
  return call.charge(size * 2) ?? base64Of(randomBytes(size, call));
}

function noBase64(text: string): string {
  return `illegal base64 data at input byte ${text.search(/[^A-Za-z0-9+/]/)}`;
}
