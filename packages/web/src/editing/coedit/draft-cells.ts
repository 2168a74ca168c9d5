/*
 * Cells that a browser has kept of a workbook that several write in. Rows may have been put in or taken out since: they are
 * written where their cells are now, and nowhere where that is not known (docs/adr/0177).
 */
import type { CoeditCell } from '@cloudoc/office/coedit-cells'
import { rebasedCells, type SheetRebase } from '@cloudoc/office/sheet-rebase'
import type { Draft } from '../../core/storage/drafts.ts'
import type { JoinedSession } from './coedit-session.ts'

type CellDraft = Pick<Draft, 'version' | 'text' | 'generation'>

/** The changes of its build since a draft was kept; undefined where it is not known any more how it came to be this one. */
function rebasesSince(
  { generation, version }: CellDraft,
  now: Pick<JoinedSession, 'generation' | 'version' | 'turns'>,
) {
  // Each change of the build is another version.
  if (generation === now.generation || version === now.version) return []
  const from = now.turns.findIndex((turn) => turn.from === generation)
  return from < 0 ? undefined : now.turns.slice(from).map(({ turn }) => JSON.parse(turn) as SheetRebase)
}

/** What was kept, at the places of now, and what has none any more; undefined where nothing of it can be written there. */
export function rebasedDraftCells(
  kept: CellDraft,
  now: Pick<JoinedSession, 'generation' | 'version' | 'turns'>,
): ReturnType<typeof rebasedCells> | undefined {
  // Whoever wrote alone may have put rows in or taken some out: its cells are at other addresses here.
  if (kept.text.startsWith('{')) return undefined
  const turns = rebasesSince(kept, now)
  if (turns === undefined) return undefined
  const { cells, gone } = rebasedCells(turns, kept.text === '' ? [] : (JSON.parse(kept.text) as CoeditCell[]))
  return cells.length === 0 && gone.length > 0 ? undefined : { cells, gone }
}
