/*
 * The rows of a list of the user on every server at which they are signed in ([R344]). Each server answers in the same
 * order, and the rows are merged in it. A linked server that fails, or takes longer than ten seconds, is left out and
 * named; the list of the server of the page must answer.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { mainServer, type OnServer } from '../../core/call/api.ts'
import { askedServers, type Missing, missingOf } from '../../core/session/fan-out.ts'
import type { RowSource } from './folder-list.ts'

/** Some rows of one server, and the number of all of them. */
export type Listed = { readonly list: readonly ItemRecord[]; readonly total: number }

/** Reads a part of the list of one server. */
export type ReadPart = (on: OnServer, part: { readonly from: number; readonly rows: number }) => Promise<Listed>

/** Whether a row stands before another one. */
export type Before = (one: ItemRecord, other: ItemRecord) => boolean

/** The rows that one server has given so far. */
interface Part extends OnServer {
  readonly rows: ItemRecord[]
  total: number
  /** The number of its rows that have been merged. */
  taken: number
  isOver: boolean
}

/** A source that also tells which servers are missing. */
export interface MergedSource extends RowSource {
  readonly missing: () => readonly Missing[]
}

/** Creates a source that merges the lists of all servers. */
export function mergedSource(read: ReadPart, before: Before): MergedSource {
  let parts: Part[] = []
  let merged: ItemRecord[] = []
  let missing: Missing[] = []
  /** The end of the rows that were given. Rows before it are asked for again when they may have changed. */
  let given = 0

  const more = async (part: Part, rows: number): Promise<void> => {
    const { serverId } = part
    try {
      const { list, total } = await read({ serverId }, { from: part.rows.length, rows })
      part.rows.push(...list)
      part.total = total
      part.isOver = list.length === 0 || part.rows.length >= total
    } catch (error) {
      if (serverId === mainServer.serverId) throw error
      missing = [...missing, missingOf(serverId, error)]
      part.isOver = true
      part.total = part.rows.length
    }
  }

  const begin = async (rows: number): Promise<void> => {
    const fresh = askedServers().map((serverId): Part => ({ serverId, rows: [], total: 0, taken: 0, isOver: false }))
    missing = []
    await Promise.all(fresh.map((part) => more(part, rows)))
    parts = fresh
    merged = []
  }

  /** Merges until so many rows are there, or all of them. */
  const merge = async (until: number, rows: number): Promise<void> => {
    while (merged.length < until) {
      // The next row is known when every server has given one, or has no more.
      const due = parts.filter((part) => part.taken === part.rows.length && !part.isOver)
      await Promise.all(due.map((part) => more(part, rows)))
      let first: Part | undefined
      for (const part of parts) {
        const row = part.rows[part.taken]
        const best = first?.rows[first.taken]
        if (row !== undefined && (best === undefined || before(row, best))) first = part
      }
      const row = first?.rows[first.taken]
      if (first === undefined || row === undefined) return
      first.taken += 1
      merged.push(row)
    }
  }

  /** Requests wait for each other: they merge the same rows. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work)
    last = done.catch(() => undefined)
    return done
  }

  return {
    missing: () => missing,
    page(at, rows) {
      if (!('from' in at)) return Promise.resolve(undefined)
      const { from } = at
      return inTurn(async () => {
        const [, ...linked] = askedServers()
        if (linked.length === 0) {
          ;[missing, given] = [[], 0]
          return { from, ...(await read(mainServer, { from, rows })) }
        }
        if (from < given || given === 0) await begin(rows)
        await merge(from + rows, rows)
        given = from + rows
        const total = parts.reduce((sum, part) => sum + part.total, 0)
        return { from, list: merged.slice(from, from + rows), total }
      })
    },
    search: () => Promise.resolve([]),
    item: () => Promise.resolve(undefined),
  }
}
