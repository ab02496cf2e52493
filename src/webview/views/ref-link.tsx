/** The name of an object, as a button that selects it. */
import type { JSX } from "preact";
import type { Ref } from "../../engine/api/meta.ts";
import { refText } from "../model/entry-text.ts";
import type { PageState } from "../state.ts";
import { Words } from "./words.tsx";

export function RefLink(properties: {
  readonly state: PageState;
  readonly target: Ref;
}): JSX.Element {
  const { state, target } = properties;
  return (
    <button type="button" class="link" onClick={() => state.select(target)}>
      <Words text={refText(target)} />
    </button>
  );
}
