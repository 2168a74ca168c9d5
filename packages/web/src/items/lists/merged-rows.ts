/*
 * The merged rows of the lists of several servers ([R344]). Each server answers in the same order, and the rows are
 * merged in it. The list is shown as soon as the server of the page has answered: the rows of a linked server that takes
 * longer follow behind all others, so that nothing that is shown moves. One that fails, or takes longer than ten
 * seconds, is left out and named; the list of the server of the page must answer.
 */
import type { ItemRecord } from '@cloudoc/contract'
import { mainServer, type OnServer } from '../../core/call/api.ts'
import { askedServers, type Missing, missingOf } from '../../core/session/fan-out.ts'
import { linkedServer } from '../../core/session/linked-servers.ts'
import type { Linked, Page } from './folder-list.ts'

/** Some rows of one server, and the number of all of them. */
export type Listed = { readonly list: readonly ItemRecord[]; readonly total: number }

/** Reads a part of the list of one server. */
export type ReadPart = (on: OnServer, part: { readonly from: number; readonly rows: number }) => Promise<Listed>

/** Whether a row stands before another one. */
export type Before = (one: ItemRecord, other: ItemRecord) => boolean

/** A linked server whose answer comes this much later than that of the server of the page is merged all the same. */
const graceMs = 300

/** The rows that one server has given so far. */
interface Part extends OnServer {
  readonly rows: ItemRecord[]
  total: number
  /** The number of its rows that have been merged. */
  taken: number
  isOver: boolean
}

/** One reading of all lists, from the first rows on. */
interface Reading {
  parts: readonly Part[]
  /** Those that came later, in the order in which they came. */
  readonly late: Part[]
  waiting: readonly Part[]
  missing: readonly Missing[]
  readonly merged: ItemRecord[]
  /** The end of the rows that were given. Rows before it are asked for again when they may have changed. */
  given: number
}

export interface MergedRows {
  missing(): readonly Missing[]
  linked(): Linked | undefined
  page(from: number, rows: number): Promise<Page>
}

const nameOf = ({ serverId }: Part): string => linkedServer(serverId)?.serverName ?? ''

/** Merges the rows of all servers. `arrived` is called when one that was waited for has answered, or has failed. */
export function mergeRows(read: ReadPart, before: Before, arrived: () => void): MergedRows {
  let current: Reading | undefined

  const more = async (reading: Reading, part: Part, rows: number): Promise<void> => {
    const { serverId } = part
    try {
      const { list, total } = await read({ serverId }, { from: part.rows.length, rows })
      part.rows.push(...list)
      part.total = total
      part.isOver = list.length === 0 || part.rows.length >= total
    } catch (error) {
      if (serverId === mainServer.serverId) throw error
      reading.missing = [...reading.missing, missingOf(serverId, error)]
      part.isOver = true
    }
    if (part.isOver) part.total = part.rows.length
  }

  /** Reads the first rows. Rows that are shown stay until those of all servers are there: only a first reading is cut. */
  const begin = async (rows: number): Promise<Reading> => {
    const parts = askedServers().map((serverId): Part => ({ serverId, rows: [], total: 0, taken: 0, isOver: false }))
    const reading: Reading = { parts: [], late: [], waiting: parts, missing: [], merged: [], given: 0 }
    const answers = parts.map(async (part) => {
      await more(reading, part, rows)
      reading.waiting = reading.waiting.filter((one) => one !== part)
    })
    const all = Promise.all(answers)
    all.catch(() => undefined)
    await answers[0]
    const grace = Promise.withResolvers<void>()
    const timer = current === undefined ? setTimeout(grace.resolve, graceMs) : undefined
    await Promise.race([all, grace.promise])
    clearTimeout(timer)
    reading.parts = parts.filter((part) => !reading.waiting.includes(part))
    for (const part of reading.waiting)
      void answers[parts.indexOf(part)]?.then(() => {
        if (part.rows.length > 0) reading.late.push(part)
        if (reading === current) arrived()
      })
    return reading
  }

  /** Merges until so many rows are there, or all of them. */
  const merge = async (reading: Reading, until: number, rows: number): Promise<void> => {
    const { parts, merged } = reading
    while (merged.length < until) {
      // The next row is known when every server has given one, or has no more.
      const due = parts.filter((part) => part.taken === part.rows.length && !part.isOver)
      await Promise.all(due.map((part) => more(reading, part, rows)))
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

  /** The rows up to a position: the merged ones, then those of each server that came later. */
  const rowsUntil = async (reading: Reading, until: number, rows: number): Promise<readonly ItemRecord[]> => {
    await merge(reading, until, rows)
    let all: readonly ItemRecord[] = reading.merged
    // Another server may answer meanwhile: an array that grows is read to its end.
    for (const part of reading.late) {
      while (all.length + part.rows.length < until && !part.isOver) await more(reading, part, rows)
      all = [...all, ...part.rows]
      if (!part.isOver) break
    }
    return all
  }

  const totalOf = ({ parts, late }: Reading): number => [...parts, ...late].reduce((sum, part) => sum + part.total, 0)

  /** Requests wait for each other: they merge the same rows. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work)
    last = done.catch(() => undefined)
    return done
  }

  /** The reading that a page continues; none if its rows were given before. */
  const goesOn = (from: number): Reading | undefined => {
    if (current === undefined || from < current.given) return undefined
    return current.given > 0 || current.late.length > 0 ? current : undefined
  }

  return {
    missing: () => current?.missing ?? [],
    linked: () =>
      current && { waiting: current.waiting.map(nameOf), late: current.late.map(nameOf), total: totalOf(current) },
    page: (from, rows) =>
      inTurn(async () => {
        const reading = goesOn(from) ?? (await begin(rows))
        current = reading
        const list = (await rowsUntil(reading, from + rows, rows)).slice(from, from + rows)
        reading.given = from + list.length
        return { from, list, total: totalOf(reading) }
      }),
  }
}
