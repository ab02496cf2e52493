import assert from "node:assert/strict";
import { create, field, refusal, replace } from "./answer.ts";

const pod = (spec: string, container = ""): string => `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: app, image: busybox, ${container} }], ${spec} }`;

const deployment = (spec: string, container = ""): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: busybox, ${container} }], ${spec} }`;

const podRefusal = (spec: string, container = ""): string => refusal(create(pod(spec, container)));

suite("Fields behind disabled gates", () => {
  test("lose the stop signal, and a lifecycle with nothing else", () => {
    const alone = create(pod("os: { name: linux }", "lifecycle: { stopSignal: SIGUSR1 }"));
    assert.equal(field(alone, "spec.containers.0.name"), "app");
    assert.equal(field(alone, "spec.containers.0.lifecycle"), undefined);
    const sleep = "preStop: { sleep: { seconds: 1 } }";
    assert.deepEqual(
      field(
        create(deployment("", `lifecycle: { ${sleep}, stopSignal: SIGUSR1 }`)),
        "spec.template.spec.containers.0.lifecycle",
      ),
      { preStop: { sleep: { seconds: 1 } } },
    );
  });
});

suite("A pod and its node:", () => {
  test("host and container port must be equal in the host network; templates may leave out the host port", () => {
    const ports = "ports: [{ containerPort: 80 }]";
    assert.equal(refusal(create(deployment("hostNetwork: true", ports))), "accepted");
    assert.equal(
      field(create(pod("hostNetwork: true", ports)), "spec.containers.0.ports.0.hostPort"),
      80,
    );
    assert.equal(
      podRefusal("hostNetwork: true", "ports: [{ containerPort: 80, hostPort: 81 }]"),
      "spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true",
    );
  });

  test("hostnameOverride must be valid, and is forbidden in the host network", () => {
    assert.equal(
      podRefusal("hostnameOverride: a.example.com, setHostnameAsFQDN: false"),
      "accepted",
    );
    assert.match(
      podRefusal('hostnameOverride: ""'),
      /^spec.hostnameOverride: Invalid value: "": a/,
    );
    assert.equal(
      podRefusal("hostnameOverride: a.example.com, setHostnameAsFQDN: true"),
      "spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true",
    );
    assert.equal(
      podRefusal("hostnameOverride: a.example.com, hostNetwork: true"),
      "spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true",
    );
    assert.match(
      podRefusal("hostnameOverride: A"),
      /^spec.hostnameOverride: Invalid value: "A": a/,
    );
    assert.equal(
      podRefusal(`hostnameOverride: ${"a".repeat(65)}`),
      "spec.hostnameOverride: Too long: may not be more than 64 bytes",
    );
  });

  test("a user namespace of its own excludes namespaces of the host", () => {
    assert.equal(
      podRefusal("hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true"),
      [
        "spec.hostNetwork: Forbidden: when `hostUsers` is false",
        "spec.HostPID: Forbidden: when `hostUsers` is false",
        "spec.HostIPC: Forbidden: when `hostUsers` is false",
      ].join("\n"),
    );
    const claim = "volumes: [{ name: v, persistentVolumeClaim: { claimName: c } }]";
    assert.equal(
      podRefusal(`hostUsers: false, ${claim}`, "volumeDevices: [{ name: v, devicePath: /dev/a }]"),
      "spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false",
    );
    assert.equal(
      podRefusal("", "securityContext: { procMount: Unmasked }"),
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    );
  });

  test("a new pod must not set SELinux labels by mount option", () => {
    const policy = (name: string): string => `securityContext: { seLinuxChangePolicy: ${name} }`;
    assert.equal(podRefusal(policy("Recursive")), "accepted");
    assert.equal(
      podRefusal(policy("MountOption")),
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    );
  });

  test("sysctls of a shared namespace must not be set", () => {
    const sysctls =
      "securityContext: { sysctls: [{ name: net.core.somaxconn, value: '1' }, { name: kernel.shm_rmid_forced, value: '1' }] }";
    assert.equal(
      podRefusal(`hostNetwork: true, hostIPC: true, ${sysctls}`),
      [
        "spec.securityContext.sysctls[0].name: Invalid value: \"net.core.somaxconn\": may not be specified when 'hostNetwork' is true",
        "spec.securityContext.sysctls[1].name: Invalid value: \"kernel.shm_rmid_forced\": may not be specified when 'hostIPC' is true",
      ].join("\n"),
    );
    assert.equal(podRefusal(sysctls), "accepted");
  });
});

suite("An image's pull policy", () => {
  const policy = (image: string): unknown =>
    field(
      create(pod("", `image: ${image}`).replace("image: busybox, ", "")),
      "spec.containers.0.imagePullPolicy",
    );

  test("is Always for the tag latest, written or implied", () => {
    assert.equal(policy("busybox"), "Always");
    assert.equal(policy("registry.example:5000/team/app:latest"), "Always");
    assert.equal(policy("busybox:1.36"), "IfNotPresent");
    assert.equal(policy(`busybox@sha256:${"0".repeat(64)}`), "IfNotPresent");
    assert.equal(policy(`busybox:latest@sha256:${"0".repeat(64)}`), "Always");
  });

  test("is IfNotPresent if the image name is invalid", () => {
    assert.equal(policy("Busybox"), "IfNotPresent");
    assert.equal(policy("f".repeat(64)), "IfNotPresent");
    assert.equal(policy(`busybox:latest@sha256:${"0".repeat(63)}`), "IfNotPresent");
    assert.equal(policy(`busybox:latest@md5:${"0".repeat(32)}`), "IfNotPresent");
  });

  test("is IfNotPresent if the path has more than 255 characters: without registry, but with docker.io's library", () => {
    const long = "a".repeat(255);
    assert.equal(policy(`registry.example/${long}`), "Always");
    assert.equal(policy(`registry.example/${long}a`), "IfNotPresent");
    assert.equal(policy(long), "IfNotPresent");
    assert.equal(policy("a".repeat(247)), "Always");
    assert.equal(policy(`docker.io/${"a".repeat(248)}`), "IfNotPresent");
    assert.equal(policy(`team/${"a".repeat(250)}`), "Always");
    assert.equal(policy(`team/${"a".repeat(251)}`), "IfNotPresent");
  });
});

suite("Ports and volumes of a pod:", () => {
  const volume = (source: string): string => podRefusal(`volumes: [{ name: v, ${source} }]`);

  test("a port's name is measured in bytes", () => {
    // Upstream: IsValidPortName.
    const complaints = (name: string): readonly string[] =>
      podRefusal("", `ports: [{ containerPort: 80, name: ${name} }]`)
        .split("\n")
        .map((line) => line.replace(/^.*": /, ""));
    const letters = "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)";
    assert.deepEqual(complaints(`a${"é".repeat(7)}`), [letters]);
    assert.deepEqual(complaints(`a${"é".repeat(8)}`), [
      "must be no more than 15 characters",
      letters,
    ]);
  });

  test("an iSCSI initiator must have a valid name", () => {
    const iscsi = (initiator: string): string =>
      volume(
        `iscsi: { targetPortal: p, iqn: "iqn.2001-04.com.a:b", lun: 0, initiatorName: ${initiator} }`,
      );
    assert.equal(iscsi('"iqn.2001-04.com.a:b"'), "accepted");
    assert.equal(
      iscsi("me"),
      'spec.volumes[0].iscsi.initiatorname: Invalid value: "me": must be valid format starting with iqn, eui, or naa',
    );
    assert.equal(
      iscsi('"iqn.2001-04.com_a:b"'),
      'spec.volumes[0].iscsi.initiatorname: Invalid value: "iqn.2001-04.com_a:b": must be valid format',
    );
    const tooLong = `emptyDir: {}, iscsi: { targetPortal: ${"p".repeat(63)}, iqn: "", lun: 0, initiatorName: me }`;
    assert.equal(
      volume(tooLong),
      [
        "spec.volumes[0].iscsi: Forbidden: may not specify more than 1 volume type",
        'spec.volumes[0].name: Invalid value: "v": Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
      ].join("\n"),
    );
    assert.equal(volume(tooLong.replace("pp", "p")).split("\n").length, 1);
  });

  test("a GCE disk may be shared by several replicas", () => {
    const disk = "volumes: [{ name: v, gcePersistentDisk: { pdName: d } }]";
    const shared = deployment(disk).replace("spec:", "spec:\n  replicas: 3");
    assert.equal(refusal(create(shared)), "accepted");
  });

  test("an image volume needs a reference in a pod, but not in a template", () => {
    const image = "volumes: [{ name: v, image: {} }]";
    assert.equal(podRefusal(image), "spec.volumes[0].image.reference: Required value");
    assert.equal(refusal(create(deployment(image))), "accepted");
  });

  test("a claim template may have labels and annotations only", () => {
    assert.equal(
      volume(
        'ephemeral: { volumeClaimTemplate: { metadata: { name: "", uid: u }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } }',
      ),
      "spec.volumes[0].ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set",
    );
  });

  test("a projected token may have the path of another one", () => {
    const token = "serviceAccountToken: { path: a }";
    assert.equal(
      podRefusal(
        `serviceAccountName: s, volumes: [{ name: v, projected: { sources: [{ ${token} }, { ${token} }] } }]`,
      ),
      "accepted",
    );
  });
});

suite("The environment of a pod:", () => {
  test("a toleration with operator Exists must have no value", () => {
    assert.equal(
      podRefusal("tolerations: [{ key: a, operator: Exists, value: b }]"),
      "spec.tolerations[0].operator: Invalid value: \"b\": value must be empty when `operator` is 'Exists'",
    );
  });

  test("a template must have a known preemption policy", () => {
    const template = (policy: string): string =>
      refusal(create(deployment(`preemptionPolicy: ${policy}`)));
    assert.equal(template('""'), "spec.template.spec.preemptionPolicy: Required value");
    assert.equal(
      template("Sometimes"),
      'spec.template.spec.preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
    );
  });

  test("a Windows user name must be valid, and host processes must be consistent", () => {
    const refused = (user: string): string =>
      podRefusal(`securityContext: { windowsOptions: { runAsUserName: '${user}' } }`).replace(
        /^.*: runAsUserName/,
        "",
      );
    assert.equal(refused("corp.example.com\\me"), "accepted");
    assert.equal(refused(""), " cannot be an empty string");
    assert.equal(refused("a\\b\\c"), " cannot contain more than one backslash");
    assert.equal(refused("a?b\\me"), "'s Domain doesn't match the NetBios nor the DNS format");
    assert.equal(refused("corp\\"), "'s User cannot be empty");
    assert.equal(refused("..."), "'s User cannot contain only periods or spaces");
    assert.equal(
      refused("a@b"),
      `'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`,
    );
    assert.equal(
      podRefusal('securityContext: { windowsOptions: { gmsaCredentialSpec: "" } }'),
      'spec.securityContext.windowsOptions.gmsaCredentialSpec: Invalid value: "": gmsaCredentialSpec cannot be an empty string',
    );
    const host = "securityContext: { windowsOptions: { hostProcess: true } }";
    const other = "securityContext: { windowsOptions: { hostProcess: false } }";
    assert.equal(podRefusal(`${host}, hostNetwork: true`), "accepted");
    assert.equal(
      podRefusal(host, other),
      [
        "spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true",
      ].join("\n"),
    );
    assert.equal(
      podRefusal("initContainers: [{ name: i, image: b }]", host),
      [
        'spec: Invalid value: "": If pod contains any hostProcess containers then all containers must be HostProcess containers',
        "spec.hostNetwork: Invalid value: false: hostNetwork must be true if pod contains any hostProcess containers",
      ].join("\n"),
    );
  });

  test("CAP_SYS_ADMIN without privilege escalation is reported each time", () => {
    const list = "[CAP_SYS_ADMIN, SYS_TIME, CAP_SYS_ADMIN]";
    const refused = podRefusal(
      "",
      `securityContext: { allowPrivilegeEscalation: false, capabilities: { add: ${list} } }`,
    );
    assert.equal(refused.split("`capabilities.Add` CAP_SYS_ADMIN").length - 1, 2);
  });

  test("the operating system must be known, and Windows pods must not have Linux settings", () => {
    assert.equal(podRefusal('os: { name: "" }'), "spec.os.name: Required value");
    assert.equal(
      podRefusal("os: { name: beos }"),
      'spec.os: Unsupported value: "beos": supported values: "linux", "windows"',
    );
    assert.equal(
      podRefusal(
        "os: { name: windows }, securityContext: { fsGroup: 1, runAsUser: 1 }, hostPID: true",
        "securityContext: { privileged: true }",
      ),
      [
        "spec.hostPID: Forbidden: cannot be set for a windows pod",
        "spec.securityContext.fsGroup: Forbidden: cannot be set for a windows pod",
        "spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod",
        "spec.containers[0].securityContext.privileged: Forbidden: cannot be set for a windows pod",
      ].join("\n"),
    );
    const none = (list: string): string =>
      podRefusal(`os: { name: windows }, securityContext: { ${list}: [] }`);
    assert.equal(none("sysctls"), "accepted");
    assert.equal(
      none("supplementalGroups"),
      "spec.securityContext.supplementalGroups: Forbidden: cannot be set for a windows pod",
    );
    assert.equal(
      podRefusal("os: { name: linux }, securityContext: { windowsOptions: {} }"),
      "spec.securityContext.windowsOptions: Forbidden: windows options cannot be set for a linux pod",
    );
  });
});

