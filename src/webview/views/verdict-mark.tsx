/** A verdict as icon and words; the icon alone would say nothing to a screen reader. */
import type { JSX } from "preact";
import type { VerdictKind } from "../../engine/explain/verdict.ts";

const marks: Readonly<Record<VerdictKind, readonly [icon: string, words: string]>> = {
  healthy: ["pass-filled", "Healthy"],
  "will-happen": ["clockface", "On its way"],
  "waits-for-you": ["person", "Waits for you"],
  "depends-on-order": ["arrow-swap", "Depends on order"],
  stuck: ["circle-slash", "Stuck"],
  fails: ["error", "Fails"],
};

/** Of a manifest that the API server has not taken. */
export function RefusedMark(): JSX.Element {
  return (
    <span class="verdict verdict-fails">
      <vscode-icon name="error" />
      Refused
    </span>
  );
}

/** `seen` takes the place of the words where there is little room; they are still read out. */
export function VerdictMark(properties: {
  readonly kind: VerdictKind;
  readonly seen?: string;
}): JSX.Element {
  const { kind, seen = "" } = properties;
  const [icon, words] = marks[kind];
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
