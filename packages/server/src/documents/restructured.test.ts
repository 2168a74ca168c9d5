// Workbooks with structural changes made by the page's engine: LibreOffice opens them and computes the same formula
// results.
import { demoFiles } from '@cloudoc/devkit/demo'
import { openHistory, openWorkbook } from '@cloudoc/office/workbook'
import { expect } from 'vitest'
import { longTest } from '../../test/full.ts'
import { openedByOffice } from '../../test/libreoffice.ts'
import { emptyDocument } from './empty-documents.ts'

type History = ReturnType<typeof openHistory>
type Change = Parameters<History['change']>[0]
type Own = Change extends infer One ? (One extends Change ? Omit<One, 'part'> : never) : never

/** Operations on the first sheet, applied in order. */
const acts: Readonly<Record<string, readonly Own[]>> = {
  'rows in': [{ kind: 'move', move: { axis: 'rows', at: 3, by: 2 } }],
  'rows out': [{ kind: 'move', move: { axis: 'rows', at: 3, by: -2 } }],
  'columns in': [{ kind: 'move', move: { axis: 'columns', at: 1, by: 2 } }],
  'columns out': [{ kind: 'move', move: { axis: 'columns', at: 1, by: -1 } }],
  'cells that are one, in sight, as wide': [
    { kind: 'merge', area: { top: 1, left: 9, bottom: 2, right: 10 } },
    { kind: 'freeze', rows: 2, columns: 1 },
    { kind: 'size', axis: 'columns', from: 0, to: 1, size: 220 },
  ],
  'sorted and filtered': [
    {
      kind: 'sort',
      area: { top: 2, left: 0, bottom: 5, right: 3 },
      rows: [
        [2, 5],
        [3, 4],
        [4, 3],
        [5, 2],
      ],
    },
    {
      kind: 'filter',
      filter: {
        area: { top: 1, left: 0, bottom: 5, right: 3 },
        columns: [
          { column: 2, by: { kind: 'tests', tests: [{ operator: 'greaterThan', value: '100000' }], all: false } },
        ],
      },
      out: [3],
    },
  ],
  sheets: [
    { kind: 'add', name: '汇总 & 更多' },
    { kind: 'rename', name: "甲'1" },
    { kind: 'tint', color: '2F7D32' },
    { kind: 'order', before: undefined },
  ],
}

/** The formulas of a workbook by sheet and address, with the values stored in the file. */
function comeTo(bytes: Uint8Array): Map<string, unknown> {
  const book = openWorkbook(bytes)
  return new Map(
    book.sheets.flatMap(({ name, part }) => {
      const { rows, columns } = book.extent(part)
      return Array.from({ length: rows * columns }, (_, n) => [Math.floor(n / columns), n % columns] as const).flatMap(
        ([row, column]) => {
          if (!book.typed(part, row, column).startsWith('=')) return []
          const content = book.content(part, row, column)
          const value =
            content.kind === 'number' ? Number(content.value.toPrecision(10)) : 'value' in content && content.value
          return [[`${name} ${row} ${column}`, value] as const]
        },
      )
    }),
  )
}

// [R397] LibreOffice opens workbooks whose rows, columns, cells and sheets were changed, and computes the same values
// as the page (test:full).
longTest(
  '[R171] [R397] LibreOffice opens workbooks whose rows, columns, cells and sheets were changed; formulas come to the same',
  async () => {
    const samples = [...demoFiles(emptyDocument)].filter(({ name }) => name.endsWith('.xlsx')).slice(0, 3)
    const made: { readonly what: string; readonly bytes: Uint8Array }[] = []
    for (const sample of samples) {
      for (const [what, all] of Object.entries(acts)) {
        const history = openHistory(new Uint8Array(await sample.bytes()))
        const part = history.now().sheets[0]?.part ?? ''
        // Formulas that refer to this sheet and to another one.
        history.now().type(part, [
          { row: 0, column: 7, text: '=SUM(C3:C6)*2' },
          { row: 1, column: 7, text: '=C4&"-"&COUNTA(A:A)' },
          { row: 2, column: 7, text: '=MAX(C3:C9)-H1/3' },
        ])
        const other = history.now().sheets[1]
        const name = history.now().sheets[0]?.name ?? ''
        if (other !== undefined) history.now().type(other.part, [{ row: 0, column: 8, text: `='${name}'!H1+1` }])
        for (const act of all) expect([what, history.change({ ...act, part } as Change)]).toEqual([what, undefined])
        made.push({ what: `${sample.name}: ${what}`, bytes: history.bytes() })
      }
      const history = openHistory(new Uint8Array(await sample.bytes()))
      const [first, second] = history.now().sheets
      history.now().type(second?.part ?? '', [{ row: 0, column: 8, text: `=SUM('${first?.name}'!C3:C6)+1` }])
      expect(history.change({ kind: 'remove', part: first?.part ?? '' })).toBeUndefined()
      made.push({ what: `${sample.name}: a sheet out`, bytes: history.bytes() })
    }
    const opened = await openedByOffice(
      made.map(({ bytes }) => ({ ext: 'xlsx', bytes })),
      'xlsx',
    )
    for (const [n, { what, bytes }] of made.entries()) {
      const [ours, theirs] = [comeTo(bytes), comeTo(opened[n] ?? Buffer.of())]
      expect([what, ours.size > 0]).toEqual([what, true])
      expect([what, Object.fromEntries(theirs)]).toEqual([what, Object.fromEntries(ours)])
      const names = (of: Uint8Array): string[] => openWorkbook(of).sheets.map(({ name }) => name)
      expect([what, names(opened[n] ?? Buffer.of())]).toEqual([what, names(bytes)])
    }
  },
)
