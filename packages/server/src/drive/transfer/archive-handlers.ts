// What is taken out of archives: downloaded, saved beside them, unpacked.
import type { features } from '@cloudoc/contract'
import { documentKind, extNameOf, fail, itemName } from '@cloudoc/domain'
import type { Handlers } from '../../core/call/implement.ts'
import { storeNewFile } from '../content/index.ts'
import { nameOfEntry, sendEntry, withEntry } from './archive-entry.ts'
import { contentFinder, file, type TransferParts } from './transfer-parts.ts'
import { unpackInto } from './unpack.ts'

/** The handlers of archives. */
export function archiveHandlers(
  parts: TransferParts,
): Pick<Handlers<typeof features.transfer.calls>, 'downloadArchiveEntry' | 'saveArchiveEntry' | 'unpackArchive'> {
  const { blobs, contents, storedVersion, downloads } = parts
  const { note, counted, wholly } = downloads

  const contentOf = contentFinder(storedVersion)

  return {
    async downloadArchiveEntry(context, { fileId, version, path, names }) {
      const { row } = context.item(file(fileId))
      if (documentKind(extNameOf(row.name)) !== 'archive') return fail('conversionUnsupported')
      await counted(context, version, fileId, async (_limited, meter) => {
        const content = await contentOf(context, fileId, version)
        await note(context, [context.item(file(fileId))], version)
        await wholly(meter, content.size, () => sendEntry(context, contents, content, { path, names }))
      })
    },

    async saveArchiveEntry(context, { fileId, version, path, names, folderId }) {
      const { row } = context.item(file(fileId))
      if (documentKind(extNameOf(row.name)) !== 'archive') return fail('conversionUnsupported')
      const checked = itemName(nameOfEntry(path))
      if ('code' in checked) return fail(checked.code)
      const content = await contentOf(context, fileId, version)
      const {
        fileSize: _size,
        sha256: _sha256,
        ...made
      } = await withEntry(context, contents, content, { path, names }, 'file', (bytes) =>
        storeNewFile(context, blobs, {
          folderId,
          name: checked.name,
          conflict: 'keepBoth',
          content: [bytes],
          atLeast: bytes.length,
          outOf: fileId,
        }),
      )
      return made
    },

    async unpackArchive(context, { fileId, version, folderId, names, copyId }) {
      const { row } = context.item(file(fileId))
      if (documentKind(extNameOf(row.name)) !== 'archive') return fail('conversionUnsupported')
      const content = await contentOf(context, fileId, version)
      return unpackInto(context, blobs, contents, content, { fileId, folderId, names, copyId })
    },
  }
}
