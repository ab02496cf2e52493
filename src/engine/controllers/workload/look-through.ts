/**
 * The time that a sync takes to go through many pods. Changes in the meantime are handled by one more sync; without this delay
 * each change of a pod would cause its own, and a set of thousands would cost the square of that.
 */
import { sleep, type Task } from "../../runtime/effects.ts";

/** Smaller sets take no time. */
const podCountMin = 200;
const podsPerMs = 20;

export function* lookThrough(podCount: number): Task {
  if (podCount >= podCountMin) yield* sleep(Math.ceil(podCount / podsPerMs));
}
