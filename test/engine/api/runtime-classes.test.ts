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

suite("A RuntimeClass", () => {
  test("must have a valid handler", () => {
    assert.equal(field(create(runtimeClass("handler: runsc")), "handler"), "runsc");
    assert.match(
      refusal(create(runtimeClass("handler: Run_SC"))),
      /^handler: Invalid value: "Run_SC": a lowercase RFC 1123 label must consist of/,
    );
    assert.match(refusal(create(runtimeClass(""))), /^handler: Invalid value: "": a lowercase/);
  });

  test("may have a finalizer with any name", () => {
    const waiting = (name: string): string =>
      runtimeClass("handler: runsc").replace(
        "{ name",
        `{ resourceVersion: '1', finalizers: [${name}], name`,
      );
    const made = runtimeClass("handler: runsc");
    assert.equal(refusal(replace(made, waiting("any"))), "accepted");
    assert.equal(refusal(create(waiting("any").replace("resourceVersion: '1',", ""))), "accepted");
  });

  test("keeps its handler, but may change overhead and scheduling", () => {
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

  test("must have valid resources as overhead, and valid labels and tolerations", () => {
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

  test("must have each toleration once, whatever its tolerationSeconds", () => {
    const evicted = "key: a, operator: Exists, effect: NoExecute";
    const tolerations = `[{ ${evicted} }, { ${evicted}, tolerationSeconds: 5 }]`;
    assert.equal(
      refusal(create(runtimeClass(`handler: runsc\nscheduling: { tolerations: ${tolerations} }`))),
      'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"NoExecute","TolerationSeconds":5}',
    );
  });

  test("causes a warning if it selects deprecated node labels", () => {
    const scheduling = "scheduling: { nodeSelector: { beta.kubernetes.io/arch: amd64 } }";
    assert.deepEqual(create(runtimeClass(`handler: runsc\n${scheduling}`)).warnings, [
      'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/arch" instead',
    ]);
  });
});

suite("A pod with a RuntimeClass", () => {
  test("is refused if the class does not exist", () => {
    assert.equal(
      refusal(create(pod("", "kata"), clusterWith(heavy))),
      'pods "web" is forbidden: pod rejected: RuntimeClass "kata" not found',
    );
    assert.equal(field(create(pod(), clusterWith("")), "spec.runtimeClassName"), "sandboxed");
  });

  test("is refused if the class's name is empty", () => {
    assert.equal(refusal(create(pod("", '""'))), "resource name may not be empty");
  });

  test("gets the class's overhead, and may have an equal one of its own", () => {
    const overhead = { cpu: "250m", memory: "120Mi" };
    assert.deepEqual(field(create(pod(), clusterWith(heavy)), "spec.overhead"), overhead);
    const same = create(pod("overhead: { cpu: 0.25, memory: 120Mi }"), clusterWith(heavy));
    assert.deepEqual(field(same, "spec.overhead"), overhead);
  });

  test("is refused if it has another overhead", () => {
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

  test("gets the class's node selector, and must not contradict it", () => {
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

  test("gets the class's tolerations, without those that others cover", () => {
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
