// Extracts a whole archive to a folder of the drive, with progress, cancel and undo like a long copy.
import type { Answer, ItemRecord } from '@cloudoc/contract'
import { codes, codeText, type NameEncoding } from '@cloudoc/domain'
import { api, CallError, type Catalogue, mainServer } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { showCopyProgress } from '../../items/actions/copy-progress.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { type Outcome, offerUndo } from '../../items/actions/undo.ts'
import { folderPath } from '../../items/item/item.ts'
import { itemsChanged, itemsGone } from '../../items/lists/lists.ts'

type PackedFile = Pick<ItemRecord, 'serverId' | 'fId' | 'fName'> & {
  readonly version?: number
  /** The encoding of its names. */
  readonly names?: NameEncoding | undefined
}

/** Asks for a folder and has the server extract the archive there; `onPlace` receives the path that shows it. */
export async function unpackAll(file: PackedFile, onPlace: (path: string) => void): Promise<void> {
  const target = await openWindow('drive-folder-pick', {
    title: t('drive.preview.unpackAll'),
    hint: t('drive.preview.saveHint'),
    verb: 'unpack',
  })
  if (target !== undefined) await unpackTo(file, target, onPlace)
}

/** Has the archive extracted to a folder, and offers undo. */
export async function unpackTo(
  file: PackedFile,
  target: { readonly fId: number; readonly fName: string },
  onPlace: (path: string) => void,
): Promise<void> {
  const name = file.fName
  const made = await unpack(file, target.fId)
  if (made === undefined) return
  let { folderId } = made
  const text = t('drive.preview.unpacked', { name, n: made.files, folder: target.fName })
  offerUndo({
    text,
    also: { text: t('drive.preview.openFolder'), run: () => onPlace(folderPath({ ...mainServer, fId: folderId })) },
    undo: async (): Promise<Outcome> => {
      const [gone] = await api.of(file).fileOrFolderDelete({ fileIdArray: [], folderIdArray: [folderId] })
      if (gone?.result !== codes.success.code) {
        notifyFailure(gone?.msg)
        return undefined
      }
      itemsGone([{ serverId: file.serverId, fType: 2, fId: folderId }])
      return { text: t('drive.preview.unpackUndone', { name }), items: [] }
    },
    redo: async (): Promise<Outcome> => {
      const again = await unpack(file, target.fId)
      if (again === undefined) return undefined
      folderId = again.folderId
      return { text, items: [{ serverId: file.serverId, fType: 2, fId: folderId }] }
    },
  })
}

type Made = Answer<Catalogue['unpackArchive']>

/** Extracts it and shows what was left out. Returns undefined after a failure, which it has shown. */
async function unpack(file: PackedFile, folderId: number): Promise<Made | undefined> {
  const { fId: fileId, fName: name, version, names } = file
  const copyId = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let isOff = false
  const stop = showCopyProgress(
    copyId,
    (n) => t('drive.preview.unpacking', { name, n }),
    () => {
      isOff = true
    },
  )
  try {
    const made = await api.of(file).unpackArchive({
      fileId,
      folderId,
      copyId,
      ...(version !== undefined && { version }),
      ...(names !== undefined && { names }),
    })
    stop()
    itemsChanged([{ serverId: file.serverId, fType: 2, fId: made.folderId }], [folderId])
    if (made.leftOut > 0) reportSkipped(name, made)
    return made
  } catch (error) {
    stop()
    if (isOff) toast({ kind: 'info', text: t('drive.preview.unpackStopped', { name }) })
    else toast({ kind: 'error', text: error instanceof CallError ? error.message : t('drive.failed') })
    return undefined
  }
}

/** Lists the skipped entries with their reasons. */
function reportSkipped(name: string, { files, leftOut, left }: Made): void {
  void openWindow('drive-batch-result', {
    title: t('drive.preview.unpackLeft', { name }),
    total: files + leftOut,
    failed: leftOut,
    rows: left.map(({ path, result }) => ({
      fId: 0,
      fType: path.endsWith('/') ? 2 : 1,
      name: path.replace(/\/$/, ''),
      text: reasonOf(result),
    })),
    canRetry: false,
  })
}

function reasonOf(result: number): string {
  if (result === codes.sourceEncrypted.code) return t('drive.preview.entryLocked')
  if (result === codes.conversionFailed.code) return t('drive.preview.entryBroken')
  if (result === codes.archiveTooLarge.code) return t('drive.preview.entryLarge')
  return codeText(result, currentLocale())
}
