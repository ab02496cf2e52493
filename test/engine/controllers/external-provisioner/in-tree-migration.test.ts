/** Classes of in-tree plugins, and the translations of csi-translation-lib. */
import assert from "node:assert/strict";
import type { Draft } from "../../../../src/engine/api/meta.ts";
import type { StorageClass } from "../../../../src/engine/api/types.ts";
import {
  asInTreeVolume,
  translatedClass,
} from "../../../../src/engine/controllers/external-provisioner/in-tree-migration.ts";
import { knownDriver } from "../../../../src/engine/csi/catalogue/catalogue.ts";
import { driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import { migratedDriver } from "../../../../src/engine/matching/csi-migration.ts";
import { Simulation } from "../../../../src/engine/simulation.ts";
import { manifests, threeZones } from "../../../support/storage-run.ts";

function provision(parameters: string, more = "", plugin = "aws-ebs"): Simulation {
  const provisioner = `kubernetes.io/${plugin}`;
  const name = migratedDriver(provisioner) ?? "";
  const simulation = new Simulation({
    version: "1.36",
    seed: 1,
    cluster: {
      name: "test",
      nodes: threeZones,
      drivers: [driverProfile({ ...knownDriver(name)?.traits, name })],
      manifests: [],
    },
    steps: [
      {
        type: "apply",
        manifests: manifests(`
          kind: StorageClass
          metadata: { name: gp2 }
          provisioner: ${provisioner}
          parameters: ${parameters}
          ${more}
          ---
          kind: PersistentVolumeClaim
          metadata: { name: data }
          spec: { storageClassName: gp2 }
        `),
      },
      { type: "settle" },
      { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
      { type: "settle" },
    ],
  });
  simulation.run();
  return simulation;
}

suite("in-tree classes", () => {
  test("the driver creates the volume, and it is stored with the in-tree source", () => {
    const { trace } = provision("{ type: gp2, fsType: ext4, zone: b }");
    const call = trace.entries.find((e) => e.type === "call" && e.call === "CreateVolume");
    assert.ok(call?.type === "call");
    assert.deepEqual(call.request["accessibility_requirements"], {
      requisite: [{ segments: { "topology.ebs.csi.aws.com/zone": "b" } }],
      preferred: [{ segments: { "topology.ebs.csi.aws.com/zone": "b" } }],
    });
    assert.equal((call.request["parameters"] as Record<string, string>)["type"], "gp2");
    const written = trace.entries.find(
      (e) => e.type === "write" && e.verb === "create" && e.ref.startsWith("PersistentVolume/"),
    );
    assert.ok(written?.type === "write" && written.after?.kind === "PersistentVolume");
    const { spec, metadata } = written.after;
    assert.equal(
      metadata.annotations?.["pv.kubernetes.io/provisioned-by"],
      "kubernetes.io/aws-ebs",
    );
    assert.deepEqual(metadata.labels, { "topology.kubernetes.io/zone": "b" });
    assert.equal(spec.csi, undefined);
    assert.equal(spec.awsElasticBlockStore?.fsType, "ext4");
    assert.deepEqual(spec.nodeAffinity?.required?.nodeSelectorTerms, [
      { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["b"] }] },
    ]);
  });

  test("zones are parameters of some drivers only, and topology keys are translated for drivers with zones", () => {
    const matchLabelExpressions = [{ key: "topology.kubernetes.io/zone", values: ["a"] }];
    const seen = (provisioner: string, parameters: Record<string, string>): unknown => {
      const given = { metadata: { name: "c" }, provisioner, parameters };
      const allowedTopologies = "zones" in parameters ? [] : [{ matchLabelExpressions }];
      const translated = translatedClass({
        ...given,
        allowedTopologies,
      } as unknown as StorageClass);
      assert.ok(translated.ok);
      const terms = translated.value.allowedTopologies ?? [];
      const requirements = terms.flatMap((term) => term.matchLabelExpressions ?? []);
      return [translated.value.parameters, requirements.map((r) => [r.key, ...(r.values ?? [])])];
    };
    assert.deepEqual(seen("kubernetes.io/gce-pd", { zones: "a,b" }), [
      {},
      [["topology.gke.io/zone", "a", "b"]],
    ]);
    assert.deepEqual(seen("kubernetes.io/cinder", { zones: "a,b" }), [{ zones: "a,b" }, []]);
    assert.deepEqual(seen("kubernetes.io/cinder", {}), [
      {},
      [["topology.cinder.csi.openstack.org/zone", "a"]],
    ]);
    assert.deepEqual(seen("kubernetes.io/azure-file", {}), [
      {},
      [["topology.kubernetes.io/zone", "a"]],
    ]);
  });

  const parametersOf = (provisioner: string, parameters: Record<string, string>): unknown => {
    const given = { metadata: { name: "c" }, provisioner, parameters } as unknown as StorageClass;
    const translated = translatedClass(given);
    return translated.ok ? translated.value.parameters : translated.error;
  };

  test("parameters that only the plugin knew are renamed for the driver", () => {
    const fstype = "csi.storage.k8s.io/fstype";
    assert.deepEqual(parametersOf("kubernetes.io/aws-ebs", { fsType: "xfs", iopsPerGB: "5" }), {
      [fstype]: "xfs",
      iopsPerGB: "5",
      allowautoiopspergbincrease: "true",
    });
    assert.deepEqual(parametersOf("kubernetes.io/azure-disk", { fsType: "xfs" }), {
      fsType: "xfs",
    });
    assert.deepEqual(
      parametersOf("kubernetes.io/vsphere-volume", {
        Datastore: "ds",
        diskFormat: "thin",
        storagePolicyName: "gold",
        FSType: "ext4",
        [fstype]: "xfs",
        unknown: "x",
      }),
      {
        csimigration: "true",
        "datastore-migrationparam": "ds",
        "diskformat-migrationparam": "thin",
        storagepolicyname: "gold",
        [fstype]: "ext4",
      },
    );
    assert.deepEqual(parametersOf("kubernetes.io/aws-ebs", { type: "gp3" }), { type: "gp3" });
    assert.deepEqual(parametersOf("d.csi", { zone: "a", fsType: "xfs" }), {
      zone: "a",
      fsType: "xfs",
    });
  });

  test("each plugin's volume refers to the driver's, and names its zones, unique and sorted", () => {
    const stored = (provisioner: string, zoneKey: string, fsType?: string) => {
      const term = (...values: readonly string[]) => ({
        matchExpressions: [{ key: zoneKey, operator: "In", values }],
      });
      const csi = {
        driver: "x",
        volumeHandle: "a/b/disk",
        ...(fsType !== undefined && { fsType }),
      };
      const nodeAffinity = { required: { nodeSelectorTerms: [term("b", "a"), term("a")] } };
      const draft = { metadata: { name: "pv" }, spec: { csi, nodeAffinity } };
      const { metadata, spec } = asInTreeVolume(
        draft as unknown as Draft<"PersistentVolume">,
        provisioner,
      );
      const { nodeAffinity: affinity, csi: _, ...source } = spec;
      return [
        source,
        metadata.labels,
        affinity?.required?.nodeSelectorTerms[1]?.matchExpressions?.[0]?.key,
      ];
    };
    const zone = "topology.kubernetes.io/zone";
    const labels = { [zone]: "a__b" };
    const volumeID = "a/b/disk";
    const cases: readonly [string, string, string | undefined, object, object?][] = [
      [
        "aws-ebs",
        "topology.ebs.csi.aws.com/zone",
        "xfs",
        { awsElasticBlockStore: { volumeID, fsType: "xfs" } },
      ],
      ["gce-pd", "topology.gke.io/zone", undefined, { gcePersistentDisk: { pdName: "disk" } }],
      ["cinder", "topology.cinder.csi.openstack.org/zone", undefined, { cinder: { volumeID } }],
      [
        "vsphere-volume",
        "topology.csi.vmware.com/zone",
        undefined,
        { vsphereVolume: { volumePath: volumeID } },
        { [zone]: "a" },
      ],
    ];
    for (const [plugin, key, fsType, source, ownLabels] of cases)
      assert.deepEqual(
        stored(`kubernetes.io/${plugin}`, key, fsType),
        [source, ownLabels ?? labels, zone],
        plugin,
      );
    assert.deepEqual(stored("kubernetes.io/portworx-volume", "other", "xfs"), [
      { portworxVolume: { volumeID, fsType: "xfs" } },
      undefined,
      "other",
    ]);
    const azureDisk = { diskName: "disk", diskURI: volumeID, kind: "Managed", readOnly: false };
    const azureZone = "topology.disk.csi.azure.com/zone";
    assert.deepEqual(stored("kubernetes.io/azure-disk", azureZone, "xfs"), [
      { azureDisk: { ...azureDisk, fsType: "xfs" } },
      undefined,
      azureZone,
    ]);
  });

  test("a ReadOnlyMany disk of Google is read-only", () => {
    const csi = { driver: "pd.csi.storage.gke.io", volumeHandle: "a/disk", readOnly: true };
    const draft = {
      metadata: { name: "pv" },
      spec: { csi },
    } as unknown as Draft<"PersistentVolume">;
    const { gcePersistentDisk } = asInTreeVolume(draft, "kubernetes.io/gce-pd").spec;
    assert.deepEqual(gcePersistentDisk, { pdName: "disk", readOnly: true });
    const { publishReadonly, sidecars } = knownDriver(csi.driver)?.traits ?? {};
    assert.deepEqual([publishReadonly, sidecars?.marksReadonly], [true, true]);
  });

  test("a volume of Amazon or Google also requires the region of its zones, if they are in one", () => {
    const regionOf = (provisioner: string, ...values: readonly string[]): unknown => {
      const inZones = { key: "topology.kubernetes.io/zone", operator: "In", values };
      const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [inZones] }] } };
      const draft = {
        metadata: { name: "pv" },
        spec: { csi: { driver: "x", volumeHandle: "v" }, nodeAffinity },
      } as unknown as Draft<"PersistentVolume">;
      const { metadata, spec } = asInTreeVolume(draft, provisioner);
      const [, ...asked] =
        spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions ?? [];
      const label = metadata.labels?.["topology.kubernetes.io/region"];
      const wanted = { key: "topology.kubernetes.io/region", operator: "In", values: [label] };
      assert.deepEqual(asked, label === undefined ? [] : [wanted]);
      return label;
    };
    const aws = ["us-east-1a", "us-gov-east-1b", "us-east-1-bos-1a", "us-east-1-wl1-bos-wlz-1"];
    assert.deepEqual(
      aws.map((zone) => regionOf("kubernetes.io/aws-ebs", zone)),
      ["us-east-1", "us-gov-east-1", "us-east-1", "us-east-1"],
    );
    assert.equal(regionOf("kubernetes.io/aws-ebs", "zone-a"), undefined);
    assert.equal(regionOf("kubernetes.io/gce-pd", "us-central1-a", "us-central1-b"), "us-central1");
    assert.equal(regionOf("kubernetes.io/gce-pd", "us-central1-a", "europe-west1-b"), undefined);
    assert.equal(regionOf("kubernetes.io/cinder", "us-east-1a"), undefined);
  });

  test("a volume of vSphere has its region under the well-known key too", () => {
    const term = (region: string) => ({
      matchExpressions: [
        { key: "topology.csi.vmware.com/region", operator: "In", values: [region] },
      ],
    });
    const draft = {
      metadata: { name: "pv" },
      spec: {
        csi: { driver: "csi.vsphere.vmware.com", volumeHandle: "v" },
        nodeAffinity: { required: { nodeSelectorTerms: [term("us"), term("eu")] } },
      },
    } as unknown as Draft<"PersistentVolume">;
    const { metadata, spec } = asInTreeVolume(draft, "kubernetes.io/vsphere-volume");
    assert.deepEqual(metadata.labels, { "topology.kubernetes.io/region": "eu" });
    assert.deepEqual(
      spec.nodeAffinity?.required?.nodeSelectorTerms.map((t) => t.matchExpressions?.[0]?.key),
      ["topology.kubernetes.io/region", "topology.kubernetes.io/region"],
    );
  });

  test("an Azure disk keeps the caching mode and the file system of the driver's attributes", () => {
    const volumeAttributes = { cachingMode: "ReadOnly", fsType: "xfs" };
    const csi = { driver: "disk.csi.azure.com", volumeHandle: "a/disk", volumeAttributes };
    const draft = { metadata: { name: "pv" }, spec: { csi } };
    const { spec } = asInTreeVolume(
      draft as unknown as Draft<"PersistentVolume">,
      "kubernetes.io/azure-disk",
    );
    assert.equal(spec.azureDisk?.cachingMode, "ReadOnly");
    assert.equal(spec.azureDisk.fsType, "xfs");
  });

  test("a share's account, name and group are read from its id, unless attributes name them", () => {
    const stored = (csi: object, group = "rg"): unknown => {
      const whole = { driver: "file.csi.azure.com", volumeHandle: "rg#acc#share##", ...csi };
      const draft = { metadata: { name: "pv" }, spec: { csi: whole } };
      const { metadata, spec } = asInTreeVolume(
        draft as unknown as Draft<"PersistentVolume">,
        "kubernetes.io/azure-file",
      );
      const annotation = "kubernetes.io/azure-file-resource-group";
      assert.equal(metadata.annotations?.[annotation], group === "" ? undefined : group);
      return spec.azureFile;
    };
    assert.deepEqual(stored({}), {
      secretName: "azure-storage-account-acc-secret",
      secretNamespace: "default",
      shareName: "share",
      readOnly: false,
    });
    const volumeAttributes = { shareName: "mine", secretName: "key", secretNamespace: "ns" };
    assert.deepEqual(stored({ volumeAttributes, readOnly: true }, ""), {
      secretName: "key",
      secretNamespace: "ns",
      shareName: "mine",
      readOnly: true,
    });
    const ofClaim = { "csi.storage.k8s.io/pvc/namespace": "team" };
    assert.deepEqual(stored({ volumeAttributes: ofClaim }), {
      secretName: "azure-storage-account-acc-secret",
      secretNamespace: "team",
      shareName: "share",
      readOnly: false,
    });
    stored({ volumeAttributes: { shareName: "mine" } });
    const nodeStageSecretRef = { name: "staged", namespace: "sec" };
    stored({ nodeStageSecretRef, volumeHandle: "#acc#share##" }, "");
    assert.deepEqual(stored({ nodeStageSecretRef }), {
      secretName: "staged",
      secretNamespace: "sec",
      shareName: "share",
      readOnly: false,
    });
  });

  for (const plugin of [
    "aws-ebs",
    "azure-disk",
    "azure-file",
    "cinder",
    "gce-pd",
    "portworx-volume",
    "vsphere-volume",
  ])
    test(`a claim of kubernetes.io/${plugin} gets a volume that the API server accepts`, () => {
      const { trace } = provision("{}", "", plugin);
      assert.deepEqual(
        trace.entries.filter(({ type }) => type === "refused"),
        [],
      );
      const stored = trace.entries.find(
        (e) => e.type === "write" && e.verb === "create" && e.ref.startsWith("PersistentVolume/"),
      );
      assert.ok(stored?.type === "write" && stored.after?.kind === "PersistentVolume");
      assert.equal(stored.after.spec.csi, undefined);
    });

  test("a share's Secret is created in the namespace that the volume names", () => {
    const { runtime, trace } = provision("{}", "", "azure-file");
    const [secret] = runtime.api.store.list("Secret");
    const stored = trace.entries.find(
      (e) => e.type === "write" && e.verb === "create" && e.ref.startsWith("PersistentVolume/"),
    );
    assert.ok(stored?.type === "write" && stored.after?.kind === "PersistentVolume");
    const { secretName, secretNamespace } = stored.after.spec.azureFile ?? {};
    assert.deepEqual(
      [secret?.metadata.name, secret?.metadata.namespace],
      [secretName, secretNamespace],
    );
    assert.equal(secretNamespace, "default");
  });

  test("the driver deletes the volume of a gone claim", () => {
    const { trace, runtime } = provision("{ type: gp2 }");
    assert.ok(trace.entries.some((e) => e.type === "call" && e.call === "DeleteVolume"));
    assert.equal(runtime.api.store.list("PersistentVolume").length, 0);
  });

  test("zones and allowedTopologies exclude each other", () => {
    const terms =
      "allowedTopologies: [{ matchLabelExpressions: [{ key: topology.kubernetes.io/zone, values: [a] }] }]";
    const { trace } = provision("{ zone: b }", terms);
    const failure = trace.entries.find(
      (e) => e.type === "event" && e.reason === "ProvisioningFailed",
    );
    assert.ok(failure?.type === "event");
    assert.equal(
      failure.message,
      "failed to translate storage class: cannot simultaneously set allowed topologies and zone/zones parameters",
    );
  });
});