suite("Security profiles of a pod:", () => {
  test("seccomp reports the type first, and its path must stay in its folder", () => {
    assert.equal(
      podRefusal("securityContext: { seccompProfile: { type: x, localhostProfile: p } }"),
      [
        'spec.securityContext.seccompProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
        'spec.securityContext.seccompProfile.localhostProfile: Invalid value: {"Type":"x","LocalhostProfile":"p"}: can only be set when seccomp type is Localhost',
      ].join("\n"),
    );
    assert.equal(
      podRefusal(
        "securityContext: { seccompProfile: { type: Localhost, localhostProfile: a/../b } }",
      ),
      "spec.securityContext.seccompProfile.localhostProfile: Invalid value: \"a/../b\": must not contain '..'",
    );
  });

  test("an AppArmor profile's name must be neither empty nor padded", () => {
    const profile = (fields: string): string =>
      podRefusal(`securityContext: { appArmorProfile: { ${fields} } }`);
    assert.equal(
      profile("type: Localhost, localhostProfile: ' p'"),
      'spec.securityContext.appArmorProfile.localhostProfile: Invalid value: " p": must not be padded with whitespace',
    );
    assert.equal(
      profile("type: Localhost, localhostProfile: ''"),
      "spec.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost",
    );
    assert.equal(
      profile("type: x, localhostProfile: p"),
      'spec.securityContext.appArmorProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    );
  });
});

suite("Combinations in a pod:", () => {
  test("processes cannot be shared both in the pod and with the host", () => {
    assert.equal(
      podRefusal("shareProcessNamespace: true, hostPID: true"),
      "spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled",
    );
  });

  test("a sysctl must be set only once", () => {
    assert.equal(
      podRefusal(
        "securityContext: { sysctls: [{ name: kernel.sem, value: '1' }, { name: kernel.sem, value: '2' }] }",
      ),
      'spec.securityContext.sysctls[1].name: Duplicate value: "kernel.sem"',
    );
  });

  test("Localhost profiles must have a name, others must not", () => {
    const context = (fields: string): string => podRefusal(`securityContext: { ${fields} }`);
    assert.equal(
      context("seccompProfile: { type: Localhost }"),
      "spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost",
    );
    assert.equal(
      context("appArmorProfile: { type: Localhost }"),
      "spec.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost",
    );
    assert.equal(
      context("appArmorProfile: { type: RuntimeDefault, localhostProfile: p }"),
      'spec.securityContext.appArmorProfile.localhostProfile: Invalid value: "p": can only be set when AppArmor type is Localhost',
    );
    assert.equal(
      context(`appArmorProfile: { type: Localhost, localhostProfile: ${"p".repeat(4096)} }`),
      "spec.securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes",
    );
  });

  test("a privileged container must allow privilege escalation", () => {
    assert.match(
      podRefusal("", "securityContext: { privileged: true, allowPrivilegeEscalation: false }"),
      /^spec\.containers\[0\]\.securityContext: Invalid value: \{.*\}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true$/,
    );
  });

  test("a pod with scheduling gates must have no node", () => {
    assert.equal(
      podRefusal("nodeName: n1, schedulingGates: [{ name: a }]"),
      "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
    );
  });

  test("an init container that is no sidecar must have no probes and no lifecycle", () => {
    const probe = "{ exec: { command: [a] } }";
    const init = `initContainers: [{ name: i, image: b, lifecycle: { preStop: { exec: { command: [a] } } }, livenessProbe: ${probe}, readinessProbe: ${probe}, startupProbe: ${probe} }]`;
    assert.equal(
      podRefusal(init),
      ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]
        .map(
          (field) =>
            `spec.initContainers[0].${field}: Forbidden: may not be set for init containers without restartPolicy=Always`,
        )
        .join("\n"),
    );
  });

  test("a readiness probe must have no grace period", () => {
    assert.equal(
      podRefusal(
        "",
        "readinessProbe: { exec: { command: [a] }, terminationGracePeriodSeconds: 5 }",
      ),
      "spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes",
    );
  });

  test("a variable must have one source", () => {
    assert.equal(
      podRefusal(
        "",
        "env: [{ name: A, valueFrom: { fieldRef: { fieldPath: metadata.name }, secretKeyRef: { name: s, key: k } } }]",
      ),
      'spec.containers[0].env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time',
    );
  });

  test("a field reference must have the API version v1", () => {
    assert.equal(
      podRefusal(
        "",
        "env: [{ name: A, valueFrom: { fieldRef: { apiVersion: v2, fieldPath: metadata.name } } }]",
      ),
      'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
    );
  });

  test("a request for an extended resource needs a limit", () => {
    assert.equal(
      podRefusal("", "resources: { requests: { nvidia.com/gpu: 1 } }"),
      "spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources",
    );
  });

  test("volumes of former in-tree plugins must name their disks", () => {
    const volume = (source: string): string => podRefusal(`volumes: [{ name: v, ${source} }]`);
    const missing = (field: string): string => `spec.volumes[0].${field}: Required value`;
    assert.equal(volume("photonPersistentDisk: {}"), missing("photonPersistentDisk.pdID"));
    assert.equal(volume("portworxVolume: {}"), missing("portworxVolume.volumeID"));
    assert.equal(
      volume("scaleIO: {}"),
      ["gateway", "system", "volumeName"].map((field) => missing(`scaleIO.${field}`)).join("\n"),
    );
    assert.equal(
      volume("storageos: { volumeName: a, secretRef: {} }"),
      missing("storageos.secretRef.name"),
    );
  });

  test("a template must have no ephemeral containers", () => {
    assert.match(
      refusal(create(deployment("ephemeralContainers: [{ name: d, image: b }]"))),
      /^spec\.template\.spec\.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template$/,
    );
  });
});

