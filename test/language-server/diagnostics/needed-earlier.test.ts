/** Objects that the first `kubectl apply` of a file refuses because of the order of its documents. */
import assert from "node:assert/strict";
import type { CodeAction } from "../../../src/language-server/code-actions/code-action.ts";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { actionsIn, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { checkDiagnostics } from "../../support/language-features.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { loadFiles } from "../../support/rule-page.ts";

const config = (name: string, namespace: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: ${namespace} }\n`;
const shop = "apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n";
const account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: robot }\n";
const pod = (spec: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { ${spec}, containers: [{ name: web, image: nginx }] }\n`;
const documents = (...texts: readonly string[]): string => texts.join("---\n");

async function findingsIn(files: Readonly<Record<string, string>>): Promise<readonly Diagnostic[]> {
  const service = await loadFiles(new Map(Object.entries(files)), false);
  return Object.keys(files)
    .flatMap((name) => findingsOf(service, memoryUri(name)))
    .filter(({ code }) => code === "needed-earlier");
}

async function messagesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return (await findingsIn(files)).map(({ message }) => message);
}

const order = (refused: string, by: string): string =>
  `${refused}: the first kubectl apply of this file refuses ${by}`;
const noShop = 'namespaces "shop" not found';

suite("an object below objects of its file that need it", () => {
  test("is reported once, at its name, with all refused objects", async () => {
    await checkDiagnostics(`
      #- a.yaml
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings, namespace: shop }
      ---
      apiVersion: v1
      kind: Namespace
      metadata: { name: shop }
      #                 ^^^^ needed-earlier: namespaces "shop" not found: the first kubectl apply of this file refuses ConfigMap “settings”, which comes before it
      ---
      apiVersion: v1
      kind: Secret
      metadata: { name: login, namespace: shop }
    `);
    const text = documents(config("b", "shop"), config("a", "shop"), shop, config("c", "shop"));
    const [finding, ...others] = await findingsIn({ "a.yaml": text });
    assert.deepEqual(others, []);
    assert.equal(
      finding?.message,
      order(noShop, "ConfigMap “a” and 1 more, which come before it; a second one creates them"),
    );
    assert.deepEqual(
      finding?.related?.map(({ start, end }) => text.slice(start, end)),
      ["shop", "shop"],
    );
  });

  test("may be an account or a class of a Pod, with the server's message", async () => {
    const behind = async (spec: string, needed: string): Promise<string> =>
      (await messagesIn({ "a.yaml": documents(pod(spec), needed) })).join("\n");
    const makes = "Pod “web”, which comes before it; a second one creates it";
    const refused = (why: string): string => order(`pods "web" is forbidden: ${why}`, makes);
    assert.equal(
      await behind("serviceAccountName: robot", account),
      refused('error looking up service account default/robot: serviceaccount "robot" not found'),
    );
    assert.equal(
      await behind(
        "priorityClassName: urgent, runtimeClassName: sandbox",
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: urgent }\nvalue: 1\n",
      ),
      refused("no PriorityClass with name urgent was found"),
    );
    assert.equal(
      await behind(
        "priorityClassName: urgent, runtimeClassName: sandbox",
        "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: { name: sandbox }\nhandler: a\n",
      ),
      refused('pod rejected: RuntimeClass "sandbox" not found'),
    );
  });

  test("does not matter to workloads, which retry their pods, nor to references that are resolved later", async () => {
    const workload = `apiVersion: batch/v1\nkind: Job\nmetadata: { name: j }\nspec:\n  template:\n    spec: { restartPolicy: Never, serviceAccountName: robot, containers: [{ name: a, image: b }] }\n`;
    const volumes = "volumes: [{ name: v, configMap: { name: a } }]";
    assert.deepEqual(await messagesIn({ "a.yaml": documents(workload, account) }), []);
    const later = documents(pod(volumes), config("a", "default"));
    assert.deepEqual(await messagesIn({ "a.yaml": later }), []);
  });

  test("is reported in a List, too", async () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- ${config("a", "shop").trim().replaceAll("\n", "\n  ")}\n- ${shop.trim().replaceAll("\n", "\n  ")}\n`;
    assert.equal((await messagesIn({ "a.yaml": list })).length, 1);
  });

  const widget = (name: string, version = "v1"): string =>
    `apiVersion: example.com/${version}\nkind: Widget\nmetadata: { name: ${name} }\n`;
  const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Widget, plural: widgets }
  versions:
  - { name: v1, served: true, storage: true }
  - { name: v1beta1, served: false, storage: false }
`;
  const noWidget = 'no matches for kind "Widget" in version "example.com/v1"';

  test("may be the definition of a kind, which does not help above its objects either", async () => {
    await checkDiagnostics(`
      #- a.yaml
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: widgets.example.com }
      #                 ^^^^^^^^^^^^^^^^^^^ needed-earlier: no matches for kind "Widget" in version "example.com/v1": the first kubectl apply of this file refuses Widget “a”
      spec:
        group: example.com
        scope: Namespaced
        names: { kind: Widget, plural: widgets }
        versions: [{ name: v1, served: true, storage: true }]
      ---
      apiVersion: example.com/v1
      kind: Widget
      metadata: { name: a }
    `);
    const text = documents(widget("b"), widgets, widget("a"));
    const [finding, ...others] = await findingsIn({ "a.yaml": text });
    assert.deepEqual(others, []);
    assert.equal(
      finding?.message,
      order(
        noWidget,
        "Widget “a” and 1 more, wherever they are in the file; a second one creates them",
      ),
    );
    assert.deepEqual(
      finding?.related?.map(({ start, end }) => text.slice(start, end)),
      ["Widget", "Widget"],
    );
    assert.equal(await moved(text), undefined, "no place in the file would help");
  });

  test("is not reported if its kind is defined elsewhere, or not in that version", async () => {
    const text = documents(widgets, widget("a"));
    assert.equal((await messagesIn({ "a.yaml": text, "b.yaml": widget("b") })).length, 1);
    assert.deepEqual(await messagesIn({ "a.yaml": text, "b.yaml": widgets }), []);
    assert.deepEqual(await messagesIn({ "a.yaml": widgets, "b.yaml": widget("b") }), []);
    assert.deepEqual(
      await messagesIn({ "a.yaml": documents(widgets, widget("a", "v1beta1")) }),
      [],
    );
    assert.deepEqual(
      await messagesIn({ "a.yaml": text, "kustomization.yaml": "resources: [a.yaml]\n" }),
      [],
    );
    assert.deepEqual(
      await messagesIn({
        "a.yaml": text,
        "claimcheck.yaml": "cluster: { import: cluster.yaml }\n",
        "cluster.yaml": shop,
      }),
      [],
    );
  });

  test("may be the definition of a snapshot kind, unless the object is refused anyway", async () => {
    const definition = widgets
      .replace("widgets.example.com", "volumesnapshotclasses.snapshot.storage.k8s.io")
      .replace("group: example.com", "group: snapshot.storage.k8s.io")
      .replace("kind: Widget", "kind: VolumeSnapshotClass");
    const snapshotClass = (policy: string): string =>
      `apiVersion: snapshot.storage.k8s.io/v1\nkind: VolumeSnapshotClass\nmetadata: { name: a }\ndriver: ebs.csi.aws.com\ndeletionPolicy: ${policy}\n`;
    const messages = await messagesIn({ "a.yaml": documents(snapshotClass("Delete"), definition) });
    assert.match(messages.join("\n"), /^no matches for kind "VolumeSnapshotClass" in version /);
    assert.deepEqual(
      await messagesIn({ "a.yaml": documents(snapshotClass("Never"), definition) }),
      [],
    );
  });

  const outOfOrder = documents(config("a", "shop"), shop);

  test("is not reported if something else creates it or determines the order", async () => {
    const quiet: readonly Readonly<Record<string, string>>[] = [
      { "kustomization.yaml": "resources: [a.yaml]\n" },
      { "deploy/kustomization.yaml": "resources: [../a.yaml]\n" },
      { "Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n" },
      { "b.yaml": shop },
      {
        "app.yaml":
          "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: shop }\n",
      },
      {
        "flux.yaml":
          "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: shop }\n",
      },
      {
        "claimcheck.yaml": "cluster: { import: cluster.yaml }\n",
        "cluster.yaml": `apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }]\n`,
      },
      {
        "claimcheck.yaml": "cluster: { import: cluster.yaml }\n",
        "cluster.yaml": `apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: ConfigMap, metadata: { name: b, namespace: shop } }]\n`,
      },
    ];
    for (const others of quiet)
      assert.deepEqual(
        await messagesIn({ ...others, "a.yaml": outOfOrder }),
        [],
        `${Object.keys(others)}`,
      );
    const waves = outOfOrder.replace(
      "name: shop }",
      "name: shop, annotations: { argocd.argoproj.io/sync-wave: '-1' } }",
    );
    assert.deepEqual(await messagesIn({ "a.yaml": waves }), []);
    assert.equal(
      (await messagesIn({ "charts/Chart.yaml": "apiVersion: v2\n", "a.yaml": outOfOrder })).length,
      1,
    );
  });

  test("is not reported for objects that are refused anyway", async () => {
    const wrong = config("Not_A_Name", "shop");
    assert.deepEqual(await messagesIn({ "a.yaml": documents(wrong, shop) }), []);
  });

  test("is reported or not as documents change places and a kustomization comes and goes", async () => {
    const service = await loadFiles(new Map([["a.yaml", outOfOrder]]), false);
    const count = (): number =>
      findingsOf(service, memoryUri("a.yaml")).filter(({ code }) => code === "needed-earlier")
        .length;
    assert.equal(count(), 1);
    service.setEditorText(memoryUri("a.yaml"), documents(shop, config("a", "shop")));
    assert.equal(count(), 0);
    service.setEditorText(memoryUri("a.yaml"), outOfOrder);
    assert.equal(count(), 1);
    service.setEditorText(memoryUri("kustomization.yaml"), "resources: [a.yaml]\n");
    assert.equal(count(), 0);
    service.setEditorText(memoryUri("kustomization.yaml"), "resources: []\n");
    assert.equal(count(), 1);
  });
});

