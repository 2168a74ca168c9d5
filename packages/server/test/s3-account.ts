// The credentials of the test S3 server, shared with its clients.
export const s3Account = { accessKeyId: 'AKTEST', secretAccessKey: 'secret/with+signs=', region: 'cn-north-1' } as const

/** The minimum part size, except for the last part; real stores require 5 MiB. */
export const s3LeastPart = 64 * 1024
