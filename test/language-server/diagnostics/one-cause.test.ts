/** One mistake has one finding, hints included, at the mistake; if that one is hidden, its consequences are reported. */
import assert from "node:assert/strict";
import { actionsIn, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { diagnosticsOf, filesOf, loadFiles } from "../../support/rule-page.ts";

/** Each finding's code with the text that it is at. */
async function findingsIn(
  text: string,
  project = "profile: bare-metal",
): Promise<readonly string[]> {
  const files = filesOf(`#- claimcheck.yaml\n${project}\n#- all.yaml\n${text}`);
  const all = files.get("all.yaml") ?? "";
  const found = await diagnosticsOf(files, true);
  return found
    .map(({ code, start, end }) => `${code} ${all.slice(start, end).split("\n")[0]}`)
    .sort();
}

const volume = (more: string): string => `
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  storageClassName: manual
  nfs: { server: s, path: / }
${more}---`;

const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: manual
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
---`;

const pod = `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: i, volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

const all = volume("") + claim + pod;

/** The text with one part replaced. */
function slip(text: string, from: string, to: string): string {
  assert.ok(text.includes(from));
  return text.replace(from, to);
}

suite("one mistake has one finding", () => {
  test("without a mistake there is no finding", async () => {
    assert.deepEqual(await findingsIn(all), []);
  });

  for (const [what, from, to, found] of [
    [
      "the volume's class",
      "storageClassName: manual",
      "storageCass: manual",
      "api-refused storageCass",
    ],
    [
      "the volume's kind",
      "kind: PersistentVolume\n",
      "kind: PersistentVolum\n",
      "kind-unknown PersistentVolum",
    ],
    [
      "the volume's version",
      "v1\nkind: PersistentVolume\n",
      "v2\nkind: PersistentVolume\n",
      "api-version-removed v2",
    ],
    [
      "the key of the volume's version",
      "apiVersion: v1",
      "apiVersio: v1",
      "kind-missing apiVersio",
    ],
    [
      "the key of the claim's name",
      "{ name: data }\nspec:\n  storage",
      "{ nam: data }\nspec:\n  storage",
      "api-refused nam",
    ],
    [
      "the characters of the claim's name",
      "name: data }\nspec:\n  storage",
      "name: Data }\nspec:\n  storage",
      "api-refused Data",
    ],
    [
      "the claim's access modes",
      "[ReadWriteOnce]\n  resources",
      "[ReadWriteOne]\n  resources",
      "api-refused ReadWriteOne",
    ],
    ["the key of the pod's volumes", "\n  volumes:", "\n  volmes:", "api-refused volmes"],
    ["the key of the pod's containers", "containers:", "contaners:", "api-refused contaners"],
    ["the pod's volume", "volumes: [{ name: data", "volumes: [{ name: date", "api-refused data"],
  ] as const) {
    test(`in ${what}`, async () => {
      const [first = "", ...others] = await findingsIn(slip(all, from, to));
      assert.deepEqual([first, ...others], [found]);
    });
  }

  test("in replicas that share a disk, so that pods on other nodes do not start", async () => {
    const text = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], storageClassName: longhorn, resources: { requests: { storage: 1Gi } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  strategy: { type: Recreate }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
    assert.deepEqual(await findingsIn(text, "profile: longhorn"), ["rwo-replicas data"]);
    assert.deepEqual(await findingsIn(text, "profile: longhorn\nrules: { rwo-replicas: off }"), [
      "pod-does-not-start { name: data, persistentVolumeClaim: { claimName: data } }",
    ]);
  });

  test("consequences of a refusal are reported if its own finding is switched off", async () => {
    const text = slip(
      all,
      "accessModes: [ReadWriteOnce]\n  resources",
      "accessModes: [RWO]\n  resources",
    );
    assert.deepEqual(await findingsIn(text), ["api-refused RWO"]);
    assert.deepEqual(await findingsIn(text, "profile: bare-metal\nrules: { api-refused: off }"), [
      "pv-unclaimed disk",
    ]);
  });

  test("consequences of a refusal are reported if a comment accepts its own finding", async () => {
    const text = slip(
      all,
      "kind: PersistentVolume\n",
      "kind: PersistentVolum # claimcheck-ignore kind-unknown\n",
    );
    assert.deepEqual(await findingsIn(text), ["pvc-class-missing manual"]);
  });
});

suite("several messages of one refusal are one finding", () => {
  for (const [what, from, to, found] of [
    ["an invalid volume name", "[{ name: data, pers", "[{ name: Data, pers", "api-refused Data"],
    ["an empty volume name", "[{ name: data, pers", '[{ name: "", pers', 'api-refused ""'],
    [
      "a mount without a name",
      "[{ name: data, mountPath",
      "[{ mountPath",
      "api-refused { mountPath: /data }",
    ],
    ["a missing path", "{ server: s, path: / }", "{ server: s }", "api-refused nfs"],
    ["an empty kind", "kind: Pod", 'kind: ""', 'kind-missing ""'],
  ] as const) {
    test(what, async () => {
      assert.deepEqual(await findingsIn(slip(all, from, to)), [found]);
    });
  }

  test("all required fields of a missing spec", async () => {
    const text = all.replace(/spec:\n {2}storageClassName[^-]*---/, "---");
    const files = filesOf(`#- claimcheck.yaml\nprofile: bare-metal\n#- all.yaml\n${text}`);
    const [finding, ...others] = await diagnosticsOf(files, true);
    assert.deepEqual(others, []);
    assert.deepEqual(finding?.message.split("\n"), [
      "spec.accessModes: Required value: at least 1 access mode is required",
      "spec.resources[storage]: Required value",
    ]);
  });
});

suite("a claim's finding links to the field of the volume that does not fit:", () => {
  const named = slip(
    all,
    "spec:\n  storageClassName: manual\n  acc",
    "spec:\n  volumeName: disk\n  storageClassName: manual\n  acc",
  );
  for (const [what, text, from, to, code, field] of [
    [
      "its size",
      all,
      "storage: 1Gi }\n  acc",
      "storage: 1Mi }\n  acc",
      "pv-claim-too-small",
      "1Mi",
    ],
    [
      "its access modes",
      all,
      "[ReadWriteOnce]",
      "[ReadOnlyMany]",
      "pvc-no-candidate",
      "[ReadOnlyMany]",
    ],
    [
      "the size of a named volume",
      named,
      "storage: 1Gi }\n  acc",
      "storage: 1Mi }\n  acc",
      "pvc-volumename-size",
      "1Mi",
    ],
    ["the class of a named volume", named, "manual", "other", "pvc-volumename-class", "other"],
  ] as const) {
    test(what, async () => {
      const changed = slip(text, from, to);
      const files = filesOf(`#- claimcheck.yaml\nprofile: bare-metal\n#- all.yaml\n${changed}`);
      const whole = files.get("all.yaml") ?? "";
      const [finding, ...others] = await diagnosticsOf(files, true);
      assert.deepEqual(others, []);
      assert.equal(finding?.code, code);
      const places = (finding?.related ?? []).map(({ start, end }) => whole.slice(start, end));
      assert.ok(places.includes(field), places.join());
    });
  }
});

suite("a mistyped driver in a class has one finding", () => {
  const text = (driver: string): string => `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: ebs }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: { name: snaps }
driver: ${driver}
deletionPolicy: Delete
---
${slip(claim, "manual", "ebs")}
${pod}---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshot
metadata: { name: nightly }
spec: { volumeSnapshotClassName: snaps, source: { persistentVolumeClaimName: data } }
---
${slip(claim, "manual", "ebs")
  .replace("{ name: data }", "{ name: restored }")
  .replace(
    "spec:",
    "spec:\n  dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: nightly }",
  )}
${pod.replace("name: web }", "name: reader }").replace("claimName: data", "claimName: restored")}`;

  test("at the driver", async () => {
    assert.deepEqual(await findingsIn(text("ebs.csi.aws.com"), "profile: eks"), []);
    assert.deepEqual(await findingsIn(text("ebs.csi.aw.com"), "profile: eks"), [
      "csidriver-missing ebs.csi.aw.com",
    ]);
  });

  test("at the snapshot if that one is switched off", async () => {
    const project = "profile: eks\nrules: { csidriver-missing: off }";
    const found = await findingsIn(text("ebs.csi.aw.com"), project);
    assert.ok(found.includes("snapshot-class-driver snaps"), found.join());
  });
});

suite("a size that servers cannot parse has one finding", () => {
  const size = (limits: string): string =>
    slip(all, "{ requests: { storage: 1Gi } }", `{ requests: { storage: 1GB }${limits} }`);
  const off = "profile: bare-metal\nrules: { api-refused: off }";

  test("the server's refusal, with the size that was meant", async () => {
    const files = filesOf(size(""));
    const [finding, ...others] = await diagnosticsOf(files, true);
    assert.deepEqual(others, []);
    assert.equal(finding?.code, "api-refused");
    assert.equal(finding?.meant, "1G");
    assert.deepEqual(await findingsIn(size(""), off), [
      "pv-unclaimed disk",
      "quantity-near-miss 1GB",
    ]);
  });

  test("each, if there are two", async () => {
    assert.deepEqual(await findingsIn(size(", limits: { storage: 2GB }")), [
      "api-refused 1GB",
      "api-refused 2GB",
      "pvc-limits-ignored limits",
    ]);
  });
});

suite("consequences of a mistake are not reported beside it", () => {
  test("an apiVersion on the line of a separator is not reported missing, in any document", async () => {
    const text = "--- apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n";
    assert.deepEqual(await findingsIn(text + text.replace("a }", "b }")), [
      "document-separator apiVersion: v1",
      "document-separator apiVersion: v1",
    ]);
  });

  test("a driver name that is not allowed is not reported as not installed", async () => {
    const text = `apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: { name: daily }
driver: kubernetes.io/aws-ebs
deletionPolicy: Delete
`;
    assert.deepEqual(await findingsIn(text), ["csi-reserved-driver-prefix kubernetes.io/aws-ebs"]);
  });

  test("an old annotation is reported with its effect, not with the server's warning", async () => {
    const annotated =
      "metadata: { name: data, annotations: { volume.beta.kubernetes.io/storage-class: manual } }";
    const text = slip(
      slip(all, "metadata: { name: data }", annotated),
      `${annotated}\nspec:\n  storageClassName: manual`,
      `${annotated}\nspec:\n  storageClassName: other`,
    );
    assert.deepEqual(await findingsIn(text), ["pvc-beta-annotation-wins manual"]);
    const off = "profile: bare-metal\nrules: { pvc-beta-annotation-wins: off }";
    assert.deepEqual(await findingsIn(text, off), ["api-warning manual"]);
  });

  test("a claim that gets the default class instead of its volume is reported once", async () => {
    const text = slip(
      slip(all, "  storageClassName: manual\n", ""),
      "  storageClassName: manual\n",
      "",
    );
    assert.deepEqual(await findingsIn(text, "profile: kind"), [
      "pvc-default-class-over-volume spec",
    ]);
  });

  test("a volume that nothing can delete has one finding at its policy", async () => {
    const policy = "  persistentVolumeReclaimPolicy: Delete\n";
    const left = '  claimRef: { namespace: shop, name: old, uid: "1" }\n';
    assert.deepEqual(
      (await findingsIn(volume(policy))).filter((finding) => finding.endsWith("Delete")),
      ["pv-delete-static Delete"],
    );
    assert.deepEqual(
      (await findingsIn(volume(policy + left))).filter((finding) => finding.endsWith("Delete")),
      ["volume-unusable Delete"],
    );
  });

  test("two volumes reserved for one claim have only that finding", async () => {
    const reserved = "  claimRef: { namespace: default, name: data }\n";
    const other = slip(volume(reserved), "name: disk }", "name: other }").replace(
      "path: /",
      "path: /b",
    );
    assert.deepEqual(await findingsIn(volume(reserved) + other + claim + pod), [
      "pv-claimref-duplicate data",
      "pv-claimref-duplicate data",
    ]);
  });

  test("a missing volume that an attachment names is not said to keep a claim waiting", async () => {
    const attachment = `apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: { name: by-hand }
spec: { attacher: nfs.csi.k8s.io, nodeName: worker-1, source: { persistentVolumeName: gone } }
`;
    const found = await diagnosticsOf(filesOf(attachment), true);
    assert.equal(
      found.find(({ code }) => code === "pvc-volumename-missing")?.message,
      "PersistentVolume “gone” does not exist; nothing is attached",
    );
  });
});

test("a mistyped class that exists only on volumes is reported as a typo", async () => {
  const text = all.replace(
    /storageClassName: manual\n {2}accessModes/,
    "storageClassName: manul\n  accessModes",
  );
  assert.deepEqual(await findingsIn(text), ["pvc-class-typo manul"]);
});

suite("a volume reserved for the wrong claim has one finding", () => {
  const reserved = (claimRef: string, more = ""): string =>
    volume(`  claimRef: { ${claimRef} }\n`) +
    slip(claim, "spec:\n", `spec:\n  volumeName: disk\n${more}`) +
    pod;

  for (const [claimRef, found] of [
    ["namespace: default, name: dta", "pv-claimref-missing-claim dta"],
    ["namespace: shop, name: data", "pv-claimref-missing-claim shop"],
    ["name: data", "pv-claimref-no-namespace { name: data }"],
    ["namespace: default", "pv-claimref-no-name { namespace: default }"],
    ["namespace: default, nam: data", "api-refused nam"],
    ["namespace: default, name: other", "pvc-volumename-claimed disk"],
  ] as const) {
    test(claimRef, async () => {
      assert.deepEqual(await findingsIn(reserved(claimRef)), [found]);
    });
  }

  test("the claim's, if the volume's is off or accepted", async () => {
    const text = reserved("namespace: default, name: dta");
    const project = "profile: bare-metal\nrules: { pv-claimref-missing-claim: off }";
    assert.deepEqual(await findingsIn(text, project), ["pvc-volumename-claimed disk"]);
    const accepted = slip(
      text,
      "  claimRef",
      "  # claimcheck-ignore pv-claimref-missing-claim\n  claimRef",
    );
    assert.ok((await findingsIn(accepted)).includes("pvc-volumename-claimed disk"));
  });
});

suite("a mistake in a name or a namespace that several objects refer to has one finding, at the mistake", () => {
  const second = pod.replace("name: web }", "name: api }");
  const both = `${all}---${second}`;
  const inShop = (text: string): string =>
    text.replaceAll(/name: (web|api) }/g, "name: $1, namespace: shop }");

  test("in a claim's name", async () => {
    const text = slip(both, "metadata: { name: data }", "metadata: { name: date }");
    assert.deepEqual(await findingsIn(text), ["pod-claim-missing date"]);
    const files = filesOf(`#- all.yaml\n${text}`);
    const [finding] = await diagnosticsOf(files, true);
    assert.equal(
      finding?.message,
      "2 objects refer to PersistentVolumeClaim “data”, which does not exist, and none refers to this one; did you mean “data”?",
    );
    assert.equal(finding.related?.length, 2);
  });

  test("in a claim's name, however the files are divided into islands", async () => {
    const config = (index: number): string =>
      `---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${index} }\n`;
    const more = Array.from({ length: 45 }, (_, index) => config(index)).join("");
    const text = slip(both, "metadata: { name: data }", "metadata: { name: date }");
    assert.deepEqual(await findingsIn(text + more), ["pod-claim-missing date"]);
  });

  test("in a class's name", async () => {
    const disks = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: diks }
provisioner: ebs.csi.aws.com
volumeBindingMode: WaitForFirstConsumer
---`;
    const claims = claim.replace("manual", "disks");
    const users = `${pod}---${second.replace("claimName: data", "claimName: logs")}`;
    const text = disks + claims + claims.replace("name: data }", "name: logs }") + users;
    assert.deepEqual(await findingsIn(text, "profile: eks"), ["pvc-class-typo diks"]);
  });

  test("in a claim's namespace", async () => {
    const text = slip(
      both,
      "metadata: { name: data }",
      "metadata: { name: data, namespace: shpo }",
    );
    const found = await findingsIn(inShop(text));
    assert.deepEqual(
      found.filter((one) => !one.startsWith("namespace-missing shop")),
      ["pod-claim-other-namespace shpo"],
    );
  });

  test("in the namespace of a claim that one object refers to, if only the other namespace is created", async () => {
    const shop = "\napiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n---";
    const text = slip(all, "metadata: { name: data }", "metadata: { name: data, namespace: shpo }");
    assert.deepEqual(await findingsIn(shop + inShop(text)), ["pod-claim-other-namespace shpo"]);
    assert.ok((await findingsIn(inShop(text))).includes("pod-claim-other-namespace data"));
  });

  test("at the reference, if it is unclear which is wrong", async () => {
    const mistyped = "metadata: { name: date }";
    const missed = (found: readonly string[]): readonly string[] =>
      found.filter((one) => one.startsWith("pod-claim-missing"));
    const slipped = slip(both, "metadata: { name: data }", mistyped);
    const atPods = ["pod-claim-missing data", "pod-claim-missing data"];
    const one = slip(all, "metadata: { name: data }", mistyped);
    assert.deepEqual(missed(await findingsIn(one)), ["pod-claim-missing data"]);
    const third = pod.replace("name: web }", "name: job }");
    const used = `${slipped}---${third.replace("claimName: data", "claimName: date")}`;
    assert.deepEqual(missed(await findingsIn(used)), atPods);
    const two = ["job", "cron"].map((name) =>
      third.replace("name: job }", `name: ${name} }`).replace("claimName: data", "claimName: dat"),
    );
    assert.deepEqual(missed(await findingsIn([slipped, ...two].join("---"))), [
      "pod-claim-missing dat",
      "pod-claim-missing dat",
      ...atPods,
    ]);
    const accepted = slipped.replace(mistyped, `${mistyped} # claimcheck-ignore pod-claim-missing`);
    assert.deepEqual(missed(await findingsIn(accepted)), atPods);
  });

  test("with a fix at the mistake", async () => {
    const files = new Map([
      ["a.yaml", slip(both, "metadata: { name: data }", "metadata: { name: date }")],
    ]);
    const service = await loadFiles(files, true);
    const [finding] = findingsOf(service, memoryUri("a.yaml"));
    assert.ok(finding !== undefined);
    const [action] = actionsIn(service, "a.yaml", finding);
    assert.ok(action !== undefined);
    assert.equal(afterAction(files, action).get("a.yaml"), both);
  });
});

suite("a volume's decimal size and the claim that waits for it", () => {
  const both = (size: string, mark = ""): string =>
    `${volume("").replace("1Gi", size)}
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: manual
  resources: { requests: { storage: 5Gi } }${mark}
`;

  test("are reported at the size if the volume has another mistake", async () => {
    assert.deepEqual(await findingsIn(both("5m")), ["quantity-milli 5m"]);
    assert.deepEqual(await findingsIn(both('"5"')), ['quantity-tiny "5"']);
  });

  test("are reported at the claim if the volume would fit in binary units", async () => {
    assert.deepEqual(await findingsIn(both("5G")), ["pv-decimal-vs-binary 5Gi"]);
    const accepted = both("5G", " # claimcheck-ignore pv-decimal-vs-binary");
    assert.deepEqual(await findingsIn(accepted), ["quantity-decimal 5G"]);
  });

  test("are reported separately if they are not for each other", async () => {
    const found = await findingsIn(both("5Gi").replace("storage: 5Gi } }", "storage: 50Gi } }"));
    assert.deepEqual(found, ["pv-claim-too-small 50Gi"]);
    assert.deepEqual(await findingsIn(both("6G")), ["pvc-unused data", "quantity-decimal 6G"]);
  });
});
