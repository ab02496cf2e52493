/** Which field a provisioner refuses, and what to write there. */
export interface RefusedField {
  readonly field: string;
  /** Whose field it is; the claim's where absent. */
  readonly of?: "StorageClass" | "VolumeAttributesClass" | "ConfigMap";
  /** The one of the class's parameters that is wrong, in the driver's spelling. */
  readonly parameter?: string | undefined;
  /** Why, behind the headline. */
  readonly why?: string;
  /** Said once and not tried again. */
  readonly isFinal?: boolean;
  /** The source that the provisioner has not found in the claim's namespace. */
  readonly missing?: Source;
  /** The source that is there, and that nothing can be copied from yet. */
  readonly awaited?: Source;
  readonly fix: string;
  /** What writing the value does, where the fix names another way beside it. */
  readonly doing?: string;
  /** What the field should be, null for nothing. */
  readonly value?: string | null;
}

interface Source {
  readonly kind: "PersistentVolumeClaim" | "VolumeSnapshot";
  readonly name: string;
}
