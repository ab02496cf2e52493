import { checkDiagnostics } from "../../support/language-features.ts";

const service = (name: string, more = "selector: { app: db }"): string => `
      apiVersion: v1
      kind: Service
      metadata: { name: ${name} }
      spec: { clusterIP: None, ports: [{ port: 80 }], ${more} }
      ---`;

const set = (head: string): string => `
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        ${head}
        selector: { matchLabels: { app: db } }
        template:
          metadata: { labels: { app: db, tier: back } }
          spec: { containers: [{ name: c, image: i }] }
    `;

const mark = (name: string): string => `
      #              ${"^".repeat(name.length)} sts-service-missing: Service “${name}” does not exist in namespace default, so pods get no DNS names such as db-0.${name}`;

suite("a StatefulSet whose Service does not exist", () => {
  test("gets a Service of a similar name suggested", () =>
    checkDiagnostics(
      `${service("postgres", "selector: { app: other }")}${set(`serviceName: postgers${mark("postgers")}; did you mean “postgres”?`)}`,
    ));

  test("is reported with the first pod's name, whatever its ordinal", () =>
    checkDiagnostics(
      `${service("postgres", "selector: { app: other }")}${set(`ordinals: { start: 5 }\n        serviceName: postgers${mark("postgers").replace("db-0", "db-5")}; did you mean “postgres”?`)}`,
    ));

  test("gets the only headless Service that selects its pods suggested", () =>
    checkDiagnostics(
      `${service("members")}${service("web", "selector: { app: web }")}${set(`serviceName: quorum${mark("quorum")}; another headless Service selects them; did you mean “members”?`)}`,
    ));

  for (const [why, text] of [
    ["if it does exist", service("db") + set("serviceName: db")],
    [
      "if two Services could be meant",
      service("one") + service("two") + set("serviceName: quorum"),
    ],
    [
      "if no headless Service has a similar name or selects its pods",
      service("web", "selector: { app: web }") + set("serviceName: quorum"),
    ],
    [
      "if the Service that selects its pods is not headless",
      service("webhook").replace("clusterIP: None, ", "") + set("serviceName: quorum"),
    ],
    [
      "if the headless Service has no selector",
      service("web", "type: ClusterIP") + set("serviceName: quorum"),
    ],
    [
      "if only another namespace has a Service of a similar name",
      service("quorums, namespace: other") + set("serviceName: quorum"),
    ],
    ["if it names none", service("db") + set("replicas: 1")],
  ] as const)
    test(`has no finding ${why}`, () => checkDiagnostics(text));
});
