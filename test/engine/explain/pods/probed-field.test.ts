import assert from "node:assert/strict";
import type { PodSpec } from "../../../../src/engine/api/types.ts";
import { probedField, tellsProbe } from "../../../../src/engine/explain/pods/probed-field.ts";

const spec = {
  initContainers: [
    {
      name: "proxy",
      image: "a",
      restartPolicy: "Always",
      startupProbe: { httpGet: { path: "/", port: 15 } },
    },
  ],
  containers: [
    {
      name: "app",
      image: "a",
      ports: [{ name: "web", containerPort: 8080 }],
      readinessProbe: { httpGet: { path: "/ready", port: "web" } },
      livenessProbe: { httpGet: { path: "/ready", port: "nosuch" } },
    },
    {
      name: "side",
      image: "a",
      readinessProbe: { grpc: { port: 9090 } },
      livenessProbe: { exec: { command: ["true"] } },
    },
  ],
} as unknown as PodSpec;

/** Two containers whose probes differ in their paths only. */
const twins = {
  containers: ["/a", "/b"].map((path) => ({
    name: path.slice(1),
    image: "a",
    readinessProbe: { httpGet: { path, port: 80 } },
  })),
} as unknown as PodSpec;

suite("the probe that a kubelet's message is about", () => {
  test("is found by the port, as a number or a name", () => {
    const cases: Readonly<Record<string, string | undefined>> = {
      'Readiness probe failed: Get "http://10.0.0.7:8080/ready": dial tcp 10.0.0.7:8080: connect: connection refused':
        "spec.containers[0].readinessProbe",
      'Readiness probe failed: Get "http://[fd00::7]:8080/ready": context deadline exceeded':
        "spec.containers[0].readinessProbe",
      'Readiness probe failed: timeout: failed to connect service "10.0.0.7:9090" within 1s':
        "spec.containers[1].readinessProbe",
      "Startup probe failed: dial tcp 10.0.0.7:15: connect: connection refused":
        "spec.initContainers[0].startupProbe",
      'Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "nosuch": invalid syntax':
        "spec.containers[0].livenessProbe.httpGet.port",
      'Readiness probe errored: strconv.Atoi: parsing "nosuch": invalid syntax': undefined,
      "Readiness probe failed: dial tcp 10.0.0.7:7: connect: connection refused": undefined,
    };
    for (const [message, field] of Object.entries(cases)) {
      assert.equal(probedField(spec, message), field, message);
      assert.equal(tellsProbe(message), true, message);
    }
  });

  test("is found by the container that is killed because of it", () => {
    const killed = "Container side failed liveness probe, will be restarted";
    assert.equal(probedField(spec, killed), "spec.containers[1].livenessProbe");
    assert.equal(
      probedField(spec, "Init container proxy failed startup probe"),
      "spec.initContainers[0].startupProbe",
    );
    assert.equal(probedField(spec, "Container proxy failed liveness probe"), undefined);
  });

  test("is found by its path if several probes use the same port", () => {
    const failed = (path: string): string =>
      `Readiness probe failed: Get "http://10.0.0.7:80${path}": EOF`;
    assert.equal(probedField(twins, failed("/b")), "spec.containers[1].readinessProbe");
    assert.equal(probedField(twins, failed("/c")), undefined);
  });

  test("is the only one of its kind, whatever else the message says", () => {
    const said = "probe failed: HTTP probe failed with statuscode: 503";
    assert.equal(probedField(spec, `Startup ${said}`), "spec.initContainers[0].startupProbe");
    assert.equal(probedField(spec, `Readiness ${said}`), "spec.containers[0].readinessProbe");
    assert.equal(probedField(twins, `Readiness ${said}`), undefined);
    assert.equal(probedField(spec, "Readiness probe failed: cat: no such file"), undefined);
    assert.equal(tellsProbe(`Startup ${said}`), false);
    assert.equal(probedField(spec, "Lifecycle probe failed: x"), undefined);
    assert.equal(probedField(spec, "Back-off restarting failed container"), undefined);
  });
});
