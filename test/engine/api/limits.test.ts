import assert from "node:assert/strict";
import { parse } from "yaml";
import type { Step } from "../../../src/engine/scenario.ts";
import { play } from "../../support/play.ts";
import { clusterOf, create, field, refusal } from "./answer.ts";

const limitRange = (item: string): string => `
apiVersion: v1
kind: LimitRange
metadata: { name: limits }
spec: { limits: [{ type: Container, ${item} }] }`;

const quota = (spec: string): string => `
apiVersion: v1
kind: ResourceQuota
metadata: { name: quota }
spec: { ${spec} }`;

suite("A LimitRange", () => {
  test("counts a bound that overflows in thousandths as 0 in a ratio", () => {
    const ratio = "maxLimitRequestRatio: { cpu: 4 }";
    assert.equal(
      refusal(create(limitRange(`min: { cpu: 1 }, max: { cpu: 12E }, ${ratio}`))),
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "4": ratio 4 is greater than max/min = 0.000000',
    );
    assert.equal(
      refusal(create(limitRange(`min: { cpu: 12E }, max: { cpu: 13E }, ${ratio}`))),
      "accepted",
    );
  });

  test("must not have defaults for whole pods, and does not compare them", () => {
    const item = "default: { cpu: 1 }, defaultRequest: { cpu: 1 }, min: { cpu: 2 }";
    const ofPods = limitRange(item).replace("Container", "Pod");
    assert.equal(
      refusal(create(ofPods)),
      ["default", "defaultRequest"]
        .map(
          (field) =>
            `spec.limits[0].${field}: Forbidden: may not be specified when \`type\` is 'Pod'`,
        )
        .join("\n"),
    );
  });

  test("must have min <= defaultRequest <= default <= max", () => {
    const complaints = (min: number, request: number, limit: number, max: number): string =>
      refusal(
        create(
          limitRange(
            `min: { cpu: ${min} }, defaultRequest: { cpu: ${request} }, default: { cpu: ${limit} }, max: { cpu: ${max} }`,
          ),
        ),
      ).replaceAll("spec.limits[0].", "");
    assert.equal(complaints(1, 1, 1, 1), "accepted");
    assert.equal(
      complaints(2, 1, 2, 2),
      'defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
    );
    assert.equal(
      complaints(1, 2, 1, 2),
      'defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
    );
    assert.equal(
      complaints(1, 1, 2, 1),
      'default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
    );
    assert.equal(
      complaints(2, 1, 1, 2),
      [
        'defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
        'default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
      ].join("\n"),
    );
    assert.equal(
      complaints(2, 2, 2, 1),
      [
        'min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
        'defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
        'default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
      ].join("\n"),
    );
  });

  test("must have equal defaults for a resource that cannot be overcommitted", () => {
    const both = (limit: number, request: number): string =>
      refusal(
        create(
          limitRange(
            `default: { example.com/gpu: ${limit} }, defaultRequest: { example.com/gpu: ${request} }`,
          ),
        ),
      );
    assert.equal(both(1, 1), "accepted");
    assert.equal(
      both(2, 1),
      'spec.limits[0].defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu',
    );
  });

  test("prevents the binding of a claim that it no longer allows, but not its deletion", () => {
    const claim = `
      kind: PersistentVolumeClaim
      metadata: {name: data}
      spec: {storageClassName: "", resources: {requests: {storage: 1Gi}}}`;
    const limits = parse(limitRange("min: { storage: 2Gi }"));
    limits.spec.limits[0].type = "PersistentVolumeClaim";
    const disk = {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "disk" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/disk" },
      },
    };
    const settle: Step = { type: "settle" };
    const steps: readonly Step[] = [
      { type: "apply", manifests: [limits] },
      { type: "apply", manifests: [disk] },
      settle,
    ];
    const held = play(claim, { steps });
    assert.equal(held.get("PersistentVolumeClaim", "data")?.spec.volumeName, undefined);
    const remove: Step = {
      type: "delete",
      objects: [{ kind: "PersistentVolumeClaim", name: "data" }],
    };
    const gone = play(claim, { steps: [...steps, remove, settle] });
    assert.deepEqual(gone.names("PersistentVolumeClaim"), []);
  });
});

