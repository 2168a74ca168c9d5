// Uploads of this page: the queue over the wire.
import type { Envelope } from '@cloudoc/contract'
import { codeOf } from '@cloudoc/domain'
import { api, rawRequestHeaders, reportHttpStatus } from '../../core/api.ts'
import { toast } from '../../core/dialogs.ts'
import { t } from '../../core/i18n.ts'
import { openWindow } from '../../core/window-manager/index.ts'
import { itemsChanged } from '../lists.ts'
import { tell } from '../operations.ts'
import type { HandedOver } from './dropped-files.ts'
import { planUpload, type UploadTarget } from './upload-plan.ts'
import { type Send, UploadFailure, UploadQueue, type UploadTask } from './upload-queue.ts'

/** Files sent at the same time. */
const atOnce = 3
/** Milliseconds between two drawings of the progress. */
const tellMs = 100

const send: Send = (task, onProgress, signal) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const { folderId, name, conflict } = task
    const query = new URLSearchParams({ folderId: String(folderId), fileName: name, conflict })
    request.open('PUT', `/services2/upload/raw?${query}`)
    for (const [header, value] of Object.entries(rawRequestHeaders())) request.setRequestHeader(header, value)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = (event) => onProgress(event.loaded)
    request.onload = () => {
      const answer = request.response as Envelope<{ fileId: number }> | null
      if (answer?.result === -1) return resolve({ fileId: answer.data.fileId })
      reportHttpStatus(request.status)
      reject(new UploadFailure(answer === null ? 'network' : (codeOf(answer.result) ?? 'unknown')))
    }
    request.onerror = () => reject(new UploadFailure('network'))
    request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
    signal.addEventListener('abort', () => request.abort())
    request.send(task.file)
  })

/** The uploads of this page. */
export const uploads = new UploadQueue({
  send,
  atOnce,
  later: (run) => setTimeout(run, tellMs),
  now: () => performance.now(),
  onBatchDone,
})

function onBatchDone(tasks: readonly UploadTask[]): void {
  const done = tasks.filter((task) => task.state === 'done')
  const failed = tasks.filter((task) => task.state === 'failed')
  const arrived = done.flatMap(({ fileId }) => (fileId === undefined ? [] : [{ fType: 1 as const, fId: fileId }]))
  itemsChanged(arrived, [...new Set(done.map((task) => task.folderId))])
  const folder = tasks[0]?.folderName ?? ''
  if (failed.length > 0) {
    toast({ kind: 'error', text: t('drive.upload.someFailed', { done: done.length, failed: failed.length }) })
  } else if (done.length > 0) toast({ kind: 'success', text: t('drive.upload.done', { n: done.length, folder }) })
}

/** Uploads what a person handed over into a folder. */
export async function upload(handed: HandedOver, target: UploadTarget): Promise<void> {
  if (handed.files.length === 0 && handed.folders.length === 0) return
  try {
    const plan = await planUpload(
      handed,
      target,
      {
        makeFolders: async (folderId, pathList) => {
          const made = await api.createFolderByPathList({ folderId, pathList })
          itemsChanged(
            made.filter(({ path }) => !path.includes('/')).map((folder) => ({ fType: 2, fId: folder.folderId })),
            [folderId],
          )
          return made
        },
        taken: (folderId, fileNames) => api.checkFileExist({ folderId, fileNames }),
      },
      (clashes) => openWindow('drive-upload-conflict', { target: target.folderName, clashes: [...clashes] }),
    )
    if (plan !== undefined && plan.length > 0) uploads.add(plan)
  } catch (error) {
    tell(error)
  }
}

// Leaving the page would cut off what is still on its way.
window.addEventListener('beforeunload', (event) => {
  const { waiting, sending } = uploads.snapshot()
  if (waiting + sending > 0) event.preventDefault()
})
