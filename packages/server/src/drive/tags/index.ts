/*
 * Tags ([R236]). A user's own tags are private: no list, count or push discloses them to others. Company tags are
 * created by an administrator and visible on an item to everybody who sees the item.
 */
import { features, type Tag } from '@cloudoc/contract'
import { type Detail, denial, fail, gates, hasRight, LogBit, type TagColour, tagColours } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import type { FeatureEvent } from '../../core/events.ts'
import { type AudibleEvent, type Audience, audibleToAccount } from '../../core/push/index.ts'
import { textKeys } from '../../core/text-keys.ts'
import type { Marks } from '../follow/index.ts'
import { itemListeners } from '../rights/index.ts'
import { accessToMany, nameMatches, recordOf } from '../tree/index.ts'

/** Maximum number of tags per user and of company tags; maximum number of tags on one item. */
const mostTags = 1000
const mostOnItem = 50
const tagsAtMost: Detail = { zh: `最多 ${mostTags} 个标签`, en: `at most ${mostTags} tags` }
const tagsOnItemAtMost: Detail = { zh: `每项最多 ${mostOnItem} 个标签`, en: `at most ${mostOnItem} tags on an item` }
/** Maximum number of items checked to count the items of a list of tags; maximum number of items listed for a tag. */
const mostCounted = 1000
const mostListed = 5000

/** The tags of an item have changed or, with item 0, the tags themselves: for one user or for all. */
interface TagEvent extends FeatureEvent {
  readonly kind: 'tag.changed'
  /** Null: for everybody who sees the item. */
  readonly accountId: number | null
  readonly itemId: number
  readonly libraryId: number
  readonly fType: 1 | 2
}

/** The user themselves or, for company tags, everybody who sees the item. */
export const tagAudience: Audience<TagEvent> = {
  async prepare(db, events, now) {
    const own = events.filter(({ event }) => event.accountId !== null)
    const ofAll = events.filter(({ event }) => event.accountId === null && event.itemId !== 0)
    const viewOf = ({ itemId, fType }: TagEvent) => ({ name: 'tagsChanged', payload: { fId: itemId, fType } }) as const
    const heard: Map<number, AudibleEvent> = await itemListeners(db, ofAll, now, { right: 'display', viewOf })
    for (const { position, event } of own) {
      heard.set(position, audibleToAccount(event.accountId, viewOf(event)))
    }
    return heard
  },
}

interface TagRow {
  readonly id: number
  readonly owner_id: number | null
  readonly name: string
  readonly colour: TagColour
}

const tagOf = ({ id, owner_id, name, colour }: TagRow): Tag => ({
  tagId: id,
  tagName: name,
  colour,
  company: owner_id === null,
})

/** SQL filter on the tags that a user sees and may use. */
const mine = (accountId: number) => sql`(t.owner_id = ${accountId} or t.owner_id is null)`

const keyOf = (name: string): string => name.normalize('NFKC').toLowerCase()

function columnsOf(name: string) {
  const keys = textKeys(keyOf(name))
  return { name, name_key: keyOf(name), name_sort: keys.sort, search_text: keys.text }
}

/** The default colour of a new tag: colours rotate with the number of tags. */
const colourFor = (count: number): TagColour => tagColours[count % tagColours.length] ?? 'blue'

/** Creates or changes a tag. Refuses a name that already exists. */
async function save(
  context: WriteContext,
  ownerId: number | null,
  { tagId, tagName, colour }: { tagId?: number | undefined; tagName: string; colour: TagColour },
): Promise<{ tagId: number }> {
  const { tx, now } = context
  const key = keyOf(tagName)
  const { rows: others } = await sql<{ id: number; name_key: string; n: number }>`
    select id, name_key, count(*) over ()::int as n from tag where owner_id is not distinct from ${ownerId}::bigint`.execute(
    tx,
  )
  if (others.some((other) => other.name_key === key && other.id !== tagId)) return fail('alreadyExists', tagName)
  if (tagId === undefined) {
    if (others.length >= mostTags) return fail('tooMany', tagsAtMost)
    const { rows } = await sql<{ id: number }>`
      insert into tag (owner_id, name, name_key, name_sort, search_text, colour, created_at, used_at)
      select ${ownerId}::bigint, ${tagName}, ${key}, ${columnsOf(tagName).name_sort}, ${columnsOf(tagName).search_text},
        ${colour}, ${now}, ${now}
      on conflict do nothing returning id`.execute(tx)
    const made = rows[0] ?? fail('alreadyExists', tagName)
    notifyTagsChanged(context, ownerId)
    return { tagId: made.id }
  }
  if (!others.some(({ id }) => id === tagId)) return fail('notFound')
  await tx
    .updateTable('tag')
    .set({ ...columnsOf(tagName), colour })
    .where('id', '=', tagId)
    .execute()
  notifyTagsChanged(context, ownerId)
  return { tagId }
}

