/** Default values of the sidecar's flags. Upstream: external-resizer v2.2 cmd/csi-resizer/main.go. */

/** --timeout. */
export const callTimeoutMs = 10_000;
/** --resync-period: upstream syncs all claims again, here those for which that can make a difference. */
export const resyncPeriodMs = 600_000;
/** --retry-interval-max. */
export const slowRetentionMs = 300_000;
