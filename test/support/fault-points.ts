/**
 * Which faults a run is tried with: watches that are somewhat and very late, a crash after each write and a lost race at
 * each, from the moment of watching on. A create cannot lose a race: with that fault the run would be the same again. Nor is
 * a write tried that repeats an earlier one among objects, mounts and plans of faults that are all the same but for versions
 * and times; two such writes differ in how long a component has been waiting.
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

  /** Steps may be added as long as the run goes on. */
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

  /** What has changed beside the objects: the plans of faults, by steps or because a call has used up a turn. */
  #countDisturbances(): number {
    const { entries } = this.#runtime.trace;
    for (; this.#entriesRead < entries.length; this.#entriesRead++) {
      const entry = entries[this.#entriesRead];
      if (entry?.type === "step" || (entry?.type === "answer" && this.#steps.some(endsByItself)))
        this.#disturbances++;
    }
    return this.#disturbances;
  }

  /** A number for what an object says, equal for objects that differ in versions and times only. */
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

/** A fault of a driver that ends after some calls: each of them makes a difference. */
function endsByItself(step: Step): boolean {
  return step.type === "fault" && step.fault.times !== 0;
}
