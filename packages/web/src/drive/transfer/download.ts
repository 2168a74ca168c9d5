// Downloads go through the browser: a ticket for just these items, then an anchor. The session token never stands in an
// address.
import { api, streamUrl } from '../../core/api.ts'
import { type ItemRef, idArrays } from '../item.ts'

/** Hands the items to the browser: one file as it is, several or a folder as a zip. */
export async function download(items: readonly ItemRef[]): Promise<void> {
  // Of a link, what it leads to is downloaded.
  const { fileIdArray, folderIdArray } = idArrays(items.map(({ fType, fId }) => ({ fType, fId })))
  const { ticket } = await api.createDownloadTicket({ fileIdArray, folderIdArray })
  const [first] = items
  const anchor = document.createElement('a')
  anchor.href =
    items.length === 1 && first?.fType === 1
      ? streamUrl('downloadServlet', { fileId: first.fId }, ticket)
      : streamUrl('downloadMultiFile', { files: items.map(nameOf).join(',') }, ticket)
  anchor.download = ''
  anchor.rel = 'noreferrer'
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
}

/** An item as the list of a zip names it ([R202]). */
function nameOf({ fType, fId }: ItemRef): string {
  return `${fType === 1 ? 'fi' : 'fo'}_${fId}`
}
