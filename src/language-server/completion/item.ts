/** What a completion offers at one place, and the parts that make them. */
import type { Kind } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import { printScalar } from "../yaml/edits.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import type { Probe } from "./probe.ts";

export type CompletionKind = "field" | "value" | "object" | "snippet";

export interface Item {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly detail?: string;
  /** With `kind: "snippet"` in LSP's snippet syntax, else plain. */
  readonly insert: string;
  readonly about?: About;
}

/** What the documentation of an item is made of when somebody looks at it. Plain data: it travels to the client and back. */
export type About =
  | { readonly type: "field"; readonly kind: string; readonly path: Path }
  | { readonly type: "kind"; readonly kind: string }
  | {
      readonly type: "object";
      readonly kind: Kind;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly type: "text"; readonly text: string };

/** A place in an object of the API. */
export interface Place {
  /** Undefined before the workspace has been read. */
  readonly analysis: Analysis | undefined;
  readonly probe: Probe;
  readonly object: ManifestObject;
  /** From the object's root; its last segment is the mark where a key is written. */
  readonly path: Path;
}

/** Items for a place; none where the part knows nothing of it. */
export type Source = (place: Place) => readonly Item[];

/** As it is to be written. */
export function valueItem(label: string): Item {
  return { label, kind: "value", insert: label };
}

/** With what is told of it, where anything is. */
export function withText(item: Item, text: string | undefined): Item {
  return text === undefined ? item : { ...item, about: { type: "text", text } };
}

/** A text, in quotes where YAML would read it as something else. */
export function textItem(label: string): Item {
  return { label, kind: "value", insert: printScalar(label) };
}
