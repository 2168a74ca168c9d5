// What an application for downloads is about: its items, the content of its folders, and the rule that applies.
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { visitDescendants } from '../../drive/tree/index.ts'
import { type OperationRule, readRules, ruleFor } from '../operations/index.ts'
import { downloadApplyName } from './kind.ts'

/** Maximum number of items in the folders of one application. */
const mostInFolders = 5000

/** One item of an application as it is stored. */
export interface CollectedItem {
  readonly itemId: number
  readonly rootId: number
  readonly fType: 1 | 2
  readonly name: string
  /** Names of the folders between the folder that is applied for and the item. */
  readonly path: string
  readonly size: number
  readonly version: number
  readonly secretLevel: number
}

const stored = (row: ItemRow, rootId: number, path: string, secretLevel: number): CollectedItem => ({
  ...{ itemId: row.id, rootId, fType: row.f_type, name: row.name, path, secretLevel },
  ...{ size: row.size, version: row.version },
})

/**
 * The items that are applied for, with those in the folders that the applicant could apply for one by one. What they
 * cannot see or could never download is left out.
 */
export async function collectItems(
  db: Db,
  actor: Account,
  roots: readonly Access[],
  now: number,
): Promise<CollectedItem[]> {
  const found = new Map<number, CollectedItem>()
  for (const { row, facts } of roots) found.set(row.id, stored(row, row.id, '', facts.secretLevel))
  for (const root of roots) {
    if (root.row.f_type !== 2) continue
    const paths = new Map([[root.row.id, '']])
    const isWhole = await visitDescendants(db, actor, root, now, { most: mostInFolders }, (row, facts) => {
      const above = paths.get(row.parent_id ?? 0)
      if (above === undefined || row.link_to !== null || row.deleted_at !== null) return
      const isFolder = row.f_type === 2
      if (isFolder) paths.set(row.id, `${above}${row.name}/`)
      if (denial(gates.applyDownload, facts) === undefined && !found.has(row.id))
        found.set(row.id, stored(row, root.row.id, above, facts.secretLevel))
    })
    if (!isWhole || found.size > mostInFolders)
      return fail('tooMany', {
        zh: `文件夹里最多 ${mostInFolders} 项，请分开申请`,
        en: `a folder may contain ${mostInFolders} items: apply for its parts`,
      })
  }
  return [...found.values()]
}

/**
 * The rule that determines the reviewers of all items. Items for which different people are responsible are refused:
 * each application has one set of reviewers.
 */
export async function commonRule(
  db: Db,
  actor: Account,
  operation: OperationRule['operation'],
  roots: readonly Access[],
): Promise<OperationRule | undefined> {
  const rules = await readRules(db)
  const found = roots.map((access) => ruleFor(rules, operation, actor, access))
  const [first] = found
  const isSame =
    found.every((rule) => rule === first) &&
    (first !== undefined || roots.every(({ library }) => library.id === roots[0]?.library.id))
  return isSame
    ? first
    : fail('badRequest', {
        zh: '这些文件由不同的人审批，请分开申请',
        en: 'different people review these items: apply for them separately',
      })
}

/** Those of the items for which an application of the user is open. */
export async function openItems(db: Db, accountId: number, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct a.item_id as id from application_item a join review r on r.id = a.review_id
    where a.item_id = any(${[...ids]}) and a.item_id = a.root_id and r.kind = ${downloadApplyName}
      and r.launcher_id = ${accountId} and r.state = 'pending' order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Stores the items of an application. */
export async function storeItems(tx: Tx, reviewId: number, items: readonly CollectedItem[]): Promise<void> {
  await sql`
    insert into application_item (review_id, item_id, root_id, f_type, name, path, size, version, secret_level)
    select ${reviewId}, i."itemId", i."rootId", i."fType", i.name, i.path, i.size, i.version, i."secretLevel"
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i("itemId" bigint, "rootId" bigint, "fType" smallint,
      name text, path text, size bigint, version int, "secretLevel" int)`.execute(tx)
}

/** Whether a rule approves an application without a reviewer. */
export function isAutomatic(
  rule: OperationRule | undefined,
  actor: Account,
  roots: readonly Access[],
  items: readonly CollectedItem[],
  departmentOf: ReadonlyMap<number, number>,
): boolean {
  if (rule === undefined || rule.autoFiles === 0) return false
  const files = items.filter(({ fType }) => fType === 1)
  return (
    files.length <= rule.autoFiles &&
    items.every(({ secretLevel }) => secretLevel <= rule.autoLevel) &&
    (!rule.autoOwnDepartment || roots.every(({ library }) => departmentOf.get(library.id) === actor.groupId))
  )
}
