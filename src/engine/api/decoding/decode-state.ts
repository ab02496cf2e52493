/** Where a decoder is in its input, and what it has found. Upstream: sigs.k8s.io/json's decodeState. */
import type { KubernetesVersion } from "../../scenario.ts";
import { namesEmbeddedStructs } from "../../version-differences.ts";

/**
 * A list or map that validation sees as it was written, but storage differently: an empty one is dropped, or an absent list
 * becomes an empty one.
 */
export interface LooseEnd {
  readonly owner: Record<string, unknown>;
  readonly field: string;
  /** True if storage turns an absent list into an empty one. */
  readonly fills: boolean;
}

export interface State {
  /** Fields and list indexes from the root to the current value. */
  readonly path: (Field | number)[];
  /** The first wrong type; decoding continues, because an unreadable quantity further on takes precedence. */
  typeError: string | undefined;
  /** The first error of a value's own parser; then no other error is reported. */
  fatal: string | undefined;
  readonly unknown: string[];
  readonly loose: LooseEnd[];
  failureCount: number;
  /** Keys are visited in byte order, as clients send them, so that failures occur in the server's order. */
  readonly isInOrder: boolean;
  readonly version: KubernetesVersion;
}

export function newState(isInOrder: boolean, version: KubernetesVersion): State {
  return {
    path: [],
    typeError: undefined,
    fatal: undefined,
    unknown: [],
    loose: [],
    failureCount: 0,
    isInOrder,
    version,
  };
}

export type Decode = (value: unknown, state: State) => unknown;

export interface Field {
  readonly name: string;
  /** The name as type errors write it, with the embedded struct before it. */
  readonly typePath: string;
  readonly owner: string;
  readonly decode: Decode;
  /** The first version with the field; undefined if all supported versions have it. */
  readonly since: KubernetesVersion | undefined;
  /** Empty values are the same as absent ones. */
  readonly omitsEmpty: boolean;
  /** Any text is accepted. */
  readonly isText: boolean;
  readonly isCollection: boolean;
}

export function jsonType(value: unknown): string {
  if (typeof value === "boolean") return "bool";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

export function wrongType(value: unknown, want: string, state: State): undefined {
  return mistyped(jsonType(value), want, state);
}

export function mistyped(got: string, want: string, state: State): undefined {
  return failed(state.typeError ?? typeText(got, want, state), state);
}

export function failed(typeError: string, state: State): undefined {
  state.failureCount++;
  state.typeError ??= typeError;
  return undefined;
}

/** For a value whose own parser refused it. */
export function failedFatally(fatal: string, state: State): undefined {
  state.failureCount++;
  state.fatal ??= fatal;
  return undefined;
}

export function metUnknown(key: string, state: State): void {
  state.failureCount++;
  state.unknown.push(strictPath(state, key));
}

export function typeText(got: string, want: string, state: State): string {
  const fields = state.path.filter((part): part is Field => typeof part !== "number");
  const owner = fields.at(-1)?.owner;
  const namesEmbedded = namesEmbeddedStructs(state.version);
  if (owner === undefined) return `json: cannot unmarshal ${got} into Go value of type ${want}`;
  return `json: cannot unmarshal ${got} into Go struct field ${owner}.${fields.map((f) => (namesEmbedded ? f.typePath : f.name)).join(".")} of type ${want}`;
}

function strictPath(state: State, key: string): string {
  let text = "";
  for (const part of state.path) {
    if (typeof part === "number") text += `[${part}]`;
    else text += text === "" ? part.name : `.${part.name}`;
  }
  return text === "" ? key : `${text}.${key}`;
}
