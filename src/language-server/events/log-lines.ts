/** Events and failed operations in the logs of components. Upstream: client-go tools/record, klog, nestedpendingoperations. */
import { parsedJson } from "../../engine/api/json.ts";
import { objectOfKey } from "./event-objects.ts";
import { knownParts } from "./known-text.ts";
import type { PastedEvent } from "./pasted-event.ts";

/** True if the line is a log line, whatever it says. Upstream: klog, logrus. */
export function isLogLine(line: string): boolean {
  return (
    /^\s*[IWEF]\d{4} \d\d:\d\d:\d\d|^\s*time="\d{4}-/.test(line) || logLine(line) !== undefined
  );
}

/** Undefined if the line has another form. */
export function logLine(line: string): PastedEvent | undefined {
  return (
    recordedEvent(line) ??
    dumpedEvent(line) ??
    failedOperation(line) ??
    failedSync(line) ??
    structuredError(line) ??
    jsonMessage(line)
  );
}

/**
 * `error syncing claim "shop/data": …`; newer versions write the claim's uid instead. Upstream: sig-storage-lib controller.go.
 */
function failedSync(line: string): PastedEvent | undefined {
  const [, key, message] = /error syncing claim "([\w.-]+\/[\w.-]+)": (.*)$/.exec(line) ?? [];
  return key === undefined || message === undefined
    ? undefined
    : { message: unescaped(message), ...aboutKey("PersistentVolumeClaim", key) };
}

/**
 * The first recognized text in JSON: `{"level":"error","msg":"…"}`, a Status of the API server, a portal's form of an event.
 */
function jsonMessage(line: string): PastedEvent | undefined {
  for (const [, quoted] of line.matchAll(/"(?:message|msg|error)":\s*("(?:[^"\\]|\\.)*")/gi)) {
    const read = parsedJson(quoted ?? "");
    const message = String(read?.value).replace(/\s+/g, " ").trim();
    if (read !== undefined && knownParts(message) > 0) return { message };
  }
  return undefined;
}

/**
 * `Event(v1.ObjectReference{Kind:"Pod", …}): type: 'Warning' reason: 'FailedMount' …`, and `"Event occurred"
 * object="shop/web-0" …`.
 */
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

/** `At … - event for data: {sender host} FailedMount: …`. Upstream: test/e2e/framework/debug dump.go. */
function dumpedEvent(line: string): PastedEvent | undefined {
  const [, source, reason, message] =
    / - event for [\w.-]+: \{([^\s}]*)[^}]*\} ([A-Z]\w+): (.*)$/.exec(line) ?? [];
  if (source === undefined || reason === undefined || message === undefined) return undefined;
  return { message, reason, ...(source !== "" && { source }) };
}

/** Value of a key in a structured klog line, which may be cut; "" if it has no such key. */
function textAt(line: string, key: string): string {
  const found = new RegExp(` ${key}=(?:"((?:[^"\\\\]|\\\\.)*)|(\\S*))`).exec(line);
  return found?.[1] ?? found?.[2] ?? "";
}

/**
 * `E0101 … "Error syncing pod, skipping" err="…" pod="shop/web-0"`: the error, as the event would have it. Attachers log errors
 * as information, and drivers in logrus' format (`level=error error="…"`): there only recognized ones count.
 */
function structuredError(line: string): PastedEvent | undefined {
  const error = unescaped(textAt(line, "err"));
  if (error === "" || !/\bE\d{4} \d\d:/.test(line)) return knownError(line);
  const pod = textAt(line, "pod");
  const of = pod === "" ? {} : aboutKey("Pod", pod);
  // Upstream: kubelet.go v1.36 SyncPod, which prefixes this error with words in the event, but not in the log.
  return error.startsWith("unmounted volumes=")
    ? { message: `Unable to attach or mount volumes: ${error}`, reason: "FailedMount", ...of }
    : { message: error, ...of };
}

/** Upstream: external-attacher csi_handler.go "Error processing". */
function knownError(line: string): PastedEvent | undefined {
  const message = unescaped(textAt(line, "err") || textAt(line, "error") || textAt(line, "msg"));
  const isTold = /"Error processing"|\blevel=(?:error|warning|fatal)\b/.test(line);
  if (!isTold || message === "" || knownParts(message) === 0) return undefined;
  const attachment = textAt(line, "VolumeAttachment");
  return { message, ...(attachment !== "" && aboutKey("VolumeAttachment", attachment)) };
}

/** Empty for a kind that the engine does not serve. */
function aboutKey(kind: string, key: string): Pick<PastedEvent, "about"> {
  const about = objectOfKey(kind, key);
  return about === undefined ? {} : { about };
}

function event(message: string, reason: string, kind: string, key: string): PastedEvent {
  const about = objectOfKey(kind, key);
  return { message, reason, ...(key !== "" && about !== undefined && { about }) };
}

/** Up to 1.5: `volume "plugin/id" (spec.Name: "v") pod "…" (UID: "…") with: …`. Upstream: operation_executor.go v1.5. */
const beforeUniqueNames =
  /"([^"]*)" \(spec\.Name: "([^"]*)"\)((?: pod "[^"]*" \(UID: "[^"]*"\))?) with: /;

/**
 * `Operation for "…" failed. No retries permitted until … Error: "MountVolume.SetUp failed for volume \"v\" (UniqueName: …) pod
 * \"web-0\" (UID: …) : …"`: returns the message without the parts that the event leaves out.
 */
function failedOperation(given: string): PastedEvent | undefined {
  const line = given.replace(beforeUniqueNames, '"$2" (UniqueName: "$1")$3 : ');
  if (!/\(UniqueName: /.test(line)) return undefined;
  const plain = unescaped(line);
  const [, namespace, name] = / pod="([\w.-]+)\/([\w.-]+)"/.exec(plain) ?? [];
  const start = plain.search(
    /(?:Multi-Attach error|Waiting for detach|\b\w+\.\w[\w ]* (?:failed|succeeded)|Un(?:mount|map)Device failed|GetDeviceMountRefs check failed|Volume (?:not attached|has not been added))[^(]*\(UniqueName: /,
  );
  if (start < 0) return undefined;
  const message = plain
    .slice(start)
    .replace(/ \(UniqueName: "[^"]*"\)(?: on node "[^"]*")?/, "")
    .replace(/ pod "[^"]*" \(UID: "[^"]*"\)/, "")
    .replace(/ from node "[^"]*"/, "")
    .replace(/"? pod="[^"]*"$/, "")
    .replace(/ +/g, " ")
    .trim();
  const about = name === undefined ? undefined : objectOfKey("Pod", `${namespace}/${name}`);
  return { message: withoutLoneQuote(message), ...(about !== undefined && { about }) };
}

/** Removes the quote at the end of a quoted text whose beginning is missing. */
export function withoutLoneQuote(message: string): string {
  const isLone = message.endsWith('"') && message.split('"').length % 2 === 0;
  return isLone ? message.slice(0, -1).trimEnd() : message;
}

/** Go quotes nested texts repeatedly; any number of backslashes becomes one quote, or one space for a line break. */
export function unescaped(text: string): string {
  return text.replace(/(?<!\\)\\+(["nt])/g, (_, escaped) => (escaped === '"' ? '"' : " "));
}
