/**
 * Security options of Windows containers. Upstream: pkg/apis/core/validation validateWindowsSecurityContextOptions,
 * validateWindowsHostProcessPod, v1.35.
 */
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { byteLength } from "../go/text.ts";
import { checkSubdomain } from "../names/names.ts";
import { visitContainers } from "../pod-containers.ts";
import type { PodSpec, WindowsSecurityContextOptions } from "../types.ts";

const credentialKibibytesMax = 64;
const domainBytesLimit = 256;
const userBytesMax = 104;
const netBiosPattern = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainPattern =
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (options === undefined) return;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name !== undefined)
    errors.invalidEach(path.child("gmsaCredentialSpecName"), name, checkSubdomain(name));
  if (spec === "")
    errors.invalid(
      path.child("gmsaCredentialSpec"),
      spec,
      "gmsaCredentialSpec cannot be an empty string",
    );
  else if (spec !== undefined && byteLength(spec) > credentialKibibytesMax * 1024) {
    const detail = `gmsaCredentialSpec size must be under ${credentialKibibytesMax} KiB`;
    errors.invalid(path.child("gmsaCredentialSpec"), spec, detail);
  }
  if (user !== undefined)
    errors.invalidEach(path.child("runAsUserName"), user, checkUserName(user));
}

/** A user, optionally preceded by a domain and a backslash. */
function checkUserName(name: string): readonly string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\0-\x1F\x7F]/.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? parts[0] : undefined;
  const complaints: string[] = [];
  if (byteLength(domain ?? "") >= domainBytesLimit)
    complaints.push(`runAsUserName's Domain length must be under ${domainBytesLimit} characters`);
  if (domain !== undefined && !(netBiosPattern.test(domain) || domainPattern.test(domain)))
    complaints.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === "") complaints.push("runAsUserName's User cannot be empty");
  else if (byteLength(user) > userBytesMax)
    complaints.push(
      `runAsUserName's User length must not be longer than ${userBytesMax} characters`,
    );
  if (/^[. ]+$/.test(user))
    complaints.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    complaints.push(
      `runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`,
    );
  return complaints;
}

/** Either all containers of a pod are host processes or none. */
export function validateHostProcess(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let hostCount = 0;
  visitContainers(spec, path, ({ securityContext }, at) => {
    count++;
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      errors.invalid(
        at.child("securityContext").child("windowsOptions").child("hostProcess"),
        own,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      );
    }
    if (own ?? ofPod === true) hostCount++;
  });
  if (hostCount === 0) return;
  if (hostCount !== count) {
    const detail =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.invalid(path, "", detail);
  }
  if (spec.hostNetwork !== true) {
    const detail = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.invalid(path.child("hostNetwork"), false, detail);
  }
}
