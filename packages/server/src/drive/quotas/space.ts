/*
 * Limits on file type, size and space ([R207], [R288]): which file types are allowed, how large a file may be, and how
 * many bytes an account, a library and the installation may hold. Old versions and the recycle bin count until they are
 * permanently deleted.
 *
 * - -20: file type (settings upload_types_allowed, upload_types_denied)
 * - -11: one upload (setting upload_max_size)
 * - -22: one file in a library (library.file_limit)
 * - -24: what an account uploaded anywhere (account.quota, else setting user_space)
 * - -24, -25, -23: contents of a library (library.quota: one's own, a colleague's, a shared one)
 * - -23: contents of a folder (item.space_limit, folders.ts)
 * - -82: contents of the installation (setting server_space)
 * - -83: free space on the disk (the blob store)
 * - -10: number of shared libraries (setting workspace_count)
 *
 * Sums are rows that writers append (`tally`). Only if a space limit is set, a writer first locks the account, library
 * or installation that the limit applies to and then reads the sum. Of concurrent writers exactly those pass whose
 * bytes fit.
 */

import { fail, isTypeRestricted } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, Library } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { libraryLimitOf } from '../../core/licence.ts'
import { lockFolderSpace, measureBelow, remainingSpace } from './folders.ts'

/** The target of a write. */
type Place = Pick<Access, 'library' | 'limits'>

interface SpaceLimit {
  readonly kind: 'library' | 'account' | 'installation'
  readonly id: number
  readonly most: number
  readonly code: 'folderSizeExceeded' | 'userSizeExceeded' | 'colleagueSizeExceeded' | 'capacityExceeded'
}

const lockClass = {
  library: 0x716c6962,
  account: 0x71616363,
  installation: 0x71616c6c,
  workspaces: 0x71777370,
} as const

/** The space limits that apply to an actor in a library, in the order in which they are locked and checked. */
function limitsOf(actor: Account, library: Library): readonly SpaceLimit[] {
  const found: SpaceLimit[] = []
  if (library.quota > 0) {
    const own = library.ownerId === actor.accountId
    const code = library.kind !== 'personal' ? 'folderSizeExceeded' : own ? 'userSizeExceeded' : 'colleagueSizeExceeded'
    found.push({ kind: 'library', id: library.id, most: library.quota, code })
  }
  if (actor.quota > 0) found.push({ kind: 'account', id: actor.accountId, most: actor.quota, code: 'userSizeExceeded' })
  const { server_space: most } = actor.settings
  if (most > 0) found.push({ kind: 'installation', id: 0, most, code: 'capacityExceeded' })
  return found
}

/** Whether any space limit applies to an actor at the target. */
export function hasSpaceLimit(actor: Account, { library, limits }: Place): boolean {
  return limits.length > 0 || limitsOf(actor, library).length > 0
}

/** The current usage in bytes that counts towards a limit, including this transaction. */
async function usedOf(db: Db, { kind, id }: SpaceLimit): Promise<number> {
  const { rows } = await (kind === 'account'
    ? sql<{ used: number }>`
        select (coalesce((select sum(bytes) from usage_total where account_id = ${id}), 0)
          + coalesce((select sum(bytes) from tally where account_id = ${id}), 0))::bigint as used`
    : kind === 'library'
      ? sql<{ used: number }>`
        select (coalesce((select bytes from library_total where library_id = ${id}), 0)
          + coalesce((select sum(bytes) from tally where library_id = ${id}), 0))::bigint as used`
      : sql<{ used: number }>`
        select (coalesce((select bytes from library_total where library_id = 0), 0)
          + coalesce((select sum(bytes) from tally), 0))::bigint as used`
  ).execute(db)
  return rows[0]?.used ?? 0
}

type SizeCode = 'uploadSizeExceeded' | 'fileSizeExceeded'

/** The maximum size of one file that an actor may add to a library, and the code that refuses larger ones. */
function largestFile(actor: Account, { fileLimit }: Library): { most: number; code: SizeCode } {
  const { upload_max_size: upload } = actor.settings
  if (fileLimit > 0 && (upload === 0 || fileLimit < upload)) return { most: fileLimit, code: 'fileSizeExceeded' }
  return { most: upload === 0 ? Number.POSITIVE_INFINITY : upload, code: 'uploadSizeExceeded' }
}

/** Refuses a file of a forbidden type, and a file that is too large. */
export function checkFile(actor: Account, library: Library, file: { name: string; size: number }): void {
  if (isTypeRestricted(file.name, actor.settings)) fail('typeRestricted')
  const { code, most } = largestFile(actor, library)
  if (file.size > most) fail(code)
}

