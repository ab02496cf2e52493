/**
 * Texts as long as a manifest may be, made so that a search that backtracks for each of their letters would exceed the time
 * limit of a test.
 */
import assert from "node:assert/strict";
import { base64OfText } from "../../src/engine/api/decoding/base64.ts";
import { parseQuantityOrError } from "../../src/engine/api/quantity.ts";
import type { Secret } from "../../src/engine/api/types.ts";
import { warnOfSecret } from "../../src/engine/api/warnings/secret.ts";
import { openEbsConfig } from "../../src/engine/controllers/path-provisioner/openebs-config.ts";
import { messagePatterns } from "../../src/engine/explain/messages/catalogue.ts";
import { wording } from "../../src/engine/explain/messages/wording.ts";
import { expand } from "../../src/engine/kubelet/container-environment.ts";
import { unreadableImage } from "../../src/engine/kubelet/image-name.ts";
import { resolveSecretName } from "../../src/engine/matching/secret-template.ts";
import { plannedExit } from "../../src/engine/node/planned-exit.ts";
import { plannedWrites } from "../../src/engine/node/planned-writes.ts";
import { translatedVolume } from "../../src/engine/volume/csi-translation.ts";
import { create, refusal } from "./api/answer.ts";

const count = 300_000;

/** Returns the API server's answer to a pod with this volume. */
function refusalOf(volume: object): string {
  return refusal(
    create(
      JSON.stringify({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "web" },
        spec: {
          volumes: [{ name: "v", ...volume }],
          containers: [{ name: "app", image: "i", volumeMounts: [{ name: "v", mountPath: "/v" }] }],
        },
      }),
    ),
  );
}

suite("texts of any length", () => {
  test("digits that are not a quantity", () => {
    const refused = parseQuantityOrError(`${"1".repeat(count)}!`);
    assert.match(String(refused), /^quantities must match the regular expression/);
  });

  test("references without an end", () => {
    const text = "$(".repeat(count);
    const values = new Map([["A", "b"]]);
    assert.deepEqual(expand(`$(A)${text}`, values), { text: `b${text}`, missing: [] });
    const template = { name: `s${"${".repeat(count)}`, namespace: "ns" };
    assert.deepEqual(resolveSecretName(template, {}, {}), {
      ok: true,
      object: { name: "s", namespace: "ns" },
    });
  });

  test("names of images", () => {
    for (const text of ["a-", "a.", "A.", "a/", "-", "a:", "a@b.", "1"])
      assert.match(unreadableImage(`r/${text.repeat(count)}!`)?.message ?? "", /invalid reference/);
  });

  test("names and paths of volumes", () => {
    const iqn = "iqn.2000-01.a".repeat(count);
    const iscsi = { targetPortal: "a", iqn, lun: 0 };
    assert.ok(refusalOf({ iscsi }).includes(": must be valid format"));
    const quobyte = { registry: "a,".repeat(count), volume: "v" };
    assert.ok(refusalOf({ quobyte }).includes("must be a host:port pair"));
    const fieldPath = `metadata.labels${"['".repeat(count)}']`;
    const downwardAPI = { items: [{ path: "a", fieldRef: { fieldPath } }] };
    assert.ok(refusalOf({ downwardAPI }).includes("downwardAPI.fieldRef: Invalid value"));
    const items = [{ key: "k", path: `a${"/".repeat(count)}b` }];
    assert.equal(refusalOf({ secret: { secretName: "s", items } }), "accepted");
  });

  test("names of Azure's Secrets, and OpenEBS's configuration of volumes", () => {
    const secretName = "azure-storage-account-".repeat(count / 10);
    const spec = { azureFile: { secretName, shareName: "s" } };
    const { csi } = translatedVolume({ metadata: { name: "v" }, spec } as never).spec;
    assert.equal(csi?.volumeHandle.includes(secretName), true);
    const annotations = { "cas.openebs.io/config": `- name: BasePath\n${"\n".repeat(count)}` };
    const config = openEbsConfig({ metadata: { annotations } } as never, { metadata: {} } as never);
    assert.equal(config.basePath, "/var/openebs/local");
  });

  test("certificates that consist of headers", () => {
    const text = `-----BEGIN CERTIFICATE-----\n${"a:b\n".repeat(count)}`;
    const warnings: string[] = [];
    const secret = { type: "kubernetes.io/tls", data: { "tls.crt": base64OfText(text) } };
    warnOfSecret(secret as unknown as Secret, warnings);
    assert.deepEqual(warnings, ["tls: failed to find any PEM data in certificate input"]);
  });

  test("messages that match a pattern's beginning in many ways, but not its end", () => {
    for (const text of messagePatterns.flatMap(({ texts }) => texts)) {
      const { pieces, valuesIn } = wording(text, "whole");
      const end = pieces.at(-1) ?? "";
      const between = pieces.slice(1).join("").repeat(8000).slice(0, 8000);
      if (end !== "") assert.equal(valuesIn(`${pieces[0]}x${between}${end}!`), undefined);
    }
  });

  test("commands with many beginnings and no end", () => {
    const pod = { metadata: {}, spec: { containers: [], restartPolicy: "Never" } };
    for (const word of ["if ", "case ", "|| ( ", "|| { ", "trap ' ", "dd ", "sleep ", "head -c "]) {
      const container = { name: "c", command: ["sh", "-c", word.repeat(count)] };
      assert.deepEqual(plannedExit(pod as never, container, false), { code: 0, afterMs: 300 });
      assert.deepEqual(plannedWrites(container), new Map());
    }
  });
});
