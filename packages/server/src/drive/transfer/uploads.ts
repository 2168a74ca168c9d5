/*
 * Uploads in parts ([R197], [R398]). The rows record the started uploads and stored parts; the store holds the bytes.
 * Any process that shares both can therefore continue any upload, also after a restart.
 *
 * Parts. The part's row is inserted first and is a claim: only its owner may write the part under its regular name in
 * the store. Every other attempt is written under a separate name. When the bytes are durable, a transaction records
 * the attempt, and only then is the part acknowledged. Of several attempts the last recorded one is valid, unless it is
 * identical to the one before. A failed attempt releases its claim.
 *
 * Completion. All parts are joined and hashed and the content is stored. One transaction then creates the file and
 * writes the result into the upload's row. A repeated request, concurrent or after a crash, is answered from the row.
 * The parts of a cancelled or expired upload are removed from the store at once, and once more before its row is
 * deleted, because by then nobody is writing any more.
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

/** A valid part of an upload, or a claim on one that is being written. */
interface PartRow {
  readonly number: number
  readonly start: number
  readonly tag: string | null
  readonly size: number | null
  readonly sha256: Buffer | null
}

/** An attempt at a part whose bytes are durable, until it is recorded or dropped. */
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

/** The expiry of an upload is extended by a week if its last part is older than this. */
const renewEveryMs = 60 * 60_000
const removalBatch = 100

/** The key under which the store holds the parts of an upload. */
const storeKey = (uploadId: string): string => uploadId.slice(uploadId.indexOf('-') + 1)

/** Returns the caller's own upload; fails for other users' uploads. */
export async function findUpload(db: Db, accountId: number, uploadId: string): Promise<Upload> {
  const upload = await db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', uploadId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return upload ?? fail('notFound')
}

/** The uploads started by an account, including ended ones. */
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

/**
 * The result of a completed upload: the version it created, with the file's current name. Undefined if it is not
 * completed.
 */
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

/** The valid parts in order. */
async function uploadedParts(db: Db, uploadId: string): Promise<UploadedPart[]> {
  const { rows } = await sql<UploadedPart>`
    select number, start, tag, size, beside from upload_part where upload_id = ${uploadId} and tag is not null
    order by number`.execute(db)
  return rows
}

/** The numbers of the valid parts. */
export async function uploadedNumbers(db: Db, uploadId: string): Promise<number[]> {
  return (await uploadedParts(db, uploadId)).map(({ number }) => number)
}

/**
 * The number of contiguous bytes stored from the start, and the number of the next part. `contested` is true if any
 * earlier part had a competing attempt: pieces have individual lengths, so the owner of that claim may still be writing
 * beyond the valid piece.
 */
