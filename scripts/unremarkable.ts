/**
 * Values that certainly break no rule and cause no warning, so that validation can be skipped. Everything that is not listed
 * here goes through the rules in src/engine/api/validation. `test/engine/api/plain-objects.test.ts` compares both ways.
 *
 * A field may have `any` value of its type (structs have to be listed here themselves), one of several texts, or a value that
 * the named function of validation/unremarkable.ts accepts; for maps the function is called for each entry.
 */

export type Look = string | readonly string[];

export interface Unremarkable {
  readonly fields: Readonly<Record<string, Look>>;
  /** Fields that must be present. */
  readonly needs?: readonly string[];
  /** Fields of which exactly one must be present. */
  readonly oneOf?: readonly string[];
  /** Fields of which at most one may be present. */
  readonly atMostOneOf?: readonly string[];
  /** A check on several fields together: the name of a function of validation/unremarkable.ts, then the fields it takes. */
  readonly together?: readonly [name: string, ...fields: readonly string[]];
}

const any = "any";
const named = { apiVersion: any, kind: any, metadata: "isNamedMeta" };
const ids = { runAsUser: "isId", runAsGroup: "isId", runAsNonRoot: any, seccompProfile: any };

export const unremarkable: Readonly<Record<string, Unremarkable>> = {
  ObjectMeta: {
    fields: {
      name: "isLabel",
      generateName: "isNamePrefix",
      namespace: "isLabel",
      labels: "isLabelPair",
      annotations: "isAnnotationPair",
      finalizers: "areQualified",
      ownerReferences: "isSingle",
    },
  },
  OwnerReference: {
    fields: {
      apiVersion: ["v1", "apps/v1", "batch/v1"],
      kind: ["DaemonSet", "Deployment", "Job", "Node", "Pod", "ReplicaSet", "StatefulSet"],
      name: "isFilled",
      uid: "isFilled",
      controller: any,
      blockOwnerDeletion: any,
    },
  },

  Namespace: { fields: named, needs: ["metadata"] },
  ServiceAccount: { fields: named, needs: ["metadata"] },
  Secret: {
    fields: { ...named, stringData: "isDataPair", type: ["Opaque"] },
    needs: ["metadata"],
  },
  ConfigMap: {
    fields: { ...named, data: "isDataPair", immutable: any },
    needs: ["metadata"],
  },
  Service: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  ServiceSpec: {
    fields: {
      selector: "isLabelPair",
      ports: "isSingle",
      clusterIP: ["None"],
      type: ["ClusterIP"],
    },
    needs: ["ports"],
  },
  ServicePort: {
    fields: {
      name: "isLabel",
      port: "isPort",
      targetPort: "isPortOrName",
      protocol: ["TCP", "UDP", "SCTP"],
    },
  },

  StorageClass: {
    fields: {
      ...named,
      provisioner: "isProvisioner",
      parameters: "isParameterPair",
      reclaimPolicy: ["Delete", "Retain"],
      volumeBindingMode: ["Immediate", "WaitForFirstConsumer"],
      allowVolumeExpansion: any,
      mountOptions: any,
    },
    needs: ["metadata"],
  },
  PersistentVolumeClaim: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  PersistentVolumeClaimSpec: {
    fields: {
      accessModes: "isAccessModes",
      dataSource: any,
      resources: any,
      selector: any,
      storageClassName: "isNameOrEmpty",
      volumeMode: ["Block", "Filesystem"],
      volumeName: any,
    },
    needs: ["accessModes", "resources"],
  },
  TypedLocalObjectReference: {
    fields: {
      apiGroup: ["snapshot.storage.k8s.io"],
      kind: ["PersistentVolumeClaim", "VolumeSnapshot"],
      name: "isFilled",
    },
    together: ["isCopySource", "kind", "apiGroup"],
  },
  VolumeResourceRequirements: { fields: { requests: "isStorageAmount" }, needs: ["requests"] },
  PersistentVolume: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  PersistentVolumeSpec: {
    fields: {
      accessModes: "isAccessModes",
      capacity: "isStorageAmount",
      claimRef: any,
      csi: any,
      hostPath: any,
      local: any,
      mountOptions: any,
      nfs: any,
      nodeAffinity: any,
      persistentVolumeReclaimPolicy: ["Delete", "Retain"],
      storageClassName: "isNameOrEmpty",
      volumeMode: ["Block", "Filesystem"],
    },
    needs: ["accessModes", "capacity"],
    oneOf: ["csi", "hostPath", "local", "nfs"],
    together: ["isPlacedIfLocal", "local", "nodeAffinity"],
  },
  ObjectReference: {
    fields: {
      apiVersion: any,
      kind: any,
      name: any,
      namespace: any,
      resourceVersion: any,
      uid: any,
    },
  },
  CSIPersistentVolumeSource: {
    fields: {
      driver: "isDriverName",
      fsType: any,
      readOnly: any,
      volumeAttributes: any,
      volumeHandle: "isFilled",
    },
  },
  HostPathVolumeSource: {
    fields: {
      path: "isPath",
      type: ["", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "BlockDevice"],
    },
  },
  LocalVolumeSource: { fields: { path: "isPath", fsType: any } },
  NFSVolumeSource: { fields: { server: "isFilled", path: "isAbsolutePath", readOnly: any } },
  VolumeNodeAffinity: { fields: { required: any }, needs: ["required"] },
  NodeSelector: { fields: { nodeSelectorTerms: "isFilledList" } },
  NodeSelectorTerm: { fields: { matchExpressions: any } },
  NodeSelectorRequirement: {
    fields: { key: "isNodeLabelKey", operator: ["In", "NotIn"], values: "isLabelValues" },
    needs: ["values"],
  },
  LabelSelector: { fields: { matchLabels: "isLabelPair", matchExpressions: any } },
  LabelSelectorRequirement: {
    fields: { key: "isLabelKey", operator: ["In", "NotIn"], values: "isLabelValues" },
    needs: ["values"],
  },

  Node: { fields: { ...named, spec: any, status: any }, needs: ["metadata"] },
  NodeSpec: { fields: { providerID: any, unschedulable: any } },
  NodeStatus: { fields: { capacity: "isNodeAmount" } },
  VolumeSnapshot: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  VolumeSnapshotSpec: {
    fields: { source: any, volumeSnapshotClassName: "isFilled" },
    needs: ["source"],
  },
  VolumeSnapshotSource: {
    fields: { persistentVolumeClaimName: "isFilled", volumeSnapshotContentName: "isFilled" },
    oneOf: ["persistentVolumeClaimName", "volumeSnapshotContentName"],
  },

  Deployment: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  DeploymentSpec: {
    fields: {
      replicas: "isAmount",
      revisionHistoryLimit: "isAmount",
      selector: any,
      strategy: any,
      template: any,
    },
    needs: ["selector", "template"],
    together: ["isDeployable", "selector", "template"],
  },
  DeploymentStrategy: { fields: { type: ["Recreate", "RollingUpdate"] } },
  ReplicaSet: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  ReplicaSetSpec: {
    fields: { replicas: "isAmount", selector: any, template: any },
    needs: ["selector", "template"],
    together: ["isDeployable", "selector", "template"],
  },
  DaemonSet: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  DaemonSetSpec: {
    fields: { revisionHistoryLimit: "isAmount", selector: any, template: any },
    needs: ["selector", "template"],
    together: ["isDeployable", "selector", "template"],
  },
  StatefulSet: { fields: { ...named, spec: any }, needs: ["metadata", "spec"] },
  StatefulSetSpec: {
    fields: {
      persistentVolumeClaimRetentionPolicy: any,
      podManagementPolicy: ["OrderedReady", "Parallel"],
      replicas: "isAmount",
      revisionHistoryLimit: "isAmount",
      selector: any,
      serviceName: "isLabel",
      template: any,
      volumeClaimTemplates: any,
    },
    needs: ["selector", "template"],
    together: ["isDeployable", "selector", "template", "volumeClaimTemplates"],
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: {
    fields: { whenDeleted: ["Delete", "Retain"], whenScaled: ["Delete", "Retain"] },
  },
  PodTemplateSpec: { fields: { metadata: any, spec: any }, needs: ["spec"] },
  Pod: {
    fields: { ...named, spec: any },
    needs: ["metadata", "spec"],
    together: ["isRunnable", "spec"],
  },
  PodSpec: {
    fields: {
      automountServiceAccountToken: any,
      containers: "areContainers",
      dnsPolicy: ["ClusterFirst", "ClusterFirstWithHostNet", "Default"],
      enableServiceLinks: any,
      nodeSelector: "isNodeLabelPair",
      restartPolicy: ["Always"],
      schedulerName: any,
      securityContext: any,
      serviceAccountName: "isLabel",
      terminationGracePeriodSeconds: "isAmount",
      tolerations: any,
      volumes: "haveOwnNames",
    },
  },
  Toleration: {
    fields: {
      effect: ["NoSchedule", "PreferNoSchedule", "NoExecute"],
      key: "isLabelKey",
      operator: ["Exists"],
    },
    needs: ["operator"],
  },
  PodSecurityContext: {
    fields: { ...ids, fsGroup: "isId", fsGroupChangePolicy: ["Always", "OnRootMismatch"] },
  },
  SeccompProfile: { fields: { type: ["RuntimeDefault", "Unconfined"] } },
  SecurityContext: {
    fields: {
      ...ids,
      allowPrivilegeEscalation: any,
      capabilities: any,
      privileged: "isFalse",
      readOnlyRootFilesystem: any,
    },
  },
  Capabilities: { fields: { drop: any } },
  Container: {
    fields: {
      args: any,
      command: any,
      env: "haveOwnNames",
      image: "isWritten",
      imagePullPolicy: ["Always", "IfNotPresent", "Never"],
      livenessProbe: any,
      name: "isLabel",
      ports: any,
      readinessProbe: any,
      resources: any,
      securityContext: any,
      startupProbe: any,
      terminationMessagePath: any,
      terminationMessagePolicy: ["File", "FallbackToLogsOnError"],
      volumeMounts: "haveOwnPaths",
      workingDir: any,
    },
    needs: ["image"],
  },
  ContainerPort: {
    fields: { containerPort: "isPort", name: "isPortName", protocol: ["TCP", "UDP", "SCTP"] },
  },
  EnvVar: {
    fields: { name: "isEnvName", value: any, valueFrom: any },
    atMostOneOf: ["value", "valueFrom"],
  },
  EnvVarSource: {
    fields: { configMapKeyRef: any, fieldRef: any, secretKeyRef: any },
    oneOf: ["configMapKeyRef", "fieldRef", "secretKeyRef"],
  },
  ObjectFieldSelector: {
    fields: {
      apiVersion: ["v1"],
      fieldPath: [
        "metadata.name",
        "metadata.namespace",
        "metadata.uid",
        "spec.nodeName",
        "spec.serviceAccountName",
        "status.hostIP",
        "status.podIP",
      ],
    },
  },
  ConfigMapKeySelector: {
    fields: { key: "isConfigKey", name: "isLabel", optional: any },
    needs: ["name"],
  },
  SecretKeySelector: {
    fields: { key: "isConfigKey", name: "isLabel", optional: any },
    needs: ["name"],
  },
  Probe: {
    fields: {
      exec: any,
      failureThreshold: "isAmount",
      httpGet: any,
      initialDelaySeconds: "isAmount",
      periodSeconds: "isAmount",
      successThreshold: "isOne",
      tcpSocket: any,
      timeoutSeconds: "isAmount",
    },
    oneOf: ["exec", "httpGet", "tcpSocket"],
  },
  ExecAction: { fields: { command: any }, needs: ["command"] },
  HTTPGetAction: {
    fields: { host: any, path: any, port: "isPortOrName", scheme: ["HTTP", "HTTPS"] },
  },
  TCPSocketAction: { fields: { host: any, port: "isPortOrName" } },
  ResourceRequirements: {
    fields: { limits: "isComputeAmount", requests: "isComputeAmount" },
    together: ["isWithinLimits", "limits", "requests"],
  },
  VolumeMount: {
    fields: { mountPath: "isFilled", name: any, readOnly: any, subPath: "isDescendingPath" },
  },
  Volume: {
    fields: {
      configMap: any,
      emptyDir: any,
      ephemeral: any,
      hostPath: any,
      name: "isLabel",
      nfs: any,
      persistentVolumeClaim: any,
      secret: any,
    },
    atMostOneOf: [
      "configMap",
      "emptyDir",
      "ephemeral",
      "hostPath",
      "nfs",
      "persistentVolumeClaim",
      "secret",
    ],
  },
  ConfigMapVolumeSource: {
    fields: { defaultMode: "isFileMode", name: any, optional: any },
    needs: ["name"],
  },
  EphemeralVolumeSource: {
    fields: { volumeClaimTemplate: any },
    needs: ["volumeClaimTemplate"],
  },
  PersistentVolumeClaimTemplate: { fields: { spec: any }, needs: ["spec"] },
  EmptyDirVolumeSource: { fields: { medium: any, sizeLimit: "isSize" } },
  PersistentVolumeClaimVolumeSource: { fields: { claimName: "isFilled", readOnly: any } },
  SecretVolumeSource: {
    fields: { defaultMode: "isFileMode", optional: any, secretName: any },
    needs: ["secretName"],
  },
};
