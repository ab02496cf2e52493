/** Which field a provisioner refuses, and what to write there. */
export interface RefusedField {
  readonly field: string;
  /** The object that has the field; the claim if absent. */
  readonly of?: "StorageClass" | "VolumeAttributesClass" | "ConfigMap";
  /** The wrong parameter of the class, in the driver's spelling. */
  readonly parameter?: string | undefined;
  /** The clause that the headline ends with. */
  readonly why?: string;
  /** True if the provisioner does not try again. */
  readonly isFinal?: boolean;
  /** The source that the provisioner did not find in the claim's namespace. */
  readonly missing?: Source;
  /** The source that exists, but cannot be copied from yet. */
  readonly awaited?: Source;
  readonly fix: string;
  /** What writing the value does; present if the fix names an alternative as well. */
  readonly doing?: string;
  /** What the field should be; null removes it. */
  readonly value?: string | null;
}

interface Source {
  readonly kind: "PersistentVolumeClaim" | "VolumeSnapshot";
  readonly name: string;
}
