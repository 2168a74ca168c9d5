// Reads a rendition from the server: its body at once, its parts as they are shown.
import type { PartNumber, Rendition, RenditionHead } from '@cloudoc/contract'
import { codeOf } from '@cloudoc/domain'
import { refusal } from '../../core/call/api.ts'

/** Read with the first request: of most documents that is all. */
const firstBytes = 256 * 1024

export interface OpenRendition {
  readonly body: Rendition
  readonly json: <T>(part: PartNumber) => Promise<T>
  readonly text: (part: PartNumber) => Promise<string>
  /** The address of a picture or document in it, within this page. */
  readonly address: (part: PartNumber) => Promise<string>
  readonly close: () => void
}

/** Opens what the server has made of a file. */
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

async function fetchRange(url: string, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { headers: { range: `bytes=${from}-${to}` } })
  if (!response.ok) throw await refusalIn(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  // What is kept in the page is answered whole by browsers that know no ranges of it.
  return response.status === 206 ? bytes : bytes.slice(from, to + 1)
}

/** What the server says instead of the bytes. */
export async function refusalIn(response: Response): Promise<Error> {
  const said = (await response.json().catch(() => undefined)) as { result?: number } | undefined
  const code = said?.result === undefined ? undefined : codeOf(said.result)
  return code === undefined ? new Error(`it answers ${response.status}`) : refusal('renditionServlet', code)
}

/** A colour of a document, if it is one: what comes from a document says nothing else to a style. */
export function inkOf(color: string | undefined): string | undefined {
  return color !== undefined && /^#[0-9a-f]{6}$/.test(color) ? color : undefined
}
