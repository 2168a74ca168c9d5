// What an exchange consists of: the files that were chosen, and those in the chosen folders, as they are now.
import { exchangedItems } from '@cloudoc/contract'
import { denial, type ExchangedFile, extNameOf, fail, gates, numberedName } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Context } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { visitDescendants } from '../../drive/tree/index.ts'

/** The most items in the folders of one exchange that are looked at. */
const mostInFolders = 5000

/** A file of an exchange before its content is pinned. */
export interface CollectedFile extends ExchangedFile {
  readonly name: string
  /** The folders from what was chosen down to the file, each with a slash after it. */
  readonly folders: string
  readonly version: number
}

/** The items of an input, each once. */
export const rootsOf = (
  context: Context,
  chosen: { readonly fileId: readonly number[]; readonly folderId: readonly number[] },
): Access[] => {
  const { fileId, folderId } = exchangedItems(chosen)
  return [
    ...[...new Set(folderId)].map((fId) => context.item({ fType: 2, fId })),
    ...[...new Set(fileId)].map((fId) => context.item({ fType: 1, fId })),
  ]
}

const collected = (row: ItemRow, level: number, folders: string, above: readonly number[]): CollectedFile => ({
  ...{ id: row.id, name: row.name, folders, version: row.version, level, bytes: row.size },
  ...{ ext: extNameOf(row.name), path: [...above, row.id] },
})

/**
 * The files of an exchange. In folders, what the sender cannot see is left out; what they see and may not send refuses
 * the whole, so that nobody believes to have sent it.
 */
export async function collectFiles(
  db: Db,
  actor: Account,
  roots: readonly Access[],
  now: number,
): Promise<CollectedFile[]> {
  const found = new Map<number, CollectedFile>()
  const taken = new Set<string>()
  for (const root of roots) {
    const { row, facts, path } = root
    const ids = [...path.map(({ id }) => id)]
    if (row.f_type === 1) {
      found.set(row.id, collected(row, facts.secretLevel, '', ids))
      continue
    }
    const name = freeName(row.name, taken)
    const below = new Map([[row.id, { folders: `${name}/`, ids: [...ids, row.id] }]])
    const isWhole = await visitDescendants(db, actor, root, now, { most: mostInFolders }, (one, factsOfOne) => {
      const above = below.get(one.parent_id ?? 0)
      if (above === undefined || one.link_to !== null || one.deleted_at !== null) return
      if (denial(gates.see, factsOfOne) !== undefined) return
      if (one.f_type === 2) {
        below.set(one.id, { folders: `${above.folders}${one.name}/`, ids: [...above.ids, one.id] })
        return
      }
      const code = denial(gates.exchange, factsOfOne)
      if (code !== undefined)
        fail(code, { zh: `文件夹里的《${one.name}》不能发送`, en: `“${one.name}” in the folder cannot be sent` })
      if (!found.has(one.id)) found.set(one.id, collected(one, factsOfOne.secretLevel, above.folders, above.ids))
    })
    if (!isWhole) return fail('exchangeFileCount')
  }
  return [...found.values()]
}

/** Chosen folders of one name stay two: the second one is numbered. */
function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let n = 2; taken.has(free); n += 1) free = numberedName(name, n, { isFolder: true })
  taken.add(free)
  return free
}

/** The most secret file: its reviewers are those of the exchange. */
export function mostSecret(files: readonly CollectedFile[]): CollectedFile {
  const [first, ...others] = files
  if (first === undefined) return fail('noFilesInFolder')
  return others.reduce((most, one) => (one.level > most.level ? one : most), first)
}

/**
 * Stores the files with their contents of this moment: what leaves is what was approved. Refuses what a scanner found
 * a virus in.
 */
export async function pinFiles(tx: Tx, reviewId: number, files: readonly CollectedFile[]): Promise<void> {
  const rows = files.map(({ id, name, folders, version, level }, n) => ({ n, id, name, folders, version, level }))
  const pinned = await sql<{ n: number }>`
    insert into exchange_file (review_id, n, item_id, version, blob_id, name, path, bytes, sha256, secret_level)
    select ${reviewId}, w.n, w.id, w.version, v.blob_id, w.name, w.folders, b.size, b.sha256, w.level
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as w (n int, id bigint, name text, folders text, version int, level int)
    join version v on v.item_id = w.id and v.number = w.version join blob b on b.id = v.blob_id
    returning n`.execute(tx)
  if (pinned.rows.length < files.length) return fail('versionMissing')
  await checkPinned(tx, reviewId)
}

/** Refuses contents that must not leave: with a virus, or with something sensitive found in them or being looked for. */
export async function checkPinned(tx: Tx, reviewId: number): Promise<void> {
  const { rows } = await sql<{ virus: boolean; sensitive: boolean }>`
    select coalesce(bool_or(exists (select 1 from scan s where s.blob_id = f.blob_id and s.virus is not null)), false)
        as virus,
      coalesce(bool_or(exists (select 1 from sensitive_file s where s.item_id = f.item_id and s.version = f.version
        and s.state in ('waiting', 'disapproved', 'deleted', 'detecting'))), false) as sensitive
    from exchange_file f where f.review_id = ${reviewId}`.execute(tx)
  if (rows[0]?.virus === true) fail('virusFile')
  if (rows[0]?.sensitive === true) fail('sensitiveFile')
}
