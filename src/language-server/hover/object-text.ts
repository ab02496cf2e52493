/** The hover of an object: the verdict, then the evidence, then what to change. */
import { type KubeObject, type Ref, refOf } from "../../engine/api/meta.ts";
import { defaultText, driverStep, nodeStep } from "../../engine/explain/chain-steps.ts";
import { refusedText } from "../../engine/explain/refused-object.ts";
import { isGood } from "../../engine/explain/verdict.ts";
import { explain, linkTo } from "../features/explanation.ts";
import { code, escapedRef, escapeMarkdown } from "../markdown.ts";
import { theCluster } from "../prediction/cluster-title.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { sourceOf } from "../prediction/source-of.ts";
import { referencesOf } from "../workspace/references.ts";
import { proofTable } from "./proof-table.ts";

const userCountMax = 4;

/** Returns Markdown; undefined for an object that is neither in the simulated cluster nor refused. */
export function objectText(prediction: Prediction, ref: Ref): string | undefined {
  const object = prediction.facts.objects.get(ref);
  const verdict = prediction.verdictOf.get(ref);
  const texts: (string | undefined)[] = [];
  if (verdict !== undefined) {
    // For a failure, the explanation already shows the candidates or the chain to the cause.
    const isEnough =
      verdict.candidates.length > 0 || (!isGood(verdict) && verdict.chain.length > 2);
    const proof = object === undefined || isEnough ? undefined : proofTable(prediction, object);
    texts.push(explain(prediction, verdict, { chain: proof === undefined }), proof);
  } else if (object?.kind === "StorageClass") texts.push(classText(prediction, object));
  else if (object?.kind === "Node") texts.push(nodeText(prediction, object));
  else if (object?.kind === "ResourceQuota") texts.push(quotaText(prediction, object));
  else if (ref.startsWith("CSIDriver/"))
    texts.push(driverText(prediction, ref.slice("CSIDriver//".length)));
  else if (object !== undefined) texts.push(usedText(prediction, ref));
  else texts.push(refusalText(prediction, ref));
  const known = texts.filter((text) => text !== undefined);
  if (known.length === 0) return undefined;
  const origin = originText(prediction, ref);
  if (origin !== undefined)
    known.push(`It is ${escapeMarkdown(origin)}: no file in the workspace defines it.`);
  return known.join("\n\n");
}

/** Where an object comes from that Go to definition cannot lead to; undefined if a file brings it about. */
export function originText(prediction: Prediction, ref: Ref): string | undefined {
  const { facts, assumed } = prediction;
  if (!facts.objects.has(ref) || sourceOf(prediction, ref) !== undefined) return undefined;
  const kind = ref.slice(0, ref.indexOf("/"));
  const isImported = prediction.environment.imported?.byRef.has(ref) === true;
  return kindsOfProfiles.has(kind) || isImported
    ? `part of ${theCluster(assumed.cluster)}`
    : "created by the cluster itself";
}

const kindsOfProfiles: ReadonlySet<string> = new Set([
  "Node",
  "CSINode",
  "CSIDriver",
  "StorageClass",
  "VolumeSnapshotClass",
  "Namespace",
]);

function classText(prediction: Prediction, storageClass: KubeObject<"StorageClass">): string {
  const { name } = storageClass.metadata;
  const users = prediction.facts
    .list("PersistentVolumeClaim")
    .filter(({ spec }) => spec.storageClassName === name);
  const bound = users.filter(({ status }) => status?.phase === "Bound").length;
  const mark = defaultText(prediction.facts, storageClass);
  const isDefault = mark === "" ? "" : `, ${mark}`;
  const lines = [
    `**Class ${escapeMarkdown(name)}: ${bound} of ${users.length} claims bound**${isDefault} · ${escapeMarkdown(prediction.assumed.cluster.name)}`,
    `Provisioner ${code(storageClass.provisioner)}, ${storageClass.volumeBindingMode ?? "Immediate"}, reclaim policy ${storageClass.reclaimPolicy ?? "Delete"}`,
  ];
  const refs = users.map(
    ({ metadata }) => `PersistentVolumeClaim/${metadata.namespace ?? ""}/${metadata.name}`,
  );
  const shown = listOf(prediction, refs);
  if (shown !== "") lines.push(shown);
  return lines.join("\n\n");
}

/** For an object that is not in the cluster because the API server refused it. */
function refusalText({ facts, assumed }: Prediction, ref: Ref): string | undefined {
  const answer = facts.refused.get(ref);
  if (answer === undefined) return undefined;
  const head = `**${escapedRef(ref)} ${refusedText}** · ${escapeMarkdown(assumed.cluster.name)}`;
  return answer.message === undefined ? head : `${head}\n\n> ${escapeMarkdown(answer.message)}`;
}

