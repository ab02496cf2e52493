/**
 * Where an object comes from, one step at a time. Declaration: what it rests on (claim → volume or class, volume → class, class
 * → driver). Type definition: its class. Implementation: the driver.
 */
import type { Kind } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import { definitionsOfName } from "../names/definitions.ts";
import { makerOf } from "../names/derived-names.ts";
import { nameAt } from "../names/name-at.ts";
import type { Named } from "../names/object-names.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { type Reference, referencesOf } from "../workspace/references.ts";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { objectsOf } from "../yaml/manifest.ts";
import type { FilePlace } from "./definition.ts";
import { targetAt } from "./target.ts";

type Step = (source: Source, named: Named, depth?: number) => readonly Named[];

/** What the object at the place rests on next; objects that no file holds are left out. */
export function declaration(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
): readonly FilePlace[] {
  return follow(analysis, prediction, file, offset, originOf);
}

/** The StorageClass of a volume or claim, the VolumeSnapshotClass of a snapshot. */
export function typeDefinition(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
): readonly FilePlace[] {
  return follow(analysis, prediction, file, offset, classOf);
}

/** The driver that makes, attaches and mounts it. */
export function implementation(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
): readonly FilePlace[] {
  return follow(analysis, prediction, file, offset, driverOf);
}

function follow(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
  step: Step,
): readonly FilePlace[] {
  const source = new Source(analysis, prediction);
  const start = startAt(analysis, file, offset);
  const wanted = start.flatMap((named) => step(source, named));
  const unique = new Map(wanted.map((named) => [refOf(named), named]));
  return [...unique.values()].flatMap((named) => definitionsOfName(analysis, named));
}

/** The object that the cursor's name stands for; else what the field refers to; else the object around it. */
function startAt(analysis: Analysis, file: WorkspaceFile, offset: number): readonly Named[] {
  const found = nameAt(analysis, file, offset)?.place;
  if (found !== undefined && found.kind !== "PodVolume") return [found];
  const target = targetAt(analysis.environment, file, offset);
  if (target === undefined) return [];
  if (target.reference !== undefined) return [target.reference];
  const { ref, kind, namespace, name } = target.built.object;
  return ref === undefined ? [] : [{ kind, namespace, name }];
}

function refOf({ kind, namespace, name }: Named): string {
  return `${kind}/${namespace}/${name}`;
}

/** References of objects: as predicted, else as written in the files. */
class Source {
  readonly #analysis: Analysis;
  readonly #prediction: Prediction | undefined;

  constructor(analysis: Analysis, prediction: Prediction | undefined) {
    this.#analysis = analysis;
    this.#prediction = prediction;
  }

  has(named: Named): boolean {
    return definitionsOfName(this.#analysis, named).length > 0;
  }

  /** The objects of a kind that an object refers to. For a claim made from a template, the references of its maker. */
  named(named: Named, kind: Kind): readonly Named[] {
    return this.#references(named).filter((reference) => reference.kind === kind);
  }

  #references(named: Named): readonly Reference[] {
    const ref = refOf(named);
    const { environment } = this.#analysis;
    const predicted = this.#prediction?.facts.objects.get(ref);
    const own =
      predicted === undefined
        ? environment.byRef.get(ref)?.at(-1)?.object
        : objectsOf(predicted).objects[0];
    const object = own ?? makerOf(named, environment.objects)?.entry.object;
    return object === undefined ? [] : referencesOf(object);
  }
}

function originOf(source: Source, named: Named): readonly Named[] {
  switch (named.kind) {
    case "PersistentVolumeClaim": {
      // No file holds a volume that a provisioner makes; go to its class instead.
      const volumes = source.named(named, "PersistentVolume").filter((one) => source.has(one));
      return volumes.length > 0 ? volumes : classOf(source, named);
    }
    case "PersistentVolume": {
      const classes = classOf(source, named).filter((one) => source.has(one));
      return classes.length > 0 ? classes : driverOf(source, named);
    }
    case "VolumeSnapshot":
      return [
        ...source.named(named, "PersistentVolumeClaim"),
        ...source.named(named, "VolumeSnapshotContent"),
      ];
    case "VolumeAttachment":
      return source.named(named, "PersistentVolume");
    case "VolumeSnapshotContent":
      return classOf(source, named);
    case "StorageClass":
    case "VolumeAttributesClass":
    case "VolumeSnapshotClass":
      return driverOf(source, named);
    default: {
      const claims = source.named(named, "PersistentVolumeClaim");
      return claims.length > 0 ? claims : classOf(source, named);
    }
  }
}

const depthMax = 5;

function classOf(source: Source, named: Named, depth = 0): readonly Named[] {
  if (depth > depthMax) return [];
  const own = [
    ...source.named(named, "StorageClass"),
    ...source.named(named, "VolumeSnapshotClass"),
  ];
  if (own.length > 0) return own;
  return claimsOf(source, named).flatMap((one) => classOf(source, one, depth + 1));
}

/** Claims that decide its class. A claim's data source does not decide the claim's class. */
function claimsOf(source: Source, named: Named): readonly Named[] {
  return named.kind === "PersistentVolumeClaim" ? [] : source.named(named, "PersistentVolumeClaim");
}

function driverOf(source: Source, named: Named, depth = 0): readonly Named[] {
  if (depth > depthMax) return [];
  if (named.kind === "CSIDriver") return [named];
  const own = source.named(named, "CSIDriver");
  if (own.length > 0) return own;
  const classes = classOf(source, named).filter((one) => refOf(one) !== refOf(named));
  return classes.flatMap((one) => driverOf(source, one, depth + 1));
}
