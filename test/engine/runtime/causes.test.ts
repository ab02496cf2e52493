/** Each entry of a trace names the entry that caused it. */
import assert from "node:assert/strict";
import { claim, pod, StorageRun } from "../../support/storage-run.ts";

test("whatever components do has a chain of causes that begins with a step, also when they retry", () => {
  const run = new StorageRun();
  const { entries } = run.simulation.trace;
  const start = entries.length;
  run.fault("CreateVolume", { code: "Internal" }).apply(claim).apply(pod).settle();
  run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle();
  const later = entries.slice(start).filter(({ actor }) => actor !== "user");
  const kinds = ["call", "decision", "event", "refused", "write"];
  for (const kind of kinds) assert.ok(later.some(({ type }) => type === kind));
  const orphans = later.flatMap((entry) => {
    const { cause = -1 } = entry as { readonly cause?: number };
    const isCaused = start <= cause && cause < entry.seq;
    return isCaused || !kinds.includes(entry.type) ? [] : `${entry.actor} ${entry.type} ${cause}`;
  });
  assert.deepEqual(orphans, []);
});
