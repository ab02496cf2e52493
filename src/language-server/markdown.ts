/**
 * Words of others in Markdown: names, values, messages, whoever has written them. They are shown as they are, and are never
 * mark-up: an image would be fetched from wherever its address says.
 */
import type { Ref } from "../engine/api/meta.ts";
import { visibleText } from "../protocol/visible-text.ts";
import { printRef } from "./prediction/print-ref.ts";

export function escapeMarkdown(text: string): string {
  return onOneLine(text)
    .replace(/[\\`*_{}[\]<>|~]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^(\d*)([-+=#.)])/, "$1\\$2");
}

export function escapedRef(ref: Ref): string {
  return escapeMarkdown(printRef(ref));
}

/** A value as code, with marks around it that it does not hold itself. */
export function code(text: string): string {
  const shown = onOneLine(text);
  const mark = markAround(shown, 1);
  return mark.length === 1 ? mark + shown + mark : `${mark} ${shown} ${mark}`;
}

/** Lines of a file or of a message. */
export function codeBlock(language: string, lines: string): string {
  const shown = visibleText(lines);
  const mark = markAround(shown, 3);
  return `${mark}${language}\n${shown}\n${mark}`;
}

function markAround(text: string, lengthMin: number): string {
  let length = lengthMin;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return "`".repeat(length);
}

/** A value in a table. */
export function cell(text: string): string {
  return text === "" ? "(nothing)" : code(text).replaceAll("|", "\\|");
}

/** To a line of a file, counted from one. */
export function linkToLine(label: string, uri: string, line: number): string {
  const address = uri.replace(/[\s()<>\\]/g, encodedCharacter);
  return `[${escapeMarkdown(label)}](${address}#L${line})`;
}

function encodedCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** A blank line would end what the text stands in, and the start of a line may begin something else. */
function onOneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks)));
}
