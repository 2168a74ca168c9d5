/*
 * Places stored content as a file in a folder. Files that arrive at the same moment are placed together by one
 * statement that inserts the items, the rows of their contents, the first versions and the checksums. All code here
 * locks in the same order: the item before its content, and several of either in the order of their keys.
 */
import type { StoredItem } from '@cloudoc/contract'
import { type CodeName, denial, fail, gates, LogBit, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account, Author } from '../../core/actor.ts'
import type { Outcome } from '../../core/batcher.ts'
import {
  accountOf,
  actorOf,
  authorOf,
  type Context,
  type SharedWork,
  type WriteContext,
} from '../../core/call/context.ts'
import { denialTo } from '../../core/call/gates.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { personal } from '../../core/events.ts'
import { checkFile, hasSpaceLimit, lockSpace } from '../quotas/index.ts'
import {
  accessTo,
  addVersion,
  checkDepth,
  holderOf,
  isEditor,
  itemEvent,
  lockItem,
  type NewItem,
  nameColumns,
  newlyStored,
  storedItem,
  withName,
} from '../tree/index.ts'
import { storeSums } from './checked-contents.ts'
import { isNamedInTime, type PendingContent } from './pending-content.ts'

/** A file to be placed in a folder for which the `upload` gate has passed. */
export interface Placement {
  readonly folderId: number
  readonly name: string
  readonly conflict: 'refuse' | 'version' | 'keepBoth' | 'skip'
  /** With `version`: the version that must precede the new one. 0: the file must not exist yet. */
  readonly expectedVersion?: number | undefined
  readonly secretLevel?: number
  /** The time from which the secret level counts as 0; null: never. */
  readonly secretUntil?: number | null
  /**
   * The archive that the file is extracted from. The file takes the archive's secret level at the time of placing, so
   * extracting never makes secret content public.
   */
  readonly outOf?: number
  /** The modification time on the source disk, if known. */
  readonly diskTime?: number | undefined
  /** The mail that the file comes from; only its owner is told ([R109]). */
  readonly mailId?: number | undefined
}

export interface Placed {
  readonly fileId: number
  readonly item: StoredItem
  /** The object that holds the file's content: its own, or that of equal content stored earlier. */
  readonly key: string
}

interface Placing {
  readonly file: Placement
  readonly content: PendingContent
}

/** An edited version of a file. */
export interface Submission {
  readonly fileId: number
  /** The version that the edit is based on. */
  readonly base: number
  /** True if it was edited under the caller's lock. Otherwise only the version is checked. */
  readonly locked: boolean
  /** The older version that was edited, if the result is placed on top of `base` after a conflict. */
  readonly madeOf?: number | undefined
  readonly diskTime?: number | undefined
}

/** Places files that arrive at the same moment in one batch. */
export const placing: SharedWork<Placing, Placed> = { batch: placeBatch, alone: placeAlone }

interface NewFile extends Omit<NewItem, 'fType' | 'accountId'> {
  readonly author: Author
  readonly content: PendingContent
  readonly diskTime: number | undefined
  readonly mailId?: number | undefined
}

/**
 * Places new files with free names. A taken name is handled separately, unless the conflict policy simply refuses it.
 */
async function placeBatch(
  tx: Tx,
  members: readonly { readonly context: WriteContext; readonly input: Placing }[],
): Promise<(Outcome<Placed> | undefined)[]> {
  const names = new Set<string>()
  const files: NewFile[] = []
  const places = members.map(({ context, input }): { at: number } | Outcome<Placed> | undefined => {
    const name = `${input.file.folderId}/${nameColumns(input.file.name, 1).name_key}`
    // Of two files with the same name, the second is placed after the first. Under a space limit, files are placed one
    // at a time.
    const folder = context.item({ fType: 2, fId: input.file.folderId })
    if (input.file.expectedVersion !== undefined) return undefined
    if (names.has(name) || hasSpaceLimit(accountOf(context), folder)) return undefined
    try {
      files.push(newFile(context, input))
    } catch (error) {
      return { error }
    }
    names.add(name)
    return { at: files.length - 1 }
  })
  const made = await insertFiles(tx, files)
  return members.map(({ context, input }, n) => {
    const place = places[n]
    if (place === undefined || !('at' in place)) return place
    const [file, row] = [files[place.at], made[place.at]]
    if (file !== undefined && row !== undefined) return { value: placed(context, file, row) }
    const { conflict } = input.file
    return conflict === 'refuse' || conflict === 'skip' ? { error: new ResultError('alreadyExists') } : undefined
  })
}