/** What is known of a driver, whether it is installed or not. */
export function driverText(prediction: Prediction, name: string): string {
  const { facts, assumed } = prediction;
  const { text } = driverStep(facts, name, "open");
  const known = prediction.environment.project.drivers.find(name);
  const lines = [
    `**Driver ${escapeMarkdown(name)} ${escapeMarkdown(text)}** · ${escapeMarkdown(assumed.cluster.name)}`,
  ];
  if (assumed.assumedDrivers.includes(name))
    lines.push(
      "No profile installs it; it is assumed to be installed because the manifests use it.",
    );
  else if (isOfFiles(prediction, name))
    lines.push(
      "A CSIDriver alone installs nothing: the driver's controller and node plugins are assumed to be running.",
    );
  if (known !== undefined) {
    const { accessModes, volumeModes, attachRequired } = known.traits;
    const rows = [
      accessModes === undefined ? "" : `| access modes | ${accessModes.join(" ")} |`,
      volumeModes === undefined ? "" : `| volume modes | ${volumeModes.join(" ")} |`,
      attachRequired === undefined
        ? ""
        : `| attaches to nodes | ${attachRequired ? "yes" : "no"} |`,
    ].filter((row) => row !== "");
    const table = rows.length === 0 ? "" : `\n\n| | |\n|---|---|\n${rows.join("\n")}`;
    const { repository } = known.source ?? {};
    const described =
      repository === undefined
        ? "As claimcheck.yaml describes it"
        : `${known.title}, [${repository}](https://github.com/${repository})`;
    lines.push(`${described}${table}`);
  }
  const classes = facts.list("StorageClass").filter(({ provisioner }) => provisioner === name);
  if (classes.length > 0) {
    const refs = classes.map(({ metadata }) => `StorageClass//${metadata.name}`);
    lines.push(`Classes: ${refs.map((ref) => linkTo(prediction, ref)).join(", ")}`);
  }
  return lines.join("\n\n");
}

/** True if a manifest of the workspace declares the driver, and not an imported cluster. */
function isOfFiles({ environment }: Prediction, driver: string): boolean {
  const ref: Ref = `CSIDriver//${driver}`;
  return environment.byRef.has(ref) && environment.imported === undefined;
}

function nodeText(prediction: Prediction, node: KubeObject<"Node">): string {
  const { name } = node.metadata;
  const { facts, assumed } = prediction;
  const { text } = nodeStep(facts, name, []);
  const drivers = (facts.get("CSINode", undefined, name)?.spec.drivers ?? []).map((driver) => {
    const count = driver.allocatable?.count;
    return count === undefined ? driver.name : `${driver.name} (at most ${count} volumes)`;
  });
  const pods = facts.list("Pod").filter(({ spec }) => spec.nodeName === name).length;
  const attached = facts.list("VolumeAttachment").filter(({ spec }) => spec.nodeName === name);
  const lines = [
    `**Node ${escapeMarkdown(name)} ${escapeMarkdown(text)}** · ${escapeMarkdown(assumed.cluster.name)}`,
    `| pods | attached volumes | drivers |\n|---|---|---|\n| ${pods} | ${attached.length} | ${escapeMarkdown(drivers.join(", "))} |`,
  ];
  return lines.join("\n\n");
}

/** The usage of a quota once the cluster is at rest. */
function quotaText(prediction: Prediction, quota: KubeObject<"ResourceQuota">): string {
  const { hard = {}, used = {} } = quota.status ?? { hard: quota.spec?.hard ?? {} };
  const head = `**${escapedRef(refOf(quota))}** · ${escapeMarkdown(prediction.assumed.cluster.name)}`;
  const rows = Object.keys(hard)
    .sort()
    .map(
      (name) =>
        `| ${escapeMarkdown(name)} | ${escapeMarkdown(used[name] ?? "0")} | ${escapeMarkdown(hard[name] ?? "")} |`,
    );
  return rows.length === 0
    ? head
    : `${head}\n\n| resource | used | hard |\n|---|---|---|\n${rows.join("\n")}`;
}

/** For objects without an outcome, such as ConfigMaps: the objects that name them. */
function usedText(prediction: Prediction, ref: Ref): string {
  const users = prediction.environment.objects.filter(({ object }) =>
    referencesOf(object).some(
      ({ kind, namespace, name }) => `${kind}/${namespace}/${name}` === ref,
    ),
  );
  const refs = users.flatMap(({ object }) => object.ref ?? []);
  const head = `**${escapedRef(ref)}${namedBy(ref, refs.length)}** · ${escapeMarkdown(prediction.assumed.cluster.name)}`;
  const shown = listOf(prediction, refs);
  return shown === "" ? head : `${head}\n\n${shown}`;
}

function namedBy(ref: Ref, count: number): string {
  if (count > 0) return ` is named by ${count === 1 ? "one object" : `${count} objects`}`;
  return ofNoUseUnnamed.has(ref.slice(0, ref.indexOf("/"))) ? " is named by no object" : "";
}

/** Kinds that are useless unless named. Others are found without a name: a Service by labels, a capacity by its class. */
const ofNoUseUnnamed: ReadonlySet<string> = new Set([
  "ConfigMap",
  "Secret",
  "PriorityClass",
  "RuntimeClass",
  "VolumeAttributesClass",
]);

function listOf(prediction: Prediction, refs: readonly Ref[]): string {
  const sorted = [...new Set(refs)].sort();
  const lines = sorted.slice(0, userCountMax).map((ref) => {
    const headline = prediction.verdictOf.get(ref)?.headline ?? "";
    return `- ${linkTo(prediction, ref)} ${escapeMarkdown(headline)}`.trimEnd();
  });
  if (sorted.length > lines.length) lines.push(`- and ${sorted.length - lines.length} more`);
  return lines.join("\n");
}
