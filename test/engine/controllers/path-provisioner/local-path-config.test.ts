/** Upstream: rancher/local-path-provisioner provisioner.go canonicalizeConfig, pickConfig, getPathOnNode, pathFromPattern, provisionFor. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
import { localPathVolumes } from "../../../../src/engine/controllers/path-provisioner/local-path.ts";
import { readLocalPathConfig } from "../../../../src/engine/controllers/path-provisioner/local-path-config.ts";
import type { PathVolume } from "../../../../src/engine/controllers/path-provisioner/path-volumes.ts";
import { bare } from "../../../support/bare-objects.ts";

interface Asked {
  readonly config?: object;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly accessModes?: readonly string[];
  readonly size?: string;
  readonly node?: string;
}

/** The volume's path, or the provisioner's error. */
function outcome(asked: Asked): string | undefined {
  const planned = plan(asked);
  return typeof planned === "string"
    ? planned
    : (planned.spec.hostPath?.path ?? planned.spec.local?.path);
}

function plan(asked: Asked): PathVolume | string {
  const { config, parameters = {}, annotations = {}, labels = {}, size = "1Gi" } = asked;
  const read = config && readLocalPathConfig(JSON.stringify(config));
  if (typeof read === "string") return read;
  const spec = {
    accessModes: asked.accessModes ?? ["ReadWriteOnce"],
    resources: { requests: { storage: size } },
  };
  return localPathVolumes(() => ({
    usualPath: "/opt/local-path-provisioner",
    ...(read !== undefined && { config: read }),
  })).plan({
    claim: bare("PersistentVolumeClaim", "data", {
      metadata: { uid: "u", namespace: "default", labels },
      spec,
    }),
    storageClass: {
      ...bare("StorageClass", "fast", { metadata: { annotations } }),
      parameters,
    } as KubeObject<"StorageClass">,
    node: bare("Node", asked.node ?? "n1"),
  });
}

const others = "DEFAULT_PATH_FOR_NON_LISTED_NODES";
const folder = "pvc-u_default_data";

