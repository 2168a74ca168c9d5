// Start failures that the operator can fix, as one line.
import { ConfigError } from './config.ts'
import { ForeignStore } from './core/blobs/claim.ts'
import { StoreUnusable } from './core/blobs/s3-store.ts'
import { EmbeddedPostgresError } from './core/db/embedded-postgres.ts'
import { UnsafeDatabase } from './core/db/fitness.ts'
import { PasswordFileUnusable, UnfitPassword } from './first-start.ts'
import { RecoveryRefused } from './people/organisation/index.ts'
import { BackupRefused } from './system/backup/index.ts'

/** A start failed for a reason that the operator can fix; the message is one line. */
class OperatorMistake extends Error {
  override name = 'OperatorMistake'
}

type Explain = (code: string, message: string) => string | undefined

/** Awaits one step of the start, and explains what the operator can do if it fails for a reason of theirs. */
export async function step<T>(work: Promise<T>, explain: Explain): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (operatorMistake(error) !== undefined) throw error
    const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
    const line = explain(code, message.split('\n')[0] ?? '')
    throw line === undefined ? error : new OperatorMistake(line)
  }
}

/** The line of an operator's mistake; undefined if the fault is in the product. */
export function operatorMistake(error: unknown): string | undefined {
  const kinds = [
    ConfigError,
    OperatorMistake,
    UnsafeDatabase,
    StoreUnusable,
    ForeignStore,
    EmbeddedPostgresError,
    BackupRefused,
    RecoveryRefused,
    UnfitPassword,
    PasswordFileUnusable,
  ]
  return kinds.some((kind) => error instanceof kind) ? (error as Error).message : undefined
}

const ofFolders = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'ENOSPC',
  'ELOOP',
  'ENAMETOOLONG',
])

/** The data folder and its content. */
export const folderStep: Explain = (code, message) =>
  ofFolders.has(code) ? `The data folder cannot be used: ${message}` : undefined

const toDatabase = /^(E[A-Z]+|[0-9A-Z]{5}|ERR_TLS.*|.*_CERT.*)$/

/** Failures of PostgreSQL or the connection to it: an address, a password, a database, a missing privilege. */
export const databaseStep: Explain = (code, message) =>
  folderStep(code, message) ??
  (toDatabase.test(code) || /timeout|terminated|SSL|SASL/i.test(message)
    ? `The database cannot be used: ${message || code}`
    : undefined)

/** The blob store. */
export const storeStep: Explain = (code, message) =>
  code === 'storageUnavailable' || message.startsWith('the S3 store refused')
    ? `The contents cannot be listed: ${code === 'storageUnavailable' ? 'the store does not answer' : message}.`
    : undefined

/** The address that the server listens on. */
export const listenStep: Explain = (code) => {
  if (code === 'EADDRINUSE') return 'The port is in use; choose another with --port.'
  if (code === 'EACCES') return 'The port may not be opened by this user; choose one above 1023.'
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'HOST is no address of this machine.'
  return undefined
}
