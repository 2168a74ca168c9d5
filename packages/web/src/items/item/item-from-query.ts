// The item that the address of a window names ([R068], [R114]).
import type { ItemRecord } from '@cloudoc/contract'
import { formatItemIdStr, mainServerId, parseItemIdStr } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'

/**
 * Reads the item from the server. The query has its written id (`itemIdStr`), or serverId, fType and fId together; a
 * missing or contradictory one names nothing, which the server answers with -3.
 */
export async function itemFromQuery(query: URLSearchParams): Promise<ItemRecord> {
  const number = (name: string): number => Number(query.get(name) ?? Number.NaN)
  const fType = number('fType') === 2 ? 2 : 1
  const written = query.get('itemIdStr') ?? formatItemIdStr({ serverId: number('serverId'), fType, fId: number('fId') })
  const serverId = parseItemIdStr(written)?.serverId ?? mainServerId
  return api.of({ serverId }).getFileItemInfo({ itemIdStr: written })
}

/** Returns a number of the query; 0 if it is missing. */
export function numberFromQuery(query: URLSearchParams, name: string): number {
  return Number(query.get(name) ?? 0)
}
