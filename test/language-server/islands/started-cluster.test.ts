/** An imported cluster is started before edits come: their outcomes are the same as without that. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { traceHash } from "../../../src/engine/trace/hash.ts";
import { StartedCluster } from "../../../src/language-server/islands/started-cluster.ts";
import {
  type EnvironmentScenario,
  scenarioOf,
} from "../../../src/language-server/prediction/scenario-of.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import type { Environment } from "../../../src/language-server/workspace/environment.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";
import { exhaust } from "../../support/replay.ts";

const running = readFileSync(
  path.join(import.meta.dirname, "../../support/running-cluster.yaml"),
  "utf8",
);

function claim(size: string, className = "gp3", namespace = "shop"): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: more, namespace: ${namespace} }
spec: { accessModes: [ReadWriteOnce], storageClassName: ${className}, resources: { requests: { storage: ${size} } } }
---
apiVersion: v1
kind: Pod
metadata: { name: more, namespace: ${namespace} }
spec:
  containers: [{ name: c, image: nginx, volumeMounts: [{ name: v, mountPath: /v }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: more } }]
`;
}

async function start(text: string): Promise<LanguageService> {
  const files = new Map([
    ["claimcheck.yaml", "cluster: { import: cluster.dump }\n"],
    ["cluster.dump", running],
    ["claim.yaml", text],
  ]);
  const service = createLanguageService({
    fileSystem: memoryFileSystem(files),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  return service;
}

function environmentOf(service: LanguageService): Environment {
  const [environment] = service.environments();
  assert.ok(environment?.imported !== undefined);
  return environment;
}

function outcome(service: LanguageService) {
  const environment = environmentOf(service);
  for (const _ of service.judge(environment));
  const prediction = service.prediction(environment);
  assert.ok(prediction !== undefined);
  return {
    trace: traceHash(prediction.trace.entries),
    applied: prediction.scenario.steps,
    findings: service.knownDiagnostics(memoryUri("claim.yaml")),
  };
}

async function scenario(): Promise<EnvironmentScenario> {
  const service = await start(claim("1Gi"));
  const environment = environmentOf(service);
  return scenarioOf(environment, service.analysis(environment).assumption);
}

/** A driver that the import does not know makes the cluster a different one. */
const otherDriver = `apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: csi.example.com }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: other }
provisioner: csi.example.com
`;

/** Edits, and how far the start gets before the next one: to its end, a little, not at all. */
const edits: readonly (readonly [text: string, steps: number])[] = [
  [claim("2Gi"), Number.POSITIVE_INFINITY],
  [claim("3Gi"), 2],
  [claim("3Gi", "nobodys"), 0],
  [claim("3Gi", "gp3", "elsewhere"), Number.POSITIVE_INFINITY],
  [`${claim("4Gi", "other")}---\n${otherDriver}`, Number.POSITIVE_INFINITY],
  [claim("2Gi"), Number.POSITIVE_INFINITY],
];

suite("a cluster that is started in advance", () => {
  test("gives the same trace and findings after any edits as a fresh start", async () => {
    const service = await start(claim("1Gi"));
    outcome(service);
    for (const [text, steps] of edits) {
      let left = steps;
      for (const _ of service.prepare(environmentOf(service))) if (--left <= 0) break;
      service.setEditorText(memoryUri("claim.yaml"), text);
      assert.deepEqual(outcome(service), outcome(await start(text)));
    }
  });

  test("is used for one run and started anew for the next", async () => {
    const from = await scenario();
    const cluster = new StartedCluster();
    exhaust(cluster.start(from));
    const first = exhaust(cluster.take(from));
    const second = exhaust(cluster.take(from));
    assert.ok(first !== undefined && second !== undefined);
    assert.ok(first.now > 0);
    assert.equal(second.now, first.now);
    assert.notEqual(second, first);
  });

  test("continues where an edit has interrupted it", async () => {
    const from = await scenario();
    const cluster = new StartedCluster();
    const starting = cluster.start(from);
    starting.next();
    const taken = exhaust(cluster.take(from));
    assert.ok(taken !== undefined);
    assert.equal(starting.next().done, true, "there is nothing left to start");
  });

  test("keeps its machines if all its objects are recreated before the first run", async () => {
    const outcomeAfter = async (change: (service: LanguageService) => void) => {
      const service = await start(claim("1Gi"));
      // As if a client had asked how much work is left.
      service.workLeft(environmentOf(service));
      change(service);
      await service.predict(environmentOf(service));
      return service.outcome({ environment: environmentOf(service).id });
    };
    assert.deepEqual(
      await outcomeAfter((service) => service.configure({ overlays: new Map() })),
      await outcomeAfter(() => {}),
    );
  });

  test("no longer counts as partly known once it is not imported any more", async () => {
    const messages = async (before: string): Promise<readonly string[]> => {
      const service = await start(claim("1Gi", "none"));
      service.setEditorText(memoryUri("claimcheck.yaml"), before);
      await service.predict(service.environments()[0] ?? assert.fail());
      service.setEditorText(memoryUri("claimcheck.yaml"), "charts: []\n");
      const environment = service.environments()[0] ?? assert.fail();
      await service.predict(environment);
      const found = [...service.environmentDiagnostics(environment).values()].flat();
      return found.map(({ message }) => message);
    };
    const project = "cluster: { import: gone.yaml }\n";
    assert.deepEqual(await messages(project), await messages("charts: []\n"));
  });
});
