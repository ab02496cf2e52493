/**
 * Claims with their class, volume and driver as far as files tell, and the workloads that use them. Built once for each state
 * of an environment; many rules look things up here.
 */

import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import { compareQuantities, parseQuantity } from "../../../engine/api/quantity.ts";
import { migratedPluginOf, noProvisioner } from "../../../engine/matching/csi-migration.ts";
import type { ClusterProfile } from "../../../engine/scenario.ts";
import { lastWritten } from "../../workspace/environment.ts";
import {
  type Fields,
  fieldsAt,
  fieldsOf,
  itemsOf,
  listAt,
  oncePerObject,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import { assumedManifest } from "../../workspace/objects/assumed-manifest.ts";
import { templateKey } from "../../workspace/objects/claim-templates.ts";
import { writtenClass } from "../../workspace/objects/written-class.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { isNamed } from "../certainty.ts";
import type { EnvironmentContext, ObjectReport, RelatedReport } from "../rule.ts";
import { defaultClassOf } from "./default-class.ts";
import { driverOfProvisioner } from "./driver-facts.ts";
import { isOwned } from "./workload-facts.ts";

export interface ClaimFacts {
  readonly entry: WorkspaceObject;
  /** Path of the claim's spec: in a claim, in a StatefulSet's template, or in a pod's volume. */
  readonly path: Path;
  readonly spec: Fields;
  readonly namespace: string;
  /** "" for templates. */
  readonly name: string;
  readonly modes: readonly string[];
  readonly volumeMode: string;
  /** "" for no class; undefined if the default class is unknown. */
  readonly className: string | undefined;
  /** The manifest of the class. */
  readonly storageClass?: Fields;
  /** The object that defines the class; absent for a class of the assumed cluster. */
  readonly classEntry?: WorkspaceObject;
  /** The volume that the claim names, or that is reserved for it. */
  readonly volume?: WorkspaceObject;
  /** Its CSI driver. */
  readonly driver?: string;
}

/** A pod's volume that is a claim. */
export interface ClaimUse {
  readonly workload: WorkspaceObject;
  /** The volume's name in the pod. */
  readonly volumeName: string;
  /** Where the workload names the claim, or has its template. */
  readonly path: Path;
  /** True for an independent claim, which other pods can use, too; false for one made for each pod. */
  readonly isDirect: boolean;
  /** The pod's volume is read-only. */
  readonly readOnly: boolean;
  readonly claim: ClaimFacts;
}

export interface ClaimIndex {
  /** Claims and templates, in file order. */
  readonly claims: readonly ClaimFacts[];
  readonly uses: readonly ClaimUse[];
  readonly usesOf: ReadonlyMap<ClaimFacts, readonly ClaimUse[]>;
  readonly usesBy: ReadonlyMap<WorkspaceObject, readonly ClaimUse[]>;
  /** The claim of that name, or the StatefulSet's template that makes it. */
  find(namespace: string, name: string): ClaimFacts | undefined;
  /** Volumes by class. */
  readonly volumes: ReadonlyMap<string, readonly WorkspaceObject[]>;
  /** By class name, how many claims and templates name it. */
  readonly claimCounts: ReadonlyMap<string, number>;
}

export function claimIndex(context: EnvironmentContext): ClaimIndex {
  const steps = indexClaims(context);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Builds the index for later callers. Yields often. */
export function* indexClaims(context: EnvironmentContext): Generator<void, ClaimIndex> {
  const known = indexes.get(context);
  if (known !== undefined) return known;
  const made = yield* makeIndex(context);
  indexes.set(context, made);
  return made;
}

const indexes = new WeakMap<EnvironmentContext, ClaimIndex>();

function* makeIndex(context: EnvironmentContext): Generator<void, ClaimIndex> {
  const { environment } = context;
  const volumes = new Map<string, WorkspaceObject[]>();
  const reserved = new Map<string, WorkspaceObject>();
  for (const entry of environment.objects) {
    if (entry.object.kind !== "PersistentVolume" || !entry.object.served) continue;
    const spec = fieldsAt(entry.object.value, "spec");
    push(volumes, writtenClass(entry.object.value) ?? "", entry);
    const { namespace, name } = fieldsAt(spec, "claimRef");
    if (typeof name === "string") reserved.set(`${namespace}/${name}`, entry);
  }
  const factsOf = factsMaker(context, reserved);
  const byEntry = new Map<WorkspaceObject, ClaimFacts>();
  const byTemplate = new Map<string, ClaimFacts>();
  for (const entry of environment.objects) {
    yield;
    const { object } = entry;
    if (object.kind === "PersistentVolumeClaim" && object.served)
      byEntry.set(entry, factsOf(entry, [], object.value, object.name));
    if (object.kind !== "StatefulSet" || !object.served) continue;
    for (const { fields, path } of claimTemplatesOf(entry))
      byTemplate.set(
        `${object.namespace}/${textAt(fields, "metadata", "name")}-${object.name}`,
        factsOf(entry, path, fields, ""),
      );
  }
  const find = (namespace: string, name: string): ClaimFacts | undefined => {
    const entry = lastWritten(environment, "PersistentVolumeClaim", namespace, name);
    if (entry !== undefined) return byEntry.get(entry);
    const key = templateKey(namespace, name);
    return key === undefined ? undefined : byTemplate.get(key);
  };
  const uses: ClaimUse[] = [];
  for (const entry of environment.objects) {
    yield;
    if (isOwned(entry.object)) continue;
    uses.push(...usesIn(entry, find, byTemplate, factsOf));
  }
  const ephemeral = uses.flatMap(({ claim, isDirect }) =>
    isDirect || claim.path[1] === "volumeClaimTemplates" ? [] : [claim],
  );
  const claims = [...byEntry.values(), ...byTemplate.values(), ...ephemeral];
  const claimCounts = new Map<string, number>();
  for (const { className = "" } of claims)
    claimCounts.set(className, (claimCounts.get(className) ?? 0) + 1);
  return {
    claims,
    claimCounts,
    uses,
    usesOf: groupBy(uses, ({ claim }) => claim),
    usesBy: groupBy(uses, ({ workload }) => workload),
    find,
    volumes,
  };
}

type MakeFacts = (entry: WorkspaceObject, path: Path, claim: Fields, name: string) => ClaimFacts;

function factsMaker(
  context: EnvironmentContext,
  reserved: ReadonlyMap<string, WorkspaceObject>,
): MakeFacts {
  const { environment, cluster } = context;
  const defaultClass = trustedDefaultClass(context);
  return (entry, path, claim, name) => {
    const spec = fieldsAt(claim, "spec");
    const { namespace } = entry.object;
    const className = writtenClass(claim) ?? defaultClass;
    const classEntry = lastWritten(environment, "StorageClass", undefined, className);
    const classRef = makeRef("StorageClass", undefined, className ?? "");
    const storageClass = classEntry?.object.value ?? assumedManifest(cluster, classRef);
    const volumeName = textAt(spec, "volumeName") ?? "";
    const volume =
      volumeName === ""
        ? reserved.get(`${namespace}/${name}`)
        : lastWritten(environment, "PersistentVolume", undefined, volumeName);
    const volumeThere = volume?.object.value ?? boundVolume(cluster, namespace, name);
    const driver =
      volumeThere === undefined ? driverOfClass(storageClass) : driverOfVolume(volumeThere);
    return {
      entry,
      path: [...path, "spec"],
      spec,
      namespace,
      name,
      modes: listAt(spec, "accessModes").filter((mode) => typeof mode === "string"),
      volumeMode: textAt(spec, "volumeMode") ?? "Filesystem",
      className,
      ...(storageClass !== undefined && { storageClass }),
      ...(classEntry !== undefined && { classEntry }),
      ...(volume !== undefined && { volume }),
      ...(driver !== undefined && { driver }),
    };
  };
}

/** The default class of a merely assumed cluster does not tell which class is meant. */
function trustedDefaultClass(context: EnvironmentContext): string | undefined {
  const name = defaultClassOf(context);
  const { profileFrom, environment } = context;
  const isMeant =
    isNamed(profileFrom) ||
    profileFrom === "imported" ||
    environment.byRef.has(`StorageClass//${name}`);
  return isMeant ? name : undefined;
}

function driverOfClass(storageClass: Fields | undefined): string | undefined {
  const provisioner = textAt(storageClass ?? {}, "provisioner");
  return provisioner === undefined ? undefined : driverOfProvisioner(provisioner);
}

/** The volume that the claim is bound to in an imported cluster. */
function boundVolume(cluster: ClusterProfile, namespace: string, name: string): Fields | undefined {
  if (name === "") return undefined;
  const claim = assumedManifest(cluster, makeRef("PersistentVolumeClaim", namespace, name));
  const volumeName = textAt(claim ?? {}, "spec", "volumeName") ?? "";
  return assumedManifest(cluster, makeRef("PersistentVolume", undefined, volumeName));
}

function driverOfVolume(volume: Fields): string | undefined {
  const spec = fieldsAt(volume, "spec");
  const plugin = migratedPluginOf(spec);
  return plugin === undefined ? textAt(spec, "csi", "driver") : driverOfProvisioner(plugin);
}

function claimTemplatesOf({ object }: WorkspaceObject): ReturnType<typeof itemsOf> {
  const place = ["spec", "volumeClaimTemplates"];
  return itemsOf(fieldsAt(object.value, "spec")["volumeClaimTemplates"], place);
}

function* usesIn(
  workload: WorkspaceObject,
  find: ClaimIndex["find"],
  byTemplate: ReadonlyMap<string, ClaimFacts>,
  factsOf: MakeFacts,
): Iterable<ClaimUse> {
  const { namespace, name, kind, served } = workload.object;
  for (const { fields, path } of kind === "StatefulSet" && served
    ? claimTemplatesOf(workload)
    : []) {
    const volumeName = textAt(fields, "metadata", "name");
    const claim = byTemplate.get(`${namespace}/${volumeName}-${name}`);
    if (volumeName === undefined || claim === undefined) continue;
    yield { workload, volumeName, path, isDirect: false, readOnly: false, claim };
  }
  for (const { volumeName, path, template, claimName, readOnly } of claimVolumesOf(
    workload.object,
  )) {
    if (template !== undefined) {
      const claim = factsOf(workload, path, template, "");
      yield { workload, volumeName, path, isDirect: false, readOnly, claim };
      continue;
    }
    const claim = find(namespace, claimName);
    if (claim !== undefined) yield { workload, volumeName, path, isDirect: true, readOnly, claim };
  }
}

interface ClaimVolume {
  readonly volumeName: string;
  /** Path of the claim's name or template. */
  readonly path: Path;
  readonly template?: Fields;
  /** "" if there is a template. */
  readonly claimName: string;
  readonly readOnly: boolean;
}

const claimVolumesOf = oncePerObject((object) =>
  podVolumesOf(object).flatMap(({ fields, path }): ClaimVolume[] => {
    const volumeName = textAt(fields, "name");
    if (volumeName === undefined) return [];
    const template = fieldsAt(fields, "ephemeral", "volumeClaimTemplate");
    if (Object.keys(template).length > 0) {
      const place = [...path, "ephemeral", "volumeClaimTemplate"];
      return [{ volumeName, path: place, template, claimName: "", readOnly: false }];
    }
    const source = fieldsAt(fields, "persistentVolumeClaim");
    const claimName = textAt(source, "claimName");
    if (claimName === undefined) return [];
    const place = [...path, "persistentVolumeClaim", "claimName"];
    return [{ volumeName, path: place, claimName, readOnly: source["readOnly"] === true }];
  }),
);

/** The claim's access modes, as a related place of a finding. */
export function modesOf({ entry, path, modes }: ClaimFacts): RelatedReport {
  return {
    entry,
    path: [...path, "accessModes"],
    message: `The claim's access modes: ${modes.join(", ")}`,
  };
}

/** `restsOn` and `assumes` for a finding that depends on the drivers of these claims. */
export function driverBasis(
  ...claims: readonly (ClaimFacts | undefined)[]
): Pick<ObjectReport, "restsOn" | "assumes"> {
  const known = claims.filter((claim) => claim !== undefined);
  return {
    restsOn: known.flatMap(({ entry, classEntry, volume }) =>
      [entry, volume ?? classEntry].filter((basis) => basis !== undefined),
    ),
    assumes: known.some(
      ({ volume, classEntry }) => volume === undefined && classEntry === undefined,
    ),
  };
}

/** True if a volume in files could be bound to the claim, so that none is provisioned. */
export function mayBindStatically(index: ClaimIndex, claim: ClaimFacts): boolean {
  if (claim.volume !== undefined || textAt(claim.spec, "volumeName") !== undefined) return true;
  return hasVolume(index, claim, claim.className ?? "");
}

/** True if the claim names no class, and the default class keeps it from binding to a volume without a class. */
export function missesClasslessVolume(index: ClaimIndex, claim: ClaimFacts): boolean {
  const namesClass = writtenClass(claim.entry.object.value) !== undefined;
  return claim.name !== "" && !namesClass && hasVolume(index, claim, "");
}

function hasVolume({ volumes }: ClaimIndex, claim: ClaimFacts, className: string): boolean {
  return (volumes.get(className) ?? []).some(({ object }) => {
    if (claim.name !== "" && isReserved(object)) return false;
    const offered = listAt(object.value, "spec", "accessModes");
    return claim.modes.every((mode) => offered.includes(mode));
  });
}

/** The claim with the volume that it will get, if only one in files fits and no other claim wants that class; else as it is. */
export function boundFacts(index: ClaimIndex, claim: ClaimFacts): ClaimFacts {
  const volume = claim.volume ?? soleVolume(index, claim);
  return volume === undefined || volume === claim.volume ? claim : withVolume(claim, volume);
}

/** If a class has more volumes, the others are assumed to be similar. */
const templateVolumesMax = 50;

/** The template with each volume that one of its claims may get; nothing if volumes are provisioned for them. */
export function* boundTemplates(index: ClaimIndex, claim: ClaimFacts): Iterable<ClaimFacts> {
  if (claim.name !== "" || isProvisioned(index, claim)) return;
  let count = 0;
  for (const volume of fittingVolumes(index, claim)) {
    yield withVolume(claim, volume);
    if (++count === templateVolumesMax) return;
  }
}

function withVolume({ driver: _, ...facts }: ClaimFacts, volume: WorkspaceObject): ClaimFacts {
  const driver = driverOfVolume(volume.object.value);
  return { ...facts, volume, ...(driver !== undefined && { driver }) };
}

function soleVolume(index: ClaimIndex, claim: ClaimFacts): WorkspaceObject | undefined {
  if (claim.name === "" || (index.claimCounts.get(claim.className ?? "") ?? 0) > 1)
    return undefined;
  const [volume, other] = fittingVolumes(index, claim);
  return other === undefined ? volume : undefined;
}

function* fittingVolumes(index: ClaimIndex, claim: ClaimFacts): Generator<WorkspaceObject> {
  const { className, spec, modes, volumeMode } = claim;
  if (className === undefined || textAt(spec, "volumeName") !== undefined) return;
  const { matchLabels, matchExpressions } = fieldsAt(spec, "selector");
  const asked = parseQuantity(textAt(spec, "resources", "requests", "storage") ?? "");
  if (matchExpressions !== undefined || asked === undefined) return;
  for (const entry of index.volumes.get(className) ?? []) {
    const { object } = entry;
    const offered = fieldsAt(object.value, "spec");
    const size = parseQuantity(textAt(offered, "capacity", "storage") ?? "");
    const labels = fieldsAt(object.value, "metadata", "labels");
    const fits =
      !isReserved(object) &&
      modes.every((mode) => listAt(offered, "accessModes").includes(mode)) &&
      volumeMode === (textAt(offered, "volumeMode") ?? "Filesystem") &&
      size !== undefined &&
      compareQuantities(size, asked) >= 0 &&
      Object.entries(fieldsOf(matchLabels)).every(([key, value]) => labels[key] === value);
    if (fits) yield entry;
  }
}

/** True if the volume is reserved for a particular claim: no other claim can have it. */
function isReserved({ value }: ManifestObject): boolean {
  const { namespace, name } = fieldsAt(value, "spec", "claimRef");
  return [namespace, name].every((part) => typeof part === "string" && part !== "");
}

/** True if a provisioner makes the claim's volume, as far as files tell. */
export function isProvisioned(index: ClaimIndex, claim: ClaimFacts): boolean {
  const { driver } = claim;
  if (driver === undefined || driver === noProvisioner) return false;
  if (claim.spec["selector"] !== undefined) return false;
  return !mayBindStatically(index, claim);
}

function groupBy<K>(
  uses: readonly ClaimUse[],
  keyOf: (use: ClaimUse) => K,
): ReadonlyMap<K, readonly ClaimUse[]> {
  const map = new Map<K, ClaimUse[]>();
  for (const use of uses) push(map, keyOf(use), use);
  return map;
}
