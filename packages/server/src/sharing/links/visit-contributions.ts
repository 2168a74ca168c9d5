// What the visitor of a link leaves: new files and new versions ([R228]).
import type { features, Parsed as InputOf } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import type { StagedContext } from '../../core/call/context.ts'
import type { Services } from '../../core/services.ts'
import { checkBase, storeNewFile, storeVersion } from '../../drive/content/index.ts'
import { notifyCreator, recordVisit } from './visit-records.ts'
import { isCollecting } from './visited-link.ts'
import { visitorOf } from './visitor.ts'

type Calls = typeof features.externalLinks.calls
type Parsed<N extends keyof Calls> = InputOf<Calls[N]>

/** The handlers of what visitors leave. */
export function contributionHandlers({ blobs, db: own }: Pick<Services, 'blobs' | 'db'>) {
  return {
    async visitUpload(context: StagedContext, { folderId, fileName }: Parsed<'visitUpload'>) {
      const { link, pass } = visitorOf(context)
      const body = context.upload ?? fail('badRequest', 'file')
      const stored = await storeNewFile(context, blobs, {
        folderId,
        name: fileName,
        conflict: 'keepBoth',
        content: body.content,
        secretLevel: 0,
        secretUntil: null,
      })
      const { fileId, fName, fileSize, sha256 } = stored
      await recordVisit(own, context, { what: 'upload', itemId: fileId, name: fName, bytes: fileSize })
      // For a collecting link the creator is always notified; otherwise only on request.
      if (link.notify || isCollecting(link)) await notifyCreator(own, context, link, 'upload', pass.name)
      return { fileId, fName, fileSize, sha256 }
    },

    async visitVersion(context: StagedContext, { fileId, version: base }: Parsed<'visitVersion'>) {
      const { link, pass } = visitorOf(context)
      const body = context.upload ?? fail('badRequest', 'file')
      // A visitor cannot overwrite users who edit the file (the link's creator included) or a newer version.
      const check = ({ row }: Access): void => {
        if (row.editor_id !== null) fail('fileLocked', row.editor ?? '')
        checkBase({ row }, base)
      }
      const stored = await storeVersion(context, blobs, { fileId, content: body.content, check })
      const { version, fName, fileSize, sha256 } = stored
      await recordVisit(own, context, { what: 'edit', itemId: fileId, name: fName, bytes: fileSize, version })
      await notifyCreator(own, context, link, 'edit', pass.name)
      return { version, fileSize, sha256 }
    },
  }
}
