/*
 * Uploads in parts ([R197], [R398]). Rows say what was begun and which parts are held, the store holds the bytes, so any
 * process that shares both can go on with any upload, also after a restart.
 *
 * A part. Its row is made first and is a claim: only who made it may write the part in its place in the store. Every
 * other attempt is written beside it. When the bytes are durable a transaction names the attempt, and only then is the
 * part acknowledged; of several attempts the one named last counts, unless it says nothing new. An attempt that fails
 * gives its claim back.
 *
 * The end. All parts are joined and hashed, the content is kept, and one transaction makes the file and writes into the
 * upload's row what it became. Asked again, at the same time or after a crash, the row answers. What was given up or has
 * expired is removed from the store at once, and once more before its row goes: by then nobody is writing any more.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { features } from '@cloudoc/contract'
import { fail, limits, ResultError } from '@cloudoc/domain'
import { type Selectable, sql } from 'kysely'
import type { ObjectAccess } from '../../core/access.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import type { BlobStore, StoredPart } from '../../core/blobs/store.ts'
import { actorOf, type StagedContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { Schema } from '../../core/db/schema.ts'
import type { Objects } from '../../core/loaders.ts'
import type { Services } from '../../core/services.ts'
import {
  checkComing,
  checkDisk,
  type Idempotency,
  type Placement,
  persist,
  type StoredFile,
  storePending,
} from '../content/index.ts'
import { storeProved } from './instant.ts'

export type Upload = Selectable<Schema['upload']>

/** A part of an upload that counts, or a claim on one that is being written. */
interface PartRow {
  readonly number: number
  readonly start: number
  readonly tag: string | null
  readonly size: number | null
  readonly sha256: Buffer | null
}

/** An attempt at a part whose bytes are durable, until it is named or dropped. */
export interface Attempt {
  readonly number: number
  readonly start: number
  readonly claim: string
  readonly alone: boolean
  readonly part: StoredPart
}

interface UploadedPart {
  readonly number: number
  readonly start: number
  readonly tag: string
  readonly size: number
  readonly beside: boolean
}

/** An upload is given another week when its last part is older than that. */
const renewEveryMs = 60 * 60_000
const removalBatch = 100

/** The name under which the store keeps the parts of an upload. */
const storeKey = (uploadId: string): string => uploadId.slice(uploadId.indexOf('-') + 1)

/** The caller's own upload; that of anybody else is not there. */
export async function findUpload(db: Db, accountId: number, uploadId: string): Promise<Upload> {
  const upload = await db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', uploadId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return upload ?? fail('notFound')
}

/** The uploads that an account began, those that have ended included. */
export const uploadObjects: Objects<ObjectAccess<{ readonly isStored: boolean }> & { readonly upload: Upload }> = {
  kind: features.transfer.objects.upload,
  async load(db, actor, ids) {
    if (actor.kind !== 'account') return new Map()
    const rows = await db
      .selectFrom('upload')
      .selectAll()
      .where('id', 'in', ids.map(String))
      .where('account_id', '=', actor.accountId)
      .execute()
    return new Map(rows.map((upload) => [upload.id, { upload, facts: { isStored: upload.file_id !== null } }]))
  },
  async lock(tx, id, lock) {
    await lockUpload(tx, String(id), lock === 'hold' ? 'share' : 'change')
  },
}

/** What an upload has become, once it has become something: the version that it made, under the name that it has now. */
export async function resultOf(db: Db, upload: Upload): Promise<StoredFile | undefined> {
  const { file_id: fileId, version, size: fileSize, sha256 } = upload
  if (fileId === null || version === null || sha256 === null) return undefined
  const row = await db
    .selectFrom('item')
    .select(['name', 'parent_id', 'created_at', 'modified_at'])
    .where('id', '=', fileId)
    .executeTakeFirst()
  const ended = upload.ended_at ?? 0
  return {
    fileId,
    fName: row?.name ?? upload.name,
    parentFolderId: row?.parent_id ?? upload.folder_id,
    version,
    createTime: row?.created_at ?? ended,
    modifyTime: row?.modified_at ?? ended,
    fileSize,
    sha256: sha256.toString('hex'),
  }
}

/** The parts that count, in their order. */
async function uploadedParts(db: Db, uploadId: string): Promise<UploadedPart[]> {
  const { rows } = await sql<UploadedPart>`
    select number, start, tag, size, beside from upload_part where upload_id = ${uploadId} and tag is not null
    order by number`.execute(db)
  return rows
}

/** The numbers of the parts that count. */
export async function uploadedNumbers(db: Db, uploadId: string): Promise<number[]> {
  return (await uploadedParts(db, uploadId)).map(({ number }) => number)
}

