/*
 * Pictures and files of conversations. Their bytes are contents of the store like all others. A file counts for its
 * sender and ends after the time that the company has set; a copy saved to the drive is an item of its own.
 */
import { buffer } from 'node:stream/consumers'
import type { features } from '@cloudoc/contract'
import { fail, limits } from '@cloudoc/domain'
import { sql } from 'kysely'
import { createContentCheck, createTextCheck } from '../../approvals/sensitive/index.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context, type StagedContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import type { Services } from '../../core/services.ts'
import { withoutMetadata } from '../../documents/index.ts'
import {
  checkDisk,
  contentRow,
  dropPending,
  type PendingContent,
  persist,
  storeAtomically,
  storeKnown,
} from '../../drive/content/index.ts'
import { type ContentPlace, createScans, type OtherContents } from '../../drive/scanning/index.ts'
import { sendContent, sendRendition } from '../../drive/transfer/index.ts'
import { askThumbnail, findThumbnail } from '../../viewing/preview/index.ts'
import { visibleTo } from './records.ts'

type Filing = Pick<
  Handlers<typeof features.talkMessages.calls>,
  'imUpload' | 'imFile' | 'imFilePreview' | 'imSaveToDrive'
>

const dayMs = 24 * 60 * 60_000
/** Files that were uploaded and never sent are removed after this time. */
const unsentMs = dayMs
const removalBatch = 500
/** Names under which one content with malware is recorded. */
const mostNamed = 100
/** Pictures whose metadata are removed at once: each is in memory as a whole. */
const picturesAtOnce = 2

/** Bytes that a person may still upload to conversations: none above the quota of the account. */
export async function roomOf(db: Db, { accountId, quota }: { accountId: number; quota: number }): Promise<number> {
  if (quota === 0) return Number.POSITIVE_INFINITY
  const { rows } = await sql<{ used: number }>`
    select (coalesce((select sum(bytes) from usage_total where account_id = ${accountId}), 0)
      + coalesce((select sum(bytes) from tally where account_id = ${accountId}), 0)
      + coalesce((select sum(size) from talk_file where account_id = ${accountId} and blob_id is not null), 0)
      )::bigint as used`.execute(db)
  return Math.max(0, quota - (rows[0]?.used ?? 0))
}

/** The content, as long as it has no more bytes. */
export async function* within(
  most: number,
  content: AsyncIterable<Uint8Array>,
  tooMuch: () => never,
): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most) tooMuch()
    yield chunk
  }
}

interface FileRow {
  readonly name: string
  readonly size: number
  readonly blobId: number
  readonly key: string
  readonly sha256: Buffer
  readonly modifiedAt: number
  readonly virus: boolean
  /** Closed to the caller until the scanner has inspected it. */
  readonly closed: boolean
}

/** The content of a file that the caller has just uploaded or whose message the caller may read. */
async function readableFile(context: Context, conversationId: number, fileId: number): Promise<FileRow> {
  const { accountId, settings } = actorOf(context)
  const { rows } = await sql<FileRow>`
    select f.name, f.size, b.id as "blobId", b.key, b.sha256, f.created_at as "modifiedAt",
      exists (select 1 from scan s where s.blob_id = b.id and s.virus is not null) as virus,
      coalesce(${settings.inner.scanner_required}::boolean and f.uninspected_by <> ${accountId}
        and not exists (select 1 from scan s where s.blob_id = b.id), false) as closed
    from talk_file f join blob b on b.id = f.blob_id
    where f.id = ${fileId} and f.conversation_id = ${conversationId} and exists (
      select 1 from talk_message m where m.file_id = f.id and m.recalled_at is null and ${visibleTo(accountId)})`.execute(
    context.db,
  )
  const file = rows[0] ?? fail('notFound')
  if (file.virus) return fail('virusFile')
  return file.closed ? fail('notInspected') : file
}

/** The files of conversations for the virus scanner. */
export const talkContents: OtherContents = {
  holds: sql`exists (select 1 from talk_file f where f.blob_id = b.id)`,
  closed: sql`
    select f.blob_id from talk_file f where f.uninspected_by is not null and f.blob_id is not null
      and not exists (select 1 from scan s where s.blob_id = f.blob_id)`,
  async places(tx, blobId) {
    const { rows } = await sql<ContentPlace>`
      select distinct f.name, f.conversation_id as "conversationId", a.id as "accountId", a.name as "accountName"
      from talk_file f join account a on a.id = f.account_id where f.blob_id = ${blobId}
      order by f.name, f.conversation_id, a.id limit ${mostNamed}`.execute(tx)
    return rows
  },
}

