/** Runs a case: one sync of one object, as upstream's tests do, or the whole controller until nothing changes. */
import { type KubeObject, keyOf } from "../../../../src/engine/api/meta.ts";
import {
  type Binder,
  type BinderSettings,
  createBinder,
  type SyncEnd,
} from "../../../../src/engine/controllers/persistent-volume-binder/binder.ts";
import { persistentVolumeBinder } from "../../../../src/engine/controllers/persistent-volume-binder/persistent-volume-binder.ts";
import { syncClaim } from "../../../../src/engine/controllers/persistent-volume-binder/sync-claim.ts";
import { syncVolume } from "../../../../src/engine/controllers/persistent-volume-binder/sync-volume.ts";
import { VolumePlugins } from "../../../../src/engine/controllers/persistent-volume-binder/volume-plugins.ts";
import { migratedDriver } from "../../../../src/engine/matching/csi-migration.ts";
import type { Component } from "../../../../src/engine/runtime/component.ts";
import type { Task } from "../../../../src/engine/runtime/effects.ts";
import { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import type { KubernetesVersion } from "../../../../src/engine/scenario.ts";
import { type Fault, failWrite } from "../../../support/fault.ts";
import { FaultPoints } from "../../../support/fault-points.ts";
import { claimFacts, volumeFacts } from "./case-objects.ts";
import { classesOf, type SetUp } from "./case-set-ups.ts";
import type { UpstreamCase } from "./case-table.ts";
import { mockPlugin } from "./mock-plugin.ts";

const component = "persistentvolume-binder";
/** Long enough for a few resyncs, and for five attempts to save and to clean up. */
const wholeRunMs = 130_000;

export interface CaseRun {
  readonly runtime: Runtime;
  /** The faults to run the whole controller with. */
  readonly faults: readonly Fault[];
  readonly volumes: readonly unknown[];
  readonly claims: readonly unknown[];
  /** Object, type, reason and message of each event, without repetition. */
  readonly events: readonly { readonly about: string; readonly text: string }[];
  readonly end?: SyncEnd;
}

function prepared(
  upstream: UpstreamCase,
  setUp: SetUp,
  version: KubernetesVersion,
  fault: Fault,
): Runtime {
  const runtime = new Runtime({
    version,
    seed: 1,
    cluster: { name: "test", nodes: [], drivers: [], manifests: [] },
    steps: [],
    lateWatches: fault.lateWatches,
  });
  failWrite(runtime, fault);
  const objects: readonly KubeObject[] = [
    ...classesOf(upstream.id, setUp),
    ...(setUp.objects ?? []),
    ...upstream.volumes,
    ...upstream.claims,
  ];
  for (const object of objects) runtime.api.restore(object);
  runUntil(runtime, 10);
  failCreates(runtime, setUp);
  return runtime;
}

function failCreates({ api }: Runtime, { createErrors = [] }: SetUp): void {
  const errors = [...createErrors];
  const create = api.create.bind(api);
  api.create = (input) => {
    const error = errors.shift();
    return error === undefined ? create(input) : { ok: false, error: { code: 500, ...error } };
  };
}

function settings(setUp: SetUp, endless: boolean): BinderSettings {
  const { plugin, migratedTo } = setUp;
  return {
    plugins: new VolumePlugins(plugin === undefined ? [] : [mockPlugin({ ...plugin, endless })]),
    // Upstream's fake answers so for every name, the driver's own included.
    migratedDriver: migratedTo === undefined ? migratedDriver : () => migratedTo,
    dynamicProvisioning: true,
  };
}

function runUntil({ loop }: Runtime, end: number): void {
  for (let next = loop.next; next !== undefined && next <= end; next = loop.next) loop.step();
  loop.now = Math.max(loop.now, end);
}

export function runOneSync(
  upstream: UpstreamCase,
  setUp: SetUp,
  version: KubernetesVersion,
): CaseRun {
  const runtime = prepared(upstream, setUp, version, {});
  let end: SyncEnd | undefined;
  const oneSync: Component = {
    name: component,
    source: "persistentvolume-controller",
    start: (context) => {
      const ignore = (): void => undefined;
      const binder = createBinder(context, settings(setUp, false), {
        claim: ignore,
        volume: ignore,
      });
      const claims = context.informer("PersistentVolumeClaim").list();
      const volumes = context.informer("PersistentVolume").list();
      for (const volume of volumes) binder.volumes.put(volume);
      fillClaims(binder, claims, setUp);
      hookOperations(runtime, binder, setUp);
      const [claim, volume] = [claims[0], volumes[0]];
      const task = function* (): Task {
        if (upstream.how === "sync claim" && claim !== undefined)
          end = yield* syncClaim(binder, claim);
        else if (volume !== undefined) end = yield* syncVolume(binder, volume);
      };
      context.go(task());
    },
  };
  runtime.start(oneSync);
  runUntil(runtime, wholeRunMs);
  return { ...result(runtime, []), ...(end !== undefined && { end }) };
}

function fillClaims(
  binder: Binder,
  claims: readonly KubeObject<"PersistentVolumeClaim">[],
  setUp: SetUp,
): void {
  for (const claim of claims) {
    const cached =
      setUp.cachedClaims?.has(keyOf(claim)) === true ? setUp.cachedClaims.get(keyOf(claim)) : claim;
    if (cached !== undefined) binder.claims.put(cached);
  }
}

function hookOperations(runtime: Runtime, binder: Binder, { beforeOperation }: SetUp): void {
  if (beforeOperation === undefined) return;
  const { operations } = binder;
  const run = operations.run.bind(operations);
  operations.run = (name, operation) => {
    beforeOperation(runtime, binder);
    run(name, operation);
  };
}

export function runWholeController(
  upstream: UpstreamCase,
  setUp: SetUp,
  version: KubernetesVersion,
  options: { readonly fault?: Fault; readonly endless?: boolean } = {},
): CaseRun {
  const { fault } = options;
  const runtime = prepared(upstream, setUp, version, fault ?? {});
  const faults = fault === undefined ? new FaultPoints(runtime).faults : [];
  runtime.start(persistentVolumeBinder(settings(setUp, options.endless === true)));
  for (const { at, act } of setUp.meanwhile ?? []) {
    runUntil(runtime, at);
    act(runtime);
  }
  runUntil(runtime, wholeRunMs);
  return result(runtime, faults);
}

function result(runtime: Runtime, faults: readonly Fault[]): CaseRun {
  const { store } = runtime.api;
  const events = new Map<string, { readonly about: string; readonly text: string }>();
  for (const entry of runtime.trace.entries) {
    if (entry.type !== "event") continue;
    const text = `${entry.eventType} ${entry.reason} ${entry.message}`;
    events.set(`${entry.about} ${text}`, { about: entry.about.split("/")[0] ?? "", text });
  }
  return {
    runtime,
    faults,
    volumes: byName(store.list("PersistentVolume")).map(volumeFacts),
    claims: byName(store.list("PersistentVolumeClaim")).map(claimFacts),
    events: [...events.values()],
  };
}

export function byName<T extends { readonly metadata: { readonly name: string } }>(
  objects: readonly T[],
): T[] {
  return objects.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
