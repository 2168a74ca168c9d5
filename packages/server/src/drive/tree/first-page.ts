/*
 * First pages of folders that were written before, for whoever has the same before them: rights in force at the folder,
 * its path, settings, organisation. A page is good as long as nothing among the folder's children has changed, which
 * every request has asked PostgreSQL before it comes here (core/db/invalidations.ts).
 *
 * One of which something may have changed is compared with what it was made of (Basis): the rows by id and transaction,
 * the entries of those that have rules of their own, the children that could be hidden, the number of children. These are
 * read again in one statement with all who ask at the same moment. Where rows differ, those alone are read; the bytes of
 * the others are kept.
 */
import { hash } from 'node:crypto'
import type { ItemRecord } from '@cloudoc/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Actor } from '../../core/actor.ts'
import { Written } from '../../core/call/written.ts'
import type { Db } from '../../core/db/database.ts'
import type { Invalidations, Mark } from '../../core/db/invalidations.ts'
import { gathered, type Outcome, outcomeOf } from '../../core/gather.ts'
import { aboveChildrenOf } from './access.ts'
import { askerColumns, askerOf, askersEntries } from './chains.ts'
import {
  Basis,
  childrenOf,
  orderOf,
  type Page,
  type PageRequest,
  placeBehind,
  type Row,
  readRows,
  serverStart,
  versionIn,
} from './list.ts'
import { PageBytes, type RowBytes } from './page-bytes.ts'

/** Bytes that a process keeps at most, and what a row takes beside them. */
const mostBytes = 32 * 1024 * 1024
const rowCost = 300
/** Transactions are numbered anew after four thousand million: a page is not kept nearly so long. */
const longestMs = 10 * 60_000
/** Who asks may have begun before the page was made again; a clock that was put back is told from that by more. */
const longestRequestMs = 10_000
/** Between the versions of rows, which hold no line break. */
const between = '\n'
/** With more rows that differ, the whole page is read. */
const mostRenewed = 20
/** Requests that arrive while pages are compared share the next comparison. */
const together = { most: 32, atOnce: 2 }

type Order = Pick<PageRequest, 'sort' | 'order'>

interface Kept {
  readonly answer: Written
  /** What it says, with its rows by their versions. */
  readonly page: PageBytes
  readonly order: Order
  readonly hidden: readonly number[]
  readonly withheld: string
  readonly folders: string
  readonly files: string
  /** Of all children, hidden ones too. */
  readonly children: number
  readonly server: string
  readonly until: number
  readonly settings: Actor['settings']
  readonly organisation: number
  readonly madeAt: number
  readonly bytes: number
  readonly folder: number
  /** For whom it was made or compared since something among the children changed. */
  readonly goodFor: Set<number>
  /** Rows have rules of their own, so that what is good for one need not be for another. */
  readonly hasOwnRules: boolean
}

/** What a page is kept with, beside who it was made for and when. */
type Made = Omit<Kept, 'answer' | 'settings' | 'organisation' | 'madeAt' | 'bytes' | 'folder' | 'goodFor'>

/** A first page, asked for in an order or in the folder's own. */
export interface FirstPage {
  readonly actor: Actor
  readonly folder: Access
  readonly rows: number
  readonly order: { readonly [K in keyof Order]: Order[K] | undefined }
  readonly now: number
  readonly compressed: boolean
}

type Make = (basis: Basis) => Promise<{ page: Page; order: Order }>