/** A file that becomes one of a conversation. */
interface NewFile {
  readonly conversationId: number
  readonly name: string
  readonly width: number | null
  readonly height: number | null
  /** It is sent as a picture: its metadata are removed. */
  readonly isPicture: boolean
  /** In the transaction of its row: the file that an earlier request has made. */
  readonly before?: (tx: Tx) => Promise<number | undefined>
  readonly after?: (tx: Tx, fileId: number) => Promise<void>
}

/** Makes files of conversations of stored contents. */
export interface Filer {
  /** Refuses a name in which a rule for sensitive content finds something (-68). */
  checkName(db: Db, name: string): Promise<void>
  record(
    context: StagedContext,
    content: PendingContent,
    file: NewFile,
  ): Promise<{ fileId: number; name: string; size: number }>
  /** Looks at the content of a file if that was not done, as after the end of a process. Refuses it with -68. */
  settle(fileId: number): Promise<void>
}

interface Recorded {
  readonly fileId: number
  /** Undefined if an earlier request has made the file. */
  readonly blobId: number | undefined
}

const refused = { zh: '文件含有公司不允许发送的内容', en: 'the file contains what must not be sent' }

/**
 * Files of conversations. A rule for sensitive content that finds something in the name or the content refuses the file
 * ([R256]). The content is read after its row is stored, outside of any transaction; until then the file cannot be sent.
 */
