// The pages of two versions, as LibreOffice sets them, and which of them differ.
import type { ItemRecord, Pages } from '@cloudoc/contract'
import type { VersionPair } from '../../viewing/compare/comparable.ts'
import { pagesAddress } from '../../viewing/rendition/made-pages.ts'
import { type OpenRendition, openRendition } from '../../viewing/rendition/rendition.ts'

export interface PagePair {
  /** Pictures of the older and of the newer version; empty where one has no such page. */
  readonly urls: readonly [string, string]
  readonly differs: boolean
}

export interface BothPages {
  readonly pages: readonly PagePair[]
  readonly close: () => void
}

interface VersionPages {
  readonly pages: Pages['pages']
  readonly rendition: OpenRendition
}

/**
 * Reads the pages of both versions. With `bySight` false only their words and places are compared: the pictures of equal
 * pages differ where they bear a watermark.
 */
export async function readBothPages(
  item: ItemRecord,
  pair: VersionPair,
  bySight: boolean,
  signal: AbortSignal,
): Promise<BothPages> {
  const both = await Promise.all(pair.map((version) => pagesOf(item, version, signal)))
  const close = (): void => {
    for (const { rendition } of both) rendition.close()
  }
  try {
    const count = Math.max(...both.map(({ pages }) => pages.length))
    const pages: PagePair[] = []
    for (let n = 0; n < count; n += 1) {
      signal.throwIfAborted()
      pages.push(await comparePage(both, n, bySight))
    }
    return { pages, close }
  } catch (error) {
    close()
    throw error
  }
}

async function pagesOf(item: ItemRecord, version: number, signal: AbortSignal): Promise<VersionPages> {
  const rendition = await openRendition(await pagesAddress(item, version, signal))
  return { rendition, pages: rendition.body.kind === 'pages' ? rendition.body.pages : [] }
}

async function comparePage(both: readonly VersionPages[], n: number, bySight: boolean): Promise<PagePair> {
  const [older = '', newer = ''] = await Promise.all(
    both.map(async ({ pages, rendition }) => {
      const part = pages[n]?.part
      return part === undefined ? '' : rendition.address(part)
    }),
  )
  const [before, after] = both.map(({ pages }) => JSON.stringify({ ...pages[n], part: 0 }))
  const isSame = before === after && (!bySight || (await areEqual(older, newer)))
  return { urls: [older, newer], differs: !isSame }
}

/** Whether two pictures are the same. The server draws equal pages to equal bytes. */
async function areEqual(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map(async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer())),
  )
  return a !== undefined && b !== undefined && a.length === b.length && a.every((value, at) => value === b[at])
}