async function placeAlone(context: WriteContext, { file, content }: Placing): Promise<Placed> {
  const { tx } = context
  const { folderId, conflict } = file
  const own = newFile(context, { file, content })
  const space = await lockSpace(tx, accountOf(context), context.item({ fType: 2, fId: folderId }), context.now)
  await space.take(content.size)
  const policy = conflict === 'version' ? 'refuse' : conflict
  while (true) {
    const holder = conflict === 'version' ? await lockHolder(tx, folderId, file.name) : undefined
    if (holder !== undefined) return newVersion(context, holder, content, file)
    // The file that was edited no longer exists.
    if ((file.expectedVersion ?? 0) > 0) return fail('fileConflict')
    const made = await withName(tx, { parentId: folderId, name: file.name, fType: 1 }, policy, async (name) => {
      const named = { ...own, name }
      const [row] = await insertFiles(tx, [named])
      return row === undefined ? undefined : placed(context, named, row)
    })
    if (made !== undefined) return made
    // Another user took the name after it was found free. With `version` the content becomes a new version of that
    // file.
    if (conflict !== 'version') return fail('alreadyExists')
  }
}

/** A user cannot set a secret level above their own, or any level if the setting is off. [R152] */
export function checkLevel({ secretLevel, settings }: Account, level: number): void {
  if (level > secretLevel) fail('secretLevel')
  if (level > 0 && !settings.setting.secret_manage) fail('noPermission', 'secretLevel')
}

interface Secret {
  readonly secretLevel: number
  readonly secretUntil: number | null
}

/** The secret level of the archive that files are extracted from, read in the transaction that places them. */
function secretOf(context: WriteContext, fileId: number): Secret {
  const { row, facts } = context.item({ fType: 1, fId: fileId })
  return { secretLevel: facts.secretLevel, secretUntil: row.secret_until }
}

function newFile(context: WriteContext, { file, content }: Placing): NewFile {
  const folder = context.item({ fType: 2, fId: file.folderId })
  const secret: Secret =
    file.outOf === undefined
      ? { secretLevel: file.secretLevel ?? 0, secretUntil: file.secretUntil ?? null }
      : secretOf(context, file.outOf)
  checkLevel(accountOf(context), secret.secretLevel)
  checkDepth(folder.path.length + 1)
  if (!isNamedInTime(content)) return fail('uploadInterrupted')
  checkFile(accountOf(context), folder.library, { name: file.name, size: content.size })
  return {
    libraryId: folder.library.id,
    parentId: file.folderId,
    name: file.name,
    author: authorOf(context),
    now: context.now,
    content,
    ...secret,
    diskTime: file.diskTime,
    mailId: file.mailId,
  }
}

function placed(context: WriteContext, file: NewFile, { id, key }: MadeFile): Placed {
  const { libraryId, parentId, name, content, author } = file
  const row = {
    id,
    library_id: libraryId,
    parent_id: parentId,
    f_type: 1,
    name,
    version: 1,
    size: content.size,
  } as const
  context.event(itemEvent({ ...row, created_by: author.accountId }, 'add', author.name))
  return { fileId: id, item: newlyStored(name, parentId, 1, context.now), key }
}

/** A file of a tree that is placed as a whole. */
export interface TreeFile {
  readonly parentId: number
  /** Number of folders between the file and the target folder. */
  readonly below: number
  readonly name: string
  readonly content: PendingContent
  readonly diskTime: number | undefined
}

/** A file of a tree that was not placed, and the code that refuses it. */
export interface SkippedFile<F> {
  readonly file: F
  readonly code: CodeName
}

const placementBatch = 500

/**
 * Places files extracted from an archive into folders created by this transaction in `target`, whose gate has passed.
 * Files that are refused are skipped and reported. Returns the object keys of the others.
 */
