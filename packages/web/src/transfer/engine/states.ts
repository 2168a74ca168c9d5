/*
 * What is said of a transfer ([R195]): the 18 kinds of the documents, each with its words and what to do about it
 * (texts.*.ts), and which of them a result code is.
 */
import type { CodeName } from '@cloudoc/domain'
import type { FailureCode } from '../../core/call/api.ts'

/** The kinds of the documents, in their order. */
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

/** Why a file did not arrive: a result code, or what only this side knows. */
export type TransferError =
  | FailureCode
  | 'fileChanged'
  /** The disk of this computer, or what the browser may use of it, is full. */
  | 'diskFull'
  /** The file that was chosen cannot be written. */
  | 'unwritable'
  /** The browser wants the person to allow it once more. */
  | 'needsHand'
  /** Only the browser itself can fetch it. */
  | 'elsewhere'

/** Why a file did not arrive. */
export class TransferFailure extends Error {
  override readonly name = 'TransferFailure'
  readonly code: TransferError
  /** What the server said of it, where that is known. */
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
}

/** The kind that an error is told as. */
export function kindOf(error: TransferError): TransferKind {
  return kinds[error] ?? 'error'
}

/** Errors whose own words say more than those of their kind. */
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

/** The code whose words say more than its kind, if it has such. */
export function preciseCode(error: TransferError): CodeName | undefined {
  return precise.includes(error) ? (error as CodeName) : undefined
}

/** Failures of the way and not of the file: it is sent again when there is a way. */
export function isConnectionError(error: TransferError): boolean {
  return error === 'network' || error === 'timeout'
}
