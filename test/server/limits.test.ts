/** A simulation that needs too much memory: the user is told. */
import assert from "node:assert/strict";
import type { StatusReply } from "../../src/protocol/messages.ts";
import { memoryFolder } from "../support/memory-workspace.ts";
import { serverHere } from "../support/server-here.ts";

const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: standard, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

interface Told {
  readonly messages: readonly { readonly type: number; readonly message: string }[];
  readonly status: StatusReply;
}

async function told(heapBytesMax: number): Promise<Told> {
  const client = serverHere({ "claim.yaml": claim }, { heapBytesMax });
  const messages: Told["messages"][number][] = [];
  client.onNotification("window/showMessage", (message: Told["messages"][number]) => {
    messages.push(message);
  });
  await client.sendRequest("initialize", {
    processId: null,
    rootUri: memoryFolder,
    capabilities: {},
  });
  await client.sendNotification("initialized", {});
  // Is answered once all findings are known.
  await client.sendRequest("workspace/diagnostic", { previousResultIds: [] });
  const status = await client.sendRequest<StatusReply>("claimcheck/status", {});
  client.dispose();
  return { messages, status };
}

suite("a simulation that reaches the memory limit", () => {
  test("is reported once, and in the status", async () => {
    const { messages, status } = await told(60_000);
    const limit = "the run reached its limit traceBytesMax 10000 and was stopped";
    assert.deepEqual(messages, [
      {
        type: 2,
        message: `Claimcheck: The simulation of workspace is not complete: ${limit}. Findings about later steps are missing.`,
      },
    ]);
    assert.deepEqual(
      status.limits.map((l) => l.limit),
      [limit],
    );
  });

  test("is not reported if there is enough memory", async () => {
    const { messages, status } = await told(2 ** 30);
    assert.deepEqual([messages, status.limits], [[], []]);
  });
});
