// The preview URLs. Renditions of the adjacent files are prepared while the user looks at the current file. Their URLs
// are not requested in advance, because a request is recorded as a view.

import type { Answer, calls } from '@cloudoc/contract'
import { api, type OnServer, streamUrl } from '../../core/call/api.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { keyOf } from '../../items/item/item.ts'
import type { DecodedEntry } from './archive-access.ts'
import { errorFromResponse } from './rendition.ts'

export type PreviewAddress = Answer<typeof calls.getDocumentPreviewURL>

/** Shorter than the validity of a URL. */
const goodMs = 3 * 60_000
const asked = new Map<string, { readonly at: number; readonly answer: Promise<PreviewAddress> }>()

interface Wanted extends OnServer {
  readonly fId: number
  readonly version?: number | undefined
  /** The review in which it is looked at: shown under the watermark of the applicant. */
  readonly reviewId?: number | undefined
}

const addressKey = ({ version = 0, reviewId = 0, ...file }: Wanted): string =>
  `${keyOf({ ...file, fType: 1 })} ${version || ''} ${reviewId || ''}`

/** Returns the preview URL of a file or of one of its versions. */
export function previewAddress(file: Wanted): Promise<PreviewAddress> {
  const { fId: fileId, version, reviewId } = file
  const key = addressKey(file)
  const before = asked.get(key)
  if (before !== undefined && performance.now() - before.at < goodMs) return before.answer
  const answer =
    version === undefined
      ? api.of(file).getDocumentPreviewURL({ fileId }, { quiet: true })
      : api
          .of(file)
          .getDocumentPreviewURLVersion(
            { fileId, version, ...(reviewId !== undefined && { reviewId }) },
            { quiet: true },
          )
  asked.set(key, { at: performance.now(), answer })
  answer.catch(() => asked.delete(key))
  return answer
}

const prepared = new Set<string>()

/** Has the server prepare the renditions of the adjacent files. */
export function prepareNeighbours(files: readonly Wanted[]): void {
  const fresh = files.filter((file) => file.version === undefined && !prepared.has(addressKey(file)))
  for (const file of fresh) prepared.add(addressKey(file))
  for (const [serverId, group] of groupBy(fresh, (file) => file.serverId)) {
    const fileIdArray = group.map(({ fId }) => fId)
    api
      .of({ serverId })
      .prepareDocuments({ fileIdArray }, { quiet: true })
      .catch(() => {
        for (const file of group) prepared.delete(addressKey(file))
      })
  }
}

/** Drops a cached URL. */
export function forgetAddress(file: Wanted): void {
  asked.delete(addressKey(file))
}

/**
 * Returns the preview of a file in an archive as an object URL: it is created once, and read while the user scrolls.
 */
export async function archiveEntryUrl(
  file: Wanted,
  archive: PreviewAddress,
  { path, names }: DecodedEntry,
): Promise<string> {
  const { fId: fileId, version } = file
  const ticket = new URL(archive.url, window.location.origin).searchParams.get('access_token') ?? ''
  const input = { fileId, path, ...(version !== undefined && { version }), ...(names !== undefined && { names }) }
  const response = await fetch(streamUrl('archiveEntryServlet', input, file, ticket))
  if (!response.ok) throw await errorFromResponse(response)
  return URL.createObjectURL(await response.blob())
}
