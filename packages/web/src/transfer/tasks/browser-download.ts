// The browser's part of a download: saving a completely received file, or downloading what a page cannot store.
import { api } from '../../core/call/api.ts'
import type { DownloadSource } from '../engine/task.ts'

/** Milliseconds after which the browser has saved a handed out file. */
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

/** Saves a received content for the user. */
export function saveBlob(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  click(address, name)
  setTimeout(() => URL.revokeObjectURL(address), takenMs)
}

/**
 * Lets the browser download the items by a ticket for exactly these items, so that the session token never appears in a
 * URL.
 */
export async function startBrowserDownload({
  serverId = 0,
  address,
  fileIdArray,
  folderIdArray,
}: DownloadSource): Promise<void> {
  const { ticket } = await api.of({ serverId }).createDownloadTicket({
    fileIdArray: [...fileIdArray],
    folderIdArray: [...folderIdArray],
  })
  click(`${address}&access_token=${encodeURIComponent(ticket)}`, '')
}
