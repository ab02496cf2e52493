/** How a kubelet mounts each type of volume, and the errors that it reports. */
import assert from "node:assert/strict";
import type { HostPathType, Step } from "../../../src/engine/scenario.ts";
import { check } from "../../support/check.ts";
import { type Played, play } from "../../support/play.ts";
import { testWithFaults as test } from "../../support/same-end.ts";
import {
  advance,
  applied,
  asDevice,
  boundClaim,
  clusterOf,
  deletePods,
  fixture,
  nodeA,
  nodeCalls,
  podWithClaim,
  podWithDevice,
  podWithVolume,
  settle,
} from "./node-fixture.ts";

const cluster = clusterOf([]);

function failedMounts(played: Played): readonly string[] {
  return played.events("FailedMount");
}

function failsWith(volume: string, error: string): void {
  const played = play(podWithVolume("p", volume, "Pending node-a"), { cluster });
  assert.deepEqual(failedMounts(played), [`MountVolume.SetUp failed for volume "v" : ${error}`]);
}

suite("kubelet: volume types", () => {
  test("a missing directory is refused for type Directory", () => {
    failsWith(
      "hostPath: { path: /srv/data, type: Directory }",
      "hostPath type check failed: /srv/data is not a directory",
    );
  });

  test("the kubelet's own directories, which drivers and log collectors mount, exist on each node", () => {
    const root = "/var/lib/kubelet";
    const ofPlugins = ["plugins", "plugins_registry", "pods", "pod-resources", "device-plugins"];
    const ofLogs = ["/var/log/pods", "/var/log/containers"];
    for (const path of [...ofPlugins.map((name) => `${root}/${name}/`), ...ofLogs])
      check(podWithVolume("p", `hostPath: { path: ${path}, type: Directory }`, "Running node-a"), {
        cluster,
      });
  });

  test("a path that ends with a slash has to be a directory, and a dot in a path is ignored", () => {
    failsWith(
      "hostPath: { path: /etc/passwd/, type: File }",
      "hostPath type check failed: /etc/passwd/ is not a file",
    );
    failsWith(
      "hostPath: { path: /etc/passwd/, type: FileOrCreate }",
      "open /etc/passwd/: is a directory",
    );
    failsWith(
      "hostPath: { path: /srv/none/x/, type: FileOrCreate }",
      "open /srv/none/x/: no such file or directory",
    );
    failsWith(
      "hostPath: { path: /etc/passwd/, type: DirectoryOrCreate }",
      "mkdir /etc/passwd/: file exists",
    );
    for (const source of ["path: /etc/, type: Directory", "path: /etc/./passwd, type: File"]) {
      check(podWithVolume("p", `hostPath: { ${source} }`, "Running node-a"), { cluster });
    }
    const below = `
      kind: Pod
      metadata: { name: p }     #=> Running node-a
      spec:
        nodeName: node-a
        containers:
          - { name: app, image: app, volumeMounts: [{ name: v, mountPath: /v, subPath: passwd/ }] }
        volumes: [{ name: v, hostPath: { path: /etc } }]`;
    check(below, { cluster });
  });

  test("a volume type that kubelets no longer support is reported when the pod waits for its volumes", () => {
    const sources = [
      "cephfs: { monitors: ['m:6789'] }",
      "rbd: { monitors: ['m:6789'], image: i }",
      "glusterfs: { endpoints: e, path: p }",
    ];
    for (const source of sources) {
      const played = play(podWithVolume("p", source, "Pending node-a"), { cluster });
      assert.deepEqual(failedMounts(played), [
        'Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: failed to get Plugin from volumeSpec for volume "v" err=no volume plugin matched',
      ]);
    }
  });

  test("gitRepo volumes are supported up to 1.32", () => {
    const pod = (mark: string): string =>
      podWithVolume("p", "gitRepo: { repository: r }", `${mark} node-a`);
    check(pod("Running"), { cluster, version: "1.32" });
    check(pod("Pending"), { cluster, version: "1.33" });
  });

  test("DirectoryOrCreate creates the path with its parents", () => {
    const pod = podWithVolume(
      "p",
      "hostPath: { path: /srv/a/b, type: DirectoryOrCreate }",
      "Running node-a",
    );
    const { simulation } = check(pod, { cluster });
    assert.equal(
      simulation.runtime.machines.get("node-a")?.files.get("/srv/a/b")?.type,
      "directory",
    );
  });

  const kinds: readonly (readonly [string, string, HostPathType])[] = [
    ["File", "a file", "directory"],
    ["Socket", "a socket file", "file"],
    ["CharDevice", "a character device", "blockDevice"],
    ["BlockDevice", "a block device", "charDevice"],
    ["Directory", "a directory", "file"],
    ["FileOrCreate", "a file", "directory"],
  ];
  for (const [type, words, found] of kinds) {
    test(`a path that is not ${words} is refused for type ${type}`, () => {
      const node = { ...nodeA, hostPaths: { "/srv/x": found } };
      const played = play(
        podWithVolume("p", `hostPath: { path: /srv/x, type: ${type} }`, "Pending node-a"),
        {
          cluster: clusterOf([], [node]),
        },
      );
      assert.deepEqual(failedMounts(played), [
        `MountVolume.SetUp failed for volume "v" : hostPath type check failed: /srv/x is not ${words}`,
      ]);
    });
  }

  test("FileOrCreate does not create the directory of its file", () => {
    failsWith(
      "hostPath: { path: /srv/x/log, type: FileOrCreate }",
      "open /srv/x/log: no such file or directory",
    );
  });

  test("a path below a file is refused with the errors of mkdir and open", () => {
    failsWith(
      "hostPath: { path: /etc/passwd/x/y, type: DirectoryOrCreate }",
      "mkdir /etc/passwd: not a directory",
    );
    failsWith(
      "hostPath: { path: /etc/passwd/x, type: FileOrCreate }",
      "open /etc/passwd/x: not a directory",
    );
  });

  test("without a type nothing is checked, and the runtime creates the directory", () => {
    const { simulation } = play(
      podWithVolume("p", "hostPath: { path: /srv/new }", "Running node-a"),
      { cluster },
    );
    assert.equal(simulation.runtime.machines.get("node-a")?.files.exists("/srv/new"), true);
  });

  test("a pod waits for its ConfigMap and starts soon after it is created", () => {
    const created: Step = {
      type: "apply",
      manifests: [
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "conf" }, data: { a: "1" } },
      ],
    };
    const played = play(podWithVolume("p", "configMap: { name: conf }", "Running node-a"), {
      cluster,
      steps: [created, advance(130), settle],
    });
    assert.deepEqual(failedMounts(played), [
      'MountVolume.SetUp failed for volume "v" : configmap "conf" not found',
    ]);
  });

  test("a running pod whose ConfigMap is deleted gets an event at its next sync, and runs on", () => {
    const conf = `
      kind: ConfigMap
      metadata: { name: conf }
      data: { mode: fast }`;
    const remove: Step = { type: "delete", objects: [{ kind: "ConfigMap", name: "conf" }] };
    const others = podWithVolume("other", "configMap: { name: conf, optional: true }");
    const volume = "projected: { sources: [{ configMap: { name: conf } }] }";
    const played = play("", {
      cluster,
      steps: [...applied(conf, podWithVolume("p", volume), others), settle, remove, advance(100)],
    });
    assert.deepEqual(failedMounts(played), [
      'MountVolume.SetUp failed for volume "v" : configmap "conf" not found',
    ]);
    assert.equal(played.get("Pod", "p")?.status?.phase, "Running");
  });

  test("a deleted immutable ConfigMap stays available on a node until the last pod that uses it is gone", () => {
    const conf = `
      kind: ConfigMap
      metadata: { name: conf }
      immutable: true
      data: { mode: fast }`;
    const remove: Step = { type: "delete", objects: [{ kind: "ConfigMap", name: "conf" }] };
    const reader = (name: string): string =>
      podWithVolume(name, "configMap: { name: conf, items: [{ key: mode, path: mode }] }");
    const shared: readonly Step[] = [
      ...applied(conf, reader("first")),
      settle,
      remove,
      ...applied(reader("second")),
      advance(100),
    ];
    const played = play("", { cluster, steps: shared });
    assert.deepEqual(failedMounts(played), []);
    assert.equal(played.get("Pod", "second")?.status?.phase, "Running");
    played.mayEndOtherwise("a kubelet that starts anew finds nothing", {
      "Pod second": "Pending node-a",
    });

    const left = play("", {
      cluster,
      steps: [
        ...shared,
        deletePods("first", "second"),
        settle,
        ...applied(reader("third")),
        advance(20),
      ],
    });
    assert.equal(left.get("Pod", "third")?.status?.phase, "Pending");
    assert.deepEqual(failedMounts(left), [
      'MountVolume.SetUp failed for volume "v" : configmap "conf" not found',
    ]);
  });

  test("an item whose path is another item's directory keeps the volume from being written", () => {
    const conf = `
      kind: ConfigMap
      metadata: { name: conf }
      data: { mode: fast }`;
    const name = "{ fieldRef: { fieldPath: metadata.name }, path: ./a/b }";
    const volumes = {
      "configMap: { name: conf, items: [{ key: mode, path: a/b/c }, { key: mode, path: a/b }] }":
        "/a/b/: file exists",
      "configMap: { name: conf, items: [{ key: mode, path: a }, { key: mode, path: a/b/c }] }":
        "/a: not a directory",
      [`projected: { sources: [{ configMap: { name: conf, items: [{ key: mode, path: a }] } }, { downwardAPI: { items: [${name}] } }] }`]:
        "/a/: file exists",
    };
    for (const [volume, end] of Object.entries(volumes)) {
      const played = play(fixture(conf, podWithVolume("p", volume, "Pending node-a")), { cluster });
      const [message = ""] = failedMounts(played);
      assert.match(
        message,
        /^MountVolume.SetUp failed for volume "v" : mkdir [^ ]*\/v\/\.\.[\d_]+\.\d+/,
      );
      assert.equal(message.endsWith(end), true, message);
    }
    const apart =
      "configMap: { name: conf, items: [{ key: mode, path: a/b }, { key: mode, path: a/bc }] }";
    play(fixture(conf, podWithVolume("p", apart, "Running node-a")), { cluster });
  });

  test("an item whose path is too long keeps the volume from being written", () => {
    const conf = `
      kind: ConfigMap
      metadata: { name: conf }
      data: { mode: fast }`;
    const ends = (path: string, phase: string): readonly string[] => {
      const items = `items: [{ key: mode, path: ok }, { key: mode, path: "${path}" }]`;
      const pod = podWithVolume("p", `configMap: { name: conf, ${items} }`, `${phase} node-a`);
      return failedMounts(play(fixture(conf, pod), { cluster }));
    };
    const refused = 'MountVolume.SetUp failed for volume "v" : invalid path: ';
    const limit = "must be less than or equal to";
    const name = "n".repeat(255);
    assert.deepEqual(ends(`${`${name}/`.repeat(15)}${name}`, "Running"), []);
    assert.deepEqual(ends(`a/${name}n`, "Pending"), [
      `${refused}filenames ${limit} 255 characters`,
    ]);
    assert.deepEqual(ends("é".repeat(128), "Pending"), [
      `${refused}filenames ${limit} 255 characters`,
    ]);
    assert.deepEqual(ends(`${name}/`.repeat(17), "Pending"), [
      `${refused}${limit} 4096 characters`,
    ]);
  });

  test("an optional ConfigMap may be missing", () => {
    check(podWithVolume("p", "configMap: { name: conf, optional: true }", "Running node-a"), {
      cluster,
    });
  });

  test("a missing Secret and a missing key have different errors", () => {
    failsWith("secret: { secretName: login }", 'secret "login" not found');
    const secret = `
      kind: Secret
      metadata: { name: login }
      stringData: { user: me }`;
    const pod = podWithVolume(
      "p",
      "secret: { secretName: login, items: [{ key: password, path: p }] }",
      "Pending node-a",
    );
    const played = play(fixture(secret, pod), { cluster });
    assert.deepEqual(failedMounts(played), [
      'MountVolume.SetUp failed for volume "v" : references non-existent secret key: password',
    ]);
  });

  test("errors of several projected sources are reported as one list", () => {
    failsWith(
      "projected: { sources: [{ configMap: { name: conf } }, { secret: { name: login } }] }",
      '[configmap "conf" not found, secret "login" not found]',
    );
  });

  test("a local volume's path has to exist", () => {
    const failing = {
      "/srv/disk": 'path "/srv/disk" does not exist',
      "/etc/passwd/disk": "stat /etc/passwd/disk: not a directory",
    };
    for (const [path, error] of Object.entries(failing)) {
      const local = boundClaim({
        volume: `local: { path: ${path} }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-a] }] }] } }`,
      });
      const played = play(fixture(local, podWithClaim("p", "Pending node-a")), { cluster });
      assert.deepEqual(failedMounts(played), [
        `MountVolume.NewMounter initialization failed for volume "pv" : ${error}`,
      ]);
    }
  });

  test("a local volume's raw device has to exist, and its links are in the plugin's directory", () => {
    const device = (path: string): string =>
      asDevice(
        `local: { path: ${path} }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-a] }] }] } }`,
      );
    const missing = play(fixture(device("/srv/disks/one"), podWithDevice("Pending node-a")), {
      cluster,
    });
    assert.deepEqual(missing.events("FailedMapVolume"), [
      'MapVolume.EvalHostSymlinks failed for volume "pv" : lstat /srv/disks: no such file or directory',
    ]);
    const played = play(fixture(device("/dev/zero"), podWithDevice("Running node-a")), { cluster });
    const linked = played.events("SuccessfulMountVolume")[0] ?? "";
    assert.match(linked, /\/plugins\/kubernetes\.io~local-volume\/volumeDevices\/pv"$/);
  });

  test("a plugin without raw devices keeps the pod waiting without an event", () => {
    const volume = asDevice("hostPath: { path: /dev/zero }");
    const played = play(fixture(volume, podWithDevice("Pending node-a")), { cluster });
    assert.deepEqual(played.events("FailedMapVolume"), []);
    assert.deepEqual(failedMounts(played), []);
  });

  test("a Fibre Channel disk is mounted if the machine has it, by port or by name", () => {
    for (const [source, path] of [
      ['{ targetWWNs: ["50060e801049cfd1"], lun: 2 }', "by-path/fc-0x50060e801049cfd1-lun-2"],
      ['{ wwids: ["3600508b400105e21"] }', "by-id/scsi-3600508b400105e21"],
    ] as const) {
      const hostPaths = { [`/dev/disk/${path}`]: "blockDevice" } as const;
      const connected = { ...cluster, nodes: [{ name: "node-a", hostPaths }] };
      const bound = boundClaim({ volume: `fc: ${source}` });
      const played = play(fixture(bound, podWithClaim("p", "Running node-a")), {
        cluster: connected,
      });
      assert.deepEqual(failedMounts(played), []);
    }
  });

  test("a restarted kubelet finds the iSCSI disk that a pod has mounted, and unmounts it with the pod", () => {
    const node = (kubelet: "down" | "restart"): Step => ({ type: "node", name: "node-a", kubelet });
    const remove: Step = { type: "delete", objects: [{ kind: "Pod", name: "p", grace: 0 }] };
    const volume = 'iscsi: { targetPortal: 10.0.0.1, iqn: "iqn.2001-04.com.example:disk", lun: 0 }';
    const mounted = applied(boundClaim({ volume }), podWithClaim("p"));
    const left = (...steps: readonly Step[]): readonly (string | undefined)[] => {
      const played = play("", { cluster, steps: [...mounted, advance(30), ...steps, settle] });
      const mounts = played.simulation.runtime.machines.get("node-a")?.mounts.entries ?? [];
      return mounts.map(({ source }) => source.split("/").at(-1));
    };
    const disk = [
      "10.0.0.1:iqn.2001-04.com.example:disk:0",
      "10.0.0.1:3260-iqn.2001-04.com.example:disk-lun-0",
    ];
    assert.deepEqual(left(node("restart")), disk);
    assert.deepEqual(left(node("down"), remove, node("restart")), []);
  });

  test("an iSCSI disk gets the pod's group unless it is read-only; NFS does not", () => {
    const groupOf = (volume: string): number | undefined => {
      const pod = podWithVolume(
        "p",
        volume,
        "Running node-a",
        "securityContext: { fsGroup: 2000 }",
      );
      const { machines } = play(pod, { cluster }).simulation.runtime;
      const { files, mounts } = machines.get("node-a") ?? {};
      const target = mounts?.entries.find((mount) => mount.target.includes("/pods/"))?.target;
      return files?.get(target ?? "")?.group;
    };
    const iscsi = 'targetPortal: 10.0.0.1, iqn: "iqn.2001-04.com.example:disk", lun: 0';
    assert.equal(groupOf(`iscsi: { ${iscsi} }`), 2000);
    assert.equal(groupOf(`iscsi: { ${iscsi}, readOnly: true }`), 0);
    assert.equal(groupOf("nfs: { server: s, path: / }"), 0);
  });

  test("only the iSCSI disk that no pod needs any more is unmounted", () => {
    const pods = ["p", "q"].map((name, lun) =>
      podWithVolume(
        name,
        `iscsi: { targetPortal: 10.0.0.1, iqn: "iqn.2001-04.com.example:disk", lun: ${lun} }`,
      ),
    );
    const steps = [...applied(...pods), settle, deletePods("p"), advance(60)];
    const { simulation } = play("", { cluster, steps });
    const mounts = simulation.runtime.machines.get("node-a")?.mounts.entries ?? [];
    assert.deepEqual(
      mounts.map(({ source }) => source.split("/").at(-1)),
      [
        "10.0.0.1:iqn.2001-04.com.example:disk:1",
        "10.0.0.1:3260-iqn.2001-04.com.example:disk-lun-1",
      ],
    );
  });

  test("a Fibre Channel disk that the machine lacks is not found, as a raw device or a file system", () => {
    const disk = 'fc: { targetWWNs: ["50060e801049cfd1"], lun: 0 }';
    const why = 'failed for volume "pv" : no fc disk found';
    const raw = play(fixture(asDevice(disk), podWithDevice("Pending node-a")), { cluster });
    assert.deepEqual(raw.events("FailedMapVolume"), [`MapVolume.WaitForAttach ${why}`]);
    const formatted = fixture(boundClaim({ volume: disk }), podWithClaim("p", "Pending node-a"));
    assert.deepEqual(failedMounts(play(formatted, { cluster })), [
      `MountVolume.WaitForAttach ${why}`,
    ]);
  });

  test("a raw device is neither staged nor unstaged while the plugin's capabilities cannot be read", () => {
    const call = "NodeGetCapabilities";
    const silent: Step = {
      type: "fault",
      fault: { driver: "file.csi.test", call, code: "Internal", times: 1 },
    };
    const device = asDevice("csi: { driver: file.csi.test, volumeHandle: vol }");
    const started = applied(device, podWithDevice(""));
    const playDevice = (...steps: readonly Step[]): Played =>
      play("", { cluster: clusterOf(), steps });
    const played = playDevice(silent, ...started, advance(20));
    const said = "rpc error: code = Internal desc = injected Internal";
    const asking = "failed to check STAGE_UNSTAGE_VOLUME capability";
    assert.deepEqual(played.events("FailedMapVolume"), [
      `MapVolume.SetUpDevice failed for volume "pv" : kubernetes.io/csi: blockMapper.stageVolumeForBlock ${asking}: ${said}`,
    ]);
    assert.equal(nodeCalls(played.simulation), "NS NP");
    const left = playDevice(...started, advance(20), silent, deletePods("p"), advance(60));
    const failures = left.simulation.trace.entries.flatMap((e) =>
      e.type === "decision" && e.decision.reason === "UnmountFailed" ? [e.decision.text] : [],
    );
    assert.deepEqual(failures, [
      `UnmountDevice failed for volume "pv" on node "node-a" : kubernetes.io/csi: blockMapper.unstageVolumeForBlock ${asking}: ${said}`,
    ]);
    assert.equal(nodeCalls(left.simulation), "NS NP NX NU");
  });

  test("a raw device with a missing Secret has its own error text", () => {
    const secret = (name: string): string => `{ name: ${name}, namespace: default }`;
    const volume = (field: string): string =>
      asDevice(`csi: { driver: file.csi.test, volumeHandle: vol, ${field}: ${secret("login")} }`);
    const why =
      'kubernetes.io/csi: failed to find the secret login in the namespace default with error: secrets "login" not found';
    for (const [field, error] of [
      [
        "nodeStageSecretRef",
        'MapVolume.SetUpDevice failed for volume "pv" : kubernetes.io/csi: failed to get NodeStageSecretRef default/login',
      ],
      [
        "nodePublishSecretRef",
        'MapVolume.MapPodDevice failed for volume "pv" : kubernetes.io/csi: blockMapper.publishVolumeForBlock failed to get NodePublishSecretRef default/login',
      ],
    ] as const) {
      const played = play(fixture(volume(field), podWithDevice("Pending node-a")), {
        cluster: clusterOf(),
      });
      assert.deepEqual(played.events("FailedMapVolume"), [`${error}: ${why}`]);
    }
  });

  test("the second fsGroup of a local volume is not applied, which an event reports", () => {
    const local = boundClaim({
      volume:
        "local: { path: /mnt }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-a] }] }] } }",
    });
    const group = (id: number): string => `securityContext: { fsGroup: ${id} }`;
    const pods = fixture(local, podWithClaim("one", "Running node-a", group(2000)));
    const restart: Step = { type: "node", name: "node-a", kubelet: "restart" };
    // A restarted kubelet does not set up again what it finds mounted.
    for (const later of [[], [restart, settle]]) {
      const played = play(pods, {
        cluster,
        steps: [...applied(podWithClaim("two", "", group(3000))), settle, ...later],
      });
      assert.deepEqual(played.events("AlreadyMountedVolume"), [
        "The requested fsGroup is 3000, but the volume pv has GID 2000. The volume may not be shareable.",
      ]);
    }
  });

  test("the same holds for two local volumes of one directory, but not of different ones", () => {
    const told = (...paths: readonly string[]): readonly string[] => {
      const claims = paths.map((path, index) =>
        boundClaim({
          volume: `local: { path: ${path} }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-a] }] }] } }`,
        })
          .replaceAll("name: pv }", `name: pv-${index} }`)
          .replaceAll("volumeName: pv", `volumeName: pv-${index}`)
          .replaceAll("name: data }", `name: data-${index} }`),
      );
      const podOf = (index: number, group: number): string =>
        podWithClaim(
          `p-${index}`,
          "Running node-a",
          `securityContext: { fsGroup: ${group} }`,
        ).replace("claimName: data", `claimName: data-${index}`);
      const steps = [...applied(podOf(1, 3000).replace("#=> Running node-a", "")), settle];
      const played = play(fixture(...claims, podOf(0, 2000)), { cluster, steps });
      assert.deepEqual(failedMounts(played), []);
      return played.events("AlreadyMountedVolume");
    };
    assert.deepEqual(told("/mnt", "/mnt"), [
      "The requested fsGroup is 3000, but the volume pv-1 has GID 2000. The volume may not be shareable.",
    ]);
    assert.deepEqual(told("/mnt", "/var"), []);
  });

  test("a volume whose node affinity does not match is refused", () => {
    const volume =
      "nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: topology.kubernetes.io/zone, operator: In, values: [zone-b] }] }] } }, hostPath: { path: /mnt }";
    const played = play(fixture(boundClaim({ volume }), podWithClaim("p", "Pending node-a")), {
      cluster,
    });
    assert.deepEqual(failedMounts(played), [
      'MountVolume.NodeAffinity check failed for volume "pv" : no matching NodeSelectorTerms',
    ]);
  });

  test("mount options are refused by plugins that do not support them", () => {
    const volume = "mountOptions: [noatime], hostPath: { path: /mnt }";
    const played = play(fixture(boundClaim({ volume }), podWithClaim("p", "Pending node-a")), {
      cluster,
    });
    assert.deepEqual(failedMounts(played), [
      'MountVolume.MountOptionSupport check failed for volume "pv" : mount options are not supported for this volume type',
    ]);
  });

  test("mount options come from the old annotation, otherwise from the field, sorted and without repetitions", () => {
    const optionsOf = (volume: string, annotations = ""): unknown => {
      const claim = boundClaim({ volume }).replace("name: pv }", `name: pv${annotations} }`);
      const { runtime } = play(fixture(claim, podWithClaim("p")), { cluster }).simulation;
      return runtime.machines.get("node-a")?.mounts.entries[0]?.options;
    };
    const nfs = "nfs: { server: nfs.example.com, path: /data }";
    const annotated =
      ', annotations: { volume.beta.kubernetes.io/mount-options: "soft,nolock,soft" }';
    assert.deepEqual(optionsOf(`mountOptions: [vers=4.1, hard, vers=4.1], ${nfs}`), [
      "hard",
      "vers=4.1",
    ]);
    assert.deepEqual(optionsOf(`mountOptions: [hard], ${nfs}`, annotated), ["nolock", "soft"]);
    assert.deepEqual(optionsOf(nfs), []);
  });

  test("iSCSI needs its tool on the node", () => {
    const volume =
      'iscsi: { targetPortal: "192.0.2.10:3260", iqn: "iqn.2026-01.com.example:disk", lun: 0 }';
    const without = play(fixture(boundClaim({ volume }), podWithClaim("p", "Pending node-a")), {
      cluster: clusterOf([], [{ ...nodeA, tools: ["mount"] }]),
    });
    assert.deepEqual(failedMounts(without), [
      'MountVolume.WaitForAttach failed for volume "pv" : executable file not found in $PATH',
    ]);
    play(fixture(boundClaim({ volume }), podWithClaim("p", "Running node-a")), { cluster });
  });

  test("iSCSI with CHAP needs its Secret, in the pod's namespace if none is given", () => {
    const target =
      'iscsi: { targetPortal: "192.0.2.10:3260", iqn: "iqn.2026-01.com.example:disk", lun: 0';
    for (const [namespace, secretRef] of [
      ["default", "{ name: chap }"],
      ["storage", "{ name: chap, namespace: storage }"],
    ]) {
      const volume = `${target}, chapAuthSession: true, secretRef: ${secretRef} }`;
      const without = play(fixture(boundClaim({ volume }), podWithClaim("p", "Pending node-a")), {
        cluster,
      });
      assert.deepEqual(failedMounts(without), [
        `MountVolume.NewMounter initialization failed for volume "pv" : couldn't get secret ${namespace}/chap error: secrets "chap" not found`,
      ]);
      const device = play(fixture(asDevice(volume), podWithDevice("Pending node-a")), { cluster });
      assert.deepEqual(device.events("FailedMapVolume"), [
        `MapVolume.NewBlockVolumeMapper initialization failed for volume "pv" : couldn't get secret ${namespace}/chap error: secrets "chap" not found`,
      ]);
    }
    const secret = "kind: Secret, metadata: { name: chap }, type: kubernetes.io/iscsi-chap";
    const volume = `${target}, chapAuthSession: true, secretRef: { name: chap } }`;
    play(fixture(`{ ${secret} }`, boundClaim({ volume }), podWithClaim("p", "Running node-a")), {
      cluster,
    });
  });

  test("an emptyDir in memory is a tmpfs no larger than the pod's limit", () => {
    const pod = podWithVolume(
      "p",
      "emptyDir: { medium: Memory, sizeLimit: 128Mi }",
      "Running node-a",
    ).replace("image: app,", "image: app, resources: { limits: { memory: 64Mi } },");
    const { simulation } = play(pod, { cluster });
    const mounts = simulation.runtime.machines.get("node-a")?.mounts.entries ?? [];
    assert.deepEqual(mounts[0], {
      source: "tmpfs",
      target: mounts[0]?.target,
      fsType: "tmpfs",
      options: [`size=${64 * 1024 * 1024}`],
    });
  });

  test("huge pages have to be requested by a container", () => {
    failsWith(
      "emptyDir: { medium: HugePages }",
      "medium HugePages: hugePages storage requested, but there is no resource request for huge pages",
    );
  });

  test("an invalid size of huge pages and an unknown medium are refused by the kubelet, not by the API server", () => {
    const none =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    failsWith("emptyDir: { medium: HugePages- }", none);
    failsWith("emptyDir: { medium: HugePages-NN }", none);
    failsWith("emptyDir: { medium: HugePages2Mi }", 'unknown storage medium "HugePages2Mi"');
  });

  test("huge pages are mounted in the only size that is requested, or in the one that the volume names", () => {
    const node = {
      ...nodeA,
      capacity: {
        cpu: "8",
        memory: "32Gi",
        pods: "110",
        "hugepages-2Mi": "1Gi",
        "hugepages-1Gi": "4Gi",
      },
    };
    const run = (medium: string, pages: readonly string[], mark: string): Played => {
      const amounts = [...pages, "memory: 1Gi"].join(", ");
      const resources = `resources: { requests: { ${amounts} }, limits: { ${amounts} } }`;
      const pod = podWithVolume("p", `emptyDir: { medium: ${medium} }`, mark);
      return play(pod.replace("image: app,", `image: app, ${resources},`), {
        cluster: clusterOf([], [node]),
      });
    };
    const options = (played: Played) =>
      played.simulation.runtime.machines
        .get("node-a")
        ?.mounts.entries.map((e) => [e.fsType, ...e.options]);
    const [small, large] = ["hugepages-2Mi: 2Mi", "hugepages-1Gi: 1Gi"];
    assert.deepEqual(options(run("HugePages", [small], "Running node-a")), [
      ["hugetlbfs", "pagesize=2Mi"],
    ]);
    assert.deepEqual(options(run("HugePages-1Gi", [small, large], "Running node-a")), [
      ["hugetlbfs", "pagesize=1Gi"],
    ]);
    assert.deepEqual(failedMounts(run("HugePages", [small, large], "Pending node-a")), [
      'MountVolume.SetUp failed for volume "v" : medium: HugePages can\'t be used if container requests multiple huge page sizes',
    ]);
    assert.deepEqual(failedMounts(run("HugePages-1Gi", [small], "Pending node-a")), [
      'MountVolume.SetUp failed for volume "v" : medium HugePages-1Gi: hugePages storage requested, but there is no resource request for huge pages',
    ]);
  });

  test("an emptyDir gets the pod's group, and in memory is as large as its smallest limit", () => {
    const size = (volume: string, limits: string): readonly string[] | undefined => {
      const pod = podWithVolume(
        "p",
        `emptyDir: { medium: Memory${volume} }`,
        "Running node-a",
        "securityContext: { fsGroup: 2000 }",
      );
      const resources =
        limits === "" ? "image: app," : `image: app, resources: { limits: { memory: ${limits} } },`;
      const { machines } = play(pod.replace("image: app,", resources), { cluster }).simulation
        .runtime;
      const [mount] = machines.get("node-a")?.mounts.entries ?? [];
      assert.equal(machines.get("node-a")?.files.get(mount?.target ?? "")?.group, 2000);
      return mount?.options;
    };
    assert.deepEqual(size(", sizeLimit: 32Mi", "64Mi"), [`size=${32 * 1024 * 1024}`]);
    assert.deepEqual(size(", sizeLimit: 128Gi", ""), [`size=${32 * 1024 ** 3}`]);
    assert.deepEqual(size("", ""), [`size=${32 * 1024 ** 3}`]);
  });

  test("an emptyDir in memory is limited by the pod's memory limit, or by all of its containers' limits", () => {
    const memory = (size: string): string => `resources: { limits: { memory: ${size} } }`;
    const size = (whole: string, app: string, init: string): string | undefined => {
      const more = [whole, init && `initContainers: [{ name: init, image: app, ${init} }]`];
      const extra = more.filter((part) => part !== "").join("\n      ");
      const pod = podWithVolume("p", "emptyDir: { medium: Memory }", "Running node-a", extra);
      const { simulation } = play(
        app ? pod.replace("image: app, volume", `image: app, ${app}, volume`) : pod,
        { cluster },
      );
      return simulation.runtime.machines.get("node-a")?.mounts.entries[0]?.options[0];
    };
    assert.equal(size(memory("16Mi"), "", ""), `size=${16 * 1024 ** 2}`);
    assert.equal(size("", memory("16Mi"), memory("48Mi")), `size=${48 * 1024 ** 2}`);
    assert.equal(size("", memory("16Mi"), "command: [sleep, '0']"), `size=${32 * 1024 ** 3}`);
  });

  test("a missing key of a ConfigMap and a missing container are named", () => {
    const conf =
      "{ kind: ConfigMap, metadata: { name: conf }, data: { a: x }, binaryData: { b: eA== } }";
    const volume = (key: string, more = ""): string =>
      `configMap: { name: conf, items: [{ key: ${key}, path: x/y }]${more} }`;
    const refused = play(fixture(conf, podWithVolume("p", volume("c"), "Pending node-a")), {
      cluster,
    });
    assert.deepEqual(failedMounts(refused), [
      'MountVolume.SetUp failed for volume "v" : configmap references non-existent config key: c',
    ]);
    play(fixture(conf, podWithVolume("p", volume("b"), "Running node-a")), { cluster });
    play(fixture(conf, podWithVolume("p", volume("c", ", optional: true"), "Running node-a")), {
      cluster,
    });
    const cpu = (container: string): string =>
      `{ path: ${container}, resourceFieldRef: { containerName: ${container}, resource: limits.cpu } }`;
    failsWith(
      `downwardAPI: { items: [${cpu("app")}, ${cpu("side")}, ${cpu("other")}] }`,
      "[container side not found, container other not found]",
    );
  });

  test("a local volume is a directory or a block device, mounted with the volume's options and the pod's readOnly", () => {
    const local = (path: string, more = ""): string =>
      boundClaim({
        volume: `local: { path: ${path} }${more}, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [node-a] }] }] } }`,
      });
    const hostPaths: Readonly<Record<string, HostPathType>> = {
      "/srv/file": "file",
      "/srv/disk": "blockDevice",
    };
    const withPaths = { cluster: clusterOf([], [{ ...nodeA, hostPaths }]) };
    assert.deepEqual(
      failedMounts(
        play(fixture(local("/srv/file"), podWithClaim("p", "Pending node-a")), withPaths),
      ),
      [
        'MountVolume.NewMounter initialization failed for volume "pv" : only directory and block device are supported',
      ],
    );
    const readOnly = podWithClaim("p", "Running node-a").replace(
      "claimName: data }",
      "claimName: data, readOnly: true }",
    );
    const { runtime } = play(
      fixture(local("/srv/disk", ", mountOptions: [noatime]"), readOnly),
      withPaths,
    ).simulation;
    const [mount] = runtime.machines.get("node-a")?.mounts.entries ?? [];
    assert.deepEqual([mount?.source, mount?.options], ["/srv/disk", ["bind", "noatime", "ro"]]);
  });

  test("a pod's directories are removed with the pod", () => {
    const { simulation } = play(podWithVolume("p", "emptyDir: {}", "gone"), {
      cluster,
      steps: [deletePods("p"), settle],
    });
    const files = simulation.runtime.machines.get("node-a")?.files;
    assert.deepEqual(files?.below("/var/lib/kubelet/pods"), []);
  });

  test("sub-paths are created in the volume and bind-mounted for the container", () => {
    const pod = `
      kind: Pod
      metadata: { name: p }        #=> Running node-a
      spec:
        nodeName: node-a
        containers:
          - name: app
            image: app
            env: [{ name: POD, valueFrom: { fieldRef: { fieldPath: metadata.name } } }]
            volumeMounts: [{ name: v, mountPath: /v, subPathExpr: $(POD)/logs }]
        volumes: [{ name: v, hostPath: { path: /mnt } }]`;
    const { simulation } = check(pod, { cluster });
    const machine = simulation.runtime.machines.get("node-a");
    assert.equal(machine?.files.exists("/mnt/p/logs"), true);
    assert.match(machine?.mounts.entries[0]?.target ?? "", /\/volume-subpaths\/v\/app\/0$/);
  });

  test("a subPathExpr may use a Secret's value", () => {
    const pod = `
      kind: Secret
      metadata: { name: s }
      data: { where: bG9ncw== }
      ---
      kind: Pod
      metadata: { name: p }        #=> Running node-a
      spec:
        nodeName: node-a
        containers:
          - name: app
            image: app
            env: [{ name: WHERE, valueFrom: { secretKeyRef: { name: s, key: where } } }]
            envFrom: [{ prefix: ALL_, secretRef: { name: s } }]
            volumeMounts: [{ name: v, mountPath: /v, subPathExpr: $(WHERE)/$(ALL_where) }]
        volumes: [{ name: v, hostPath: { path: /mnt } }]`;
    const { simulation } = check(pod, { cluster });
    assert.equal(simulation.runtime.machines.get("node-a")?.files.exists("/mnt/logs/logs"), true);
  });

  test("a subPathExpr may use the pod's fields, including its address at its first start", () => {
    const fields = {
      NS: "metadata.namespace",
      UID: "metadata.uid",
      APP: "metadata.labels['app']",
      NOTE: "metadata.annotations['note']",
      NODE: "spec.nodeName",
      IP: "status.podIP",
      IPS: "status.podIPs",
      HOST: "status.hostIP",
      HOSTS: "status.hostIPs",
    };
    const names = Object.keys(fields);
    const env = Object.entries(fields).map(
      ([name, path]) =>
        `{ name: ${name}, valueFrom: { fieldRef: { apiVersion: v1, fieldPath: "${path}" } } }`,
    );
    const pathOf = (extra: string): string => {
      const pod = `
        kind: Pod
        metadata: { name: p, labels: { app: web }, annotations: { note: blue } }   #=> Running node-a
        spec:
          nodeName: node-a
          ${extra}
          containers:
            - name: app
              image: app
              env: [${env.join(", ")}]
              volumeMounts: [{ name: v, mountPath: /v, subPathExpr: ${names.map((n) => `$(${n})`).join("/")} }]
          volumes: [{ name: v, hostPath: { path: /mnt } }]`;
      const played = play(pod, { cluster });
      const { metadata, status } = played.get("Pod", "p") ?? {};
      const path = played.simulation.runtime.machines.get("node-a")?.mounts.entries[0]?.source;
      const addresses = `${status?.podIP}/${status?.podIP}/${status?.hostIP}/${status?.hostIP}`;
      assert.equal(path, `/mnt/default/${metadata?.uid}/web/blue/node-a/${addresses}`);
      return path ?? "";
    };
    assert.match(pathOf(""), /\/10\.244\.[^/]+\/10\.244\.[^/]+\/192\.168\./);
    assert.match(pathOf("hostNetwork: true"), /\/(192\.168\.[^/]+)\/\1\/\1\/\1$/);
  });

  test("a subPathExpr may use a container's requests and limits, which default to the pod's or the node's", () => {
    const spelt = (asked: readonly string[], ofPod = ""): Played => {
      const env = asked.map(
        (field, i) => `{ name: V${i}, valueFrom: { resourceFieldRef: { resource: ${field} } } }`,
      );
      const pod = `
        kind: Pod
        metadata: { name: p }        #=> Running node-a
        spec:
          nodeName: node-a
          ${ofPod}
          initContainers: [{ name: first, image: app }]
          containers:
            - name: app
              image: app
              resources: { requests: { cpu: 250m }, limits: { memory: 100M, ephemeral-storage: 1Gi } }
              env: [${env.join(", ")}]
              volumeMounts: [{ name: v, mountPath: /v, subPathExpr: ${env.map((_, i) => `$(V${i})`).join("/")} }]
            - { name: other, image: app, resources: { limits: { cpu: 1500m } } }
          volumes: [{ name: v, hostPath: { path: /mnt } }]`;
      return play(pod, { cluster });
    };
    const sourceIn = ({ simulation }: Played): string | undefined =>
      simulation.runtime.machines.get("node-a")?.mounts.entries[0]?.source;
    const own = ["requests.cpu", "requests.cpu, divisor: 1m", "limits.memory, divisor: 1Mi"];
    const others = [
      "limits.cpu, containerName: other",
      "requests.memory, containerName: other",
      "limits.cpu, containerName: first",
    ];
    const played = spelt([...own, "limits.ephemeral-storage", ...others, "limits.cpu"]);
    const { cpu: cpus, "ephemeral-storage": disk = "" } =
      played.get("Node", "node-a")?.status?.allocatable ?? {};
    assert.equal(sourceIn(played), `/mnt/1/250/96/1073741824/2/0/0/${cpus}`);
    const ofOther = spelt(["limits.ephemeral-storage, divisor: 1Gi, containerName: other"]);
    assert.equal(`${sourceIn(ofOther)}Gi`, `/mnt/${disk}`);
    const limited = spelt(["limits.cpu"], "resources: { limits: { cpu: 3, memory: 1Gi } }");
    assert.equal(sourceIn(limited), "/mnt/3");
  });

  test("a sub-path of a CSI volume is bind-mounted from below its mount, read-only if the container says so", () => {
    const pod = podWithClaim("p", "Running node-a").replace(
      "mountPath: /data }",
      "mountPath: /data, subPath: logs, readOnly: true }",
    );
    const { simulation } = check(fixture(boundClaim(), pod), { cluster: clusterOf() });
    const bound = simulation.runtime.machines
      .get("node-a")
      ?.mounts.entries.find(({ target }) => target.includes("/volume-subpaths/"));
    assert.match(bound?.source ?? "", /\/volumes\/kubernetes\.io~csi\/pv\/mount\/logs$/);
    assert.deepEqual(bound?.options, ["bind", "ro"]);
  });

  test("a pod that exceeds an emptyDir's sizeLimit is evicted", () => {
    const writes = (size: string, mark: string): string =>
      podWithVolume("p", "emptyDir: { sizeLimit: 100Mi }", mark).replace(
        "image: app,",
        `image: app, command: [sh, -c, "dd if=/dev/zero of=/v/x bs=1M count=${size}; sleep infinity"],`,
      );
    const played = play(writes("101", "Failed node-a"), { cluster, steps: [advance(80)] });
    const message = 'Usage of EmptyDir volume "v" exceeds the limit "100Mi". ';
    assert.deepEqual(played.events("Evicted"), [message]);
    const { status } = played.get("Pod", "p") ?? {};
    assert.deepEqual([status?.reason, status?.message], ["Evicted", message]);
    assert.ok(!status?.conditions?.some((c) => c.type === "DisruptionTarget"));
    play(writes("100", "Running node-a"), { cluster, steps: [advance(80)] });
    const readOnly = writes("101", "Running node-a").replace("/v }", "/v, readOnly: true }");
    play(readOnly, { cluster, steps: [advance(80)] });
    const fake = clusterOf([], [{ ...nodeA, fakeMounts: true }]);
    play(writes("101", "Running node-a"), { cluster: fake, steps: [advance(80)] });
  });

  test("a container whose sub-path is below a file does not start, while others do", () => {
    const pod = `
      kind: Pod
      metadata: { name: p }        #=> Pending node-a
      spec:
        nodeName: node-a
        containers:
          - { name: app, image: app, volumeMounts: [{ name: v, mountPath: /v, subPath: passwd/x }] }
          - { name: other, image: app }
        volumes: [{ name: v, hostPath: { path: /etc } }]`;
    const played = play(pod, { cluster });
    assert.deepEqual(played.events("Failed"), [
      'Error: failed to prepare subPath for volumeMount "v" of container "app"',
    ]);
    const [app, other] = played.get("Pod", "p")?.status?.containerStatuses ?? [];
    assert.equal(app?.state?.waiting?.reason, "CreateContainerConfigError");
    assert.equal(other?.ready, true);
  });

  test("a subPathExpr must expand to a relative path that does not lead upwards, and all of its variables must be set", () => {
    const spelt = (
      value: string,
      expression: string,
      volume = "emptyDir: {}",
    ): readonly string[] => {
      const env = `env: [{ name: WHERE, value: "${value}" }], volumeMounts: [{ name: v, mountPath: /v, subPathExpr: ${expression} }]`;
      const mounts = "volumeMounts: [{ name: v, mountPath: /v }]";
      const pod = podWithVolume("p", volume, "Pending node-a").replace(mounts, env);
      return play(pod, { cluster }).events("Failed");
    };
    assert.deepEqual(spelt("/etc", "$(WHERE)"), [
      "Error: error SubPath `/etc` must not be an absolute path",
    ]);
    assert.deepEqual(spelt("..", "$(WHERE)/x"), [
      "Error: unable to provision SubPath `../x`: must not contain '..'",
    ]);
    assert.deepEqual(spelt("x", "$(B)-$(A)-$(B)"), ["Error: missing value for A, B"]);
    const ofImage = "image: { reference: data }";
    for (const volume of ["emptyDir: {}", ofImage])
      assert.deepEqual(spelt("", "$(WHERE)", volume), ["Error: missing value for WHERE"]);
  });

  test("a sub-path of an image volume is not checked by the kubelet", () => {
    const pod = podWithVolume("p", "image: { reference: data }", "Running node-a").replace(
      "mountPath: /v",
      "mountPath: /v, subPath: logs",
    );
    assert.deepEqual(play(pod, { cluster }).events("Failed"), []);
  });

  test("a sub-path needs an existing hostPath", () => {
    const pod = podWithVolume("p", "hostPath: { path: /srv/new }", "Pending node-a").replace(
      "mountPath: /v",
      "mountPath: /v, subPath: logs",
    );
    const played = play(pod, { cluster });
    assert.deepEqual(played.events("Failed"), ["Error: stat /srv/new: no such file or directory"]);
  });

  test("a recursively read-only mount needs support by the runtime", () => {
    const pod = (mark: string): string =>
      podWithVolume("p", "emptyDir: {}", mark).replace(
        "mountPath: /v",
        "mountPath: /v, readOnly: true, recursiveReadOnly: Enabled",
      );
    play(pod("Running node-a"), { cluster });
    const played = play(pod("Pending node-a"), {
      cluster: clusterOf([], [{ ...nodeA, fakeMounts: true }]),
    });
    assert.deepEqual(played.events("Failed"), [
      'Error: failed to resolve recursive read-only mode: volume "v" requested recursive read-only mode, but it is not supported by the runtime',
    ]);
  });

  test("a sub-path cannot be created in a volume that is mounted read-only", () => {
    const pod = podWithClaim("p", "Pending node-a")
      .replace("claimName: data }", "claimName: data, readOnly: true }")
      .replace("mountPath: /data }", "mountPath: /data, subPath: logs }");
    const played = play(fixture(boundClaim({ volume: "nfs: { server: s, path: /e }" }), pod), {
      cluster,
    });
    assert.deepEqual(played.events("Failed"), [
      'Error: failed to create subPath directory for volumeMount "data" of container "app"',
    ]);
  });

  test("a pod with init containers reports PodInitializing while it waits for a volume", () => {
    const pod = podWithVolume(
      "p",
      "configMap: { name: conf }",
      "Pending node-a",
      "initContainers: [{ name: first, image: app }]",
    );
    const { status } = play(pod, { cluster }).get("Pod", "p") ?? {};
    assert.equal(status?.containerStatuses?.[0]?.state?.waiting?.reason, "PodInitializing");
    assert.equal(status?.initContainerStatuses?.[0]?.state?.waiting?.reason, "PodInitializing");
    const initialized = status?.conditions?.find((c) => c.type === "Initialized");
    assert.equal(initialized?.message, "containers with incomplete status: [first]");
  });
});
