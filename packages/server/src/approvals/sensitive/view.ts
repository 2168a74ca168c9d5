/*
 * Shows a reviewer the hits of a content in its text. The text is read when it is looked at; nothing of it is stored
 * with the findings. Numbers are masked, at the same length, so that the offsets of marks stay.
 */
import type { SensitiveHit, SensitivePassage } from '@cloudoc/contract'
import { type Finding, masked, type Place } from './matcher.ts'
import type { StoredHit } from './outcome.ts'
import type { ReadSection } from './texts.ts'

/** Hits that are shown, and passages. */
const mostHits = 300
const mostPassages = 120
/** Characters before and after a hit, and rows of a sheet. */
const around = 160
const rowsAround = 2
const mostColumns = 14

interface PlacedHit extends Place {
  readonly finding: Finding
}

/** A hit with its number, in the order of the content. */
interface NumberedHit extends PlacedHit {
  readonly hit: number
}

/** The columns of a sheet as letters. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}

/** The index of the cell at an offset. */
function cellAt(cells: NonNullable<ReadSection['cells']>, at: number): number {
  let [from, to] = [0, cells.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((cells[middle]?.[2] ?? 0) <= at) from = middle + 1
    else to = middle
  }
  return from - 1
}

const lineAt = (text: string, at: number): number => {
  let line = 1
  for (let n = text.indexOf('\n'); n >= 0 && n < at; n = text.indexOf('\n', n + 1)) line += 1
  return line
}

/** The text with every found value masked. */
function maskedText(text: string, hits: readonly PlacedHit[]): string {
  let [shown, from] = ['', 0]
  for (const { start, end, finding } of hits.toSorted((a, b) => a.start - b.start)) {
    if (finding.part === 'word' || start < from || end > text.length) continue
    shown += text.slice(from, start) + maskedAsLong(text.slice(start, end))
    from = end
  }
  return shown + text.slice(from)
}

/** Masks a value and keeps its length in UTF-16 units. */
function maskedAsLong(value: string): string {
  const shown = masked(value)
  if (shown.length === value.length) return shown
  return `${value.slice(0, 3)}${'*'.repeat(Math.max(0, value.length - 5))}${value.slice(-2)}`.slice(0, value.length)
}

/** What the hits of a check are, and where. */
export interface Shown {
  readonly hits: readonly SensitiveHit[]
  readonly total: number
  readonly passages: readonly SensitivePassage[]
  /** A hit as it is written. */
  readonly original: (hit: number) => string | undefined
}

/** The findings of the rules that fired, in the sections of the content. */
export function showHits(
  name: string,
  sections: readonly ReadSection[],
  findings: readonly Finding[],
  fired: readonly StoredHit[],
): Shown {
  const ruleNames = new Map(fired.map(({ ruleId, ruleName }) => [ruleId, ruleName]))
  const isFired = new Set(fired.map(({ ruleId, part, label }) => `${ruleId} ${part} ${label}`))
  const inBounds = ({ section, end }: Place): boolean => end <= (sections[section]?.text.length ?? -1)
  const placed = findings
    .flatMap((finding): PlacedHit[] => finding.places.map((place) => ({ ...place, finding })))
    .filter(inBounds)
  const asked = placed
    .filter(({ finding: { ruleId, part, label } }) => isFired.has(`${ruleId} ${part} ${label}`))
    .toSorted((a, b) => a.section - b.section || a.start - b.start || b.end - a.end)
  const numbered = asked.slice(0, mostHits).map((one, hit): NumberedHit => ({ ...one, hit }))

  const hits = numbered.map((one): SensitiveHit => {
    const { kind, name: sectionName, path, place, text, cells } = sections[one.section] as ReadSection
    const cell = cells === undefined ? undefined : cells[cellAt(cells, one.start)]
    return {
      hit: one.hit,
      ...{ ruleId: one.finding.ruleId, ruleName: ruleNames.get(one.finding.ruleId) ?? '', part: one.finding.part },
      label: one.finding.label,
      masked: one.finding.part === 'word' ? text.slice(one.start, one.end) : masked(text.slice(one.start, one.end)),
      ...{ kind, name: kind === 'whole' ? '' : sectionName, path, place },
      cell: cell === undefined ? '' : `${columnName(cell[1])}${cell[0] + 1}`,
      line: kind === 'whole' && path === '' && place === '' ? lineAt(text, one.start) : 0,
    }
  })
  const named = fired.filter(({ part }) => part === 'name' || part === 'type' || part === 'uninspected')
  for (const { ruleId, ruleName, part, label } of named)
    hits.push({
      ...{ hit: hits.length, ruleId, ruleName, part, label, masked: part === 'name' ? label : '' },
      ...{ kind: 'name', name: '', path: '', place: '', cell: '', line: 0 },
    })

  const passages: SensitivePassage[] = []
  if (named.some(({ part }) => part === 'name')) passages.push({ ...emptyPassage, kind: 'name', text: name })
  for (const [section, own] of Map.groupBy(numbered, (one) => one.section)) {
    const source = sections[section] as ReadSection
    const text = maskedText(
      source.text,
      placed.filter((one) => one.section === section),
    )
    passages.push(...(source.cells === undefined ? textPassages(source, text, own) : [cellPassage(source, text, own)]))
  }
  return {
    hits,
    total: fired.reduce((sum, { places }) => sum + places, 0),
    passages: passages.slice(0, mostPassages),
    original: (hit) => {
      const one = numbered[hit]
      return one === undefined ? undefined : sections[one.section]?.text.slice(one.start, one.end)
    },
  }
}

