/** Reads objects in the notation of upstream-cases.md, and reduces objects to what is compared. */
import type { PersistentVolume, PersistentVolumeClaim } from "../../../../src/engine/api/types.ts";
import { annotation } from "../../../../src/engine/matching/annotations.ts";

const mock = "kubernetes.io/mock-volume";
const accessModes: readonly string[] = ["ReadWriteOnce", "ReadOnlyMany"];
const createdAt = "2026-01-01T00:00:00Z";

const annotationNames: Readonly<Record<string, readonly [string, string]>> = {
  BBC: [annotation.boundByController, "yes"],
  BC: [annotation.bindCompleted, "yes"],
  DP: [annotation.provisionedBy, mock],
  SP: [annotation.storageProvisioner, mock],
  BSP: [annotation.betaStorageProvisioner, mock],
  SN: [annotation.selectedNode, "node1"],
  MT: [annotation.migratedTo, ""],
  PreResize: [annotation.preResizeCapacity, ""],
  BetaClass: ["volume.beta.kubernetes.io/storage-class", "yes"],
};

const finalizerNames: Readonly<Record<string, string>> = {
  IN: "kubernetes.io/pv-controller",
  EX: "external-provisioner.volume.kubernetes.io/finalizer",
};

interface Tokens {
  readonly plain: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
}

/** Expands a name: `V`, `C` and `U` at its start stand for volume, claim and UID of the case. */
function longName(name: string, id: string): string {
  return name
    .replace(/^pvc-U$/, `pvc-uid${id}`)
    .replace(/^V(?![a-z])/, `volume${id}`)
    .replace(/^C(?![a-zS])/, `claim${id}`)
    .replace(/^U(?![a-z])/, `uid${id}`);
}

function tokens(text: string): Tokens {
  const message = /msg=`([^`]*)`/.exec(text);
  const annotations = /\[([^\]]*)\]/.exec(text)?.[1] ?? "";
  const finalizers = /fin\{([^}]*)\}/.exec(text)?.[1] ?? "";
  const words = text
    .replace(/msg=`[^`]*`|\[[^\]]*\]|fin\{[^}]*\}/g, "")
    .split(" ")
    .filter((word) => word !== "");
  const named = new Map(
    words
      .filter((w) => w.includes("="))
      .map((w) => [w.split("=")[0] ?? "", w.slice(w.indexOf("=") + 1)]),
  );
  if (message?.[1] !== undefined) named.set("msg", message[1]);
  return {
    plain: words.filter((word) => !word.includes("=")),
    named,
    annotations: Object.fromEntries(
      annotations
        .split(",")
        .filter((item) => item !== "")
        .map((item) => {
          const [short = "", value] = item.split("=");
          const [name, usual] = annotationNames[short] ?? [short, ""];
          return [name, value ?? usual];
        }),
    ),
    finalizers: finalizers.split(",").flatMap((short) => finalizerNames[short] ?? []),
  };
}

const labels = { foo: "true", bar: "false" };
const phases: Readonly<Record<string, string>> = { Avail: "Available", "(empty)": "" };

