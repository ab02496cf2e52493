/** All known kinds of messages. */
import { apiMessages } from "./api-messages.ts";
import { attachMessages } from "./attach-detach-messages.ts";
import { binderMessages } from "./binder-messages.ts";
import { clientMessages } from "./client-messages.ts";
import { dataImporterMessages } from "./data-importer-messages.ts";
import { answerMessages } from "./driver-answers.ts";
import { driverMessages } from "./driver-messages.ts";
import { fileSystemMessages } from "./file-system-messages.ts";
import { kubeletMessages } from "./kubelet-messages.ts";
import { kubeletVolumeMessages } from "./kubelet-volume-messages.ts";
import type { MessagePattern } from "./message-pattern.ts";
import {
  mountCommandMessages,
  mountFailureMessages,
  systemMessages,
} from "./mount-command-messages.ts";
import { otherMessages } from "./other-messages.ts";
import { podRefusalMessages } from "./pod-refusal-messages.ts";
import { programMessages } from "./program-messages.ts";
import { anyProvisionerFailure, provisionerMessages } from "./provisioner-messages.ts";
import { resizerMessages } from "./resizer-messages.ts";
import { schedulerMessages } from "./scheduler-messages.ts";
import { snapshotMessages } from "./snapshot-messages.ts";
import { stateMessages } from "./state-messages.ts";
import { storageSystemMessages } from "./storage-system-messages.ts";
import { timeOutMessages } from "./time-out-messages.ts";
import { workloadMessages } from "./workload-messages.ts";

/** In the order in which they are tried: specific patterns before general ones. */
export const messagePatterns: readonly MessagePattern[] = [
  ...binderMessages,
  ...schedulerMessages,
  ...attachMessages,
  ...kubeletVolumeMessages,
  ...kubeletMessages,
  ...programMessages,
  ...podRefusalMessages,
  ...fileSystemMessages,
  ...mountFailureMessages,
  ...driverMessages,
  ...mountCommandMessages,
  ...storageSystemMessages,
  ...systemMessages,
  ...answerMessages,
  ...provisionerMessages,
  anyProvisionerFailure,
  ...resizerMessages,
  ...snapshotMessages,
  ...workloadMessages,
  ...dataImporterMessages,
  ...clientMessages,
  ...apiMessages,
  ...stateMessages,
  ...timeOutMessages,
  ...otherMessages,
];
