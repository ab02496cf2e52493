/** Measures how long dynamic claims with a pod each take from being applied until all pods are Running. */
import { driverProfile } from "../../src/engine/csi/driver-profile.ts";
import type { Manifest, Scenario } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";

/** `count` claims of one WaitForFirstConsumer class with a pod each; one node per hundred pods, at least ten nodes. */
export function dynamicPodsScenario(count: number): Scenario {
  const nodeCount = Math.max(10, Math.ceil(count / 100));
  const manifests: Manifest[] = [];
  for (let i = 0; i < count; i++) manifests.push(claim(i), pod(i));
  return {
    version: "1.36",
    seed: 1,
    cluster: {
      name: "bench",
      nodes: Array.from({ length: nodeCount }, (_, i) => ({
        name: `node-${i}`,
        zone: `zone-${i % 3}`,
        capacity: { cpu: "64", memory: "256Gi", "ephemeral-storage": "1Ti", pods: "250" },
      })),
      drivers: [
        driverProfile({ name: "block.csi.test", topologyKey: "topology.block.csi.test/zone" }),
      ],
      manifests: [
        {
          apiVersion: "storage.k8s.io/v1",
          kind: "StorageClass",
          metadata: { name: "block" },
          provisioner: "block.csi.test",
          volumeBindingMode: "WaitForFirstConsumer",
        },
      ],
    },
    steps: [
      { type: "apply", manifests },
      { type: "settle", quietMs: 30_000, limitMs: 3_600_000 },
    ],
  };
}

function claim(i: number): Manifest {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: `data-${i}`, namespace: "default" },
    spec: {
      storageClassName: "block",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
    },
  };
}

function pod(i: number): Manifest {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `app-${i}`, namespace: "default" },
    spec: {
      containers: [
        { name: "app", image: "busybox", volumeMounts: [{ name: "data", mountPath: "/data" }] },
      ],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: `data-${i}` } }],
    },
  };
}

/** Returns milliseconds of real time; throws if a pod does not run in the end. */
export function dynamicPods(count: number): number {
  const scenario = dynamicPodsScenario(count);
  const started = performance.now();
  const simulation = new Simulation(scenario);
  simulation.run();
  const ms = performance.now() - started;
  const running = simulation.runtime.api.store
    .list("Pod")
    .filter((p) => p.status?.phase === "Running");
  if (running.length !== count) throw new Error(`${running.length} of ${count} pods run`);
  return ms;
}
