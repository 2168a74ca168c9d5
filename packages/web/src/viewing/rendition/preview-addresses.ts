// The addresses of what is previewed. What shows the neighbours is made while one still looks at the file between; their
// addresses are not asked for, as that is told as a look at them.
import type { Answer, calls } from '@cloudoc/contract'
import { api, streamUrl } from '../../core/call/api.ts'
import type { DecodedEntry } from './archive-access.ts'
import { errorFromResponse } from './rendition.ts'

export type PreviewAddress = Answer<typeof calls.getDocumentPreviewURL>

/** Less than an address is good for. */
const goodMs = 3 * 60_000
const asked = new Map<string, { readonly at: number; readonly answer: Promise<PreviewAddress> }>()

interface Wanted {
  readonly fId: number
  readonly version?: number | undefined
}

/** The address of a file, or of a version of it. */
export function previewAddress({ fId: fileId, version }: Wanted): Promise<PreviewAddress> {
  const key = `${fileId} ${version ?? ''}`
  const before = asked.get(key)
  if (before !== undefined && performance.now() - before.at < goodMs) return before.answer
  const answer =
    version === undefined
      ? api.getDocumentPreviewURL({ fileId }, { quiet: true })
      : api.getDocumentPreviewURLVersion({ fileId, version }, { quiet: true })
  asked.set(key, { at: performance.now(), answer })
  answer.catch(() => asked.delete(key))
  return answer
}

const prepared = new Set<number>()

/** Has made what shows the neighbours of a file. */
export function prepareNeighbours(files: readonly Wanted[]): void {
  const fileIdArray = files.flatMap(({ fId, version }) => (version === undefined && !prepared.has(fId) ? [fId] : []))
  if (fileIdArray.length === 0) return
  for (const fId of fileIdArray) prepared.add(fId)
  api.prepareDocuments({ fileIdArray }, { quiet: true }).catch(() => {
    for (const fId of fileIdArray) prepared.delete(fId)
  })
}

/** Asks for it again the next time. */
export function forgetAddress({ fId, version }: Wanted): void {
  asked.delete(`${fId} ${version ?? ''}`)
}

/** What is shown of one file of an archive, as an address in this page: it is made once, and read as it is scrolled. */
export async function archiveEntryUrl(
  { fId: fileId, version }: Wanted,
  archive: PreviewAddress,
  { path, names }: DecodedEntry,
): Promise<string> {
  const ticket = new URL(archive.url, window.location.origin).searchParams.get('access_token') ?? ''
  const input = { fileId, path, ...(version !== undefined && { version }), ...(names !== undefined && { names }) }
  const response = await fetch(streamUrl('archiveEntryServlet', input, ticket))
  if (!response.ok) throw await errorFromResponse(response)
  return URL.createObjectURL(await response.blob())
}
