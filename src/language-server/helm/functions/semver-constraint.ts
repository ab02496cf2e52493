/** Version constraints: `>=1.2 <2 || ~3.1`. Upstream: Masterminds/semver v3.4 constraints.go. */
import {
  comparePrereleases,
  compareVersions,
  parseVersion,
  type Version,
} from "./semver-version.ts";

/** A constraint is an operator, a version, and which part of the version is left open. */
interface Constraint {
  readonly operator: string;
  readonly version: Version;
  /** From this part on, any number matches. */
  readonly open: "major" | "minor" | "patch" | undefined;
}

export type Admits = (version: Version) => boolean;

const part = "[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*";
const number = "[0-9|xX*]+";
const wanted = `v?(${number})(?:\\.(${number}))?(?:\\.(${number}))?(-${part})?(?:\\+${part})?`;
const single = new RegExp(`\\s*(=>|=<|!=|>=|<=|~>|=|>|<|~|\\^|)\\s*${wanted}\\s*`, "y");
const range = new RegExp(`\\s*(${ungrouped(wanted)})\\s+-\\s+(${ungrouped(wanted)})\\s*`, "g");

function ungrouped(pattern: string): string {
  return pattern.replace(/\((?!\?)/g, "(?:");
}

/** Far longer than anybody writes. */
const lengthMax = 1000;

/** Returns a text if the constraint is invalid. */
export function constraintAdmits(text: string): Admits | string {
  if (text.length > lengthMax) return improper(text);
  const alternatives: Admits[] = [];
  for (const alternative of text.replace(range, ">=$1, <=$2 ").split("||")) {
    const all = readAll(alternative);
    if (typeof all === "string") return all;
    alternatives.push(all);
  }
  return (version) => alternatives.some((admits) => admits(version));
}

function improper(text: string): string {
  return `improper constraint: ${text}`;
}

/** Constraints are separated by blanks or commas; prereleases only match if one of the constraints has one. */
function readAll(text: string): Admits | string {
  const constraints: Constraint[] = [];
  for (let at = 0; at < text.length || constraints.length === 0; ) {
    single.lastIndex = at;
    const match = single.exec(text);
    if (match === null) return improper(text);
    const constraint = constraintOf(match);
    if (typeof constraint === "string") return constraint;
    constraints.push(constraint);
    at += match[0].length;
    if (at === text.length) break;
    if (text[at] === ",") at++;
    else if (!/\s$/.test(match[0])) return improper(text);
  }
  const admitsPrereleases = constraints.some(({ version }) => version.prerelease !== "");
  return (version) =>
    (version.prerelease === "" || admitsPrereleases) &&
    constraints.every((constraint) => isMet(constraint, version));
}

function constraintOf(match: RegExpExecArray): Constraint | string {
  const [, operator = "", major, minor, patch, prerelease = ""] = match;
  const open = isAny(major) ? "major" : isAny(minor) ? "minor" : isAny(patch) ? "patch" : undefined;
  const numbers = {
    major: "0.0.0",
    minor: `${major}.0.0`,
    patch: `${major}.${minor}.0`,
    none: `${major}.${minor}.${patch}`,
  }[open ?? "none"];
  const version = parseVersion(numbers + prerelease);
  return typeof version === "string" ? "constraint parser error" : { operator, version, open };
}

function isAny(number: string | undefined): boolean {
  return number === undefined || number === "x" || number === "X" || number === "*";
}

function isMet({ operator, version, open }: Constraint, found: Version): boolean {
  const order = compareVersions(found, version);
  switch (operator) {
    case "!=":
      return differs(version, open, found, order);
    case ">":
      return isGreater(version, open, found, order);
    case "<":
      return order < 0;
    case ">=":
    case "=>":
      return order >= 0;
    case "<=":
    case "=<":
      return isNotGreater(version, open, found, order);
    case "^":
      return order >= 0 && isWithinCaret(version, open, found);
    case "~":
    case "~>":
      return order >= 0 && isWithinTilde(version, open, found);
    default:
      return open === undefined ? order === 0 : order >= 0 && isWithinTilde(version, open, found);
  }
}

type Open = Constraint["open"];

function differs(version: Version, open: Open, found: Version, order: number): boolean {
  if (open === undefined || open === "major") return order !== 0;
  if (found.major !== version.major) return true;
  if (open === "minor") return false;
  if (found.minor !== version.minor) return true;
  return comparePrereleases(found.prerelease, version.prerelease) !== 0;
}

/** Greater than 11 begins at 12, greater than 11.1 at 11.2. */
function isGreater(version: Version, open: Open, found: Version, order: number): boolean {
  if (open === undefined || found.major !== version.major) return order > 0;
  if (open === "minor") return false;
  return open === "patch" ? found.minor > version.minor : order > 0;
}

function isNotGreater(version: Version, open: Open, found: Version, order: number): boolean {
  if (open === undefined) return order <= 0;
  if (found.major !== version.major) return found.major < version.major;
  return open === "minor" || found.minor <= version.minor;
}

function isWithinTilde(version: Version, open: Open, found: Version): boolean {
  const { major, minor, patch } = version;
  // Upstream treats ~0.0.0 as any version.
  if (major === 0n && minor === 0n && patch === 0n && open !== "minor" && open !== "patch")
    return true;
  return found.major === major && (open === "minor" || found.minor === minor);
}

/** The first number that is not zero must be equal. */
function isWithinCaret(version: Version, open: Open, found: Version): boolean {
  const { major, minor, patch } = version;
  if (major > 0n || open === "minor") return found.major === major;
  if (found.major > 0n) return false;
  if (minor > 0n || open === "patch") return found.minor === minor;
  return found.minor === 0n && found.patch === patch;
}
