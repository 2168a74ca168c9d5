/*
 * Cache of the first pages of folders, shared by users with equal inputs: effective rights at the folder, its path,
 * settings, organisation. Every request first asks PostgreSQL for invalidations (core/db/invalidations.ts). They
 * include the current state of changed children. A page applies it at its next request: the bytes of its other rows
 * stay, and nothing is read.
 */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Access, ItemRow } from '../../core/access.ts'
import type { Account } from '../../core/actor.ts'
import { lengthOf, type Part } from '../../core/call/compress.ts'
import { EncodedAnswer } from '../../core/call/encoded-answer.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import { aboveChildrenOf } from './access.ts'
import { concerning, everyonesEntries, itemColumns, type PackedEntry, peopleOf } from './chains.ts'
import { Basis, type Page, recordIn } from './list.ts'
import { type Order, PageBytes } from './page-bytes.ts'

/** Maximum size of the cache in bytes per process, and the overhead per row. */
const mostBytes = 32 * 1024 * 1024
const rowCost = 300
/** A request may have started before the page was made. A larger difference means that the clock was set back. */
const longestRequestMs = 10_000
/** A page with this many pending changes and no request in between is dropped. */
const mostPending = 50

/** The current state of a folder's changed children. */
interface Changes {
  readonly changed: readonly number[]
  /** Those that exist; null for none. */
  readonly rows: readonly ChangedRow[] | null
  /** Number of all children. */
  readonly total: number
}

/** With all its entries; null if it has no rules of its own or too many entries. */
type ChangedRow = ItemRow & { readonly everyone: readonly PackedEntry[] | null }

/** SQL that builds `Changes` for the children named by an invalidation. */
const describes = sql`json_build_object('changed', f.children, 'total', children_of(f.id), 'rows', (
  select json_agg(r) from (
    select ${itemColumns}, ${peopleOf}, ${everyonesEntries} as everyone
    from unnest(f.children) u(id) cross join lateral (select * from item where id = u.id offset 0) i
    where i.parent_id = f.id and i.deleted_at is null) r))`

interface CachedPage {
  /** The response as it is sent, once it has been compressed. */
  readonly answer: Promise<EncodedAnswer>
  readonly page: PageBytes
  /** The children that are hidden from the user. */
  readonly hidden: ReadonlySet<number>
  /** The first time at which an expiry changes the page for the same rows. */
  readonly until: number
  readonly settings: Account['settings']
  readonly organisation: number
  readonly madeAt: number
  readonly bytes: number
  readonly folder: number
  /** Some rows have their own rules: the page is valid only for the users in `madeFor`. */
  readonly hasOwnRules: boolean
  /** Some of those rules concern the user it was made for. */
  readonly isPersonal: boolean
  readonly madeFor: ReadonlySet<number>
  /** The position in the sequence of invalidations at which it was read. */
  readonly readAt: number
  /** Changes received since. */
  readonly pending: Changes[]
}

/** The part of a cache entry that results from building the page. */
type Made = Pick<CachedPage, 'page' | 'hidden' | 'until' | 'hasOwnRules' | 'isPersonal' | 'madeFor' | 'readAt'>

/** A request for a first page, in an explicit order or in the folder's own. */
export interface FirstPage {
  readonly actor: Account
  readonly folder: Access
  readonly rows: number
  readonly order: { readonly [K in keyof Order]: Order[K] | undefined }
  readonly now: number
  readonly compressed: boolean
}

type Make = (basis: Basis) => Promise<{ page: Page; order: Order }>

export interface FirstPages {
  /** Returns the cached page with the changes since, or builds it. */
  get(asked: FirstPage, make: Make): Promise<EncodedAnswer>
}

