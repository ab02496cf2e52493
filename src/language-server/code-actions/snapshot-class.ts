/** A snapshot is taken by a class of the driver that has the volume: one that is there, or a new one. */

import { sourceOfSnapshot } from "../diagnostics/facts/snapshot-facts.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { snapshotNoDefault } from "../diagnostics/rules/snapshot-cause.ts";
import { snapshotClassDriver } from "../diagnostics/rules/volume-snapshot.ts";
import { targetAt } from "../features/target.ts";
import { textAt } from "../workspace/manifest-fields.ts";
import {
  type ActionContext,
  type CodeAction,
  type FileEdit,
  objectsOfKind,
  ruleContext,
} from "./code-action.ts";
import { fieldEdit } from "./field-edit.ts";
import { canFollow, documentsAfter, mending, rewrite } from "./written-manifest.ts";

const codes: ReadonlySet<string> = new Set([snapshotClassDriver.id, snapshotNoDefault.id]);

/** A menu with more classes than these is no help. */
const classCountMax = 5;

export function snapshotClass(
  context: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (!codes.has(diagnostic.code)) return [];
  const target = targetAt(context.analysis.environment, context.file, diagnostic.start);
  if (target === undefined) return [];
  const { built: entry } = target;
  const driver = sourceOfSnapshot(ruleContext(context), entry)?.driver;
  if (driver === undefined) return [];
  const { own, others } = objectsOfKind(context, "VolumeSnapshotClass");
  const classes = [...own, ...others];
  const fitting = classes.filter((value) => textAt(value, "driver") === driver);
  const nameClass = (name: string): FileEdit | undefined =>
    fieldEdit(entry, ["spec", "volumeSnapshotClassName"], name);
  if (fitting.length > 0)
    return fitting.slice(0, classCountMax).map((value) => {
      const name = textAt(value, "metadata", "name") ?? "";
      return mending(rewrite(`Take snapshot class “${name}”`, nameClass(name)), diagnostic);
    });
  const isTaken = classes.some((value) => textAt(value, "metadata", "name") === driver);
  // kustomize would rename the class, too, but not follow it to the snapshot.
  const isRenamed = target.entry.object.name !== entry.object.name;
  if (isTaken || isRenamed || !canFollow(entry)) return [];
  const written = {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotClass",
    metadata: { name: driver },
    driver,
    deletionPolicy: "Delete",
  };
  return [
    mending(
      rewrite(
        `Write a snapshot class of driver “${driver}”, and take it`,
        nameClass(driver),
        documentsAfter(entry, [written]),
      ),
      diagnostic,
    ),
  ];
}
