// The server calls of editing ([R198]).
import { api, mainServer, streamUrl } from '../../core/call/api.ts'
import type { EditTools } from './edit-tasks.ts'
import { fetchDownload } from './fetch-download.ts'
import { send } from './upload-api.ts'

const quiet = { quiet: true } as const

export const editApi: EditTools = {
  lock: (fileId) => api.of(mainServer).fileEditLock({ fileId }, quiet),
  unlock: (fileId) => api.of(mainServer).fileEditUnlock({ fileId }, quiet),
  addressOf: (fileId, version) => streamUrl('downloadServlet', { fileId, version, forEdit: true }, mainServer),
  // The page needs the content itself to edit it, so it follows a redirect to another storage location.
  fetch: (address, goOn, signal) => fetchDownload(address, goOn, signal, 'follow'),
  submit: ({ fileId, version, madeOf }, content, sending) =>
    send(
      streamUrl('submitFile', { fileId, version, ...(madeOf !== undefined && { madeOf }) }, mainServer),
      content,
      sending,
    ),
  newest: (fileId, signal) => api.of(mainServer).getFileInfo({ fileId }, { ...quiet, signal }),
}