export function readVolume(text: string, id: string): PersistentVolume {
  const { plain, named, annotations, finalizers } = tokens(text);
  const [name = "", capacity = "", phase = "", policy = "", ...flags] = plain;
  const ref = named.get("ref");
  const [claimName = "", claimUid = ""] = ref?.split("#") ?? [];
  const source = flags.includes("CSI")
    ? { csi: { driver: "mydriver.csi.k8s.io", volumeHandle: name } }
    : { gcePersistentDisk: { pdName: name } };
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: {
      name: longName(name, id),
      uid: `uid-of-${longName(name, id)}`,
      resourceVersion: "1",
      creationTimestamp: createdAt,
      ...(flags.includes("lbl") && { labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ...(finalizers.length > 0 && { finalizers }),
      ...(flags.includes("DEL") && { deletionTimestamp: createdAt }),
    },
    spec: {
      ...source,
      capacity: { storage: capacity },
      accessModes,
      persistentVolumeReclaimPolicy: policy.replaceAll('"', ""),
      volumeMode: named.get("mode") ?? "Filesystem",
      ...(named.has("cls") && { storageClassName: named.get("cls") ?? "" }),
      ...(named.has("vac") && { volumeAttributesClassName: named.get("vac") ?? "" }),
      ...(ref !== undefined && {
        claimRef: {
          kind: "PersistentVolumeClaim",
          apiVersion: "v1",
          namespace: "default",
          name: longName(claimName, id),
          ...(claimUid !== "-" && {
            uid: claimUid === "C-x" ? `claim${id}-x` : longName(claimUid, id),
          }),
        },
      }),
    },
    status: {
      phase: phases[phase] ?? phase,
      ...(named.has("msg") && { message: named.get("msg") ?? "" }),
    },
  };
}

export function readClaim(text: string, id: string): PersistentVolumeClaim {
  const { plain, named, annotations } = tokens(text);
  const [nameAndUid = "", request = "", volumeName = "", phase = "", ...flags] = plain;
  const [name = "", uid = ""] = nameAndUid.split("#");
  const claimModes = named.get("modes") === "RWX" ? ["ReadWriteMany"] : accessModes;
  const className = named.get("cls");
  const attributesClass = named.get("vac");
  const dataSource = named.get("dataSource")?.split("/");
  const chosen = volumeName.replace("→", "");
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: longName(name, id),
      namespace: "default",
      uid: longName(uid, id),
      resourceVersion: "1",
      creationTimestamp: createdAt,
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      accessModes: claimModes,
      resources: { requests: { storage: request } },
      volumeMode: named.get("mode") ?? "Filesystem",
      ...(chosen !== "∅" && { volumeName: longName(chosen, id) }),
      ...(className !== undefined && { storageClassName: className === '""' ? "" : className }),
      ...(attributesClass !== undefined && { volumeAttributesClassName: attributesClass }),
      ...(flags.includes("sel") && { selector: { matchLabels: labels } }),
      ...(dataSource !== undefined && {
        dataSource: {
          apiGroup: "snapshot.storage.k8s.io",
          kind: dataSource[0] ?? "",
          name: dataSource[1] ?? "",
        },
      }),
    },
    status: claimStatus(phase, claimModes, request, named),
  };
}

function claimStatus(
  phase: string,
  claimModes: readonly string[],
  request: string,
  named: ReadonlyMap<string, string>,
): NonNullable<PersistentVolumeClaim["status"]> {
  const capacity = named.get("cap") ?? (phase === "Bound" ? request : undefined);
  const current = named.get("curVAC") ?? (phase === "Bound" ? named.get("vac") : undefined);
  return {
    phase,
    ...(phase === "Bound" && { accessModes: claimModes }),
    ...(capacity !== undefined && { capacity: { storage: capacity } }),
    ...(current !== undefined && { currentVolumeAttributesClassName: current }),
  };
}

/** Returns what upstream's tests compare of a volume, without versions, times and other controllers' finalizers. */
export function volumeFacts({ metadata, spec, status }: PersistentVolume): unknown {
  const { claimRef } = spec;
  return {
    name: metadata.name,
    annotations: metadata.annotations ?? {},
    finalizers: (metadata.finalizers ?? []).filter((f) => f !== "kubernetes.io/pv-protection"),
    capacity: spec.capacity?.["storage"],
    policy: spec.persistentVolumeReclaimPolicy,
    className: spec.storageClassName ?? "",
    attributesClassName: spec.volumeAttributesClassName ?? "",
    volumeMode: spec.volumeMode,
    claimRef:
      claimRef === undefined ? undefined : [claimRef.namespace, claimRef.name, claimRef.uid ?? ""],
    phase: status?.phase,
    message: status?.message ?? "",
  };
}

export function claimFacts({ metadata, spec, status }: PersistentVolumeClaim): unknown {
  return {
    name: metadata.name,
    uid: metadata.uid,
    annotations: metadata.annotations ?? {},
    volumeName: spec.volumeName ?? "",
    className: spec.storageClassName,
    phase: status?.phase,
    accessModes: status?.accessModes ?? [],
    capacity: status?.capacity?.["storage"] ?? "",
    attributesClassName: status?.currentVolumeAttributesClassName ?? "",
  };
}
