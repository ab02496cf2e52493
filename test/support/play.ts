/**
 * Plays a fixture once; a test with faults (see same-end.ts) plays it again with each. `#=>` marks are checked at the end.
 */
import assert from "node:assert/strict";
import type { Kind, KubeObject } from "../../src/engine/api/meta.ts";
import type { ClusterProfile, KubernetesVersion, Step } from "../../src/engine/scenario.ts";
import type { Simulation } from "../../src/engine/simulation.ts";
import type { RequestEntry } from "../../src/engine/trace/entry.ts";
import { readMarkedManifests } from "./check.ts";
import { objectState } from "./object-state.ts";
import { begin, exhaust, type OtherEnd, type Recipe, type Setting } from "./replay.ts";

export interface PlayOptions {
  readonly version?: KubernetesVersion;
  readonly cluster?: Partial<ClusterProfile>;
  readonly steps?: readonly Step[];
}

export class Played {
  readonly simulation: Simulation;
  readonly #recipe: Recipe | undefined;

  constructor(simulation: Simulation, recipe: Recipe | undefined) {
    this.simulation = simulation;
    this.#recipe = recipe;
  }

  /** Allows another end that a fault may lead to: the lines that differ, and why upstream allows it. */
  mayEndOtherwise(because: string, lines: OtherEnd["lines"]): this {
    this.#recipe?.otherEnds.push({ because, lines });
    return this;
  }

  /** The object with this name, in the namespace `default` if the kind is namespaced. */
  get<K extends Kind>(kind: K, name: string): KubeObject<K> | undefined {
    const { store } = this.simulation.runtime.api;
    return store.get(kind, "default", name) ?? store.get(kind, undefined, name);
  }

  list<K extends Kind>(kind: K): readonly KubeObject<K>[] {
    return this.simulation.runtime.api.store.list(kind);
  }

  names(kind: Kind): readonly string[] {
    return this.list(kind).map((object) => object.metadata.name);
  }

  /** The messages of the events with this reason, each once, in order. */
  events(reason: string): readonly string[] {
    const messages = this.simulation.trace.entries.flatMap((e) =>
      e.type === "event" && e.reason === reason ? [e.message] : [],
    );
    return [...new Set(messages)];
  }

  get requests(): readonly RequestEntry[] {
    return this.simulation.trace.entries.filter((e) => e.type === "request");
  }
}

export function play(fixture: string, options: PlayOptions = {}): Played {
  const { manifests, marks } = readMarkedManifests(fixture);
  const setting: Setting = {
    version: options.version ?? "1.36",
    seed: 1,
    cluster: {
      name: "test",
      nodes: [{ name: "node-a" }],
      drivers: [],
      manifests: [],
      ...options.cluster,
    },
  };
  const steps: readonly Step[] = [
    { type: "apply", manifests },
    { type: "settle" },
    ...(options.steps ?? []),
  ];
  const { simulation, recipe } = begin(setting);
  recipe?.steps.push(...steps);
  for (const step of steps) exhaust(simulation.step(step));
  for (const [ref, state] of marks) {
    const [kind = "", namespace = "", name = ""] = ref.split("/");
    assert.equal(
      objectState(simulation.runtime.api.store.get(kind as Kind, namespace, name)),
      state,
      ref,
    );
  }
  return new Played(simulation, recipe);
}
