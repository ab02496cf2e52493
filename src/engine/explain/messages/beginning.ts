/** Patterns indexed by how a message begins, so that only a few of several hundred have to be matched. */
import { messagePatterns } from "./catalogue.ts";
import type { MessagePattern } from "./message-pattern.ts";

const startLength = 3;

interface Index {
  readonly byStart: ReadonlyMap<string, readonly MessagePattern[]>;
  /** Patterns with a text that begins with a placeholder, or with fewer than `startLength` letters before one. */
  readonly ofAnyStart: readonly MessagePattern[];
}

let index: Index | undefined;

/** The patterns that the message may be of, in the catalogue's order. */
export function patternsBeginning(message: string): readonly MessagePattern[] {
  index ??= makeIndex();
  return index.byStart.get(message.slice(0, startLength)) ?? index.ofAnyStart;
}

function makeIndex(): Index {
  const entries = messagePatterns
    .filter(({ isAnywhere }) => isAnywhere !== true)
    .map((pattern) => ({ pattern, starts: pattern.texts.map(startOf) }));
  const isOfAnyStart = (starts: readonly string[]): boolean =>
    starts.some((start) => start.length < startLength);
  const starts = new Set(entries.flatMap((entry) => entry.starts));
  const patternsWhose = (
    isWanted: (starts: readonly string[]) => boolean,
  ): readonly MessagePattern[] =>
    entries.filter((entry) => isWanted(entry.starts)).map(({ pattern }) => pattern);
  return {
    byStart: new Map(
      [...starts].map((start) => [
        start,
        patternsWhose((own) => isOfAnyStart(own) || own.includes(start)),
      ]),
    ),
    ofAnyStart: patternsWhose(isOfAnyStart),
  };
}

function startOf(text: string): string {
  const value = text.indexOf("{");
  return text.slice(0, value < 0 ? startLength : Math.min(value, startLength));
}
