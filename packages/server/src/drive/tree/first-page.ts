/*
 * First pages of folders that were written before. Each request still has its session, its rights and the folder read
 * from PostgreSQL; what it is spared is reading, judging and writing rows that nobody has changed.
 *
 * A page is kept with what it was made of (Basis): the rows by id and transaction, the entries of those that have rules
 * of their own, the children that could be hidden, the number of children. The next request from somebody who has the
 * same before them (rights in force at the folder, its path, settings, organisation) asks PostgreSQL for these again, in
 * one statement with all who ask at the same moment, and gets the kept page if nothing of it differs. So nothing needs to
 * tell a process that a page is out of date.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import { Written } from '../../core/call/written.ts'
import type { Db } from '../../core/db/database.ts'
import { gathered, type Outcome } from '../../core/gather.ts'
import { aboveChildrenOf } from './access.ts'
import { askerColumns, askerOf, askersEntries } from './chains.ts'
import { Basis, childrenOf, orderOf, type PageRequest, serverStart, versionIn } from './list.ts'

/** Bytes that a process keeps at most. */
const mostBytes = 32 * 1024 * 1024
/** Transactions are numbered anew after four thousand million: a page is not kept nearly so long. */
const longestMs = 10 * 60_000
/** Requests that arrive while pages are compared share the next comparison. */
const together = { most: 32, atOnce: 2 }

type Order = Pick<PageRequest, 'sort' | 'order'>

interface Kept {
  readonly answer: Written
  readonly order: Order
  readonly hidden: readonly number[]
  readonly withheld: string
  readonly folders: string
  readonly files: string
  readonly total: number
  readonly server: string
  readonly until: number
  readonly settings: Actor['settings']
  readonly organisation: number
  readonly madeAt: number
  readonly bytes: number
}

/** A first page, asked for in an order or in the folder's own. */
export interface FirstPage {
  readonly actor: Actor
  readonly folder: Access
  readonly rows: number
  readonly order: { readonly [K in keyof Order]: Order[K] | undefined }
  readonly now: number
  readonly compressed: boolean
}

export interface FirstPages {
  /** The page as it was written before, if it would be written so again; else as it is made now. */
  get(asked: FirstPage, make: (basis: Basis) => Promise<{ data: unknown; order: Order }>): Promise<Written>
}

interface Compared {
  readonly asked: FirstPage
  readonly kept: Kept
}

/** What PostgreSQL says of a page now. */
interface Now {
  readonly sort: Order['sort'] | null
  readonly descending: boolean | null
  readonly total: number
  readonly server: string
  readonly withheld: string[] | null
  readonly folders: string | null
  readonly files: string | null
}

/** First pages of one process. */
export function createFirstPages(db: Db): FirstPages {
  const pages = new Map<string, Kept>()
  let bytes = 0
  const forget = (key: string): void => {
    bytes -= pages.get(key)?.bytes ?? 0
    pages.delete(key)
  }
  const keep = (key: string, page: Kept): void => {
    forget(key)
    pages.set(key, page)
    bytes += page.bytes
    for (const oldest of pages.keys()) {
      if (bytes <= mostBytes) break
      forget(oldest)
    }
  }

  const comparisons = new Map<string, (asked: Compared) => Promise<Now>>()
  const compared = (asked: FirstPage, kept: Kept): Promise<Now> => {
    const variant = `${kept.order.sort} ${kept.order.order}`
    const known = comparisons.get(variant)
    const comparison = known ?? gathered(together, (many) => readNow(db, kept.order, many))
    if (known === undefined) comparisons.set(variant, comparison)
    return comparison({ asked, kept })
  }

  return {
    async get(asked, make) {
      const { actor, folder, now } = asked
      const shared = contextOf(asked)
      const own = `${shared} ${actor.accountId}`
      const key = pages.has(own) ? own : shared
      const kept = pages.get(key)
      if (kept !== undefined) {
        const holds =
          now < kept.until &&
          now >= kept.madeAt &&
          now - kept.madeAt < longestMs &&
          kept.settings === actor.settings &&
          kept.organisation === actor.organisation
        if (holds && isAsBefore(kept, asked, await compared(asked, kept))) {
          // The one that was used last is forgotten last.
          if (pages.get(key) === kept) {
            pages.delete(key)
            pages.set(key, kept)
          }
          return kept.answer
        }
        if (pages.get(key) === kept) forget(key)
      }
      const basis = new Basis()
      const { data, order } = await make(basis)
      const answer = await Written.of(data, asked)
      if (basis.hasLinks || (folder.restricted && !folder.facts.actor.isManager)) return answer
      const [withheld, folders, files] = [basis.withheld.join(), basis.sections[2].join(), basis.sections[1].join()]
      // Entries differ from person to person, and one page is kept for each.
      const isPersonal = `${withheld}${folders}${files}`.includes('[')
      keep(isPersonal ? own : shared, {
        answer,
        order,
        hidden: basis.hidden,
        withheld,
        folders,
        files,
        total: basis.total,
        server: basis.server,
        until: basis.until,
        settings: actor.settings,
        organisation: actor.organisation,
        madeAt: now,
        bytes: answer.body.length + 2 * shared.length + withheld.length + folders.length + files.length + 1000,
      })
      return answer
    },
  }
}

