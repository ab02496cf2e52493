/** The marks above the slider: the positions of the user's steps and of warnings, and where each leads. */
import type { Ref } from "../../engine/api/meta.ts";
import { refText } from "./entry-text.ts";
import { instantText } from "./instant-text.ts";
import type { Summary } from "./reading.ts";

export type MarkKind = "step" | "warning";

export interface Mark {
  readonly kind: MarkKind;
  readonly seq: number;
  /** The tooltip. */
  readonly text: string;
  /** The object that a warning is about. */
  readonly about?: Ref;
}

/** How many positions can be told apart on the slider; at each, the first mark of a kind stands for all. */
const placeCount = 200;

/** In the order of time; empty before there is a run. */
export function timelineMarks(summary: Summary | undefined): readonly Mark[] {
  if (summary === undefined) return [];
  const steps = summary.steps.map(
    ({ seq, at, text }): Mark => ({ kind: "step", seq, text: `${instantText(at)} ${text}` }),
  );
  const warnings = summary.events
    .filter(({ type }) => type === "Warning")
    .map(({ seq, at, reason, about, message }): Mark => {
      const text = `${instantText(at)} ${reason} on ${refText(about)}: ${message}`;
      return { kind: "warning", seq, about, text };
    });
  const marks = [...thinned(steps, summary), ...thinned(warnings, summary)];
  return marks.sort((a, b) => a.seq - b.seq);
}

/** The first mark at each position, with the number of others there. */
function thinned(marks: readonly Mark[], { firstSeq, entryCount }: Summary): readonly Mark[] {
  const width = Math.max(entryCount - firstSeq, 1);
  const places = new Map<number, { readonly first: Mark; count: number }>();
  for (const mark of marks) {
    const place = Math.floor(((mark.seq - firstSeq) * placeCount) / width);
    const known = places.get(place);
    if (known === undefined) places.set(place, { first: mark, count: 1 });
    else known.count++;
  }
  return [...places.values()].map(({ first, count }) =>
    count === 1 ? first : { ...first, text: `${first.text} (and ${count - 1} more here)` },
  );
}
