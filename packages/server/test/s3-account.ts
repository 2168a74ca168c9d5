// What the S3 server of the tests and its clients agree on.
export const s3Account = { accessKeyId: 'AKTEST', secretAccessKey: 'secret/with+signs=', region: 'cn-north-1' } as const

/** Parts but the last are at least so large; the least of real stores is 5 MiB. */
export const s3LeastPart = 64 * 1024
