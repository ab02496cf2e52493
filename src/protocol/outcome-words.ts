/** Names and icons of outcomes, for the simulation page and for the editor's tree. */
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

/** A verdict's kind, or "refused" if the API server does not accept the manifest. */
export type OutcomeMark = VerdictKind | "refused";

/** `icon` is the name of a codicon; `words` say the same to screen readers. */
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
