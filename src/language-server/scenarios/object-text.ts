/** How a scenario file names an object in one text: `Pod/shop/web-0`, `Node/worker`; `Pod/web-0` is the one in `default`. */
import { isKind, isNamespaced, type Kind, makeRef, type Ref } from "../../engine/api/meta.ts";

export interface ObjectText {
  readonly kind: Kind;
  /** "" where the kind is in none. */
  readonly namespace: string;
  readonly name: string;
}

/** Undefined for what names no object that there could be. */
export function readObjectText(text: string): ObjectText | undefined {
  const [kind = "", ...names] = text.split("/");
  const name = names.pop();
  if (!isKind(kind) || name === undefined || name === "" || names.length > 1) return undefined;
  return { kind, namespace: isNamespaced(kind) ? (names[0] ?? "default") : "", name };
}

/** Of a text that names an object. */
export function refOfText(text: string): Ref {
  const object = readObjectText(text);
  return object === undefined ? text : makeRef(object.kind, object.namespace, object.name);
}

export function printObjectText(ref: Ref): string {
  return ref.replace("//", "/");
}