export function createFiler(
  services: Pick<Services, 'blobs' | 'db' | 'invalidations' | 'secrets' | 'now' | 'settings' | 'clamd'>,
  contents: Contents,
): Filer {
  const isSensitiveText = createTextCheck(services)
  const isSensitive = createContentCheck(services, contents)
  const scans = createScans(services)
  const clean = createCleaner(services.blobs)
  const look = async (file: { fileId: number; blobId: number; name: string; size: number }): Promise<void> => {
    const isRefused = await isSensitive(file)
    await sql`
      update talk_file set is_checking = false, blob_id = case when ${isRefused} then null else blob_id end
      where id = ${file.fileId}`.execute(services.db)
    if (isRefused) fail('sensitiveFile', refused)
  }
  return {
    async settle(fileId) {
      const { rows } = await sql<{ blobId: number; name: string; size: number }>`
        select blob_id as "blobId", name, size from talk_file
        where id = ${fileId} and is_checking and blob_id is not null`.execute(services.db)
      for (const row of rows) await look({ fileId, ...row })
    },
    async checkName(db, name) {
      if (await isSensitiveText(db, name)) fail('sensitiveFile', refused)
    },
    async record(context, uploaded, { conversationId, name, width, height, isPicture, before, after }) {
      const actor = actorOf(context)
      const content = isPicture ? await clean(uploaded) : uploaded
      const { size } = content
      const isScanned = size > 0 && (await scans.isOn())
      const { fileId, blobId } = await storeAtomically<Recorded>(context, services.blobs, [content], async (write) => {
        const { tx, now } = write
        const known = await before?.(tx)
        if (known !== undefined) return { made: { fileId: known, blobId: undefined }, keys: new Set<string>() }
        const { setting, inner } = actorOf(write).settings
        const blob = await contentRow(tx, content, now)
        if ((await roomOf(tx, actor)) < size) return fail('userSizeExceeded')
        const { id } = await tx
          .insertInto('talk_file')
          .values({
            account_id: actor.accountId,
            conversation_id: conversationId,
            name,
            size,
            blob_id: blob.id,
            width,
            height,
            created_at: now,
            expires_at: now + setting.im_file_days * dayMs,
            is_checking: true,
            is_picture: isPicture,
            uninspected_by: size > 0 && inner.scanner_required ? actor.accountId : null,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await after?.(tx, id)
        if (isScanned) await scans.scan(write, blob.id)
        await askThumbnail(write, { blobId: blob.id, size, name })
        return { made: { fileId: id, blobId: blob.id }, keys: new Set([blob.key]) }
      })
      if (blobId !== undefined) await look({ fileId, blobId, name, size })
      return { fileId, name, size }
    },
  }
}

/** Stores a picture again without its metadata, in place of the uploaded bytes. Refuses what is no known picture. */
function createCleaner(blobs: BlobStore): (uploaded: PendingContent) => Promise<PendingContent> {
  const slots = createSemaphore(picturesAtOnce)
  return async (uploaded) => {
    await slots.acquire()
    try {
      if (uploaded.size > limits.largestTalkPicture) return fail('pictureUnreadable')
      const bytes = withoutMetadata(await buffer(await blobs.open(uploaded.key)))
      return bytes === undefined ? fail('pictureUnreadable') : await persist(await blobs.stage(once(bytes)))
    } finally {
      slots.release()
      await dropPending(blobs, [uploaded])
    }
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** The handlers of the calls that carry files. */
export function fileHandlers(
  { blobs, contents }: { readonly blobs: BlobStore; readonly contents: Contents },
  filer: Filer,
): Filing {
  return {
    async imUpload(context, { conversationId, fileName, picture, width, height, sha256 }) {
      const body = context.upload ?? fail('badRequest', 'file')
      const room = await roomOf(context.db, actorOf(context))
      const length = Number(context.request.headers['content-length'] ?? 0)
      if (length > limits.largestTalkFile) return fail('uploadSizeExceeded')
      if (picture && length > limits.largestTalkPicture) return fail('pictureUnreadable')
      if (length > room) return fail('userSizeExceeded')
      await filer.checkName(context.db, fileName)
      await checkDisk(blobs, length)
      const most = Math.min(room, limits.largestTalkFile)
      const code = room < limits.largestTalkFile ? 'userSizeExceeded' : 'uploadSizeExceeded'
      const staged = await blobs.stage(within(most, body.content, () => fail(code)))
      if (sha256 !== undefined && staged.sha256.toString('hex') !== sha256.toLowerCase()) {
        await staged.discard()
        return fail('uploadInterrupted', 'sha256')
      }
      return filer.record(context, await persist(staged), {
        ...{ conversationId, name: fileName, width: width ?? null, height: height ?? null },
        isPicture: picture,
      })
    },

    async imFile(context, { conversationId, fileId, thumbnail }) {
      const file = await readableFile(context, conversationId, fileId)
      // Until the thumbnail is made the picture itself is sent.
      const small = thumbnail ? await findThumbnail(context, file.blobId) : undefined
      if (small === undefined) return sendContent(context, contents, file)
      await sendContent(context, contents, { ...small, name: 'thumbnail.webp', modifiedAt: file.modifiedAt })
    },

    async imFilePreview(context, { conversationId, fileId }) {
      const file = await readableFile(context, conversationId, fileId)
      await sendRendition(context, async () => ({ ...file, bytes: await contents.open(file) }))
    },

    async imSaveToDrive(context, { conversationId, fileId, folderId }) {
      const file = await readableFile(context, conversationId, fileId)
      const stored = await storeKnown(
        context,
        { folderId, name: file.name, conflict: 'keepBoth' },
        file,
        () => Promise.resolve(true),
        { before: () => Promise.resolve(undefined), after: () => Promise.resolve() },
      )
      return stored ?? fail('notFound')
    },
  }
}

/** Deletes the contents of expired files, and files that were never sent. Returns their number. */
export async function removeExpiredFiles(db: Db, now: number): Promise<number> {
  const { rows } = await sql`
    update talk_file set blob_id = null where id in (
      select f.id from talk_file f where f.blob_id is not null and not is_talk_held(f.conversation_id)
        and (f.expires_at <= ${now}
        or (f.created_at <= ${now - unsentMs} and not exists (select 1 from talk_message m where m.file_id = f.id)))
      limit ${removalBatch})
    returning 1`.execute(db)
  return rows.length
}

/** Deletes rows of files that are gone and that no message names. Returns their number. */
export async function removeFileRows(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from talk_file where id in (
      select f.id from talk_file f where f.blob_id is null
        and not exists (select 1 from talk_message m where m.file_id = f.id) limit ${removalBatch})
    returning 1`.execute(db)
  return rows.length
}

/** Deletes messages of one kind of conversation whose time is over. Returns their number. */
export async function removeOldMessages(db: Db, kind: 'user' | 'group', before: number): Promise<number> {
  const { rows } = await sql`
    delete from talk_message where id in (
      select m.id from talk_conversation c cross join lateral (
        select o.id from talk_message o where o.conversation_id = c.id and o.created_at < ${before}
          and not is_talk_held(c.id)
        order by o.created_at limit ${removalBatch}) m
      where c.kind = ${kind} limit ${removalBatch})
    returning 1`.execute(db)
  return rows.length
}

/** Deletes what recalled messages said when the company's retention ends (X75). Returns their number. */
export async function removeSealed(db: Db, now: number, keptMs: number): Promise<number> {
  const { rows } = await sql`
    update talk_message set sealed = null where id in (
      select id from talk_message where sealed is not null and recalled_at <= ${now - keptMs}
        and not is_talk_held(conversation_id) limit ${removalBatch})
    returning 1`.execute(db)
  return rows.length
}
