/*
 * Compares two edits of one version of a file as text lines: text lines, document paragraphs including headers, footers
 * and notes, sheet rows, slide texts. If both have changed the same lines, overwriting reverts one of the changes.
 */
import { extNameOf, readText } from '@cloudoc/domain'
import { diffSteps, type Step } from '../../viewing/compare/diff.ts'
import { officeEditorWindow } from '../shared/editor-formats.ts'

/** The lines of a version and of both edits. */
export interface MergeLines {
  readonly base: readonly string[]
  readonly mine: readonly string[]
  readonly theirs: readonly string[]
}

/** The files of a version and of both edits. */
export interface MergeFiles {
  readonly name: string
  readonly base: Uint8Array
  readonly mine: Uint8Array
  readonly theirs: Uint8Array
}

/** The lines of all three, and their differences. */
export interface MergeComparison {
  readonly both: MergeLines
  readonly differs: Differences
}

/** Reads all three files and counts the differences. */
export async function compareVersions(
  { name, base, mine, theirs }: MergeFiles,
  onStep: (done: number, of: number) => void = () => undefined,
): Promise<MergeComparison> {
  const lines: string[][] = []
  for (const bytes of [base, mine, theirs]) {
    lines.push(await linesOf(name, bytes))
    onStep(lines.length, 4)
  }
  const both = { base: lines[0] ?? [], mine: lines[1] ?? [], theirs: lines[2] ?? [] }
  return { both, differs: differences(both) }
}

/** Extracts the text lines of a file. */
export async function linesOf(name: string, bytes: Uint8Array): Promise<string[]> {
  switch (officeEditorWindow(extNameOf(name).toLowerCase())) {
    case 'cloudoc-edit-doc':
      return linesOfDocument(bytes)
    case 'cloudoc-edit-sheet':
      return linesOfWorkbook(bytes)
    case 'cloudoc-edit-slides':
      return linesOfSlides(bytes)
    default:
      return readText(bytes).text.split(/\r\n|\r|\n/)
  }
}

async function linesOfDocument(bytes: Uint8Array): Promise<string[]> {
  const { openDocument } = await import('./open-document.ts')
  const lines: string[] = []
  openDocument(bytes, '', { asides: true }).doc.descendants((node) => {
    if (!node.isTextblock) return true
    if (node.textContent.trim() !== '') lines.push(node.textContent)
    return false
  })
  return lines
}

async function linesOfWorkbook(bytes: Uint8Array): Promise<string[]> {
  const { openWorkbook } = await import('./open-workbook.ts')
  const book = openWorkbook(bytes)
  return book.sheets.flatMap(({ name, part, hasCells }) => {
    if (!hasCells) return [name]
    const { rows, columns } = book.extent(part)
    const lines = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_cell, column) => book.shown(part, row, column).text)
        .join(' │ ')
        .replace(/[\s│]+$/, ''),
    )
    return [name, ...lines.filter((line) => line !== '')]
  })
}

async function linesOfSlides(bytes: Uint8Array): Promise<string[]> {
  const { openSlides } = await import('./open-slides.ts')
  const deck = openSlides(bytes)
  return deck.places.flatMap(({ id }) =>
    deck
      .words(id)
      .split('\n')
      .filter((line) => line.trim() !== ''),
  )
}

/** The number of lines that each edit has changed, and of overlapping changes. */
export interface Differences {
  readonly mine: number
  readonly theirs: number
  readonly atOnce: number
}

interface Span {
  readonly from: number
  to: number
}

/** The changed ranges of the first list: deleted lines, and insertion points as empty ranges. */
function spansOf(steps: readonly Step[]): Span[] {
  const found: Span[] = []
  for (const { kind, a } of steps) {
    if (kind === 'same') continue
    const last = found.at(-1)
    const to = kind === 'del' ? a + 1 : a
    if (last !== undefined && a <= last.to) last.to = Math.max(last.to, to)
    else found.push({ from: a, to })
  }
  return found
}

/** The number of lines that differ from the base version. */
function linesChanged(steps: readonly Step[]): number {
  const count = (of: Step['kind']): number => steps.filter(({ kind }) => kind === of).length
  return Math.max(count('ins'), count('del'))
}

const meets = (a: Span, b: Span): boolean =>
  a.from === a.to || b.from === b.to ? a.from <= b.to && b.from <= a.to : a.from < b.to && b.from < a.to

/** Counts the differences. */
export function differences({ base, mine, theirs }: MergeLines): Differences {
  const [own, others] = [diffSteps(base, mine), diffSteps(base, theirs)]
  const spans = spansOf(others)
  return {
    mine: linesChanged(own),
    theirs: linesChanged(others),
    atOnce: spansOf(own).filter((one) => spans.some((other) => meets(one, other))).length,
  }
}
