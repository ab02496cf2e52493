/** What an object is charged for. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { formatList } from "../../../src/engine/quota/resource-list.ts";
import { usageOf } from "../../../src/engine/quota/usage.ts";

const usage = (yaml: string): unknown => formatList(usageOf(parse(yaml) as KubeObject));

const claim = (size: string, status = ""): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: default }
spec: { storageClassName: fast, resources: { requests: { storage: "${size}" } } }
${status}`;

const storage = (size: string): unknown => ({
  "count/persistentvolumeclaims": "1",
  persistentvolumeclaims: "1",
  "requests.storage": size,
  "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
  "fast.storageclass.storage.k8s.io/requests.storage": size,
});

suite("What is charged", () => {
  test("for a claim is its size, in all and under its class", () => {
    assert.deepEqual(usage(claim("10Gi")), storage("10Gi"));
    assert.deepEqual(usage(claim("10Gi").replace("fast", '""')), {
      "count/persistentvolumeclaims": "1",
      persistentvolumeclaims: "1",
      "requests.storage": "10Gi",
    });
  });

  test("for a claim's size is whole bytes, rounded up", () => {
    assert.deepEqual(usage(claim("1500m")), storage("2"));
  });

  test("for a claim that grows is what it has been promised, if that is more", () => {
    const allocated = (size: string): string =>
      `status: { allocatedResources: { storage: ${size} } }`;
    assert.deepEqual(usage(claim("10Gi", allocated("20Gi"))), storage("20Gi"));
    assert.deepEqual(usage(claim("10Gi", allocated("5Gi"))), storage("10Gi"));
  });

  const pod = (phase: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default }
spec:
  containers:
    - name: app
      resources: { requests: { cpu: "1", example.com/gpu: "2" }, limits: { cpu: "3" } }
status: { phase: ${phase} }`;

  test("for a pod is what it asks for and its limits; its place alone once it has ended", () => {
    assert.deepEqual(usage(pod("Running")), {
      "count/pods": "1",
      pods: "1",
      cpu: "1",
      "requests.cpu": "1",
      "requests.example.com/gpu": "2",
      "limits.cpu": "3",
    });
    assert.deepEqual(usage(pod("Succeeded")), { "count/pods": "1" });
    assert.deepEqual(usage(pod("Failed")), { "count/pods": "1" });
  });

  const service = (spec: string): string => `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { ports: [{ port: 80 }, { port: 81 }], ${spec} }`;

  test("for a service is its kind, and a node's port for each of its own", () => {
    const inside = { "count/services": "1", services: "1" };
    assert.deepEqual(usage(service("type: ClusterIP")), inside);
    assert.deepEqual(usage(service("type: NodePort")), { ...inside, "services.nodeports": "2" });
    const balanced = { ...inside, "services.loadbalancers": "1" };
    assert.deepEqual(usage(service("type: LoadBalancer")), {
      ...balanced,
      "services.nodeports": "2",
    });
    assert.deepEqual(
      usage(service("type: LoadBalancer, allocateLoadBalancerNodePorts: false")),
      balanced,
    );
  });

  test("for anything else is that it is there", () => {
    assert.deepEqual(usage("{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }"), {
      "count/configmaps": "1",
      configmaps: "1",
    });
    assert.deepEqual(usage("{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: a } }"), {
      "count/statefulsets.apps": "1",
    });
  });
});
