/**
 * Pod Security Standards. The messages of `danger`, `escape` and `test4` were recorded from real servers (those about hostPath
 * and restricted volumes from 1.35); the others follow the sources of pod-security-admission.
 */
import assert from "node:assert/strict";
import { parse } from "yaml";
import type { RequestAnswer } from "../../../src/engine/api/requests.ts";
import type { Step } from "../../../src/engine/scenario.ts";
import { play } from "../../support/play.ts";
import { oneNode } from "../../support/workloads.ts";
import { clusterOf, create, patchStored, refusal, replace } from "./answer.ts";

/** The refusal or the warnings of a pod in a namespace with these labels. */
function toldIn(labels: string, name: string, spec: string, kind = "Pod"): string {
  const cluster = clusterOf(`
    - kind: Namespace
      metadata: { name: default, labels: { ${labels} } }`);
  const pod = `{ metadata: { name: ${name}, labels: { app: a } }, spec: ${spec} }`;
  const answer =
    kind === "Pod"
      ? create(`{ apiVersion: v1, kind: Pod, ${pod.slice(1)}`, cluster)
      : create(
          `{ apiVersion: apps/v1, kind: ${kind}, metadata: { name: ${name} }, spec: { selector: { matchLabels: { app: a } }, template: ${pod} } }`,
          cluster,
        );
  return answer.ok ? answer.warnings.join("\n") : refusal(answer);
}

const enforced = (level: string): string => `pod-security.kubernetes.io/enforce: ${level}`;

const careful =
  "{ allowPrivilegeEscalation: false, runAsNonRoot: true, seccompProfile: { type: RuntimeDefault }, capabilities: { drop: [ALL] } }";