/**
 * Makes the user's other pages reload their tags. For changes to company tags, other users see them at the next load.
 */
function notifyTagsChanged(context: WriteContext, ownerId: number | null): void {
  const accountId = ownerId ?? actorOf(context).accountId
  const changed: TagEvent = { kind: 'tag.changed', accountId, itemId: 0, libraryId: 0, fType: 2 }
  context.event(changed)
}

/** The tags of items that one user sees. */
async function tagsOn(db: Db, accountId: number, itemIds: readonly number[]): Promise<Map<number, Tag[]>> {
  const found = new Map<number, Tag[]>()
  if (itemIds.length === 0) return found
  const { rows } = await sql<TagRow & { item_id: number }>`
    select b.item_id, t.id, t.owner_id, t.name, t.colour from item_tag b join tag t on t.id = b.tag_id
    where b.item_id = any(${[...itemIds]}) and ${mine(accountId)}
    order by t.owner_id is null desc, t.name_sort, t.id`.execute(db)
  for (const row of rows) found.set(row.item_id, [...(found.get(row.item_id) ?? []), tagOf(row)])
  return found
}

/** The sort orders of the list of tagged items; the default is the latest tagged first. */
const orders = {
  time: sql`max(i.modified_at)`,
  name: sql`max(i.name_sort)`,
  size: sql`max(i.size)`,
} as const
function orderOf(sort: keyof typeof orders | undefined, order: 'asc' | 'desc'): RawBuilder<unknown> {
  if (sort === undefined) return sql`max(b.created_at) desc, b.item_id desc`
  const way = order === 'asc' ? sql`asc` : sql`desc`
  return sql`max(i.f_type) desc, ${orders[sort]} ${way}, b.item_id ${way}`
}

/** The visible items that have all of the given tags. */
async function bearing(
  db: Db,
  actor: Account,
  tagIds: readonly number[],
  keyword: string,
  by: RawBuilder<unknown>,
  now: number,
): Promise<Access[]> {
  const { rows } = await sql<{ item_id: number }>`
    select b.item_id from item_tag b join tag t on t.id = b.tag_id join item i on i.id = b.item_id
    where ${sql.join([sql`b.tag_id = any(${[...tagIds]}) and ${mine(actor.accountId)}`, ...nameMatches(keyword)], sql` and `)}
    group by b.item_id having count(*) = ${tagIds.length}
    order by ${by} limit ${mostListed}`.execute(db)
  const ids = rows.map(({ item_id }) => item_id)
  const found = await accessToMany(db, actor, ids, now)
  return ids.flatMap((id) => found.get(id) ?? []).filter(({ facts }) => denial(gates.see, facts) === undefined)
}

/**
 * For search: items with a tag whose name, pinyin or initials match the terms, latest tagged first. Only tags that the
 * user sees are matched. The caller must check whether the user may see the items.
 */
export async function taggedItems(db: Db, accountId: number, keyword: string, most: number): Promise<number[]> {
  const words = nameMatches(keyword, sql`t.search_text`)
  if (words.length === 0) return []
  const { rows } = await sql<{ item_id: number }>`
    select b.item_id from tag t join item_tag b on b.tag_id = t.id
    where ${sql.join([mine(accountId), ...words], sql` and `)}
    group by b.item_id order by max(b.created_at) desc, b.item_id desc limit ${most}`.execute(db)
  return rows.map(({ item_id }) => item_id)
}

