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
      #              ${"^".repeat(name.length)} sts-service-missing: Service “${name}” does not exist in namespace default, so that pods have no names such as db-0.${name} in DNS`;

suite("a StatefulSet whose Service does not exist", () => {
  test("is asked whether it means the one that is called nearly so", () =>
    checkDiagnostics(
      `${service("postgres", "selector: { app: other }")}${set(`serviceName: postgers${mark("postgers")}; did you mean “postgres”?`)}`,
    ));

  test("is told a name that a pod would have, wherever their numbers begin", () =>
    checkDiagnostics(
      `${service("postgres", "selector: { app: other }")}${set(`ordinals: { start: 5 }\n        serviceName: postgers${mark("postgers").replace("db-0", "db-5")}; did you mean “postgres”?`)}`,
    ));

  test("is asked whether it means the only headless one that selects its pods", () =>
    checkDiagnostics(
      `${service("members")}${service("web", "selector: { app: web }")}${set(`serviceName: quorum${mark("quorum")}; another headless Service selects them; did you mean “members”?`)}`,
    ));

  for (const [why, text] of [
    ["where it does", service("db") + set("serviceName: db")],
    [
      "of which nobody can tell which of two is meant",
      service("one") + service("two") + set("serviceName: quorum"),
    ],
    [
      "where no Service is like it, nor selects its pods",
      service("web", "selector: { app: web }") + set("serviceName: quorum"),
    ],
    [
      "where the one that selects its pods gives them no names",
      service("webhook").replace("clusterIP: None, ", "") + set("serviceName: quorum"),
    ],
    [
      "where a Service selects nothing by itself",
      service("web", "type: ClusterIP") + set("serviceName: quorum"),
    ],
    [
      "where another namespace has the Service that is like it",
      service("quorums, namespace: other") + set("serviceName: quorum"),
    ],
    ["where it names none", service("db") + set("replicas: 1")],
  ] as const)
    test(`is told nothing ${why}`, () => checkDiagnostics(text));
});
