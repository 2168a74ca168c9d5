// Searches on the server, debounced after the last key press.
import type { ItemRecord } from '@cloudoc/contract'
import { useEffect, useState } from 'react'
import { areas } from '../../core/area/area.ts'
import { api, mainServer } from '../../core/call/api.ts'
import type { PlainTextKey } from '../../core/i18n/i18n.ts'
import type { Command } from '../../core/menu/commands.ts'
import { parseTimePhrase, type TimePhrase } from './time-phrases.ts'

/** Debounce in milliseconds. */
export const debounceMs = 150

/** The results of one kind, and whether there are more. */
export interface Hits {
  readonly list: readonly ItemRecord[]
  readonly more: boolean
}

/** A person of the company. */
export interface PersonHit {
  readonly id: number
  readonly name: string
  readonly account: string
  /** The department and position. */
  readonly place: string
}

export interface SearchHits {
  readonly keyword: string
  /** The searched part of the text, and the time expression at its end. */
  readonly words: string
  readonly time: TimePhrase | undefined
  readonly files: Hits
  readonly folders: Hits
  readonly people: readonly PersonHit[]
  readonly failed: boolean
}

const none: Hits = { list: [], more: false }

/** The parameters of a search: the number of results of each kind, everywhere or below a folder. */
export interface HitsQuery {
  readonly keyword: string
  readonly files: number
  readonly folders: number
  readonly people?: number
  readonly below?: number | undefined
}

/** Returns the latest answer. Undefined without a search. */
export function useSearchHits({ keyword, files, folders, people = 0, below }: HitsQuery): SearchHits | undefined {
  const [found, setFound] = useState<SearchHits>()
  useEffect(() => {
    if (keyword === '') {
      setFound(undefined)
      return
    }
    let gone = false
    const said = parseTimePhrase(keyword, new Date())
    const ask = async (fType: 1 | 2, rows: number, byTime: boolean): Promise<Hits> => {
      if (rows === 0) return none
      // Requests one more result than is shown, to know whether there are more.
      const within = below === undefined ? {} : { folderId: below }
      const what =
        byTime && said !== undefined
          ? { keyword: said.keyword, timeFrom: said.time.timeFrom, timeTo: said.time.timeTo }
          : { keyword }
      const { list, scrollId } = await api.of(mainServer).searchDoc({ ...what, fType, rows: rows + 1, ...within })
      return { list: list.slice(0, rows), more: list.length > rows || (scrollId !== null && list.length > 0) }
    }
    const askBoth = (byTime: boolean) => Promise.all([ask(1, files, byTime), ask(2, folders, byTime)])
    // A failed search for people does not prevent the search for files.
    const askPeople = async (): Promise<readonly PersonHit[]> => {
      if (people === 0) return []
      try {
        const { list } = await api.searchItem2({ searchType: 'user', keyword, rows: people }, { quiet: true })
        return list.map(({ id, name, account = '', groupName = '', title = '' }) => ({
          id,
          name,
          account,
          place: [groupName, title].filter(Boolean).join(' · '),
        }))
      } catch {
        return []
      }
    }
    const timer = setTimeout(() => {
      const met = askPeople()
      // Two letters that may be initials of a time expression count as one only if the plain search finds nothing.
      const asked = async () => {
        const plain = said === undefined || said.isShort ? await askBoth(false) : undefined
        const byTime = said !== undefined && (plain === undefined || plain.every(({ list }) => list.length === 0))
        return byTime ? { hits: await askBoth(true), said } : { hits: plain ?? [none, none], said: undefined }
      }
      void asked()
        .then(
          async ({ hits: [ofFiles, ofFolders], said: meant }): Promise<SearchHits> => ({
            keyword,
            words: meant?.keyword ?? keyword,
            time: meant?.time,
            files: ofFiles,
            folders: ofFolders,
            people: await met,
            failed: false,
          }),
          (): SearchHits => ({
            keyword,
            words: keyword,
            time: undefined,
            files: none,
            folders: none,
            people: [],
            failed: true,
          }),
        )
        .then((answer) => {
          // A late answer must not replace the answer of a newer request.
          if (!gone) setFound(answer)
        })
    }, debounceMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [keyword, files, folders, people, below])
  return found
}

/** Returns the index of the current row in the shown results. New results start at the first row. */
export function useCurrent(shown: unknown): [at: number, setAt: (at: number) => void] {
  const [chosen, setChosen] = useState<{ readonly of: unknown; readonly at: number }>({ of: shown, at: 0 })
  return [chosen.of === shown ? chosen.at : 0, (at) => setChosen({ of: shown, at })]
}

/** What an area finds. */
export interface AreaHits {
  readonly title: PlainTextKey
  readonly hits: readonly Command[]
}

/** What the areas find beside files and people, for example messages. They delay no other results. */
export function useAreaHits(keyword: string, most: number): readonly AreaHits[] {
  const [found, setFound] = useState<readonly AreaHits[]>([])
  useEffect(() => {
    setFound([])
    if (keyword === '' || most === 0) return undefined
    let gone = false
    const timer = setTimeout(() => {
      for (const { finder } of areas())
        finder?.find(keyword, most).then(
          (hits) => {
            if (!gone && hits.length > 0) setFound((before) => [...before, { title: finder.title, hits }])
          },
          () => undefined,
        )
    }, debounceMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [keyword, most])
  return found
}
