/** How outcomes are called and marked, on the simulation page as in the editor's tree. */
import type { OutcomeKind } from "../engine/explain/outcome-kinds.ts";
import type { VerdictKind } from "../engine/explain/verdict.ts";

export const kindTitles: Readonly<Record<OutcomeKind, string>> = {
  PersistentVolumeClaim: "Claims",
  PersistentVolume: "Volumes",
  VolumeSnapshot: "Snapshots",
  Pod: "Pods",
  Deployment: "Deployments",
  StatefulSet: "StatefulSets",
  DaemonSet: "DaemonSets",
  ReplicaSet: "ReplicaSets",
  ReplicationController: "ReplicationControllers",
  Job: "Jobs",
  CronJob: "CronJobs",
  VolumeAttachment: "Attachments",
};

/** A verdict's kind, or that the API server has not taken the manifest. */
export type OutcomeMark = VerdictKind | "refused";

/** The icon is a codicon's name; it alone would say nothing to a screen reader. */
export const outcomeMarks: Readonly<
  Record<OutcomeMark, { readonly icon: string; readonly words: string }>
> = {
  healthy: { icon: "pass-filled", words: "Healthy" },
  "will-happen": { icon: "clockface", words: "On its way" },
  "waits-for-you": { icon: "person", words: "Waits for you" },
  "depends-on-order": { icon: "arrow-swap", words: "Depends on order" },
  stuck: { icon: "circle-slash", words: "Stuck" },
  fails: { icon: "error", words: "Fails" },
  refused: { icon: "error", words: "Refused" },
};
