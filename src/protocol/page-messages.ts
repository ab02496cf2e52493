/**
 * What the extension and the simulation page say to each other. Each side checks what it receives: a page that
 * was restored after an update may be older than the extension it talks to.
 */
import type { Ref } from "../engine/api/meta.ts";
import type { Environment, ScenarioReply } from "./messages.ts";
import type { WhatIfStep } from "./what-if.ts";

export const pageProtocolVersion = 1;

export type ToPage =
  /** Simulate this; what was shown before is out of date. */
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
  /** Show this object; nothing is shown where the trace does not know it. */
  | { readonly type: "select"; readonly version: typeof pageProtocolVersion; readonly ref: Ref }
  /** Hand over what was done, to be saved. */
  | { readonly type: "save"; readonly version: typeof pageProtocolVersion };

export type FromPage =
  /** The page's script runs and waits for a scenario. */
  | { readonly type: "ready"; readonly version: number }
  /** Show where the object, or a field of it, is written. */
  | {
      readonly type: "reveal";
      readonly version: number;
      readonly ref: Ref;
      readonly field: string | undefined;
    }
  /** Show the documents of the environment that take no part. */
  | { readonly type: "unreadable"; readonly version: number }
  /** Simulate another environment of the workspace. */
  | { readonly type: "choose"; readonly version: number; readonly environment: string }
  /** A trace is on the page: its hash and length, for the log and for tests. */
  | {
      readonly type: "shown";
      readonly version: number;
      readonly environment: string;
      readonly hash: string;
      readonly entryCount: number;
    }
  /** The object that is selected; undefined for none. */
  | {
      readonly type: "selected";
      readonly version: number;
      readonly environment: string;
      readonly ref: Ref | undefined;
    }
  /** Make a scenario file of what was done. */
  | {
      readonly type: "save";
      readonly version: number;
      readonly environment: string;
      readonly steps: readonly WhatIfStep[];
    }
  /** The engine or the page broke; the text is for the log. */
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

/** What each message of the page holds besides its type and version. */
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

/** Whether a message that reached the page is one of this version's. */
export function isToPage(message: unknown): message is ToPage {
  return isOneOf(toPageTypes, message);
}

/** Whether a message that the page sent is one of this version's, with all that it has to hold. */
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
