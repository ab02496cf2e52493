/**
 * Provisioners of ObjectBucketClaims: a StorageClass may name one, but it makes buckets and never volumes. Rook's
 * and NooBaa's operators register theirs under a fixed name, with their namespace in front of it unless told otherwise.
 */
const bucketProvisioner = /(?:^|\.)(?:ceph\.rook\.io\/bucket|noobaa\.io\/obc)$/;

export function makesBuckets(provisioner: string): boolean {
  return bucketProvisioner.test(provisioner);
}
