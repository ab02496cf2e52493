/** Which objects count as missing or unused while a template outside a chart makes names that are unknown. */
import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const pod = (claim: string): string => `
  apiVersion: v1
  kind: Pod
  metadata: { name: ${claim}-user }
  spec:
    containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: ${claim} } }]`;

const claim = (metadata: string): string => `
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: ${metadata}
  spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`;

/** Codes of the findings in a file beside one that contains a template. */
async function codesIn(manifests: string, template: string): Promise<readonly string[]> {
  const fixture = readFixture(`
  #- claimcheck.yaml
  profile: longhorn
  #- own.yaml${manifests}
  #- template.yaml${template}`);
  const service = await loadFixture(fixture, true);
  return findingsOf(service, memoryUri("own.yaml")).map(({ code }) => code);
}

suite("names in templates", () => {
  const release = "{{ .Release.Name }}";

  test("may make a missing claim, if their literal text fits its name", async () => {
    const isMissed = async (metadata: string): Promise<boolean> =>
      (await codesIn(pod("shop-data"), claim(metadata))).includes("pod-claim-missing");
    for (const name of [
      `${release}-data`,
      `${release}-{{ .Values.what }}`,
      '{{ include "shop.name" . }}-{{ .Values.kind }}a',
      "$" + "{STAGE}-data",
    ]) {
      assert.equal(await isMissed(`\n    name: ${name}`), false, name);
      assert.equal(await isMissed(`{ name: '${name}' }`), false, name);
    }
    for (const name of [`${release}-logs`, `shop-${release}-data`, `${release}x-data`])
      assert.equal(await isMissed(`\n    name: ${name}`), true, name);
  });

  test("may be uses of a claim that nothing else uses", async () => {
    const own = claim("{ name: shop-data }");
    for (const [used, codes] of [
      [`${release}-data`, []],
      [`${release}-logs`, ["pvc-unused"]],
    ] as const) {
      const told = await codesIn(own, pod(used));
      assert.deepEqual(
        told.filter((code) => code === "pvc-unused"),
        codes,
      );
    }
  });

  test("are searched once, however many may begin on a line", async () => {
    const text = `${pod(`${release}-logs`)}\n  # ${"claimName: {{ ".repeat(100_000)}`;
    assert.ok((await codesIn(claim("{ name: shop-data }"), text)).includes("pvc-unused"));
  });
});
