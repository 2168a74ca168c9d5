/*
 * Files of conversations that are sent in parts ([R293]). Rows record which parts are stored, so an upload goes on after
 * an interruption on any process. Each attempt at a part has a name of its own in the store; the last recorded one
 * counts, and the one that it replaces is removed. Uploads that nobody completes end after a week.
 */
import { randomBytes } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { fail, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { checkDisk, persist } from '../../drive/content/index.ts'
import { type Filer, roomOf, within } from './files.ts'

type Uploading = Pick<
  Handlers<typeof features.talkMessages.calls>,
  'imUploadOpen' | 'imUploadPart' | 'imUploadStatus' | 'imUploadComplete' | 'imUploadAbort'
>

/** Uploads that a person may have begun and not completed. */
const mostOpen = 100
const removalBatch = 50

interface UploadRow {
  readonly id: string
  readonly conversationId: number
  readonly name: string
  readonly size: number
  readonly partSize: number
  readonly width: number | null
  readonly height: number | null
  readonly sha256: Buffer | null
  readonly isPicture: boolean
  readonly fileId: number | null
}

interface PartRow {
  readonly number: number
  readonly start: number
  readonly tag: string
  readonly size: number
}

/** The upload of the caller into the conversation of the call. */
async function ownUpload(
  db: Db,
  context: Context,
  { conversationId, uploadId }: { readonly conversationId: number; readonly uploadId: string },
): Promise<UploadRow> {
  const { rows } = await sql<UploadRow>`
    select id, conversation_id as "conversationId", name, size, part_size as "partSize", width, height, sha256,
      is_picture as "isPicture", file_id as "fileId"
    from talk_upload where id = ${uploadId} and conversation_id = ${conversationId}
      and account_id = ${actorOf(context).accountId}`.execute(db)
  return rows[0] ?? fail('notFound')
}

async function partsOf(db: Db, { id, partSize }: UploadRow): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    select number, (number - 1) * ${partSize}::bigint as start, tag, size from talk_upload_part
    where upload_id = ${id} order by number`.execute(db)
  return rows
}

async function removeRow(tx: Tx, uploadId: string): Promise<void> {
  await sql`delete from talk_upload where id = ${uploadId}`.execute(tx)
}

/** The handlers of uploads in parts. */
export function uploadHandlers({ blobs, partBytes }: Pick<Services, 'blobs' | 'partBytes'>, filer: Filer): Uploading {
  return {
    async imUploadOpen(context, { conversationId, fileName, fileSize, picture, width, height, sha256 }) {
      const { tx, now } = context
      const actor = actorOf(context)
      if (fileSize > limits.largestTalkFile) return fail('uploadSizeExceeded')
      if (picture && fileSize > limits.largestTalkPicture) return fail('pictureUnreadable')
      if (fileSize > (await roomOf(tx, actor))) return fail('userSizeExceeded')
      await filer.checkName(tx, fileName)
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from talk_upload where account_id = ${actor.accountId} and file_id is null`.execute(
        tx,
      )
      if ((rows[0]?.n ?? 0) >= mostOpen) return fail('sendingTooOften')
      const uploadId = randomBytes(18).toString('base64url')
      const partSize = partBytes(fileSize)
      await tx
        .insertInto('talk_upload')
        .values({
          id: uploadId,
          account_id: actor.accountId,
          conversation_id: conversationId,
          name: fileName,
          size: fileSize,
          part_size: partSize,
          width: width ?? null,
          height: height ?? null,
          sha256: sha256 === undefined ? null : Buffer.from(sha256, 'hex'),
          is_picture: picture,
          expires_at: now + limits.uploadOpenMs,
        })
        .execute()
      return { uploadId, partSize }
    },

    async imUploadPart(context, { conversationId, uploadId, partNumber: number }) {
      const { content } = context.upload ?? fail('badRequest', 'body')
      const upload = await ownUpload(context.db, context, { conversationId, uploadId })
      if (upload.fileId !== null) return fail('duplicateOperation')
      const start = (number - 1) * upload.partSize
      if (start >= upload.size) return fail('badRequest', 'partNumber')
      const size = Math.min(upload.partSize, upload.size - start)
      await checkDisk(blobs, size)
      const place = { start, most: size, alone: false }
      const part = await blobs.writePart(
        uploadId,
        place,
        within(size, content, () => fail('badRequest', 'body')),
      )
      const drop = (tag: string): Promise<void> => blobs.removePart(uploadId, tag).catch(() => {})
      if (part.size !== size) {
        await drop(part.tag)
        return fail('uploadInterrupted')
      }
      try {
        const before = await context.commit(async ({ tx, now }) => {
          const { rows: open } = await sql`
            update talk_upload set expires_at = ${now + limits.uploadOpenMs}
            where id = ${uploadId} and file_id is null returning 1`.execute(tx)
          if (open.length === 0) return fail('notFound')
          const { rows } = await sql<{ tag: string }>`
            select tag from talk_upload_part where upload_id = ${uploadId} and number = ${number}`.execute(tx)
          await sql`
            insert into talk_upload_part (upload_id, number, tag, size) values (${uploadId}, ${number}, ${part.tag}, ${size})
            on conflict (upload_id, number) do update set tag = excluded.tag, size = excluded.size`.execute(tx)
          return rows[0]?.tag
        })
        if (before !== undefined) await drop(before)
      } catch (error) {
        await drop(part.tag)
        throw error
      }
      return { partNumber: number, size }
    },

    async imUploadStatus(context, input) {
      const upload = await ownUpload(context.db, context, input)
      const parts = await partsOf(context.db, upload)
      return {
        partSize: upload.partSize,
        parts: parts.map(({ number }) => number),
        ...(upload.fileId !== null && { fileId: upload.fileId }),
      }
    },

    async imUploadComplete(context, input) {
      const upload = await ownUpload(context.db, context, input)
      const { id: uploadId, name, size, fileId: known } = upload
      if (known !== null) {
        await filer.settle(known)
        return { fileId: known, name, size }
      }
      const parts = await partsOf(context.db, upload)
      if (parts.reduce((sum, part) => sum + part.size, 0) !== size) return fail('uploadNotFinished')
      await checkDisk(blobs, size)
      const staged = await blobs.joinParts(uploadId, parts)
      if (upload.sha256 !== null && !upload.sha256.equals(staged.sha256)) {
        await staged.discard()
        return fail('uploadInterrupted', 'sha256')
      }
      const content = await persist(staged)
      const made = await filer.record(context, content, {
        ...{ conversationId: upload.conversationId, name, width: upload.width, height: upload.height },
        isPicture: upload.isPicture,
        async before(tx) {
          const { rows } = await sql<{ fileId: number | null }>`
            select file_id as "fileId" from talk_upload where id = ${uploadId} for no key update`.execute(tx)
          const [row] = rows
          if (row === undefined) return fail('notFound')
          return row.fileId ?? undefined
        },
        after: (tx, fileId) =>
          sql`update talk_upload set file_id = ${fileId} where id = ${uploadId}`.execute(tx).then(() => undefined),
      })
      await blobs.removeParts(uploadId).catch(() => {})
      return made
    },

    async imUploadAbort(context, input) {
      const { id, fileId } = await ownUpload(context.tx, context, input)
      // The parts are removed by the chore, with those of writers who are not done yet.
      if (fileId === null) await sql`update talk_upload set expires_at = 0 where id = ${id}`.execute(context.tx)
      return {}
    },
  }
}

/** Removes uploads that nobody completes, and the rows of completed ones. Returns their number. */
export async function removeOldUploads(db: Db, blobs: BlobStore, now: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from talk_upload where expires_at <= ${now} order by expires_at limit ${removalBatch}`.execute(db)
  for (const { id } of rows) {
    await blobs.removeParts(id)
    await db.transaction().execute((tx) => removeRow(tx, id))
  }
  return rows.length
}
