/**
 * Objects and events as a recording keeps them: what differs from run to run by nature is removed or given a stable name. The
 * rules are those of the program that made the recordings.
 */
import { createHash } from "node:crypto";

type Value = Readonly<Record<string, unknown>>;
interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generateName?: string;
  readonly creationTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
}
export interface Named {
  readonly kind: string;
  readonly metadata: Meta;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Maps uids to readable placeholders, and generated names to stable names. */
export class Names {
  readonly #uids = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #longestFirst: [string, string][] = [];

  learn(objects: readonly Named[]): void {
    this.#learnGenerated(objects);
    this.#learnHashes(objects);
    for (const object of objects) this.#learnAttachment(object);
    for (const object of objects) this.#learnHandle(object);
    this.#longestFirst = [...this.#names].sort(([a], [b]) => b.length - a.length);
    for (const { kind, metadata } of objects) {
      if (metadata.uid === undefined || this.#uids.has(metadata.uid)) continue;
      this.#uids.set(
        metadata.uid,
        `<uid ${kind}/${metadata.namespace ?? ""}/${this.text(metadata.name)}>`,
      );
    }
  }

  #taken(prefix: string): number {
    return [...this.#names.values()].filter((name) => name.startsWith(prefix)).length;
  }

  #learnGenerated(objects: readonly Named[]): void {
    const generated = objects.filter(
      ({ metadata }) =>
        metadata.generateName !== undefined &&
        metadata.name.startsWith(metadata.generateName) &&
        metadata.ownerReferences?.[0]?.kind !== "StatefulSet",
    );
    const made = (o: Named): string => o.metadata.creationTimestamp ?? "";
    for (const { metadata } of generated.sort(
      (a, b) => compare(made(a), made(b)) || compare(a.metadata.name, b.metadata.name),
    )) {
      if (this.#names.has(metadata.name)) continue;
      this.#names.set(
        metadata.name,
        `${metadata.generateName}<${this.#taken(`${metadata.generateName}<`)}>`,
      );
    }
  }

  #learnHashes(objects: readonly Named[]): void {
    for (const { kind, metadata } of objects) {
      if (kind !== "ReplicaSet" && kind !== "ControllerRevision") continue;
      const owner = metadata.ownerReferences?.[0]?.name;
      if (
        owner === undefined ||
        !metadata.name.startsWith(`${owner}-`) ||
        this.#names.has(metadata.name)
      )
        continue;
      const taken = this.#taken(`${owner}-<hash`);
      this.#names.set(metadata.name, `${owner}-<hash${taken}>`);
      const hash =
        metadata.labels?.["pod-template-hash"] ?? metadata.labels?.["controller-revision-hash"];
      if (hash !== undefined && !this.#names.has(hash)) this.#names.set(hash, `<hash${taken}>`);
    }
  }

  #learnAttachment(object: Named): void {
    const { name } = object.metadata;
    if (
      object.kind !== "VolumeAttachment" ||
      this.#names.has(name) ||
      !/^csi-[0-9a-f]{64}$/.test(name)
    )
      return;
    const { source, attacher, nodeName } = (
      object as unknown as {
        spec: { source?: { persistentVolumeName?: string }; attacher: string; nodeName: string };
      }
    ).spec;
    this.#names.set(
      name,
      `csi-<hash ${source?.persistentVolumeName ?? "inline"} ${attacher} ${nodeName}>`,
    );
  }

  #learnHandle(object: Named): void {
    if (object.kind !== "PersistentVolume") return;
    const handle = (object as unknown as { spec?: { csi?: { volumeHandle?: string } } }).spec?.csi
      ?.volumeHandle;
    if (handle === undefined) return;
    const hash = createHash("sha256").update(handle).digest("hex");
    if (!this.#names.has(hash))
      this.#names.set(hash, `<sha256 of the volumeHandle of ${object.metadata.name}>`);
  }

  text(text: string): string {
    let s = text;
    for (const [from, to] of this.#longestFirst) if (s.includes(from)) s = s.split(from).join(to);
    s = s
      .replace(/\b(\d+\.\d+|\d+)(ms|µs|us)\b/g, "<duration>")
      .replace(/\b\d{13}-\d+-(?=[a-z])/g, "<provisioner identity>-")
      .replace(/\b[0-9a-f]{64}\b/g, "<sha256>");
    if (/[0-9a-f]{8}-[0-9a-f]{4}/.test(s))
      for (const [uid, to] of this.#uids) if (s.includes(uid)) s = s.split(uid).join(to);
    return s;
  }

  deep(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.deep(item));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [this.text(key), this.deep(item)]),
      );
    }
    return value;
  }
}

const times =
  /^(creationTimestamp|lastTransitionTime|lastProbeTime|lastHeartbeatTime|lastUpdateTime|lastPhaseTransitionTime|startTime|startedAt|finishedAt|creationTime|timeAdded|renewTime|acquireTime|time|observedGeneration|containerID|imageID|resourceVersion|lastScheduleTime|completionTime|deletionTimestamp)$/;

function dropTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropTimes);
  if (typeof value !== "object" || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (!times.test(key)) kept[key] = dropTimes(item);
    else if (key === "deletionTimestamp") kept[key] = "<set>";
  }
  return kept;
}

