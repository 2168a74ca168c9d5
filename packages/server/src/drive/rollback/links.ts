// The external links of items in a return: their feature contributes how they are compared and put back.
import type { Db, Tx } from '../../core/db/database.ts'
import type { NewEvent } from '../../core/events.ts'
import { extensionPoint } from '../../core/extension-points.ts'
import type { LinkPast } from './history.ts'

/** What a link is, as far as a return changes it. */
export type LinkState = Readonly<Record<string, unknown>>

/** What happens to one link. */
export interface LinkStep {
  readonly linkId: number
  readonly itemId: number
  readonly fType: 1 | 2
  readonly itemName: string
  readonly before: LinkState
  readonly after: LinkState
  /** It stays as it is: an approval decides about it. */
  readonly skipped: '' | 'protected' | 'changedSince'
}

export interface LinkPart {
  /** Compares links with what they were. Links that are as they were are left out. */
  plan(db: Db, past: readonly LinkPast[], now: number): Promise<LinkStep[]>
  /** The steps that undo others. What was changed since is skipped. */
  undo(db: Db, done: readonly LinkStep[]): Promise<LinkStep[]>
  /** Changes the links. Returns the events. */
  apply(tx: Tx, steps: readonly LinkStep[], by: { readonly name: string; readonly now: number }): Promise<NewEvent[]>
}
export const linkParts = extensionPoint<LinkPart>('rollbackLinks')
