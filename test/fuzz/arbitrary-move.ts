/** Random moves: what users do to a cluster, and what happens to its nodes and drivers. */
import fc from "fast-check";
import type { Kind } from "../../src/engine/api/meta.ts";
import { driverCalls, type Manifest, type Step } from "../../src/engine/scenario.ts";
import {
  attachedDriver,
  attributesClasses,
  defaultClassAnnotation,
  dynamicClasses,
} from "./arbitrary-cluster.ts";
import { faultyDriver } from "./arbitrary-objects.ts";
import type { KnownObjects } from "./known-objects.ts";

/** Returns the steps of a move, given the objects that the scenario has applied so far. */
export type Move = (known: KnownObjects) => readonly Step[];

/** A number by which a move picks one of the objects that it can be about. */
export const someObject: fc.Arbitrary<number> = fc.nat({ max: 11 });
const choice = someObject;

const bringing = (objects: fc.Arbitrary<readonly Manifest[]>): fc.Arbitrary<Move> =>
  objects.map(
    (manifests): Move =>
      (known) => {
        known.add(manifests);
        return [{ type: "apply", manifests }];
      },
  );

/** From shorter than a write takes to reach the caches, to longer than the force detach of a dead node's volumes takes. */
const pause = fc
  .oneof(
    { arbitrary: fc.integer({ min: 1, max: 50 }), weight: 3 },
    { arbitrary: fc.integer({ min: 100, max: 5_000 }), weight: 3 },
    { arbitrary: fc.integer({ min: 10_000, max: 70_000 }), weight: 2 },
    { arbitrary: fc.constantFrom(310_000, 420_000), weight: 1 },
  )
  .map(
    (ms): Move =>
      () => [{ type: "advance", ms }],
  );

const rest = fc.constant<Move>(() => [{ type: "settle" }]);

const workloads = ["StatefulSet", "Deployment", "DaemonSet", "Job"] as const;
const deletable: readonly [Kind, ...Kind[]] = [
  "PersistentVolumeClaim",
  "Pod",
  "PersistentVolume",
  "VolumeSnapshot",
  ...workloads,
];

const removal = fc
  .record({
    choice,
    grace: fc.constantFrom(undefined, undefined, 0, 1),
    propagationPolicy: fc.constantFrom(
      undefined,
      "Background" as const,
      "Foreground" as const,
      "Orphan" as const,
    ),
  })
  .map(
    ({ choice: which, grace, propagationPolicy }): Move =>
      (known) => {
        const target = known.pick(deletable, which);
        const isWorkload = workloads.some((kind) => kind === target.kind);
        return [
          {
            type: "delete",
            objects: [
              {
                ...target,
                ...(target.kind === "Pod" && grace !== undefined && { grace }),
                ...(isWorkload && propagationPolicy !== undefined && { propagationPolicy }),
              },
            ],
          },
        ];
      },
  );

const podRemoval = fc.record({ choice, force: fc.boolean() }).map(
  ({ choice: which, force }): Move =>
    (known) => [
      { type: "delete", objects: [{ ...known.pick(["Pod"], which), ...(force && { grace: 0 }) }] },
    ],
);

const resize = fc.record({ choice, size: fc.constantFrom("2Gi", "3Gi", "6Gi", "20Gi") }).map(
  ({ choice: which, size }): Move =>
    (known) => [
      {
        type: "patch",
        object: known.pick(["PersistentVolumeClaim"], which),
        patch: { spec: { resources: { requests: { storage: size } } } },
      },
    ],
);

const attributes = fc
  .record({ choice, name: fc.constantFrom(...attributesClasses, "missing") })
  .map(
    ({ choice: which, name }): Move =>
      (known) => [
        {
          type: "patch",
          object: known.pick(["PersistentVolumeClaim"], which),
          patch: { spec: { volumeAttributesClassName: name } },
        },
      ],
  );

const scale = fc.record({ choice, replicas: fc.integer({ min: 0, max: 3 }) }).map(
  ({ choice: which, replicas }): Move =>
    (known) => [
      { type: "scale", object: known.pick(["StatefulSet", "Deployment"], which), replicas },
    ],
);

const rollOut = fc.record({ choice, version: fc.integer({ min: 1, max: 3 }) }).map(
  ({ choice: which, version }): Move =>
    (known) => [
      {
        type: "patch",
        object: known.pick(["StatefulSet", "Deployment", "DaemonSet"], which),
        patch: { spec: { template: { metadata: { annotations: { version: `${version}` } } } } },
      },
    ],
);

const codes = [
  "Internal",
  "Unavailable",
  "ResourceExhausted",
  "DeadlineExceeded",
  "Aborted",
  "InvalidArgument",
  "NotFound",
  "AlreadyExists",
  "FailedPrecondition",
  "OutOfRange",
  "Unknown",
] as const;

const driverFault = fc
  .record({
    driver: faultyDriver,
    call: fc.constantFrom(...driverCalls),
    code: fc.constantFrom(undefined, ...codes),
    /** 0: until the faults are healed. */
    times: fc.constantFrom(0, 1, 1, 2, 5),
    after: fc.boolean(),
    delayMs: fc.constantFrom(0, 0, 500, 20_000, 150_000),
  })
  .map(
    ({ code, ...fault }): Move =>
      () => [
        {
          type: "fault",
          fault: { message: "injected", ...fault, ...(code !== undefined && { code }) },
        },
      ],
  );

