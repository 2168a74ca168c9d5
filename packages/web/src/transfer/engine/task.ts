/*
 * A transfer as people see it: everything of one drop, one choice of files or one download ([R193]), and its life ([R194]):
 *
 *   doing ──► completed        every file has arrived or failed
 *     │ ▲         │
 *     ▼ │         └──restart failed──► doing, with the counters of what failed set back
 *    pause                             an interrupted task is gone, and what is heard of it later is dropped
 */
import { limits } from '@cloudoc/domain'
import type { TransferRow } from '../../core/storage/database.ts'
import type { TransferError } from './states.ts'

export type UploadPolicy = 'refuse' | 'version' | 'keepBoth' | 'skip'
export type TransferStatus = TransferRow['status']

/** What editing does with the server ([R198]). */
export type EditOperation = 'lock' | 'editDownload' | 'submit' | 'unlock'

/** Why one file of a task did not arrive. */
export interface ErrorFile {
  readonly name: string
  readonly error: TransferError
}

/** What is asked of an upload ([R197]). */
export interface UploadParams {
  readonly serverId: number
  readonly secretLevel: number
  readonly duration: number
  readonly unit: number
  /** Where it was asked for; `RightClick` ends with the dialog that opens the folder ([R204]). */
  readonly uploadType: 'RightClick' | 'Button' | 'Drop' | 'Paste'
}

/** The parameters of an upload that nobody said anything else about. */
export const defaultUploadParams: UploadParams = {
  serverId: 0,
  secretLevel: 0,
  duration: 0,
  unit: 0,
  uploadType: 'Button',
}

/** The record of a transfer, with the fields of the documents ([R193]); what a browser does not do keeps its rest value. */
export interface TransferTask extends Omit<TransferRow, 'accountId'> {
  /** A browser does not say where a file lies; of what was saved where the person chose, the name. */
  readonly localPath: string
  /** What was chosen for all taken names of the task ([R196]). */
  readonly sameFileWay: UploadPolicy | ''
  /** The first of them. */
  readonly errorFiles: readonly ErrorFile[]
  readonly showProgress: 'true'
  /** It belongs to editing in the page. */
  readonly isOnlineEdit: boolean
  readonly downloadWithSandbox: false
  /** Files that needed not be sent. */
  readonly instantFileCount: number
  /** What its picture is drawn by. */
  readonly firstName: string
  readonly isFolder: boolean
  readonly params: UploadParams
  /** Of a download: what it asks for. */
  readonly source?: DownloadSource | undefined
  /** Of editing in the page: what is done; `source` names the file. */
  readonly operation?: EditOperation | undefined
  /** The browser does it by itself: what becomes of it no page can know. */
  readonly handedOver?: boolean | undefined
}

/** What a download asks for. */
export interface DownloadSource {
  readonly address: string
  readonly fileIdArray: readonly number[]
  readonly folderIdArray: readonly number[]
}

/** What a new task is told. */
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

/** The record of a task that begins now. */
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

/** A file of the task has arrived. */
export function fileArrived(task: TransferTask, instant: boolean): TransferTask {
  return {
    ...task,
    successFileCount: task.successFileCount + 1,
    instantFileCount: task.instantFileCount + (instant ? 1 : 0),
  }
}

/** A file of the task has failed. */
export function fileFailed(task: TransferTask, file: ErrorFile): TransferTask {
  const errorFiles = task.errorFiles.length < limits.duplicateNames ? [...task.errorFiles, file] : task.errorFiles
  return { ...task, errorFileCount: task.errorFileCount + 1, errorFiles }
}

/** A file of the task is left out: it counts no more. */
export function fileLeftOut(task: TransferTask, size: number): TransferTask {
  return { ...task, totalFileCount: task.totalFileCount - 1, totalSize: task.totalSize - size }
}

/** The task rests; `ranFor` is how long it has run since it last began. */
export function paused(task: TransferTask, ranFor: number): TransferTask {
  if (task.status !== 'doing') return task
  return { ...task, status: 'pause', speed: 0, spendTime: task.spendTime + ranFor }
}

/** The task goes on. */
export function restarted(task: TransferTask): TransferTask {
  return task.status === 'pause' ? { ...task, status: 'doing' } : task
}

/** What failed is tried again: its counters are set back, the task is under way ([R194]). */
export function failedRestarted(task: TransferTask): TransferTask {
  return {
    ...task,
    status: 'doing',
    errorFileCount: 0,
    errorFiles: [],
    progress: 0,
    speed: 0,
    completedTime: 0,
  }
}

/** One file that failed is tried again; `failures` are those that are left. The others go on as they were. */
export function fileRestarted(task: TransferTask, failures: readonly ErrorFile[]): TransferTask {
  const counted = {
    ...task,
    errorFileCount: failures.length,
    errorFiles: failures.slice(0, limits.duplicateNames),
  }
  return task.status === 'completed' ? { ...counted, status: 'doing', progress: 0, completedTime: 0 } : counted
}

/** How far the task is, for so many bytes sent; it never goes back, and 1000 is told only when it is over. */
export function advanced(task: TransferTask, sent: number, settledFiles: number): TransferTask {
  if (task.status === 'completed') return task
  const share = task.totalSize > 0 ? sent / task.totalSize : settledFiles / Math.max(1, task.totalFileCount)
  const progress = Math.min(limits.progressComplete - 1, Math.floor(share * limits.progressComplete))
  return progress > task.progress ? { ...task, progress } : task
}
