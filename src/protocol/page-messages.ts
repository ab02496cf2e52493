/**
 * The messages between the extension and the simulation page. Each side checks what it receives, as a page that
 * was restored after an update may be older than the extension.
 */
import type { Ref } from "../engine/api/meta.ts";
import type { Environment, ScenarioReply } from "./messages.ts";
import type { WhatIfStep } from "./what-if.ts";

export const pageProtocolVersion = 1;

export type ToPage =
  /** Simulate this scenario, in place of the last one. */
  | {
      readonly type: "scenario";
      readonly version: typeof pageProtocolVersion;
      readonly reply: ScenarioReply;
      readonly environments: readonly Environment[];
    }
  /** There is nothing to simulate, and why. */
  | {
      readonly type: "nothing";
      readonly version: typeof pageProtocolVersion;
      readonly text: string;
    }
  /** Show this object; ignored if it is not in the trace. */
  | { readonly type: "select"; readonly version: typeof pageProtocolVersion; readonly ref: Ref }
  /** Send the steps taken, in order to save them. */
  | { readonly type: "save"; readonly version: typeof pageProtocolVersion };

export type FromPage =
  /** The page's script is running and waits for a scenario. */
  | { readonly type: "ready"; readonly version: number }
  /** Show where the object, or a field of it, is written. */
  | {
      readonly type: "reveal";
      readonly version: number;
      readonly ref: Ref;
      readonly field: string | undefined;
    }
  /** Show the documents of the environment that are left out. */
  | { readonly type: "unreadable"; readonly version: number }
  /** Simulate another environment of the workspace. */
  | { readonly type: "choose"; readonly version: number; readonly environment: string }
  /** The page shows a trace: its hash and length, for the log and for tests. */
  | {
      readonly type: "shown";
      readonly version: number;
      readonly environment: string;
      readonly hash: string;
      readonly entryCount: number;
    }
  /** Another object is selected; undefined for none. */
  | {
      readonly type: "selected";
      readonly version: number;
      readonly environment: string;
      readonly ref: Ref | undefined;
    }
  /** Make a scenario file from the steps taken. */
  | {
      readonly type: "save";
      readonly version: number;
      readonly environment: string;
      readonly steps: readonly WhatIfStep[];
    }
  /** The engine or the page failed; the text is for the log. */
  | { readonly type: "failed"; readonly version: number; readonly text: string };

const toPageTypes: readonly string[] = [
  "scenario",
  "nothing",
  "select",
  "save",
] satisfies readonly ToPage["type"][];

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";
const isTextIfThere: Check = (value) => value === undefined || isText(value);
const isCount: Check = (value) => Number.isSafeInteger(value);

/** The fields of each message of the page besides its type and version. */
const fromPageFields: {
  readonly [T in FromPage["type"]]: Readonly<
    Record<Exclude<keyof Extract<FromPage, { readonly type: T }>, "type" | "version">, Check>
  >;
} = {
  ready: {},
  reveal: { ref: isText, field: isTextIfThere },
  unreadable: {},
  choose: { environment: isText },
  shown: { environment: isText, hash: isText, entryCount: isCount },
  selected: { environment: isText, ref: isTextIfThere },
  save: { environment: isText, steps: Array.isArray },
  failed: { text: isText },
};

/** True if a message received by the page is of this version and known. */
export function isToPage(message: unknown): message is ToPage {
  return isOneOf(toPageTypes, message);
}

/** True if a message from the page is of this version and known, and has all of its fields. */
export function isFromPage(message: unknown): message is FromPage {
  if (!isOneOf(Object.keys(fromPageFields), message)) return false;
  const { type, ...found } = message as FromPage & Readonly<Record<string, unknown>>;
  return Object.entries<Check>(fromPageFields[type]).every(([field, holds]) => holds(found[field]));
}

function isOneOf(types: readonly string[], message: unknown): boolean {
  if (typeof message !== "object" || message === null) return false;
  const { type, version } = message as { readonly type?: unknown; readonly version?: unknown };
  return version === pageProtocolVersion && typeof type === "string" && types.includes(type);
}