/** For search: items with a tag that the user sees. */
export async function itemsWithTag(db: Db, accountId: number, tagId: number): Promise<Set<number>> {
  const { rows } = await sql<{ item_id: number }>`
    select b.item_id from item_tag b join tag t on t.id = b.tag_id
    where b.tag_id = ${tagId} and ${mine(accountId)}`.execute(db)
  return new Set(rows.map(({ item_id }) => item_id))
}

/** The call handlers of tags. */
export function tagHandlers(marks: Marks) {
  return implement(features.tags.calls, {
    async getTagList(context, { keyword, rows: most }) {
      const { db, now } = context
      const actor = actorOf(context)
      const words = nameMatches(keyword, sql`t.search_text`)
      const { rows } = await sql<TagRow>`
        select t.id, t.owner_id, t.name, t.colour from tag t
        where ${sql.join([mine(actor.accountId), ...words], sql` and `)}
        order by t.used_at desc, t.name_sort, t.id limit ${most}`.execute(db)
      const { rows: borne } = await sql<{ item_id: number; tag_id: number }>`
        select item_id, tag_id from item_tag where tag_id = any(${rows.map(({ id }) => id)})
        order by created_at desc limit ${mostCounted}`.execute(db)
      const met = await accessToMany(db, actor, [...new Set(borne.map(({ item_id }) => item_id))], now)
      const counts = new Map<number, number>()
      for (const { item_id, tag_id } of borne) {
        const access = met.get(item_id)
        if (access === undefined || denial(gates.see, access.facts) !== undefined) continue
        counts.set(tag_id, (counts.get(tag_id) ?? 0) + 1)
      }
      return { list: rows.map((row) => ({ ...tagOf(row), count: counts.get(row.id) ?? 0 })) }
    },

    async getItemTags(context, { fileIdArray, folderIdArray }) {
      const named = [
        ...fileIdArray.map((fId) => ({ fType: 1, fId }) as const),
        ...folderIdArray.map((fId) => ({ fType: 2, fId }) as const),
      ].filter((item) => context.refusalOf(item) === undefined)
      const ids = named.map(({ fId }) => fId)
      const found = await tagsOn(context.db, actorOf(context).accountId, ids)
      return {
        list: named.flatMap((item) => {
          const tags = found.get(item.fId)
          return tags === undefined ? [] : [{ ...item, tags }]
        }),
      }
    },

    async setItemTags(context, { addTags, addTagIds, removeTagIds }, item) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const access = context.item(item)
      const { row, library } = access
      const named = await namedTags(tx, accountId, addTags, now)
      const added = await known(tx, accountId, [...named, ...addTagIds])
      if (added.length < new Set([...named, ...addTagIds]).size) return fail('notFound', 'addTagIds')
      const removed = await known(tx, accountId, removeTagIds)
      const { rows: fresh } = await sql<{ tag_id: number }>`
        insert into item_tag (item_id, tag_id, account_id, created_at)
        select ${row.id}, id, ${accountId}, ${now} from unnest(${added.map(({ id }) => id)}::bigint[]) as t (id)
        on conflict do nothing returning tag_id`.execute(tx)
      await sql`
        update tag set used_at = ${now} where id = any(${fresh.map(({ tag_id }) => tag_id)}::bigint[])`.execute(tx)
      const { rows: gone } = await sql<{ tag_id: number; account_id: number }>`
        delete from item_tag where item_id = ${row.id} and tag_id = any(${removed.map(({ id }) => id)}::bigint[])
        returning tag_id, account_id`.execute(tx)
      const ofCompany = new Set([...added, ...removed].flatMap((tag) => (tag.owner_id === null ? [tag.id] : [])))
      const foreign = gone.some((one) => ofCompany.has(one.tag_id) && one.account_id !== accountId)
      if (foreign && !hasRight(access.facts.rights, 'modify')) return fail('noPermission')
      const { rows: all } = await sql<{ n: number }>`
        select count(*)::int as n from item_tag where item_id = ${row.id}`.execute(tx)
      if (fresh.length > 0 && (all[0]?.n ?? 0) > mostOnItem) return fail('tooMany', tagsOnItemAtMost)
      const touched = [...fresh, ...gone].map(({ tag_id }) => tag_id)
      if (touched.length === 0) return { fId: row.id }
      const changed = { kind: 'tag.changed', itemId: row.id, libraryId: library.id, fType: row.f_type } as const
      const forAll: TagEvent = { ...changed, accountId: null }
      const forMe: TagEvent = { ...changed, accountId }
      context.event(touched.some((id) => ofCompany.has(id)) ? forAll : forMe)
      const names = (some: readonly { tag_id: number }[]): string =>
        [...added, ...removed]
          .filter(({ id, owner_id }) => owner_id === null && some.some(({ tag_id }) => tag_id === id))
          .map(({ name }) => name)
          .join(', ')
      // Only company tags are logged. A user's own tags are private.
      context.audit({
        log: fresh.length > 0 ? LogBit.addTag : LogBit.deleteTag,
        added: names(fresh),
        removed: names(gone),
      })
      return { fId: row.id }
    },

    async getTagItems(context, { tagIds, from, rows, keyword, sort, order }) {
      const { db, now } = context
      const actor = actorOf(context)
      const wanted = [...new Set(tagIds)]
      const tags = await known(db, actor.accountId, wanted)
      // A tag that does not exist for the caller has no items.
      const there =
        tags.length < wanted.length ? [] : await bearing(db, actor, wanted, keyword, orderOf(sort, order), now)
      const list = there.slice(from, from + rows).map((access) => recordOf(access, actor))
      return { list: await marks.on(actor, list), total: there.length, tags: tags.map(tagOf) }
    },

    saveTag: (context, input) => save(context, actorOf(context).accountId, input),
    async saveCompanyTag(context, input) {
      const saved = await save(context, null, input)
      context.audit({ tagId: saved.tagId, tagName: input.tagName })
      return saved
    },

    async tagDelMyList(context, { tagNames }) {
      const { accountId } = actorOf(context)
      const keys = [...new Set(tagNames.map((name) => keyOf(name.normalize('NFC').trim())))]
      await sql`delete from tag where owner_id = ${accountId} and name_key = any(${keys})`.execute(context.tx)
      notifyTagsChanged(context, accountId)
      return {}
    },

    async deleteCompanyTag(context, { tagId }) {
      const { rows } = await sql<{ name: string }>`
        delete from tag where id = ${tagId} and owner_id is null returning name`.execute(context.tx)
      const [gone] = rows
      if (gone === undefined) return fail('notFound')
      context.audit({ tagId, tagName: gone.name })
      notifyTagsChanged(context, null)
      return {}
    },
  })
}

