import assert from "node:assert/strict";
import { create, field, patchStored, refusal, replace } from "./answer.ts";

interface Parts {
  readonly labels?: string;
  readonly restartPolicy?: string;
}

const job = (spec: string, { labels = "{}", restartPolicy = "Never" }: Parts = {}): string => `
apiVersion: batch/v1
kind: Job
metadata: { name: j }
spec:
  template:
    metadata: { labels: ${labels} }
    spec: { restartPolicy: ${restartPolicy}, containers: [{ name: c, image: b }] }
  ${spec}`;

const answerTo = (spec: string, parts?: Parts): string => refusal(create(job(spec, parts)));
const uid = "00000000-0000-0000-0000-000000000000";

suite("A job", () => {
  test("that copies the labels and the selector of a stored job is refused", () => {
    const copied = answerTo("selector: { matchLabels: { controller-uid: old } }", {
      labels: "{ controller-uid: old, job-name: j }",
    });
    const labels = `{"batch.kubernetes.io/controller-uid":"${uid}","batch.kubernetes.io/job-name":"j","controller-uid":"old","job-name":"j"}`;
    assert.equal(
      copied,
      [
        `spec.template.metadata.labels[controller-uid]: Invalid value: ${labels}: must be '${uid}'`,
        `spec.selector: Invalid value: {"matchLabels":{"batch.kubernetes.io/controller-uid":"${uid}","controller-uid":"old"}}: \`selector\` not auto-generated`,
      ].join("\n"),
    );
    assert.equal(
      answerTo("manualSelector: true\n  selector: { matchLabels: { a: b } }", {
        labels: "{ a: b }",
      }),
      "accepted",
    );
    assert.equal(field(create(job("")), "metadata.uid"), undefined);
  });

  test("is refused with the Go types of a policy's fields that have the wrong type", () => {
    const rule = (text: string): string =>
      answerTo(`podFailurePolicy: { rules: [{ ${text} }] }`).replace(
        /.*spec\.podFailurePolicy\./,
        "",
      );
    const condition = (text: string): string =>
      rule(`action: Count, onPodConditions: [{ ${text} }]`);
    assert.equal(rule("action: 1"), "rules.action of type v1.PodFailurePolicyAction");
    assert.equal(
      rule("action: Count, onExitCodes: { operator: 1 }"),
      "rules.onExitCodes.operator of type v1.PodFailurePolicyOnExitCodesOperator",
    );
    assert.equal(condition("type: 1"), "rules.onPodConditions.type of type v1.PodConditionType");
    assert.equal(
      condition("type: A, status: true"),
      "rules.onPodConditions.status of type v1.ConditionStatus",
    );
  });

  test("may set maxFailedIndexes only if it is indexed, and must if it has many completions", () => {
    assert.equal(
      answerTo("maxFailedIndexes: 1"),
      [
        "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified",
        "spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode",
      ].join("\n"),
    );
    assert.equal(
      answerTo(
        "completionMode: Indexed\n  completions: 200000\n  parallelism: 20000\n  backoffLimitPerIndex: 1",
      ),
      [
        "spec.maxFailedIndexes: Required value: must be specified when completions is above 100000",
        "spec.parallelism: Invalid value: 20000: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
      ].join("\n"),
    );
  });

  test("with a failure policy must have exit codes or conditions in its rules, and restartPolicy Never", () => {
    const policy = (rule: string, parts?: Parts): string =>
      answerTo(`podFailurePolicy: { rules: [${rule}] }`, parts);
    assert.equal(
      policy("{ action: FailJob, onExitCodes: { operator: In, values: [1] } }", {
        restartPolicy: "OnFailure",
      }),
      'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
    );
    assert.equal(
      policy(
        "{ action: FailIndex, onExitCodes: { operator: In, values: [3, 0, 3], containerName: x } }",
      ),
      [
        'spec.podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
        'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
        "spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator",
        "spec.podFailurePolicy.rules[0].onExitCodes.values[2]: Duplicate value: 3",
        "spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [3,0,3]: must be ordered",
      ].join("\n"),
    );
    assert.equal(
      policy("{ action: Ignore }"),
      "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
    );
  });

  test("must have existing indexes in increasing order in its success policy", () => {
    const policy = (rule: string): string =>
      answerTo(`completionMode: Indexed\n  completions: 5\n  successPolicy: { rules: [${rule}] }`);
    const parsing = "error parsing succeededIndexes";
    const path = "spec.successPolicy.rules[0]";
    assert.equal(policy('{ succeededIndexes: "0,2-4", succeededCount: 3 }'), "accepted");
    assert.equal(
      policy('{ succeededIndexes: "0-5" }'),
      `${path}.succeededIndexes: Invalid value: "0-5": ${parsing}: too large index: "5"`,
    );
    assert.equal(
      policy('{ succeededIndexes: "2-3,1" }'),
      `${path}.succeededIndexes: Invalid value: "2-3,1": ${parsing}: non-increasing order, previous: 3, current: 1`,
    );
    const huge = "9223372036854775808";
    assert.equal(
      policy(`{ succeededIndexes: "${huge}" }`),
      `${path}.succeededIndexes: Invalid value: "${huge}": ${parsing}: cannot convert string to integer for index: "${huge}"`,
    );
    assert.equal(
      policy('{ succeededIndexes: "0,\\"" }'),
      `${path}.succeededIndexes: Invalid value: "0,\\"": ${parsing}: cannot convert string to integer for index: "\\""`,
    );
    assert.equal(
      policy('{ succeededIndexes: "0-1", succeededCount: 3 }'),
      `${path}.succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
    );
    assert.equal(
      answerTo(
        "completionMode: Indexed\n  parallelism: 2\n  successPolicy: { rules: [{ succeededIndexes: 0-1, succeededCount: 2 }] }",
      ),
      "spec.completions: Required value: when completion mode is Indexed",
    );
    assert.equal(
      answerTo("successPolicy: { rules: [{ succeededCount: 1 }] }"),
      'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
    );
  });

  test("has limits for rules, conditions and exit codes in its policies", () => {
    const many = (count: number, item: string): string => Array(count).fill(item).join(", ");
    const rule = "{ action: Ignore, onPodConditions: [{ type: A }] }";
    assert.equal(
      answerTo(`podFailurePolicy: { rules: [${many(21, rule)}] }`),
      "spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items",
    );
    assert.equal(
      answerTo(
        `podFailurePolicy: { rules: [{ action: Ignore, onPodConditions: [${many(21, "{ type: A }")}] }] }`,
      ),
      "spec.podFailurePolicy.rules[0].onPodConditions: Too many: 21: must have at most 20 items",
    );
    const codes = Array.from({ length: 256 }, (_, index) => index + 1).join(", ");
    assert.equal(
      answerTo(
        `podFailurePolicy: { rules: [{ action: Ignore, onExitCodes: { operator: In, values: [${codes}] } }] }`,
      ),
      "spec.podFailurePolicy.rules[0].onExitCodes.values: Too many: 256: must have at most 255 items",
    );
    assert.equal(
      answerTo(
        `completionMode: Indexed\n  completions: 5\n  successPolicy: { rules: [${many(21, "{ succeededCount: 1 }")}] }`,
      ),
      "spec.successPolicy.rules: Too many: 21: must have at most 20 items",
    );
  });

  test("must not have exit codes and conditions in the same rule of its failure policy", () => {
    assert.equal(
      answerTo(
        "podFailurePolicy: { rules: [{ action: Ignore, onExitCodes: { operator: In, values: [1] }, onPodConditions: [{ type: A }] }] }",
      ),
      "spec.podFailurePolicy.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported",
    );
  });

  test("must have rules in its success policy, each with a count or indexes", () => {
    const policy = (rules: string): string =>
      answerTo(`completionMode: Indexed\n  completions: 5\n  successPolicy: { rules: [${rules}] }`);
    assert.equal(
      policy(""),
      "spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified",
    );
    assert.equal(
      policy("{}"),
      "spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified",
    );
    const indexes = (text: string): string =>
      policy(`{ succeededIndexes: "${text}" }`).replace(/.*error parsing succeededIndexes: /, "");
    assert.equal(
      indexes("1-2-3"),
      `the fragment "1-2-3" violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
    assert.equal(indexes("3-3"), "non-increasing order, previous: 3, current: 3");
    assert.equal(
      policy('{ succeededIndexes: "", succeededCount: 1 }'),
      "spec.successPolicy.rules[0].succeededCount: Invalid value: 1: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)",
    );
  });

  test("must not allow more failed indexes than it has", () => {
    assert.equal(
      answerTo(
        "completionMode: Indexed\n  completions: 2\n  backoffLimitPerIndex: 1\n  maxFailedIndexes: 3",
      ),
      "spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions",
    );
  });

  suite("that is suspended", () => {
    interface Template {
      readonly metadata?: string;
      readonly spec?: string;
      readonly container?: string;
    }
    const held = ({ metadata = "", spec = "hostname: web", container = "" }: Template = {}) =>
      job("suspend: true\n  manualSelector: true\n  selector: { matchLabels: { a: b } }", {
        labels: "{ a: b }",
      })
        .replace("labels: { a: b } }\n", `labels: { a: b }, ${metadata} }\n`)
        .replace("restartPolicy: Never", `restartPolicy: Never, ${spec}`)
        .replace("image: b", `image: b, ${container}`);
    const change = (template: Template, status: unknown = {}): string =>
      refusal(replace(held(), held(template), status)).replace(/value: \{.*\}: /, "");
    const refused = "spec.template: Invalid field is immutable";
    const refusedPods = "spec.template.spec: Invalid field is immutable";
    const elsewhere = {
      metadata: "annotations: { c: d }",
      spec: "hostname: web, nodeSelector: { a: b }",
    };
    const larger = { container: "resources: { requests: { cpu: 1 } }" };
    const startTime = "2026-01-01T00:00:00Z";
    const conditions = [{ type: "Suspended", status: "True" }];

    test("can change its scheduling directives before it has started, and its resources once its suspension is reported", () => {
      assert.equal(change(elsewhere), "accepted");
      assert.equal(change(larger), refused);
      assert.equal(change(elsewhere, { conditions }), "accepted");
      assert.equal(change(larger, { conditions }), "accepted");
    });

    test("that has run can change directives and resources once its pods are gone", () => {
      assert.equal(change(elsewhere, { startTime }), refused);
      for (const template of [elsewhere, larger]) {
        assert.equal(change(template, { startTime, conditions }), "accepted");
        assert.equal(change(template, { startTime, conditions, active: 1 }), refused);
      }
    });

    test("cannot change anything else in its pods' spec", () => {
      assert.equal(change({ spec: "hostname: other" }), refused);
      assert.equal(change({ spec: "hostname: other" }, { conditions }), refusedPods);
      assert.equal(change({ metadata: "name: n" }), refused);
      assert.equal(change({ metadata: "name: n" }, { conditions }), "accepted");
    });
  });

  test("must have a domain-prefixed path in managedBy, which is immutable", () => {
    assert.equal(answerTo("managedBy: acme.io/foo"), "accepted");
    assert.equal(
      answerTo("managedBy: foo"),
      'spec.managedBy: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")',
    );
    assert.equal(
      refusal(replace(job("managedBy: a.io/b"), job("managedBy: a.io/c")))
        .split("\n")
        .at(-1),
      'spec.managedBy: Invalid value: "a.io/c": field is immutable',
    );
  });
});

suite("A CronJob", () => {
  const cronJob = (schedule: string, spec = ""): string => `
apiVersion: batch/v1
kind: CronJob
metadata: { name: c }
spec:
  schedule: "${schedule}"
  jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: b }] } } } }
  ${spec}`;

  test("must name its time zone in the field timeZone", () => {
    const answer = (schedule: string, spec?: string): string =>
      refusal(create(cronJob(schedule, spec)));
    assert.equal(answer("0 * * * *", "timeZone: Etc/UTC"), "accepted");
    assert.equal(answer("0 * * * *", "timeZone: America/Argentina/Ushuaia"), "accepted");
    assert.equal(
      answer("0 * * * *", "timeZone: Europe/Atlantis"),
      'spec.timeZone: Invalid value: "Europe/Atlantis": unknown time zone Europe/Atlantis',
    );
    assert.equal(answer("0 * * * *", "timeZone: Factory"), "accepted");
    assert.match(
      answer("0 * * * *", "timeZone: US/Pacific-New"),
      /unknown time zone US\/Pacific-New$/,
    );
    for (const schedule of ["TZ=Etc/UTC 0 * * * *", "CRON_TZ=Etc/UTC 0 * * * *"]) {
      for (const spec of ["", "timeZone: Etc/UTC"]) {
        assert.equal(
          answer(schedule, spec),
          `spec.schedule: Invalid value: "${schedule}": cannot use TZ or CRON_TZ in schedule, use timeZone field instead`,
        );
      }
    }
  });

  test("may keep a zone in a stored schedule, unless it sets timeZone, too", () => {
    const before = cronJob("TZ=Etc/UTC 0 * * * *");
    const change = (spec: string): string => refusal(patchStored(before, `spec: { ${spec} }`));
    assert.equal(change("suspend: true"), "accepted");
    assert.equal(
      change("timeZone: Etc/UTC"),
      'spec.schedule: Invalid value: "TZ=Etc/UTC 0 * * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
    );
  });

  test("must not set the selector of its jobs", () => {
    const template = (spec: string): string =>
      refusal(
        create(cronJob("@daily").replace("{ spec: { template:", `{ spec: { ${spec}, template:`)),
      );
    assert.equal(
      template("selector: { matchLabels: { a: b } }"),
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
    );
    assert.equal(
      template("manualSelector: true"),
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    );
  });

  test("must not have an invalid time zone, nor the machine's own", () => {
    const zone = (name: string): string => refusal(create(cronJob("@daily", `timeZone: ${name}`)));
    const path = "spec.timeZone: Invalid value";
    const explicit =
      "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    assert.equal(zone('""'), `${path}: "": timeZone must be nil or non-empty string`);
    assert.equal(zone("Local"), `${path}: "Local": ${explicit}`);
    assert.equal(
      zone("local"),
      `${path}: "local": ${explicit}\n${path}: "local": unknown time zone local`,
    );
  });

  test("must name its time zone with the database's capitals", () => {
    const zone = (name: string): string => refusal(create(cronJob("@daily", `timeZone: ${name}`)));
    for (const name of [
      "Europe/Berlin",
      "America/Port-au-Prince",
      "America/Argentina/ComodRivadavia",
      "America/Knox_IN",
      "Antarctica/McMurdo",
      "Europe/Isle_of_Man",
    ])
      assert.equal(zone(name), "accepted");
    for (const name of [
      "europe/Berlin",
      "Europe/berlin",
      "EUROPE/BERLIN",
      "America/Argentina/buenos_aires",
      "America/Knox_in",
      "Europe/Isle_Of_Man",
    ])
      assert.match(zone(name), /unknown time zone/);
  });

  test("must have a name of at most 52 bytes", () => {
    // Upstream: ValidateCronJobCreate, whose len counts bytes.
    const lines = (name: string): readonly string[] =>
      refusal(create(cronJob("@daily").replace("name: c }", `name: ${name} }`))).split("\n");
    const tooLong = /: must be no more than 52 characters$/;
    assert.deepEqual(lines("a".repeat(52)), ["accepted"]);
    assert.match(lines("a".repeat(53)).join(), tooLong);
    assert.doesNotMatch(lines("é".repeat(26)).at(-1) ?? "", tooLong);
    assert.match(lines("é".repeat(27)).at(-1) ?? "", tooLong);
  });

  test("must have a schedule that can be parsed", () => {
    for (const schedule of ["0 0 * * *", " 1,,2 * * * * ", "*-3 +1 1-31/2 Jan-mar ?", "@weekly"])
      assert.equal(refusal(create(cronJob(schedule))), "accepted", schedule);
    for (const duration of ["1h30m", ".5s", "-3us", "+0", "2.h"])
      assert.equal(refusal(create(cronJob(`@every ${duration}`))), "accepted", duration);
  });

  const unreadable: readonly (readonly [schedule: string, complaint: string])[] = [
    ["* * *", "expected exactly 5 fields, found 3: [* * *]"],
    [" @daily", "expected exactly 5 fields, found 1: [@daily]"],
    ["@Daily", "unrecognized descriptor: @Daily"],
    ["@every", "unrecognized descriptor: @every"],
    ["@every soon", 'failed to parse duration @every soon: time: invalid duration "soon"'],
    ["@every .s", 'failed to parse duration @every .s: time: invalid duration ".s"'],
    ["@every -", 'failed to parse duration @every -: time: invalid duration "-"'],
    [
      "@every 3000000h",
      'failed to parse duration @every 3000000h: time: invalid duration "3000000h"',
    ],
    ["@every 1h5", 'failed to parse duration @every 1h5: time: missing unit in duration "1h5"'],
    ["@every 5d", 'failed to parse duration @every 5d: time: unknown unit "d" in duration "5d"'],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["*/-5 * * * *", "negative number (-5) not allowed: -5"],
    ["x-1-2/3/4 * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ["1-2-x/3/4 * * * *", "too many hyphens: 1-2-x/3/4"],
    ["1-2/3/4 * * * *", "too many slashes: 1-2/3/4"],
    [
      "9223372036854775808 * * * *",
      'failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
  ];
  for (const [schedule, complaint] of unreadable) {
    test(`must not have the schedule ${schedule}`, () => {
      assert.equal(
        refusal(create(cronJob(schedule))),
        `spec.schedule: Invalid value: "${schedule}": ${complaint}`,
      );
    });
  }

  test("gets a second error if the zone in its schedule is invalid", () => {
    const complaints = (schedule: string): string[] =>
      refusal(create(cronJob(schedule)))
        .split("\n")
        .map((line) => line.replace(/^spec\.schedule: Invalid value: ".*?": /, ""));
    const misplaced = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
    const location = "provided bad location";
    assert.deepEqual(complaints("TZ= 0 * * * *"), [misplaced]);
    assert.deepEqual(complaints("TZ=Local @hourly"), [misplaced]);
    assert.deepEqual(complaints("TZ=Mars @hourly"), [
      `${location} Mars: unknown time zone Mars`,
      misplaced,
    ]);
    assert.deepEqual(complaints("TZ=../etc @hourly"), [
      `${location} ../etc: time: invalid location name`,
      misplaced,
    ]);
    assert.deepEqual(complaints("TZ=UTC"), [
      "invalid schedule format: runtime error: slice bounds out of range [:-1]",
      misplaced,
    ]);
  });
});
