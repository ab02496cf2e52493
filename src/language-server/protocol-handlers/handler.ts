/** One feature of the Language Server Protocol: what the server says it can do, and what answers it. */
import type { InitializeParams, ServerCapabilities } from "vscode-languageserver";
import type { Session } from "./session.ts";

export interface ProtocolHandler {
  /** For the answer to `initialize`, from what came with it; those of all handlers are merged. */
  readonly capabilities: (params: InitializeParams) => ServerCapabilities;
  /** Called once, before the connection listens. */
  readonly register: (session: Session) => void;
}

/** Mappings are merged, lists are joined; of two other values the later one holds. */
export function mergeCapabilities(all: readonly ServerCapabilities[]): ServerCapabilities {
  const merged: Record<string, unknown> = {};
  for (const one of all) mergeInto(merged, one as Readonly<Record<string, unknown>>);
  return merged;
}

function mergeInto(
  target: Record<string, unknown>,
  source: Readonly<Record<string, unknown>>,
): void {
  for (const [key, value] of Object.entries(source)) {
    const known = target[key];
    if (Array.isArray(known) && Array.isArray(value)) target[key] = [...known, ...value];
    else if (isMapping(known) && isMapping(value)) target[key] = mergedMapping(known, value);
    else target[key] = value;
  }
}

type Mapping = Readonly<Record<string, unknown>>;

function mergedMapping(known: Mapping, value: Mapping): Mapping {
  const merged = { ...known };
  mergeInto(merged, value);
  return merged;
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
