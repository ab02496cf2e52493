/** Snapshots, their classes and contents: whether they match the driver of the volume, and each other. */

import { push } from "../../../engine/api/go/multi-map.ts";
import { makeRef } from "../../../engine/api/meta.ts";
import { type Fields, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { calledOf } from "../../yaml/manifest.ts";
import { driverBasis } from "../facts/claim-facts.ts";
import { driverTrait } from "../facts/driver-facts.ts";
import {
  defaultSnapshotClassAnnotation,
  isDefaultSnapshotClass,
  snapshotClassOf,
  sourceOfSnapshot,
} from "../facts/snapshot-facts.ts";
import { objectRule } from "../object-rule.ts";
import type {
  DocumentRule,
  EnvironmentContext,
  EnvironmentRule,
  ObjectReport,
  RelatedReport,
} from "../rule.ts";
import { someOthers } from "../some-others.ts";

export const snapshotClassDriver: EnvironmentRule = {
  id: "snapshot-class-driver",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const entry of ofKind(context, "VolumeSnapshot")) {
      const snapshotClass = snapshotClassOf(context, entry);
      const source = sourceOfSnapshot(context, entry);
      const { restsOn = [], assumes = false } = driverBasis(source);
      const driver = source?.driver;
      if (snapshotClass === undefined || driver === undefined) continue;
      const other = textAt(snapshotClass.object.value, "driver");
      if (other === undefined || other === driver) continue;
      yield {
        entry,
        path: ["spec", "volumeSnapshotClassName"],
        message: `Class “${snapshotClass.object.name}” is for “${other}”, the volume belongs to “${driver}”`,
        related: [{ entry: snapshotClass, path: ["driver"], message: "The class's driver" }],
        restsOn: [...restsOn, snapshotClass],
        unless: [`cause of ${calledOf(entry.object)}`],
        assumes,
      };
    }
  },
};

export const snapshotMultipleDefaults: EnvironmentRule = {
  id: "snapshot-multiple-defaults",
  severity: "error",
  scope: "environment",
  *check(context) {
    const byDriver = new Map<string, WorkspaceObject[]>();
    for (const entry of ofKind(context, "VolumeSnapshotClass")) {
      const driver = textAt(entry.object.value, "driver");
      if (driver === undefined || !isDefaultSnapshotClass(entry)) continue;
      push(byDriver, driver, entry);
    }
    const path = ["metadata", "annotations", defaultSnapshotClassAnnotation];
    for (const entries of byDriver.values()) {
      const count = new Set(entries.map(({ object }) => object.name)).size;
      if (count < 2) continue;
      for (const entry of entries) {
        const others = someOthers(entries, ({ object }) => object.name !== entry.object.name);
        yield {
          entry,
          path,
          message: `${count} default snapshot classes were found: snapshots that name no class cannot be taken`,
          fix: {
            title: `Unmark “${entry.object.name}” as a default class`,
            path,
            value: null,
            // Neither of them takes precedence.
            isChoice: true,
          },
          related: others.map((other) => ({
            entry: other,
            path,
            message: `“${other.object.name}” is a default for the driver too`,
          })),
        };
      }
    }
  },
};

export const driverNoSnapshot: EnvironmentRule = {
  id: "driver-no-snapshot",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    const cannot = (driver: string | undefined): driver is string =>
      driver !== undefined && driverTrait(context.environment, driver, "snapshots") === false;
    const messageOf = (driver: string): string => `Driver “${driver}” does not support snapshots`;
    for (const entry of ofKind(context, "VolumeSnapshotClass")) {
      const driver = textAt(entry.object.value, "driver");
      if (cannot(driver)) yield { entry, path: ["driver"], message: messageOf(driver) };
    }
    for (const entry of ofKind(context, "VolumeSnapshot")) {
      const source = sourceOfSnapshot(context, entry);
      const driver = source?.driver;
      // The finding is at the class, or the class is for another driver.
      if (!cannot(driver) || snapshotClassOf(context, entry) !== undefined) continue;
      const path = ["spec", "source", "persistentVolumeClaimName"];
      yield { entry, path, message: messageOf(driver), ...driverBasis(source) };
    }
  },
};

export const snapshotContentBackref: EnvironmentRule = {
  id: "snapshot-content-backref",
  severity: "error",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    const { byRef } = context.environment;
    for (const entry of ofKind(context, "VolumeSnapshot")) {
      const contents =
        byRef.get(makeRef("VolumeSnapshotContent", undefined, contentNamedBy(entry) ?? "")) ?? [];
      const content = contents.at(-1);
      if (content === undefined) continue;
      if (contents.some((other) => snapshotNamedBy(other) === entry.object.ref)) continue;
      const { namespace, name } = snapshotRefOf(content);
      yield mismatch(
        entry,
        ["spec", "source", "volumeSnapshotContentName"],
        `${titleOf(content)} names snapshot ${namespace}/${name}`,
        { entry: content, path: ["spec", "volumeSnapshotRef"], message: "What it names" },
      );
    }
    for (const entry of ofKind(context, "VolumeSnapshotContent")) {
      if (textAt(entry.object.value, "spec", "source", "snapshotHandle") === undefined) continue;
      const snapshots = byRef.get(snapshotNamedBy(entry)) ?? [];
      const snapshot = snapshots.at(-1);
      if (snapshot === undefined) continue;
      const named = snapshots.map(contentNamedBy);
      // If it names another content in files, that has been reported above.
      if (
        named.some(
          (name) => name === entry.object.name || byRef.has(`VolumeSnapshotContent//${name}`),
        )
      )
        continue;
      const content = contentNamedBy(snapshot);
      yield mismatch(
        entry,
        ["spec", "volumeSnapshotRef", "name"],
        `${titleOf(snapshot)} names ${content === undefined ? "no content" : `content ${content}`}`,
        { entry: snapshot, path: ["spec", "source"], message: "Its source" },
      );
    }
  },
};

function contentNamedBy({ object }: WorkspaceObject): string | undefined {
  return textAt(object.value, "spec", "source", "volumeSnapshotContentName");
}

function snapshotNamedBy(content: WorkspaceObject): string {
  const { namespace, name } = snapshotRefOf(content);
  return `VolumeSnapshot/${namespace}/${name}`;
}

function snapshotRefOf({ object }: WorkspaceObject): Fields {
  return fieldsAt(object.value, "spec", "volumeSnapshotRef");
}

function titleOf({ object }: WorkspaceObject): string {
  return `${object.kind} ${object.name}`;
}

function mismatch(
  entry: WorkspaceObject,
  path: readonly string[],
  whatOtherNames: string,
  related: RelatedReport,
): ObjectReport {
  return {
    entry,
    path,
    message: `Snapshot and content must name each other; ${whatOtherNames}`,
    related: [related],
  };
}

export const snapshotContentDelete: DocumentRule = objectRule(
  "snapshot-content-delete",
  "warning",
  { kinds: ["VolumeSnapshotContent"] },
  function* ({ value }) {
    const spec = fieldsAt(value, "spec");
    const handle = textAt(spec, "source", "snapshotHandle");
    if (handle === undefined || spec["deletionPolicy"] !== "Delete") return;
    yield {
      path: ["spec", "deletionPolicy"],
      message: "Deleting the VolumeSnapshot deletes the physical snapshot; Retain keeps it",
      fix: {
        title: "Set deletionPolicy to Retain",
        path: ["spec", "deletionPolicy"],
        value: "Retain",
      },
    };
  },
);

function ofKind({ environment }: EnvironmentContext, kind: string): readonly WorkspaceObject[] {
  return environment.objects.filter(({ object }) => object.kind === kind && object.served);
}
