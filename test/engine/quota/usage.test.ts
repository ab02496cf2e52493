/** How much quota an object uses, and which objects a quota counts. */
import assert from "node:assert/strict";
import { parse } from "yaml";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import {
  isPodResource,
  matchesValues,
  missingRequirements,
  podMatchesScope,
} from "../../../src/engine/quota/pod-usage.ts";
import { formatList } from "../../../src/engine/quota/resource-list.ts";
import {
  chargedType,
  concerns,
  isChargedOnUpdate,
  isInScope,
  usageOf,
} from "../../../src/engine/quota/usage.ts";
import { bare } from "../../support/bare-objects.ts";

const usage = (yaml: string): unknown => formatList(usageOf(parse(yaml) as KubeObject, 0));

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

suite("the usage", () => {
  test("of a claim is its size, in total and for its class", () => {
    assert.deepEqual(usage(claim("10Gi")), storage("10Gi"));
    assert.deepEqual(usage(claim("10Gi").replace("fast", '""')), {
      "count/persistentvolumeclaims": "1",
      persistentvolumeclaims: "1",
      "requests.storage": "10Gi",
    });
  });

  test("of a claim is rounded up to whole bytes", () => {
    assert.deepEqual(usage(claim("1500m")), storage("2"));
  });

  test("of a growing claim is its allocated size if that is more", () => {
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

  test("of a pod is its requests and limits; once it has ended only its count", () => {
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

  test("of a Service depends on its type, with a node port for each of its ports", () => {
    const inside = { "count/services": "1", services: "1" };
    assert.deepEqual(usage(service("type: ClusterIP")), inside);
    assert.deepEqual(usage(service("type: NodePort")), { ...inside, "services.nodeports": "2" });
    const balanced = { ...inside, "services.loadbalancers": "1" };
    assert.deepEqual(usage(service("type: LoadBalancer")), {
      ...balanced,
      "services.nodeports": "2",
    });
    const given = service("type: LoadBalancer, allocateLoadBalancerNodePorts: false");
    assert.deepEqual(usage(given), { ...balanced, "services.nodeports": "0" });
    const asked = given.replace("port: 81", "port: 81, nodePort: 30081");
    assert.deepEqual(usage(asked), { ...balanced, "services.nodeports": "1" });
  });

  test("of any other object is its count", () => {
    assert.deepEqual(usage("{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }"), {
      "count/configmaps": "1",
      configmaps: "1",
    });
    assert.deepEqual(usage("{ apiVersion: apps/v1, kind: StatefulSet, metadata: { name: a } }"), {
      "count/statefulsets.apps": "1",
    });
  });
});

suite("a quota", () => {
  const pod = (spec: object): KubeObject<"Pod"> =>
    bare("Pod", "web", { spec: { containers: [{ name: "main", image: "app" }], ...spec } });

  test("of pods limits counts, compute resources, huge pages and extended resources with their prefix", () => {
    for (const name of [
      "pods",
      "count/pods",
      "cpu",
      "limits.memory",
      "requests.ephemeral-storage",
      "hugepages-2Mi",
      "requests.hugepages-2Mi",
      "requests.example.com/gpu",
      "requests.deviceclass.resource.kubernetes.io/gpu",
    ])
      assert.ok(isPodResource(name), name);
    for (const name of [
      "services",
      "example.com/gpu",
      "requests.storage",
      "requests.kubernetes.io/batch-cpu",
      "requests.fast.storageclass.storage.k8s.io/requests.storage",
    ])
      assert.ok(!isPodResource(name), name);
  });

  test("of claims and Services limits counts and sizes, also those of a class", () => {
    const fast = "fast.storageclass.storage.k8s.io/";
    for (const name of [
      "persistentvolumeclaims",
      "requests.storage",
      `${fast}requests.storage`,
      `${fast}persistentvolumeclaims`,
      "count/persistentvolumeclaims",
    ])
      assert.ok(concerns("PersistentVolumeClaim", name), name);
    assert.ok(!concerns("PersistentVolumeClaim", `${fast}pods`));
    assert.ok(
      concerns("Service", "services.nodeports") &&
        concerns("Service", "services.loadbalancers") &&
        concerns("Service", "services"),
    );
    assert.ok(!concerns("Service", "pods") && !concerns("ConfigMap", "services"));
  });

  test("is charged only for some changes of an object", () => {
    const isCharged = (object: KubeObject, subresource: "" | "status" = "", after = object) =>
      isChargedOnUpdate(object, after, subresource, "1.36");
    const claim = bare("PersistentVolumeClaim", "data");
    assert.ok(isCharged(claim) && isCharged(claim, "status"));
    assert.ok(!isChargedOnUpdate(claim, claim, "status", "1.32"));
    assert.ok(isCharged(bare("Service", "web")));
    assert.ok(!isCharged(bare("Service", "web"), "status"));
    assert.ok(!isCharged(bare("ConfigMap", "web")));
    const [open, limited] = [pod({}), pod({ activeDeadlineSeconds: 60 })];
    assert.ok(!isCharged(limited, "", pod({ activeDeadlineSeconds: 30 })));
    assert.ok(isCharged(open, "", limited) && isCharged(limited, "", open));
    assert.ok(!isCharged(open, "status", limited));
    assert.ok(!isChargedOnUpdate(open, limited, "", "1.32"));
    const type = (spec: object) => chargedType(bare("Service", "s", { spec }));
    assert.deepEqual(
      [
        type({ type: "NodePort" }),
        type({ type: "LoadBalancer" }),
        type({ type: "ClusterIP" }),
        type({}),
      ],
      ["NodePort", "LoadBalancer", "", ""],
    );
  });

  test("with scopes counts the pods in them", () => {
    const is = (scopeName: string, spec: object, operator = "Exists", values?: readonly string[]) =>
      podMatchesScope(pod(spec), { scopeName, operator, ...(values !== undefined && { values }) });
    const both = (scopeName: string, inside: object, outside: object): void =>
      assert.deepEqual([is(scopeName, inside), is(scopeName, outside)], [true, false], scopeName);
    both("Terminating", { activeDeadlineSeconds: 0 }, {});
    both("NotTerminating", {}, { activeDeadlineSeconds: 5 });
    const asks = (resources: object): object => ({ containers: [{ name: "main", resources }] });
    both(
      "BestEffort",
      asks({ requests: { "example.com/gpu": "1", cpu: "0" } }),
      asks({ requests: { cpu: "1m" } }),
    );
    both("BestEffort", {}, asks({ limits: { memory: "1" } }));
    both("BestEffort", { overhead: { cpu: "250m" } }, asks({ requests: { cpu: "250m" } }));
    both("NotBestEffort", asks({ requests: { memory: "1" } }), {});
    both("PriorityClass", { priorityClassName: "high" }, {});
    assert.ok(is("PriorityClass", { priorityClassName: "high" }, "In", ["high"]));
    const near = (term: object, required: boolean): object => ({
      affinity: {
        podAntiAffinity: required
          ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
          : {
              preferredDuringSchedulingIgnoredDuringExecution: [
                { weight: 1, podAffinityTerm: term },
              ],
            },
      },
    });
    both(
      "CrossNamespacePodAffinity",
      near({ namespaces: ["x"] }, true),
      near({ namespaces: [] }, true),
    );
    both("CrossNamespacePodAffinity", near({ namespaceSelector: {} }, false), near({}, false));
    assert.ok(!is("Nonsense", {}));
  });

  test("knows the operators In, NotIn, Exists and DoesNotExist", () => {
    const is = (value: string | undefined, operator: string) =>
      matchesValues(value, { operator, values: ["a", "b"] });
    assert.deepEqual([is("a", "In"), is("c", "In"), is(undefined, "In")], [true, false, false]);
    assert.deepEqual(
      [is("a", "NotIn"), is("c", "NotIn"), is(undefined, "NotIn")],
      [false, true, true],
    );
    assert.deepEqual(
      [is("a", "Exists"), is(undefined, "Exists"), is("", "Exists")],
      [true, false, false],
    );
    assert.deepEqual([is("a", "DoesNotExist"), is(undefined, "DoesNotExist")], [false, true]);
  });

  test("counts claims by their requested, current and target VolumeAttributesClass", () => {
    const quota = (values: readonly string[], operator = "In") =>
      bare("ResourceQuota", "q", {
        spec: {
          scopeSelector: {
            matchExpressions: [{ scopeName: "VolumeAttributesClass", operator, values }],
          },
        },
      });
    const claimed = bare("PersistentVolumeClaim", "data", {
      spec: { volumeAttributesClassName: "gold" },
      status: {
        currentVolumeAttributesClassName: "silver",
        modifyVolumeStatus: { targetVolumeAttributesClassName: "bronze", status: "InProgress" },
      },
    });
    for (const name of ["gold", "silver", "bronze"])
      assert.ok(isInScope(quota([name]), claimed), name);
    assert.ok(!isInScope(quota(["tin"]), claimed));
    const plain = bare("PersistentVolumeClaim", "data", { spec: {} });
    assert.ok(
      isInScope(quota([], "DoesNotExist"), plain) && !isInScope(quota([], "Exists"), plain),
    );
    assert.ok(!isInScope(quota(["gold"]), bare("ConfigMap", "c")));
    assert.ok(isInScope(bare("ResourceQuota", "q", { spec: {} }), bare("ConfigMap", "c")));
    const pods = bare("ResourceQuota", "q", { spec: { scopes: ["BestEffort", "NotTerminating"] } });
    assert.ok(isInScope(pods, pod({})) && !isInScope(pods, pod({ activeDeadlineSeconds: 5 })));
    assert.ok(!isInScope(pods, claimed));
  });

  test("requires resources of containers, and names each container that lacks one", () => {
    const limited = ["requests.cpu", "limits.memory", "cpu", "pods", "requests.storage"];
    const spec = {
      containers: [{ name: "b", resources: { requests: { cpu: "1" } } }, { name: "a" }],
      initContainers: [{ name: "init", resources: { limits: { memory: "1" } } }],
    };
    assert.equal(
      missingRequirements(pod(spec), limited),
      "must specify cpu for: a,init; limits.memory for: a,b; requests.cpu for: a,init",
    );
    assert.equal(missingRequirements(pod(spec), ["pods"]), undefined);
    // Resources at pod level are enough, whichever of them the quota limits.
    const whole = (resources: object): string | undefined =>
      missingRequirements(pod({ ...spec, resources }), limited);
    assert.equal(whole({ requests: { memory: "1Gi" } }), undefined);
    assert.equal(whole({ limits: { cpu: "1" } }), undefined);
    assert.match(whole({ requests: {} }) ?? "", /^must specify cpu for: a,init;/);
  });
});
