// Downloads go through the browser: a ticket for just these items, then an anchor. The session token never stands in an
// address. What the browser does with it then nobody tells the page, so the record says that it was handed over.
import { api, streamUrl } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { type ItemRef, idArrays } from '../item/item.ts'
import { usualParams } from './engine/task.ts'
import { transfers } from './transfers.ts'

/** What a download needs to know of an item. */
export type Downloadable = ItemRef & { readonly fName?: string; readonly fileSize?: number }

/** Hands the items to the browser: one file as it is, several or a folder as a zip. */
export function download(items: readonly Downloadable[]): Promise<void> {
  const [first] = items
  return handOver(items, (ticket) =>
    items.length === 1 && first?.fType === 1
      ? streamUrl('downloadServlet', { fileId: first.fId }, ticket)
      : streamUrl('downloadMultiFile', { files: items.map(nameOf).join(',') }, ticket),
  )
}

/** Hands a PDF with smaller pictures in it to the browser ([R203]). */
export function downloadCompressed(item: Downloadable): Promise<void> {
  return handOver([item], (ticket) => streamUrl('downloadCompression', { fileId: item.fId }, ticket))
}

/** Hands whole folders to the browser, as their owner or manager takes them out ([R128]). */
export function exportFolders(folders: readonly Downloadable[]): Promise<void> {
  const ids = folders.map(({ fId }) => fId).join(',')
  return handOver(folders, (ticket) => streamUrl('exportFolder2', { ids }, ticket))
}

async function handOver(items: readonly Downloadable[], address: (ticket: string) => string): Promise<void> {
  // Of a link, what it leads to is downloaded.
  const { fileIdArray, folderIdArray } = idArrays(items.map(({ fType, fId }) => ({ fType, fId })))
  const { ticket } = await api.createDownloadTicket({ fileIdArray, folderIdArray })
  const [first] = items
  const anchor = document.createElement('a')
  anchor.href = address(ticket)
  anchor.download = ''
  anchor.rel = 'noreferrer'
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
  const name = first?.fName ?? ''
  await transfers.addHandedOver({
    description: items.length > 1 ? t('drive.transfer.files', { name, n: items.length }) : name,
    totalSize: items.reduce((sum, { fileSize = 0 }) => sum + fileSize, 0),
    type: 'download',
    folderId: 0,
    cloudPath: '',
    totalFileCount: items.length,
    firstName: name,
    isFolder: items.length === 1 && first?.fType === 2,
    params: usualParams,
  })
}

/** An item as the list of a zip names it ([R202]). */
function nameOf({ fType, fId }: ItemRef): string {
  return `${fType === 1 ? 'fi' : 'fo'}_${fId}`
}
