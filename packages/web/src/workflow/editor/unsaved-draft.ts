// What was drawn and not yet saved, kept in the browser: a closed tab or a lost connection loses nothing.
import type { TemplateBody } from '@cloudoc/contract'
import { store, stored } from '../../core/storage/storage.ts'

export interface UnsavedDraft {
  readonly name: string
  readonly note: string
  readonly body: TemplateBody
  /** The version that it was begun with. */
  readonly baseVersion: number
  /** What was published then; null before the first version. */
  readonly base: TemplateBody | null
}

const keyOf = (userId: number, templateId: number): string => `workflow-template:${userId}:${templateId}`

/** What was kept for a template by somebody on this computer. */
export function unsavedDraft(userId: number, templateId: number): UnsavedDraft | undefined {
  const text = stored(keyOf(userId, templateId))
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as UnsavedDraft
  } catch {
    return undefined
  }
}

/** Keeps what is not saved; undefined once it is. */
export function storeUnsaved(userId: number, templateId: number, draft: UnsavedDraft | undefined): void {
  store(keyOf(userId, templateId), draft === undefined ? undefined : JSON.stringify(draft))
}