/** What a page is written from beside rows and settings: pages of those who have the same here are the same. */
function contextOf({ folder, rows, order, compressed }: FirstPage): string {
  const { library, path, isManager, inForce, restricted } = aboveChildrenOf(folder)
  return JSON.stringify([
    folder.row.id,
    rows,
    order.sort ?? null,
    order.order ?? null,
    compressed,
    isManager,
    restricted,
    folder.facts.rights,
    library,
    path,
    inForce,
  ])
}

function isAsBefore(kept: Kept, { order: { sort, order } }: FirstPage, now: Now): boolean {
  const own = { sort: now.sort ?? 'name', order: now.descending === true ? 'desc' : 'asc' } as const
  const isSameOrder =
    sort !== undefined || (own.sort === kept.order.sort && (order !== undefined || own.order === kept.order.order))
  return (
    isSameOrder &&
    now.total === kept.total &&
    now.server === kept.server &&
    (now.folders ?? '') === kept.folders &&
    (now.files ?? '') === kept.files &&
    (now.withheld ?? []).sort().join() === kept.withheld
  )
}

async function readNow(db: Db, order: Order, many: readonly Compared[]): Promise<Outcome<Now>[]> {
  const askers = many.map(({ asked: { actor, folder, rows }, kept }, n) => ({
    n,
    folder: folder.row.id,
    manager: folder.facts.actor.isManager,
    hidden: kept.hidden,
    most: rows + 1,
    ...askerOf(actor),
  }))
  const version = versionIn(askersEntries('a'))
  const section = (kind: 1 | 2, limit: RawBuilder<unknown>) => sql`
    select count(*)::int as count, string_agg(${version}, ',') as rows from (
      select i.id, i.own_rules, i.xmin::text as stamp from item i
      where i.parent_id = a.folder and i.f_type = ${sql.lit(kind)} and i.deleted_at is null and i.id <> all(a.hidden)
      order by ${orderOf(order).order} limit ${limit}) i`
  const { rows } = await sql<Now & { n: number }>`
    select a.n, o.sort, o.descending, ${childrenOf(sql`a.folder`)} as total, ${serverStart} as server,
      case when not a.manager then (
        select array_agg(${version}) from (
          select i.id, i.own_rules, i.xmin::text as stamp from item i
          where i.parent_id = a.folder and (i.withholds or not i.inherit) and i.deleted_at is null) i) end as withheld,
      d.rows as folders, f.rows as files
    from jsonb_to_recordset(${JSON.stringify(askers)})
        as a(n int, folder bigint, manager boolean, hidden bigint[], most int, ${askerColumns})
      left join lateral (select * from folder_order where folder_id = a.folder offset 0) o on true
      cross join lateral (${section(2, sql`a.most`)}) d
      cross join lateral (${section(1, sql`a.most - d.count`)}) f`.execute(db)
  const byAsker = new Map(rows.map((row) => [row.n, row]))
  return many.map((_, n) => {
    const value = byAsker.get(n)
    return value === undefined ? { error: new Error('PostgreSQL left out a page') } : { value }
  })
}