/** Fields that Go writes as null if they are empty: pointers and lists without omitempty. By the name of the parent. */
const goNulls: Readonly<Record<string, string>> = {
  dataSource: "apiGroup",
  dataSourceRef: "apiGroup",
  azureFile: "secretNamespace",
  projected: "sources",
  scaleIO: "secretRef",
};

function withGoNulls(value: unknown, key = "", isVolume = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withGoNulls(item));
  if (typeof value !== "object" || value === null) return value;
  const inVolume = isVolume || (value as { kind?: unknown }).kind === "PersistentVolume";
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) kept[name] = withGoNulls(item, name, inVolume);
  const field = goNulls[key];
  if (field !== undefined && (key !== "azureFile" || isVolume)) kept[field] ??= null;
  return kept;
}

const sortBy = <T>(list: readonly T[], key: keyof T): T[] =>
  [...list].sort((a, b) => compare(String(a[key]), String(b[key])));

export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => compare(a, b))
      .map(([key, item]) => [key, sortKeys(item)]),
  );
}

/** One object as recorded. Nodes and pods are reduced to what concerns storage. */
export function normaliseObject(object: Named, names: Names): Value {
  const copy = structuredClone(object) as unknown as Record<string, Record<string, unknown>>;
  const metadata = copy["metadata"] ?? {};
  for (const key of [
    "managedFields",
    "resourceVersion",
    "creationTimestamp",
    "generation",
    "selfLink",
    "deletionGracePeriodSeconds",
  ])
    delete metadata[key];
  const annotations = metadata["annotations"] as Record<string, string> | undefined;
  if (annotations !== undefined) {
    delete annotations["kubectl.kubernetes.io/last-applied-configuration"];
    delete annotations["deprecated.daemonset.template.generation"];
  }
  if (object.kind === "Node") return nodeSummary(copy, names);
  const spec = copy["spec"] as { drivers?: { name: string }[] | null } | undefined;
  if (object.kind === "CSINode" && spec !== undefined)
    spec.drivers = spec.drivers?.length ? sortBy(spec.drivers, "name") : null;
  if (object.kind === "Pod")
    copy["status"] = podStatusSummary((copy["status"] ?? {}) as unknown as PodStatus);
  const out = names.deep(withGoNulls(dropTimes(copy))) as Record<string, Record<string, unknown>>;
  const conditions = out["status"]?.["conditions"];
  if (Array.isArray(conditions))
    (out["status"] as Record<string, unknown>)["conditions"] = sortBy(
      conditions as { type: string }[],
      "type",
    );
  return sortKeys(out) as Value;
}

interface PodStatus {
  readonly phase?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly nominatedNodeName?: string;
  readonly conditions?: readonly {
    type: string;
    status: string;
    reason?: string;
    message?: string;
  }[];
  readonly containerStatuses?: readonly {
    name: string;
    ready: boolean;
    state?: { waiting?: { reason?: string; message?: string } };
  }[];
}

function podStatusSummary(status: PodStatus): Record<string, unknown> {
  const { phase, reason, message, nominatedNodeName } = status;
  return {
    phase,
    ...(reason && { reason }),
    ...(message && { message }),
    conditions: sortBy(
      (status.conditions ?? []).map((c) => ({
        type: c.type,
        status: c.status,
        ...(c.reason && { reason: c.reason }),
        ...(c.message && { message: c.message }),
      })),
      "type",
    ),
    ...(nominatedNodeName && { nominatedNodeName }),
    containers: (status.containerStatuses ?? []).map((c) => ({
      name: c.name,
      ready: c.ready,
      state: Object.keys(c.state ?? {})[0],
      ...(c.state?.waiting && { reason: c.state.waiting.reason, message: c.state.waiting.message }),
    })),
  };
}

interface NodeShape {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly { key: string; value?: string; effect: string }[];
  };
  readonly status?: {
    readonly conditions?: readonly { type: string; status: string }[];
    readonly volumesAttached?: readonly { name: string; devicePath: string }[];
    readonly volumesInUse?: readonly string[];
  };
}

/** Sorts volumes by their readable names, as the real ones contain uids. */
function nodeSummary(raw: unknown, names: Names): Value {
  const { apiVersion, kind, metadata, spec, status } = raw as NodeShape;
  const taints = (spec?.taints ?? []).map(({ key, value, effect }) => ({
    key,
    ...(value && { value }),
    effect,
  }));
  const attached = names.deep(status?.volumesAttached ?? []) as readonly { name: string }[];
  const inUse = names.deep(status?.volumesInUse ?? []) as readonly string[];
  const summary = {
    apiVersion,
    kind,
    metadata: { name: metadata.name },
    spec: {
      ...(spec?.unschedulable && { unschedulable: true }),
      ...(taints.length > 0 && { taints }),
    },
    status: {
      ready: status?.conditions?.find((c) => c.type === "Ready")?.status,
      ...(attached.length > 0 && { volumesAttached: sortBy(attached, "name") }),
      ...(inUse.length > 0 && { volumesInUse: [...inUse].sort(compare) }),
    },
  };
  return names.deep(summary) as Value;
}
