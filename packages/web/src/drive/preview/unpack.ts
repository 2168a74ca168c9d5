// All of an archive as a folder of the drive: told of and called off like a copy that takes long.
import type { ItemRecord } from '@cloudoc/contract'
import { api, CallError } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { showCopy } from '../actions/long-copy.ts'
import { folderPath } from '../item/item.ts'
import { itemsChanged } from '../lists/lists.ts'

/** Asks for a folder and has the server unpack the archive there; `onPlace` is told the address that shows it. */
export async function unpackAll(
  { fId: fileId, fName: name, version }: Pick<ItemRecord, 'fId' | 'fName'> & { readonly version?: number },
  onPlace: (path: string) => void,
): Promise<void> {
  const target = await openWindow('drive-folder-pick', {
    title: t('drive.preview.unpackAll'),
    hint: t('drive.preview.saveHint'),
    verb: 'copy',
  })
  if (target === undefined) return
  const copyId = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let isOff = false
  const stop = showCopy(
    copyId,
    (n) => t('drive.preview.unpacking', { name, n }),
    () => {
      isOff = true
    },
  )
  try {
    const input = { fileId, folderId: target.fId, copyId, ...(version !== undefined && { version }) }
    const made = await api.unpackArchive(input)
    stop()
    const folder = { fType: 2, fId: made.folderId } as const
    itemsChanged([folder], [target.fId])
    toast({
      kind: 'success',
      text: t('drive.preview.unpacked', { name, n: made.files, folder: target.fName }),
      action: { text: t('drive.preview.openFolder'), run: () => onPlace(folderPath(made.folderId)) },
    })
  } catch (error) {
    stop()
    if (isOff) toast({ kind: 'info', text: t('drive.preview.unpackStopped', { name }) })
    else toast({ kind: 'error', text: error instanceof CallError ? error.message : t('drive.failed') })
  }
}
