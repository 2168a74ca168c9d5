/*
 * Limits of kind, size and space ([R207], [R288]): which files may come in, how large one may be, and how many bytes an
 * account, a library and the installation may hold. Old versions and the recycle bin count until they are gone for good.
 *
 *   -20  the kind of file                          settings upload_types_allowed, upload_types_denied
 *   -11  one upload                                setting upload_max_size
 *   -22  one file in a library                     library.file_limit
 *   -24  what an account put anywhere              account.quota, else setting user_space
 *   -24, -25, -23  what a library holds            library.quota: one's own, a colleague's, one that is shared
 *   -23  what a folder holds                       item.space_limit (folders.ts)
 *   -82  what the installation holds               setting server_space
 *   -83  what the disk has room for                the blob store
 *   -10  libraries that people share               setting workspace_count
 *
 * Sums are rows that writers append (`tally`). Where a limit of space is set, and only there, a writer first takes a lock
 * of the account, library or installation that it counts for, then reads the sum, so that of any number at once exactly
 * those pass that fit.
 */
import { fail, isTypeRestricted } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, Library } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { lockFolderSpace, measureBelow, remainingSpace } from './folders.ts'

/** Where something is to be put. */
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

/** The limits of space that count for an actor in a library, in the order in which they are locked and refuse. */
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

/** Whether any limit of space counts for an actor in a place. */
export function hasSpaceLimit(actor: Account, { library, limits }: Place): boolean {
  return limits.length > 0 || limitsOf(actor, library).length > 0
}

/** The bytes that count for a limit now, those of this transaction included. */
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

/** The most bytes of one file that an actor may put into a library, and the code that refuses more. */
function largestFile(actor: Account, { fileLimit }: Library): { most: number; code: SizeCode } {
  const { upload_max_size: upload } = actor.settings
  if (fileLimit > 0 && (upload === 0 || fileLimit < upload)) return { most: fileLimit, code: 'fileSizeExceeded' }
  return { most: upload === 0 ? Number.POSITIVE_INFINITY : upload, code: 'uploadSizeExceeded' }
}

/** Refuses a kind of file that may not come in, and a file larger than one may be. */
export function checkFile(actor: Account, library: Library, file: { name: string; size: number }): void {
  if (isTypeRestricted(file.name, actor.settings)) fail('typeRestricted')
  const { code, most } = largestFile(actor, library)
  if (file.size > most) fail(code)
}

/** Refuses a copy that is larger than a file may be where it goes. */
export function checkCopy({ fileLimit }: Library, size: number): void {
  if (fileLimit > 0 && size > fileLimit) fail('fileSizeExceeded')
}

/**
 * How many bytes a file of that name may have that is still to come, and the code that refuses more, also at once where it
 * has as many. Holds nothing: what has arrived is asked again.
 */
export async function availableSpace(
  db: Db,
  actor: Account,
  { library, limits }: Place,
  name: string,
  atLeast: number,
): Promise<{ most: number; code: SizeCode | SpaceLimit['code'] }> {
  checkFile(actor, library, { name, size: 0 })
  let room: { most: number; code: SizeCode | SpaceLimit['code'] } = largestFile(actor, library)
  for (const limit of limitsOf(actor, library)) {
    const most = Math.max(0, limit.most - (await usedOf(db, limit)))
    if (most < room.most) room = { most, code: limit.code }
  }
  for (const limit of limits) {
    const most = Math.max(0, await remainingSpace(db, limit, atLeast))
    if (most < room.most) room = { most, code: 'folderSizeExceeded' }
  }
  return atLeast > room.most ? fail(room.code) : room
}

/** What a transaction takes space from; everything it adds is taken before it is written, all of it or, refused, nothing. */
export interface Space {
  take(bytes: number): Promise<void>
}

const unlimited: Space = { take: () => Promise.resolve() }

/**
 * Holds the limits of an actor in a place until the transaction ends. To be asked before the transaction inserts
 * anything; where nothing is limited it asks nothing and holds nothing.
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
  // Read when all are held: what was committed before counts.
  for (const limit of limits) left.push({ code: limit.code, bytes: limit.most - (await usedOf(tx, limit)) })
  const folders = folderLimits.length === 0 ? undefined : await lockFolderSpace(tx, folderLimits, now)
  return {
    async take(bytes) {
      for (const limit of left) {
        // What adds nothing is never refused, also where a limit was set below what is there.
        if (bytes > 0 && bytes > limit.bytes) fail(limit.code)
      }
      await folders?.take(bytes)
      for (const limit of left) limit.bytes -= bytes
    },
  }
}

/** Takes what an item holds from the limits of the folders that it comes below, as it moves within its library. */
export async function takeMoved(tx: Tx, source: Access, target: Access, now: number): Promise<void> {
  const before = new Set(source.limits.map(({ folderId }) => folderId))
  const limits = target.limits.filter(({ folderId }) => !before.has(folderId))
  if (limits.length === 0) return
  const space = await lockFolderSpace(tx, limits, now, { joining: true })
  await space.take(await measureBelow(tx, source.row.id))
}

/** Refuses one more library that people share where there are as many as there may be; of two at once the second waits. */
export async function lockWorkspaces(tx: Tx, { settings: { workspace_count: most } }: Account): Promise<void> {
  if (most === 0) return
  await sql`select pg_advisory_xact_lock(${lockClass.workspaces}, 0)`.execute(tx)
  const { rows } = await sql<{ n: number }>`select count(*) as n from library where kind <> 'personal'`.execute(tx)
  if ((rows[0]?.n ?? 0) >= most) fail('workspaceCountExceeded')
}
