import assert from "node:assert/strict";
import { grpcCodes } from "../../../src/engine/csi/grpc-codes.ts";
import { documentationOf } from "../../../src/language-server/completion/documentation.ts";
import { completions } from "../../../src/language-server/features/completion.ts";
import { loadFixture } from "../../support/language-features.ts";
import { dedent, readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

/** Labels at the cursor. */
async function labels(text: string): Promise<readonly string[]> {
  return (await at(text)).map(({ label }) => label);
}

async function inserts(text: string): Promise<readonly string[]> {
  return (await at(text)).map(({ insert }) => insert);
}

async function at(text: string): Promise<ReturnType<typeof completions>> {
  const fixture = readFixture(text);
  const { cursor } = fixture;
  assert.ok(cursor !== undefined);
  const service = await loadFixture(fixture, false);
  const uri = memoryUri(cursor.file);
  service.setEditorText(uri, fixture.files.get(cursor.file) ?? "");
  const file = service.file(uri);
  assert.ok(file !== undefined);
  return completions(service.analysisOf(uri), file, cursor.offset);
}

const claim = (spec: string): string => `
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    ${spec}
`;

suite("completion", () => {
  test("fields of the object's schema, without those already present", async () => {
    const found = await labels(claim("volumeMode: Block\n    $0"));
    assert.ok(found.includes("accessModes") && found.includes("storageClassName"));
    assert.ok(!found.includes("volumeMode") && !found.includes("spec"));
  });

  test("values and the keys that sidecars read have documentation", async () => {
    const told = async (text: string, label: string): Promise<string> => {
      const { about } = (await at(text)).find((item) => item.label === label) ?? {};
      return about === undefined ? "" : documentationOf(about, undefined, undefined);
    };
    assert.match(await told(claim("accessModes: [$0]"), "ReadWriteOncePod"), /^one pod in the/);
    const storageClass = (fields: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: disks }
      provisioner: disks.example
      ${fields}
    `;
    assert.match(await told(storageClass("volumeBindingMode: $0"), "Immediate"), /immediately/);
    const secret = "csi.storage.k8s.io/provisioner-secret-namespace";
    assert.match(await told(storageClass("parameters: { $0 }"), secret), /creating and deleting/);
  });

  test("nothing in a document that is too large to be read", async () => {
    const grown = [..."bcdefg"].map((name, i) => {
      const before = "abcdefg"[i];
      return `  ${name}: &${name} [${`*${before}, `.repeat(10)}]`;
    });
    const map = ["apiVersion: v1", "kind: ConfigMap", "data:", `  a: &a [${"x, ".repeat(10)}]`];
    assert.deepEqual(await labels([...map, ...grown, "$0", ""].join("\n")), []);
  });

  test("the most common fields come first, those that the server writes come last", async () => {
    const first = async (text: string, count: number) => (await labels(text)).slice(0, count);
    const spec = ["accessModes", "storageClassName", "resources"];
    assert.deepEqual(await first(claim("$0"), 3), spec);
    const metadata = await labels("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  $0\n");
    assert.deepEqual(metadata.slice(0, 2), ["name", "annotations"]);
    const [forPeople, forServers] = [metadata.indexOf("namespace"), metadata.indexOf("generation")];
    assert.ok(forPeople >= 0 && forPeople < forServers);
    const pod = (containers: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  containers:\n    ${containers}\n`;
    assert.deepEqual(await first(pod("- name: a\n    - $0"), 3), ["name", "image", "volumeMounts"]);
    assert.equal((await labels(pod("- securityContext: { seccompProfile: { $0 } }")))[0], "type");
  });

  test("a field with fields of its own starts them below it, with the text's indentation", async () => {
    const has = async (text: string, insert: string) =>
      assert.ok((await inserts(text)).includes(insert), (await inserts(text)).join(" | "));
    await has(claim("$0"), "accessModes:\n    - ");
    await has(claim("$0"), "resources:\n    ");
    const container = (rest: string) => `
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
      spec:
        ${rest}
    `;
    const listed = "containers:\n          - name: c\n            image: i\n";
    await has(container(`${listed}          - $0`), "volumeMounts:\n        - ");
    await has(
      container(`${listed.replaceAll("          ", "        ")}          $0`),
      "env:\n    - ",
    );
    await has(container(`${listed}        volumes:\n          - $0`), "emptyDir: {}");
    const wide = "apiVersion: v1\nkind: Pod\nmetadata:\n    name: web\nspec:\n    $0\n";
    await has(wide, "containers:\n        - ");
    await has(wide, "affinity:\n        ");
  });

  test("a field starts nothing below it in flow style, nor if its content is already there", async () => {
    for (const text of [
      claim("$0").replace("spec:\n    $0", "spec: { $0 }"),
      claim("acc$0\n      - ReadWriteOnce"),
      claim("acc$0\n    # why\n    - ReadWriteOnce"),
    ])
      assert.ok((await inserts(text)).includes("accessModes:"), text);
    assert.ok((await inserts(claim("res$0\n      requests:"))).includes("resources:"));
  });

  test("only fields and kinds that servers of the project's version keep are offered", async () => {
    const of = async (version: string, text: string) =>
      labels(`#- claimcheck.yaml\nkubernetesVersion: "${version}"\n#- a.yaml\n${dedent(text)}`);
    const pod = `
      apiVersion: v1
      kind: Pod
      metadata: { name: p }
      spec:
        $0
    `;
    const later = ["hostUsers", "hostnameOverride", "resources", "schedulingGroup"];
    const found = async (version: string) =>
      (await of(version, pod)).filter((label) => later.includes(label));
    assert.deepEqual(await found("1.32"), []);
    assert.deepEqual(await found("1.34"), ["hostUsers", "resources"]);
    assert.deepEqual(await found("1.35"), ["hostUsers", "hostnameOverride", "resources"]);
    const attributes = claim("vol$0");
    assert.ok(!(await of("1.33", attributes)).includes("volumeAttributesClassName"));
    assert.ok((await of("1.34", attributes)).includes("volumeAttributesClassName"));
    for (const text of ["apiVersion: storage.k8s.io/v1\nkind: $0", "$0"]) {
      assert.ok(!(await of("1.33", text)).includes("VolumeAttributesClass"), text);
      assert.ok((await of("1.34", text)).includes("VolumeAttributesClass"), text);
    }
  });

  test("an object without a version is offered its kind's fields, and apiVersion among them", async () => {
    for (const version of ["", "apiVersion:\n"]) {
      const begun = `${version}kind: PersistentVolumeClaim\n`;
      assert.ok((await labels(`${begun}spec:\n  $0\n`)).includes("accessModes"));
      assert.equal((await labels(`${begun}$0\n`)).includes("apiVersion"), version === "");
    }
    assert.deepEqual(await labels("kind: Deploymnt\nspec:\n  $0\n"), []);
  });

  test("a half-written field is replaced as a whole", async () => {
    const found = await at(claim("stor$0"));
    const item = found.find(({ label }) => label === "storageClassName");
    assert.equal(item?.insert, "storageClassName: ");
    assert.equal((item?.replace.end ?? 0) - (item?.replace.start ?? 0), "stor".length);
  });

  test("keys are inserted to fit before a colon, between quotes and in JSON", async () => {
    const inJson = (spec: string): string => `
      #- a.json
      { "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data" }, "spec": { ${spec} } }
    `;
    for (const [text, wanted] of [
      [claim("$0"), "volumeName: "],
      [claim("volum$0: x"), "volumeName"],
      [claim('"volum$0": x'), "volumeName"],
      [inJson("$0"), '"volumeName": '],
      [inJson('"volum$0"'), "volumeName"],
      [inJson('"volum$0": "x"'), "volumeName"],
      [inJson('"volumeMode": $0'), '"Block"'],
      [inJson('"volumeMode": "$0"'), "Block"],
    ] as const)
      assert.ok((await inserts(text)).includes(wanted), `${text}: ${await inserts(text)}`);
  });

  test("overlays that can be judged, and versions with quotes if there are none", async () => {
    const files = (project: string): string => `
      #- base/kustomization.yaml
      resources: [volume.yaml]
      #- base/volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      #- dev/kustomization.yaml
      resources: [../base]
      namePrefix: dev-
      #- prod/kustomization.yaml
      resources: [../base]
      namePrefix: prod-
      #- claimcheck.yaml
      ${project}
    `;
    assert.deepEqual(await inserts(files("kustomization: $0")), ["dev", "prod"]);
    assert.ok((await inserts(files("kubernetesVersion: $0"))).includes('"1.35"'));
    assert.ok((await inserts(files('kubernetesVersion: "$0"'))).includes("1.35"));
  });

  test("enum values, in a block list and in a flow list without those already present", async () => {
    assert.deepEqual(await labels(claim("volumeMode: $0")), ["Filesystem", "Block"]);
    assert.deepEqual(await labels(claim("accessModes:\n      - $0")), [
      "ReadWriteOnce",
      "ReadOnlyMany",
      "ReadWriteMany",
      "ReadWriteOncePod",
    ]);
    assert.deepEqual(await labels(claim("accessModes: [ReadWriteOnce, $0]")), [
      "ReadOnlyMany",
      "ReadWriteMany",
      "ReadWriteOncePod",
    ]);
  });

  test("keys of maps that Kubernetes knows, without those already present", async () => {
    assert.deepEqual(await inserts(claim("resources:\n      requests:\n        $0")), [
      "storage: ",
    ]);
    assert.deepEqual(await labels(claim("resources: { requests: { storage: 1Gi, $0 } }")), []);
    const quota = `
      #- claimcheck.yaml
      profile: k3s
      #- quota.yaml
      apiVersion: v1
      kind: ResourceQuota
      metadata: { name: q }
      spec:
        hard:
          requests.storage: 1Gi
          $0
    `;
    assert.deepEqual(await labels(quota), [
      "persistentvolumeclaims",
      "local-path.storageclass.storage.k8s.io/requests.storage",
      "local-path.storageclass.storage.k8s.io/persistentvolumeclaims",
    ]);
    const limit = (type: string): string => `
      apiVersion: v1
      kind: LimitRange
      metadata: { name: l }
      spec:
        limits:
          - type: ${type}
            max: { $0 }
    `;
    assert.deepEqual(await labels(limit("PersistentVolumeClaim")), ["storage"]);
    assert.deepEqual(await labels(limit("Container")), ["cpu", "memory", "ephemeral-storage"]);
    const storageClass = `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata:
        name: fast
        annotations:
          $0
    `;
    assert.deepEqual(await inserts(storageClass), [
      'storageclass.kubernetes.io/is-default-class: "true"',
    ]);
    assert.deepEqual(await inserts(storageClass.replace("annotations", "labels")), []);
    const volume = `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { $0 } }
    `;
    assert.deepEqual(await labels(volume), ["storage"]);
    const pod = `
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { containers: [{ name: c, resources: { limits: { cpu: 1, $0 } } }] }
    `;
    assert.deepEqual(await labels(pod), ["memory", "ephemeral-storage"]);
  });

  test("names of classes, including those of the assumed cluster", async () => {
    const text = `
      #- claimcheck.yaml
      profile: k3s
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: example.com/x
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: $0 }
    `;
    assert.deepEqual(
      (await at(text)).map(({ label, detail }) => [label, detail]),
      [
        ["fast", "example.com/x"],
        ["local-path", "rancher.io/local-path"],
        ['""', "no class"],
      ],
    );
  });

  test("a class that exists only as a name on a volume", async () => {
    const text = `
      #- claimcheck.yaml
      profile: bare-metal
      #- volume.yaml
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: /x } }
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: $0 }
    `;
    const found = (await at(text)).find(({ label }) => label === "manual");
    assert.equal(found?.detail, "class of volumes");
  });

  test("if the workspace has no class, the assumed cluster's classes and the empty class", async () => {
    const ofProfile = (profile: string, manifest: string): string =>
      `#- claimcheck.yaml\nprofile: ${profile}\n#- a.yaml\n${manifest}`;
    const plain = dedent(claim("storageClassName: $0"));
    const found = await at(ofProfile("eks", plain));
    assert.deepEqual(
      found.map(({ label, detail }) => [label, detail]),
      [
        ["gp2", "kubernetes.io/aws-ebs"],
        ['""', "no class"],
      ],
    );
    const none = found.at(-1);
    assert.ok(none?.about !== undefined && none.insert === '""');
    assert.match(documentationOf(none.about, undefined, undefined), /^No dynamic provisioning/);
    assert.deepEqual(await labels(ofProfile("bare-metal", plain)), ['""']);
    const quoted = dedent(claim('storageClassName: "$0"'));
    assert.deepEqual(await labels(ofProfile("eks", quoted)), ["gp2"]);
    const volume = plain.replace("kind: PersistentVolumeClaim", "kind: PersistentVolume");
    const [ofVolume] = await at(ofProfile("bare-metal", volume));
    assert.ok(ofVolume?.about !== undefined);
    assert.match(documentationOf(ofVolume.about, undefined, undefined), /belongs to no class/);
  });

  test("runtime classes are offered by name", async () => {
    const text = `
      #- class.yaml
      apiVersion: node.k8s.io/v1
      kind: RuntimeClass
      metadata: { name: sandboxed }
      handler: runsc
      #- pod.yaml
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec: { runtimeClassName: $0, containers: [{ name: c, image: i }] }
    `;
    assert.deepEqual(await labels(text), ["sandboxed"]);
  });

  test("claims of the pod's own namespace", async () => {
    const text = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: mine, namespace: shop }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: other, namespace: elsewhere }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web, namespace: shop }
      spec:
        volumes:
          - name: v
            persistentVolumeClaim:
              claimName: $0
    `;
    assert.deepEqual(await labels(text), ["mine"]);
  });

  const set =
    "{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: db, namespace: shop }, spec: { replicas: 2, ordinals: { start: 3 }, volumeClaimTemplates: [{ metadata: { name: data } }] } }";

  test("claims that StatefulSets will create", async () => {
    const named = (fields: string): Promise<readonly string[]> =>
      labels(`${set}\n---\n${dedent(fields)}`);
    const made = ["data-db-3", "data-db-4"];
    const snapshot = (namespace: string): string => `
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshot
      metadata: { name: s, namespace: ${namespace} }
      spec: { source: { persistentVolumeClaimName: $0 } }
    `;
    assert.deepEqual(await named(snapshot("shop")), made);
    assert.deepEqual(await named(snapshot("other")), []);
    const volume = `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: v }
      spec: { claimRef: { name: $0 } }
    `;
    assert.deepEqual(await named(volume), made);
  });

  test("in a scenario's expectations, the pods that StatefulSets will create", async () => {
    const expected = (fields: string): Promise<readonly string[]> =>
      labels(`
        #- set.yaml
        ${set}
        #- what.scenario.yaml
        steps:
          - expect: [{ ${fields} }]
      `);
    const pods = ["db-3", "db-4"];
    assert.deepEqual(await expected("kind: Pod, namespace: shop, name: $0"), pods);
    assert.ok((await expected("event: Started, about: $0")).includes("Pod/shop/db-4"));
  });

  test("a list of objects offers their fields", async () => {
    const text =
      "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  volumes:\n    - na$0\n";
    assert.ok((await labels(text)).includes("persistentVolumeClaim"));
  });

  test("kinds, and the version of a kind", async () => {
    assert.ok((await labels("apiVersion: v1\nkind: $0\n")).includes("PersistentVolume"));
    assert.deepEqual(await labels("kind: StorageClass\napiVersion: $0\n"), ["storage.k8s.io/v1"]);
  });

  test("a scenario file's steps, their fields, and the names that exist", async () => {
    const text = (steps: string): string => `
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: mine, namespace: shop }
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      ---
      apiVersion: batch/v1
      kind: CronJob
      metadata: { name: backup, namespace: shop }
      #- claimcheck.yaml
      profile: kind
      #- fails.scenario.yaml
      steps:
        - ${steps}
    `;
    assert.deepEqual((await labels(text("$0"))).slice(0, 3), ["apply", "kustomize", "helm"]);
    assert.deepEqual(await labels(text("node: {kubelet: down, $0}")), ["name", "of"]);
    assert.deepEqual(await labels(text("node: {kubelet: $0}")), ["up", "down", "restart"]);
    assert.deepEqual(await labels(text("drain: {name: $0}")), ["kind-control-plane"]);
    assert.deepEqual(await labels(text("apply: [$0]")), ["claim.yaml"]);
    assert.deepEqual(await labels(text("apply: $0")), []);
    assert.deepEqual(await labels(text("fault: {code: $0}")), grpcCodes);
    const from = (namespace: string): Promise<readonly string[]> =>
      labels(text(`createJob: {${namespace}name: now, from: $0}`));
    assert.deepEqual(await from("namespace: shop, "), ["cronjob/backup"]);
    assert.deepEqual(await from(""), []);
    const expected = (fields: string): Promise<readonly string[]> =>
      labels(text(`expect: [{${fields}}]`));
    assert.deepEqual(await expected("kind: PersistentVolumeClaim, namespace: shop, name: $0"), [
      "mine",
    ]);
    assert.deepEqual(await expected("kind: PersistentVolumeClaim, name: $0"), []);
    assert.deepEqual(await expected("kind: PersistentVolumeClaim, volume: $0"), ["disk"]);
    assert.deepEqual(await expected("absent: $0"), ["true", "false"]);
    assert.deepEqual(await expected("event: Bound, $0"), ["about", "message", "within"]);
    assert.deepEqual(await expected("event: Bound, about: $0"), [
      "PersistentVolumeClaim/shop/mine",
      "PersistentVolume/disk",
      "CronJob/shop/backup",
    ]);
  });

  test("phases, sizes and event reasons that a scenario file may expect", async () => {
    const expected = (fields: string): Promise<readonly string[]> =>
      labels(`
        #- volume.yaml
        apiVersion: v1
        kind: PersistentVolume
        metadata: { name: disk }
        spec: { capacity: { storage: 3Gi } }
        #- a.scenario.yaml
        steps:
          - expect: [{${fields}}]
      `);
    assert.deepEqual(await expected("kind: PersistentVolumeClaim, phase: $0"), [
      "Pending",
      "Bound",
      "Lost",
    ]);
    assert.ok((await expected("phase: $0, kind: PersistentVolume")).includes("Released"));
    assert.deepEqual(await expected("kind: Node, phase: $0, name: a"), [
      ...["Pending", "Bound", "Lost", "Available", "Released", "Failed"],
      ...["Running", "Succeeded", "Active", "Terminating"],
    ]);
    assert.deepEqual((await expected("kind: PersistentVolumeClaim, capacity: $0"))[0], "3Gi");
    const reasons = await expected("event: $0, about: PersistentVolumeClaim/default/a");
    for (const reason of ["FailedBinding", "FailedScheduling", "ProvisioningFailed"])
      assert.equal(reasons.filter((label) => label === reason).length, 1, reason);
  });

  suite("a kustomization", () => {
    const text = (kustomization: string): string => `
      #- base/kustomization.yaml
      resources: [web.yaml]
      #- base/web.yaml
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, namespace: shop }
      spec:
        template:
          spec: { containers: [{ name: c, image: "localhost:5000/web:1@sha256:ab" }] }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data, namespace: shop }
      #- nfs/kustomization.yaml
      apiVersion: kustomize.config.k8s.io/v1alpha1
      kind: Component
      #- prod/patch.yaml
      spec: { replicas: 3 }
      #- prod/fails.scenario.yaml
      steps: []
      #- prod/ns.yaml
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
      #- prod/kustomization.yaml
      ${kustomization}
    `;
    const offered = (kustomization: string): Promise<readonly string[]> =>
      labels(text(kustomization));

    test("its keys, without those already present or deprecated", async () => {
      const keys = await offered("resources: []\n      $0");
      assert.deepEqual(keys.slice(0, 4), ["apiVersion", "kind", "components", "namespace"]);
      assert.ok(keys.includes("patches") && !keys.includes("patchesJson6902"));
      assert.deepEqual(await offered("patches: [{ target: { kind: Pod, $0 } }]"), [
        ...["group", "version", "name", "namespace", "labelSelector", "annotationSelector"],
      ]);
      assert.deepEqual(await offered("configMapGenerator: [{ behavior: $0 }]"), [
        ...["create", "replace", "merge"],
      ]);
    });

    test("files in its folder, and folders with kustomizations or components", async () => {
      assert.deepEqual(await offered("resources: [ns.yaml, $0]"), ["../base", "patch.yaml"]);
      assert.deepEqual(await offered("components: [$0]"), ["../nfs"]);
      assert.deepEqual(await offered("patches: [{ path: $0 }]"), ["ns.yaml", "patch.yaml"]);
    });

    test("objects by the names in their files, and only those that the field can select", async () => {
      const named = (target: string): Promise<readonly string[]> =>
        offered(
          `resources: [../base]\n      namePrefix: a-\n      patches: [{ target: ${target} }]`,
        );
      assert.deepEqual(await named("{ kind: Deployment, name: $0 }"), ["web"]);
      assert.deepEqual(await named("{ name: $0 }"), ["web", "shop", "data"]);
      assert.deepEqual(await named("{ kind: $0 }"), [
        "Deployment",
        "Namespace",
        "PersistentVolumeClaim",
      ]);
      assert.deepEqual(await named("{ namespace: $0 }"), ["shop"]);
      assert.deepEqual(await offered("resources: [../base]\n      replicas: [{ name: $0 }]"), [
        "web",
      ]);
      assert.deepEqual(await offered("resources: [../base]\n      replicas: [{ count: $0 }]"), []);
      assert.deepEqual(await offered("resources: [../base]\n      images: [{ name: $0 }]"), [
        "localhost:5000/web",
      ]);
    });

    test("charts in the folder where kustomize looks for them, and values files", async () => {
      const files = (kustomization: string): string => `
      #- claimcheck.yaml
      charts: []
      #- charts/shop/Chart.yaml
      name: shop
      #- charts/shop/values.yaml
      size: 1Gi
      #- charts/shop/templates/claim.yaml
      kind: PersistentVolumeClaim
      #- deps/db/Chart.yaml
      name: db
      #- values-eu.yaml
      size: 2Gi
      #- kustomization.yaml
      ${kustomization}
    `;
      const shop = "helmCharts: [{ name: shop }, ";
      assert.deepEqual(await labels(files(`${shop}{ name: $0 }]`)), ["shop"]);
      const global = "helmGlobals: { chartHome: deps }\n      ";
      assert.deepEqual(await labels(files(`${global}helmCharts: [{ name: $0 }]`)), ["db"]);
      for (const field of ["valuesFile: $0", "additionalValuesFiles: [$0]"])
        assert.deepEqual(await labels(files(`${shop}{ name: shop, ${field} }]`)), [
          ...["charts/shop/values.yaml", "values-eu.yaml"],
        ]);
      assert.deepEqual(await labels(files(`${shop}]\n      resources: [$0]`)), ["values-eu.yaml"]);
      assert.deepEqual(await labels(files("helmGlobals: { $0 }")), ["chartHome", "configHome"]);
    });

    test("nothing in Flux's kind of the same name", async () =>
      assert.deepEqual(
        await offered(
          "apiVersion: kustomize.toolkit.fluxcd.io/v1\n      kind: Kustomization\n      $0",
        ),
        [],
      ));
  });

  test("a scenario file's kustomizations, by their relative folders", async () =>
    assert.deepEqual(
      await labels(`
      #- kustomization.yaml
      resources: []
      #- overlays/one/kustomization.yaml
      resources: []
      #- tests/deep/fails.scenario.yaml
      steps:
        - kustomize: $0
    `),
      ["../..", "../../overlays/one"],
    ));

  test("a scenario file's charts, by their relative folders, and their values files", async () => {
    const files = (step: string): string => `
      #- claimcheck.yaml
      charts: []
      #- values-production.yaml
      size: 1Gi
      #- shop/Chart.yaml
      name: shop
      #- shop/values.yaml
      size: 1Gi
      #- shop/charts/db/Chart.yaml
      name: db
      #- tests/a.scenario.yaml
      steps:
        - helm: ${step}
    `;
    assert.deepEqual(await labels(files("{ chart: $0 }")), ["../shop"]);
    const values = ["../shop/values.yaml", "../values-production.yaml"];
    assert.deepEqual(await labels(files("{ chart: ../shop, values: $0 }")), values);
    assert.deepEqual(await labels(files("{ chart: ../shop, values: [$0] }")), values);
  });

  test("the project file's charts and their values files, by their relative paths", async () => {
    const files = (charts: string): string => `#- charts/shop/Chart.yaml
