/** Measures how long static volumes and as many claims take from being applied until each claim is bound. */
import type { Manifest, Scenario } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";

const modes = [["ReadWriteOnce"], ["ReadWriteOnce", "ReadOnlyMany"], ["ReadWriteMany"]] as const;
const classes = ["", "fast", "archive"];

/** Volumes of many sizes, three classes and three sets of access modes, and a claim of the same traits for each. */
export function bindStaticScenario(count: number): Scenario {
  const manifests: Manifest[] = [];
  for (let i = 0; i < count; i++) manifests.push(volume(i));
  for (let i = 0; i < count; i++) manifests.push(claim((i * 7919) % count));
  return {
    version: "1.36",
    seed: 1,
    cluster: { name: "bench", nodes: [], drivers: [], manifests: [] },
    steps: [
      { type: "apply", manifests },
      { type: "settle", quietMs: 17_000, limitMs: 24 * 3_600_000 },
    ],
    limits: { virtualTimeMsMax: 48 * 3_600_000 },
  };
}

/** Returns milliseconds of real time; throws if a claim got no volume. */
export function bindStatic(count: number): number {
  const started = performance.now();
  const simulation = new Simulation(bindStaticScenario(count));
  simulation.run();
  const elapsed = performance.now() - started;
  const claims = simulation.runtime.api.store.list("PersistentVolumeClaim");
  const bound = claims.filter(({ status }) => status?.phase === "Bound").length;
  if (bound !== count) throw new Error(`${bound} of ${count} claims are bound`);
  return elapsed;
}

function traits(i: number): {
  readonly accessModes: readonly string[];
  readonly storageClassName: string;
  readonly size: string;
} {
  return {
    accessModes: modes[i % modes.length] ?? modes[0],
    storageClassName: classes[Math.floor(i / 3) % classes.length] ?? "",
    size: `${1 + (i % 5000)}Gi`,
  };
}

function volume(i: number): Manifest {
  const { accessModes, storageClassName, size } = traits(i);
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `volume-${i}` },
    spec: {
      accessModes,
      storageClassName,
      capacity: { storage: size },
      csi: { driver: "static.csi.test", volumeHandle: `volume-${i}` },
    },
  };
}

function claim(i: number): Manifest {
  const { accessModes, storageClassName, size } = traits(i);
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: `claim-${i}`, namespace: "default" },
    spec: { accessModes, storageClassName, resources: { requests: { storage: size } } },
  };
}
