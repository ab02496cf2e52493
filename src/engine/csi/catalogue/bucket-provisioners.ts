/**
 * Provisioners of ObjectBucketClaims: a StorageClass may name one, but it makes buckets, never volumes. The operators of Rook
 * and NooBaa register theirs under a fixed name, prefixed with their namespace unless configured otherwise.
 */
const bucketProvisioner = /(?:^|\.)(?:ceph\.rook\.io\/bucket|noobaa\.io\/obc)$/;

export function makesBuckets(provisioner: string): boolean {
  return bucketProvisioner.test(provisioner);
}
