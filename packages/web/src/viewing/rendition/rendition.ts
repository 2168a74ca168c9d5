// Reads a rendition from the server: its body immediately, its parts on demand.
import type { Pages, PartNumber, Rendition, RenditionHead } from '@cloudoc/contract'
import { codeOf } from '@cloudoc/domain'
import { refusal } from '../../core/call/api.ts'

/** The size of the first request; it covers most documents completely. */
const firstBytes = 256 * 1024

export interface OpenRendition {
  readonly body: Rendition
  readonly json: <T>(part: PartNumber) => Promise<T>
  readonly text: (part: PartNumber) => Promise<string>
  /** The object URL of a picture or document in it. */
  readonly address: (part: PartNumber) => Promise<string>
  readonly close: () => void
}

/** Opens the rendition of a file. */
export async function openRendition(url: string): Promise<OpenRendition> {
  const first = await fetchRange(url, 0, firstBytes - 1)
  const headEnd = 4 + new DataView(first.buffer, first.byteOffset).getUint32(0, true)
  const start = headEnd <= first.length ? first : await fetchRange(url, 0, headEnd - 1)
  const { parts } = JSON.parse(new TextDecoder().decode(start.subarray(4, headEnd))) as RenditionHead
  const addresses = new Map<PartNumber, Promise<string>>()

  const bytesOf = async (part: PartNumber): Promise<Uint8Array<ArrayBuffer>> => {
    const place = parts[part]
    if (place === undefined) throw new Error(`no part ${part}`)
    const from = headEnd + place.at
    if (place.size === 0) return new Uint8Array()
    if (from + place.size <= start.length) return start.slice(from, from + place.size)
    return fetchRange(url, from, from + place.size - 1)
  }
  const text = async (part: PartNumber): Promise<string> => {
    const packed = new Blob([await bytesOf(part)]).stream()
    return new Response(packed.pipeThrough(new DecompressionStream('gzip'))).text()
  }
  return {
    body: JSON.parse(await text(0)) as Rendition,
    text,
    json: async <T>(part: PartNumber) => JSON.parse(await text(part)) as T,
    address(part) {
      const known =
        addresses.get(part) ??
        bytesOf(part).then((bytes) => URL.createObjectURL(new Blob([bytes], { type: parts[part]?.type ?? '' })))
      addresses.set(part, known)
      return known
    },
    close() {
      for (const address of addresses.values())
        void address.then((url) => URL.revokeObjectURL(url)).catch(() => undefined)
      addresses.clear()
    },
  }
}

/** The URL of the finished pages from a page number on, while the others are being rendered. */
const pagesUrl = (url: string, from: number): string => `${url}${url.includes('?') ? '&' : '?'}from=${from}`

interface GrowingPages extends Pick<OpenRendition, 'address'> {
  /** Loads the finished pages up to `made`; returns the pages to show. */
  readonly take: (made: number) => Promise<Pages | undefined>
  /** The rendition is complete; pages that are already shown remain. Returns the body to show. */
  readonly end: (whole: OpenRendition) => Rendition
  readonly close: () => void
}

/** The pages of a rendition in progress. The part of a page is its number minus one. */
export function openGrowingPages(url: string): GrowingPages {
  const held: { readonly page: Pages['pages'][number]; readonly from: OpenRendition }[] = []
  const opened: OpenRendition[] = []
  let of = 0
  let whole: { readonly pages: Pages; readonly from: OpenRendition } | undefined

  const shown = (pages: number): Pages => {
    const there = held.map(({ page }, part) => ({ ...page, part }))
    const rest = whole?.pages.pages.slice(held.length).map((page, n) => ({ ...page, part: held.length + n })) ?? []
    const all = { kind: 'pages', pages: [...there, ...rest], of } as const
    if (whole === undefined) return { ...all, some: { first: 1, pages } }
    const { replacedFaces } = whole.pages
    return replacedFaces === undefined ? all : { ...all, replacedFaces }
  }
  return {
    async take(made) {
      let pages: number | undefined
      while (held.length < made) {
        const from = await openRendition(pagesUrl(url, held.length + 1))
        opened.push(from)
        const { body } = from
        if (body.kind !== 'pages' || body.some?.first !== held.length + 1 || body.pages.length === 0) break
        for (const page of body.pages) held.push({ page, from })
        ;({ of } = body)
        ;({ pages } = body.some)
      }
      return pages === undefined ? undefined : shown(pages)
    },
    end(from) {
      opened.push(from)
      if (from.body.kind !== 'pages') return from.body
      whole = { pages: from.body, from }
      ;({ of } = from.body)
      return shown(0)
    },
    address(part) {
      const one = held[part]
      if (one !== undefined) return one.from.address(one.page.part)
      const page = whole?.pages.pages[part]
      if (page === undefined || whole === undefined) return Promise.reject(new Error(`no page ${part + 1}`))
      return whole.from.address(page.part)
    },
    close() {
      for (const one of opened) one.close()
    },
  }
}

async function fetchRange(url: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { headers: { range: `bytes=${from}-${to}` } })
  if (!response.ok) throw await errorFromResponse(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  // Some browsers ignore ranges for object URLs and return the whole content.
  return response.status === 206 ? bytes : bytes.slice(from, to + 1)
}

/** Converts an error response to an error. */
export async function errorFromResponse(response: Response): Promise<Error> {
  const said = (await response.json().catch(() => undefined)) as { result?: number } | undefined
  const code = said?.result === undefined ? undefined : codeOf(said.result)
  return code === undefined ? new Error(`it answers ${response.status}`) : refusal('renditionServlet', code)
}

/** Validates a color from a document, so that nothing else gets into a style. */
export function safeColor(color: string | undefined): string | undefined {
  return color !== undefined && /^#[0-9a-f]{6}$/.test(color) ? color : undefined
}
