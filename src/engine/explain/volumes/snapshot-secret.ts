/**
 * A snapshot fails because of its Secret: the driver needs one and the class names none, it does not exist, or it lacks a key.
 * The name is copied from the class to the content when that is made. Upstream: external-snapshotter v8.6
 * pkg/sidecar-controller/snapshot_controller.go GetCredentialsFromAnnotation.
 */
import { makeRef, refOf } from "../../api/meta.ts";
import { knownDriver } from "../../csi/catalogue/catalogue.ts";
import type { SecretCall } from "../../csi/secret-refusal.ts";
import { annotationOf } from "../../matching/annotations.ts";
import { type Content, snapshotAnnotation } from "../../matching/snapshots.ts";
import type { RunFacts } from "../run-facts.ts";
import {
  needIn,
  type SecretWithoutKey,
  secretWithoutKey,
  wantsSecret,
} from "../secret-without-key.ts";

type Named = { readonly namespace: string; readonly name: string };

/** The cause and fix; undefined if the message is about something else, or the mistake has been corrected by now. */
export function wrongSnapshotSecret(
  facts: RunFacts,
  content: Content,
  call: Extract<SecretCall, "CreateSnapshot" | "DeleteSnapshot">,
  message: string,
): SecretWithoutKey | undefined {
  const named = secretOf(content);
  if (named !== undefined && lacksSecret.test(message)) return missingSecret(facts, content, named);
  const refusals = knownDriver(content.spec.driver)?.traits.secretRefusals?.[call];
  // The sidecar quotes the driver's text.
  const said = message.replace(/"$/, "");
  const need = needIn(refusals, said);
  if (need !== undefined) return secretWithoutKey(facts, named, need);
  if (named !== undefined || !wantsSecret(refusals, said)) return undefined;
  return unnamedSecret(content, call);
}

const lacksSecret =
  /cannot get credentials for snapshot content|^Failed to get snapshot credentials$/;

function secretOf(content: Content): Named | undefined {
  const name = annotationOf(content, snapshotAnnotation.deletionSecretName);
  const namespace = annotationOf(content, snapshotAnnotation.deletionSecretNamespace);
  return name === undefined || namespace === undefined ? undefined : { name, namespace };
}

function missingSecret(
  facts: RunFacts,
  content: Content,
  { namespace, name }: Named,
): SecretWithoutKey | undefined {
  if (facts.get("Secret", namespace, name) !== undefined) return undefined;
  const className = content.spec.volumeSnapshotClassName ?? "";
  const snapshotClass = facts.get("VolumeSnapshotClass", undefined, className);
  const [title, root, orElse] =
    snapshotClass === undefined
      ? ["content", { ref: refOf(content), field: "metadata.annotations" }, ""]
      : [
          "class",
          { ref: refOf(snapshotClass), field: "parameters" },
          ", or correct the name (recreate the snapshot)",
        ];
  const text = `make Secret "${name}" in namespace "${namespace}"${orElse}`;
  return {
    root,
    link: { ref: root.ref, text: `is its ${title}` },
    fixes: [{ text, at: root }],
    why: `Secret ${namespace}/${name}, which its ${title} names, does not exist`,
  };
}

function unnamedSecret(content: Content, call: SecretCall): SecretWithoutKey {
  const { driver, volumeSnapshotClassName: name } = content.spec;
  if (call === "CreateSnapshot" && name !== undefined) {
    const root = { ref: makeRef("VolumeSnapshotClass", undefined, name), field: "parameters" };
    const keys = "csi.storage.k8s.io/snapshotter-secret-name and -namespace";
    return {
      root,
      link: { ref: root.ref, text: "is its class" },
      fixes: [{ text: `name it in the class's ${keys}, and recreate the snapshot`, at: root }],
      why: `${driver} wants a secret, and class "${name}" names none`,
    };
  }
  const root = { ref: refOf(content), field: "metadata.annotations" };
  const keys = `${snapshotAnnotation.deletionSecretName} and -namespace`;
  return {
    root,
    link: { ref: root.ref, text: "is its content" },
    fixes: [{ text: `name it in the content's annotations ${keys}`, at: root }],
    why: `${driver} wants a secret, and the content names none`,
  };
}
