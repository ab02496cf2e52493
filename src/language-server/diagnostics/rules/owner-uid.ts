/**
 * Manifests with ownerReferences by uid, as `kubectl get -o yaml` and backups print them. Upstream: kube-controller-manager
 * pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem v1.36: an object is deleted if none of its owners
 * exists.
 */
import { fieldsAt, itemsOf, textAt } from "../../workspace/manifest-fields.ts";
import type { EnvironmentContext, EnvironmentRule } from "../rule.ts";

/** Workloads create these again. */
const made: ReadonlySet<string> = new Set(["Pod", "ReplicaSet", "ControllerRevision", "Job"]);

const path = ["metadata", "ownerReferences"];

export const ownerUid: EnvironmentRule = {
  id: "owner-uid",
  severity: "warning",
  scope: "environment",
  explainsOutcome: true,
  *check(context) {
    for (const entry of context.environment.objects) {
      const { kind, value, served } = entry.object;
      const owners = itemsOf(fieldsAt(value, "metadata")["ownerReferences"], path);
      const [owner] = owners;
      if (owner === undefined || made.has(kind) || !served) continue;
      const uids = uidsOfCluster(context);
      if (owners.some(({ fields }) => uids.has(textAt(fields, "uid")))) continue;
      const [ownerKind, name] = [textAt(owner.fields, "kind"), textAt(owner.fields, "name")];
      const loss =
        kind === "PersistentVolumeClaim"
          ? "; with reclaim policy Delete the volume is deleted too"
          : "";
      yield {
        entry,
        path,
        isOfKey: true,
        message: `A new ${ownerKind} “${name}” gets another uid, and the garbage collector deletes objects whose owners do not exist${loss}`,
        fix: { title: "Remove ownerReferences", path, value: null },
      };
    }
  },
};

function uidsOfCluster(context: EnvironmentContext): ReadonlySet<unknown> {
  const known = recent.get(context);
  if (known !== undefined) return known;
  const objects = context.environment.imported?.objects ?? [];
  const uids = new Set(objects.map(({ metadata }) => fieldsAt({ metadata }, "metadata")["uid"]));
  recent.set(context, uids);
  return uids;
}

// Needed for each object with owners.
const recent = new WeakMap<EnvironmentContext, ReadonlySet<unknown>>();
