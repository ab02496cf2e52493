/** Requests that steps make in a user's name: their answers, and how components react. */
import assert from "node:assert/strict";
import type { Json } from "../../src/engine/api/json.ts";
import type { PodSpec } from "../../src/engine/api/types.ts";
import type { Manifest, NewJob, Step } from "../../src/engine/scenario.ts";
import { stepText } from "../../src/engine/trace/step-text.ts";
import { readMarkedManifests } from "../support/check.ts";
import { type Played, play } from "../support/play.ts";
import { testWithFaults } from "../support/same-end.ts";
import { ends, template } from "../support/workloads.ts";

const now: NewJob = { name: "now", from: "nightly" };
const rest: Step = { type: "settle" };

function cronJob(spec: string): string {
  return `
    kind: CronJob
    metadata: {name: nightly, labels: {of: cron-job}}
    spec: {schedule: "0 3 * * *", ${spec}}`;
}

const goesOn = `jobTemplate: {metadata: {labels: {of: template}}, spec: {template: ${template("dump", "restartPolicy: Never")}}}`;
const endsWell = `jobTemplate: {spec: {${ends(0)}}}`;

/** Creates a CronJob and the Jobs from it, each when the previous one has come to rest. */
function create(spec: string, jobs: readonly Partial<NewJob>[], ...more: readonly Step[]): Played {
  const steps = jobs.flatMap((job): readonly Step[] => [
    { type: "createJob", ...now, ...job },
    rest,
  ]);
  return play(cronJob(spec), { steps: [...steps, ...more] });
}

/** Returns the answers to all requests but the first, which creates the CronJob. */
function answers({ requests }: Played): readonly string[] {
  return requests
    .slice(1)
    .map(({ verb, ref, status, message = "" }) => `${verb} ${ref} ${status} ${message}`.trimEnd());
}