suite("Pod Security Standards", () => {
  test("The baseline level forbids access to the host", () => {
    const told = (name: string, spec: string): string => toldIn(enforced("baseline"), name, spec);
    const cases: readonly (readonly [string, string, string])[] = [
      [
        "danger",
        "{ containers: [{ name: shell, image: a, securityContext: { privileged: true } }] }",
        'privileged (container "shell" must not set securityContext.privileged=true)',
      ],
      [
        "hp-probe",
        "{ containers: [{ name: a, image: a }], volumes: [{ name: hp, hostPath: { path: / } }] }",
        'hostPath volumes (volume "hp")',
      ],
      [
        "client",
        "{ containers: [{ name: client, image: a, securityContext: { capabilities: { add: [NET_RAW, CHOWN] } } }] }",
        'non-default capabilities (container "client" must not include "NET_RAW" in securityContext.capabilities.add)',
      ],
      [
        "test4",
        "{ hostNetwork: true, hostPID: true, hostIPC: true, containers: [{ name: test, image: a, ports: [{ containerPort: 8080 }] }] }",
        'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true), hostPort (container "test" uses hostPort 8080)',
      ],
      [
        "odd",
        "{ securityContext: { seccompProfile: { type: Unconfined }, appArmorProfile: { type: Unconfined }, sysctls: [{ name: net.core.somaxconn, value: '1' }] }, containers: [{ name: a, image: a, livenessProbe: { httpGet: { host: b.c, port: 1 } } }] }",
        'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined"), probe or lifecycle host (container "a" uses probe or lifecycle host "b.c"), seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined"), forbidden sysctls (net.core.somaxconn)',
      ],
    ];
    for (const [name, spec, why] of cases) {
      assert.equal(
        told(name, spec),
        `pods "${name}" is forbidden: violates PodSecurity "baseline:latest": ${why}`,
      );
    }
    assert.equal(told("plain", "{ containers: [{ name: a, image: a }] }"), "");
  });

  test("The baseline level forbids SELinux users and roles, Windows host processes, and hosts in hooks", () => {
    const why = (spec: string): string =>
      toldIn(enforced("baseline"), "odd", spec).replace(/.*"baseline:latest": /, "");
    assert.equal(
      why(
        "{ securityContext: { seLinuxOptions: { user: u } }, containers: [{ name: a, image: a, securityContext: { seLinuxOptions: { role: r } } }] }",
      ),
      'seLinuxOptions (pod and container "a" set forbidden securityContext.seLinuxOptions: user may not be set; role may not be set)',
    );
    assert.equal(
      why(
        "{ hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } }, containers: [{ name: a, image: a }] }",
      ),
      "host namespaces (hostNetwork=true), hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)",
    );
    const asks = (name: string, hook: string, host: string): string =>
      `{ name: ${name}, image: a, lifecycle: { ${hook}: { httpGet: { host: ${host}, port: 1 } } } }`;
    assert.equal(
      why(`{ containers: [${asks("b", "preStop", "x.y")}, ${asks("a", "postStart", "v.w")}] }`),
      'probe or lifecycle host (containers "a", "b" use probe or lifecycle hosts "v.w", "x.y")',
    );
    assert.equal(
      why(
        "{ containers: [{ name: a, image: a, securityContext: { appArmorProfile: { type: Unconfined } } }] }",
      ),
      'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")',
    );
  });

  test("The restricted level requires explicit settings", () => {
    const told = (name: string, spec: string): string => toldIn(enforced("restricted"), name, spec);
    assert.equal(
      told(
        "escape",
        "{ containers: [{ name: shell, image: a, securityContext: { privileged: true } }], volumes: [{ name: host, hostPath: { path: / } }] }",
      ),
      'pods "escape" is forbidden: violates PodSecurity "restricted:latest": privileged (container "shell" must not set securityContext.privileged=true), allowPrivilegeEscalation != false (container "shell" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "shell" must set securityContext.capabilities.drop=["ALL"]), restricted volume types (volume "host" uses restricted volume type "hostPath"), runAsNonRoot != true (pod or container "shell" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "shell" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    );
    const volumes =
      "volumes: [{ name: a, persistentVolumeClaim: { claimName: a } }, { name: b, csi: { driver: d } }, { name: c, emptyDir: {} }]";
    assert.equal(
      told(
        "good",
        `{ containers: [{ name: a, image: a, securityContext: ${careful} }], ${volumes} }`,
      ),
      "",
    );
    assert.equal(
      told(
        "root",
        `{ securityContext: { runAsUser: 0 }, containers: [{ name: a, image: a, securityContext: ${careful} }], volumes: [{ name: n, nfs: { server: s, path: / } }, { name: h, hostPath: { path: / } }] }`,
      ),
      'pods "root" is forbidden: violates PodSecurity "restricted:latest": restricted volume types (volumes "n", "h" use restricted volume types "hostPath", "nfs"), runAsUser=0 (pod must not set runAsUser=0)',
    );
    const unmasked = careful.replace("runAsNonRoot: true", "procMount: Unmasked");
    assert.equal(
      told(
        "mapped",
        `{ hostUsers: false, containers: [{ name: a, image: a, securityContext: ${unmasked} }] }`,
      ),
      'pods "mapped" is forbidden: violates PodSecurity "restricted:latest": procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    );
  });

  test("An older policy is named in messages and has its own rules", () => {
    const sysctl =
      "{ securityContext: { sysctls: [{ name: net.ipv4.tcp_rmem, value: '1' }] }, containers: [{ name: a, image: a }] }";
    const labels = `${enforced("baseline")}, pod-security.kubernetes.io/enforce-version: v1.31`;
    assert.equal(
      toldIn(labels, "web", sysctl),
      'pods "web" is forbidden: violates PodSecurity "baseline:v1.31": forbidden sysctls (net.ipv4.tcp_rmem)',
    );
    assert.equal(toldIn(enforced("baseline"), "web", sysctl), "");
    const engine =
      "{ securityContext: { seLinuxOptions: { type: container_engine_t } }, containers: [{ name: a, image: a }] }";
    assert.equal(toldIn(labels, "web", engine), "");
    assert.equal(
      toldIn(labels.replace("v1.31", "v1.30"), "web", engine),
      'pods "web" is forbidden: violates PodSecurity "baseline:v1.30": seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
    );
  });

  test("Policies before v1.25 check fewer fields and have no exceptions for Windows", () => {
    const told = (level: string, minor: number, spec: string): string =>
      toldIn(
        `${enforced(level)}, pod-security.kubernetes.io/enforce-version: v1.${minor}`,
        "web",
        spec,
      ).replace(/^.*PodSecurity "\S+: /u, "");
    const seccomp = "seccompProfile: { type: RuntimeDefault }";
    const bare = `{ containers: [{ name: a, image: a, securityContext: { runAsNonRoot: true, runAsUser: 0, capabilities: { add: [NET_RAW] } } }] }`;
    const escalates =
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)';
    const added =
      'non-default capabilities (container "a" must not include "NET_RAW" in securityContext.capabilities.add)';
    const unset =
      'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';
    const unrestricted =
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "NET_RAW" in securityContext.capabilities.add)';
    const root = 'runAsUser=0 (container "a" must not set runAsUser=0)';
    assert.equal(told("restricted", 7, bare), added);
    assert.equal(told("restricted", 18, bare), `${added}, ${escalates}`);
    assert.equal(told("restricted", 21, bare), `${added}, ${escalates}, ${unset}`);
    assert.equal(told("restricted", 22, bare), `${escalates}, ${unrestricted}, ${unset}`);
    assert.equal(told("restricted", 23, bare), `${escalates}, ${unrestricted}, ${root}, ${unset}`);
    const windows =
      "{ os: { name: windows }, containers: [{ name: a, image: a, securityContext: { runAsNonRoot: true } }] }";
    const undropped =
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"])';
    assert.equal(told("restricted", 24, windows), `${escalates}, ${undropped}, ${unset}`);
    assert.equal(told("restricted", 25, windows), "");
    const unconfined = `{ securityContext: { ${seccomp.replace("RuntimeDefault", "Unconfined")} }, containers: [{ name: a, image: a }] }`;
    assert.equal(told("baseline", 18, unconfined), "");
    assert.match(told("baseline", 19, unconfined), /^seccompProfile \(pod must not set/u);
  });

  test("Policies before v1.19 check seccomp annotations", () => {
    const cluster = clusterOf(
      `[{ kind: Namespace, metadata: { name: default, labels: { ${enforced("baseline")}, pod-security.kubernetes.io/enforce-version: v1.18 } } }]`,
    );
    const why = (annotations: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: Pod, metadata: { name: web, annotations: { ${annotations} } }, spec: { containers: [{ name: a, image: a }] } }`,
          cluster,
        ),
      );
    const key = "seccomp.security.alpha.kubernetes.io";
    assert.match(
      why(`container.${key}/a: unconfined, ${key}/pod: unconfined`),
      new RegExp(
        `seccompProfile \\(forbidden annotations container.${key}/a="unconfined", ${key}/pod="unconfined"\\)$`,
        "u",
      ),
    );
    assert.equal(why(`${key}/pod: docker/default, container.${key}/other: unconfined`), "accepted");
  });

  test("A server uses its own policy instead of a newer one", () => {
    const labels = `${enforced("baseline")}, pod-security.kubernetes.io/enforce-version: v1.36`;
    const cluster = clusterOf(
      `[{ kind: Namespace, metadata: { name: default, labels: { ${labels} } } }]`,
    );
    const probed = `{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: a, image: a, livenessProbe: { httpGet: { host: b.c, port: 1 } } }] } }`;
    assert.equal(refusal(create(probed, cluster, "1.33")), "accepted");
    assert.match(
      refusal(create(probed, cluster, "1.34")),
      /"baseline:v1\.36": probe or lifecycle/u,
    );
  });

  test("A namespace must have a known level and a valid version", () => {
    const named = (labels: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: Namespace, metadata: { name: typo, labels: { ${labels} } } }`,
        ),
      );
    assert.equal(
      named(enforced("strict")),
      'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
    );
    assert.equal(
      named(`${enforced("baseline")}, pod-security.kubernetes.io/warn-version: "1.30"`),
      'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"',
    );
    assert.equal(named(enforced("baseline")), "accepted");
  });

  test("Workloads are warned about, but not refused", () => {
    const labels = "pod-security.kubernetes.io/warn: baseline";
    const spec = "{ hostPID: true, containers: [{ name: a, image: a }] }";
    assert.equal(
      toldIn(labels, "web", spec, "Deployment"),
      'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    );
    assert.equal(toldIn(enforced("privileged"), "web", spec), "");
    const template = create(
      `{ apiVersion: v1, kind: PodTemplate, metadata: { name: t }, template: { spec: ${spec} } }`,
      clusterOf(`[{ kind: Namespace, metadata: { name: default, labels: { ${labels} } } }]`),
    );
    assert.deepEqual(template.warnings, [
      'would violate PodSecurity "baseline:latest": host namespaces (hostPID=true)',
    ]);
  });

  test("Warnings use the enforced level if they have none of their own", () => {
    const spec = "{ hostPID: true, containers: [{ name: a, image: a }] }";
    const warnedIn = (more: string): string =>
      toldIn(`${enforced("baseline")}${more}`, "web", spec, "Deployment");
    const told = (version: string): string =>
      `would violate PodSecurity "baseline:${version}": host namespaces (hostPID=true)`;
    const key = "pod-security.kubernetes.io";
    assert.equal(warnedIn(""), told("latest"));
    assert.equal(warnedIn(`, ${key}/enforce-version: v1.22`), told("v1.22"));
    assert.equal(warnedIn(`, ${key}/warn-version: v1.23`), told("v1.23"));
    assert.equal(
      warnedIn(`, ${key}/enforce-version: v1.22, ${key}/warn-version: latest`),
      told("latest"),
    );
    assert.equal(warnedIn(`, ${key}/warn: privileged`), "");
    assert.equal(warnedIn(`, ${key}/warn: strict`), "");
    assert.equal(toldIn(enforced("strict"), "web", spec, "Deployment"), "");
    const lax = `{ hostPID: false, containers: [{ name: a, image: a }] }`;
    assert.match(
      toldIn(`${enforced("baseline")}, ${key}/warn: restricted`, "web", lax, "Deployment"),
      /^would violate PodSecurity "restricted:latest": /u,
    );
  });

  test("An invalid level may stay in a namespace, but not be replaced with another one", () => {
    const relabelled = (before: string, labels: string): string =>
      refusal(
        patchStored(
          `{ apiVersion: v1, kind: Namespace, metadata: { name: typo, labels: { ${enforced(before)} } } }`,
          `{ metadata: { labels: { ${labels} } } }`,
        ),
      );
    assert.equal(relabelled("strict", "team: a"), "accepted");
    assert.equal(relabelled("strict", enforced("baseline")), "accepted");
    for (const before of ["baseline", "strict"])
      assert.equal(
        relabelled(before, enforced("strictest")),
        'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strictest": must be one of privileged, baseline, restricted',
      );
  });

  test("Existing pods are grouped by violation when their namespace becomes stricter", () => {
    const there = (name: string, spec: string): string =>
      `{ kind: Pod, metadata: { name: ${name}, namespace: team }, spec: ${spec} }`;
    const onHost = "{ hostPID: true, containers: [{ name: a, image: a }] }";
    const both =
      "{ hostPID: true, containers: [{ name: a, image: a, securityContext: { privileged: true } }] }";
    const cluster = clusterOf(
      `[${there("web-1", onHost)}, ${there("solo", both)}, ${there("web-0", onHost)}, ${there("good", "{ containers: [] }")}, ${there("web-2", onHost)}]`,
    );
    const relabelled = (before: string, after: string): readonly string[] => {
      const namespace = (labels: string): string =>
        `{ apiVersion: v1, kind: Namespace, metadata: { name: team, labels: { ${labels} } } }`;
      return replace(namespace(before), namespace(after), undefined, cluster).warnings;
    };
    const told = (level: string): readonly string[] => [
      `existing pods in namespace "team" violate the new PodSecurity enforce level "${level}"`,
      "solo: host namespaces, privileged",
      "web-0 (and 2 other pods): host namespaces",
    ];
    const pinned = `${enforced("baseline")}, pod-security.kubernetes.io/enforce-version: v1.30`;
    assert.deepEqual(relabelled("", enforced("baseline")), told("baseline:latest"));
    assert.deepEqual(relabelled(enforced("baseline"), pinned), told("baseline:v1.30"));
    assert.deepEqual(relabelled(enforced("baseline"), enforced("baseline")), []);
    assert.deepEqual(relabelled(enforced("restricted"), enforced("baseline")), []);
    assert.deepEqual(relabelled(enforced("baseline"), enforced("privileged")), []);
    assert.deepEqual(relabelled("", "pod-security.kubernetes.io/warn: baseline"), []);
  });

  test("A pod is checked again if an image changes, but not for its labels", () => {
    const pod = (image: string, label: string): string =>
      `{ apiVersion: v1, kind: Pod, metadata: { name: web, labels: { app: ${label} } }, spec: { hostPID: true, serviceAccountName: default, containers: [{ name: a, image: ${image} }] } }`;
    const changed = (mode: string, after: string): RequestAnswer => {
      const label = `pod-security.kubernetes.io/${mode}: baseline`;
      const labelled = (labels: string) =>
        clusterOf(`[{ kind: Namespace, metadata: { name: default, labels: { ${labels} } } }]`);
      const cluster = { before: labelled(""), after: labelled(label) };
      return replace(pod("a", "a"), after, undefined, cluster);
    };
    const violation = 'PodSecurity "baseline:latest": host namespaces (hostPID=true)';
    assert.equal(
      refusal(changed("enforce", pod("b", "a"))),
      `pods "web" is forbidden: violates ${violation}`,
    );
    assert.equal(refusal(changed("enforce", pod("a", "b"))), "accepted");
    assert.deepEqual(changed("warn", pod("b", "a")).warnings, [`would violate ${violation}`]);
    assert.deepEqual(changed("warn", pod("a", "b")).warnings, []);
  });

  test("A StatefulSet reports why its pods are refused", () => {
    const make: Step = {
      type: "apply",
      manifests: [
        parse(`
          apiVersion: apps/v1
          kind: StatefulSet
          metadata: { name: db, namespace: team }
          spec:
            serviceName: db
            selector: { matchLabels: { app: db } }
            template:
              metadata: { labels: { app: db } }
              spec:
                containers: [{ name: a, image: a }]
                volumes: [{ name: d, hostPath: { path: /data } }]`),
      ],
    };
    const namespace = `
      kind: Namespace
      metadata: { name: team, labels: { ${enforced("baseline")} } }`;
    const played = play(namespace, {
      cluster: oneNode,
      steps: [make, { type: "advance", ms: 5000 }],
    });
    assert.deepEqual(played.events("FailedCreate"), [
      'Create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: violates PodSecurity "baseline:latest": hostPath volumes (volume "d")',
    ]);
  });
});
