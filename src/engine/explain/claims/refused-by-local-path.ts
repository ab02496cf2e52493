/**
 * What local-path-provisioner refuses because of its configuration or class, recognized by its messages.
 * Upstream: rancher/local-path-provisioner provisioner.go provisionFor, getPathOnNode, pathFromPattern.
 */
import { type KubeObject, kindOfRef, type Ref, refOf } from "../../api/meta.ts";
import { localPathConfigFile } from "../../csi/catalogue/path-provisioners.ts";
import type { RunFacts } from "../run-facts.ts";
import type { RefusedField } from "./refused-field.ts";

type Claim = KubeObject<"PersistentVolumeClaim">;

const ofConfig = { of: "ConfigMap", field: `data[${localPathConfigFile}]` } as const;
const ofClass = (field: string): Pick<RefusedField, "of" | "field"> => ({
  of: "StorageClass",
  field,
});
const anew = "(recreate the class)";

const refusals: readonly { readonly says: RegExp; readonly refused: RefusedField }[] = [
  {
    says: /config doesn't contain node .*, and no DEFAULT_PATH_FOR_NON_LISTED_NODES available$/,
    refused: {
      ...ofConfig,
      why: "its configuration names neither that node nor a path for all others",
      fix: "add the node, or DEFAULT_PATH_FOR_NON_LISTED_NODES, to nodePathMap",
    },
  },
  {
    says: /no local path available on node /,
    refused: {
      ...ofConfig,
      why: "its configuration has an empty list of paths for that node",
      fix: "name a path of the node in nodePathMap, or keep the pod away from it",
    },
  },
  {
    says: /config doesn't contain path .* on node /,
    refused: {
      ...ofClass("parameters.nodePath"),
      why: "its class wants a nodePath that its configuration does not have for that node",
      fix: `add the path to nodePathMap, or correct nodePath ${anew}`,
    },
  },
  {
    says: /both nodePathMap and sharedFileSystemPath are /,
    refused: {
      ...ofConfig,
      why: "its configuration needs nodePathMap or sharedFileSystemPath, and not both",
      fix: "keep the one of nodePathMap and sharedFileSystemPath that is meant",
    },
  },
  {
    says: /BUG: Got request for unexpected storage class /,
    refused: {
      ...ofConfig,
      why: "its configuration has entries for other classes only",
      fix: "add the class to storageClassConfigs",
    },
  },
  {
    says: /pathPattern must start with |folder path contains invalid references: /,
    refused: {
      ...ofClass("parameters.pathPattern"),
      why: "its class's pathPattern may lead out of the claim's own folder, which v0.0.34 and later refuse",
      fix: `begin pathPattern with {{ .PVC.Namespace }}/{{ .PVC.Name }}/, or set allowUnsafePathPattern to "true" ${anew}`,
    },
  },
  {
    says: /invalid StorageClass parameter (minSize|maxSize) /,
    refused: {
      ...ofClass("parameters"),
      why: "the parameters of its class are wrong",
      fix: `correct the parameters ${anew}`,
    },
  },
];

export function refusedByLocalPath(claim: Claim, message: string): RefusedField | undefined {
  return (
    refusals.find(({ says }) => says.test(message))?.refused ??
    refusedLimit(message) ??
    refusedType(claim, message)
  );
}

function refusedLimit(message: string): RefusedField | undefined {
  const [, limit, value] =
    /PVC requests \S+ which (is below minimum|exceeds maximum) size (\S+)$/.exec(message) ?? [];
  if (value === undefined) return undefined;
  const isTooSmall = limit === "is below minimum";
  const bound = `at ${isTooSmall ? "least" : "most"} ${value}`;
  return {
    field: "spec.resources.requests.storage",
    why: `its volumes have ${bound}`,
    fix: `ask for ${bound}`,
    value,
  };
}

const noNode = "spec.nodeAffinity: Required value: Local volume requires node affinity";

/** Blames the claim's annotation, which takes precedence; without one the class's. */
function refusedType({ metadata }: Claim, message: string): RefusedField | undefined {
  const type = /"(.*)" is not a recognised volume type$/.exec(message)?.[1];
  const isShared = message.includes(noNode);
  if (type === undefined && !isShared) return undefined;
  const types = isShared ? "hostPath" : "local or hostPath";
  const why = isShared
    ? "all nodes share its directory, and a local volume is one node's"
    : `it makes volumes of type local and hostPath, and none of type ${type}`;
  return metadata.annotations?.["volumeType"] === undefined
    ? {
        of: "StorageClass",
        field: "metadata.annotations[defaultVolumeType]",
        why,
        fix: `set the class's annotation defaultVolumeType to ${types}`,
      }
    : {
        field: "metadata.annotations[volumeType]",
        why,
        fix: `set the annotation volumeType to ${types} (recreate the claim)`,
      };
}

/** The ConfigMap that the path provisioner read; undefined if it read none. */
export function pathConfigOf(facts: RunFacts, claim: Claim): Ref | undefined {
  const { because = [] } = facts.lastDecision(refOf(claim), "path-provisioner") ?? {};
  return because.find((ref) => kindOfRef(ref) === "ConfigMap");
}