export interface FirstPages {
  /** The page as it was written before, if it would be written so again; else as it is made now. */
  get(asked: FirstPage, make: Make): Promise<Written>
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
export function createFirstPages(db: Db, invalidations: Invalidations): FirstPages {
  const pages = new Map<string, Kept>()
  const pagesOf = new Map<number, Set<Kept>>()
  let bytes = 0
  const forget = (key: string): void => {
    const page = pages.get(key)
    if (page === undefined) return
    bytes -= page.bytes
    pages.delete(key)
    const others = pagesOf.get(page.folder)
    others?.delete(page)
    if (others?.size === 0) pagesOf.delete(page.folder)
  }
  const keep = (key: string, page: Kept): void => {
    forget(key)
    pages.set(key, page)
    bytes += page.bytes
    const others = pagesOf.get(page.folder)
    if (others === undefined) pagesOf.set(page.folder, new Set([page]))
    else others.add(page)
    for (const oldest of pages.keys()) {
      if (bytes <= mostBytes) break
      forget(oldest)
    }
  }

  const doubt = (page: Kept): void => page.goodFor.clear()
  /** Notes that a page is good; unless something changed while that was found out, since a mark. */
  const vouch = (page: Kept, { actor }: FirstPage, since: Mark): void => {
    if (invalidations.holdsSince(since, 'children', page.folder)) page.goodFor.add(actor.accountId)
  }
  const isGood = ({ goodFor, hasOwnRules }: Kept, { actor }: FirstPage): boolean =>
    hasOwnRules ? goodFor.has(actor.accountId) : goodFor.size > 0
  invalidations.follow({
    forget: (kind, id) => kind === 'children' && pagesOf.get(id)?.forEach(doubt),
    // What is not among the rows may have changed, such as names of people.
    forgetAll() {
      pages.clear()
      pagesOf.clear()
      bytes = 0
    },
  })

  const comparisons = new Map<string, (asked: Compared) => Promise<Now>>()
  const compared = (asked: FirstPage, kept: Kept): Promise<Now> => {
    const variant = `${kept.order.sort} ${kept.order.order}`
    const known = comparisons.get(variant)
    const comparison = known ?? gathered(together, (many) => readNow(db, kept.order, many))
    if (known === undefined) comparisons.set(variant, comparison)
    return comparison({ asked, kept })
  }

  /** The keys under which a page is looked for: for anybody who has the same before them, and for one person. */
  const keysOf = (asked: FirstPage) => {
    const shared = contextOf(asked)
    return { shared, own: `${shared} ${asked.actor.accountId}` }
  }
  type Keys = ReturnType<typeof keysOf>

  const write = async (keys: Keys, asked: FirstPage, made: Made, since: Mark): Promise<Kept> => {
    const answer = await Written.ofEnvelope(made.page.answer, asked)
    // Entries differ from person to person, and one page is kept for each.
    const isPersonal = `${made.withheld}${made.folders}${made.files}`.includes('[')
    const { actor, now, folder } = asked
    const versions = made.withheld.length + made.folders.length + made.files.length
    const kept: Kept = {
      ...made,
      answer,
      settings: actor.settings,
      organisation: actor.organisation,
      madeAt: now,
      bytes: made.page.answer.length + answer.body.length + 2 * versions + rowCost * asked.rows,
      folder: folder.row.id,
      goodFor: new Set(),
    }
    if (!invalidations.holdsSince(since)) return kept
    keep(isPersonal ? keys.own : keys.shared, kept)
    vouch(kept, asked, since)
    return kept
  }

  const makeWhole = async (keys: Keys, asked: FirstPage, make: Make): Promise<Kept | Written> => {
    const basis = new Basis()
    const since = invalidations.mark()
    const { page, order } = await make(basis)
    if (basis.hasLinks || (asked.folder.restricted && !asked.folder.facts.actor.isManager)) {
      for (const key of Object.values(keys)) forget(key)
      return Written.of(JSON.stringify(page), asked)
    }
    const { hidden, until, server, hasOwnRules } = basis
    const made: Made = {
      page: PageBytes.of(basis.shown.map(bytesOf), page),
      order,
      hidden,
      until,
      server,
      hasOwnRules,
      withheld: basis.withheld.join(),
      folders: basis.sections[2].join(between),
      files: basis.sections[1].join(between),
      children: basis.total,
    }
    return write(keys, asked, made, since)
  }

  /** The page from what is kept of it and the rows that differ; undefined where more than rows of it does. */
  const renew = async (keys: Keys, asked: FirstPage, kept: Kept, now: Now, since: Mark): Promise<Kept | undefined> => {
    if (!isSameBeyondRows(kept, asked, now)) return undefined
    const versions = [now.folders, now.files].flatMap((rows) => (rows === null ? [] : rows.split(between)))
    const shown = versions.slice(0, asked.rows)
    const changed = shown.filter((version) => kept.page.row(version) === undefined)
    if (changed.length > mostRenewed) return undefined
    const basis = new Basis()
    const ids = changed.map((version) => Number.parseInt(version, 10))
    const rows = ids.length === 0 ? [] : await readRows(db, asked.actor, asked.folder, ids, asked.now, basis)
    if (basis.hasLinks) return undefined
    const read = new Map(rows.map(bytesOf))
    const all: RowBytes[] = []
    for (const version of shown) {
      const bytes = kept.page.row(version) ?? read.get(version)
      // Changed again meanwhile.
      if (bytes === undefined) return undefined
      all.push([version, bytes])
    }
    const last = all.at(-1)?.[1]
    const goesOn = versions.length > shown.length && last !== undefined
    const total = now.total - kept.hidden.length
    const next = goesOn ? placeBehind(JSON.parse(last.toString()) as ItemRecord, kept.order.sort) : null
    const made: Made = {
      ...kept,
      page: PageBytes.of(all, { total, next }),
      until: Math.min(kept.until, basis.until),
      hasOwnRules: kept.hasOwnRules || basis.hasOwnRules,
      folders: now.folders ?? '',
      files: now.files ?? '',
      children: now.total,
    }
    return write(keys, asked, made, since)
  }

  /** Compares a page with what it was made of, and makes it again where that differs. */
  const check = async (keys: Keys, kept: Kept, asked: FirstPage, make: Make): Promise<Kept | Written> => {
    const since = invalidations.mark()
    const now = await compared(asked, kept)
    if (!isAsBefore(kept, asked, now))
      return (await renew(keys, asked, kept, now, since)) ?? makeWhole(keys, asked, make)
    vouch(kept, asked, since)
    return kept
  }

  /** Pages that are being checked. */
  const underWay = new Map<string, Promise<Kept | Written>>()

  return {
    async get(asked, make) {
      const keys = keysOf(asked)
      for (let waited = 0; ; waited += 1) {
        const key = pages.has(keys.own) ? keys.own : keys.shared
        const kept = pages.get(key)
        if (kept === undefined || !holds(kept, asked)) return answerOf(await makeWhole(keys, asked, make))
        if (isGood(kept, asked)) {
          // The one that was used last is forgotten last.
          pages.delete(key)
          pages.set(key, kept)
          return kept.answer
        }
        const others = underWay.get(key)
        if (others === undefined || waited === 2) {
          const checking = check(keys, kept, asked, make)
          if (others !== undefined) return answerOf(await checking)
          underWay.set(key, checking)
          return answerOf(await checking.finally(() => underWay.delete(key)))
        }
        const outcome = await outcomeOf(others)
        // The second began after this was asked: what came of it is as good as if it had been made for this.
        if (waited === 1 && 'value' in outcome && !(outcome.value instanceof Written) && !outcome.value.hasOwnRules)
          return outcome.value.answer
      }
    },
  }
}

const answerOf = (page: Kept | Written): Written => (page instanceof Written ? page : page.answer)

/** What a page is written from beside rows and settings: pages of those who have the same here are the same. */
function contextOf({ folder, rows, order, compressed }: FirstPage): string {
  let before = contexts.get(folder)
  if (before === undefined) {
    const { library, path, isManager, inForce, restricted } = aboveChildrenOf(folder)
    const all = JSON.stringify([folder.row.id, isManager, restricted, folder.facts.rights, library, path, inForce])
    before = hash('sha256', all, 'base64')
    contexts.set(folder, before)
  }
  return `${before} ${rows} ${order.sort ?? ''} ${order.order ?? ''} ${compressed}`
}

/** That of a folder as it was met, in short. */
const contexts = new WeakMap<Access, string>()

/** Whether a page is worth comparing. */
function holds(kept: Kept, { actor, now }: FirstPage): boolean {
  return (
    now < kept.until &&
    now >= kept.madeAt - longestRequestMs &&
    now - kept.madeAt < longestMs &&
    kept.settings === actor.settings &&
    kept.organisation === actor.organisation
  )
}

function isAsBefore(kept: Kept, asked: FirstPage, now: Now): boolean {
  return (
    isSameBeyondRows(kept, asked, now) &&
    now.total === kept.children &&
    (now.folders ?? '') === kept.folders &&
    (now.files ?? '') === kept.files
  )
}

function isSameBeyondRows(kept: Kept, { order: { sort, order } }: FirstPage, now: Now): boolean {
  const own = { sort: now.sort ?? 'name', order: now.descending === true ? 'desc' : 'asc' } as const
  const isSameOrder =
    sort !== undefined || (own.sort === kept.order.sort && (order !== undefined || own.order === kept.order.order))
  return isSameOrder && now.server === kept.server && (now.withheld ?? []).sort().join() === kept.withheld
}

const bytesOf = ({ version, record }: Row): RowBytes => [version, Buffer.from(JSON.stringify(record))]

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
    select count(*)::int as count, string_agg(${version}, ${sql.lit(between)}) as rows from (
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
