/** Which taints are tolerated. Upstream: component-helpers v0.36 scheduling/corev1 Toleration.ToleratesTaint. */
import type { Taint, Toleration } from "../types.ts";

type TaintKey = Pick<Taint, "key" | "effect" | "value">;

export function tolerates(toleration: Toleration, taint: TaintKey): boolean {
  const effect = toleration.effect ?? "";
  if (effect !== "" && effect !== taint.effect) return false;
  const key = toleration.key ?? "";
  if (key !== "" && key !== taint.key) return false;
  const operator = toleration.operator ?? "";
  if (operator === "Exists") return true;
  return (
    (operator === "" || operator === "Equal") && (toleration.value ?? "") === (taint.value ?? "")
  );
}

/** The first taint with one of these effects that none of the tolerations tolerates. */
export function untoleratedTaint<T extends TaintKey>(
  tolerations: readonly Toleration[] | undefined,
  taints: readonly T[] | undefined,
  effects: readonly string[],
): T | undefined {
  return taints?.find(
    (taint) =>
      effects.includes(taint.effect) && !(tolerations ?? []).some((t) => tolerates(t, taint)),
  );
}

/** `key=value:effect`, as kubectl writes it. */
export function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === undefined ? "" : `=${value}`}:${effect}`;
}
