/**
 * The time that a look through many pods takes. What changes meanwhile is seen in one more look; without it each change of a
 * pod would bring a look through all of them, and a set of thousands would cost their square.
 */
import { sleep, type Task } from "../../runtime/effects.ts";

/** Small sets are looked through in no time. */
const podCountMin = 200;
const podsPerMs = 20;

export function* lookThrough(podCount: number): Task {
  if (podCount >= podCountMin) yield* sleep(Math.ceil(podCount / podsPerMs));
}
