// The addresses of what is previewed, also of the neighbours: they are asked for while one still looks at the file between.
import type { Answer, calls } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'

export type PreviewAddress = Answer<typeof calls.getDocumentPreviewURL>

/** Less than an address is good for. */
const goodMs = 3 * 60_000
const asked = new Map<string, { readonly at: number; readonly answer: Promise<PreviewAddress> }>()

interface Wanted {
  readonly fId: number
  readonly version?: number | undefined
}

/** The address of a file, or of a version of it. */
export function addressOf({ fId: fileId, version }: Wanted): Promise<PreviewAddress> {
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

/** Asks for it again the next time. */
export function forgetAddress({ fId, version }: Wanted): void {
  asked.delete(`${fId} ${version ?? ''}`)
}
