/** Sizes that the API server accepts, but that are probably not what was meant. At most one finding per size. */
import {
  bytesText,
  nanosPerOne,
  parseQuantity,
  type Quantity,
  quantityCeiling,
  quantityOf,
} from "../../../engine/api/quantity.ts";
import {
  claimSpecsOf,
  type Fields,
  fieldsAt,
  itemsOf,
  podVolumesOf,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { answerOf } from "../api-answer.ts";
import { sizeMeant } from "../facts/meant-value.ts";
import { type ObjectRuleOptions, objectRule } from "../object-rule.ts";
import type { DocumentContext, DocumentRule, Severity } from "../rule.ts";

interface Size {
  readonly path: Path;
  readonly text: string;
}

interface Finding {
  readonly id: string;
  readonly message: string;
  /** What was meant, if there is only one reading. */
  readonly meant?: string;
  /** Another unit may have been meant. */
  readonly isGuess?: boolean;
}

const mebi = 1024n * 1024n;
const int64Max = 9_223_372_036_854_775_807n;

function quantityRule(
  id: string,
  severity: Severity,
  options: ObjectRuleOptions = {},
): DocumentRule {
  return objectRule(id, severity, options, function* (object, context) {
    for (const { path, text, finding } of findingsOf(object)) {
      if (finding.id !== id || isWarnedOf(finding, object, text, context)) continue;
      const { message, meant, isGuess = false } = finding;
      const fix = { title: `Change to ${meant}`, path, value: meant ?? "", isChoice: isGuess };
      // A volume of 5G is already reported if a claim of 5Gi waits for it.
      const isOfVolume = object.kind === "PersistentVolume" && object.ref !== undefined;
      yield {
        ...{ path, message },
        ...(meant !== undefined && { fix }),
        ...(isOfVolume && { unless: [`cause of ${object.ref}`] as const }),
      };
    }
  });
}

interface FoundSize extends Size {
  readonly finding: Finding;
}

/** Cached because all rules look at the same object one after another. */
let last: { readonly object: ManifestObject; readonly found: readonly FoundSize[] } | undefined;

function findingsOf(object: ManifestObject): readonly FoundSize[] {
  if (last?.object !== object) {
    const found = sizesOf(object).flatMap((size): FoundSize[] => {
      const finding = findingOf(size.text);
      return finding === undefined ? [] : [{ ...size, finding }];
    });
    last = { object, found };
  }
  return last.found;
}

export const quantityRules: readonly DocumentRule[] = [
  quantityRule("quantity-zero-text", "error"),
  // Such a volume is almost empty, and thus too small for any claim.
  quantityRule("quantity-milli", "warning", { explainsOutcome: "of-field" }),
  quantityRule("quantity-tiny", "warning", { explainsOutcome: "of-field" }),
  quantityRule("quantity-fractional", "warning"),
  quantityRule("quantity-overflow", "warning"),
  quantityRule("quantity-exponent", "information"),
  quantityRule("quantity-near-miss", "hint", {
    besidesRefusal: true,
    yieldsTo: ["api-refused"],
    yieldsAtPlace: true,
  }),
  quantityRule("quantity-odd-form", "hint"),
  quantityRule("quantity-decimal", "hint"),
];

/** In most places the server itself warns of fractions of a byte. */
function isWarnedOf(
  { id }: Finding,
  object: ManifestObject,
  text: string,
  { version }: DocumentContext,
): boolean {
  if (id !== "quantity-fractional") return false;
  return (answerOf(object, version)?.warnings ?? []).some((warning) => warning.includes(text));
}

/** The first finding that applies; undefined for an ordinary size. */
function findingOf(text: string): Finding | undefined {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return nearMiss(text);
  if (!/\d/.test(text)) return { id: "quantity-zero-text", message: `“${text}” means 0` };
  if (quantity.nanos <= 0n) return undefined;
  const bytes = quantityCeiling(quantity);
  if (bytes > int64Max || isCapped(text))
    return {
      id: "quantity-overflow",
      message: `${text} is more than ${int64Max} bytes: it is capped or overflows`,
    };
  if (/[mun]$/.test(text)) return milli(text, bytes);
  if (/\d[eE][-+]?\d+$/.test(text))
    return { id: "quantity-exponent", message: `“${text}” = ${bytesText(bytes)}` };
  if (quantity.nanos % nanosPerOne !== 0n)
    return {
      id: "quantity-fractional",
      message: `${text} is rounded up to ${counted(bytes)}`,
      meant: String(bytes),
      isGuess: bytes < mebi,
    };
  if (bytes < mebi) return tiny(text, bytes);
  return oddForm(text, quantity) ?? decimal(text, bytes);
}

/** The parser has already capped binary sizes that are too large. */
function isCapped(text: string): boolean {
  const binary = /^\+?(\d+)(?:\.\d*)?(Pi|Ei)$/.exec(text);
  if (binary === null) return false;
  return BigInt(binary[1] ?? 0) >= (binary[2] === "Ei" ? 8n : 8192n);
}

function counted(bytes: bigint): string {
  return bytes === 1n ? "1 byte" : `${bytes} bytes`;
}

/** A bare number is a number of bytes, but whoever writes one means the usual unit. */
function tiny(text: string, bytes: bigint): Finding {
  const message = `${text} is only ${counted(bytes)}`;
  const isAlone = /^\+?\d{1,4}$/.test(text);
  return { id: "quantity-tiny", message, ...(isAlone && { meant: `${bytes}Gi`, isGuess: true }) };
}

function milli(text: string, bytes: bigint): Finding {
  const name = { m: "milli", u: "micro", n: "nano" }[text.slice(-1)] ?? "";
  const message = `“${text}” is ${counted(bytes)} (${text.slice(-1)} = ${name})`;
  const number = /^\+?(\d+)m$/.exec(text)?.[1];
  return { id: "quantity-milli", message, ...(number !== undefined && { meant: `${number}Mi` }) };
}

function oddForm(text: string, quantity: Quantity): Finding | undefined {
  const canonical = quantityOf(quantity.nanos, quantity.format).text;
  const isOdd =
    /^\+|^0\d|\.(?:\D|$)/.test(text) || (/^\d+[KMGTPE]i$/.test(text) && text !== canonical);
  if (!isOdd) return undefined;
  const message = `Unusual but valid form of ${canonical}`;
  return { id: "quantity-odd-form", message, meant: canonical };
}

function decimal(text: string, bytes: bigint): Finding | undefined {
  const [, number, suffix] = /^(\d+)([kMGTPE])$/.exec(text) ?? [];
  if (number === undefined || suffix === undefined) return undefined;
  const unit = suffix === "k" ? "Ki" : `${suffix}i`;
  const power = BigInt("kMGTPE".indexOf(suffix) + 1);
  const unitBytes = 1024n ** power;
  const hundredths = (bytes * 100n + unitBytes / 2n) / unitBytes;
  const inUnits = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;
  return {
    id: "quantity-decimal",
    message: `${text} is about ${inUnits}${unit}; disks are usually sized in binary units`,
    meant: `${number}${unit}`,
  };
}

/** The server refuses these, but its message does not say what it would accept. */
function nearMiss(text: string): Finding | undefined {
  const meant = sizeMeant(text);
  if (meant === undefined) return undefined;
  return { id: "quantity-near-miss", message: `Did you mean “${meant}”?`, meant };
}

function sizesOf(object: ManifestObject): readonly Size[] {
  return [...sizePlaces(object)].flatMap(([path, value]): Size[] =>
    typeof value === "string" || typeof value === "number" ? [{ path, text: String(value) }] : [],
  );
}

function* sizePlaces(object: ManifestObject): Iterable<readonly [Path, unknown]> {
  const { kind, value } = object;
  for (const { fields, path } of claimSpecsOf(object)) {
    for (const list of ["requests", "limits"])
      yield storageOf(fieldsAt(fields, "resources", list), [...path, "resources", list]);
  }
  for (const { fields, path } of podVolumesOf(object)) {
    yield [[...path, "emptyDir", "sizeLimit"], fieldsAt(fields, "emptyDir")["sizeLimit"]];
  }
  if (kind === "PersistentVolume")
    yield storageOf(fieldsAt(value, "spec", "capacity"), ["spec", "capacity"]);
  if (kind === "ResourceQuota") yield* quotaSizes(fieldsAt(value, "spec", "hard"));
  if (kind === "LimitRange") {
    for (const { fields, path } of itemsOf(fieldsAt(value, "spec")["limits"], ["spec", "limits"]))
      for (const list of ["min", "max"]) yield storageOf(fieldsAt(fields, list), [...path, list]);
  }
}

function storageOf(resources: Fields, path: Path): readonly [Path, unknown] {
  return [[...path, "storage"], resources["storage"]];
}

function* quotaSizes(hard: Fields): Iterable<readonly [Path, unknown]> {
  for (const [key, value] of Object.entries(hard)) {
    if (/(?:^|\/)requests\.storage$/.test(key)) yield [["spec", "hard", key], value];
  }
}
