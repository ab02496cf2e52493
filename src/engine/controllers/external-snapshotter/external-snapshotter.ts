/**
 * The snapshot sidecar of one driver. Upstream: external-snapshotter v8.6 cmd/csi-snapshotter,
 * pkg/sidecar-controller/snapshot_controller_base.go. A driver without snapshots gets none.
 */
import { deepEqual } from "../../api/json.ts";
import type { DriverProfile } from "../../csi/driver-profile.ts";
import { sidecar, sidecarBackoff } from "../../csi/sidecar.ts";
import { type Content, snapshotAnnotation } from "../../matching/snapshots.ts";
import type { Component } from "../../runtime/component.ts";
import { done, type Reconcile } from "../../runtime/outcome.ts";
import { ContentSync } from "./content-sync.ts";

export function externalSnapshotter(driver: DriverProfile): Component {
  return sidecar({
    name: `csi-snapshotter ${driver.name}`,
    source: `csi-snapshotter ${driver.name}`,
    driver: driver.name,
    run: (context, connection) => {
      if (!connection.has("CREATE_DELETE_SNAPSHOT")) return;
      const contents = context.informer("VolumeSnapshotContent");
      const classes = context.informer("VolumeSnapshotClass");
      const contentSync = new ContentSync(context, connection);

      /** False if the class is another driver's, which is reported nowhere. Contents of other drivers do not get here. */
      function isDriverMatch({ spec }: Content): boolean {
        const snapshotClass = classes.get(spec.volumeSnapshotClassName ?? "");
        return (snapshotClass?.driver ?? driver.name) === driver.name;
      }

      function* sync(name: string): Reconcile {
        const content = contents.get(name);
        if (content === undefined) return done("Gone");
        if (!isDriverMatch(content)) return done("NotOurs");
        return yield* contentSync.sync(content);
      }

      const queue = context.queue({
        workers: 10,
        ...sidecarBackoff,
        sync,
      });
      const enqueue = (content: Content): void => {
        if (content.spec.driver === driver.name) queue.add(content.metadata.name);
      };
      contents.on({
        add: enqueue,
        update: (before, after) => {
          if (concernsSnapshotter(before, after)) enqueue(after);
        },
        delete: (content) => queue.forget(content.metadata.name),
      });
    },
  });
}

/** False for the snapshotter's own writes, unless the snapshot became ready. Upstream: utils.ShouldEnqueueContentChange. */
function concernsSnapshotter(before: Content, after: Content): boolean {
  const isReady = (content: Content): boolean => content.status?.readyToUse === true;
  if (!isReady(before) && isReady(after)) return true;
  return !deepEqual(essence(before), essence(after));
}

function essence({ metadata, spec }: Content): unknown {
  const { resourceVersion: _version, finalizers: _finalizers, annotations, ...meta } = metadata;
  const { [snapshotAnnotation.beingCreated]: _mark, ...others } = annotations ?? {};
  return { meta, others, spec };
}
