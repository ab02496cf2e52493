/** Fixes offered for pods that a namespace's Pod Security level refuses. */
import assert from "node:assert/strict";
import type { CodeAction } from "../../../src/language-server/code-actions/code-action.ts";
import { actionsIn, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { type Fixture, readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const namespace = (level: string): string => `
  #- team.yaml
  apiVersion: v1
  kind: Namespace
  metadata: { name: team, labels: { pod-security.kubernetes.io/${level}: restricted } }
  #- pods.yaml`;

interface Told {
  readonly message: string;
  readonly actions: readonly CodeAction[];
}

/** The findings about the level in `pods.yaml`, each with the fixes offered for it. */
async function told(files: Fixture["files"], fixture: Fixture): Promise<readonly Told[]> {
  const service = await loadFixture({ ...fixture, files }, true);
  return findingsOf(service, memoryUri("pods.yaml"))
    .filter(({ message }) => message.includes("PodSecurity"))
    .map((finding) => ({
      message: finding.message,
      actions: actionsIn(service, "pods.yaml", finding).filter(({ title }) =>
        title.endsWith("as the Pod Security level requires"),
      ),
    }));
}

/** The file after the fix; fails if a finding about the level is left. */
async function mended(text: string): Promise<string> {
  const fixture = readFixture(text);
  const [action] = (await told(fixture.files, fixture)).flatMap(({ actions }) => actions);
  assert.ok(action !== undefined);
  const files = afterAction(fixture.files, action);
  assert.deepEqual(
    (await told(files, fixture)).map(({ message }) => message),
    [],
  );
  return files.get("pods.yaml") ?? "";
}

const mount = "volumeMounts: [{ name: v, mountPath: /v }]";

suite("pods that a Pod Security level refuses", () => {
  test("are advised, if bare Pods, to drop what goes beyond it", async () => {
    const fixture = readFixture(`${namespace("enforce").replace("restricted", "baseline")}
  apiVersion: v1
  kind: Pod
  metadata: { name: web, namespace: team }
  spec:
    hostNetwork: true
    containers: [{ name: web, image: i, ${mount} }]
    volumes: [{ name: v, hostPath: { path: /v } }]
`);
    const [{ message } = { message: "" }] = await told(fixture.files, fixture);
    assert.match(
      message,
      /\nTo change: take hostNetwork=true away from the pod; keep volume "v" elsewhere than in a hostPath$/,
    );
  });

  test("get all that they lack, in each container and in the pod's securityContext", async () => {
    const text = await mended(`${namespace("enforce")}
  apiVersion: apps/v1
  kind: StatefulSet
  metadata: { name: web, namespace: team }
  spec:
    serviceName: web
    selector: { matchLabels: { app: web } }
    template:
      metadata: { labels: { app: web } }
      spec:
        volumes: [{ name: v, emptyDir: {} }]
        initContainers: [{ name: prepare, image: a }]
        containers:
          - name: a
            image: a
            ${mount}`);
    assert.equal(
      text.slice(text.indexOf("      initContainers")),
      `      initContainers: [{ name: prepare, image: a, securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ ALL ] } } }]
      containers:
        - name: a
          image: a
          ${mount}
          securityContext:
            allowPrivilegeEscalation: false
            capabilities:
              drop:
                - ALL
      securityContext:
        runAsNonRoot: true
        seccompProfile:
          type: RuntimeDefault`,
    );
  });

  test("keep their settings unless they contradict the level", async () => {
    const text = await mended(`${namespace("warn")}
  apiVersion: v1
  kind: Pod
  metadata: { name: web, namespace: team }
  spec:
    securityContext: { fsGroup: 2000, seccompProfile: { type: Unconfined } }
    volumes: [{ name: v, emptyDir: {} }]
    containers:
      - name: a
        image: a
        securityContext:
          runAsUser: 1000
          runAsNonRoot: false
          allowPrivilegeEscalation: true
          capabilities:
            drop:
              - NET_RAW
        ${mount}`);
    assert.equal(
      text.slice(text.indexOf("  securityContext"), text.indexOf(mount)),
      `  securityContext: { fsGroup: 2000, seccompProfile: { type: RuntimeDefault } }
  volumes: [{ name: v, emptyDir: {} }]
  containers:
    - name: a
      image: a
      securityContext:
        runAsUser: 1000
        runAsNonRoot: true
        allowPrivilegeEscalation: false
        capabilities:
          drop:
            - NET_RAW
            - ALL
      `,
    );
  });

  test("keep rights that they need to start, and get no fix if a kustomization changes them", async () => {
    const pod = (more: string): string => `${namespace("enforce")}
  apiVersion: v1
  kind: Pod
  metadata: { name: web, namespace: team }
  spec: { containers: [{ name: a, image: a, ${mount}, ${more} }], volumes: [{ name: v, emptyDir: {} }] }`;
    const offered = async (text: string): Promise<readonly string[]> => {
      const fixture = readFixture(text);
      const all = await told(fixture.files, fixture);
      assert.equal(all.length, 1);
      return all.flatMap(({ actions }) => actions.map(({ title }) => title));
    };
    assert.deepEqual(await offered(pod("securityContext: { privileged: true, runAsUser: 0 }")), [
      "Set seccompProfile as the Pod Security level requires",
    ]);
    assert.deepEqual(await offered(pod("securityContext: { privileged: true }")), [
      "Set capabilities, runAsNonRoot, seccompProfile as the Pod Security level requires",
    ]);
    const kustomized = `${pod("command: [a]")}
  #- kustomization.yaml
  resources: [team.yaml, pods.yaml]
  labels: [{ pairs: { a: b } }]`;
    assert.deepEqual(await offered(kustomized), []);
  });

  test("get no fix while an edit leaves them without containers, but other actions are still offered", async () => {
    const fixture = readFixture(`${namespace("enforce")}
  apiVersion: v1
  kind: Pod
  metadata: { name: web, namespace: team }
  spec:
    containers: [{ name: a, image: a, securityContext: { runAsNonRoot: false } }]
`);
    const service = await loadFixture(fixture, true);
    const uri = memoryUri("pods.yaml");
    const text = fixture.files.get("pods.yaml") ?? "";
    service.setEditorText(uri, text.replace(/containers: .*/, "containers:"));
    const finding = findingsOf(service, uri).find(({ message }) => message.includes("PodSecurity"));
    assert.ok(finding !== undefined);
    const titles = actionsIn(service, "pods.yaml", finding).map(({ title }) => title);
    assert.deepEqual(
      titles.filter((title) => title.endsWith("as the Pod Security level requires")),
      [],
    );
    assert.ok(titles.includes("Ignore “request-refused” here"));
  });
});