/** The first pages of one process. */
export function createFirstPages(invalidations: Invalidations): FirstPages {
  const pages = new Map<string, CachedPage>()
  const keysIn = new Map<number, Set<string>>()
  let bytes = 0
  const forget = (key: string): void => {
    const page = pages.get(key)
    if (page === undefined) return
    bytes -= page.bytes
    pages.delete(key)
    const others = keysIn.get(page.folder)
    others?.delete(key)
    if (others?.size === 0) keysIn.delete(page.folder)
  }
  const keep = (key: string, page: CachedPage): void => {
    forget(key)
    pages.set(key, page)
    bytes += page.bytes
    const others = keysIn.get(page.folder)
    if (others === undefined) keysIn.set(page.folder, new Set([key]))
    else others.add(key)
    for (const oldest of pages.keys()) {
      if (bytes <= mostBytes) break
      forget(oldest)
    }
  }
  invalidations.follow({
    describes,
    forget(kind, id, told) {
      if (kind !== 'children') return
      for (const key of keysIn.get(id) ?? []) {
        const page = pages.get(key)
        // A page read after the changes were queried may be newer than they are.
        const goesOn = told !== undefined && page !== undefined && page.readAt < told.askedAt
        if (goesOn && page.pending.length < mostPending) page.pending.push(told.now as Changes)
        else forget(key)
      }
    },
    // Data outside the rows may have changed, such as user names.
    forgetAll() {
      pages.clear()
      keysIn.clear()
      bytes = 0
    },
  })

  /** The cache keys of a page: one shared by all users with equal inputs, and one for the user. */
  const keysOf = (asked: FirstPage) => {
    const shared = contextOf(asked)
    return { shared, own: `${shared} ${asked.actor.accountId}` }
  }
  type Keys = ReturnType<typeof keysOf>

  const write = (keys: Keys, asked: FirstPage, made: Made): Promise<EncodedAnswer> => {
    const { actor, now, folder } = asked
    const key = made.isPersonal ? keys.own : keys.shared
    const { parts } = made.page
    // Users with their own rules who see equal contents share one page.
    const other = made.hasOwnRules ? pages.get(key) : undefined
    const isSame = other?.pending.length === 0 && areSame(other.page.parts, parts)
    const answer = EncodedAnswer.ofParts(parts, asked)
    answer.catch(() => forget(key))
    keep(key, {
      ...made,
      madeFor: isSame ? new Set([...other.madeFor, ...made.madeFor]) : made.madeFor,
      answer,
      settings: actor.settings,
      organisation: actor.organisation,
      madeAt: now,
      // A compressed page is stored in both forms.
      bytes: lengthOf(parts) * (asked.compressed ? 1.5 : 1) + rowCost * asked.rows,
      folder: folder.row.id,
      pending: [],
    })
    return answer
  }

  const make = async (keys: Keys, asked: FirstPage, makePage: Make): Promise<EncodedAnswer> => {
    const basis = new Basis()
    const since = invalidations.mark()
    const { page: read, order } = await makePage(basis)
    const isKept = !basis.hasForeignData && (!asked.folder.restricted || asked.folder.facts.actor.isManager)
    if (!isKept) return EncodedAnswer.of(JSON.stringify(read), asked)
    const { until, hasOwnRules, isPersonal } = basis
    const page = PageBytes.of(read.list, read.total, order)
    // Changes received during the read may be partially included in the result, so it is not cached.
    if (!invalidations.isCurrentSince(since, 'children', asked.folder.row.id))
      return EncodedAnswer.ofParts(page.parts, asked)
    const hidden = new Set(basis.hidden)
    const madeFor = new Set([asked.actor.accountId])
    const readAt = invalidations.readAt()
    return write(keys, asked, { page, hidden, until, hasOwnRules, isPersonal, madeFor, readAt })
  }

  /** Applies the pending changes to a page; undefined if it has to be built again. */
  const renew = (keys: Keys, kept: CachedPage, asked: FirstPage): Promise<EncodedAnswer> | undefined => {
    const { folder, actor, now } = asked
    const changed = new Map<number, ChangedRow | undefined>()
    for (const changes of kept.pending) {
      for (const id of changes.changed) changed.set(id, undefined)
      for (const row of changes.rows ?? []) changed.set(row.id, row)
    }
    const basis = new Basis()
    const hidden = new Set(kept.hidden)
    const above = aboveChildrenOf(folder)
    const shown: Page['list'] = []
    for (const [id, row] of changed) {
      hidden.delete(id)
      if (row === undefined) continue
      if ((row.own_rules || row.granted) && row.everyone === null) return undefined
      const entries = concerning(actor.subjects, row.everyone ?? [])
      const child = { ...row, packed: entries.length === 0 ? null : JSON.stringify(entries) }
      basis.add(child, now)
      const record = recordIn(folder, above, child, actor, now)
      if (record === undefined) hidden.add(id)
      else shown.push(record)
    }
    const total = (kept.pending.at(-1)?.total ?? 0) - hidden.size
    const page = basis.hasForeignData ? undefined : kept.page.after(changed, shown, total, asked.rows)
    if (page === undefined) return undefined
    return write(keys, asked, {
      page,
      hidden,
      until: Math.min(kept.until, basis.until),
      hasOwnRules: kept.hasOwnRules || basis.hasOwnRules,
      isPersonal: kept.isPersonal || basis.isPersonal,
      // Changed rows with their own rules were evaluated for this user only.
      madeFor: basis.hasOwnRules ? new Set([actor.accountId]) : kept.madeFor,
      readAt: kept.readAt,
    })
  }

  return {
    get(asked, makePage) {
      const keys = keysOf(asked)
      const key = pages.has(keys.own) ? keys.own : keys.shared
      const kept = pages.get(key)
      if (kept === undefined || !isCurrent(kept, asked)) {
        // It would take precedence over the shared page.
        forget(keys.own)
        return make(keys, asked, makePage)
      }
      if (kept.pending.length > 0) {
        const renewed = renew(keys, kept, asked)
        if (renewed === undefined) forget(key)
        return renewed ?? make(keys, asked, makePage)
      }
      // Moves the page to the end of the eviction order.
      pages.delete(key)
      pages.set(key, kept)
      return kept.answer
    },
  }
}

