// Drawings are located on their sheet; the data of a chart is read from the cells that it references.
import { strFromU8, strToU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import { firstSheetPart, relations, workbookFixture } from '../../test/workbook-fixture.ts'
import { openWorkbook, type Workbook } from './workbook.ts'
import { openHistory } from './workbook-history.ts'

const corner = (name: string, row: number, column: number) =>
  `<x:${name}><x:col>${column}</x:col><x:colOff>19050</x:colOff><x:row>${row}</x:row><x:rowOff>0</x:rowOff></x:${name}>`
const chart = `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>收入</a:t></a:r><a:r><a:t>对比</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:barDir val="col"/><c:grouping val="stacked"/><c:ser><c:tx><c:v>一季度</c:v></c:tx><c:spPr><a:solidFill><a:srgbClr val="C00000"/></a:solidFill></c:spPr><c:cat><c:strRef><c:f>别处!$A$1:$A$2</c:f><c:strCache><c:pt idx="1"><c:v>华南</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>汇总!$A$2:$A$4</c:f><c:numCache><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
const workbookWith = (drawing: string, of = chart): Uint8Array =>
  workbookFixture({
    'xl/worksheets/_rels/sheet1.xml.rels': strToU8(relations(['rId1', 'drawing', '../drawings/drawing1.xml'])),
    'xl/drawings/drawing1.xml': strToU8(drawing),
    'xl/drawings/_rels/drawing1.xml.rels': strToU8(
      relations(
        ['rId1', 'chart', '../charts/chart1.xml'],
        ['rId2', 'image', '../media/image1.png'],
        ['rId3', 'image', '../media/image2.emf'],
      ),
    ),
    'xl/charts/chart1.xml': strToU8(of),
    'xl/media/image2.emf': Uint8Array.of(4),
  })
const picture = (id: string) => `<x:pic><x:blipFill><a:blip r:embed="${id}"/></x:blipFill></x:pic>`
const frame =
  '<x:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId1"/></a:graphicData></a:graphic></x:graphicFrame>'

// [R171] Pictures and charts of a sheet are shown in place, charts with the current cells; in the file they stay
// unchanged.
it('[R171] pictures and charts are found where they lie; what is of another kind has its place as well', () => {
  const bytes = workbookWith(
    `<x:wsDr xmlns:x="x" xmlns:a="a" xmlns:c="c" xmlns:r="r"><x:twoCellAnchor>${corner('from', 1, 2)}${corner('to', 9, 5)}${frame}</x:twoCellAnchor><x:oneCellAnchor>${corner('from', 3, 0)}<x:ext cx="952500" cy="476250"/>${picture('rId2')}</x:oneCellAnchor><x:oneCellAnchor>${corner('from', 4, 0)}<x:ext cx="9525" cy="9525"/>${picture('rId3')}</x:oneCellAnchor><x:absoluteAnchor><x:pos x="0" y="0"/></x:absoluteAnchor></x:wsDr>`,
  )
  const book = openWorkbook(bytes)
  const [drawn, image, other, ...more] = book.drawings(firstSheetPart)
  expect(more).toEqual([])
  expect(drawn).toMatchObject({
    from: { row: 1, column: 2, down: 0, across: 2 },
    to: { row: 9, column: 5 },
    shows: { kind: 'chart', title: '收入对比', model: { stacked: 'sum', series: [{ kind: 'column' }] } },
  })
  expect(image).toMatchObject({ width: 100, height: 50, shows: { kind: 'picture', type: 'image/png' } })
  expect(other?.shows).toEqual({ kind: 'other' })
  const shows = drawn?.shows
  const model = shows?.kind === 'chart' ? shows.model : undefined
  if (model === undefined) throw new Error('no chart')
  // If the referenced sheet does not exist: the values cached in the file.
  expect(book.currentChart(model)).toMatchObject({
    categories: ['', '华南'],
    series: [{ name: '一季度', color: '#c00000', values: [2, 3, 4] }],
  })
  book.type(firstSheetPart, [{ row: 1, column: 0, text: '7' }])
  expect(book.currentChart(model).series[0]?.values).toEqual([7, 3, 4])
  expect(unzipSync(book.bytes())['xl/charts/chart1.xml']).toEqual(unzipSync(bytes)['xl/charts/chart1.xml'])
})

it('[R171] a drawing that cannot be read is not shown, and hinders nothing', () => {
  expect(openWorkbook(workbookWith('<x:wsDr><broken')).drawings(firstSheetPart)).toEqual([])
  expect(openWorkbook(workbookFixture()).drawings('xl/worksheets/none.xml')).toEqual([])
})

// [R171] The title of a chart is edited in the page, changing only its part; undo and drafts include it.
it('[R171] the words over a chart are changed in its part alone, in their looks; undone, kept by a draft; where there were none they are put in', () => {
  const lies = `<x:wsDr xmlns:x="x" xmlns:a="a" xmlns:c="c" xmlns:r="r"><x:oneCellAnchor>${corner('from', 1, 2)}<x:ext cx="9525" cy="9525"/>${frame}</x:oneCellAnchor></x:wsDr>`
  const bytes = workbookWith(lies)
  const change = { kind: 'title', part: firstSheetPart, chart: 'xl/charts/chart1.xml', title: '收入 & 成本' } as const
  const titleOf = (book: Workbook): string => {
    const shows = book.drawings(firstSheetPart)[0]?.shows
    return shows?.kind === 'chart' ? shows.title : ''
  }
  const history = openHistory(bytes)
  expect(history.change(change)).toBeUndefined()
  expect(titleOf(history.now())).toBe('收入 & 成本')
  const [before, after] = [unzipSync(bytes), unzipSync(history.bytes())]
  expect(
    Object.keys(after).filter((name) => !Buffer.from(after[name] ?? []).equals(before[name] ?? Buffer.of())),
  ).toEqual([change.chart])
  expect(strFromU8(after[change.chart] ?? Buffer.of())).toBe(
    chart.replace('收入</a:t>', '收入 &amp; 成本</a:t>').replace('对比</a:t>', '</a:t>'),
  )
  const other = openHistory(bytes)
  other.restore(history.draft())
  expect(titleOf(other.now())).toBe('收入 & 成本')
  history.undo()
  expect(titleOf(history.now())).toBe('收入对比')
  // A chart without a title, with an empty title, and a chart that is not on the sheet.
  for (const made of ['', '<c:title/>', '<c:title><c:overlay val="0"/></c:title><c:autoTitleDeleted val="1"/>']) {
    const bare = chart.replace(/<c:title>.*<\/c:title>/, made)
    const book = openHistory(workbookWith(lies, bare))
    book.change(change)
    expect(titleOf(book.now())).toBe('收入 & 成本')
  }
  expect(history.change({ ...change, chart: 'xl/worksheets/sheet2.xml' })).toBe('other')
})
