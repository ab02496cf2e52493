/**
 * Names, label keys and label values. Each check returns the errors of a text, none if it is valid.
 * Upstream: apimachinery v0.36 pkg/util/validation/validation.go, pkg/api/validate/content, pkg/api/validation/generic.go.
 */
import { byteLength } from "../go/text.ts";

export type NameCheck = (name: string) => readonly string[];

const none: readonly string[] = [];

const dash = 45;
const dot = 46;

/** The class of each character of ASCII in names; 0 if names cannot have it. */
const sorts = new Uint8Array(128);
const [lowercase, uppercase, dashes, marks] = [1, 2, 4, 8];
for (const [sort, characters] of [
  [lowercase, "abcdefghijklmnopqrstuvwxyz0123456789"],
  [uppercase, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
  [dashes, "-"],
  [marks, "_."],
] as const)
  for (const character of characters) sorts[character.charCodeAt(0)] = sort;

function sortAt(text: string, index: number): number {
  return sorts[text.charCodeAt(index)] ?? 0;
}

/** True if the text is not empty and has only characters of these classes; `ends` are those allowed first and last. */
function consistsOf(text: string, start: number, inside: number, ends: number): boolean {
  const last = text.length - 1;
  if (start > last || (sortAt(text, start) & ends) === 0 || (sortAt(text, last) & ends) === 0)
    return false;
  for (let index = start + 1; index < last; index++)
    if ((sortAt(text, index) & inside) === 0) return false;
  return true;
}

/** Lowercase letters, digits and, except at the ends, dashes. */
export function isDnsLabel(text: string): boolean {
  return consistsOf(text, 0, lowercase | dashes, lowercase);
}

/** Labels separated by dots. */
export function isDnsSubdomain(text: string): boolean {
  if (!text.includes(".")) return isDnsLabel(text);
  let before = dot;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === dot) {
      if (before === dot || before === dash) return false;
    } else if (code === dash ? before === dot : sorts[code] !== lowercase) return false;
    before = code;
  }
  return before !== dot && before !== dash;
}

/** Letters, digits and, except at the ends, dashes, underscores and dots. `start` is where the word begins in the text. */
export function isWord(text: string, start: number): boolean {
  return consistsOf(text, start, lowercase | uppercase | dashes | marks, lowercase | uppercase);
}

const underscorePattern = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;
const configKeyPattern = /^[-._a-zA-Z0-9]+$/;

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const underscoreText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const keyText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const envNameText =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const configKeyText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Upstream: IsDNS1123Subdomain. */
export function checkSubdomain(name: string): readonly string[] {
  if (name.length <= 253 && isDnsSubdomain(name)) return none;
  const complaints: string[] = [];
  if (byteLength(name) > 253) complaints.push("must be no more than 253 characters");
  if (!isDnsSubdomain(name)) complaints.push(subdomainText);
  return complaints;
}

/** Upstream: IsDNS1123SubdomainWithUnderscore. */
export function checkSubdomainWithUnderscore(name: string): readonly string[] {
  if (name.length <= 253 && underscorePattern.test(name)) return none;
  const complaints: string[] = [];
  if (byteLength(name) > 253) complaints.push("must be no more than 253 characters");
  if (!underscorePattern.test(name)) complaints.push(underscoreText);
  return complaints;
}

/** Upstream: IsDNS1123Label. */
export function checkLabel(name: string): readonly string[] {
  if (name.length <= 63 && isDnsLabel(name)) return none;
  const complaints: string[] = [];
  if (byteLength(name) > 63) complaints.push("must be no more than 63 characters");
  if (!isDnsLabel(name))
    complaints.push(isDnsSubdomain(name) ? "must not contain dots" : labelText);
  return complaints;
}

const alphabeticPattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const alphabeticText =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** Upstream: IsDNS1035Label. */
export function checkAlphabeticLabel(name: string): readonly string[] {
  const complaints: string[] = [];
  if (byteLength(name) > 63) complaints.push("must be no more than 63 characters");
  if (!alphabeticPattern.test(name)) complaints.push(alphabeticText);
  return complaints;
}

/** A cache, since all manifests use the same few keys. Bounded; no result depends on it. */
const goodKeys = new Set<string>();
const goodKeyCountMax = 4096;

/** True for a valid key that is too short to exceed any limit. */
export function isShortLabelKey(key: string): boolean {
  if (goodKeys.has(key)) return true;
  const slash = key.indexOf("/");
  const isGood =
    key.length <= 63 &&
    isWord(key, slash + 1) &&
    (slash < 0 || (slash > 0 && isDnsSubdomain(key.slice(0, slash))));
  if (isGood && goodKeys.size < goodKeyCountMax) goodKeys.add(key);
  return isGood;
}

/** `[prefix/]name`. Upstream: content.IsLabelKey (1.34 and older: IsQualifiedName, with other words). */
export function checkLabelKey(key: string): readonly string[] {
  if (isShortLabelKey(key)) return none;
  const slash = key.indexOf("/");
  if (key.indexOf("/", slash + 1) > slash && slash >= 0) {
    return [
      `a valid label key ${keyText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const complaints: string[] = [];
  if (slash >= 0) {
    const prefix = key.slice(0, slash);
    if (prefix === "") complaints.push("prefix part must be non-empty");
    else complaints.push(...checkPrefix(prefix).map((complaint) => `prefix part ${complaint}`));
  }
  const name = key.slice(slash + 1);
  if (name === "") complaints.push("name part must be non-empty");
  else if (byteLength(name) > 63) complaints.push("name part must be no more than 63 bytes");
  if (!isWord(name, 0)) complaints.push(`name part ${keyText}`);
  return complaints;
}

/** The rule for subdomains, with newer messages. Upstream: content.IsDNS1123Subdomain. */
function checkPrefix(prefix: string): readonly string[] {
  return checkSubdomain(prefix).map((complaint) =>
    complaint === subdomainText ? complaint : "must be no more than 253 bytes",
  );
}

/** Upstream: IsValidLabelValue. */
export function checkLabelValue(value: string): readonly string[] {
  if (value.length <= 63 && (value === "" || isWord(value, 0))) return none;
  const complaints: string[] = [];
  if (byteLength(value) > 63) complaints.push("must be no more than 63 bytes");
  if (value !== "" && !isWord(value, 0)) complaints.push(valueText);
  return complaints;
}

/** Upstream: IsRelaxedEnvVarName (the gate RelaxedEnvironmentVariableValidation is on). */
export function checkEnvName(name: string): readonly string[] {
  if (isWord(name, 0) || /^[ -<>-~]+$/.test(name)) return none;
  return [envNameText];
}

/** Upstream: IsConfigMapKey. */
export function checkConfigKey(key: string): readonly string[] {
  if (key.length <= 253 && isWord(key, 0)) return none;
  const complaints: string[] = [];
  if (byteLength(key) > 253) complaints.push("must be no more than 253 characters");
  if (!configKeyPattern.test(key)) complaints.push(configKeyText);
  if (key === ".") complaints.push("must not be '.'");
  else if (key === "..") complaints.push("must not be '..'");
  else if (key.startsWith("..")) complaints.push("must not start with '..'");
  return complaints;
}

/** Names that only have to fit into a URL. Upstream: content.IsPathSegmentName. */
export function checkPathSegment(name: string): readonly string[] {
  if (name === ".") return ["may not be '.'"];
  if (name === "..") return ["may not be '..'"];
  if (!name.includes("/") && !name.includes("%")) return none;
  return ["/", "%"]
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
}

/** A trailing dash is allowed where more characters will follow. Upstream: maskTrailingDash. */
export function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name;
}