const emptyPassage = {
  kind: 'whole' as const,
  name: '',
  path: '',
  place: '' as const,
  line: 0,
  text: '',
  marks: [],
  cells: [],
}

const markOf = ({ hit, start, end, finding }: NumberedHit, offset: number) => ({
  ...{ hit, start: start - offset, end: end - offset, ruleId: finding.ruleId, part: finding.part },
})

/** The parts of a text around its hits; parts that touch are one. */
function textPassages(source: ReadSection, text: string, hits: readonly NumberedHit[]): SensitivePassage[] {
  const ranges: { from: number; to: number; hits: NumberedHit[] }[] = []
  for (const one of hits) {
    const last = ranges.at(-1)
    if (last !== undefined && one.start - around <= last.to) {
      last.to = Math.min(text.length, Math.max(last.to, one.end + around))
      last.hits.push(one)
    } else
      ranges.push({ from: Math.max(0, one.start - around), to: Math.min(text.length, one.end + around), hits: [one] })
  }
  const { kind, name, path, place } = source
  return ranges.map(({ from, to, hits: own }) => ({
    ...emptyPassage,
    ...{ kind, name: kind === 'whole' ? '' : name, path, place },
    line: kind === 'whole' && place === '' ? lineAt(text, from) : 0,
    text: text.slice(from, to),
    marks: own.map((one) => markOf(one, from)),
  }))
}

/** The rows of a sheet around its hits. */
function cellPassage(source: ReadSection, text: string, hits: readonly NumberedHit[]): SensitivePassage {
  const cells = source.cells ?? []
  const rows = new Set<number>()
  const marks = new Map<number, NumberedHit[]>()
  for (const one of hits) {
    const at = cellAt(cells, one.start)
    const row = cells[at]?.[0] ?? 0
    for (let n = row - rowsAround; n <= row + rowsAround; n++) rows.add(n)
    marks.set(at, [...(marks.get(at) ?? []), one])
  }
  // The first row names the columns.
  const [head] = cells
  if (head !== undefined) rows.add(head[0])
  const shown = cells.flatMap(([row, column, start], n) => {
    const own = marks.get(n) ?? []
    if (!rows.has(row) || (column >= mostColumns && own.length === 0)) return []
    const end =
      (cells[n + 1]?.[2] ?? text.length + 1) - (cells[n + 1] !== undefined && cells[n + 1]?.[0] !== row ? 2 : 1)
    return [{ row, column, text: text.slice(start, end), marks: own.map((one) => markOf(one, start)) }]
  })
  return { ...emptyPassage, kind: source.kind, name: source.name, path: source.path, place: source.place, cells: shown }
}
