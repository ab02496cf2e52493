/** The actions on the simulated cluster: the form's values, and the step that they make. */
import { t } from "@vscode/l10n";
import { isRecord, type Json, parsedJson } from "../../engine/api/json.ts";
import {
  type Kind,
  kindOfRef,
  makeRef,
  nameOfRef,
  namespaceOfRef,
  type Ref,
} from "../../engine/api/meta.ts";
import type { ObjectName } from "../../engine/scenario.ts";
import type { WhatIfStep } from "../../protocol/what-if.ts";

export const actions = [
  "delete",
  "scale",
  "patch",
  "createJob",
  "kubelet",
  "drain",
  "cordon",
  "uncordon",
  "controller",
  "fault",
  "advance",
] as const;
export type Action = (typeof actions)[number];

export const actionTitles = (): Readonly<Record<Action, string>> => ({
  delete: t("Delete an object"),
  scale: t("Scale a workload"),
  patch: t("Patch an object"),
  createJob: t("Create a Job from a CronJob"),
  kubelet: t("Stop or start a kubelet"),
  drain: t("Drain a node"),
  cordon: t("Cordon a node"),
  uncordon: t("Uncordon a node"),
  controller: t("Stop or start a CSI controller"),
  fault: t("Make calls to a driver fail"),
  advance: t("Let time pass"),
});

/** The form's values as typed; each action reads the fields that it needs. */
export interface Draft {
  readonly action: Action;
  readonly object: string;
  readonly workload: string;
  readonly cronJob: string;
  /** Undefined until a name is typed; until then the form suggests one. */
  readonly job: string | undefined;
  readonly node: string;
  readonly driver: string;
  readonly replicas: string;
  readonly patch: string;
  readonly state: string;
  readonly call: string;
  readonly code: string;
  readonly times: string;
  readonly seconds: string;
}

export const firstDraft: Draft = {
  action: "kubelet",
  object: "",
  workload: "",
  cronJob: "",
  job: undefined,
  node: "",
  driver: "",
  replicas: "1",
  patch: '{"spec": {}}',
  state: "down",
  call: "ControllerPublishVolume",
  code: "Internal",
  times: "0",
  // By then the pods of an unreachable node have been evicted.
  seconds: "600",
};

export const workloadKinds: readonly string[] = [
  "Deployment",
  "StatefulSet",
  "ReplicaSet",
  "ReplicationController",
];

/** The step, or what the form still lacks. */
export type ReadDraft = { readonly step: WhatIfStep } | { readonly lacks: string };

export function readDraft(draft: Draft): ReadDraft {
  const { action, node, driver, state } = draft;
  switch (action) {
    case "delete":
      return ofObject(draft.object, (object) => ({ type: "delete", objects: [object] }));
    case "scale": {
      const replicas = wholeNumber(draft.replicas);
      if (replicas === undefined) return { lacks: t("how many replicas") };
      return ofObject(draft.workload, (object) => ({ type: "scale", object, replicas }));
    }
    case "patch": {
      const patch = jsonOf(draft.patch);
      if (patch === undefined) return { lacks: t("a merge patch as a JSON object") };
      return ofObject(draft.object, (object) => ({ type: "patch", object, patch }));
    }
    case "createJob": {
      const name = draft.job?.trim() ?? "";
      if (name === "") return { lacks: t("what to call the Job") };
      return ofObject(draft.cronJob, ({ namespace, name: from }) => ({
        type: "createJob",
        ...(namespace !== undefined && { namespace }),
        name,
        from,
      }));
    }
    case "kubelet":
      if (node === "") return { lacks: t("a node") };
      return { step: { type: "node", name: node, kubelet: state === "up" ? "up" : "down" } };
    case "drain":
    case "cordon":
    case "uncordon":
      return node === "" ? { lacks: t("a node") } : { step: { type: action, name: node } };
    case "controller":
      if (driver === "") return { lacks: t("a driver") };
      return {
        step: { type: "driver", name: driver, controller: state === "up" ? "up" : "down" },
      };
    case "fault": {
      const times = wholeNumber(draft.times);
      if (driver === "") return { lacks: t("a driver") };
      if (times === undefined) return { lacks: t("how many times; 0 for always") };
      const { call, code } = draft;
      const message = "the storage does not answer";
      return { step: { type: "fault", fault: { driver, call, code, message, times } } };
    }
    case "advance": {
      const seconds = wholeNumber(draft.seconds);
      if (seconds === undefined || seconds === 0) return { lacks: t("how many seconds") };
      return { step: { type: "advance", ms: seconds * 1000 } };
    }
  }
}

/** A note about the step before it is done; empty for most steps. */
export function noteOn(step: WhatIfStep): string {
  // Nothing happens until the node's lease has expired.
  if (step.type === "node" && step.kubelet === "down")
    return t("Kubernetes does not notice at once: let time pass next.");
  if (step.type === "fault") return t("Only future calls fail; what exists stays as it is.");
  return step.type === "createJob"
    ? t("The CronJob will warn about a Job that it did not create: that is normal.")
    : "";
}

/** A name, not yet taken, for a Job created from the CronJob by hand. */
export function freeJobName(cronJob: Ref, targets: readonly Ref[]): string {
  const taken = new Set(targets);
  for (let i = 1; ; i++) {
    const name = `${nameOfRef(cronJob)}-manual${i === 1 ? "" : `-${i}`}`;
    if (!taken.has(makeRef("Job", namespaceOfRef(cronJob), name))) return name;
  }
}

function ofObject(ref: Ref, make: (object: ObjectName) => WhatIfStep): ReadDraft {
  if (ref === "") return { lacks: t("an object") };
  const namespace = namespaceOfRef(ref);
  const object = {
    kind: kindOfRef(ref) as Kind,
    ...(namespace !== "" && { namespace }),
    name: nameOfRef(ref),
  };
  return { step: make(object) };
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

function jsonOf(text: string): Json | undefined {
  const value = parsedJson(text)?.value;
  return isRecord(value) ? (value as Json) : undefined;
}