export async function contiguousPrefix(
  db: Db,
  { id: uploadId, size, file_id: fileId }: Upload,
): Promise<{ offset: number; next: number; contested: boolean }> {
  // The parts of a completed upload may already be removed.
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

/** Runs works of the same id one after another. */
function createTurns(): <T>(id: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>()
  return async (id, work) => {
    for (let before = running.get(id); before !== undefined; before = running.get(id)) {
      await before.catch(() => {})
    }
    const own = work()
    running.set(id, own)
    try {
      return await own
    } finally {
      running.delete(id)
    }
  }
}

/**
 * Records an attempt as the valid part. `once` refuses if another attempt is already valid. Returns the tag under which
 * the store holds what is of no more use: the replaced attempt, or the new one if it is identical.
 */
async function recordAttempt(
  tx: Tx,
  uploadId: string,
  { number, start, claim, alone, part }: Attempt,
  once: boolean,
): Promise<string | undefined> {
  const { rows } = await sql<PartRow & { claim: string }>`
    select number, start, claim, tag, size, sha256 from upload_part
    where upload_id = ${uploadId} and number = ${number} for no key update`.execute(tx)
  const before = rows[0]
  if (before !== undefined && before.start !== start) return fail('badRequest', 'partNumber')
  if (before !== undefined && before.tag !== null) {
    if (once) return fail('duplicateOperation')
    const isSame = before.size === part.size && before.sha256?.equals(part.sha256) === true
    if (isSame && !alone) return part.tag
  }
  await sql`
    insert into upload_part (upload_id, number, start, claim, beside, tag, size, sha256)
    values (${uploadId}, ${number}, ${start}, ${claim}, ${!alone}, ${part.tag}, ${part.size}, ${part.sha256})
    on conflict (upload_id, number) do update set beside = excluded.beside, tag = excluded.tag,
      size = excluded.size, sha256 = excluded.sha256`.execute(tx)
  return before?.tag ?? undefined
}

/** The uploads of an installation: rows in the database, bytes in the store. */
export function createUploads({
  blobs,
  contents,
  partBytes,
  pause,
}: Pick<Services, 'blobs' | 'partBytes' | 'pause'> & { readonly contents: Contents }) {
  /** Completions in this process, one at a time per upload, because each reads all bytes of the upload. */
  const inTurn = createTurns()

  const clear = async (uploadId: string): Promise<void> => {
    // Parts that cannot be removed now are removed before the row is deleted.
    await blobs.removeParts(storeKey(uploadId)).catch(() => {})
  }

  /** Drops attempts that will not be recorded. */
  const drop = async (db: Db, uploadId: string, attempts: readonly Attempt[]): Promise<void> => {
    for (const attempt of attempts) {
      await blobs.removePart(storeKey(uploadId), attempt.part.tag).catch(() => {})
      await unclaim(db, uploadId, attempt)
    }
  }

  return {
    drop,

    /** Starts an upload into a folder whose gate has passed. */
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

    /** Claims the part. `alone` is false if another attempt has claimed it before. */
    async claim(db: Db, uploadId: string, number: number, start: number): Promise<{ claim: string; alone: boolean }> {
      const claim = randomUUID()
      const { rows } = await sql<{ n: number }>`
        insert into upload_part (upload_id, number, start, claim) values (${uploadId}, ${number}, ${start}, ${claim})
        on conflict do nothing returning number as n`.execute(db)
      return { claim, alone: rows.length > 0 }
    },

    /** Writes an attempt at a part. The claim is released on failure. */
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
        // Ending the upload removes its parts, so a write error is expected.
        if (!(error instanceof ResultError) && (await hasEnded(db, uploadId))) return fail('notFound')
        throw error
      }
    },

    /**
     * Records attempts as the valid parts. `once` refuses if another attempt is already valid. The replaced attempts,
     * or the new ones if they are identical, are removed from the store.
     */
    async name(context: StagedContext, uploadId: string, attempts: readonly Attempt[], once = false): Promise<void> {
      const useless: string[] = []
      try {
        await context.commit(async ({ tx, now }) => {
          useless.length = 0
          const upload = await lockUpload(tx, uploadId, 'share')
          if (upload === undefined || upload.ended_at !== null) return fail('notFound')
          for (const attempt of attempts) {
            const tag = await recordAttempt(tx, uploadId, attempt, once)
            if (tag !== undefined) useless.push(tag)
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

    /** Creates the file of an upload with all parts stored. Returns the earlier result if it is already completed. */
    complete: (context: StagedContext, uploadId: string, choice: Choice = {}): Promise<StoredFile> =>
      inTurn(uploadId, async () => {
        try {
          return await finish(context, uploadId, choice)
        } catch (error) {
          // Another process may have created the file meanwhile, so that the name is taken and the parts are gone.
          const upload = await findUpload(context.db, actorOf(context).accountId, uploadId).catch(() => undefined)
          const became = upload && (await resultOf(context.db, upload))
          if (became !== undefined) return became
          throw error
        }
      }),

    /**
     * Completes the upload without parts from existing content that the caller proves to have; undefined if that is not
     * possible.
     */
    prove: (context: StagedContext, uploadId: string, proof: string, choice: Choice): Promise<StoredFile | undefined> =>
      inTurn(uploadId, async () => {
        const upload = await findUpload(context.db, actorOf(context).accountId, uploadId)
        const file = placementOf(upload, choice)
        return (
          (await resultOf(context.db, upload)) ??
          storeProved(context, { contents, pause }, { upload, file, proof }, idempotencyFor(uploadId, []))
        )
      }),

    /** Ends an upload that is not completed. Repeated calls have no effect. */
    async abort(context: StagedContext, uploadId: string): Promise<void> {
      await context.commit(async (write) => {
        const { upload } = write.object(uploadObjects, uploadId)
        if (upload.ended_at === null) await endUpload(write.tx, uploadId, write.now)
      })
      await clear(uploadId)
    },
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

/** Options that can be changed when an upload is completed. */
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

/**
 * Makes completion idempotent: a second request gets the result of the first. Fails if parts have been replaced since
 * they were read.
 */
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

/** Releases a failed claim, so the next attempt can use the regular name again. */
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

/** Whether the parts are contiguous up to the size. */
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

/** Ends abandoned uploads and deletes the rows of those that ended long ago, in batches. Returns their number. */
export async function removeExpiredUploads(db: Db, blobs: BlobStore, now: number): Promise<number> {
  const { rows: expired } = await sql<{ id: string }>`
    update upload set ended_at = ${now}, nonce = null where id in (
      select id from upload where ended_at is null and expires_at <= ${now}
      order by expires_at limit ${removalBatch} for update skip locked) returning id`.execute(db)
  for (const { id } of expired) await blobs.removeParts(storeKey(id))
  const { rows: old } = await sql<{ id: string }>`
    select id from upload where ended_at <= ${now - limits.uploadKnownMs}
    order by ended_at limit ${removalBatch}`.execute(db)
  // Bytes are removed first: a remaining row is found again, but unreferenced bytes would not be.
  for (const { id } of old) await blobs.removeParts(storeKey(id))
  if (old.length > 0) await sql`delete from upload where id = any(${old.map(({ id }) => id)})`.execute(db)
  return expired.length + old.length
}