suite("the configuration of local-path-provisioner", () => {
  const byNode = {
    nodePathMap: [
      { node: others, paths: ["/all//"] },
      { node: "n2", paths: ["/b", "/a"] },
      { node: "n3", paths: [] },
    ],
  };

  test("gives each node its directory, and one to all other nodes", () => {
    assert.equal(outcome({ config: byNode }), `/all/${folder}`);
    assert.equal(outcome({ config: byNode, node: "n2" }), `/b/${folder}`);
    assert.equal(outcome({ config: byNode, node: "n3" }), "no local path available on node n3");
    const config = { nodePathMap: byNode.nodePathMap.slice(1) };
    assert.equal(
      outcome({ config }),
      "config doesn't contain node n1, and no DEFAULT_PATH_FOR_NON_LISTED_NODES available",
    );
  });

  test("must contain the path that a class asks for", () => {
    const parameters = { nodePath: "/a" };
    assert.equal(outcome({ config: byNode, node: "n2", parameters }), `/a/${folder}`);
    assert.equal(
      outcome({ config: byNode, parameters }),
      "config doesn't contain path /a on node n1",
    );
  });

  test("is assumed to contain any path if it is unknown", () => {
    assert.equal(outcome({ parameters: { nodePath: "/ssd" } }), `/ssd/${folder}`);
    assert.equal(outcome({}), `/opt/local-path-provisioner/${folder}`);
  });

  test("can share a directory among all nodes, for all access modes", () => {
    const config = { nodePathMap: [], sharedFileSystemPath: "/shared" };
    const planned = plan({ config, accessModes: ["ReadWriteMany"] });
    assert.ok(typeof planned !== "string");
    assert.equal(planned.spec.hostPath?.path, `/shared/${folder}`);
    assert.equal(planned.spec.nodeAffinity, undefined);
  });

  test("has case-insensitive field names, as in Go", () => {
    assert.equal(outcome({ config: { sharedFilesystemPath: "/shared" } }), `/shared/${folder}`);
  });

  test("must have either nodes or a shared directory", () => {
    assert.equal(
      outcome({ config: { ...byNode, sharedFileSystemPath: "/shared" } }),
      "both nodePathMap and sharedFileSystemPath are defined. Please make sure only one is in use",
    );
    assert.equal(
      outcome({ config: {} }),
      "both nodePathMap and sharedFileSystemPath are unconfigured",
    );
  });

  test("can differ by class, and then serves no other", () => {
    const one = { storageClassConfigs: { fast: { sharedFileSystemPath: "/fast" } } };
    assert.equal(outcome({ config: one }), `/fast/${folder}`);
    assert.equal(
      outcome({ config: { storageClassConfigs: { slow: byNode } } }),
      "BUG: Got request for unexpected storage class fast",
    );
  });

  test("limits sizes; the class overrides it", () => {
    const config = { ...byNode, minSize: "1Gi", maxSize: "10Gi" };
    assert.equal(outcome({ config, size: "1024Mi" }), `/all/${folder}`);
    assert.equal(
      outcome({ config, size: "100Mi" }),
      "PVC requests 100Mi which is below minimum size 1Gi",
    );
    assert.equal(
      outcome({ config, size: "11Gi" }),
      "PVC requests 11Gi which exceeds maximum size 10Gi",
    );
    assert.equal(
      outcome({ config, size: "11Gi", parameters: { maxSize: "20Gi" } }),
      `/all/${folder}`,
    );
    assert.equal(
      outcome({ parameters: { minSize: "much" } }),
      "invalid StorageClass parameter minSize \"much\": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  });

  test("is refused as a whole if a part of it is wrong", () => {
    const failed = "StorageClass config canonicalization failed: ";
    const paths = (...given: readonly unknown[]): object => ({
      nodePathMap: [{ node: "n1", paths: given }],
    });
    const wrong: readonly (readonly [object, string])[] = [
      [paths("data"), "path must start with / for path data on node n1"],
      [paths("/a/.."), "cannot use root ('/') as path on node n1"],
      [paths("/a", { path: "/a/", maxCapacity: "1Gi" }), "duplicate path /a/ on node n1"],
      [{ nodePathMap: [{ node: "n1" }, { node: "n1" }] }, "duplicate node n1"],
      [{ minSize: "2Gi", maxSize: "1Gi" }, "minSize 2Gi must not exceed maxSize 1Gi"],
      [
        { maxSize: "x" },
        "invalid maxSize \"x\": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      ],
    ];
    for (const [config, why] of wrong) {
      assert.equal(readLocalPathConfig(JSON.stringify(config)), `${failed}${why}`);
      assert.equal(
        readLocalPathConfig(JSON.stringify({ storageClassConfigs: { c: config } })),
        `config for class c is invalid: ${failed}${why}`,
      );
    }
    assert.equal(
      readLocalPathConfig('{ node": 1 }'),
      "fail to load config file /etc/config/config.json: invalid character 'n' looking for beginning of object key string",
    );
  });
});

suite("a class's pathPattern", () => {
  const patterned = (pathPattern: string, more: Asked = {}): string | undefined =>
    outcome({ ...more, parameters: { pathPattern, ...more.parameters } });
  const root = "/opt/local-path-provisioner";

  test("names a directory below the claim's own", () => {
    assert.equal(
      patterned("{{ .PVC.Namespace }}/{{ .PVC.Name }}/{{- .PVName }}"),
      `${root}/default/data/pvc-u`,
    );
    assert.equal(
      patterned("{{ .PVC.Namespace }}/{{ .PVC.Name }}/a {{ .PVName }} {{- .PVName }}"),
      `${root}/default/data/a pvc-upvc-u`,
    );
    const labels = { app: "web" };
    assert.equal(
      patterned(
        '{{.PVC.Namespace}}/{{.PVC.Name}}/{{.PVC.Labels.app}}-{{ index .PVC.Labels "tier" }}-{{ .PVC.Labels.tier }}',
        { labels },
      ),
      `${root}/default/data/web--<no value>`,
    );
  });

  test("is trimmed beside a dash", () => {
    assert.equal(
      patterned("{{ .PVC.Namespace }}/{{ .PVC.Name -}}  /  {{- .PVName }}"),
      `${root}/default/data/pvc-u`,
    );
  });

  test("that leads outside is refused, unless the class allows it", () => {
    const short = "{{ .PVC.Namespace }}/{{ .PVC.Name }}";
    assert.equal(
      patterned(short),
      `failed to create path from pattern ${short}: pathPattern must start with {{ .PVC.Namespace }}/{{ .PVC.Name }}/: default/data`,
    );
    assert.equal(
      patterned(`${short}/../../../etc`),
      "folder path contains invalid references: default/data/../../../etc",
    );
    const allowed = { allowUnsafePathPattern: "true" };
    assert.equal(patterned(short, { parameters: allowed }), `${root}/default/data`);
    assert.equal(patterned(short, { annotations: allowed }), `${root}/default/data`);
  });

  test("that does more than insert fields is not evaluated", () => {
    assert.equal(patterned("{{ if .PVName }}x{{ end }}"), `${root}/${folder}`);
  });
});