suite("a Job that a user creates from a CronJob", () => {
  test("is the same as kubectl's, and runs at once", () => {
    const played = create(goesOn, [{}]);
    assert.deepEqual(answers(played), ["create Job/default/now 201"]);
    const { metadata, status } = played.get("Job", "now") ?? {};
    assert.deepEqual(metadata?.annotations, { "cronjob.kubernetes.io/instantiate": "manual" });
    assert.deepEqual(metadata?.labels, { of: "template" });
    const uid = played.get("CronJob", "nightly")?.metadata.uid;
    assert.deepEqual(metadata?.ownerReferences, [
      { apiVersion: "batch/v1", kind: "CronJob", name: "nightly", uid, controller: true },
    ]);
    assert.equal(status?.ready, 1);
  });

  test("is unexpected for the CronJob's controller, which reports that until the Job has ended", () => {
    const played = create(endsWell, [{}]);
    assert.deepEqual(played.events("UnexpectedJob"), [
      "Saw a job that the controller did not create or forgot: now",
    ]);
    assert.deepEqual(played.events("SawCompletedJob"), []);
    const { active, lastScheduleTime, lastSuccessfulTime } =
      played.get("CronJob", "nightly")?.status ?? {};
    assert.deepEqual([active, lastScheduleTime], [undefined, undefined]);
    assert.equal(lastSuccessfulTime, played.get("Job", "now")?.status?.completionTime);
  });

  testWithFaults("counts for the history limit", () => {
    const spec = `successfulJobsHistoryLimit: 1, ${endsWell}`;
    const played = create(spec, [{ name: "a" }, { name: "b" }]);
    assert.deepEqual(played.events("SuccessfulDelete"), ["Deleted job a"]);
    assert.deepEqual(played.names("Job"), ["b"]);
  });

  for (const policy of ["Forbid", "Replace"])
    test(`with ${policy} neither prevents the scheduled Job nor is replaced by it`, () => {
      const spec = `concurrencyPolicy: ${policy}, ${goesOn}`;
      const played = create(spec, [{}], { type: "advance", ms: 4 * 3_600_000 });
      assert.deepEqual(played.names("Job"), ["now", "nightly-29453940"]);
      assert.equal(played.get("CronJob", "nightly")?.status?.active?.length, 1);
    });

  test("can be created from a suspended CronJob", () => {
    const played = create(`suspend: true, ${goesOn}`, [{}]);
    assert.equal(played.get("Job", "now")?.status?.ready, 1);
  });

  testWithFaults("is deleted with its CronJob", () => {
    const target = { kind: "CronJob", name: "nightly" } as const;
    const played = create(goesOn, [{}], { type: "delete", objects: [target] }, rest);
    assert.deepEqual([played.names("Job"), played.names("Pod")], [[], []]);
  });

  test("may have the name for a scheduled time, and then counts as the Job of that time", () => {
    const played = create(goesOn, [{ name: "nightly-29453940" }], {
      type: "advance",
      ms: 4 * 3_600_000,
    });
    assert.deepEqual(played.events("FailedCreate"), []);
    assert.deepEqual(
      played.get("CronJob", "nightly")?.status?.active?.map(({ name }) => name),
      ["nightly-29453940"],
    );
  });

  test("is refused without the CronJob, with a name that exists or is invalid, and in another namespace", () => {
    assert.deepEqual(answers(create(goesOn, [{ from: "weekly" }])), [
      'get CronJob/default/weekly 404 cronjobs.batch "weekly" not found',
    ]);
    assert.deepEqual(answers(create(goesOn, [{ namespace: "shop" }])), [
      'get CronJob/shop/nightly 404 cronjobs.batch "nightly" not found',
    ]);
    assert.deepEqual(answers(create(goesOn, [{}, {}])), [
      "create Job/default/now 201",
      'create Job/default/now 409 jobs.batch "now" already exists',
    ]);
    const [refused = ""] = answers(create(goesOn, [{ name: "Now" }]));
    assert.match(
      refused,
      /^create Job\/default\/Now 422 Job\.batch "Now" is invalid: metadata\.name: /,
    );
  });

  test("has the name that kubectl gets", () => {
    assert.equal(
      stepText({ type: "createJob", namespace: "shop", ...now }),
      "Create Job shop/now from CronJob nightly",
    );
    assert.equal(stepText({ type: "createJob", ...now }), "Create Job now from CronJob nightly");
  });
});

suite("a manifest that is applied", () => {
  test("is created even if kubectl has printed it with uid and resourceVersion", () => {
    const printed = `
      kind: ConfigMap
      metadata: {name: settings, resourceVersion: "12", uid: 2f6e, creationTimestamp: 2024-01-01T00:00:00Z}
      data: {a: b}`;
    const { requests } = play(printed);
    assert.deepEqual(
      requests.map(({ verb, status }) => [verb, status]),
      [["create", 201]],
    );
  });
});

