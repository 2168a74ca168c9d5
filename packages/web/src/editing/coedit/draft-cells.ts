/*
 * Rebases the draft cells of a co-edited workbook. Rows may have been inserted or deleted since the draft: the cells
 * are written to their current positions, or not at all if these are unknown (docs/adr/0177).
 */
import type { CoeditCell } from '@cloudoc/office/workbook'
import { rebasedCells, type SheetRebase } from '@cloudoc/office/workbook'
import type { Draft } from '../../core/storage/drafts.ts'
import type { JoinedSession } from './coedit-session.ts'

type CellDraft = Pick<Draft, 'version' | 'text' | 'generation'>

/** The structure operations since a draft was stored; undefined if they are no longer known. */
function rebasesSince(
  { generation, version }: CellDraft,
  now: Pick<JoinedSession, 'generation' | 'version' | 'turns'>,
) {
  // Each structure operation produces a new version.
  if (generation === now.generation || version === now.version) return []
  const from = now.turns.findIndex((turn) => turn.from === generation)
  return from < 0 ? undefined : now.turns.slice(from).map(({ turn }) => JSON.parse(turn) as SheetRebase)
}

/** The draft cells at their current positions, and those that were deleted; undefined if none can be written. */
export function rebasedDraftCells(
  kept: CellDraft,
  now: Pick<JoinedSession, 'generation' | 'version' | 'turns'>,
): ReturnType<typeof rebasedCells> | undefined {
  // The draft of a single-user edit may contain structure operations: its cell addresses differ.
  if (kept.text.startsWith('{')) return undefined
  const turns = rebasesSince(kept, now)
  if (turns === undefined) return undefined
  const { cells, gone } = rebasedCells(turns, kept.text === '' ? [] : (JSON.parse(kept.text) as CoeditCell[]))
  return cells.length === 0 && gone.length > 0 ? undefined : { cells, gone }
}
