/** A verdict, as an icon with words. */
import { t } from "@vscode/l10n";
import type { JSX } from "preact";
import { type OutcomeMark, outcomeMarks } from "../../protocol/outcome-words.ts";

/** `seen` is shown instead of the words where space is short; screen readers still read the words. */
export function VerdictMark(properties: {
  readonly kind: OutcomeMark;
  readonly seen?: string;
}): JSX.Element {
  const { kind, seen = "" } = properties;
  const { icon, words: english } = outcomeMarks[kind];
  const words = t(english);
  return (
    <span class={`verdict verdict-${kind}`}>
      <vscode-icon name={icon} />
      {seen === "" ? (
        words
      ) : (
        <>
          <span class="hidden">{words}, </span>
          <span class="seen">{seen}</span>
        </>
      )}
    </span>
  );
}
