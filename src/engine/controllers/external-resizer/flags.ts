/** The sidecar's command line, where it is left as it is. Upstream: external-resizer v2.2 cmd/csi-resizer/main.go. */

/** --timeout. */
export const callTimeoutMs = 10_000;
/** --resync-period: upstream looks at all claims again, here at those for which that can make a difference. */
export const resyncPeriodMs = 600_000;
/** --retry-interval-max. */
export const slowRetentionMs = 300_000;