/** The file after the move; undefined if none is offered. */
async function moved(text: string, name = "a.yaml"): Promise<string | undefined> {
  const files = new Map([[name, text]]);
  const service = await loadFiles(files, false);
  const isMove = ({ title }: CodeAction): boolean => title.startsWith("Move it before ");
  for (const diagnostic of findingsOf(service, memoryUri(name))) {
    const action = actionsIn(service, name, diagnostic).find(isMove);
    if (action !== undefined) return afterAction(files, action).get(name);
  }
  return undefined;
}

suite("the fix that moves an object before those that need it", () => {
  test("moves its comments along and leaves theirs", async () => {
    assert.equal(
      await moved(
        `# of a\n${config("a", "default")}---\n# above b\n${config("b", "shop")}# below b\n--- # the shop\n# above shop\n${shop}# below shop\n---\n# of c\n${config("c", "shop")}`,
      ),
      `# of a\n${config("a", "default")}--- # the shop\n# above shop\n${shop}# below shop\n---\n# above b\n${config("b", "shop")}# below b\n---\n# of c\n${config("c", "shop")}`,
    );
  });

  test("makes it the first document, with a separator after it", async () => {
    const b = config("b", "shop");
    assert.equal(await moved(documents(`# of b\n${b}`, shop)), documents(shop, `# of b\n${b}`));
    assert.equal(await moved(`---\n${documents(b, shop)}`), `---\n${documents(shop, b)}`);
    assert.equal(
      await moved(`# licence\n---\n${documents(b, shop)}`),
      `# licence\n---\n${documents(shop, b)}`,
    );
    assert.equal(await moved(`${b}--- # the shop\n${shop}`), `--- # the shop\n${shop}---\n${b}`);
    assert.equal(await moved(`\uFEFF${documents(b, shop)}`), `\uFEFF${documents(shop, b)}`);
    assert.equal(
      await moved(`\uFEFF---\n${documents(b, shop)}`),
      `\uFEFF---\n${documents(shop, b)}`,
    );
  });

  test("keeps the line endings, and ends the last line of the document that was last", async () => {
    const b = config("b", "shop");
    assert.equal(await moved(documents(b, shop).trimEnd()), documents(shop, b));
    assert.equal(
      await moved(documents(b, shop).trimEnd().replaceAll("\n", "\r\n")),
      documents(shop, b).replaceAll("\n", "\r\n"),
    );
  });

  test("moves it also before objects of the namespace that are not judged", async () => {
    const role =
      "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: r, namespace: shop }\n";
    const b = config("b", "shop");
    assert.equal(await moved(documents(role, b, shop)), documents(shop, role, b));
  });

  test("moves an item of a List with the comments above it", async () => {
    const item = (text: string, comment: string): string =>
      `# ${comment}\n- ${text.trim().replaceAll("\n", "\n  ")} # behind ${comment}\n`;
    const [a, b, c, ns] = [
      item(config("a", "default"), "a"),
      item(config("b", "shop"), "b"),
      item(config("c", "shop"), "c"),
      item(shop, "shop"),
    ];
    const list = (...items: readonly (string | undefined)[]): string =>
      `apiVersion: v1\nkind: List\nitems:\n${items.join("")}`;
    assert.equal(await moved(list(a, b, c, ns)), list(a, ns, b, c));
    assert.equal(await moved(list(b, ns, c)), list(ns, b, c));
    assert.equal(await moved(list(b, c, ns).trimEnd()), list(ns, b, c));
  });

  test("moves an item of a list in brackets with its comma, in JSON", async () => {
    const json = (...items: readonly object[]): string =>
      JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2);
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b", namespace: "shop" } };
    const other = { apiVersion: "v1", kind: "Secret", metadata: { name: "c", namespace: "shop" } };
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
    assert.equal(await moved(json(map, namespace), "a.json"), json(namespace, map));
    assert.equal(await moved(json(map, namespace, other), "a.json"), json(namespace, map, other));
  });

  test("is not offered if other items of its List would move along", async () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- { apiVersion: v1, kind: Namespace, metadata: { name: shop } }\n- { apiVersion: v1, kind: Namespace, metadata: { name: mall } }\n`;
    const text = documents(config("b", "shop"), list);
    assert.equal((await messagesIn({ "a.yaml": text })).length, 1);
    assert.equal(await moved(text), undefined);
  });
});