suite("The DNS settings of a pod:", () => {
  test("the policy None needs a nameserver", () => {
    assert.equal(
      podRefusal("dnsPolicy: None"),
      "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
    );
    assert.equal(
      podRefusal("dnsPolicy: None, dnsConfig: { options: [{ value: x }] }"),
      "spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None",
    );
  });

  test("search paths are limited in number and length", () => {
    const searches = (count: number, length: number): string =>
      podRefusal(
        `dnsConfig: { searches: [${Array(count).fill("a".repeat(length)).join(", ")}] }`,
      ).replace(/\[.*\]/, "…");
    assert.equal(searches(32, 63), "accepted");
    assert.equal(
      searches(33, 1),
      "spec.dnsConfig.searches: Invalid value: …: must not have more than 32 search paths",
    );
    assert.match(
      podRefusal(
        `dnsConfig: { searches: [${Array(32)
          .fill(`${"a".repeat(63)}.b`)
          .join(", ")}] }`,
      ),
      /^spec\.dnsConfig\.searches: Invalid value: \[.*\]: must not have more than 2048 characters \(including spaces\) in the search list$/,
    );
  });

  test("nameservers must be addresses, search paths must be names", () => {
    assert.equal(
      podRefusal("dnsConfig: { nameservers: [10.0.0.1, '::1', '1.2.3.256', '1::2::3'] }"),
      [
        'spec.dnsConfig.nameservers: Invalid value: ["10.0.0.1","::1","1.2.3.256","1::2::3"]: must not have more than 3 nameservers',
        'spec.dnsConfig.nameservers[2]: Invalid value: "1.2.3.256": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.dnsConfig.nameservers[3]: Invalid value: "1::2::3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ].join("\n"),
    );
    assert.equal(
      podRefusal("dnsConfig: { searches: [., example.com., _sip._tcp.example] }"),
      "accepted",
    );
    assert.match(
      podRefusal("dnsConfig: { searches: ['a b'] }"),
      /^spec\.dnsConfig\.searches\[0\]: Invalid value: "a b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '\.'/,
    );
  });
});

suite("The resources of a pod:", () => {
  const resources = (text: string): string => podRefusal("", `resources: { ${text} }`);

  test("extended resources must be whole, and requests equal to limits", () => {
    assert.equal(
      resources("limits: { nvidia.com/gpu: 1500m }"),
      'spec.containers[0].resources.limits[nvidia.com/gpu]: Invalid value: "1500m": must be an integer\nspec.containers[0].resources.requests[nvidia.com/gpu]: Invalid value: "1500m": must be an integer',
    );
    assert.equal(
      resources("requests: { nvidia.com/gpu: 1 }, limits: { nvidia.com/gpu: 2 }"),
      'spec.containers[0].resources.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2',
    );
    assert.equal(
      resources("limits: { requests.nvidia.com/gpu: 1 }").split("\n")[0],
      'spec.containers[0].resources.limits[requests.nvidia.com/gpu]: Invalid value: "requests.nvidia.com/gpu": doesn\'t follow extended resource name standard',
    );
  });

  test("huge pages must be whole pages, and need cpu or memory", () => {
    assert.equal(
      resources("limits: { hugepages-2Mi: 3Mi, memory: 1Gi }"),
      [
        'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      ].join("\n"),
    );
    assert.equal(
      resources("limits: { hugepages-2Mi: 4Mi }"),
      "spec.containers[0].resources: Forbidden: HugePages require cpu or memory",
    );
    // Quantities are rounded up to whole bytes.
    assert.equal(resources("limits: { hugepages-2Mi: 2097151500m, memory: 1Gi }"), "accepted");
    assert.match(
      resources("limits: { hugepages-1500m: 3, memory: 1Gi }"),
      /limits\[hugepages-1500m\]: Invalid value: "3": 3 is not positive integer multiple of hugepages-1500m/,
    );
    assert.match(
      resources("limits: { 'a<b': 1 }"),
      /^spec\.containers\[0\]\.resources\.limits\[a<b\]: Invalid value: "a\\u003cb": name part/,
    );
  });

  test("claims of containers must be among the pod's", () => {
    assert.equal(
      resources("claims: [{ name: gpu }]"),
      'spec.containers[0].resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty',
    );
    assert.match(
      podRefusal(
        "resourceClaims: [{ name: '', resourceClaimName: a }]",
        "resources: { claims: [{ name: gpu }] }",
      ),
      /pod\.spec\.resourceClaims which is empty$/,
    );
    assert.equal(
      podRefusal("resourceClaims: [{ name: gpu }]", "resources: { claims: [{ name: gpu }] }"),
      'spec.resourceClaims[0]: Invalid value: {"Name":"gpu","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    );
  });

  test("the pod's requests must cover its containers', its limits must not be exceeded", () => {
    assert.equal(
      podRefusal(
        "resources: { requests: { cpu: 100m }, limits: { cpu: 1 } }",
        "resources: { requests: { cpu: 200m }, limits: { cpu: 2 } }",
      ),
      [
        'spec.resources.requests[cpu]: Invalid value: "100m": must be greater than or equal to aggregate container requests of 200m',
        'spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1',
      ].join("\n"),
    );
    assert.equal(
      podRefusal("resources: { requests: { ephemeral-storage: 1Gi } }"),
      'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
    );
  });

  test("the QoS class comes from pod-level resources, even empty ones", () => {
    const full = "resources: { limits: { cpu: 1, memory: 1Gi } }";
    const classOf = (spec: string, version?: "1.33"): unknown =>
      field(create(pod(spec, full), undefined, version), "status.qosClass");
    assert.equal(classOf(""), "Guaranteed");
    assert.equal(classOf("resources: { requests: { cpu: 1 } }"), "Burstable");
    assert.equal(classOf(full), "Guaranteed");
    assert.equal(classOf("resources: {}"), "BestEffort");
    assert.equal(classOf("resources: {}", "1.33"), "Guaranteed");
  });

  test("resources that are not set for the pod are left to its containers, except for huge pages", () => {
    const pages = "resources: { limits: { hugepages-2Mi: 4Mi, memory: 1Gi } }";
    assert.equal(
      podRefusal(
        "resources: { requests: { memory: 1Gi } }",
        `${pages.slice(0, -2)}, requests: { cpu: 1 } }`,
      ),
      "accepted",
    );
    const saying = (whole: string): unknown =>
      field(create(pod(`resources: ${whole}`, pages)), "spec.resources.limits");
    assert.deepEqual(saying("{ requests: { memory: 1Gi } }"), { "hugepages-2Mi": "4Mi" });
    assert.equal(saying("{}"), undefined);
    assert.match(
      podRefusal("resources: { limits: { hugepages-2Mi: 2Mi, memory: 1Gi } }", pages),
      /spec\.resources\.limits\[hugepages-2Mi\]: Invalid value: "2Mi": must be greater than or equal to aggregate container limits of 4Mi$/m,
    );
    assert.equal(
      podRefusal("os: { name: windows }, resources: { claims: [] }"),
      "spec.resources: Forbidden: may not be set for a windows pod",
    );
    assert.equal(
      podRefusal("resources: { claims: [{ name: a }] }"),
      [
        "spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level",
        'spec.resources.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty',
      ].join("\n"),
    );
  });

  test("variables must refer to valid fields and resources of the pod", () => {
    const refused = (source: string): string =>
      podRefusal("", `env: [{ name: A, valueFrom: { ${source} } }]`).replaceAll(
        "spec.containers[0].env[0].valueFrom.",
        "",
      );
    const label = (key: string): string =>
      refused(`fieldRef: { fieldPath: "metadata.labels['${key}']" }`);
    assert.equal(label("a"), "accepted");
    assert.equal(
      refused(`fieldRef: { fieldPath: "metadata.name['a']" }`),
      "fieldRef.fieldPath: Invalid value: \"metadata.name['a']\": error converting fieldPath: field label does not support subscript: metadata.name['a']",
    );
    // The key ends at the last quotation mark.
    assert.match(
      label("a']['b"),
      /^fieldRef: Invalid value: "a'\]\['b": name part must consist of/,
    );
    const amount = (resource: string, divisor: string): string =>
      refused(`resourceFieldRef: { resource: ${resource}, divisor: ${divisor} }`);
    assert.equal(amount("limits.memory", "1Mi"), "accepted");
    assert.match(amount("limits.memory", "3Mi"), /^resourceFieldRef\.divisor: Invalid value/);
    // The divisor of an unknown resource is not checked.
    assert.match(amount("other.memory", "3Mi"), /^resourceFieldRef\.resource: Unsupported.*$/);
  });

  test("variables from files must refer to an emptyDir volume", () => {
    const refused = (reference: string): string =>
      podRefusal(
        "volumes: [{ name: v, emptyDir: {} }, { name: h, hostPath: { path: / } }]",
        `env: [{ name: A, valueFrom: { fileKeyRef: ${reference} } }]`,
      ).replaceAll("spec.containers[0].env[0].valueFrom.fileKeyRef.", "");
    assert.equal(refused("{ key: A B, volumeName: v, path: a/b }"), "accepted");
    assert.equal(
      refused('{ key: "", volumeName: "", path: "" }'),
      [
        "key: Required value",
        "volumeName: Required value",
        "path: Required value",
        'volumeName: Not found: ""',
      ].join("\n"),
    );
    assert.equal(
      refused("{ key: a, volumeName: h, path: ../a }"),
      [
        "path: Invalid value: \"../a\": must not contain '..'",
        'volumeName: Invalid value: "h": referenced volume must be of type emptyDir',
      ].join("\n"),
    );
  });

  test("the pod's requests come from its containers, then from its limits", () => {
    const answer = create(
      pod(
        "resources: { limits: { cpu: 1, memory: 1Gi } }",
        "resources: { requests: { cpu: 200m } }",
      ),
    );
    assert.deepEqual(field(answer, "spec.resources.requests"), { cpu: "200m", memory: "1Gi" });
  });

  test("restart rules need a restart policy", () => {
    const rules =
      "restartPolicyRules: [{ action: RestartAllContainers, exitCodes: { operator: In, values: [3] } }, { action: Stop, exitCodes: { operator: Is } }, { action: Restart }]";
    const badRules = [
      'spec.containers[0].restartPolicyRules[1].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"',
      'spec.containers[0].restartPolicyRules[1].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"',
      "spec.containers[0].restartPolicyRules[2].exitCodes: Required value: must be specified",
    ];
    assert.equal(podRefusal("", `restartPolicy: Never, ${rules}`), badRules.join("\n"));
    assert.equal(
      podRefusal("", rules),
      [
        "spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used",
        ...badRules,
      ].join("\n"),
    );
  });

  test("an init container without a policy gets no errors about its restart rules: validateInitContainerRestartPolicy", () => {
    const rules = "restartPolicyRules: [{ action: Stop }]";
    assert.equal(
      podRefusal(`initContainers: [{ name: a, image: b, ${rules} }]`, ""),
      "spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used",
    );
  });

  test("a sleep hook must not be longer than the grace period", () => {
    assert.equal(
      podRefusal("", "lifecycle: { preStop: { sleep: { seconds: 31 } } }"),
      "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)",
    );
  });

  test("resize policies must not restart a container that is never restarted", () => {
    assert.equal(
      podRefusal(
        "restartPolicy: Never",
        "resizePolicy: [{ resourceName: cpu, restartPolicy: RestartContainer }, { resourceName: disk, restartPolicy: NotRequired }]",
      ),
      [
        "spec.containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when pod `restartPolicy` is 'Never'",
        'spec.containers[0].resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
      ].join("\n"),
    );
  });

  test("resize policies must not restart an init container, unless it is a sidecar", () => {
    const policies =
      "resizePolicy: [{ resourceName: cpu, restartPolicy: NotRequired }, { resourceName: memory, restartPolicy: RestartContainer }]";
    const init = (more: string): string =>
      podRefusal(`initContainers: [{ name: a, image: b, ${more} ${policies} }]`);
    assert.equal(
      init(""),
      "spec.initContainers[0].resizePolicy[1].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers",
    );
    assert.equal(init("restartPolicy: Always,"), "accepted");
  });
});

suite("Match label keys", () => {
  const spread = (keys: string, selector: string): string =>
    `topologySpreadConstraints: [{ maxSkew: 1, topologyKey: z, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: ${keys}, ${selector} }]`;
  const labelled = (spec: string): string =>
    refusal(create(pod(spec).replace("{ name: web }", "{ name: web, labels: { app: a } }")));

  test("need a selector, and must not be among its keys", () => {
    assert.equal(
      labelled(spread("[app]", "")),
      "spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set",
    );
    assert.equal(
      labelled(spread("[app]", "labelSelector: { matchLabels: { app: a } }")),
      'spec.topologySpreadConstraints[0][0]: Invalid value: "app": exists in both matchLabelKeys and labelSelector',
    );
    assert.equal(labelled(spread("[app]", "labelSelector: {}")), "accepted");
  });

  test("must not be both matching and mismatching", () => {
    const term =
      "{ topologyKey: h, labelSelector: {}, matchLabelKeys: [b], mismatchLabelKeys: [b] }";
    assert.equal(
      labelled(
        `affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [${term}] } }`,
      ),
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]: Invalid value: "b": exists in both matchLabelKeys and mismatchLabelKeys',
    );
  });
});

suite("Updates of a pod's spec:", () => {
  test("a pod with scheduling gates may be restricted to fewer nodes", () => {
    const gated = (spec: string): string =>
      pod(`serviceAccountName: default, schedulingGates: [{ name: a }], ${spec}`);
    const update = (before: string, after: string): string =>
      refusal(replace(gated(before), gated(after)));
    const affinity = (terms: string): string =>
      `affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: ${terms} } } }`;
    const [zone, disk] = ["{ key: zone, operator: Exists }", "{ key: disk, operator: Exists }"];
    assert.equal(update("nodeSelector: { a: b }", "nodeSelector: { a: b, c: d }"), "accepted");
    assert.equal(
      update("nodeSelector: { a: b }", "nodeSelector: { a: c }"),
      'spec.nodeSelector: Invalid value: {"a":"c"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    );
    assert.match(update("nodeSelector: { a: b }", "nodeSelector: {}"), /Invalid value: \{\}: only/);
    assert.match(update("nodeSelector: { a: b }", ""), /Invalid value: null: only additions/);
    assert.equal(update("", affinity(`[{ matchExpressions: [${zone}] }]`)), "accepted");
    assert.equal(
      update(
        affinity(`[{ matchExpressions: [${zone}] }]`),
        affinity(`[{ matchExpressions: [${zone}, ${disk}] }]`),
      ),
      "accepted",
    );
    assert.equal(
      update(
        affinity(`[{ matchExpressions: [${zone}] }]`),
        affinity(`[{ matchExpressions: [${disk}] }]`),
      ),
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]: Invalid value: {"MatchExpressions":[{"Key":"disk","Operator":"Exists","Values":null}],"MatchFields":null}: only additions are allowed (no mutations or deletions)',
    );
  });

  test("a pod with scheduling gates keeps the number of its affinity terms", () => {
    const terms = (list: string): string =>
      pod(
        `schedulingGates: [{ name: a }], affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: ${list} } }`,
      );
    const before = terms("{ nodeSelectorTerms: [{ matchFields: [] }] }");
    const shown = (after: string): string | undefined =>
      /Invalid value: (.*): no additions/.exec(refusal(replace(before, after)))?.[1];
    assert.equal(shown(pod("schedulingGates: [{ name: a }]")), "null");
    assert.equal(shown(terms("{ nodeSelectorTerms: [] }")), "[]");
  });

  test("an invalid deadline ends the validation", () => {
    assert.equal(
      refusal(
        replace(pod("activeDeadlineSeconds: 5"), pod("activeDeadlineSeconds: 6, hostname: other")),
      ),
      "spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value",
    );
  });

  test("metadata inside the spec are compared without empty fields", () => {
    const templated = (metadata: string): string =>
      pod(
        `serviceAccountName: default, volumes: [{ name: v, ephemeral: { volumeClaimTemplate: { metadata: ${metadata}, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } } }]`,
      );
    const changed = (before: string, after: string): readonly string[] =>
      refusal(replace(templated(before), templated(after)))
        .split("\n")
        .filter((line) => /^[-+]/.test(line));
    assert.deepEqual(changed("{ labels: { a: b } }", "{ labels: {} }"), [
      '-     "labels": {',
      '-      "a": "b"',
      "-     },",
    ]);
    assert.deepEqual(changed("{}", "{ annotations: { b: c }, labels: { a: b } }"), [
      '+     "labels": {',
      '+      "a": "b"',
      "+     },",
      '+     "annotations": {',
      '+      "b": "c"',
      "+     },",
    ]);
  });
});

suite("Annotations of pods", () => {
  const annotated = (annotations: string, spec = "", container = ""): string =>
    pod(`serviceAccountName: default, ${spec}`, container).replace(
      "{ name: web }",
      `{ name: web, annotations: { ${annotations} } }`,
    );
  const answerTo = (annotations: string, spec?: string, container?: string): string =>
    refusal(create(annotated(annotations, spec, container)));

  test("that hold tolerations are validated", () => {
    const key = "scheduler.alpha.kubernetes.io/tolerations";
    const said = (json: string): string => answerTo(`${key}: '${json}'`);
    const wrong = (error: string): string =>
      `metadata.annotations: Invalid value: "${key}": ${error}`;
    assert.equal(
      said('[{"operator": "Exists", "tolerationSeconds": 5, "effect": "NoExecute"}]'),
      "accepted",
    );
    assert.equal(
      said('[{"key": "a", "operator": "x"}, null]'),
      [
        `metadata.annotations.${key}[0].operator: Unsupported value: "x": supported values: "Equal", "Exists"`,
        `metadata.annotations.${key}[1].operator: Invalid value: "": operator must be Exists when \`key\` is empty, which means "match all values and all keys"`,
      ].join("\n"),
    );
    assert.equal(
      said("{}"),
      wrong("json: cannot unmarshal object into Go value of type []core.Toleration"),
    );
    assert.equal(
      said('[{"tolerationSeconds": 1.5}]'),
      wrong(
        "json: cannot unmarshal number 1.5 into Go struct field Toleration.TolerationSeconds of type int64",
      ),
    );
    assert.equal(
      said('[{"tolerationSeconds": "5"}]'),
      wrong(
        "json: cannot unmarshal string into Go struct field Toleration.TolerationSeconds of type int64",
      ),
    );
  });

  test("that are known are validated", () => {
    // A mirror pod has no service account.
    const mirrored = annotated(
      "kubernetes.io/config.mirror: x, controller.kubernetes.io/pod-deletion-cost: '+1', seccomp.security.alpha.kubernetes.io/pod: x, container.seccomp.security.alpha.kubernetes.io/app: y, container.apparmor.security.beta.kubernetes.io/other: x",
    ).replace("serviceAccountName: default, ", "");
    assert.equal(
      refusal(create(mirrored)),
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
        'metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+1": must be a 32bit integer',
        'metadata.annotations.seccomp.security.alpha.kubernetes.io/pod: Invalid value: "x": must be a valid seccomp profile',
        'metadata.annotations.container.seccomp.security.alpha.kubernetes.io/app: Invalid value: "y": must be a valid seccomp profile',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "other": container not found',
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/other]: Invalid value: "x": invalid AppArmor profile name: "x"',
      ].join("\n"),
    );
  });

  test("that mark a mirror pod forbid resource claims, valid or not", () => {
    const mirrored = annotated(
      "kubernetes.io/config.mirror: x",
      "nodeName: n, resourceClaims: [{ name: '' }, { name: gpu, resourceClaimName: gpu }],",
    ).replace("serviceAccountName: default, ", "");
    const refused = "Forbidden: static pods do not support resource claims";
    assert.equal(refusal(create(mirrored)), `: ${refused}\n: ${refused}`);
  });

  test("must match the fields", () => {
    assert.equal(
      answerTo(
        "seccomp.security.alpha.kubernetes.io/pod: unconfined, container.apparmor.security.beta.kubernetes.io/app: localhost/a",
        "securityContext: { seccompProfile: { type: RuntimeDefault } }",
        "securityContext: { appArmorProfile: { type: Localhost, localhostProfile: b } }",
      ),
      [
        "spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match",
        "spec.containers[0].securityContext.appArmorProfile.localhostProfile: Forbidden: apparmor profile in annotation and field must match",
      ].join("\n"),
    );
  });

  test("must not change once the kubelet has read them", () => {
    const profile = "container.apparmor.security.beta.kubernetes.io/app: runtime/default";
    assert.equal(
      refusal(replace(annotated(""), annotated(profile))),
      "metadata.annotations[container.apparmor.security.beta.kubernetes.io/app]: Forbidden: may not add AppArmor annotations",
    );
    const field = "securityContext: { appArmorProfile: { type: RuntimeDefault } }";
    assert.equal(
      refusal(replace(annotated(profile), annotated("", "", field))),
      "metadata.annotations[container.apparmor.security.beta.kubernetes.io/app]: Forbidden: may not remove or update AppArmor annotations",
    );
  });

  const appArmor = (container: string): string =>
    `container.apparmor.security.beta.kubernetes.io/${container}`;
  const warningFor = (container: string): string =>
    `metadata.annotations[${appArmor(container)}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

  test("that name AppArmor profiles become fields, with a warning", () => {
    const profileOf = (annotation: string, container = ""): unknown => {
      const answer = create(annotated(`${appArmor("app")}: ${annotation}`, "", container));
      assert.deepEqual(answer.warnings, [warningFor("app")]);
      return field(answer, "spec.containers.0.securityContext");
    };
    assert.deepEqual(profileOf("unconfined"), { appArmorProfile: { type: "Unconfined" } });
    assert.deepEqual(profileOf("runtime/default", "securityContext: { privileged: false }"), {
      privileged: false,
      appArmorProfile: { type: "RuntimeDefault" },
    });
    assert.deepEqual(profileOf("localhost/a/b"), {
      appArmorProfile: { type: "Localhost", localhostProfile: "a/b" },
    });
    for (const useless of ['""', "localhost/", '"localhost/ a"'])
      assert.equal(profileOf(useless), undefined, useless);
  });

  test("that name AppArmor profiles change nothing beside a field or on Windows", () => {
    const silent = (spec: string, container?: string): void => {
      const answer = create(annotated(`${appArmor("app")}: runtime/default`, spec, container));
      assert.deepEqual([refusal(answer), answer.warnings], ["accepted", []]);
    };
    const profile = "securityContext: { appArmorProfile: { type: RuntimeDefault } }";
    silent("", profile);
    silent(profile);
    silent("os: { name: windows }");
  });

  test("that name AppArmor profiles are warned about even if the pod is refused, init containers first", () => {
    const answer = create(
      annotated(
        `${appArmor("app")}: bad, ${appArmor("init")}: unconfined`,
        "initContainers: [{ name: init, image: b }]",
      ),
    );
    assert.match(refusal(answer), /invalid AppArmor profile name: "bad"$/);
    assert.deepEqual(answer.warnings, [warningFor("init"), warningFor("app")]);
  });
});

suite("An update", () => {
  const template = (spec: string): string =>
    `{ metadata: { labels: { x: y } }, spec: { ${spec} containers: [{ name: c, image: b }] } }`;
  const changed = (kind: string, rest: (label: string) => string): readonly string[] => {
    const object = (label: string): string =>
      `{ apiVersion: v1, kind: ${kind}, metadata: { name: p, labels: { a: "${label}" } }, ${rest(label)} }`;
    const lines = refusal(replace(object("a"), object("a b"))).split("\n");
    return lines.map((line) => line.slice(0, line.indexOf(":")));
  };

  test("of a PodTemplate validates the template once", () => {
    const spec = (label: string): string => (label === "a" ? "" : "dnsPolicy: Some,");
    assert.deepEqual(
      changed("PodTemplate", (label) => `template: ${template(spec(label))}`),
      [...Array<string>(3).fill("metadata.labels"), "template.spec.dnsPolicy"],
    );
  });

  test("of a ReplicationController validates it as on create, then the spec once more", () => {
    const spec = (label: string): string =>
      `spec: { replicas: ${label === "a" ? 1 : -1}, selector: { x: y }, template: ${template("")} }`;
    assert.deepEqual(changed("ReplicationController", spec), [
      ...Array<string>(3).fill("metadata.labels"),
      "spec.replicas",
      "metadata.labels",
      "spec.replicas",
    ]);
  });
});
