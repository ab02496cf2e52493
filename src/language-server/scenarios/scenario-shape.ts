/** Everything that a scenario file may contain: its steps, and what they can expect. */
import { kindSchemas } from "../../engine/api/schema.ts";
import { grpcCodes } from "../../engine/csi/grpc-codes.ts";
import { profileNames } from "../../engine/profiles/assume-cluster.ts";
import { driverCalls } from "../../engine/scenario.ts";
import { kindOfResource } from "../events/resource-names.ts";
import {
  anything,
  boolean,
  duration,
  type Field,
  field,
  listOf,
  type MappingShape,
  mapping,
  oneOf,
  required,
  type Shape,
  text,
  wholeNumber,
} from "../shapes/shape.ts";

const kinds: readonly string[] = kindSchemas.map((schema) => schema.kind);

const kind: Shape = {
  type: "text",
  oneOf: kinds,
  meantBy: kindOfResource,
};

/** `ResourceExhausted` as Go spells it, `RESOURCE_EXHAUSTED` as other languages do. */
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

/** As `readObjectText` accepts it. For a cluster-scoped kind, an empty namespace is allowed. */
function objectText(kind: string, ofKinds: readonly string[]): Shape {
  return {
    type: "text",
    pattern: {
      expression: new RegExp(`^(?:${ofKinds.join("|")})/(?:[^/]*/)?[^/]+$`),
      wanted: `${kind}/namespace/name, or ${kind}/name where that is in \`default\` or in no namespace`,
    },
    meantBy: (given) => {
      const [resource = "", ...names] = given.split("/");
      const meant = kindOfResource(resource);
      const isMeant = meant !== undefined && names.length > 0 && ofKinds.includes(meant);
      return isMeant ? [meant, ...names].join("/") : undefined;
    },
  };
}

const objectFields = {
  kind: required(kind, "The object's kind."),
  namespace: field(text, "The object's namespace; `default` if absent."),
  name: required(text, "The object's name."),
} as const;

/** As kubectl's `--from` accepts it. */
const fromCronJob: Shape = {
  type: "text",
  pattern: {
    expression: /^(?:[Cc]ron[Jj]obs?(?:\.batch)?|cj)\/[^/]+$/,
    wanted: "a CronJob as kubectl names it, such as cronjob/backup",
  },
  meantBy: (given) => {
    const [name = "", ...before] = given.split("/").reverse();
    const isOther = before.length > 0 && kindOfResource(before.at(-1) ?? "") !== "CronJob";
    return name === "" || isOther ? undefined : `cronjob/${name}`;
  },
};

const nodeName = mapping({ name: required(text, "The node's name.") });

const expectationFields: Readonly<Record<string, Field>> = {
  kind: field(kind, "The kind of the object that is looked at."),
  namespace: field(text, "Its namespace; `default` if absent."),
  name: field(text, "Its name."),
  count: field(
    wholeNumber,
    "How many objects of the kind there are, in all namespaces if none is given.",
  ),
  absent: field(boolean, "There is no such object."),
  deleting: field(boolean, "Whether it has a deletionTimestamp."),
  phase: field(text, "Its status.phase."),
  volume: field(text, "The volume that a claim is bound to."),
  capacity: field(text, "The size of a claim or a volume, as Kubernetes writes it."),
  node: field(text, "The node that a pod was assigned to, or that a mount or path is on."),
  ready: field(boolean, "Whether its condition Ready is True."),
  readyReplicas: field(wholeNumber, "How many pods of a workload are ready."),
  succeeded: field(wholeNumber, "How many pods of a Job have succeeded."),
  nodeCount: field(wholeNumber, "On how many nodes a workload's pods are."),
  event: field(text, "The reason of an event."),
  about: field(
    objectText("Kind", kinds),
    "The object that the event is about, as Kind/namespace/name.",
  ),
  message: field(text, "The message of the event, or of the refusal, or a part of it."),
  refused: field(
    objectText("Kind", kinds),
    "An object, as Kind/namespace/name, that the API server has refused in a step since the last expectations.",
  ),
  mount: field(text, "A mount point on the node."),
  path: field(text, "A path that exists on the node."),
  within: field(duration, "How long to wait for it; not at all if absent."),
};

const expectation: MappingShape = {
  type: "mapping",
  fields: expectationFields,
  oneKeyOf: {
    name: {
      needs: ["kind"],
      takes: [
        "namespace",
        "absent",
        "deleting",
        "phase",
        "volume",
        "capacity",
        "node",
        "ready",
        "readyReplicas",
        "succeeded",
        "nodeCount",
      ],
    },
    count: { needs: ["kind"], takes: ["namespace"] },
    event: { needs: ["about"], takes: ["message"] },
    refused: { takes: ["message"] },
    mount: { needs: ["node"] },
    path: { needs: ["node"] },
  },
};