/** Those of the tags that a user may use. */
async function known(db: Db, accountId: number, ids: readonly number[]): Promise<TagRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TagRow>`
    select t.id, t.owner_id, t.name, t.colour from tag t where t.id = any(${[...ids]}) and ${mine(accountId)}`.execute(
    db,
  )
  return rows
}

/** Resolves tags by name: the user's own before the company's. Missing ones are created as the user's own. */
async function namedTags(
  tx: Tx,
  accountId: number,
  named: readonly { tagName: string; colour?: TagColour | undefined }[],
  now: number,
): Promise<number[]> {
  const ids: number[] = []
  for (const { tagName, colour } of named) {
    const find = async (): Promise<number | undefined> => {
      const { rows } = await sql<{ id: number }>`
        select t.id from tag t where t.name_key = ${keyOf(tagName)} and ${mine(accountId)}
        order by t.owner_id is null limit 1`.execute(tx)
      return rows[0]?.id
    }
    const there = await find()
    if (there !== undefined) {
      ids.push(there)
      continue
    }
    const { rows: counted } = await sql<{ n: number }>`
      select count(*)::int as n from tag where owner_id = ${accountId}`.execute(tx)
    const count = counted[0]?.n ?? 0
    if (count >= mostTags) return fail('tooMany', tagsAtMost)
    const { name, name_key, name_sort, search_text } = columnsOf(tagName)
    await sql`
      insert into tag (owner_id, name, name_key, name_sort, search_text, colour, created_at, used_at)
      values (${accountId}, ${name}, ${name_key}, ${name_sort}, ${search_text}, ${colour ?? colourFor(count)}, ${now}, ${now})
      on conflict do nothing`.execute(tx)
    ids.push((await find()) ?? fail('serverException'))
  }
  return ids
}
