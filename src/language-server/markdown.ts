/**
 * Puts foreign text into Markdown: names, values, messages. It is shown literally and never acts as markup: an image, for
 * example, would be fetched from any address that it names.
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

/** A value as inline code, between more backticks than it contains in a row. */
export function code(text: string): string {
  const shown = onOneLine(text);
  const mark = markAround(shown, 1);
  return mark.length === 1 ? mark + shown + mark : `${mark} ${shown} ${mark}`;
}

/** Lines of a file or of a message as a code block. */
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

/** A value as a table cell. */
export function cell(text: string): string {
  return text === "" ? "(nothing)" : code(text).replaceAll("|", "\\|");
}

/** A link to a line of a file; lines count from one. */
export function linkToLine(label: string, uri: string, line: number): string {
  const address = uri.replace(/[\s()<>\\]/g, encodedCharacter);
  return `[${escapeMarkdown(label)}](${address}#L${line})`;
}

function encodedCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** A line break could end the paragraph, or let the next line start a list or heading. */
function onOneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, (blanks) => (/[\r\n]/.test(blanks) ? " " : blanks)));
}
