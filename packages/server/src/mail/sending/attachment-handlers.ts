// Attachments of drafts: stored files, uploaded ones, and removing them.
import type { features } from '@cloudoc/contract'
import { type Answer, maxMailBytes } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import type { WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { contentRow, persist, servable, storedVersions } from '../../drive/content/index.ts'
import { addAttachments, type IsSensitive, shownAttachments } from './attachments.ts'

/** The handlers of attachments. */
export function attachmentHandlers(
  blobs: BlobStore,
  isSensitive: IsSensitive,
): Pick<Handlers<typeof features.outgoingMails.calls>, 'attachFilesToMail' | 'attachToMail' | 'detachFromMail'> {
  /** Adds what `make` stores to a draft, under its lock; the version goes up. */
  const attach = async (
    context: Pick<WriteContext, 'tx' | 'now'>,
    outgoingId: number,
  ): Promise<Answer<typeof features.outgoingMails.calls.attachToMail>> => {
    const { rows } = await sql<{ version: number }>`
      update outgoing_mail set version = version + 1, modified_at = ${context.now} where id = ${outgoingId}
      returning version`.execute(context.tx)
    return {
      version: rows[0]?.version ?? fail('notFound'),
      attachments: [...((await shownAttachments(context.tx, [outgoingId])).get(outgoingId) ?? [])],
    }
  }

  return {
    async attachFilesToMail(context, { outgoingId, fileIdArray }) {
      const { tx } = context
      const files = fileIdArray.map((fId) => context.item({ fType: 1, fId }).row)
      const versions = await storedVersions(
        tx,
        files.map(({ id, version }) => ({ fileId: id, version })),
      )
      const added = files.map((row, n) => {
        const version = servable(versions[n] ?? fail('versionMissing'))
        return { blobId: version.blobId, itemId: row.id, name: row.name, size: version.size }
      })
      await addAttachments(tx, outgoingId, added)
      context.audit({ outgoingId, way: 'mail' })
      return attach(context, outgoingId)
    },

    async attachToMail(context, { outgoingId, fileName }) {
      const content = context.upload?.content ?? fail('badRequest')
      const staged = await blobs.stage(limited(content))
      const pending = await persist(staged)
      const { size } = pending
      const name = fileName.replaceAll(/[\p{Cc}\\/]/gu, '_')
      const { blobId, attachmentId } = await context.commit(async (write) => {
        const { id } = await contentRow(write.tx, pending, write.now)
        const [added = 0] = await addAttachments(write.tx, outgoingId, [{ blobId: id, itemId: 0, name, size }])
        return { blobId: id, attachmentId: added }
      })
      // After the commit, because no transaction waits until a content is read. The draft has a new version only once
      // the file is attached; if the process ends before, delivery looks at the file.
      const isRefused = await isSensitive({ blobId, name, size })
      if (!isRefused) return context.db.transaction().execute((tx) => attach({ tx, now: context.now }, outgoingId))
      await context.db.deleteFrom('mail_attachment').where('id', '=', attachmentId).execute()
      return fail('sensitiveFile', {
        zh: '文件含有公司不允许发送的内容',
        en: 'the file contains what must not be sent',
      })
    },

    async detachFromMail(context, { outgoingId, attachmentId }) {
      await sql`delete from mail_attachment where id = ${attachmentId} and outgoing_id = ${outgoingId}`.execute(
        context.tx,
      )
      return attach(context, outgoingId)
    },
  }
}

/** Content up to the size that a mail may have. */
async function* limited(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxMailBytes) fail('mailTooLarge')
    yield chunk
  }
}
