/*
 * The message kinds of a transfer ([R195]): the 18 kinds of the specification, each with its text and advice
 * (texts.*.ts), and the mapping from result codes to kinds.
 */
import type { CodeName } from '@cloudoc/domain'
import type { FailureCode } from '../../core/call/api.ts'

/** The kinds of the specification, in order. */
export const transferKinds = [
  'waiting',
  'running',
  'paused',
  'error',
  'connectionError',
  'serverError',
  'noAccess',
  'fileSizeLimit',
  'spaceShortage',
  'illegalName',
  'virus',
  'encryptionFailure',
  'fileInUse',
  'editConflict',
  'typeRestricted',
  'downloadLimit',
  'watermarkDownloadLimit',
  'sandboxUnsupported',
] as const

export type TransferKind = (typeof transferKinds)[number]

/** The reason why a file did not arrive: a result code, or a reason that only the client knows. */
export type TransferError =
  | FailureCode
  | 'fileChanged'
  /** The disk of this computer, or the browser's quota, is full. */
  | 'diskFull'
  /** The chosen file cannot be written. */
  | 'unwritable'
  /** The browser requires the user's permission again. */
  | 'needsHand'
  /** The daily limit refuses a copy with a watermark. */
  | 'watermarkDownloadLimit'
  /** Only the browser itself can download it. */
  | 'elsewhere'

/** The error of a file that did not arrive. */
export class TransferFailure extends Error {
  override readonly name = 'TransferFailure'
  readonly code: TransferError
  /** The message of the server, if known. */
  readonly said: string

  constructor(code: TransferError, said = '') {
    super(code)
    this.code = code
    this.said = said
  }
}

const kinds: Partial<Readonly<Record<TransferError, TransferKind>>> = {
  network: 'connectionError',
  timeout: 'connectionError',
  uploadInterrupted: 'connectionError',
  uploadNotFinished: 'connectionError',
  serverException: 'serverError',
  http: 'serverError',
  storageUnavailable: 'serverError',
  noPermission: 'noAccess',
  notFound: 'noAccess',
  notLoggedIn: 'noAccess',
  secretLevel: 'noAccess',
  uploadSizeExceeded: 'fileSizeLimit',
  fileSizeExceeded: 'fileSizeLimit',
  folderSizeExceeded: 'spaceShortage',
  userSizeExceeded: 'spaceShortage',
  colleagueSizeExceeded: 'spaceShortage',
  capacityExceeded: 'spaceShortage',
  capacityNotSatisfied: 'spaceShortage',
  illegalName: 'illegalName',
  nameTooLong: 'illegalName',
  tooDeep: 'illegalName',
  virusFile: 'virus',
  fileLocked: 'fileInUse',
  noEditLock: 'fileInUse',
  fileChanged: 'fileInUse',
  diskFull: 'spaceShortage',
  versionMissing: 'noAccess',
  fileConflict: 'editConflict',
  typeRestricted: 'typeRestricted',
  linkDownloadLimit: 'downloadLimit',
  downloadLimit: 'downloadLimit',
  watermarkDownloadLimit: 'watermarkDownloadLimit',
  encryptionFailed: 'encryptionFailure',
  sandboxMissing: 'sandboxUnsupported',
}

/** Returns the message kind of an error. */
export function kindOf(error: TransferError): TransferKind {
  return kinds[error] ?? 'error'
}

/** Errors whose own text is more precise than that of their kind. */
const precise: readonly TransferError[] = [
  'alreadyExists',
  'notFound',
  'secretLevel',
  'folderSizeExceeded',
  'userSizeExceeded',
  'colleagueSizeExceeded',
  'nameTooLong',
  'tooDeep',
  'sendingTooOften',
  'storageUnavailable',
]

/** Returns the code whose text is more precise than that of its kind, if there is one. */
export function preciseCode(error: TransferError): CodeName | undefined {
  return precise.includes(error) ? (error as CodeName) : undefined
}

/** Whether the connection failed and not the file. The file is sent again when the connection is back. */
export function isConnectionError(error: TransferError): boolean {
  return error === 'network' || error === 'timeout'
}