name: shop
#- charts/shop/charts/inner/Chart.yaml
name: inner
#- values-production.yaml
size: 1Gi
#- claimcheck.yaml
charts:
  - ${charts}
`;
    assert.deepEqual(await inserts(files("chart: $0")), ["charts/shop"]);
    assert.deepEqual(await inserts(files("chart: charts/shop\n    values: $0")), [
      "values-production.yaml",
    ]);
  });

  test("the project file's keys, profiles and rules", async () => {
    const text = (yaml: string): string => `#- claimcheck.yaml\n${yaml}`;
    const keys = [
      "profile",
      "cluster",
      "folders",
      "kustomization",
      "charts",
      "kubernetesVersion",
      "drivers",
      "rules",
      "suppressions",
    ];
    assert.deepEqual(await labels(text("$0\n")), keys);
    assert.deepEqual(await labels(text("profile: k3s\n$0\n")), keys.slice(1), "once each");
    assert.deepEqual(await labels(text("cluster:\n  $0\n")), ["import"]);
    const driver = text("drivers:\n  - name: disks.example.com\n    exp$0\n");
    assert.ok((await labels(driver)).includes("expansion"));
    assert.ok((await labels(driver.replace("exp", "expansion: "))).includes("offline"));
    const suppression = text("suppressions:\n  - rule: pv-unclaimed\n    $0\n");
    assert.deepEqual(await labels(suppression), ["files", "reason"]);
    assert.ok((await labels(text("suppressions:\n  - rule: pv$0\n"))).includes("pv-unclaimed"));
    assert.ok((await labels(text("profile: $0\n"))).includes("bare-metal"));
    assert.ok((await inserts(text("kubernetesVersion: $0\n"))).includes('"1.36"'), "no number");
    assert.ok((await labels(text("rules:\n  pvc$0\n"))).includes("pvc-class-missing"));
    assert.deepEqual(await labels(text("rules:\n  pvc-class-missing: $0\n")), [
      "error",
      "warning",
      "information",
      "hint",
      "off",
    ]);
  });

  test("parameters of the class's driver, with their values, and those of the sidecars", async () => {
    const written = (rest: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: ebs.csi.aws.com
      parameters:
        encrypted: "true"
        ${rest}
    `;
    const keys = await labels(written("$0"));
    assert.ok(keys.includes("iopsPerGB") && keys.includes("csi.storage.k8s.io/fstype"));
    assert.ok(!keys.includes("encrypted") && !keys.includes("skuName"));
    assert.deepEqual((await labels(written("type: $0"))).slice(0, 2), ["gp3", "gp2"]);
    assert.deepEqual(await inserts(written("blockAttachUntilInitialized: $0")), [
      '"true"',
      '"false"',
    ]);
  });

  test("parameters of a snapshot or attributes class, and which of a storage class the driver needs", async () => {
    const keys = async (head: string): Promise<readonly string[]> =>
      (await at(`\n  ${head}\n  parameters: { $0 }\n`)).map(
        ({ label, detail }) => `${label} (${detail})`,
      );
    const snapshots = await keys(
      "apiVersion: snapshot.storage.k8s.io/v1\n  kind: VolumeSnapshotClass\n  metadata: { name: a }\n  driver: pd.csi.storage.gke.io",
    );
    const pd = "Google Compute Engine Persistent Disk";
    assert.ok(snapshots.includes(`storage-locations (${pd})`), snapshots.join());
    assert.ok(!snapshots.some((key) => key.startsWith("replication-type ")));
    const attributes = await keys(
      "apiVersion: storage.k8s.io/v1\n  kind: VolumeAttributesClass\n  metadata: { name: a }\n  driverName: pd.csi.storage.gke.io",
    );
    assert.deepEqual(attributes, [`iops (${pd})`, `throughput (${pd})`]);
    const volumes = await keys(
      "apiVersion: storage.k8s.io/v1\n  kind: StorageClass\n  metadata: { name: a }\n  provisioner: rbd.csi.ceph.com",
    );
    assert.ok(volumes.includes("clusterID (Ceph RBD, required)"), volumes.join());
  });

  test("parameters of a provisioner of directories, without those of sidecars", async () => {
    const keys = await labels(`
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: local }
      provisioner: rancher.io/local-path
      parameters:
        nodePath: /disks
        $0
    `);
    assert.ok(keys.includes("pathPattern") && !keys.includes("nodePath"));
    assert.ok(!keys.includes("csi.storage.k8s.io/fstype"));
  });

  test("installed drivers, then all other known ones", async () => {
    const found = await labels(`
      #- claimcheck.yaml
      profile: gke
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: $0
    `);
    assert.equal(found[0], "pd.csi.storage.gke.io");
    assert.ok(found.includes("driver.longhorn.io"));
    assert.equal(found.at(-1), "kubernetes.io/no-provisioner");
  });

  test("a driver that another object names", async () => {
    const found = await labels(`
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: disks.example.com
      #- snapshots.yaml
      apiVersion: snapshot.storage.k8s.io/v1
      kind: VolumeSnapshotClass
      metadata: { name: daily }
      driver: $0
    `);
    assert.ok(found.indexOf("disks.example.com") < found.indexOf("driver.longhorn.io"));
    assert.ok(found.includes("disks.example.com"));
  });

  test("a claim's selector offers the labels of volumes", async () => {
    const written = (selector: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: a, labels: { tier: gold, "8": "1" } }
      ---
      ${dedent(claim(selector)).trim().replaceAll("\n", "\n      ")}
    `;
    assert.deepEqual(await labels(written("selector:\n      matchLabels:\n        $0")), [
      "8",
      "tier",
    ]);
    assert.deepEqual(await labels(written("selector: { matchLabels: { tier: $0 } }")), ["gold"]);
    const expressions = "selector: { matchExpressions: [{ key: $0, operator: In }] }";
    assert.deepEqual(await labels(written(expressions)), ["8", "tier"]);
  });

  test("labels of nodes, including the assumed cluster's, without values already present", async () => {
    const pod = (spec: string): string => `
      apiVersion: v1
      kind: Pod
      metadata: { name: a }
      spec:
        ${spec}
    `;
    assert.ok((await labels(pod("nodeSelector: { $0 }"))).includes("topology.kubernetes.io/zone"));
    const zones = await labels(pod("nodeSelector: { topology.kubernetes.io/zone: $0 }"));
    assert.deepEqual(zones, ["zone-a", "zone-b", "zone-c"]);
    const classes = `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      allowedTopologies:
        - matchLabelExpressions:
            - key: topology.kubernetes.io/zone
              values: [zone-b, $0]
    `;
    assert.deepEqual(await labels(classes), ["zone-a", "zone-c"]);
  });

  test("a workload's selector offers the labels of pods", async () => {
    const found = await labels(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        selector: { matchLabels: { app: $0 } }
        template:
          metadata: { labels: { app: shop } }
    `);
    assert.deepEqual(found, ["shop"]);
  });

  test("pods and volumes are offered the labels that selectors ask for", async () => {
    const deployment = (template: string): string => `
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, labels: { team: a } }
      spec:
        selector: { matchLabels: { app: shop } }
        template:
          metadata: { labels: { ${template} } }
    `;
    assert.deepEqual(await labels(deployment("$0")), ["app"]);
    assert.deepEqual(await labels(deployment("app: $0")), ["shop"]);
    assert.deepEqual(await labels(deployment("app: shop, $0")), []);
    const pod = "apiVersion: v1\n      kind: Pod\n      metadata: { labels: { $0 } }";
    assert.deepEqual(await labels(`${deployment("app: shop")}\n      ---\n      ${pod}`), ["app"]);
    // No selector reads the workload's own labels.
    assert.deepEqual(await labels(deployment("").replace("team: a", "team: a, $0")), []);
    const volume = `
      ${dedent(claim("selector: { matchLabels: { tier: gold } }")).trim().replaceAll("\n", "\n      ")}
      ---
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: a, labels: { tier: $0 } }
    `;
    assert.deepEqual(await labels(volume), ["gold"]);
    assert.deepEqual(await labels(claim("x: 1").replace("name: data", "labels: { $0 }")), []);
  });

  test("sizes of existing volumes, then common ones", async () => {
    const found = await labels(`
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: a }
      spec: { capacity: { storage: 37Gi } }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: b }
      spec: { resources: { requests: { storage: $0 } } }
    `);
    assert.deepEqual(found.slice(0, 2), ["37Gi", "1Gi"]);
  });

  test("a mount offers the volumes of its pod and the set's claim templates, each name once", async () => {
    const found = await labels(`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        template:
          spec:
            containers:
              - name: db
                volumeMounts:
                  - name: $0
            volumes:
              - name: scratch
                emptyDir: {}
              - name: data
                emptyDir: {}
        volumeClaimTemplates:
          - metadata: { name: data }
    `);
    assert.deepEqual(found, ["scratch", "data"]);
  });

  test("namespaces that are declared or used", async () => {
    const found = await labels(`
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: a, namespace: shop }
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: b, namespace: $0 }
    `);
    assert.deepEqual(found, ["default", "shop"]);
  });

  test("snippets at the start of a document, among them local volumes for each node", async () => {
    const found = await at("#- a.yaml\n$0");
    const local = found.find(({ label }) => label === "Local volumes");
    assert.equal(local?.kind, "snippet");
    assert.equal(local?.insert.split("kind: PersistentVolume\n").length, 1 + 3);
    assert.ok(!(await labels(claim("$0"))).includes("Local volumes"));
    assert.ok(!(await labels("apiVersion: v1\n$0\n")).includes("Local volumes"));
  });

  test("a snippet's claims offer a choice of the existing classes", async () => {
    const found = await at("#- claimcheck.yaml\nprofile: gke\n#- a.yaml\n$0");
    const insert = found.find(({ label }) => label === "PersistentVolumeClaim")?.insert ?? "";
    assert.match(insert, /storageClassName: \$\{3\|standard-rwo,.*standard.*\|\}/);
    assert.match(insert, /name: \$\{1:data\}/);
  });

  test("a name that YAML would misread is quoted, and a snippet escapes a name's special characters", async () => {
    const odd = `
      #- odd.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: "NAME" }
      provisioner: ebs.csi.aws.com
      #- a.yaml
    `;
    const insertOf = async (name: string): Promise<string | undefined> => {
      const files = odd.replace("NAME", () => name);
      const found = await at(`${files}${claim("storageClassName: $0").replaceAll("\n", "\n    ")}`);
      return found.find(({ detail }) => detail === "ebs.csi.aws.com")?.insert;
    };
    assert.equal(await insertOf("1e3"), '"1e3"');
    assert.equal(await insertOf("a\\nb: c"), String.raw`"a\nb: c"`);
    const snippetOf = async (name: string): Promise<string> => {
      const found = await at(`${odd.replace("NAME", () => name)}$0`);
      return found.find(({ label }) => label === "PersistentVolumeClaim")?.insert ?? "";
    };
    assert.match(await snippetOf("1e3"), /storageClassName: \$\{3\|.*"1e3".*\|\}\n/);
    assert.doesNotMatch(await snippetOf("a\\nb: c"), /b: c/);
    assert.doesNotMatch(await snippetOf("$CLIPBOARD"), /CLIPBOARD/);
    assert.match(await snippetOf("a|}"), /storageClassName: \$\{3[^}]*\}\n/);
  });

  test("documentation of an item", async () => {
    const text = claim("storageClassName: $0").replace(
      "\n",
      "\n  #- claimcheck.yaml\n  profile: k3s\n  #- claim.yaml\n",
    );
    const fixture = readFixture(text);
    const service = await loadFixture(fixture, false);
    const analysis = service.analysisOf(memoryUri("claim.yaml"));
    const [item] = await at(text);
    assert.ok(item?.about !== undefined);
    const said = documentationOf(item.about, analysis, undefined);
    assert.match(said, /assumed cluster “k3s”/);
    assert.match(said, /provisioner: `rancher.io\/local-path`/);
    const field = { type: "field", kind: "StorageClass", path: ["reclaimPolicy"] } as const;
    assert.match(documentationOf(field, undefined, undefined), /reclaimPolicy/);
  });

  test("nothing in comments and in files of other programs", async () => {
    assert.deepEqual(await labels(claim("# stor$0")), []);
    assert.deepEqual(await labels("services:\n  web:\n    im$0\n"), []);
  });
});
