/**
 * Keeps dataSource and dataSourceRef of a claim the same. Upstream: pkg/api/persistentvolumeclaim/util.go DropDisabledFields,
 * EnforceDataSourceBackwardsCompatibility, NormalizeDataSources, dataSourceIsPvcOrSnapshot, v1.36; the gate
 * CrossNamespaceVolumeDataSource is off.
 */
import type { Mutable } from "../mutable.ts";
import { snapshotGroup } from "../served-instead.ts";
import type { PersistentVolumeClaimSpec } from "../types.ts";

type Spec = Mutable<PersistentVolumeClaimSpec>;

export function prepareDataSources(spec: Spec, old: PersistentVolumeClaimSpec | undefined): void {
  if ((spec.dataSourceRef?.namespace ?? "") !== "" && old?.dataSourceRef === undefined)
    delete spec.dataSourceRef;
  const hadSource = old?.dataSource !== undefined || old?.dataSourceRef !== undefined;
  if (spec.dataSourceRef === undefined && !hadSource && !isKnownSource(spec.dataSource))
    delete spec.dataSource;
  normalizeDataSources(spec);
}

/** Also used for a claim that an older server has stored with one of them. Upstream: storage.go defaultOnReadPvc. */
export function normalizeDataSources(spec: Spec): void {
  if (spec.dataSource !== undefined && spec.dataSourceRef === undefined)
    spec.dataSourceRef = { ...spec.dataSource };
  const ref = spec.dataSourceRef;
  if (ref !== undefined && spec.dataSource === undefined && (ref.namespace ?? "") === "") {
    const { namespace: _, ...local } = ref;
    spec.dataSource = local;
  }
}

function isKnownSource(source: Spec["dataSource"]): boolean {
  return source === undefined || dataSourceGroup(source.kind) === (source.apiGroup ?? "");
}

/** The API group of a kind that dataSource accepts, else undefined. Sources of other kinds or groups are dropped silently. */
export function dataSourceGroup(kind: string): string | undefined {
  if (kind === "PersistentVolumeClaim") return "";
  return kind === "VolumeSnapshot" ? snapshotGroup : undefined;
}
