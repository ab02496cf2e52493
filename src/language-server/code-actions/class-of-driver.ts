/** For a class of the wrong driver: offers classes of the right driver, or writes a new VolumeSnapshotClass. */
import type { Kind } from "../../engine/api/meta.ts";
import {
  defaultSecretKeys,
  type Parameters,
  secretKeys,
  snapshotSecretKeys,
} from "../../engine/csi/catalogue/sidecar-parameters.ts";
import { type ClaimFacts, claimIndex } from "../diagnostics/facts/claim-facts.ts";
import { driverOfProvisioner } from "../diagnostics/facts/driver-facts.ts";
import { driverOfSnapshot, sourceOfSnapshot } from "../diagnostics/facts/snapshot-facts.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { datasourceDriver, sourceOf } from "../diagnostics/rules/data-source.ts";
import { snapshotNoDefault } from "../diagnostics/rules/snapshot-cause.ts";
import { vacDriver } from "../diagnostics/rules/volume-attributes.ts";
import { snapshotClassDriver } from "../diagnostics/rules/volume-snapshot.ts";
import { type Target, targetAt } from "../features/target.ts";
import { fieldsAt, startsWithPath, textAt } from "../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import type { Path } from "../yaml/place.ts";
import {
  type ActionContext,
  type CodeAction,
  classesOfKind,
  offer,
  ruleContext,
} from "./code-action.ts";
import { fieldEdit } from "./field-edit.ts";
import { canFollow, documentsAfter } from "./written-manifest.ts";

interface Wanted {
  readonly kind: Kind;
  readonly driver: string | undefined;
  /** The field in which a class of this kind names its driver. */
  readonly driverField: string;
  /** The field in which the object names its class. */
  readonly path: Path;
}

/** A menu with more classes would be no help. */
const classCountMax = 5;

export function classOfDriver(
  context: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  const want = wanted.get(diagnostic.code);
  const target = want && targetAt(context.analysis.environment, context.file, diagnostic.start);
  const found = target && want?.(context, target);
  if (target === undefined || found?.driver === undefined) return [];
  const { kind, driver, driverField, path } = found;
  const fitting = classesOfKind(context, kind).filter(
    (value) => driverOfProvisioner(textAt(value, driverField) ?? "") === driver,
  );
  if (fitting.length === 0 && kind === "VolumeSnapshotClass")
    return newSnapshotClass(context, target, found, driver, diagnostic);
  return fitting.slice(0, classCountMax).flatMap((value) => {
    const name = textAt(value, "metadata", "name") ?? "";
    const edit = fieldEdit(target.built, path, name);
    return offer(`Use ${kind} “${name}”`, [edit], diagnostic);
  });
}

const wanted: ReadonlyMap<string, (context: ActionContext, target: Target) => Wanted | undefined> =
  new Map([
    [snapshotClassDriver.id, forSnapshot],
    [snapshotNoDefault.id, forSnapshot],
    [vacDriver.id, forAttributes],
    [datasourceDriver.id, forCopy],
  ]);

function forSnapshot(context: ActionContext, { built }: Target): Wanted {
  return {
    kind: "VolumeSnapshotClass",
    driver: sourceOfSnapshot(ruleContext(context), built)?.driver,
    driverField: "driver",
    path: ["spec", "volumeSnapshotClassName"],
  };
}

function forAttributes(context: ActionContext, target: Target): Wanted | undefined {
  const claim = claimAt(context, target);
  return (
    claim && {
      kind: "VolumeAttributesClass",
      driver: claim.driver,
      driverField: "driverName",
      path: [...claim.path, "volumeAttributesClassName"],
    }
  );
}

/** A copy needs the driver of its source, whose volume exists already. */
function forCopy(context: ActionContext, target: Target): Wanted | undefined {
  const claim = claimAt(context, target);
  if (claim === undefined) return undefined;
  const { kind, name } = sourceOf(claim) ?? {};
  if (name === undefined) return undefined;
  const rules = ruleContext(context);
  const driver =
    kind === "VolumeSnapshot"
      ? driverOfSnapshot(rules, claim.namespace, name)
      : claimIndex(rules).find(claim.namespace, name)?.driver;
  return {
    kind: "StorageClass",
    driver,
    driverField: "provisioner",
    path: [...claim.path, "storageClassName"],
  };
}

function claimAt(context: ActionContext, { built, path }: Target): ClaimFacts | undefined {
  return claimIndex(ruleContext(context)).claims.find(
    (claim) => claim.entry === built && startsWithPath(path, claim.path),
  );
}

function newSnapshotClass(
  context: ActionContext,
  { entry, built }: Target,
  { kind, path }: Wanted,
  driver: string,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  // kustomize would also rename the new class, but would not update the snapshot.
  const isRenamed = entry.object.name !== built.object.name;
  const isTaken = context.analysis.names.has(kind, "", driver);
  if (isTaken || isRenamed || !canFollow(built)) return [];
  const written = {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind,
    metadata: { name: driver },
    driver,
    deletionPolicy: "Delete",
    ...parametersFor(context, built, driver),
  };
  const title = `Create and use a snapshot class for driver “${driver}”`;
  const edits = [fieldEdit(built, path, driver), documentsAfter(built, [written])];
  return offer(title, edits, diagnostic);
}

/** Parameters that the driver requires in a VolumeSnapshotClass, taken from the claim's StorageClass as far as it has them. */
function parametersFor(
  context: ActionContext,
  snapshot: WorkspaceObject,
  driver: string,
): { readonly parameters?: Parameters } {
  const { traits = {} } = context.analysis.environment.project.drivers.find(driver) ?? {};
  const { storageClass } = sourceOfSnapshot(ruleContext(context), snapshot) ?? {};
  const given = fieldsAt(storageClass ?? {}, "parameters");
  const wantsSecret = traits.secretRefusals?.CreateSnapshot !== undefined;
  const shared = (traits.snapshotRefusals ?? []).flatMap(({ lacks }) => {
    const value = lacks === undefined ? undefined : textAt(given, lacks);
    return lacks === undefined || value === undefined ? [] : [[lacks, value] as const];
  });
  const parameters = { ...(wantsSecret && secretOf(given)), ...Object.fromEntries(shared) };
  return Object.keys(parameters).length === 0 ? {} : { parameters };
}

/** If the driver needs a secret for snapshots: the one with which it creates the claim's volume. */
function secretOf(given: ReturnType<typeof fieldsAt>): Parameters {
  const fixed = (keys: readonly string[]): string | undefined =>
    keys.map((key) => textAt(given, key)).find((text) => text !== undefined && !text.includes("$"));
  const { names, namespaces } = snapshotSecretKeys.snapshotter;
  for (const keys of [secretKeys.provisioner, defaultSecretKeys]) {
    const [name, namespace] = [fixed(keys.names), fixed(keys.namespaces)];
    if (name === undefined || namespace === undefined) continue;
    return { [names[0] ?? ""]: name, [namespaces[0] ?? ""]: namespace };
  }
  return {};
}