const areSame = (one: readonly Part[], other: readonly Part[]): boolean =>
  lengthOf(one) === lengthOf(other) && bytesOf(one).equals(bytesOf(other))
const bytesOf = (parts: readonly Part[]): Buffer => Buffer.concat(parts.map(({ bytes }) => bytes))

/** All inputs of a page besides rows and settings. Pages with equal inputs are equal. */
function contextOf({ actor, folder, rows, order, compressed }: FirstPage): string {
  let before = contexts.get(folder)
  if (before === undefined) {
    const { rights, actor: caller } = folder.facts
    const above = aboveChildrenOf(folder)
    const { library, path, isManager, inForce, restricted, docFlag, byApplication } = above
    // Properties of the user that affect the action bits.
    const mayLink = actor.capabilities.has('createLinks')
    const controls = [...actor.controls.download, 'link', ...actor.controls.link]
    const person = [rights, caller.isGuest, caller.secretLevel > 0, mayLink, byApplication, controls]
    const all = JSON.stringify([folder.row.id, isManager, restricted, docFlag, person, library, path, inForce])
    before = hash('sha256', all, 'base64')
    contexts.set(folder, before)
  }
  return `${before} ${rows} ${order.sort ?? ''} ${order.order ?? ''} ${compressed}`
}

/** Hashes of these inputs, by access object. */
const contexts = new WeakMap<Access, string>()

/** Whether a page may be served to the actor, provided that no row has changed. */
function isCurrent(kept: CachedPage, { actor, now }: FirstPage): boolean {
  return (
    now < kept.until &&
    now >= kept.madeAt - longestRequestMs &&
    kept.settings === actor.settings &&
    kept.organisation === actor.organisation &&
    (!kept.hasOwnRules || kept.madeFor.has(actor.accountId))
  )
}
