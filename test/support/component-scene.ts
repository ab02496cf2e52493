/** Runs a few components among objects that are stored as they are, without admission and other controllers. */
import type { Kind, KubeObject } from "../../src/engine/api/meta.ts";
import type { Component } from "../../src/engine/runtime/component.ts";
import { Runtime } from "../../src/engine/runtime/runtime.ts";
import type { KubernetesVersion } from "../../src/engine/scenario.ts";
import { type Fault, failWrite } from "./fault.ts";

export interface SceneOptions {
  readonly version?: KubernetesVersion;
  readonly fault?: Fault;
}

export class Scene {
  readonly runtime: Runtime;

  /** Stores the objects before it starts the components. */
  constructor(
    components: readonly Component[],
    objects: readonly KubeObject[],
    { version = "1.36", fault = {} }: SceneOptions = {},
  ) {
    this.runtime = new Runtime({
      version,
      seed: 1,
      cluster: { name: "test", nodes: [], drivers: [], manifests: [] },
      steps: [],
      lateWatches: fault.lateWatches,
    });
    failWrite(this.runtime, fault);
    for (const object of objects) this.runtime.api.restore(object);
    this.run(10);
    for (const component of components) this.runtime.start(component);
  }

  /** Lets virtual time pass. */
  run(ms: number): this {
    const { loop } = this.runtime;
    const end = loop.now + ms;
    for (let next = loop.next; next !== undefined && next <= end; next = loop.next) loop.step();
    loop.now = end;
    return this;
  }

  get<K extends Kind>(kind: K, namespace: string, name: string): KubeObject<K> | undefined {
    return this.runtime.api.store.get(kind, namespace, name);
  }

  /** `ACTOR VERB REF SUBRESOURCE` of each write since the start. */
  get writes(): readonly string[] {
    return this.runtime.trace.entries.flatMap((e) =>
      e.type === "write" && e.actor !== "user"
        ? [[e.actor, e.verb, e.ref, e.subresource ?? ""].join(" ").trim()]
        : [],
    );
  }

  /** `REF TYPE REASON MESSAGE` of each event; equal ones once, with `×n` in front. */
  get events(): readonly string[] {
    const counts = new Map<string, number>();
    for (const e of this.runtime.trace.entries) {
      if (e.type !== "event") continue;
      counts.set(`${e.about} ${e.eventType} ${e.reason} ${e.message}`, e.count);
    }
    return [...counts].map(([text, count]) => (count === 1 ? text : `×${count} ${text}`));
  }
}