suite("a manifest that is applied again", () => {
  const claim = (metadata: string): string => `
    kind: PersistentVolumeClaim
    metadata: {name: data, ${metadata}}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`;

  const manifestsOf = (text: string): readonly Manifest[] => readMarkedManifests(text).manifests;

  function applied(...manifests: readonly string[]): Played {
    const [first = "", ...others] = manifests;
    const steps = others.flatMap((text): readonly Step[] => [
      { type: "apply", manifests: manifestsOf(text) },
      rest,
    ]);
    return play(first, { steps });
  }

  test("removes fields that it no longer has, and keeps those of others", () => {
    const { metadata } =
      applied(
        claim("labels: {a: x, b: x}, annotations: {mine: x}, finalizers: [example.com/hold]"),
        claim("labels: {a: y}"),
      ).get("PersistentVolumeClaim", "data") ?? {};
    assert.deepEqual(metadata?.labels, { a: "y" });
    assert.deepEqual(metadata?.annotations, undefined);
    assert.deepEqual(metadata?.finalizers, ["kubernetes.io/pvc-protection"]);
  });

  test("is refused if it no longer has a field that is immutable", () => {
    const volume = (spec: string): string => `
      kind: PersistentVolume
      metadata: {name: disk}
      spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /srv}, ${spec}}`;
    const zone = "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Exists}]}]}";
    const [refused = ""] = answers(
      applied(volume(`nodeAffinity: {required: ${zone}}`), volume("storageClassName: slow")),
    );
    assert.match(
      refused,
      /^patch PersistentVolume\/\/disk 422 .*nodeAffinity: .*field is immutable/,
    );
  });

  const deployment = (containers: string): string => `
    kind: Deployment
    metadata: {name: web}
    spec:
      replicas: 0
      selector: {matchLabels: {app: web}}
      template:
        metadata: {labels: {app: web}}
        spec: {containers: ${containers}}`;

  test("is answered with NotFound if the server does not serve its version or kind", () => {
    const removed = deployment("[{name: a, image: y}]").replace(
      "kind:",
      "apiVersion: extensions/v1beta1\n    kind:",
    );
    const unknown = "{apiVersion: example.com/v1, kind: Widget, metadata: {name: w}}";
    const played = applied(deployment("[{name: a, image: x}]"), removed, unknown);
    const why = "404 the server could not find the requested resource";
    assert.deepEqual(answers(played), [
      `create Deployment/default/web ${why}`,
      `create Widget//w ${why}`,
    ]);
    const { containers } = played.get("Deployment", "web")?.spec.template.spec ?? {};
    assert.equal(containers?.[0]?.image, "x");
  });

  test("keeps the elements of a list that others have added", () => {
    const added: Step = {
      type: "patch",
      object: { kind: "Deployment", name: "web" },
      patch: {
        spec: {
          template: {
            spec: {
              containers: [
                { name: "a", image: "x" },
                { name: "b", image: "x" },
              ],
            },
          },
        },
      },
    };
    const again: Step = {
      type: "apply",
      manifests: manifestsOf(deployment("[{name: a, image: y}]")),
    };
    const played = play(deployment("[{name: a, image: x}]"), { steps: [added, again] });
    const { containers } = played.get("Deployment", "web")?.spec.template.spec ?? {};
    assert.deepEqual(
      containers?.map(({ name, image }) => `${name} ${image}`),
      ["a y", "b x"],
    );
  });

  test("is refused with the text of its patch if it has an unknown field", () => {
    const played = play(deployment("[{name: a, image: x}]"), {
      steps: [
        { type: "apply", manifests: manifestsOf(deployment("[{name: a, image: y, no: 1}]")) },
      ],
    });
    const { status, message = "" } = played.requests.at(-1) ?? {};
    assert.equal(status, 422);
    assert.match(
      message,
      /^ "" is invalid: patch: Invalid value: "map\[metadata:map\[annotations:map\[kubectl\.kubernetes\.io\/last-applied-configuration:\{\\"apiVersion\\":\\"apps\/v1\\",\\"kind\\":\\"Deployment\\",/,
    );
    assert.match(
      message,
      /": strict decoding error: unknown field \\?"spec\.template\.spec\.containers\[0\]\.no\\?"$/,
    );
  });
});

