/** The items that completion offers, and the type of the parts that make them. */
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
  /** In LSP's snippet syntax if `kind` is "snippet", else plain text. */
  readonly insert: string;
  readonly about?: About;
}

/**
 * What documentation.ts needs when the client asks for an item's documentation. Plain data: it travels to the client and back.
 */
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

/** The place of the cursor in an API object. */
export interface Place {
  /** Undefined before the workspace has been read. */
  readonly analysis: Analysis | undefined;
  readonly probe: Probe;
  readonly object: ManifestObject;
  /** From the object's root. The last segment is the mark, where a key is written. */
  readonly path: Path;
}

/** Makes items for a place; none if it does not know the place. */
export type Source = (place: Place) => readonly Item[];

/** Inserts the label as it is. */
export function valueItem(label: string): Item {
  return { label, kind: "value", insert: label };
}

/** Adds the documentation, if there is one. */
export function withText(item: Item, text: string | undefined): Item {
  return text === undefined ? item : { ...item, about: { type: "text", text } };
}

/** Inserts the label, quoted if YAML would read it as something else than a string. */
export function textItem(label: string): Item {
  return { label, kind: "value", insert: printScalar(label) };
}
