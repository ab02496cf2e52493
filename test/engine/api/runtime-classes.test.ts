import assert from "node:assert/strict";
import { clusterOf, create, field, refusal, replace } from "./answer.ts";

const runtimeClass = (rest: string): string => `
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: sandboxed }
${rest}`;

const pod = (rest = "", name = "sandboxed"): string => `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: app, image: busybox }], runtimeClassName: ${name}, ${rest} }`;

const clusterWith = (rest: string): ReturnType<typeof clusterOf> =>
  clusterOf(`[{ kind: RuntimeClass, metadata: { name: sandboxed }, handler: runsc, ${rest} }]`);

const heavy = "overhead: { podFixed: { cpu: 250m, memory: 120Mi } }";

suite("runtime classes", () => {
  test("a class names the handler that runs its pods", () => {
    assert.equal(field(create(runtimeClass("handler: runsc")), "handler"), "runsc");
    assert.match(
      refusal(create(runtimeClass("handler: Run_SC"))),
      /^handler: Invalid value: "Run_SC": a lowercase RFC 1123 label must consist of/,
    );
    assert.match(refusal(create(runtimeClass(""))), /^handler: Invalid value: "": a lowercase/);
  });

  test("a class may wait for a finalizer of any name", () => {
    const waiting = (name: string): string =>
      runtimeClass("handler: runsc").replace(
        "{ name",
        `{ resourceVersion: '1', finalizers: [${name}], name`,
      );
    const made = runtimeClass("handler: runsc");
    assert.equal(refusal(replace(made, waiting("any"))), "accepted");
    assert.equal(refusal(create(waiting("any").replace("resourceVersion: '1',", ""))), "accepted");
  });

  test("the handler stays, overhead and scheduling may change", () => {
    const before = runtimeClass("handler: runsc");
    const read = (rest: string): string =>
      runtimeClass(rest).replace("metadata: {", "metadata: { resourceVersion: '1',");
    assert.equal(
      refusal(replace(before, read("handler: kata"))),
      'handler: Invalid value: "kata": field is immutable',
    );
    const after = replace(before, read(`handler: runsc\n${heavy}`));
    assert.deepEqual(field(after, "overhead"), { podFixed: { cpu: "250m", memory: "120Mi" } });
  });

  test("overhead is a list of resources, scheduling is of labels and tolerations", () => {
    const answer = create(
      runtimeClass(`handler: runsc
overhead: { podFixed: { cpu: -1, disks: 1 } }
scheduling:
  nodeSelector: { "a b": c }
  tolerations: [{ key: a, operator: Is }]`),
    );
    const text = refusal(answer);
    assert.match(text, /^overhead\.limits\[cpu\]: Invalid value: "-1": must be greater than or/m);
    assert.match(text, /^overhead\.limits\[disks\]: Invalid value: "disks": must be a standard/m);
    assert.match(text, /^scheduling\.nodeSelector: Invalid value: "a b": name part must consist/m);
    assert.match(text, /^scheduling\.tolerations\[0\]\.operator: Unsupported value: "Is"/m);
  });

  test("a toleration is told once, however long it lasts", () => {
    const evicted = "key: a, operator: Exists, effect: NoExecute";
    const tolerations = `[{ ${evicted} }, { ${evicted}, tolerationSeconds: 5 }]`;
    assert.equal(
      refusal(create(runtimeClass(`handler: runsc\nscheduling: { tolerations: ${tolerations} }`))),
      'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"NoExecute","TolerationSeconds":5}',
    );
  });

  test("labels of nodes that were renamed are warned of", () => {
    const scheduling = "scheduling: { nodeSelector: { beta.kubernetes.io/arch: amd64 } }";
    assert.deepEqual(create(runtimeClass(`handler: runsc\n${scheduling}`)).warnings, [
      'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/arch" instead',
    ]);
  });
});

suite("what a runtime class makes of its pods", () => {
  test("a pod whose class does not exist is refused", () => {
    assert.equal(
      refusal(create(pod("", "kata"), clusterWith(heavy))),
      'pods "web" is forbidden: pod rejected: RuntimeClass "kata" not found',
    );
    assert.equal(field(create(pod(), clusterWith("")), "spec.runtimeClassName"), "sandboxed");
  });

  test("nobody can ask for a class without a name", () => {
    assert.equal(refusal(create(pod("", '""'))), "resource name may not be empty");
  });

  test("its overhead becomes the pod's, which may say the same in other words", () => {
    const overhead = { cpu: "250m", memory: "120Mi" };
    assert.deepEqual(field(create(pod(), clusterWith(heavy)), "spec.overhead"), overhead);
    const same = create(pod("overhead: { cpu: 0.25, memory: 120Mi }"), clusterWith(heavy));
    assert.deepEqual(field(same, "spec.overhead"), overhead);
  });

  test("a pod has no other overhead than its class says", () => {
    const why = (rest: string, cluster: string): string =>
      refusal(create(pod(rest), clusterWith(cluster)));
    assert.equal(
      why("overhead: { cpu: 1 }", heavy),
      `pods "web" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead`,
    );
    assert.equal(
      why("overhead: { cpu: 1 }", ""),
      'pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    );
    const unclassed = (rest: string): string =>
      refusal(create(pod(rest).replace("runtimeClassName: sandboxed,", "")));
    for (const overhead of ["{ cpu: 1 }", "{}"])
      assert.equal(
        unclassed(`overhead: ${overhead}`),
        'pods "web" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
      );
    assert.match(why("overhead: {}", heavy), /Overhead doesn't match RuntimeClass's/);
    assert.equal(unclassed("overhead: null"), "accepted");
  });

  test("the class's labels of nodes are added to the pod's, and must not contradict them", () => {
    const cluster = clusterWith("scheduling: { nodeSelector: { runtime: sandbox } }");
    const selector = (rest: string): unknown =>
      field(create(pod(rest), cluster), "spec.nodeSelector");
    assert.deepEqual(selector(""), { runtime: "sandbox" });
    assert.deepEqual(selector("nodeSelector: { disk: ssd }"), { disk: "ssd", runtime: "sandbox" });
    assert.equal(
      refusal(create(pod("nodeSelector: { runtime: runc }"), cluster)),
      'pods "web" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[runtime] = sandbox; pod.spec.nodeSelector[runtime] = runc',
    );
  });

  test("of the class's and the pod's tolerations those stay that say more", () => {
    const given = (ofPod: string, ofClass: string): unknown => {
      const cluster = clusterWith(`scheduling: { tolerations: [${ofClass}] }`);
      return field(create(pod(`tolerations: [${ofPod}]`), cluster), "spec.tolerations");
    };
    const evicted = { operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
    const standard = [
      { key: "node.kubernetes.io/not-ready", ...evicted },
      { key: "node.kubernetes.io/unreachable", ...evicted },
    ];
    const [a, everyA] = [
      { key: "a", operator: "Equal", value: "b" },
      { key: "a", operator: "Exists" },
    ];
    const text = JSON.stringify;
    assert.deepEqual(given("", text(a)), [...standard, a]);
    assert.deepEqual(given(text(a), text(a)), [a, ...standard]);
    assert.deepEqual(given(text(everyA), text(a)), [everyA, ...standard]);
    assert.deepEqual(given(text(a), text(everyA)), [...standard, everyA]);
    assert.deepEqual(given(text(a), "{ operator: Exists }"), [{ operator: "Exists" }]);
    const short = { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 };
    const long = { ...short, tolerationSeconds: 60 };
    assert.deepEqual(given(text(short), text(long)), [...standard, long]);
  });
});
