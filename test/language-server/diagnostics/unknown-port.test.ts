import assert from "node:assert/strict";
import { checkDiagnostics } from "../../support/language-features.ts";
import { diagnosticsOf } from "../../support/rule-page.ts";

suite("a liveness probe of a port name that the container lacks", () => {
  test("is reported, also for sidecars, but not for other probes or existing names", () =>
    checkDiagnostics(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 0
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec:
            initContainers:
              - name: proxy
                image: i
                restartPolicy: Always
                livenessProbe: { tcpSocket: { port: http } }
      #                                             ^^^^ liveness-port-unknown: The container has no port that is named “http”: the probe is never made
            containers:
              - name: web
                image: i
                ports: [{ name: http, containerPort: 80 }, { name: metrics, containerPort: 90 }]
                livenessProbe: { httpGet: { port: http } }
                readinessProbe: { httpGet: { port: ready } }
              - name: log
                image: i
                livenessProbe: { httpGet: { port: metrics } }
      #                                           ^^^^^^^ liveness-port-unknown
              - name: by-number
                image: i
                livenessProbe: { httpGet: { port: 80 } }
              - name: by-command
                image: i
                livenessProbe: { exec: { command: [http] } }
    `));

  test("is fixed with a similar name, or else with the only port", async () => {
    const mendedBy = async (ports: string): Promise<unknown> => {
      const container = `{ name: c, image: i, ports: ${ports}, livenessProbe: { httpGet: { port: http } } }`;
      const text = `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [${container}] }\n`;
      const found = await diagnosticsOf(new Map([["pod.yaml", text]]), false);
      const [one] = found.filter(({ code }) => code === "liveness-port-unknown");
      return one?.meant ?? (one?.fix !== undefined && "value" in one.fix ? one.fix.value : "none");
    };
    const metrics = "{ name: metrics, containerPort: 90 }";
    assert.equal(await mendedBy(`[{ name: https, containerPort: 443 }, ${metrics}]`), "https");
    assert.equal(await mendedBy(`[${metrics}]`), "metrics");
    assert.equal(await mendedBy("[{ containerPort: 8080 }]"), 8080);
    assert.equal(await mendedBy(`[{ containerPort: 8080 }, ${metrics}]`), "none");
    assert.equal(await mendedBy("[]"), "none");
  });
});

suite("a hook that the kubelet cannot run", () => {
  test("is reported at a port name that the container lacks, or at a tcpSocket", () =>
    checkDiagnostics(`
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers:
          - name: web
            image: i
            ports: [{ name: http, containerPort: 80 }, { name: metrics, containerPort: 90 }]
            lifecycle:
              postStart: { httpGet: { port: htp } }
      #                                     ^^^ hook-always-fails: The container has no port that is named “htp”: the hook fails each time, and the container is killed because of that; did you mean “http”?
              preStop: { httpGet: { port: metrics } }
          - name: log
            image: i
            lifecycle:
              postStart: { httpGet: { port: 80 } }
              preStop: { tcpSocket: { port: 80 } }
      #                  ^^^^^^^^^ hook-always-fails: The kubelet does not support tcpSocket hooks: the hook fails, and the container is stopped without it
          - name: by-command
            image: i
            lifecycle: { preStop: { exec: { command: [http] } }, postStart: { sleep: { seconds: 1 } } }
    `));
});