/**
 * Bytes from the start that are held without a gap, and the number of the part that follows them. That part is not alone
 * in its place if any before it was contested: where pieces have lengths of their own, whoever claimed that one may still
 * be writing beyond the piece that counts.
 */
export async function contiguousPrefix(
  db: Db,
  { id: uploadId, size, file_id: fileId }: Upload,
): Promise<{ offset: number; next: number; contested: boolean }> {
  // The parts of what has become a file need not be there any more.
  if (fileId !== null) return { offset: size, next: 1, contested: false }
  let offset = 0
  let next = 1
  let contested = false
  for (const part of await uploadedParts(db, uploadId)) {
    if (part.start !== offset) break
    offset += part.size
    next += 1
    contested ||= part.beside
  }
  return { offset, next, contested }
}

/** Uploads of an installation: their rows in the database, their bytes in the store. */
export function createUploads({
  blobs,
  contents,
  partBytes,
  pause,
}: Pick<Services, 'blobs' | 'partBytes' | 'pause'> & { readonly contents: Contents }) {
  /** Completions under way in this process: one at a time for each upload, since each reads all its bytes. */
  const completing = new Map<string, Promise<unknown>>()

  const clear = async (uploadId: string): Promise<void> => {
    // What cannot be removed now is removed before the row goes.
    await blobs.removeParts(storeKey(uploadId)).catch(() => {})
  }

  /** Lets go of attempts that will not be named. */
  const drop = async (db: Db, uploadId: string, attempts: readonly Attempt[]): Promise<void> => {
    for (const attempt of attempts) {
      await blobs.removePart(storeKey(uploadId), attempt.part.tag).catch(() => {})
      await unclaim(db, uploadId, attempt)
    }
  }

  return {
    drop,

    /** Begins an upload into a folder whose gate has passed. */
    async open(
      context: StagedContext,
      file: Placement & { size: number; sha256: string | undefined; metadata?: string },
    ): Promise<Upload> {
      const { accountId } = actorOf(context)
      await checkDisk(blobs, file.size)
      return context.commit(async (write) => {
        const { tx, now } = write
        await checkComing(write, tx, file)
        const { rows } = await sql<{ open: number }>`
          select count(*) as open from upload where account_id = ${accountId} and ended_at is null`.execute(tx)
        if ((rows[0]?.open ?? 0) >= limits.openUploads) return fail('sendingTooOften')
        return tx
          .insertInto('upload')
          .values({
            id: `${file.folderId}-${randomBytes(18).toString('base64url')}`,
            account_id: accountId,
            folder_id: file.folderId,
            name: file.name,
            size: file.size,
            part_size: partBytes(file.size),
            sha256: file.sha256 === undefined ? null : Buffer.from(file.sha256, 'hex'),
            conflict: file.conflict,
            secret_level: file.secretLevel ?? 0,
            secret_until: file.secretUntil ?? null,
            disk_time: file.diskTime ?? null,
            metadata: file.metadata ?? null,
            nonce: file.sha256 === undefined ? null : randomBytes(32),
            expires_at: now + limits.uploadOpenMs,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
      })
    },

    /** Claims the part, or says that somebody has done so before. */
    async claim(db: Db, uploadId: string, number: number, start: number): Promise<{ claim: string; alone: boolean }> {
      const claim = randomUUID()
      const { rows } = await sql<{ n: number }>`
        insert into upload_part (upload_id, number, start, claim) values (${uploadId}, ${number}, ${start}, ${claim})
        on conflict do nothing returning number as n`.execute(db)
      return { claim, alone: rows.length > 0 }
    },

    /** Writes an attempt at a part; the claim is given back where it fails. */
    async write(
      db: Db,
      uploadId: string,
      place: { number: number; start: number; most: number; claim: string; alone: boolean },
      content: AsyncIterable<Uint8Array>,
      check: (part: StoredPart) => void,
    ): Promise<StoredPart> {
      const { start, most, alone } = place
      let part: StoredPart | undefined
      try {
        part = await blobs.writePart(storeKey(uploadId), { start, most, alone }, atMost(content, most))
        check(part)
        return part
      } catch (error) {
        if (part !== undefined) await blobs.removePart(storeKey(uploadId), part.tag).catch(() => {})
        await unclaim(db, uploadId, place)
        // Whoever ended the upload meanwhile has taken the place of its parts away.
        if (!(error instanceof ResultError) && (await hasEnded(db, uploadId))) return fail('notFound')
        throw error
      }
    },

    /**
     * Names attempts as the parts that count; `once` refuses where another attempt counts already. What they replace, or
     * they themselves where they say nothing new, is dropped from the store.
     */
    async name(context: StagedContext, uploadId: string, attempts: readonly Attempt[], once = false): Promise<void> {
      const useless: string[] = []
      try {
        await context.commit(async ({ tx, now }) => {
          useless.length = 0
          const upload = await lockUpload(tx, uploadId, 'share')
          if (upload === undefined || upload.ended_at !== null) return fail('notFound')
          for (const { number, start, claim, alone, part } of attempts) {
            const { rows } = await sql<PartRow & { claim: string }>`
              select number, start, claim, tag, size, sha256 from upload_part
              where upload_id = ${uploadId} and number = ${number} for no key update`.execute(tx)
            const before = rows[0]
            if (before !== undefined && before.start !== start) return fail('badRequest', 'partNumber')
            if (before !== undefined && before.tag !== null) {
              if (once) return fail('duplicateOperation')
              const isSame = before.size === part.size && before.sha256?.equals(part.sha256) === true
              useless.push(isSame && !alone ? part.tag : before.tag)
              if (isSame && !alone) continue
            }
            await sql`
              insert into upload_part (upload_id, number, start, claim, beside, tag, size, sha256)
              values (${uploadId}, ${number}, ${start}, ${claim}, ${!alone}, ${part.tag}, ${part.size}, ${part.sha256})
              on conflict (upload_id, number) do update set beside = excluded.beside, tag = excluded.tag,
                size = excluded.size, sha256 = excluded.sha256`.execute(tx)
          }
          const expiresAt = now + limits.uploadOpenMs
          await sql`
            update upload set expires_at = ${expiresAt}
            where id = ${uploadId} and expires_at < ${expiresAt - renewEveryMs}`.execute(tx)
        })
      } catch (error) {
        if (error instanceof ResultError) await drop(context.db, uploadId, attempts)
        throw error
      }
      for (const tag of useless) await blobs.removePart(storeKey(uploadId), tag).catch(() => {})
    },

    /** Makes the file of an upload whose parts are all held; answers what it has become where it has already. */
    complete: (context: StagedContext, uploadId: string, choice: Choice = {}): Promise<StoredFile> =>
      inTurn(uploadId, async () => {
        try {
          return await finish(context, uploadId, choice)
        } catch (error) {
          // Another process may have made the file meanwhile: then its name is taken and its parts are gone, by itself.
          const upload = await findUpload(context.db, actorOf(context).accountId, uploadId).catch(() => undefined)
          const became = upload && (await resultOf(context.db, upload))
          if (became !== undefined) return became
          throw error
        }
      }),

    /** The same without any part, for a content that is here and that the caller proves to have; undefined where not. */
    prove: (context: StagedContext, uploadId: string, proof: string, choice: Choice): Promise<StoredFile | undefined> =>
      inTurn(uploadId, async () => {
        const upload = await findUpload(context.db, actorOf(context).accountId, uploadId)
        const file = placementOf(upload, choice)
        return (
          (await resultOf(context.db, upload)) ??
          storeProved(context, { contents, pause }, { upload, file, proof }, idempotencyFor(uploadId, []))
        )
      }),

    /** Ends an upload that has become nothing; one that was ended so before stays as it is. */
    async abort(context: StagedContext, uploadId: string): Promise<void> {
      await context.commit(async (write) => {
        const { upload } = write.object(uploadObjects, uploadId)
        if (upload.ended_at === null) await endUpload(write.tx, uploadId, write.now)
      })
      await clear(uploadId)
    },
  }

  async function inTurn<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
    for (let running = completing.get(uploadId); running !== undefined; running = completing.get(uploadId)) {
      await running.catch(() => {})
    }
    const own = work()
    completing.set(uploadId, own)
    try {
      return await own
    } finally {
      completing.delete(uploadId)
    }
  }

  async function finish(context: StagedContext, uploadId: string, choice: Choice): Promise<StoredFile> {
    const upload = await findUpload(context.db, actorOf(context).accountId, uploadId)
    const done = await resultOf(context.db, upload)
    if (done !== undefined) return done
    if (upload.ended_at !== null) return fail('notFound')
    const parts = await uploadedParts(context.db, uploadId)
    if (!isWhole(parts, upload)) return fail('uploadNotFinished')
    const file = placementOf(upload, choice)
    await checkComing(context, context.db, { ...file, size: upload.size })
    const staged = await blobs.joinParts(storeKey(uploadId), parts)
    if (upload.sha256 !== null && !upload.sha256.equals(staged.sha256)) {
      await staged.discard()
      return fail('uploadInterrupted', 'sha256')
    }
    const content = await persist(staged)
    const stored = await storePending(context, blobs, file, content, idempotencyFor(uploadId, parts))
    await clear(uploadId)
    return stored
  }
}

/** What may be decided anew when an upload ends. */
interface Choice {
  readonly fileName?: string | undefined
  readonly conflict?: Placement['conflict'] | undefined
  readonly expectedVersion?: number | undefined
}

function placementOf(upload: Upload, choice: Choice): Placement {
  return {
    folderId: upload.folder_id,
    name: choice.fileName ?? upload.name,
    conflict: choice.expectedVersion === undefined ? (choice.conflict ?? upload.conflict) : 'version',
    expectedVersion: choice.expectedVersion,
    secretLevel: upload.secret_level,
    secretUntil: upload.secret_until,
    diskTime: upload.disk_time ?? undefined,
  }
}

/** The upload becomes a file once: whoever comes second gets the first one's, and parts that were replaced count. */
function idempotencyFor(uploadId: string, parts: readonly UploadedPart[]): Idempotency {
  return {
    async before({ tx }) {
      const locked = await lockUpload(tx, uploadId, 'change')
      if (locked === undefined) return fail('notFound')
      const became = await resultOf(tx, locked)
      if (became !== undefined) return became
      if (locked.ended_at !== null) return fail('notFound')
      if (parts.length > 0 && !isSame(parts, await uploadedParts(tx, uploadId))) return fail('uploadInterrupted')
      return undefined
    },
    async after({ tx, now }, { fileId, version, sha256 }) {
      await endUpload(tx, uploadId, now, { file_id: fileId, version, sha256: Buffer.from(sha256, 'hex') })
    },
  }
}

export type Uploads = ReturnType<typeof createUploads>

async function hasEnded(db: Db, uploadId: string): Promise<boolean> {
  const upload = await db.selectFrom('upload').select('ended_at').where('id', '=', uploadId).executeTakeFirst()
  return upload === undefined || upload.ended_at !== null
}

/** Gives a claim back that came to nothing, so that the next attempt may write in place again. */
async function unclaim(
  db: Db,
  uploadId: string,
  { number, claim, alone }: { number: number; claim: string; alone: boolean },
): Promise<void> {
  if (!alone) return
  await sql`
    delete from upload_part
    where upload_id = ${uploadId} and number = ${number} and claim = ${claim} and tag is null`.execute(db)
}

async function lockUpload(tx: Tx, uploadId: string, lock: 'share' | 'change'): Promise<Upload | undefined> {
  const query = tx.selectFrom('upload').selectAll().where('id', '=', uploadId)
  return (lock === 'share' ? query.forKeyShare() : query.forUpdate()).executeTakeFirst()
}

async function endUpload(
  tx: Tx,
  uploadId: string,
  now: number,
  became: { file_id?: number; version?: number; sha256?: Buffer } = {},
): Promise<void> {
  await tx
    .updateTable('upload')
    .set({ ...became, ended_at: now, nonce: null })
    .where('id', '=', uploadId)
    .execute()
}

/** Whether parts follow each other without a gap up to the size. */
function isWhole(parts: readonly UploadedPart[], { size }: Upload): boolean {
  let end = 0
  for (const part of parts) {
    if (part.start !== end) return false
    end += part.size
  }
  return end === size
}

function isSame(a: readonly UploadedPart[], b: readonly UploadedPart[]): boolean {
  return a.length === b.length && a.every(({ number, tag }, n) => b[n]?.number === number && b[n]?.tag === tag)
}

async function* atMost(content: AsyncIterable<Uint8Array>, most: number): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > most)
      fail('badRequest', {
        zh: `这一分片应为 ${most} 字节，收到的更多`,
        en: `this part has ${most} bytes, and more came`,
      })
    yield chunk
  }
}

/** Ends uploads that nobody went on with, and forgets those that ended long ago. Some at a time; answers how many. */
export async function removeExpiredUploads(db: Db, blobs: BlobStore, now: number): Promise<number> {
  const { rows: expired } = await sql<{ id: string }>`
    update upload set ended_at = ${now}, nonce = null where id in (
      select id from upload where ended_at is null and expires_at <= ${now}
      order by expires_at limit ${removalBatch} for update skip locked) returning id`.execute(db)
  for (const { id } of expired) await blobs.removeParts(storeKey(id))
  const { rows: old } = await sql<{ id: string }>`
    select id from upload where ended_at <= ${now - limits.uploadKnownMs}
    order by ended_at limit ${removalBatch}`.execute(db)
  // The bytes first: a row that is left is found again, bytes that no row names would not be.
  for (const { id } of old) await blobs.removeParts(storeKey(id))
  if (old.length > 0) await sql`delete from upload where id = any(${old.map(({ id }) => id)})`.execute(db)
  return expired.length + old.length
}
