/** The region of a zone, by the names that clouds give them. Upstream: csi-translation-lib v0.36 plugins/. */

/** us-east-1 for us-east-1a, local zone us-east-1-bos-1a and wavelength zones. Upstream: aws_ebs.go getAwsRegionFromZones. */
export function awsRegionOf(zone: string): string | undefined {
  const parts = zone.split("-");
  if (parts.length === 5 || parts.length === 7) return parts.slice(0, 3).join("-");
  const isUsual = (parts.length === 3 || parts.length === 4) && parts.at(-1)?.length === 2;
  return isUsual ? zone.slice(0, -1) : undefined;
}

/** Upstream: gce_pd.go gceGetRegionFromZones. */
export function gceRegionOf(zone: string): string | undefined {
  const parts = zone.split("-");
  return parts.length === 3 ? parts.slice(0, 2).join("-") : undefined;
}
