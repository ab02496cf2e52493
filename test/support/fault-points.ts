/**
 * Which faults a run is tried with: slightly and very late watches, and for each write since this object was made a crash after
 * it and a conflict at it. A create cannot have a conflict: the run would be the same again. Writes are skipped that repeat an
 * earlier write while objects, mounts and planned faults are equal except for versions and times: they differ only in how long
 * the component has been waiting.
 */
import { type KubeObject, refOf } from "../../src/engine/api/meta.ts";
import type { WriteEffect } from "../../src/engine/runtime/effects.ts";
import type { Runtime } from "../../src/engine/runtime/runtime.ts";
import type { Step } from "../../src/engine/scenario.ts";
import type { Fault } from "./fault.ts";

export class FaultPoints {
  readonly faults: Fault[] = [
    { lateWatches: { delayMsMax: 50 } },
    { lateWatches: { delayMsMax: 3_000 } },
  ];
  readonly #runtime: Runtime;
  readonly #seen = new Set<string>();
  readonly #contents = new Map<string, number>();
  readonly #contentOf = new WeakMap<KubeObject, number>();
  readonly #steps: readonly Step[];
  #entriesRead = 0;
  #disturbances = 0;

  /** The caller may add to `steps` during the run. */
  constructor(runtime: Runtime, steps: readonly Step[] = []) {
    this.#runtime = runtime;
    this.#steps = steps;
    runtime.onWrite = (component, write, effect) => {
      if (this.#repeats(component, effect)) return;
      this.faults.push({ crashAfterWrite: { component, write } });
      if (effect.type !== "create") this.faults.push({ conflictOnWrite: { component, write } });
    };
  }

  #repeats(component: string, effect: WriteEffect): boolean {
    const state = [...this.#runtime.api.store.all()].map((object) => this.#content(object));
    const mounts = [...this.#runtime.machines.values()].flatMap((m) => m.mounts.entries);
    const targets = mounts.map(({ target }) => target);
    const key = [component, this.#wanted(effect), this.#countDisturbances(), ...state, ...targets];
    const text = key.join("\n");
    if (this.#seen.has(text)) return true;
    this.#seen.add(text);
    return false;
  }

  #wanted(effect: WriteEffect): string {
    switch (effect.type) {
      case "create":
        return `create ${this.#content(effect.object as KubeObject)}`;
      case "update":
        return `update ${effect.subresource} ${this.#content(effect.object)}`;
      case "patch": {
        const { kind, namespace, name, subresource, change } = effect;
        const current = this.#runtime.api.store.get(kind, namespace, name);
        const content = current === undefined ? "" : this.#content(change(current) as KubeObject);
        return `patch ${kind} ${namespace} ${name} ${subresource} ${content}`;
      }
      case "delete":
      case "bind":
        return JSON.stringify(effect);
    }
  }

  /** Counts changes of the planned faults, which are not objects: by steps, and by calls that used up a fault's turn. */
  #countDisturbances(): number {
    const { entries } = this.#runtime.trace;
    for (; this.#entriesRead < entries.length; this.#entriesRead++) {
      const entry = entries[this.#entriesRead];
      if (entry?.type === "step" || (entry?.type === "answer" && this.#steps.some(endsByItself)))
        this.#disturbances++;
    }
    return this.#disturbances;
  }

  /** A number for an object's content, equal for objects that differ only in versions and times. */
  #content(object: KubeObject): number {
    const known = this.#contentOf.get(object);
    if (known !== undefined) return known;
    const text = `${refOf(object)} ${JSON.stringify(object)}`
      .replace(/"(resourceVersion|uid)":"[^"]*"/g, "")
      .replace(/"\d{4}-\d\d-\d\dT[^"]*"/g, '""');
    const number = this.#contents.get(text) ?? this.#contents.size;
    this.#contents.set(text, number);
    this.#contentOf.set(object, number);
    return number;
  }
}

/** True for a driver's fault that ends after some calls, so that each call changes what follows. */
function endsByItself(step: Step): boolean {
  return step.type === "fault" && step.fault.times !== 0;
}