const kubelet = fc
  .record({ choice, kubelet: fc.constantFrom("down", "up", "restart", "restart") })
  .map(
    ({ choice: which, kubelet: state }): Move =>
      (known) => [
        { type: "node", name: known.node(which), kubelet: state as "down" | "up" | "restart" },
      ],
  );

/** A node that is down long enough for its pods to be evicted or its volumes to be detached. */
const deadNode = fc
  .record({ choice, ms: fc.constantFrom(60_000, 345_000, 800_000), outOfService: fc.boolean() })
  .map(
    ({ choice: which, ms, outOfService }): Move =>
      (known) => {
        const name = known.node(which);
        const taint = {
          key: "node.kubernetes.io/out-of-service",
          value: "nodeshutdown",
          effect: "NoExecute",
        };
        return [
          { type: "node", name, kubelet: "down" },
          ...(outOfService
            ? [
                { type: "advance", ms: 50_000 } as const,
                {
                  type: "patch",
                  object: { kind: "Node", name },
                  patch: { spec: { taints: [taint] } },
                } as const,
              ]
            : []),
          { type: "advance", ms },
        ];
      },
  );

const nodeRemoval = fc.record({ choice, isDown: fc.boolean() }).map(
  ({ choice: which, isDown }): Move =>
    (known) => {
      const name = known.node(which);
      return [
        ...(isDown ? [{ type: "node", name, kubelet: "down" } as const] : []),
        { type: "delete", objects: [{ kind: "Node", name }] },
      ];
    },
);

const cordon = fc.record({ choice, unschedulable: fc.boolean() }).map(
  ({ choice: which, unschedulable }): Move =>
    (known) => [
      {
        type: "patch",
        object: { kind: "Node", name: known.node(which) },
        patch: { spec: { unschedulable } },
      },
    ],
);

const drain = choice.map(
  (which): Move =>
    (known) => [{ type: "drain", name: known.node(which) }],
);

const driverOutage = fc
  .record({
    name: faultyDriver,
    choice: fc.option(choice, { nil: undefined }),
    state: fc.constantFrom("up" as const, "down" as const, "down" as const),
  })
  .map(
    ({ name, choice: which, state }): Move =>
      (known) => [
        which === undefined
          ? { type: "driver", name, controller: state }
          : { type: "driver", name, node: state, nodeName: known.node(which) },
      ],
  );

const defaultClass = fc
  .record({ name: fc.constantFrom(...dynamicClasses), isDefault: fc.boolean() })
  .map(
    ({ name, isDefault }): Move =>
      () => [
        {
          type: "patch",
          object: { kind: "StorageClass", name },
          patch: { metadata: { annotations: { [defaultClassAnnotation]: String(isDefault) } } },
        },
      ],
  );

/** Makes a Released volume available again, or changes the reclaim policy. */
const volumeChange = fc
  .record({
    choice,
    spec: fc.constantFrom(
      { claimRef: null },
      { persistentVolumeReclaimPolicy: "Retain" },
      { persistentVolumeReclaimPolicy: "Delete" },
    ),
  })
  .map(
    ({ choice: which, spec }): Move =>
      (known) => [
        { type: "patch", object: known.pick(["PersistentVolume"], which), patch: { spec } },
      ],
  );

const classRemoval = fc
  .constantFrom(
    { kind: "StorageClass", name: "block" } as const,
    { kind: "VolumeAttributesClass", name: "silver" } as const,
    { kind: "VolumeSnapshotClass", name: "snapshots" } as const,
    { kind: "CSIDriver", name: attachedDriver } as const,
  )
  .map(
    (target): Move =>
      () => [{ type: "delete", objects: [target] }],
  );

/** Any move; moves that apply objects take them from `objects`. */
export const arbitraryMove = (objects: fc.Arbitrary<readonly Manifest[]>): fc.Arbitrary<Move> =>
  fc.oneof(
    { arbitrary: pause, weight: 7 },
    { arbitrary: rest, weight: 7 },
    { arbitrary: bringing(objects), weight: 5 },
    { arbitrary: removal, weight: 5 },
    { arbitrary: driverFault, weight: 8 },
    { arbitrary: podRemoval, weight: 3 },
    { arbitrary: resize, weight: 3 },
    { arbitrary: scale, weight: 3 },
    { arbitrary: attributes, weight: 2 },
    { arbitrary: rollOut, weight: 2 },
    { arbitrary: kubelet, weight: 3 },
    { arbitrary: driverOutage, weight: 3 },
    { arbitrary: drain, weight: 2 },
    { arbitrary: cordon, weight: 1 },
    { arbitrary: deadNode, weight: 2 },
    { arbitrary: nodeRemoval, weight: 1 },
    { arbitrary: defaultClass, weight: 1 },
    { arbitrary: volumeChange, weight: 1 },
    { arbitrary: classRemoval, weight: 1 },
  );
