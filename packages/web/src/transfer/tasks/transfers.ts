// The transfers of this page: connects the engine with the session, the other tabs and the screens.

import { shortName } from '@cloudoc/domain'
import { useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import { mainServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { reachServer } from '../../core/push/connection.ts'
import { type Preferences, preferencesStore } from '../../core/storage/preferences.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { keyOf } from '../../items/item/item.ts'
import { transferredItemsStore } from '../../items/item/local-copies.tsx'
import { itemsChanged } from '../../items/lists/lists.ts'
import { watchConnection } from '../engine/connection.ts'
import { editApi } from '../engine/edit-api.ts'
import { type TaskEnd, TransferEngine, type TransferSnapshot } from '../engine/engine.ts'
import { fetchDownload } from '../engine/fetch-download.ts'
import { createHasher } from '../engine/hasher.ts'
import type { TaskView } from '../engine/live-task.ts'
import { filesOfHandles, matchFiles } from '../engine/reselect-files.ts'
import { openTransferStore } from '../engine/store.ts'
import { type Command, joinTabs, type Tabs } from '../engine/tabs.ts'
import type { TransferTask } from '../engine/task.ts'
import { uploadApi } from '../engine/upload-api.ts'
import { saveBlob, startBrowserDownload } from './browser-download.ts'

/** The selectable numbers of concurrent files. */
export const parallelChoices = [1, 2, 3, 5] as const
const usualAtOnce = 3
const atOnceKey = 'drive.transfer.atOnce'
/** Milliseconds between two broadcasts to the other tabs. */
const showMs = 1000

export const hasher = createHasher()

/** Navigates to a folder. Set by the app. */
let goToFolder: (folderId: number) => void = () => undefined

/** Opens a file for editing again; the editing area fills it in. */
let retryUpload: (fileId: number) => void = () => undefined

/** Sets what opens a file for editing again from its task. */
export function setReopenForEditing(by: (fileId: number) => void): void {
  retryUpload = by
}

export const transfers = new TransferEngine({
  tools: {
    wire: uploadApi,
    hasher,
    fetch: fetchDownload,
    saveBlob: saveBlob,
    startBrowserDownload: startBrowserDownload,
    edit: editApi,
  },
  connection: (onChange) => watchConnection({ probe: reachServer, onChange }),
  now: () => performance.now(),
  later: (run, ms) => setTimeout(run, ms),
  onEnd: (end) => void notifyEnd(end),
  retryEdit: (fileId) => retryUpload(fileId),
})
transfers.atOnce = chosenParallel()

let tabs: Tabs | undefined
/** Commands for tasks while it is unknown which tab runs them. Undefined when all owners are known. */
let wishes: { readonly taskId: number; readonly come: () => void }[] | undefined

/** Loads the transfers of an account. Returns the function that releases them. */
export function startTransfers(accountId: number, toFolder: (folderId: number) => void): () => void {
  goToFolder = toFolder
  let gone = false
  let adopting = Promise.resolve()
  let shown = 0
  // Tasks are shown as soon as they are read, before the other tabs have answered.
  wishes = []
  const joined = joinTabs({
    accountId,
    own: () => transfers.own,
    onViews: (views) => transfers.showElsewhere(views),
    onGone: (taskId) => transfers.goneElsewhere(taskId),
    onCommand: (command, taskId, index) => void transfers[command](taskId, index),
    onLeft: () => adopt(),
  })
  tabs = joined
  /** Resumes the tasks that no other tab runs, and returns them. */
  const adoptFree = async (): Promise<readonly TransferTask[]> => {
    const unfinished = await transfers.unfinished()
    if (gone || unfinished.length === 0) return []
    const { tasks, yields } = await joined.taken()
    if (gone || yields) return []
    const left = unfinished.filter(({ taskId }) => !tasks.has(taskId))
    await transfers.adopt(left)
    return left
  }
  const adopt = (): void => {
    adopting = adopting.then(async () => {
      wishes ??= []
      const left = await adoptFree()
      const asked = wishes ?? []
      wishes = undefined
      // Tasks of other tabs have already received the command there.
      for (const { taskId, come } of asked) if (left.some((task) => task.taskId === taskId)) come()
      // Files that are readable without asking do not have to be chosen again.
      for (const { taskId } of left) if (!gone) await restoreByHandles(taskId, false)
    })
  }
  /** The tasks that the other tabs consider to be running here. */
  const told = new Set<number>()
  const leave = transfers.subscribe(() => {
    const now = performance.now()
    const { tasks } = transfers.snapshot()
    markTransferred(tasks)
    const own = new Set(transfers.own)
    const ended = tasks.filter(({ taskId, status }) => status === 'completed' && told.delete(taskId))
    if (ended.length > 0) joined.show(ended)
    const known = new Set(tasks.map(({ taskId }) => taskId))
    for (const taskId of told) {
      if (known.has(taskId)) continue
      told.delete(taskId)
      joined.gone(taskId)
    }
    if (own.size === 0 || now - shown < showMs) return
    shown = now
    for (const taskId of own) told.add(taskId)
    joined.show(tasks.filter(({ taskId }) => own.has(taskId)))
  })
  void openTransferStore(accountId).then(async (opened) => {
    if (gone) return
    await transfers.open(opened)
    adopt()
  })
  // Leaving the page would interrupt running transfers.
  const ask = (event: BeforeUnloadEvent): void => {
    if (transfers.isBusy && preferencesStore.getState().warnLeaving) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  const take = ({ transfers: count }: Preferences): void => {
    transfers.atOnce = count
  }
  take(preferencesStore.getState())
  const unfollow = preferencesStore.subscribe(take)
  return () => {
    gone = true
    leave()
    unfollow()
    window.removeEventListener('beforeunload', ask)
    transfers.close()
    joined.close()
    tabs = undefined
    wishes = undefined
    transferredItemsStore.setState(new Set(), true)
  }
}

/** The items that a task fetches or submits. What the browser downloads by itself is not known to be under way. */
const itemsOf = ({ status, handedOver, source }: TaskView): readonly string[] =>
  status !== 'doing' || handedOver === true || source === undefined
    ? []
    : [
        ...source.fileIdArray.map((fId) => keyOf({ serverId: source.serverId ?? 0, fType: 1, fId })),
        ...source.folderIdArray.map((fId) => keyOf({ serverId: source.serverId ?? 0, fType: 2, fId })),
      ]

/** Sets the bit “loading” of the items under way ([R133]). */
export function markTransferred(tasks: readonly TaskView[]): void {
  const keys = new Set(tasks.flatMap(itemsOf))
  const before = transferredItemsStore.getState()
  if (keys.size !== before.size || [...keys].some((key) => !before.has(key))) transferredItemsStore.setState(keys, true)
}

/** Gives a task its missing files from the provided ones. Returns whether it has all of them. */
export async function provideFiles(taskId: number, brought: readonly { path: string; file: File }[]): Promise<boolean> {
  const wanted = transfers.missingOf(taskId)
  const found = await matchFiles(wanted, brought, hasher)
  if (found.size > 0) transfers.provide(taskId, found)
  return found.size === wanted.length
}

/** Restores the missing files of a task from stored handles. Returns whether it has all of them. */
export async function restoreByHandles(taskId: number, ask: boolean): Promise<boolean> {
  const wanted = transfers.missingOf(taskId)
  const handles = wanted.length > 0 ? await transfers.handlesOf(taskId) : []
  if (handles.length === 0) return wanted.length === 0
  const paths = wanted.map(({ path }) => path)
  return provideFiles(taskId, await filesOfHandles(handles, paths, ask))
}

/** Sends a command for a task, or for one file of it, to the tab that runs it. */
export function command(what: Command, task: TaskView, index = 0): void {
  const here = (): void => void transfers[what](task.taskId, index)
  // The view may be outdated: this tab may have taken over the task since.
  if (task.elsewhere && !transfers.own.includes(task.taskId)) {
    tabs?.command(what, task.taskId, index)
    wishes?.push({ taskId: task.taskId, come: here })
  } else here()
  if (what === 'interrupt') tabs?.gone(task.taskId)
}

/** The toast key for finished uploads. */
export const uploadNoticeKey = 'upload told'

/** Whether the transfer panel is open. Its content needs no additional toast. */
export const transferPanel = createStore(() => ({ open: false }))

async function notifyEnd({ task, fileIds, folderIds }: TaskEnd): Promise<void> {
  if (task.type === 'upload') {
    itemsChanged(
      fileIds.map((fId) => ({ ...mainServer, fType: 1 as const, fId })),
      folderIds,
    )
  }
  // The editor reports its own transfers.
  if (task.status !== 'completed' || task.isOnlineEdit) return
  const { successFileCount: done, errorFileCount: failed, cloudPath: folder, folderId } = task
  if (failed > 0) {
    const run = (): void => void openWindow('web-transfer-detail', { taskId: task.taskId })
    const action = { text: t('drive.transfer.look'), run }
    if (task.type === 'download') {
      toast({ kind: 'error', text: t('drive.download.failed', { name: shortName(task.description) }), action })
      return
    }
    toast({
      kind: 'error',
      text: done > 0 ? t('drive.upload.someFailed', { done, failed }) : t('drive.upload.allFailed', { n: failed }),
      action,
    })
  } else if (task.type === 'download') {
    // The browser itself reports downloads that are handed out to it.
    if (task.localPath !== '')
      toast({ kind: 'success', text: t('drive.download.saved', { name: shortName(task.localPath) }) })
  } else if (task.params.uploadType === 'RightClick') {
    const { description } = task
    const totalSize = task.totalSize + (task.sizeBefore ?? 0)
    const open = await openWindow('drive-upload-finished', { description, count: done, totalSize, folder })
    if (open === true) goToFolder(folderId)
  } else if (done > 0 && !transferPanel.getState().open) {
    const action = { text: t('drive.transfer.openFolder'), run: () => goToFolder(folderId) }
    toast({ kind: 'success', key: uploadNoticeKey, text: t('drive.upload.done', { n: done, folder }), action })
  }
}

/** Opens the target folder of a task. */
export function openFolderOf({ folderId }: TaskView): void {
  goToFolder(folderId)
}

/** Returns the current transfers, updated a few times a second. */
export function useTransfers(): TransferSnapshot {
  return useSyncExternalStore(transfers.subscribe, transfers.snapshot)
}

/** Returns the chosen number of concurrent files. */
export function chosenParallel(): number {
  const chosen = Number(stored(atOnceKey))
  return parallelChoices.some((one) => one === chosen) ? chosen : usualAtOnce
}

/** Sets and stores the number of concurrent files. */
export function chooseParallel(count: number): void {
  store(atOnceKey, String(count))
  transfers.atOnce = count
}
