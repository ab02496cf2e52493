/** Errors that CSI drivers return, by gRPC code, as sidecars and kubelets pass them on. */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const codes: Readonly<Record<string, readonly [cause: string, change: string]>> = {
  InvalidArgument: [
    "the driver cannot read or do what it was asked: parameters, access mode, volume mode",
    "correct the class's parameters or the claim's modes",
  ],
  OutOfRange: [
    "the size is out of what the driver can give",
    "ask for a size between the driver's limits",
  ],
  ResourceExhausted: [
    "the pool, the quota or the node's slots are used up",
    "free storage, raise the quota, or use another pool or node",
  ],
  NotFound: [
    "the volume, snapshot or node is not in the storage system",
    "check volumeHandle, and that the object has not been deleted there",
  ],
  AlreadyExists: [
    "a volume of that name exists with other properties",
    "delete it in the storage system, or use the same properties",
  ],
  PermissionDenied: [
    "the driver's account may not do that",
    "give its role or secret the permission",
  ],
  Unauthenticated: ["the driver's credentials are refused", "correct its secret"],
  FailedPrecondition: [
    "the volume or its pod is not in the state for it: in use elsewhere, not attached, busy, without what the driver needs",
    "see to what it says; it is tried again",
  ],
  Aborted: [
    "an operation on the same volume is still going on",
    "wait; if it never ends, look at the driver's log",
  ],
  DeadlineExceeded: [
    "the driver or the storage system did not answer in time; the operation may still be going on",
    "wait; look at the driver's log",
  ],
  Unavailable: [
    "the driver or the storage system cannot be reached",
    "check the driver's pods and the network",
  ],
  Internal: [
    "the driver failed for a reason of its own",
    "the text after desc comes from the driver; look at its log",
  ],
  Unknown: [
    "the driver failed and does not say how",
    "the text after desc comes from the driver; look at its log",
  ],
  Unimplemented: ["the driver cannot do this at all", "use a driver that can"],
};

/** One pattern for each code. Upstream: the CSI specification's error scheme. */
const answers: readonly MessagePattern[] = Object.entries(codes).map(([code, [cause, change]]) => ({
  id: `csi-${code.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}`,
  component: "CSI driver",
  rule: `CSI specification, gRPC code ${code}`,
  texts: [`rpc error: code = ${code} desc = {detail}`],
  outlook: code === "InvalidArgument" || code === "Unimplemented" ? "stuck" : "retried",
  cause: `The driver answers ${code}: ${cause}. It says: {detail}`,
  change: [change],
}));

/** A failed call as most drivers log it; the code may be missing. */
const loggedCall: MessagePattern = messagesOf("CSI driver")({
  id: "csi-call-failed",
  rule: "csi-driver-host-path and most drivers: utils.go logGRPC",
  texts: ["GRPC error: {detail}"],
  cause: "A call of the driver failed, as its log says.",
  change: ["read the lines of the log above it: they tell which call it was"],
});

export const answerMessages: readonly MessagePattern[] = [...answers, loggedCall];
