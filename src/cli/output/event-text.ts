/** `claimcheck explain --event`: what pasted events mean, and where their objects are in the files. */
import type { EventPlace } from "../../language-server/events/event-places.ts";
import {
  type ExplainedEvent,
  explainEvents,
} from "../../language-server/events/explained-event.ts";
import { nothingKnown, outlookTexts } from "../../language-server/features/event-explanation.ts";
import type { Prediction } from "../../language-server/prediction/prediction.ts";
import { printRef } from "../../language-server/prediction/print-ref.ts";
import { placeOf } from "../../language-server/workspace/field-place.ts";
import { printPlace } from "./place.ts";

export function eventText(text: string, prediction: Prediction | undefined, cwd: string): string {
  const { events, unknown } = explainEvents(text, prediction);
  if (events.length === 0 && unknown.length === 0) return `${nothingKnown}\n`;
  const parts = events.map((event) => explanation(event, cwd));
  for (const { reason, message } of unknown)
    parts.push(`${reason ?? "Message"}: not a message of the storage components\n  ${message}\n`);
  return parts.join("\n");
}

function explanation(explained: ExplainedEvent, cwd: string): string {
  const { event, outlook, causes, changes, places, alike, roots } = explained;
  const from = event.source === undefined ? "" : ` from ${event.source}`;
  const lines = [`${event.reason ?? "Message"}${from}`, `  ${event.message}`];
  for (const { nodeCount, cause, component, rule } of causes) {
    const count = nodeCount === undefined ? "" : `${nodeCount} of the nodes: `;
    lines.push(`  because: ${count}${cause}`, `           ${component}, ${rule}`);
  }
  lines.push(`  ${outlookTexts[outlook]}`);
  for (const change of changes) lines.push(`  change: ${change}`);
  for (const place of places) lines.push(`  object: ${placeText(place, cwd)}`);
  for (const place of alike) lines.push(`  predicted too: ${placeText(place, cwd)}`);
  for (const place of roots) lines.push(`  cause: ${placeText(place, cwd)}`);
  return `${lines.join("\n")}\n`;
}

function placeText({ ref, source, headline }: EventPlace, cwd: string): string {
  const name = printRef(ref);
  if (source === undefined) return `${name}, in none of the files`;
  const { file, start } = placeOf(source.entry, source.path);
  const at = printPlace(file, start, cwd);
  return `${name} at ${at}${headline === undefined ? "" : `: ${headline} (predicted)`}`;
}
