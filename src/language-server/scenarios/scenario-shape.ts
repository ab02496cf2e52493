/** All that a scenario file may hold: its steps, and what can be expected. */
import { kindSchemas } from "../../engine/api/schema.ts";
import { grpcCodes } from "../../engine/csi/grpc-codes.ts";
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { driverCalls } from "../../engine/scenario.ts";
import { kindOfResource } from "../events/resource-names.ts";
import type { Field, MappingShape, Shape } from "./shape.ts";

const text: Shape = { type: "text" };
const duration: Shape = { type: "duration" };
const wholeNumber: Shape = { type: "whole number" };
const boolean: Shape = { type: "boolean" };
const anything: Shape = { type: "anything" };
const kind: Shape = {
  type: "text",
  oneOf: kindSchemas.map((schema) => schema.kind),
  meantBy: kindOfResource,
};

const optional = (shape: Shape, about: string): Field => ({ shape, about });
const required = (shape: Shape, about: string): Field => ({ shape, about, isRequired: true });
const oneOf = (...values: readonly string[]): Shape => ({ type: "text", oneOf: values });
const mapping = (fields: Readonly<Record<string, Field>>): MappingShape => ({
  type: "mapping",
  fields,
});
const listOf = (of: Shape): Shape => ({ type: "list", of });

/** `ResourceExhausted` as Go spells it, `RESOURCE_EXHAUSTED` as the other languages do. */
const grpcCode: Shape = {
  type: "text",
  oneOf: grpcCodes,
  alsoOneOf: [
    ...grpcCodes.map(upperSnake).filter((code) => !grpcCodes.includes(code)),
    "Cancelled",
    "CANCELLED",
  ],
};

function upperSnake(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

const objectFields = {
  kind: required(kind, "The object's kind."),
  namespace: optional(text, "The object's namespace; `default` where absent."),
  name: required(text, "The object's name."),
} as const;

const nodeName = mapping({ name: required(text, "The node's name.") });

const expectationFields: Readonly<Record<string, Field>> = {
  kind: optional(kind, "The kind of the object that is looked at."),
  namespace: optional(text, "Its namespace; `default` where absent."),
  name: optional(text, "Its name."),
  count: optional(wholeNumber, "How many objects of the kind there are."),
  absent: optional(boolean, "There is no such object."),
  deleting: optional(boolean, "Whether it has a deletionTimestamp."),
  phase: optional(text, "Its status.phase."),
  volume: optional(text, "The volume that a claim is bound to."),
  capacity: optional(text, "The size of a claim or a volume, as Kubernetes writes it."),
  node: optional(text, "The node that a pod was placed on, or that a mount or path is on."),
  ready: optional(boolean, "Whether its condition Ready is True."),
  readyReplicas: optional(wholeNumber, "How many pods of a workload are ready."),
  nodeCount: optional(wholeNumber, "On how many nodes a workload's pods are."),
  event: optional(text, "The reason of an event."),
  about: optional(text, "The object that the event is about, as Kind/namespace/name."),
  message: optional(text, "The whole message of the event, or of the refusal."),
  refused: optional(
    text,
    "An object, as Kind/namespace/name, that the API server has refused in a step since the last expectations.",
  ),
  mount: optional(text, "A mount point on the node."),
  path: optional(text, "A path that exists on the node."),
  within: optional(duration, "How long to wait for it; no time at all where absent."),
};

const expectation: MappingShape = {
  type: "mapping",
  fields: expectationFields,
  oneKeyOf: ["kind", "event", "refused", "mount", "path"],
};

const steps: MappingShape = {
  type: "mapping",
  hasOneKey: true,
  fields: {
    apply: optional(
      { type: "list or text", of: text },
      "Applies files beside this one, or manifests that stand here as text.",
    ),
    kustomize: optional(
      text,
      "Applies what the kustomization in a folder makes, as `kubectl apply -k` does.",
    ),
    delete: optional(
      listOf(
        mapping({
          ...objectFields,
          grace: optional(wholeNumber, "Seconds; 0 takes a pod away at once."),
          propagationPolicy: optional(
            oneOf("Background", "Foreground", "Orphan"),
            "What becomes of its dependents; Background where absent.",
          ),
        }),
      ),
      "Deletes objects.",
    ),
    patch: optional(
      mapping({
        ...objectFields,
        patch: required(anything, "A merge patch (RFC 7396)."),
        subresource: optional(oneOf("status"), "The status is patched and nothing else."),
      }),
      "Patches an object.",
    ),
    scale: optional(
      mapping({ ...objectFields, replicas: required(wholeNumber, "How many are wanted.") }),
      "Changes spec.replicas.",
    ),
    settle: optional(
      mapping({ within: optional(duration, "How long at most; 75s where absent.") }),
      "Lets time pass until nothing changes any more.",
    ),
    advance: optional(duration, "Lets so much time pass."),
    node: optional(
      {
        type: "mapping",
        oneKeyOf: ["name", "of"],
        fields: {
          name: optional(text, "The node's name."),
          of: optional(text, "Whichever node runs this pod, as Pod/namespace/name."),
          kubelet: required(oneOf("up", "down", "restart"), "What becomes of its kubelet."),
        },
      },
      "Stops, starts or restarts a node's kubelet.",
    ),
    cordon: optional(nodeName, "Keeps new pods off a node."),
    uncordon: optional(nodeName, "Lets pods onto a node again."),
    drain: optional(nodeName, "Cordons a node and evicts its pods."),
    driver: optional(
      mapping({
        name: required(text, "The CSI driver's name."),
        controller: optional(oneOf("up", "down"), "Its controller, with all its sidecars."),
        node: optional(oneOf("up", "down"), "Its plugin on the node of `nodeName`."),
        nodeName: optional(text, "The node that `node` speaks of."),
      }),
      "Stops or starts a CSI driver's controller or node plugin.",
    ),
    fault: optional(
      {
        type: "mapping",
        someKeyOf: ["call", "clear"],
        fields: {
          driver: required(text, "The CSI driver's name."),
          call: optional(
            oneOf(...driverCalls),
            "The call that fails; with `clear` every call where absent.",
          ),
          code: optional(
            grpcCode,
            "The gRPC code it fails with, as Go or as gRPC spells it; the call is only slow where absent.",
          ),
          message: optional(text, "The message it fails with."),
          times: optional(wholeNumber, "How many calls; 0 for all from now on, 1 where absent."),
          delay: optional(duration, "How much longer the call takes."),
          after: optional(boolean, "The call has its effect before it fails."),
          node: optional(text, "Only calls to this node's plugin."),
          clear: optional(boolean, "Ends the faults of the call, or of every call."),
        },
      },
      "Lets calls to a CSI driver fail or take longer.",
    ),
    expect: optional(listOf(expectation), "What must be true now."),
  },
};

export const scenarioShape: MappingShape = mapping({
  title: optional(text, "What the scenario shows."),
  profile: optional(
    { type: "text", oneOf: profileNames },
    "The cluster to assume; that of claimcheck.yaml where absent.",
  ),
  seed: optional(wholeNumber, "Of everything that is left to chance; 1 where absent."),
  steps: required(listOf(steps), "What is done, in order."),
});
