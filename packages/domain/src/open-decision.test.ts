import { expect, test } from 'vitest'
import { CopyStatus, copyStatus, EditState, type Opened, type Opening, openDecision } from './open-decision.ts'

const flags = [
  'isFolder',
  'onlineEdit',
  'canModify',
  'canDownload',
  'canPreview',
  'isEditable',
  'isShared',
  'hasSandbox',
] as const
const holders = ['nobodyElse', 'other', 'several'] as const

/** All combinations of the input facts. */
function openings(): Opening[] {
  return Array.from({ length: 2 ** flags.length }, (_, bits) =>
    Object.fromEntries(flags.map((flag, i) => [flag, (bits & (1 << i)) !== 0])),
  ).flatMap((some) => holders.map((heldBy) => ({ ...some, lockedBy: heldBy }) as Opening))
}

const usual: Opening = {
  isFolder: false,
  onlineEdit: true,
  canModify: true,
  canDownload: true,
  canPreview: true,
  isEditable: true,
  lockedBy: 'nobodyElse',
  isShared: false,
  hasSandbox: false,
}
const said = (opened: Opened): string =>
  opened.way === 'readOnly' ? `readOnly ${opened.why}` : opened.way === 'choose' ? opened.choices.join(' ') : opened.way

/** The decision table; the first matching row decides. */
const table: readonly [Partial<Opening>, string][] = [
  [{ isFolder: true }, 'enter'],
  [{ onlineEdit: false, canModify: true, canDownload: true }, 'readOnly editOff'],
  [{ onlineEdit: false }, 'askRights'],
  [{ canModify: true, canDownload: true, lockedBy: 'other' }, 'readOnly wait request'],
  [{ canModify: true, canDownload: true, lockedBy: 'several', isShared: true }, 'readOnly join'],
  [{ canModify: true, canDownload: true, lockedBy: 'several' }, 'readOnly notShared'],
  [{ canModify: true, canDownload: true, isEditable: true }, 'edit'],
  [{ canModify: true, canDownload: true }, 'local'],
  [{ canModify: true, hasSandbox: true }, 'sandbox'],
  [{ canModify: true, isShared: true }, 'join'],
  [{ canModify: true }, 'askRights'],
  [{ canDownload: true }, 'readOnly noModify'],
  [{ canPreview: true }, 'preview'],
  [{}, 'askRights'],
]

// [R171] The open decision as a table; a text opens in its editor under the lock, or read-only with the reason. Where
// sandbox_edit is on, Windows computers offer the secure view, because there is no driver (X42).
test('[R171] [R172] opening comes to what the table says, whatever is known of the file', () => {
  const met = new Set<number>()
  for (const opening of openings()) {
    const line = table.findIndex(([want]) =>
      Object.entries(want).every(([key, value]) => opening[key as keyof Opening] === value),
    )
    met.add(line)
    expect([opening, said(openDecision(opening))]).toEqual([opening, table[line]?.[1]])
  }
  expect(met.size).toBe(table.length)
})

// [R172] The branches without the right to change or to download, and with online editing off. The sandbox has no driver
// (X42): editing with others takes its place, else the secure view.
test('[R172] without the right to change it a file that somebody edits is read, and asks nobody', () => {
  expect(said(openDecision({ ...usual, canModify: false, lockedBy: 'other' }))).toBe('readOnly noModify')
})

// [R176] The relation of a local copy to the server's version, as shown by the list of edit records and by the file
// icons.
test('[R175] [R176] a kept copy that was changed is not submitted, else its version tells', () => {
  const version = 3
  expect(copyStatus({ state: EditState.changed, version }, 9)).toBe(CopyStatus.notSubmitted)
  expect(copyStatus({ state: EditState.submitted, version }, 3)).toBe(CopyStatus.cached)
  expect(copyStatus({ state: EditState.opened, version }, 4)).toBe(CopyStatus.newerOnCloud)
  expect(copyStatus({ state: EditState.submitted, version }, 2)).toBe(CopyStatus.newerHere)
})
