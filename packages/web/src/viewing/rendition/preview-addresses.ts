// The preview URLs. Renditions of the adjacent files are prepared while the user looks at the current file. Their URLs
// are not requested in advance, because a request is recorded as a view.
import type { Answer, calls } from '@cloudoc/contract'
import { api, streamUrl } from '../../core/call/api.ts'
import type { DecodedEntry } from './archive-access.ts'
import { errorFromResponse } from './rendition.ts'

export type PreviewAddress = Answer<typeof calls.getDocumentPreviewURL>

/** Shorter than the validity of a URL. */
const goodMs = 3 * 60_000
const asked = new Map<string, { readonly at: number; readonly answer: Promise<PreviewAddress> }>()

interface Wanted {
  readonly fId: number
  readonly version?: number | undefined
}

/** Returns the preview URL of a file or of one of its versions. */
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

/** Has the server prepare the renditions of the adjacent files. */
export function prepareNeighbours(files: readonly Wanted[]): void {
  const fileIdArray = files.flatMap(({ fId, version }) => (version === undefined && !prepared.has(fId) ? [fId] : []))
  if (fileIdArray.length === 0) return
  for (const fId of fileIdArray) prepared.add(fId)
  api.prepareDocuments({ fileIdArray }, { quiet: true }).catch(() => {
    for (const fId of fileIdArray) prepared.delete(fId)
  })
}

/** Drops a cached URL. */
export function forgetAddress({ fId, version }: Wanted): void {
  asked.delete(`${fId} ${version ?? ''}`)
}

/**
 * Returns the preview of a file in an archive as an object URL: it is created once, and read while the user scrolls.
 */
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
