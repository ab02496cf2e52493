/** Short forms of volumes and claims for the tests of matching. */
import type { PersistentVolume, PersistentVolumeClaim } from "../../../src/engine/api/types.ts";

const modesByShortForm: Readonly<Record<string, string>> = {
  RWO: "ReadWriteOnce",
  ROX: "ReadOnlyMany",
  RWX: "ReadWriteMany",
  RWOP: "ReadWriteOncePod",
};

export function modes(text: string): readonly string[] {
  return text.split(",").flatMap((short) => modesByShortForm[short] ?? []);
}

type VolumeSpec = PersistentVolume["spec"];
type ClaimSpec = PersistentVolumeClaim["spec"];

/** An available volume without a claim. */
export function volume(
  name: string,
  size: string,
  shortModes: string,
  more: {
    spec?: Partial<VolumeSpec>;
    metadata?: Partial<PersistentVolume["metadata"]>;
    phase?: string;
  } = {},
): PersistentVolume {
  const meta = {
    name,
    uid: `uid-${name}`,
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { ...meta, ...more.metadata },
    spec: { capacity: { storage: size }, accessModes: modes(shortModes), ...more.spec },
    status: { phase: more.phase ?? "Available" },
  };
}

/** A pending claim named default/claim01. */
export function claim(
  size: string,
  shortModes: string,
  spec: Partial<ClaimSpec> = {},
): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: "claim01",
      namespace: "default",
      uid: "uid-claim01",
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    spec: { accessModes: modes(shortModes), resources: { requests: { storage: size } }, ...spec },
    status: { phase: "Pending" },
  };
}

export function inZone(zone: string): NonNullable<VolumeSpec["nodeAffinity"]> {
  const matchExpressions = [{ key: "zone", operator: "In", values: [zone] }];
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
}
