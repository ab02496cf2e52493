/** SQLite databases on SMB shares, whose locks they cannot use. */
import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { loadFiles } from "../../support/rule-page.ts";

interface Case {
  readonly image?: string;
  readonly path?: string;
  /** The class's provisioner and more of its fields. */
  readonly more?: string;
  /** More fields of the container. */
  readonly says?: string;
  readonly ini?: string;
}

function manifests({
  image = "grafana/grafana",
  path = "/var/lib/grafana",
  ...rest
}: Case): string {
  const { more = "provisioner: smb.csi.k8s.io", says = "", ini } = rest;
  return `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: files }
${more}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: files, accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: p }
spec:
  containers:
    - name: c
      image: ${image}
      ${says}
      volumeMounts:
        - { name: data, mountPath: ${path} }
        - { name: settings, mountPath: ${ini === undefined ? "/other" : "/etc/grafana/grafana.ini, subPath: grafana.ini"} }
  volumes:
    - { name: data, persistentVolumeClaim: { claimName: data } }
    - { name: settings, configMap: { name: settings } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { grafana.ini: ${JSON.stringify(ini ?? "")} }
`;
}

async function directoriesIn(given: Case): Promise<readonly string[]> {
  const text = manifests(given);
  const service = await loadFiles(new Map([["a.yaml", text]]), false);
  return findingsOf(service, memoryUri("a.yaml"))
    .filter(({ code }) => code === "sqlite-on-smb")
    .map(({ start, end }) => text.slice(start, end));
}

suite("an SQLite database on an SMB share", () => {
  const told: readonly [string, Case, string][] = [
    ["of Grafana", {}, "/var/lib/grafana"],
    ["of Sonarr", { image: "lscr.io/linuxserver/sonarr:4.0.15", path: "/config" }, "/config"],
    ["in a folder of the mount", { image: "n8nio/n8n", path: "/home/node" }, "/home/node"],
    ["that a variable selects", { says: "env: [{ name: GF_DATABASE_TYPE, value: sqlite3 }]" }, ""],
    ["beside other settings", { ini: "[server]\ndomain = shop\n" }, ""],
  ];
  for (const [what, given, path] of told)
    test(`${what} is reported at the mount`, async () => {
      assert.deepEqual(await directoriesIn(given), [path === "" ? "/var/lib/grafana" : path]);
    });

  test("is reported with where to add the option: the class, or another class if the files lack it", async () => {
    const messageOf = async (className: string): Promise<string> => {
      const text = manifests({}).replace(
        "storageClassName: files",
        `storageClassName: ${className}`,
      );
      const files = new Map([
        ["a.yaml", text],
        ["claimcheck.yaml", "profile: aks\n"],
      ]);
      const found = findingsOf(await loadFiles(files, false), memoryUri("a.yaml"));
      return found.find(({ code }) => code === "sqlite-on-smb")?.message ?? "";
    };
    assert.match(await messageOf("files"), /or the mount option nobrl in StorageClass “files” if /);
    assert.match(await messageOf("azurefile"), /or a class with the mount option nobrl if /);
  });

  const left: readonly [string, Case][] = [
    ["on NFS", { more: "provisioner: nfs.csi.k8s.io" }],
    [
      "on an Azure share that uses NFS",
      { more: "provisioner: file.csi.azure.com\nparameters: { protocol: nfs }" },
    ],
    [
      "with the mount option nobrl",
      { more: 'provisioner: smb.csi.k8s.io\nmountOptions: ["noperm,nobrl"]' },
    ],
    ["elsewhere", { path: "/srv" }],
    ["that a variable replaces", { says: "env: [{ name: GF_DATABASE_TYPE, value: postgres }]" }],
    ["that other settings replace", { ini: "[database]\ntype = postgres\n" }],
    ["of another command", { says: "command: [sleep, infinity]" }],
    ["of an unknown image", { image: "grafana/tempo" }],
  ];
  for (const [what, given] of left)
    test(`${what} is left alone`, async () => {
      assert.deepEqual(await directoriesIn(given), []);
    });
});
