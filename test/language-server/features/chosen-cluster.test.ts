import assert from "node:assert/strict";
import { actionsAtCursor } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const claim = (spec: string): string => `
#- app.yaml
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
${spec}
`;

const ofMissingClass: string = claim(
  "spec: { storageClassName: fa$0st, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }",
);
const ofNoClass: string = claim(
  "spec: { access$0Modes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }",
);
const ofTemplate = `
#- app.yaml
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { storageClassName: fa$0st, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

const choice = "Choose your cluster in place of “generic”…";
const advice =
  "Predicted for cluster profile “generic”, because nothing names yours: profile in claimcheck.yaml does";

/** The command of the action that chooses a cluster, and the last line of the finding. */
async function told(text: string): Promise<readonly (string | undefined)[]> {
  const fixture = readFixture(text);
  const service = await loadFixture(fixture, true);
  const action = actionsAtCursor(service, fixture).find(({ title }) => title === choice);
  const [finding] = findingsOf(service, memoryUri("app.yaml"));
  return [action?.command, finding?.message.split("\n").at(-1)];
}

suite("a missing class while no cluster has been chosen", () => {
  for (const [what, text] of [
    ["named by a claim", ofMissingClass],
    ["named by a claim template", ofTemplate],
    ["default, which a claim without one would get", ofNoClass],
  ] as const)
    test(`${what}: the finding says that no cluster is chosen, and offers to choose one`, async () => {
      assert.deepEqual(await told(text), ["claimcheck.selectProfile", advice]);
    });

  test("is reported as missing, without that offer, once the cluster is chosen", async () => {
    const [command, line] = await told(`#- claimcheck.yaml\nprofile: generic\n${ofMissingClass}`);
    assert.equal(command, undefined);
    assert.equal(line, "StorageClass “fast” does not exist; the claim stays Pending");
  });
});
