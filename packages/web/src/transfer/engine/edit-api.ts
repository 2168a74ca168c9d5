// What editing asks of the server ([R198]).
import { api, streamUrl } from '../../core/call/api.ts'
import type { EditTools } from './edit-tasks.ts'
import { fetchDownload } from './fetch-download.ts'
import { send } from './upload-api.ts'

const quiet = { quiet: true } as const

/** The calls of editing. */
export const editApi: EditTools = {
  lock: (fileId) => api.fileEditLock({ fileId }, quiet),
  unlock: (fileId) => api.fileEditUnlock({ fileId }, quiet),
  addressOf: (fileId, version) => streamUrl('downloadServlet', { fileId, version }),
  // What is edited this page has to have, wherever it lies.
  fetch: (address, goOn, signal) => fetchDownload(address, goOn, signal, 'follow'),
  submit: ({ fileId, version, madeOf }, content, sending) =>
    send(streamUrl('submitFile', { fileId, version, ...(madeOf !== undefined && { madeOf }) }), content, sending),
  newest: (fileId, signal) => api.getFileInfo({ fileId }, { ...quiet, signal }),
}