export async function placeTree<F extends TreeFile>(
  context: WriteContext,
  target: Access,
  files: readonly F[],
  archiveId: number,
): Promise<{ readonly keys: ReadonlySet<string>; readonly placed: number; readonly left: readonly SkippedFile<F>[] }> {
  const { tx, now } = context
  const account = accountOf(context)
  const secret = secretOf(context, archiveId)
  checkLevel(account, secret.secretLevel)
  const space = await lockSpace(tx, account, target, now)
  const left: SkippedFile<F>[] = []
  // Names are compared case-insensitively.
  const names = new Set<string>()
  const fitting = files.filter((file) => {
    const { parentId, below, name, content } = file
    if (!isNamedInTime(content)) return fail('uploadInterrupted')
    const key = `${parentId}/${nameColumns(name, 1).name_key}`
    const code = names.has(key)
      ? 'alreadyExists'
      : refusalIn(() => {
          checkDepth(target.path.length + 1 + below)
          checkFile(account, target.library, { name, size: content.size })
        })
    if (code === undefined) names.add(key)
    else left.push({ file, code })
    return code === undefined
  })
  const wanted: F[] = []
  // Normally space is taken for all files at once. If that fails, files are taken one by one as long as they fit.
  const tooMuch = await refusalOf(space.take(fitting.reduce((sum, { content }) => sum + content.size, 0)))
  for (const file of fitting) {
    const code = tooMuch && (await refusalOf(space.take(file.content.size)))
    if (code === undefined) wanted.push(file)
    else left.push({ file, code })
  }
  const keys = new Set<string>()
  let count = 0
  for (let from = 0; from < wanted.length; from += placementBatch) {
    const some = wanted.slice(from, from + placementBatch)
    const rows = some.map(({ parentId, name, content, diskTime }): NewFile => {
      const at = { libraryId: target.library.id, parentId, name, author: authorOf(context), now }
      return { ...at, ...secret, content, diskTime }
    })
    const made = await insertFiles(tx, rows)
    for (const [n, file] of some.entries()) {
      const [row, one] = [rows[n], made[n]]
      // A folder of the archive has the same name.
      if (row === undefined || one === undefined) left.push({ file, code: 'alreadyExists' })
      else {
        keys.add(placed(context, row, one).key)
        count += 1
      }
    }
  }
  return { keys, placed: count, left }
}

/** The code with which the check refuses; undefined if it passes. */
function refusalIn(check: () => void): CodeName | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ResultError) return error.code
    throw error
  }
}

async function refusalOf(doing: Promise<void>): Promise<CodeName | undefined> {
  return doing.then(
    () => undefined,
    (error: unknown) =>
      refusalIn(() => {
        throw error
      }),
  )
}

interface MadeFile {
  readonly id: number
  readonly blobId: number
  readonly key: string
}

/**
 * Inserts files, each with its content and first version. No two of them may share a folder and a name. Returns them in
 * input order, with undefined for a name that an existing item holds.
 */
async function insertFiles(tx: Tx, files: readonly NewFile[]): Promise<(MadeFile | undefined)[]> {
  if (files.length === 0) return []
  const rows = files.map((file, n) => ({
    n,
    library_id: file.libraryId,
    parent_id: file.parentId,
    ...nameColumns(file.name, 1),
    account_id: file.author.accountId,
    outsider: file.author.outsider,
    at: file.now,
    secret_level: file.secretLevel,
    secret_until: file.secretUntil,
    disk_time: file.diskTime ?? null,
    mail_id: file.mailId ?? null,
    size: file.content.size,
    sha256: file.content.sha256.toString('hex'),
    object: file.content.key,
  }))
  // Two transactions that store the same new content meet in `on conflict`: the second waits and uses the row of the
  // first. A row that already exists is locked, so the collector cannot remove it before its version is inserted.
  const { rows: made } = await sql<MadeFile & { n: number }>`
    with wanted as materialized (
      select n, library_id, parent_id, name, name_key collate "C" as name_key, name_sort, search_text, ext,
        account_id, outsider, at, secret_level, secret_until, disk_time, mail_id, size, decode(sha256, 'hex') as sha256, object
      from json_to_recordset(${JSON.stringify(rows)}) as w (n int, library_id bigint, parent_id bigint, name text,
        name_key text, name_sort text, search_text text, ext text, account_id bigint, outsider jsonb, at bigint,
        secret_level int, secret_until bigint, disk_time bigint, mail_id bigint, size bigint, sha256 text, object text)
    ), made as (
      insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext,
        created_by, created_at, creator_outsider, modified_by, modified_at, modifier_outsider,
        version, size, secret_level, secret_until, disk_time, mail_id)
      select library_id, parent_id, 1, name, name_key, name_sort, search_text, ext,
        account_id, at, outsider, account_id, at, outsider, 1, size, secret_level, secret_until, disk_time, mail_id
      from wanted order by parent_id, name_key
      on conflict (parent_id, name_key) where deleted_at is null do nothing
      returning id, parent_id, name_key
    ), placed as materialized (
      select w.*, m.id from made m join wanted w on w.parent_id = m.parent_id and w.name_key = m.name_key
    ), content as materialized (
      select distinct on (sha256, size) sha256, size, object, at from placed order by sha256, size
    ), found as materialized (
      select b.id, b.sha256, b.size, b.key from content c
      cross join lateral (select * from blob where sha256 = c.sha256 and size = c.size offset 0 for key share) b
    ), added as (
      insert into blob (sha256, size, key, created_at)
      select sha256, size, object, at from content c
      where not exists (select 1 from found f where f.sha256 = c.sha256 and f.size = c.size)
      order by sha256, size
      on conflict (sha256, size) do update set size = excluded.size
      returning id, sha256, size, key
    ), stored as materialized (
      select p.*, b.id as blob_id, b.key from placed p
      join (select * from found union all select * from added) b on b.sha256 = p.sha256 and b.size = p.size
    ), first as (
      insert into version (item_id, number, blob_id, size, created_by, created_at, creator_outsider, disk_time)
      select id, 1, blob_id, size, account_id, at, outsider, disk_time from stored
    ), counted as (
      insert into tally (library_id, account_id, folder_id, bytes, children)
      select library_id, account_id, parent_id, sum(size), count(*) from stored group by 1, 2, 3
    )
    select n, id, blob_id as "blobId", key from stored`.execute(tx)
  await storeSums(
    tx,
    made.map(({ n, blobId }) => ({ blobId, sums: files[n]?.content.sums ?? Buffer.alloc(0) })),
  )
  const byPlace = new Map(made.map((row) => [row.n, row]))
  return files.map((_, n) => byPlace.get(n))
}

