/** A function that warns about an object of one kind. */
import type { KubernetesVersion } from "../../scenario.ts";
import type { Kind, KubeObject } from "../meta.ts";

/** Adds to `warnings`; `old` is undefined on create. */
export type Warn<K extends Kind = Kind> = (
  next: KubeObject<K>,
  warnings: string[],
  version: KubernetesVersion,
  old: KubeObject<K> | undefined,
) => void;
