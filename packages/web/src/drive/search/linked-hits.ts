// Results of linked servers for the search of everything and for the folder picker ([R344]). They delay no other
// results: each server has ten seconds.
import type { ItemRecord } from '@cloudoc/contract'
import { useEffect, useState } from 'react'
import { api, mainServer, type OnServer } from '../../core/call/api.ts'
import { askedServers, fanOutOptions, type Missing, missingOf } from '../../core/session/fan-out.ts'
import { debounceMs } from './use-search-hits.ts'

/** The results of the linked servers that have answered, and the servers that failed. */
export interface LinkedHits {
  readonly found: readonly (OnServer & { readonly list: readonly ItemRecord[] })[]
  readonly missing: readonly Missing[]
}

const nothing: LinkedHits = { found: [], missing: [] }

/** The number of results of each kind of each server. */
export interface LinkedRows {
  readonly files: number
  readonly folders: number
}

/** Returns what the linked servers have found so far. */
export function useLinkedHits(keyword: string, { files, folders }: LinkedRows): LinkedHits {
  const [hits, setHits] = useState(nothing)
  useEffect(() => {
    setHits(nothing)
    if (keyword === '' || files + folders === 0) return undefined
    let gone = false
    const ask = async (on: OnServer, fType: 1 | 2, rows: number): Promise<readonly ItemRecord[]> =>
      rows === 0 ? [] : (await api.of(on).searchDoc({ keyword, fType, rows }, fanOutOptions)).list
    const askAt = async (serverId: number): Promise<void> => {
      try {
        const lists = await Promise.all([ask({ serverId }, 1, files), ask({ serverId }, 2, folders)])
        const list = lists.flat()
        if (!gone && list.length > 0) setHits((before) => ({ ...before, found: [...before.found, { serverId, list }] }))
      } catch (error) {
        const missing = missingOf(serverId, error)
        if (!gone) setHits((before) => ({ ...before, missing: [...before.missing, missing] }))
      }
    }
    const timer = setTimeout(() => {
      for (const serverId of askedServers()) if (serverId !== mainServer.serverId) void askAt(serverId)
    }, debounceMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [keyword, files, folders])
  return hits
}
