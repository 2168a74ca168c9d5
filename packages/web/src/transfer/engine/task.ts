/*
 * A transfer as the user sees it: one drop, one choice of files or one download ([R193]), and its life cycle ([R194]):
 *
 *   doing ──► completed        every file has arrived or failed
 *     │ ▲         │
 *     ▼ │         └──restart failed──► doing, with the counters of the failed files reset
 *    pause                             an interrupted task is deleted, and later results of it are ignored
 */
import { limits } from '@cloudoc/domain'
import type { TransferRow } from '../../core/storage/database.ts'
import type { TransferError } from './states.ts'

export type UploadPolicy = 'refuse' | 'version' | 'keepBoth' | 'skip'
export type TransferStatus = TransferRow['status']

/** The server operations of editing ([R198]). */
export type EditOperation = 'lock' | 'editDownload' | 'submit' | 'unlock'

/** The reason why one file of a task did not arrive. */
export interface ErrorFile {
  readonly name: string
  readonly error: TransferError
}

/** The parameters of an upload ([R197]). */
export interface UploadParams {
  readonly serverId: number
  /** The folder that receives the files. `folderId` is a field of the task. */
  readonly folderInfo?: { readonly serverId: number; readonly fId: number; readonly fName: string }
  readonly secretLevel: number
  readonly duration: number
  readonly unit: number
  /** How the upload was started. `RightClick` ends with the dialog that opens the folder ([R204]). */
  readonly uploadType: 'RightClick' | 'Button' | 'Drop' | 'Paste'
}

/** The default parameters of an upload. */
export const defaultUploadParams: UploadParams = {
  serverId: 0,
  secretLevel: 0,
  duration: 0,
  unit: 0,
  uploadType: 'Button',
}

/**
 * The record of a transfer, with the fields of the specification ([R193]). Fields that do not apply to a browser have
 * their default value.
 */
export interface TransferTask extends Omit<TransferRow, 'accountId'> {
  /** Only the name of a file saved to a chosen target, because a browser does not reveal file paths. */
  readonly localPath: string
  /** The decision for all taken names of the task ([R196]). */
  readonly sameFileWay: UploadPolicy | ''
  /** The first failed files. */
  readonly errorFiles: readonly ErrorFile[]
  readonly showProgress: 'true'
  /** The task belongs to editing in the page. */
  readonly isOnlineEdit: boolean
  readonly downloadWithSandbox: false
  /** The bytes that had arrived before the failed files were tried again: `totalSize` counts the others ([R194]). */
  readonly sizeBefore?: number
  /** The number of files that did not need to be sent. */
  readonly instantFileCount: number
  /** The name that determines its icon. */
  readonly firstName: string
  readonly isFolder: boolean
  readonly params: UploadParams
  /** For a download: its source. */
  readonly source?: DownloadSource | undefined
  /** For editing in the page: the operation. `source` identifies the file. */
  readonly operation?: EditOperation | undefined
  /** The browser runs the download by itself, so its result is unknown. */
  readonly handedOver?: boolean | undefined
}

/** The source of a download. */
export interface DownloadSource {
  /** Undefined in tasks that were stored without it: the main server. */
  readonly serverId?: number
  readonly address: string
  readonly fileIdArray: readonly number[]
  readonly folderIdArray: readonly number[]
}

/** The fields of a new task. */
export type NewTask = Pick<
  TransferTask,
  | 'description'
  | 'totalSize'
  | 'type'
  | 'folderId'
  | 'cloudPath'
  | 'totalFileCount'
  | 'firstName'
  | 'isFolder'
  | 'params'
  | 'source'
  | 'operation'
> & { readonly sameFileWay?: UploadPolicy | ''; readonly localPath?: string }

/** Returns the record of a task that starts now. */
export function newTask(task: NewTask, now: number): Omit<TransferTask, 'taskId'> {
  return {
    sameFileWay: '',
    localPath: '',
    ...task,
    progress: 0,
    speed: 0,
    status: 'doing',
    createTime: now,
    completedTime: 0,
    sameNameFiles: [],
    successFileCount: 0,
    errorFileCount: 0,
    errorFiles: [],
    showProgress: 'true',
    isOnlineEdit: task.operation !== undefined,
    downloadWithSandbox: false,
    spendTime: 0,
    instantFileCount: 0,
  }
}

/** Completes a task whose files have all arrived or failed ([R194]). */
export function settle(task: TransferTask, now: number): TransferTask {
  const isOver = task.successFileCount + task.errorFileCount >= task.totalFileCount
  if (task.status !== 'doing' || !isOver) return task
  return { ...task, status: 'completed', progress: limits.progressComplete, speed: 0, completedTime: now }
}

/** Counts an arrived file. */
export function fileArrived(task: TransferTask, instant: boolean): TransferTask {
  return {
    ...task,
    successFileCount: task.successFileCount + 1,
    instantFileCount: task.instantFileCount + (instant ? 1 : 0),
  }
}

/** Counts a failed file. */
export function fileFailed(task: TransferTask, file: ErrorFile): TransferTask {
  const errorFiles = task.errorFiles.length < limits.duplicateNames ? [...task.errorFiles, file] : task.errorFiles
  return { ...task, errorFileCount: task.errorFileCount + 1, errorFiles }
}

/** Removes an excluded file from the counters. */
export function fileLeftOut(task: TransferTask, size: number): TransferTask {
  return { ...task, totalFileCount: task.totalFileCount - 1, totalSize: task.totalSize - size }
}

/** Pauses the task. `ranFor` is the time since its last start. */
export function paused(task: TransferTask, ranFor: number): TransferTask {
  if (task.status !== 'doing') return task
  return { ...task, status: 'pause', speed: 0, spendTime: task.spendTime + ranFor }
}

/** Resumes the task. */
export function restarted(task: TransferTask): TransferTask {
  return task.status === 'pause' ? { ...task, status: 'doing' } : task
}

/**
 * Retries the failed files: resets their counters and sets the task to running ([R194]). The size is that of the files
 * that are still to arrive, so that the progress starts at 0 again.
 */
export function failedRestarted(task: TransferTask, sizeLeft = task.totalSize): TransferTask {
  return {
    ...task,
    totalSize: sizeLeft,
    sizeBefore: (task.sizeBefore ?? 0) + task.totalSize - sizeLeft,
    status: 'doing',
    errorFileCount: 0,
    errorFiles: [],
    progress: 0,
    speed: 0,
    completedTime: 0,
  }
}

/** Retries one failed file. `failures` are the remaining ones. The others are not affected. */
export function fileRestarted(task: TransferTask, failures: readonly ErrorFile[]): TransferTask {
  const counted = {
    ...task,
    errorFileCount: failures.length,
    errorFiles: failures.slice(0, limits.duplicateNames),
  }
  return task.status === 'completed' ? { ...counted, status: 'doing', progress: 0, completedTime: 0 } : counted
}

/**
 * Returns the task with its progress for this number of sent bytes. The progress never decreases, and it reaches 1000
 * only at the end.
 */
export function advanced(task: TransferTask, sent: number, settledFiles: number): TransferTask {
  if (task.status === 'completed') return task
  const share = task.totalSize > 0 ? sent / task.totalSize : settledFiles / Math.max(1, task.totalFileCount)
  const progress = Math.min(limits.progressComplete - 1, Math.floor(share * limits.progressComplete))
  return progress > task.progress ? { ...task, progress } : task
}
