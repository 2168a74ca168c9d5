/*
 * The rows of a list of the user on every server at which they are signed in ([R344]). Almost nobody has a linked server:
 * how the rows of several are merged is loaded when there is one.
 */
import { mainServer } from '../../core/call/api.ts'
import { askedServers, type Missing } from '../../core/session/fan-out.ts'
import type { RowSource } from './folder-list.ts'
import type { Before, MergedRows, ReadPart } from './merged-rows.ts'

export type { Before, Listed } from './merged-rows.ts'

/** A source that also tells which servers are missing. */
export interface MergedSource extends RowSource {
  readonly missing: () => readonly Missing[]
}

/** Creates a source that merges the lists of all servers. */
export function mergedSource(read: ReadPart, before: Before): MergedSource {
  let merged: MergedRows | undefined
  let arrived = (): void => undefined
  return {
    missing: () => merged?.missing() ?? [],
    linked: () => merged?.linked(),
    onLate: (call) => {
      arrived = call
    },
    async page(at, rows) {
      if (!('from' in at)) return undefined
      const { from } = at
      if (askedServers().length === 1) {
        merged = undefined
        return { from, ...(await read(mainServer, { from, rows })) }
      }
      const { mergeRows } = await import('./merged-rows.ts')
      merged ??= mergeRows(read, before, () => arrived())
      return merged.page(from, rows)
    },
    search: () => Promise.resolve([]),
    item: () => Promise.resolve(undefined),
  }
}