suite("a patch", () => {
  const set = `
    kind: StatefulSet
    metadata: {name: db, finalizers: [example.com/a, example.com/b]}
    spec:
      replicas: 0
      selector: {matchLabels: {app: db}}
      template:
        metadata: {labels: {app: db}}
        spec:
          containers: [{name: db, image: x, volumeMounts: [{name: data, mountPath: /data}]}]
          volumes: [{name: data, emptyDir: {}}, {name: old, emptyDir: {}}]`;

  function podSpec(patch: Json, patchType?: "strategic"): PodSpec | undefined {
    const object = { kind: "StatefulSet", name: "db" } as const;
    const body = { spec: { template: { spec: patch } } };
    const step: Step = { type: "patch", object, patch: body, ...(patchType && { patchType }) };
    return play(set, { steps: [step] }).get("StatefulSet", "db")?.spec.template.spec;
  }

  test("replaces lists, but merges their elements if it is a strategic merge patch", () => {
    const patch = { containers: [{ name: "db", image: "y" }] };
    const mountsAfter = (type?: "strategic"): number | undefined =>
      podSpec(patch, type)?.containers[0]?.volumeMounts?.length;
    assert.deepEqual([mountsAfter(), mountsAfter("strategic")], [undefined, 1]);
  });

  test("deletes and replaces elements by its directives", () => {
    const patch = {
      volumes: [
        { name: "old", $patch: "delete" },
        { name: "data", $retainKeys: ["name", "hostPath"], hostPath: { path: "/srv" } },
      ],
      "$setElementOrder/volumes": [{ name: "new" }, { name: "data" }],
    };
    assert.deepEqual(
      podSpec(patch, "strategic")?.volumes?.map(({ name, emptyDir, hostPath }) => [
        name,
        emptyDir,
        hostPath?.path,
      ]),
      [["data", undefined, "/srv"]],
    );
  });

  test("removes single items from a list of strings", () => {
    const finalizersAfter = (list: string, items: readonly string[]): unknown => {
      const step: Step = {
        type: "patch",
        object: { kind: "StatefulSet", name: "db" },
        patch: { metadata: { [`$deleteFromPrimitiveList/${list}`]: items } },
        patchType: "strategic",
      };
      return play(set, { steps: [step] }).get("StatefulSet", "db")?.metadata.finalizers;
    };
    const [a, b] = ["example.com/a", "example.com/b"];
    assert.deepEqual(finalizersAfter("finalizers", [a, "example.com/c"]), [b]);
    assert.deepEqual(finalizersAfter("others", [a]), [a, b]);
  });

  test("replaces a whole map", () => {
    const object = { kind: "StatefulSet", name: "db" } as const;
    const withContext = (securityContext: Json): Step => ({
      type: "patch",
      object,
      patch: { spec: { template: { spec: { securityContext } } } },
      patchType: "strategic",
    });
    const contextAfter = (second: Json): unknown =>
      play(set, { steps: [withContext({ runAsGroup: 1 }), withContext(second)] }).get(
        "StatefulSet",
        "db",
      )?.spec.template.spec?.securityContext;
    assert.deepEqual(contextAfter({ runAsUser: 2 }), { runAsGroup: 1, runAsUser: 2 });
    assert.deepEqual(contextAfter({ $patch: "replace", runAsUser: 2 }), { runAsUser: 2 });
    assert.deepEqual(contextAfter({ $patch: "delete" }), {});
  });

  /** Returns the answer to a patch of the template's spec: its status, and its message or warnings. */
  function answerTo(patch: Json, patchType?: "strategic"): readonly unknown[] {
    const object = { kind: "StatefulSet", name: "db" } as const;
    const body = { spec: { template: { spec: patch } } };
    const step: Step = { type: "patch", object, patch: body, ...(patchType && { patchType }) };
    const { status, message, warnings } = play(set, { steps: [step] }).requests[1] ?? {};
    return [status, message ?? warnings];
  }

  test("of a status changes the condition that it names, and keeps the others", () => {
    const conditions = [{ type: "Problem", status: "True" }];
    const step: Step = {
      type: "patch",
      object: { kind: "Namespace", name: "shop" },
      patch: { status: { conditions } },
      patchType: "strategic",
      subresource: "status",
    };
    const namespace = `
      kind: Namespace
      metadata: {name: shop}`;
    const other = {
      ...step,
      patch: { status: { conditions: [{ ...conditions[0], type: "Other" }] } },
    };
    const { status } = play(namespace, { steps: [step, other] }).get("Namespace", "shop") ?? {};
    assert.deepEqual(
      status?.conditions?.map(({ type }) => type),
      ["Other", "Problem"],
    );
  });

  test("finds a namespace that every cluster has, also a second time", () => {
    const labelled = (value: string): Step => ({
      type: "patch",
      object: { kind: "Namespace", name: "kube-system" },
      patch: { metadata: { labels: { team: value } } },
    });
    const played = play(set, { steps: [labelled("a"), labelled("b")] });
    const told = played.requests.slice(1).map(({ status }) => status);
    const labels = played.get("Namespace", "kube-system")?.metadata.labels;
    assert.deepEqual([told, labels?.["team"]], [[200, 200], "b"]);
  });

  test("is refused if its parts contradict each other", () => {
    const mount = { mountPath: "/data" };
    const [a, b] = [{ name: "data", ...mount }, { name: "old" }];
    const refusals: readonly (readonly [Json, number, string])[] = [
      [
        { containers: [{ image: "y", ports: [{ containerPort: 80 }] }] },
        500,
        "map: map[image:y ports:[map[containerPort:80]]] does not contain declared merge key: name",
      ],
      [{ volumes: ["old"] }, 500, "list element types are not identical: "],
      [
        { volumes: [b, a], "$setElementOrder/volumes": [{ name: "data" }, { name: "old" }] },
        500,
        "The order in patch list:\n[map[name:old] map[mountPath:/data name:data]]\n doesn't match $setElementOrder list:\n[map[name:data] map[name:old]]\n",
      ],
      [
        { volumes: [b], "$setElementOrder/volumes": ["old"] },
        500,
        "expected a map[string]interface {}, but received a string",
      ],
      [
        { volumes: [{ name: "old", $patch: "remove" }] },
        500,
        "unknown patch type: remove in map: map[$patch:remove name:old]",
      ],
      [
        { volumes: [{ name: "old", $patch: "merge" }] },
        500,
        "merging lists cannot yet be specified in the patch",
      ],
      [{ securityContext: { $patch: "x" } }, 500, "unknown patch type: x in map: map[$patch:x]"],
      [
        { volumes: [{ name: "old", $retainKeys: ["name"], hostPath: { path: "/srv" } }] },
        400,
        "invalid patch format of retainKeys",
      ],
      [
        { "$setElementOrder/volumes": "data" },
        500,
        "expected a []interface {}, but received a string",
      ],
    ];
    for (const [patch, status, message] of refusals) {
      const [code, said] = answerTo(patch, "strategic");
      assert.equal(code, status);
      assert.equal(String(said).slice(0, message.length), message);
    }
  });

  test("with a wrong type is refused with the patch as Go prints it, or with the object that would result", () => {
    const patch = { containers: [{ name: "db", args: [1e-7], env: [{ name: "A", value: 1 }] }] };
    assert.deepEqual(answerTo(patch, "strategic"), [
      422,
      ' "" is invalid: patch: Invalid value: "map[spec:map[template:map[spec:map[containers:[map[args:[1e-07] env:[map[name:A value:1]] name:db]]]]]]": unrecognized type: string',
    ]);
    const number = { containers: [{ name: "db", env: [{ name: "A", value: 1 }] }] };
    assert.match(String(answerTo(number, "strategic")[1]), /": cannot convert int64 to string$/);
    assert.match(
      String(answerTo(number)[1]),
      /Invalid value: "\{.*\}": json: cannot unmarshal number into Go struct field /,
    );
  });

  test("loses unknown fields with a warning", () => {
    for (const type of [undefined, "strategic"] as const)
      assert.deepEqual(answerTo({ terminationGracePeriod: 5, nodeSelector: { a: "b" } }, type), [
        200,
        ['unknown field "spec.template.spec.terminationGracePeriod"'],
      ]);
    assert.deepEqual(podSpec({ nodeName: "n", no: 1 })?.nodeName, "n");
  });

  test("of a custom resource cannot be a strategic merge patch", () => {
    const object = { kind: "VolumeSnapshotClass", name: "s" } as const;
    const step: Step = { type: "patch", object, patch: {}, patchType: "strategic" };
    const [, refused] = play(
      `
      kind: VolumeSnapshotClass
      metadata: {name: s}
      driver: x.example.com
      deletionPolicy: Delete`,
      { steps: [step] },
    ).requests;
    assert.equal(refused?.status, 415);
    assert.match(refused?.message ?? "", /accepted media types include: application\/json-patch/);
  });
});
