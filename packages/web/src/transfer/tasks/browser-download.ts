// What the browser does of a download: it takes what has arrived whole, or fetches by itself what a page cannot hold.
import { api } from '../../core/call/api.ts'
import type { DownloadSource } from '../engine/task.ts'

/** Milliseconds after which the browser has taken what was handed out. */
const takenMs = 60_000

function click(address: string, name: string): void {
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.rel = 'noreferrer'
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
}

/** Gives the person what has arrived. */
export function saveBlob(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  click(address, name)
  setTimeout(() => URL.revokeObjectURL(address), takenMs)
}

/** Has the browser fetch it: by a ticket for just these items, so that the session token never stands in an address. */
export async function startBrowserDownload({ address, fileIdArray, folderIdArray }: DownloadSource): Promise<void> {
  const { ticket } = await api.createDownloadTicket({
    fileIdArray: [...fileIdArray],
    folderIdArray: [...folderIdArray],
  })
  click(`${address}&access_token=${encodeURIComponent(ticket)}`, '')
}