/** Refuses a copy that is larger than the target library allows for one file. */
export function checkCopy({ fileLimit }: Library, size: number): void {
  if (fileLimit > 0 && size > fileLimit) fail('fileSizeExceeded')
}

/**
 * How many bytes an announced file of that name may have, and the code that refuses more. Fails at once if `atLeast`
 * already exceeds that. It locks nothing, so the check is repeated after the content has arrived.
 */
export async function availableSpace(
  db: Db,
  actor: Account,
  { library, limits }: Place,
  name: string,
  atLeast: number,
): Promise<{ most: number; code: SizeCode | SpaceLimit['code'] }> {
  checkFile(actor, library, { name, size: 0 })
  const file = largestFile(actor, library)
  const space = await spaceLeft(db, actor, { library, limits }, atLeast)
  const room = space.most < file.most ? space : file
  return atLeast > room.most ? fail(room.code) : room
}

/**
 * How many bytes an actor may still store at the target, of any number of files, and the code that refuses more. It
 * locks nothing.
 */
export async function spaceLeft(
  db: Db,
  actor: Account,
  { library, limits }: Place,
  atLeast: number,
): Promise<{ most: number; code: SpaceLimit['code'] }> {
  let room: { most: number; code: SpaceLimit['code'] } = { most: Number.POSITIVE_INFINITY, code: 'capacityExceeded' }
  for (const limit of limitsOf(actor, library)) {
    const most = Math.max(0, limit.most - (await usedOf(db, limit)))
    if (most < room.most) room = { most, code: limit.code }
  }
  for (const limit of limits) {
    const most = Math.max(0, await remainingSpace(db, limit, atLeast))
    if (most < room.most) room = { most, code: 'folderSizeExceeded' }
  }
  return room
}

/** Reserves space for a transaction. Bytes are reserved before they are written: all of them or, if refused, none. */
export interface Space {
  take(bytes: number): Promise<void>
}

const unlimited: Space = { take: () => Promise.resolve() }

/**
 * Locks the limits that apply to an actor at the target until the transaction ends. Must be called before the
 * transaction inserts anything. Without limits it queries and locks nothing.
 */
export async function lockSpace(
  tx: Tx,
  actor: Account,
  { library, limits: folderLimits }: Place,
  now: number,
): Promise<Space> {
  const limits = limitsOf(actor, library)
  if (limits.length + folderLimits.length === 0) return unlimited
  const left: { code: SpaceLimit['code']; bytes: number }[] = []
  for (const { kind, id } of limits) {
    await sql`select pg_advisory_xact_lock(${lockClass[kind]}, ${id % 0x7fffffff})`.execute(tx)
  }
  // Read after all locks are held, so everything committed before is counted.
  for (const limit of limits) left.push({ code: limit.code, bytes: limit.most - (await usedOf(tx, limit)) })
  const folders = folderLimits.length === 0 ? undefined : await lockFolderSpace(tx, folderLimits, now)
  return {
    async take(bytes) {
      for (const limit of left) {
        // A write that adds no bytes is never refused, even if a limit was set below the current usage.
        if (bytes > 0 && bytes > limit.bytes) fail(limit.code)
      }
      await folders?.take(bytes)
      for (const limit of left) limit.bytes -= bytes
    },
  }
}

/** For a move within a library: reserves the item's bytes in the limits of the folders that it is moved below. */
export async function takeMoved(tx: Tx, source: Access, target: Access, now: number): Promise<void> {
  const before = new Set(source.limits.map(({ folderId }) => folderId))
  const limits = target.limits.filter(({ folderId }) => !before.has(folderId))
  if (limits.length === 0) return
  const space = await lockFolderSpace(tx, limits, now, { joining: true })
  await space.take(await measureBelow(tx, source.row.id))
}

/** Refuses a new shared library if the maximum number is reached. Serializes concurrent callers. */
export async function lockWorkspaces(tx: Tx, { settings }: Pick<Account, 'settings'>): Promise<void> {
  const most = libraryLimitOf(settings)
  if (most === 0) return
  await sql`select pg_advisory_xact_lock(${lockClass.workspaces}, 0)`.execute(tx)
  const { rows } = await sql<{ n: number }>`select count(*) as n from library where kind <> 'personal'`.execute(tx)
  if ((rows[0]?.n ?? 0) >= most) fail('workspaceCountExceeded')
}