/** Returns the item that holds a name, locked. Looks again if the item lost the name while this waited for its row. */
async function lockHolder(tx: Tx, folderId: number, name: string): ReturnType<typeof holderOf> {
  while (true) {
    const holder = await holderOf(tx, folderId, name)
    if (holder === undefined) return undefined
    await lockItem(tx, holder.id, 'change')
    if ((await holderOf(tx, folderId, name))?.id === holder.id) return holder
  }
}

/** Adds the content as the newest version of the file that holds the name, if the caller may change that file. */
async function newVersion(
  context: WriteContext,
  holder: { id: number; f_type: 1 | 2 },
  content: PendingContent,
  { expectedVersion, diskTime }: Pick<Placement, 'expectedVersion' | 'diskTime'>,
): Promise<Placed> {
  if (holder.f_type === 2) return fail('alreadyExists')
  const access = await accessTo(context.tx, accountOf(context), { fType: 1, fId: holder.id }, context.now)
  // The file is hidden from the caller: the name is taken, but nothing else is disclosed.
  if (access === undefined || denial(gates.see, access.facts) !== undefined) return fail('alreadyExists')
  if (expectedVersion !== undefined) checkBase(access, expectedVersion)
  return addContent(context, access, content, { diskTime })
}

/**
 * The submitted content is based on a version other than the newest. It is refused, and the conflict is logged. [R174]
 * [R190]
 */
export class VersionConflict extends ResultError {
  readonly fileId: number
  readonly base: number
  readonly newest: number

  constructor(fileId: number, base: number, newest: number) {
    super('fileConflict')
    this.fileId = fileId
    this.base = base
    this.newest = newest
  }
}

/** Refuses content that is based on a version other than the file's newest. */
export function checkBase({ row }: Pick<Access, 'row'>, base: number): void {
  if (row.version !== base) throw new VersionConflict(row.id, base, row.version)
}

/** Writes a version conflict, or its resolution, into the file's log. */
async function recordConflict(
  context: Context,
  db: Db,
  fileId: number,
  detail: { readonly log: number; readonly version: number; readonly from: number; readonly way?: 'overwrite' },
): Promise<void> {
  const { accountId, outsider } = authorOf(context)
  const { address, now } = context
  await db
    .insertInto('audit')
    .values({
      ...{ at: now, account_id: accountId, outsider: outsider && JSON.stringify(outsider), address, items: [fileId] },
      ...{ call: 'submitFile', detail: JSON.stringify(detail) },
    })
    .execute()
}

/** Returns the result of submitting content. Logs a version conflict before rethrowing it. */
export async function recordingConflicts<T>(context: Context, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof VersionConflict) {
      const { fileId, base, newest } = error
      await recordConflict(context, context.db, fileId, { log: LogBit.conflict, version: newest, from: base })
    }
    throw error
  }
}

/**
 * Refuses a submission that lacks a required edit lock of the caller, or that is based on another version than the
 * newest. [R173] [R174]
 */
