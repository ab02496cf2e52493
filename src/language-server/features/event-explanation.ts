/** Markdown page for pasted events: what each one says, its cause, where it is in the workspace, and what to change. */
import type { EventPlace } from "../events/event-places.ts";
import {
  type EventOutlook,
  type ExplainedEvent,
  type ExplainedText,
  explainEvents,
} from "../events/explained-event.ts";
import { escapedRef, escapeMarkdown } from "../markdown.ts";
import { theCluster } from "../prediction/cluster-title.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { linkToSource } from "./explanation.ts";

export const outlookTexts: Readonly<Record<EventOutlook, string>> = {
  over: "This is over: the copied text shows the object in a later state.",
  done: "Good news: nothing to do.",
  waits: "Nothing is wrong yet: it continues once what it waits for happens.",
  retried: "It is retried, and will succeed once the cause is gone.",
  stuck: "Nothing in the cluster will ever change this by itself.",
};

export const nothingKnown =
  "This text contains no event of Kubernetes' storage components. Paste a line of `kubectl get events`, a whole `kubectl describe`, or the message alone.";

/** Returns Markdown. */
export function explainEventText(text: string, prediction: Prediction | undefined): string {
  return printEvents(explainEvents(text, prediction), prediction);
}

function printEvents(
  { events, unknown }: ExplainedText,
  prediction: Prediction | undefined,
): string {
  if (events.length === 0 && unknown.length === 0) return nothingKnown;
  const parts = events.map((event) => printEvent(event, prediction));
  if (unknown.length > 0) {
    const lines = unknown.map(
      ({ reason, message }) => `- ${escapeMarkdown([reason, message].filter(Boolean).join(": "))}`,
    );
    parts.push(
      `**Not recognized** (no storage component writes this message):\n${lines.join("\n")}`,
    );
  }
  return parts.join("\n\n---\n\n");
}

function printEvent(explained: ExplainedEvent, prediction: Prediction | undefined): string {
  const { event, outlook, causes, changes, places, alike, roots } = explained;
  const from = event.source === undefined ? "" : ` from ${escapeMarkdown(event.source)}`;
  const parts = [
    `**${escapeMarkdown(event.reason ?? "Message")}**${from}`,
    `> ${escapeMarkdown(event.message)}`,
    causes
      .map(({ nodeCount, cause, component, rule }) => {
        const count = nodeCount === undefined ? "" : `${nodeCount} of the nodes: `;
        return `- ${count}${escapeMarkdown(cause)} (${component}, ${escapeMarkdown(rule)})`;
      })
      .join("\n"),
    outlookTexts[outlook],
  ];
  if (changes.length > 0)
    parts.push(`To change:\n${changes.map((change) => `- ${escapeMarkdown(change)}`).join("\n")}`);
  if (prediction !== undefined) {
    const lines = [
      ...[...places, ...alike].map((place) => `- ${printPlace(place, prediction)}`),
      ...roots.map((place) => `- the cause: ${printPlace(place, prediction)}`),
    ];
    if (places.length > 0) parts.push(`In the workspace:\n${lines.join("\n")}`);
    else if (alike.length > 0) parts.push(`The same is predicted here for:\n${lines.join("\n")}`);
  }
  return parts.join("\n\n");
}

function printPlace({ ref, source, headline }: EventPlace, prediction: Prediction): string {
  if (source === undefined) {
    const isThere = prediction.facts.objects.has(ref);
    const where = isThere
      ? `belongs to ${escapeMarkdown(theCluster(prediction.assumed.cluster))}`
      : "is in no file of this workspace";
    return `${escapedRef(ref)} ${where}`;
  }
  const link = linkToSource(ref, source);
  return headline === undefined ? link : `${link} ${escapeMarkdown(headline)} (predicted)`;
}
