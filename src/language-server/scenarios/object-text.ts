/**
 * The text form of an object's name in scenario files: `Pod/shop/web-0`, `Node/worker`; `Pod/web-0` is in namespace `default`.
 */
import { isKind, isNamespaced, type Kind, makeRef, type Ref } from "../../engine/api/meta.ts";

export interface ObjectText {
  readonly kind: Kind;
  /** "" if the kind is not namespaced. */
  readonly namespace: string;
  readonly name: string;
}

/** Undefined if the text cannot be an object's name. */
export function readObjectText(text: string): ObjectText | undefined {
  const [kind = "", ...names] = text.split("/");
  const name = names.pop();
  if (!isKind(kind) || name === undefined || name === "" || names.length > 1) return undefined;
  return { kind, namespace: isNamespaced(kind) ? (names[0] ?? "default") : "", name };
}

/** The ref of an object that the text names. */
export function refOfText(text: string): Ref {
  const object = readObjectText(text);
  return object === undefined ? text : makeRef(object.kind, object.namespace, object.name);
}

export function printObjectText(ref: Ref): string {
  return ref.replace("//", "/");
}
