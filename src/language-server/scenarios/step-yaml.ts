/** Writes steps and expectations as YAML of a scenario file: the reverse of scenario-file.ts. */
import { stringify } from "yaml";
import type { ObjectName } from "../../engine/scenario.ts";
import type { WhatIfStep } from "../../protocol/what-if.ts";
import { durationText } from "../shapes/duration.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** The step's verb and the value below it. */
export function stepBody(step: WhatIfStep): readonly [verb: string, body: unknown] {
  switch (step.type) {
    case "advance":
      return ["advance", durationText(step.ms)];
    case "delete":
      return ["delete", step.objects.map((target) => ({ ...nameOf(target), ...rest(target) }))];
    case "patch": {
      const { object, patch, patchType: type, subresource } = step;
      const how = { ...(type && { type }), ...(subresource && { subresource }) };
      return ["patch", { ...nameOf(object), patch, ...how }];
    }
    case "scale":
      return ["scale", { ...nameOf(step.object), replicas: step.replicas }];
    case "createJob": {
      const { type, from, ...body } = step;
      return [type, { ...body, from: `cronjob/${from}` }];
    }
    case "fault": {
      const { delayMs, ...fault } = step.fault;
      return [
        "fault",
        { ...fault, ...(delayMs !== undefined && { delay: durationText(delayMs) }) },
      ];
    }
    case "driver":
    case "node":
    case "cordon":
    case "uncordon":
    case "drain": {
      const { type, ...body } = step;
      return [type, body];
    }
  }
}

function nameOf({ kind, namespace, name }: ObjectName): Fields {
  return { kind, ...(namespace !== undefined && namespace !== "" && { namespace }), name };
}

function rest({ kind: _, namespace: __, name: ___, ...others }: ObjectName): Fields {
  return others;
}

/** Writes the value in one line. */
export function flowText(value: unknown): string {
  return stringify(value, {
    collectionStyle: "flow",
    flowCollectionPadding: false,
    lineWidth: 0,
    // A name such as `no` must be quoted: older readers take it for a boolean.
    version: "1.1",
  }).trimEnd();
}

export function stepLine(verb: string, body: unknown): string {
  if (!Array.isArray(body)) return `  - ${verb}: ${flowText(body)}\n`;
  return `  - ${verb}:\n${body.map((item) => `      - ${flowText(item)}\n`).join("")}`;
}

/** An `apply` step that contains the manifests. */
export function applyText(manifests: readonly unknown[]): string {
  const text = manifests
    .map((manifest) => stringify(manifest, { lineWidth: 0, version: "1.1" }))
    .join("---\n");
  const lines = text.trimEnd().split("\n");
  return `  - apply: |\n${lines.map((line) => (line === "" ? "\n" : `      ${line}\n`)).join("")}`;
}
