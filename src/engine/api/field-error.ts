/**
 * What is wrong with a field, in the API server's words, and the answer that lists it all.
 * Upstream: apimachinery v0.36 pkg/util/validation/field/errors.go, pkg/api/errors NewInvalid.
 */
import type { KubernetesVersion } from "../scenario.ts";
import type { FieldPath } from "./field-path.ts";
import { aggregated, goJson, goQuote } from "./go/text.ts";
import { type ApiError, type Cause, type Kind, kindSchema, qualified } from "./meta.ts";

/** Text that is JSON already, as the server shows named strings, lists, maps and structs. */
export interface AsJson {
  readonly json: string;
}

export type ShownValue = string | number | boolean | bigint | AsJson;

export function asJson(value: unknown): AsJson {
  return { json: goJson(value) };
}

/** Problems that an update may keep if the stored object has them already. Upstream: PodValidationOptions and the like. */
export type Flaw =
  | "deletionCost"
  | "devicesInUserNamespace"
  | "hostSysctls"
  | "initResizePolicy"
  | "nodeAffinityValues"
  | "pageSizes"
  | "seLinuxChangePolicy"
  | "selectorValues"
  | "spreadSelectors"
  | "tokenPaths"
  | "unprefixedJobLabels";

/** How many copies are kept of an error that the server repeats in the same words for one place. */
export const sameErrorCountMax = 20;

const noFlaws: ReadonlySet<Flaw> = new Set();

/** The errors of one object, in the order in which the server finds them. */
export class FieldErrors {
  readonly causes: Cause[] = [];
  /** Problems that the server only warns about. */
  readonly warnings: string[] = [];
  /** The Kubernetes version whose rules apply. */
  readonly version: KubernetesVersion;
  /** Problems that are not errors, because the stored object has them already. */
  readonly flaws: ReadonlySet<Flaw>;

  constructor(version: KubernetesVersion, flaws: ReadonlySet<Flaw> = noFlaws) {
    this.version = version;
    this.flaws = flaws;
  }

  get none(): boolean {
    return this.causes.length === 0;
  }

  required(path: FieldPath, detail = ""): void {
    this.#add("FieldValueRequired", path, "Required value", detail);
  }

  invalid(path: FieldPath, value: ShownValue, detail: string): void {
    this.#add("FieldValueInvalid", path, `Invalid value: ${show(value)}`, detail);
  }

  /** An invalid value that is not shown. Upstream: OmitValueType. */
  wrong(path: FieldPath, detail: string): void {
    this.#add("FieldValueInvalid", path, "Invalid value", detail);
  }

  /** One error for each complaint about the same value. */
  invalidEach(path: FieldPath, value: ShownValue, details: readonly string[]): void {
    for (const detail of details) this.invalid(path, value, detail);
  }

  notSupported(path: FieldPath, value: ShownValue, supported: readonly string[]): void {
    const list = supported.map((s) => goQuote(s)).join(", ");
    this.#add(
      "FieldValueNotSupported",
      path,
      `Unsupported value: ${show(value)}`,
      list === "" ? "" : `supported values: ${list}`,
    );
  }

  forbidden(path: FieldPath, detail: string): void {
    this.#add("FieldValueForbidden", path, "Forbidden", detail);
  }

  duplicate(path: FieldPath, value: ShownValue, detail = ""): void {
    this.#add("FieldValueDuplicate", path, `Duplicate value: ${show(value)}`, detail);
  }

  notFound(path: FieldPath, value: ShownValue, detail = ""): void {
    this.#add("FieldValueNotFound", path, `Not found: ${show(value)}`, detail);
  }

  tooLong(path: FieldPath, bytesMax: number): void {
    this.#add(
      "FieldValueTooLong",
      path,
      "Too long",
      `may not be more than ${bytesMax} ${bytesMax === 1 ? "byte" : "bytes"}`,
    );
  }

  tooMany(path: FieldPath, actual: number, countMax: number): void {
    this.#add(
      "FieldValueTooMany",
      path,
      `Too many: ${actual}`,
      `must have at most ${countMax} ${countMax === 1 ? "item" : "items"}`,
    );
  }

  /** An error in words of its own, for the validation rules of custom resources. */
  raw(reason: string, field: string, message: string): void {
    this.causes.push({ reason, field, message });
  }

  #add(reason: string, path: FieldPath, what: string, detail: string): void {
    this.causes.push({
      reason,
      field: path.toString(),
      message: detail === "" ? what : `${what}: ${detail}`,
    });
  }
}

function show(value: ShownValue): string {
  if (typeof value === "string") return goQuote(value);
  return typeof value === "object" ? value.json : String(value);
}

/** Upstream: errors.NewInvalid. Equal lines are shown once; all causes are kept. */
export function invalidObject(kind: Kind | "", name: string, errors: FieldErrors): ApiError {
  const what = aggregated(errors.causes.map((cause) => `${cause.field}: ${cause.message}`));
  const whose = qualified(kind, kindSchema(kind)?.apiVersion ?? "");
  return {
    code: 422,
    reason: "Invalid",
    message: `${whose} ${goQuote(name)} is invalid: ${what}`,
    causes: errors.causes,
  };
}