const steps: MappingShape = {
  type: "mapping",
  hasOneKey: true,
  fields: {
    apply: field(
      { type: "list or text", of: text },
      "Applies files beside this one, or manifests given here as text.",
    ),
    kustomize: field(
      text,
      "Applies what the kustomization in a folder makes, as `kubectl apply -k` does.",
    ),
    helm: field(
      mapping({
        chart: required(text, "The chart's folder."),
        name: field(text, "The release's name; the chart's own name if absent."),
        namespace: field(text, "The release's namespace; `default` if absent."),
        values: field(
          { type: "list or text", of: text },
          "One or more values files; later files take precedence.",
        ),
        skipSchemaValidation: field(
          boolean,
          "Skips validation against the chart's values.schema.json.",
        ),
      }),
      "Applies what a chart makes, as `helm install` does.",
      "helm:\n  chart: ",
    ),
    delete: field(
      listOf(
        mapping({
          ...objectFields,
          grace: field(wholeNumber, "Seconds; 0 deletes a pod immediately."),
          propagationPolicy: field(
            oneOf("Background", "Foreground", "Orphan"),
            "What happens to its dependents; Background if absent.",
          ),
        }),
      ),
      "Deletes objects.",
    ),
    patch: field(
      mapping({
        ...objectFields,
        patch: required(anything, "A merge patch (RFC 7396), or a strategic one."),
        type: field(
          oneOf("merge", "strategic"),
          "The patch's type: `merge` if absent; `strategic` is the default of `kubectl patch`.",
        ),
        subresource: field(oneOf("status"), "Patches only the status."),
      }),
      "Patches an object.",
    ),
    scale: field(
      mapping({
        ...objectFields,
        replicas: required(wholeNumber, "The desired number of replicas."),
      }),
      "Changes spec.replicas.",
    ),
    createJob: field(
      mapping({
        namespace: field(text, "The namespace of both; `default` if absent."),
        name: required(text, "The Job's name."),
        from: required(fromCronJob, "The CronJob, as `cronjob/NAME`."),
      }),
      "Creates a Job from a CronJob, as `kubectl create job NAME --from=cronjob/NAME` does.",
    ),
    settle: field(
      mapping({ within: field(duration, "How long at most; 10m if absent.") }),
      "Lets time pass until nothing changes any more.",
    ),
    advance: field(duration, "Lets this much time pass."),
    node: field(
      {
        type: "mapping",
        oneKeyOf: { name: {}, of: {} },
        fields: {
          name: field(text, "The node's name."),
          of: field(
            objectText("Pod", ["Pod"]),
            "Whichever node runs this pod, as Pod/namespace/name.",
          ),
          kubelet: required(oneOf("up", "down", "restart"), "What happens to its kubelet."),
        },
      },
      "Stops, starts or restarts a node's kubelet.",
    ),
    cordon: field(nodeName, "Keeps new pods off a node."),
    uncordon: field(nodeName, "Lets pods onto a node again."),
    drain: field(nodeName, "Cordons a node and evicts its pods."),
    driver: field(
      mapping({
        name: required(text, "The CSI driver's name."),
        controller: field(oneOf("up", "down"), "Its controller, with all its sidecars."),
        node: field(oneOf("up", "down"), "Its plugin on the node of `nodeName`."),
        nodeName: field(text, "The node whose plugin `node` refers to."),
      }),
      "Stops or starts a CSI driver's controller or node plugin.",
    ),
    fault: field(
      {
        type: "mapping",
        someKeyOf: ["call", "clear"],
        fields: {
          driver: required(text, "The CSI driver's name."),
          call: field(
            oneOf(...driverCalls),
            "The call that fails; with `clear`, every call if absent.",
          ),
          code: field(
            grpcCode,
            "The gRPC code it fails with, as Go or as gRPC spells it; if absent, the call only takes longer.",
          ),
          message: field(text, "The message it fails with."),
          times: field(wholeNumber, "How many calls; 0 for all from now on, 1 if absent."),
          delay: field(duration, "How much longer the call takes."),
          after: field(boolean, "The call has its effect before it fails."),
          node: field(text, "Only calls to this node's plugin."),
          clear: field(boolean, "Ends the faults of the call, or of every call."),
        },
      },
      "Makes calls to a CSI driver fail or take longer.",
    ),
    expect: field(listOf(expectation), "What must be true now."),
  },
};

export const scenarioShape: MappingShape = mapping({
  title: field(text, "What the scenario shows."),
  profile: field(
    oneOf(...profileNames),
    "The cluster to assume; that of claimcheck.yaml if absent.",
  ),
  seed: field(wholeNumber, "The seed for everything random; 1 if absent."),
  steps: required(listOf(steps), "What is done, in order."),
});
