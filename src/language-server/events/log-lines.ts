/** Events and failed operations as the components' logs tell them. Upstream: client-go tools/record, klog, nestedpendingoperations. */
import { objectOfKey } from "./event-objects.ts";
import type { PastedEvent } from "./pasted-event.ts";

/** Undefined for a line of another form. */
export function logLine(line: string): PastedEvent | undefined {
  return recordedEvent(line) ?? failedOperation(line) ?? structuredError(line);
}

/** `Event(v1.ObjectReference{Kind:"Pod", …}): type: 'Warning' reason: 'FailedMount' …`, and `"Event occurred" object="shop/web-0" …`. */
function recordedEvent(line: string): PastedEvent | undefined {
  const old =
    /\{Kind:"(\w*)", Namespace:"([^"]*)", Name:"([^"]*)".*?\}\): type: '\w+' reason: '(\w+)' (.*)$/.exec(
      line,
    );
  if (old !== null) {
    const [, kind = "", namespace = "", name = "", reason = "", message = ""] = old;
    return event(message, reason, kind, namespace === "" ? name : `${namespace}/${name}`);
  }
  if (!line.includes('"Event occurred"')) return undefined;
  const value = (key: string): string => textAt(line, key);
  return event(unescaped(value("message")), value("reason"), value("kind"), value("object"));
}

/** Of a structured line of klog, which may be cut; empty where it has no such key. */
function textAt(line: string, key: string): string {
  const found = new RegExp(` ${key}=(?:"((?:[^"\\\\]|\\\\.)*)|(\\S*))`).exec(line);
  return found?.[1] ?? found?.[2] ?? "";
}

/** `E0101 … "Error syncing pod, skipping" err="…" pod="shop/web-0"`: the error, as far as an event says it too. */
function structuredError(line: string): PastedEvent | undefined {
  const error = unescaped(textAt(line, "err"));
  if (error === "" || !/\bE\d{4} \d\d:/.test(line)) return undefined;
  const pod = textAt(line, "pod");
  const about = pod === "" ? undefined : objectOfKey("Pod", pod);
  const of = about === undefined ? {} : { about };
  // Upstream: kubelet.go v1.36 SyncPod, which puts words in front of this error in the event, and none in the log.
  return error.startsWith("unmounted volumes=")
    ? { message: `Unable to attach or mount volumes: ${error}`, reason: "FailedMount", ...of }
    : { message: error, ...of };
}

function event(message: string, reason: string, kind: string, key: string): PastedEvent {
  const about = objectOfKey(kind, key);
  return { message, reason, ...(key !== "" && about !== undefined && { about }) };
}

/**
 * `Operation for "…" failed. No retries permitted until … Error: "MountVolume.SetUp failed for volume \"v\" (UniqueName: …)
 * pod \"web-0\" (UID: …) : …"`: without what the event leaves out.
 */
function failedOperation(line: string): PastedEvent | undefined {
  if (!/\(UniqueName: /.test(line)) return undefined;
  const plain = unescaped(line);
  const [, namespace, name] = / pod="([\w.-]+)\/([\w.-]+)"/.exec(plain) ?? [];
  const start = plain.search(
    /(?:Multi-Attach error|\w+\.\w[\w ]* (?:failed|succeeded)|Volume (?:not attached|has not been added))[^(]*\(UniqueName: /,
  );
  if (start < 0) return undefined;
  const message = plain
    .slice(start)
    .replace(/ \(UniqueName: "[^"]*"\)/, "")
    .replace(/ pod "[^"]*" \(UID: "[^"]*"\)/, "")
    .replace(/ from node "[^"]*"/, "")
    .replace(/"? pod="[^"]*"$/, "")
    .replace(/ +/g, " ")
    .trim();
  const about = name === undefined ? undefined : objectOfKey("Pod", `${namespace}/${name}`);
  return { message: withoutLoneQuote(message), ...(about !== undefined && { about }) };
}

/** `message"`, as the end of a quoted text reads where its beginning has been left out. */
export function withoutLoneQuote(message: string): string {
  const isLone = message.endsWith('"') && message.split('"').length % 2 === 0;
  return isLone ? message.slice(0, -1).trimEnd() : message;
}

/** Go quotes texts inside of others; however often, one quote is meant. */
export function unescaped(text: string): string {
  return text.replace(/\\+"/g, '"').replace(/\\+n/g, " ").replace(/\\+t/g, " ");
}
