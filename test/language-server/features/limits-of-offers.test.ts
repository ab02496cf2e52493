/** Edge cases of offered fixes: when one is not offered although a similar one is, and what it still changes. */
import assert from "node:assert/strict";
import { actionsAtCursor, afterAction } from "../../support/code-actions.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";

async function offered(text: string, matching: RegExp): Promise<readonly string[]> {
  const fixture = readFixture(text);
  const actions = actionsAtCursor(await loadFixture(fixture, true), fixture);
  return actions.map(({ title }) => title).filter((title) => matching.test(title));
}

/** The file with the cursor after the first offer whose title starts with `title`. */
async function after(text: string, title: string): Promise<string> {
  const fixture = readFixture(text);
  const actions = actionsAtCursor(await loadFixture(fixture, true), fixture);
  const action = actions.find((one) => one.title.startsWith(title));
  assert.ok(action !== undefined, actions.map((one) => one.title).join("; "));
  return afterAction(fixture.files, action).get(fixture.cursor?.file ?? "") ?? "";
}

const claim = (spec: string): string =>
  `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }, ${spec} } }`;

suite("edge cases of offered fixes", () => {
  test("of three access modes, only the one that excludes the others can be removed", async () => {
    const modes = (list: string): string => `
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [${list}], resources: { requests: { storage: 1Gi } } }
    `;
    assert.deepEqual(
      await offered(modes("Read$0WriteOncePod, ReadWriteOnce, ReadOnlyMany"), /^Leave out/),
      ["Leave out ReadWriteOncePod"],
    );
    assert.deepEqual(await offered(modes("Read$0WriteOncePod, ReadWriteOnce"), /^Leave out/), [
      "Leave out ReadWriteOncePod",
      "Leave out ReadWriteOnce",
    ]);
  });

  test("a missing volume is offered as an unmounted one, and as the claim, ConfigMap or Secret of its name", async () => {
    for (const object of [
      claim("storageClassName: x").replace("name: data", "name: logs"),
      "{ apiVersion: v1, kind: ConfigMap, metadata: { name: logs } }",
      "{ apiVersion: v1, kind: Secret, metadata: { name: logs } }",
    ]) {
      const titles = await offered(
        `
      #- all.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: c, image: i, volumeMounts: [{ mountPath: /d, name: lo$0gs }] }]
        volumes: [{ name: data, emptyDir: {} }, { name: tmp, emptyDir: {} }]
      ---
      ${object}
    `,
        /^(?:Change to|Add volume)/,
      );
      assert.deepEqual(titles.slice(0, -1), ["Change to “data”", "Change to “tmp”"]);
      assert.match(titles.at(-1) ?? "", /^Add volume “logs”: the \w+ of that name$/);
    }
  });

  test("fixing all changes immutable fields of a class that the imported cluster lacks", async () => {
    const fixed = (cluster: string): Promise<string> =>
      after(
        `
      #- claimcheck.yaml
      cluster: { import: cluster.yaml }
      #- cluster.yaml
      ${cluster}
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local, annotations: { storageclass.kubernetes.io/is-default-class: "yes" } }
      provisioner: kubernetes.io/no-provisioner
      volumeBindingMode: Immediate$0
    `,
        "Fix all",
      );
    const listed = (name: string): string => {
      const apiVersion = "storage.k8s.io/v1";
      const metadata = { name, uid: "1" };
      const items = [{ apiVersion, kind: "StorageClass", metadata, provisioner: "disks.example" }];
      return JSON.stringify({ apiVersion: "v1", kind: "List", items });
    };
    assert.match(await fixed(listed("other")), /WaitForFirstConsumer/);
    assert.match(await fixed(listed("local")), /Immediate/);
  });

  test("a comment that accepts a finding in a document's first line is put at the line's end", async () => {
    const accepted = `# claimcheck-ignore pvc-class-missing: say why`;
    const text = (rest: string): string =>
      `#- all.yaml\napiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n---\n${claim("storageClassName: no$0where")}${rest}`;
    const title = "Ignore “pvc-class-missing” here";
    assert.match(
      await after(text("\n---\n# more\n"), title),
      new RegExp(`nowhere } } ${accepted}\n---\n`),
    );
    assert.match(await after(text(""), title), new RegExp(`nowhere } } ${accepted}\\s*$`));
  });

  test("labels that a patch writes are not changed in the template", async () => {
    const text = (patches: string): string => `
      #- kustomization.yaml
      resources: [web.yaml]
      ${patches}
      #- web.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: ot$0her } }
          spec: { containers: [{ name: c, image: i }] }
    `;
    const title = /labels of the selector|labels that the Pods have/;
    assert.equal((await offered(text("namePrefix: ''"), title)).length, 2);
    const patch = `patches: [{ target: { kind: Deployment }, patch: '[{ "op": "replace", "path": "/spec/template/metadata/labels", "value": { "app": "third" } }]' }]`;
    assert.deepEqual(await offered(text(patch), title), []);
    const added = "labels: [{ pairs: { team: shop }, includeSelectors: true }]";
    assert.deepEqual(await offered(text(added), title), []);
  });

  test("a volume is inserted only after an object that is a document of its own", async () => {
    const title = /^Create a volume that fits/;
    const asked = claim('storageClassName: "$0"');
    assert.equal((await offered(`#- claim.yaml\n${asked}\n`, title)).length, 1);
    const listed = `#- claim.yaml\napiVersion: v1\nkind: List\nitems:\n  - ${asked}\n`;
    assert.deepEqual(await offered(listed, title), []);
    const json = asked.replaceAll(/([\w$.]+)(?=[:,\]} ])/g, '"$1"').replaceAll('""', '"');
    assert.deepEqual(await offered(`#- claim.json\n${json}\n`, title), []);
    const chart = "#- Chart.yaml\napiVersion: v2\nname: shop\nversion: 1.0.0\n";
    assert.deepEqual(await offered(`${chart}#- templates/claim.yaml\n${asked}\n`, title), []);
  });

  test("a volume created for a claim has the labels that the claim selects", async () => {
    const text = `#- claim.yaml\n${claim('selector: { matchLabels: { tier: fast } }, storageClassName: "$0"')}\n`;
    assert.match(
      await after(text, "Create a volume that fits"),
      /metadata:\n {2}name: default-data\n {2}labels:\n {4}tier: fast\n/,
    );
    const plain = `#- claim.yaml\n${claim('storageClassName: "$0"')}\n`;
    assert.doesNotMatch(await after(plain, "Create a volume that fits"), /labels/);
  });

  test("reserving another claim's volume is not offered if it would not fit", async () => {
    const text = (size: string, mode = "ReadWriteOnce"): string => `
      #- all.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [${mode}], hostPath: { path: /d } }
      ---
      ${claim("storageClassName: manual").replace("name: data", "name: first")}
      ---
      ${claim("storageClassName: man$0ual").replace("1Gi", size)}
    `;
    assert.equal((await offered(text("1Gi"), /^Reserve volume/)).length, 1);
    assert.deepEqual(await offered(text("2Gi"), /^Reserve volume/), []);
    const other = text("1Gi", "ReadOnlyMany").replace("man$0ual", "manual").trimEnd();
    const at = other.lastIndexOf("WriteOnce");
    assert.deepEqual(
      await offered(`${other.slice(0, at)}$0${other.slice(at)}\n`, /^Reserve volume/),
      [],
    );
  });

  test("only a one-line value outside of kustomizations is made a list", async () => {
    const text = (modes: string, more = ""): string => `
      ${more}#- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: ${modes}
        resources: { requests: { storage: 1Gi } }
    `;
    assert.match(await after(text("ReadW$0riteOnce"), "Make it a list"), /: \[ReadWriteOnce\]\n/);
    const block = text("|\n          ReadWriteOnce").replace("accessModes:", "access$0Modes:");
    assert.deepEqual(await offered(block, /^Make it a list/), []);
    const built =
      "#- kustomization.yaml\n      namePrefix: a-\n      resources: [claim.yaml]\n      ";
    assert.deepEqual(await offered(text("ReadW$0riteOnce", built), /^Make it a list/), []);
  });

  test("a misspelled namespace is not corrected in a template, which does not contain it", async () => {
    const files = (namespace: string): string => `
      #- claimcheck.yaml
      charts: [{ chart: shop, namespace: production }]
      #- shop/Chart.yaml
      apiVersion: v2
      name: shop
      version: 1.0.0
      #- shop/templates/claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      meta$0data:
        name: data
        ${namespace}
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
      #- namespace.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: productin }
    `;
    assert.deepEqual(await offered(files(""), /^Change to/), []);
    const written = files("namespace: prod$0uction").replace("meta$0data", "metadata");
    assert.deepEqual(await offered(written, /^Change to/), ["Change to “productin”"]);
  });

  test("fixing all removes neighboring lines at once", async () => {
    const text = `
      #- volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata:
        name: disk
        resour$0ceVersion: "7"
        selfLink: /x
        uid: 3c7ec8b0-5a3f-4a4c-8a3c-0d6f0d3b2a11
      spec:
        capacity: { storage: 1Gi }
        accessModes: [ReadWriteOnce]
        nfs: { server: nfs.example.com, path: /x }
    `;
    const once = await after(text, "Fix all");
    assert.match(once, /metadata:\n {2}name: disk\nspec:/);
  });
});