/** The API server's answer in a namespace with these limits. */
function limited(limits: string, object: string): ReturnType<typeof create> {
  return create(
    object,
    clusterOf(
      `[{ apiVersion: v1, kind: LimitRange, metadata: { name: limits, namespace: default }, spec: { limits: [${limits}] } }]`,
    ),
  );
}

const pod = (resources: string, initContainers = ""): string => `
apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default }
spec:
  containers: [{ name: app, image: busybox, resources: ${resources} }]
  initContainers: [${initContainers}]`;

const claim = (size: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: default }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } } }`;

suite("In a namespace with limits", () => {
  const complaint = (limits: string, object: string): string =>
    refusal(limited(limits, object)).replace(/^\w+ "\w+" is forbidden: /, "");
  const cpu = (bound: string): string => `{ type: Container, ${bound} }`;

  test("containers get missing requests and limits, which an annotation lists", () => {
    const limits = `{ type: Container, default: { cpu: "2", memory: 1Gi }, defaultRequest: { cpu: "1" } }`;
    const init = "{ name: prepare, image: busybox, resources: { limits: { cpu: 3 } } }";
    const made = limited(limits, pod("{}", init));
    assert.deepEqual(field(made, "spec.containers.0.resources"), {
      requests: { cpu: "1" },
      limits: { cpu: "2", memory: "1Gi" },
    });
    assert.deepEqual(field(made, "spec.initContainers.0.resources"), {
      requests: { cpu: "3" },
      limits: { cpu: "3", memory: "1Gi" },
    });
    assert.deepEqual(field(made, "metadata.annotations"), {
      "kubernetes.io/limit-ranger":
        "LimitRanger plugin set: cpu request for container app; cpu, memory limit for container app; memory limit for init container prepare",
    });
  });

  test("nothing is filled in by limits for other types, or if nothing is missing", () => {
    const all = "{ requests: { cpu: 1 }, limits: { cpu: 1 } }";
    for (const limits of [`{ type: Pod, min: { cpu: "1" } }`, cpu(`default: { cpu: "2" }`)])
      assert.equal(field(limited(limits, pod(all)), "metadata.annotations"), undefined);
  });

  test("requests and limits must reach the minimum", () => {
    const min = cpu(`min: { cpu: "1" }`);
    assert.equal(complaint(min, pod("{ requests: { cpu: 1 }, limits: { cpu: 1 } }")), "accepted");
    assert.equal(complaint(min, pod("{ requests: { cpu: 1 } }")), "accepted");
    assert.equal(
      complaint(min, pod("{}")),
      "minimum cpu usage per Container is 1.  No request is specified",
    );
    assert.equal(
      complaint(min, pod("{ requests: { cpu: 999m } }")),
      "minimum cpu usage per Container is 1, but request is 999m",
    );
  });

  test("a huge value makes all values be compared as whole numbers", () => {
    const asked = (limit: string): string =>
      pod(`{ requests: { memory: 1500m }, limits: { memory: ${limit} } }`);
    const min = cpu("min: { memory: 1900m }");
    assert.equal(
      complaint(min, asked("8Pi")),
      "minimum memory usage per Container is 1900m, but request is 1500m",
    );
    assert.equal(complaint(min, asked("9Pi")), "accepted");
  });

  test("limits must exist, and they and requests must not exceed the maximum", () => {
    const max = cpu(`max: { cpu: "1" }`);
    assert.equal(complaint(max, pod("{ limits: { cpu: 1 } }")), "accepted");
    assert.equal(
      complaint(max, pod("{ requests: { cpu: 1 } }")),
      "maximum cpu usage per Container is 1.  No limit is specified",
    );
    assert.equal(
      complaint(max, pod("{ limits: { cpu: 1001m } }")),
      "maximum cpu usage per Container is 1, but limit is 1001m",
    );
  });

  test("requests and limits must exist, and their ratio must not exceed the maximum", () => {
    const ratio = cpu(`maxLimitRequestRatio: { cpu: "2" }`);
    const at = "cpu max limit to request ratio per Container is 2";
    assert.equal(complaint(ratio, pod("{ requests: { cpu: 1 }, limits: { cpu: 2 } }")), "accepted");
    assert.equal(
      complaint(ratio, pod("{ requests: { cpu: 1 }, limits: { cpu: 2500m } }")),
      `${at}, but provided ratio is 2.500000`,
    );
    assert.equal(
      complaint(ratio, pod("{ requests: { cpu: 0 }, limits: { cpu: 2 } }")),
      `${at}, but no request is specified or request is 0`,
    );
    assert.equal(
      complaint(ratio, pod("{ requests: { cpu: 1 } }")),
      `${at}, but no limit is specified or limit is 0`,
    );
  });

  test("ratios are computed with floating-point numbers", () => {
    const said = (bound: string, request: string, limit: string): string =>
      complaint(
        cpu(`maxLimitRequestRatio: { cpu: "${bound}" }`),
        pod(`{ requests: { cpu: "${request}" }, limits: { cpu: "${limit}" } }`),
      );
    assert.equal(said("2.005", "10", "20.05"), "accepted");
    assert.equal(
      said("2.007", "10", "20.07"),
      "cpu max limit to request ratio per Container is 2.007, but provided ratio is 2.007000",
    );
    // A tie: the even digit wins.
    assert.match(said("2", "128", "641"), /ratio is 5\.007812$/);
    assert.match(said("2", "128", "643"), /ratio is 5\.023438$/);
  });

  test("limits for pods apply to all containers together, and to init containers", () => {
    const total = `{ type: Pod, max: { cpu: "3" } }`;
    const init = (limit: number): string =>
      `{ name: prepare, image: busybox, resources: { limits: { cpu: ${limit} } } }`;
    assert.equal(complaint(total, pod("{ limits: { cpu: 2 } }", init(3))), "accepted");
    assert.equal(
      complaint(total, pod("{ limits: { cpu: 2 } }", init(4))),
      "maximum cpu usage per Pod is 3, but limit is 4",
    );
    assert.equal(
      complaint(`{ type: Pod, min: { cpu: "5" } }`, pod("{ requests: { cpu: 6 } }", init(4))),
      "minimum cpu usage per Pod is 5, but limit is 4",
    );
  });

  test("limits for pods apply to pod-level resources, except for huge pages", () => {
    const whole = `{ limits: { cpu: "4", hugepages-2Mi: 4Mi }, requests: { cpu: "4" } }`;
    const own = "{ limits: { cpu: 1, hugepages-2Mi: 2Mi } }";
    const asked = pod(own).replace("spec:", `spec:\n  resources: ${whole}`);
    assert.equal(
      complaint(`{ type: Pod, max: { cpu: "3" } }`, asked),
      "maximum cpu usage per Pod is 3, but limit is 4",
    );
    assert.equal(complaint("{ type: Pod, max: { hugepages-2Mi: 2Mi } }", asked), "accepted");
  });

  test("the same error of several containers is reported once", () => {
    const bounds = cpu(`min: { cpu: 500m }, max: { cpu: "1" }`);
    const like = (resources: string): string =>
      `{ name: prepare, image: busybox, resources: ${resources} }`;
    const over = "maximum cpu usage per Container is 1, but limit is 2";
    const two = "{ requests: { cpu: 1 }, limits: { cpu: 2 } }";
    assert.equal(complaint(bounds, pod(two, like(two))), over);
    assert.equal(
      complaint(bounds, pod(two, like("{ requests: { cpu: 400m }, limits: { cpu: 2 } }"))),
      `[${over}, minimum cpu usage per Container is 500m, but request is 400m]`,
    );
  });

  test("limits for claims apply to requests only", () => {
    const sizes = "{ type: PersistentVolumeClaim, min: { storage: 2Gi }, max: { storage: 4Gi } }";
    assert.equal(complaint(sizes, claim("2Gi")), "accepted");
    assert.equal(complaint(sizes, claim("4Gi")), "accepted");
    assert.equal(
      complaint(sizes, claim("1Gi")),
      "minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi",
    );
    assert.equal(
      complaint(sizes, claim("5Gi")),
      "maximum storage usage per PersistentVolumeClaim is 4Gi, but request is 5Gi",
    );
  });

  test("all violations of one LimitRange are reported together, minimum first, then by name", () => {
    assert.equal(
      complaint(
        `{ type: Container, max: { memory: 1Gi, cpu: "1" }, min: { memory: 3Gi } }`,
        pod("{ limits: { cpu: 2, memory: 2Gi } }"),
      ),
      "[minimum memory usage per Container is 3Gi, but request is 2Gi, maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 2Gi]",
    );
  });
});

suite("A ResourceQuota", () => {
  test("accepts huge pages under their own name and as requests", () => {
    const pages = "hugepages-2Mi: 1Gi, requests.hugepages-1Gi: 1Gi";
    assert.equal(refusal(create(quota(`hard: { ${pages} }`))), "accepted");
    assert.equal(
      refusal(create(limitRange("maxLimitRequestRatio: { requests.hugepages-2Mi: 1 }"))),
      'spec.limits[0].maxLimitRequestRatio[requests.hugepages-2Mi]: Invalid value: "requests.hugepages-2Mi": must be a standard resource for containers',
    );
  });

  test("accepts a scope of pods only for pods, cpu and memory", () => {
    const scoped = (hard: string): string =>
      refusal(create(quota(`scopes: [Terminating], hard: { ${hard}: 1 }`)));
    const unsupported =
      'spec.scopes: Invalid value: ["Terminating"]: unsupported scope applied to resource';
    for (const name of ["pods", "cpu", "limits.cpu", "requests.memory"])
      assert.equal(scoped(name), "accepted", name);
    for (const name of ["ephemeral-storage", "requests.ephemeral-storage", "hugepages-2Mi"])
      assert.equal(scoped(name), unsupported, name);
  });

  test("must have whole numbers for counted resources", () => {
    assert.equal(
      refusal(
        create(
          quota("hard: { pods: 1500m, count/jobs.batch: 1500m, requests.nvidia.com/gpu: 1500m }"),
        ),
      ),
      [
        'spec.hard[count/jobs.batch]: Invalid value: "1500m": must be an integer',
        'spec.hard[pods]: Invalid value: "1500m": must be an integer',
      ].join("\n"),
    );
  });

  test("must use a valid operator, and no conflicting scopes, in its scope selector", () => {
    const requirement = (scope: string, operator: string): string =>
      `{ scopeName: ${scope}, operator: ${operator} }`;
    const selector = (...list: string[]): string =>
      `hard: { pods: 1 }, scopeSelector: { matchExpressions: [${list.join(", ")}] }`;
    assert.equal(
      refusal(create(quota(selector(requirement("BestEffort", "DoesNotExist"))))),
      "spec.scopeSelector.matchExpressions.operator: Invalid value: \"DoesNotExist\": must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
    );
    assert.equal(
      refusal(
        create(
          quota(
            selector(requirement("BestEffort", "Exists"), requirement("NotBestEffort", "Exists")),
          ),
        ),
      ),
      "spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes",
    );
    assert.equal(
      refusal(
        create(
          quota(
            `hard: { secrets: 1 }, scopeSelector: { matchExpressions: [${requirement("BestEffort", "Exists")}] }`,
          ),
        ),
      ),
      'spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"BestEffort","Operator":"Exists","Values":null}]}: unsupported scope applied to resource',
    );
  });
});
