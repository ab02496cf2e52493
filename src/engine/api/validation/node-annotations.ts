/**
 * Alpha annotations of nodes: taints, and pods to avoid. Nothing acts on them any more, but they are still
 * validated. Upstream: pkg/apis/core/validation ValidateNodeSpecificAnnotations,
 * pkg/apis/core/helper GetTaintsFromNodeAnnotations, component-helpers GetAvoidPodsFromNodeAnnotations, v1.36.
 */
import type { FieldErrors } from "../field-error.ts";
import { metadataPath } from "../field-path.ts";
import { type Shape, unmarshal } from "../go/unmarshal.ts";
import type { Node, Taint } from "../types.ts";
import { validateTaints } from "./taints.ts";

const taintsKey = "scheduler.alpha.kubernetes.io/taints";
const avoidedPodsKey = "scheduler.alpha.kubernetes.io/preferAvoidPods";
const annotationsPath = metadataPath.child("annotations");

const text: Shape = { type: "string", is: "string" };
const flag: Shape = { type: "bool", is: "boolean" };

/** The server's internal type, whose fields have no JSON names. */
const taints: Shape = {
  type: "[]core.Taint",
  items: {
    type: "core.Taint",
    fields: { Key: text, Value: text, Effect: { type: "core.TaintEffect", is: "string" } },
  },
};

const controller: Shape = {
  type: "v1.OwnerReference",
  fields: {
    apiVersion: text,
    kind: text,
    name: text,
    uid: { type: "types.UID", is: "string" },
    controller: flag,
    blockOwnerDeletion: flag,
  },
};
const signature: Shape = { type: "v1.PodSignature", fields: { podController: controller } };
const avoidedPods: Shape = {
  type: "v1.AvoidPods",
  fields: {
    preferAvoidPods: {
      type: "[]v1.PreferAvoidPodsEntry",
      items: {
        type: "v1.PreferAvoidPodsEntry",
        fields: { podSignature: signature, reason: text, message: text },
      },
    },
  },
};

interface TaintText {
  readonly Key?: string;
  readonly Value?: string;
  readonly Effect?: string;
}

interface AvoidedPods {
  readonly preferAvoidPods?: readonly (AvoidedPod | undefined)[];
}

interface AvoidedPod {
  readonly podSignature?: { readonly podController?: { readonly controller?: boolean } };
}

export function validateNodeAnnotations(
  { metadata: { annotations } }: Node,
  errors: FieldErrors,
): void {
  const taintText = annotations?.[taintsKey] ?? "";
  if (taintText !== "") {
    const read = unmarshal(taintText, taints);
    const list = (read.ok ? (read.value ?? []) : []) as readonly (TaintText | undefined)[];
    if (read.ok) validateTaints(list.map(asTaint), annotationsPath.child(taintsKey), errors);
    else errors.invalid(annotationsPath, taintsKey, read.error);
  }
  const podText = annotations?.[avoidedPodsKey] ?? "";
  if (podText !== "") validateAvoidedPods(podText, errors);
}

function asTaint(taint: TaintText | undefined): Taint {
  return { key: taint?.Key ?? "", value: taint?.Value ?? "", effect: taint?.Effect ?? "" };
}

/** A reference without `controller` crashes the server; here it counts as false. */
function validateAvoidedPods(json: string, errors: FieldErrors): void {
  const read = unmarshal(json, avoidedPods);
  if (!read.ok) {
    errors.invalid(annotationsPath.child("AvoidPods"), avoidedPodsKey, read.error);
    return;
  }
  const { preferAvoidPods = [] } = (read.value ?? {}) as AvoidedPods;
  preferAvoidPods.forEach((pod, index) => {
    const at = annotationsPath.child(avoidedPodsKey).index(index).child("PodSignature");
    const reference = pod?.podSignature?.podController;
    if (reference === undefined) errors.required(at);
    else if (reference.controller !== true)
      errors.invalid(
        at.child("PodController").child("Controller"),
        false,
        "must point to a controller",
      );
  });
}
