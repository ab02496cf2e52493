/** A description is read the same, whatever terminals, logs, chats and web pages have put around its lines. */
import assert from "node:assert/strict";
import { explainEvents } from "../../../src/language-server/events/explained-event.ts";
import { pastedEvents } from "../../../src/language-server/events/pasted-events.ts";

const description = [
  "Name:             web-0",
  "Namespace:        shop",
  "Node:             <none>",
  "Status:           Running",
  "Volumes:",
  "  cfg:",
  "    Type:        ConfigMap (a volume populated by a ConfigMap)",
  "    Name:        settings",
  "    Optional:    false",
  "Events:",
  "  Type     Reason       Age                From               Message",
  "  ----     ------       ----               ----               -------",
  '  Warning  FailedMount  2m (x4 over 5m)    kubelet            MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found',
  "",
].join("\n");

const eachLine =
  (before: (index: number) => string) =>
  (text: string): string =>
    text
      .split("\n")
      .map((line, index) => `${before(index)}${line}`)
      .join("\n");

const escapeMark = String.fromCharCode(27);

const around: Readonly<Record<string, (text: string) => string>> = {
  "Windows line endings": (text) => text.replaceAll("\n", "\r\n"),
  "a byte order mark": (text) => `\ufeff${text}`,
  "non-breaking spaces": (text) => text.replaceAll(" ", "\u00a0"),
  "a quotation": eachLine(() => "> "),
  "an indented block": eachLine(() => "    "),
  "a comment": eachLine(() => "# "),
  "added lines of a diff": eachLine(() => "+ "),
  "a window's frame": eachLine(() => "│ "),
  "line numbers": eachLine((index) => `${String(index + 1).padStart(3)}: `),
  "a build log's timestamps": eachLine(() => "2026-11-30T05:10:00.1234567Z "),
  "a build step's name": eachLine(() => "[step-1] "),
  "klog headers": eachLine(() => "I1130 05:10:00.123456   12345 dump.go:53] "),
  "terminal colors": (text) =>
    text
      .replace("Warning", `${escapeMark}[1;33mWarning${escapeMark}[0m`)
      .replace(/^Name/, `${escapeMark}[36mName`),
  "escaped terminal colors": (text) => text.replace("Warning", "\\x1b[33mWarning\\x1b[0m"),
  "HTML entities": (text) =>
    text.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  "a JSON string": (text) => JSON.stringify(text),
  "single spaces between columns": (text) => text.replaceAll(/(?<=\S) {2,}/g, " "),
  "a shell prompt": (text) => `me@host:~$ kubectl describe pod web-0\n${text}me@host:~$ `,
};

suite("copied text", () => {
  const wanted = pastedEvents(description);

  test("an undisturbed description has one event, of its pod", () => {
    assert.deepEqual(wanted, [
      {
        about: { kind: "Pod", namespace: "shop", name: "web-0" },
        source: "kubelet",
        reason: "FailedMount",
        message: 'MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found',
      },
    ]);
  });

  for (const [what, put] of Object.entries(around))
    test(`is read the same with ${what}`, () =>
      assert.deepEqual(pastedEvents(put(description)), wanted));

  test("a Markdown table is read by its cells", () =>
    assert.deepEqual(
      pastedEvents(
        '| 2m | Warning | FailedMount | pod/web-0 | MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found |',
      ),
      [
        {
          about: { kind: "Pod", namespace: "", name: "web-0" },
          reason: "FailedMount",
          message: 'MountVolume.SetUp failed for volume "cfg" : configmap "settings" not found',
        },
      ],
    ));

  test("a message truncated within a name is recognized by the text before it", () => {
    const said = "Waiting for a volume to be created either by the external provisioner";
    for (const end of ["'ebs.cs…", "'ebs.cs>", "'ebs.csi.aws.com' or manually by the sys..."]) {
      const { events } = explainEvents(
        `1s  Normal  ExternalProvisioning  pvc/data  ${said} ${end}`,
        undefined,
      );
      assert.deepEqual(
        events.flatMap(({ patterns }) => patterns),
        ["waits-for-provisioner"],
        end,
      );
    }
  });
});