export function checkSubmission(
  context: Context,
  { row }: Access,
  { base, locked }: Pick<Submission, 'base' | 'locked'>,
): void {
  if (locked && !isEditor(row, actorOf(context))) {
    // Another user may have taken the lock since the gate was checked.
    if (row.editor_id === null) fail('noEditLock')
    fail('fileLocked', row.editor ?? '')
  }
  checkBase({ row }, base)
}

/** Adds the content as the next version of the file that the caller edits. */
export async function placeSubmission(
  context: WriteContext,
  { fileId, diskTime, madeOf, ...made }: Submission,
  content: PendingContent,
): Promise<Placed> {
  const actor = actorOf(context)
  const placed = await placeVersion(context, content, {
    fileId,
    diskTime,
    check: (access) => checkSubmission(context, access, made),
  })
  if (madeOf !== undefined) {
    const { version } = placed.item
    const way = 'overwrite'
    await recordConflict(context, context.tx, fileId, { log: LogBit.resolveConflict, version, from: madeOf, way })
  }
  // Every completed submission of an edit is told on the pages of the editor ([R250], [R395]).
  if (made.locked) {
    const { fName, parentFolderId, version } = placed.item
    context.event(
      personal('fileSubmitted', [actor.accountId], {
        ...{ serverId: 0, fType: 1, fId: fileId, fName, parentFolderId, version, time: context.now },
      }),
    )
  }
  return placed
}

/** A new version of an existing file. */
export interface NextVersion {
  readonly fileId: number
  readonly diskTime?: number | undefined
  /** The accounts that contributed, if there are several. */
  readonly editors?: readonly number[] | undefined
  /** Refuses the version after the file's row is locked, by its current state. */
  readonly check: (access: Access, context: WriteContext) => void | Promise<void>
}

/** Adds the content as the next version of a file, unless it is refused. */
export async function placeVersion(
  context: WriteContext,
  content: PendingContent,
  { fileId, diskTime, editors, check }: NextVersion,
): Promise<Placed> {
  const { tx, now } = context
  const actor = accountOf(context)
  const before = context.item({ fType: 1, fId: fileId })
  const { library, row } = before
  if (!isNamedInTime(content)) return fail('uploadInterrupted')
  checkFile(actor, library, { name: row.name, size: content.size })
  const space = await lockSpace(tx, actor, before, now)
  await space.take(content.size)
  await lockItem(tx, fileId, 'change')
  const access = (await accessTo(tx, actor, { fType: 1, fId: fileId }, now)) ?? fail('notFound')
  await check(access, context)
  return addContent(context, access, content, { diskTime, editors })
}

/** Adds the content as the newest version of a file whose row is locked, if the caller may change it. */
async function addContent(
  context: WriteContext,
  access: Access,
  content: PendingContent,
  { diskTime, editors }: Pick<NextVersion, 'diskTime' | 'editors'>,
): Promise<Placed> {
  const { tx, now } = context
  const author = authorOf(context)
  const item = { fType: 1, fId: access.row.id } as const
  const refusal = denialTo(context.actor, { item, action: 'newVersion' }, access)
  if (refusal !== undefined) return fail(refusal)
  const file = { id: access.row.id, libraryId: access.library.id }
  const { size } = content
  const blob = await contentRow(tx, content, now)
  const version = await addVersion(tx, file, { blobId: blob.id, size, author, now, diskTime, editors })
  context.audit({ log: LogBit.edit, version })
  context.event(itemEvent(access.row, 'edit', author.name, { version, size }))
  const stored = storedItem(access, accountOf(context), { version, modifyTime: now })
  return { fileId: file.id, item: stored, key: blob.key }
}

/** Returns the live row of a content and protects it from collection until the transaction ends. */
export async function contentRow(tx: Tx, content: PendingContent, now: number): Promise<{ id: number; key: string }> {
  const { sha256, size, key } = content
  const { rows } = await sql<{ id: number; key: string }>`
    with found as (
      select id, key from blob where sha256 = ${sha256} and size = ${size} for key share
    ), made as (
      insert into blob (sha256, size, key, created_at)
      select ${sha256}, ${size}, ${key}, ${now} where not exists (select 1 from found)
      on conflict (sha256, size) do update set size = excluded.size returning id, key
    )
    select id, key from found union all select id, key from made`.execute(tx)
  const row = rows[0] ?? fail('serverException')
  await storeSums(tx, [{ blobId: row.id, sums: content.sums }])
  return row
}
