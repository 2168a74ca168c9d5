import { expect, test } from 'vitest'
import { flowOf, linesOf, numbered, pageSection, paragraph, run } from '../../test/flow-package.ts'

const levelOf = (n: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${n}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const abstractOf = (id: number, levels: string): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`
const listOf = (id: number, abstract: number, more = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${abstract}"/>${more}</w:num>`

// [R163] Lists of a Word document are numbered as Word numbers them: anew where a list restarts, in Chinese numerals.
test('[R163] lists begin anew where they say so, and levels are numbered in their formats', () => {
  const restart = (start: number): string =>
    `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="${start}"/></w:lvlOverride>`
  const plain =
    abstractOf(0, levelOf(0, 'decimal', '%1.')) + listOf(1, 0) + listOf(2, 0, restart(1)) + listOf(3, 0, restart(5))
  const items = [1, 1, 2, 2, 3, 1].map((id) => paragraph('项', numbered(id)))
  expect(linesOf(flowOf(items.join(''), { numbering: plain }).blocks)).toEqual([
    '[1.] 项',
    '[2.] 项',
    '[1.] 项',
    '[2.] 项',
    '[5.] 项',
    '[6.] 项',
  ])
  const legal =
    abstractOf(0, levelOf(0, 'chineseCountingThousand', '第%1章') + levelOf(1, 'decimal', '%1.%2', '<w:isLgl/>')) +
    listOf(1, 0)
  const chapters = [0, 1, 1, 0, 1].map((level) => paragraph('节', numbered(1, level))).join('')
  expect(linesOf(flowOf(chapters, { numbering: legal }).blocks)).toEqual([
    '[第一章] 节',
    '[1.1] 节',
    '[1.2] 节',
    '[第二章] 节',
    '[2.1] 节',
  ])
  const skipped =
    abstractOf(0, levelOf(0, 'decimal', '%1.') + levelOf(1, 'bullet', '—') + levelOf(2, 'decimal', '%1.%2%3.')) +
    listOf(1, 0)
  expect(
    linesOf(flowOf([0, 1, 2].map((n) => paragraph('A', numbered(1, n))).join(''), { numbering: skipped }).blocks),
  ).toEqual(['[1.] A', '[—] A', '[1.1.] A'])
})

test('numbers of lists are written in the formats of Chinese documents', () => {
  const written = (format: string, start: number): string => {
    const level = levelOf(0, format, '%1').replace('w:start w:val="1"', `w:start w:val="${start}"`)
    const { blocks } = flowOf(paragraph('', numbered(1)), { numbering: abstractOf(0, level) + listOf(1, 0) })
    return linesOf(blocks)[0]?.replace(/[[\] ]/g, '') ?? ''
  }
  expect(
    (
      [
        ['chineseLegalSimplified', 1],
        ['chineseLegalSimplified', 205],
        ['ideographTraditional', 2],
        ['decimalFullWidth', 13],
        ['decimalEnclosedParen', 3],
        ['decimalEnclosedCircle', 20],
        ['chineseCountingThousand', 110],
        ['chineseCounting', 12],
        ['ideographDigital', 10],
      ] as const
    ).map(([format, start]) => written(format, start)),
  ).toEqual(['壹', '贰佰零伍', '乙', '１３', '⑶', '⑳', '一百一十', '十二', '一〇'])
})

// [R163] Properties that are switched off in a Word document are off: hidden text, page breaks.
test('[R163] the value of a property counts, not its presence', () => {
  const styles = '<w:style w:type="character" w:styleId="H"><w:rPr><w:vanish/></w:rPr></w:style>'
  const styled = '<w:rStyle w:val="H"/>'
  const words = [
    paragraph('看得见', '', '<w:vanish w:val="0"/>'),
    paragraph('看不见', '', '<w:vanish/>'),
    paragraph('样式隐藏', '', styled),
    paragraph('样式内取消', '', `${styled}<w:vanish w:val="false"/>`),
    paragraph('不分页', '<w:pageBreakBefore w:val="0"/>'),
    paragraph('分页', '<w:pageBreakBefore/>'),
  ]
  expect(linesOf(flowOf(words.join(''), { styles }).blocks).filter((one) => one !== '')).toEqual([
    '看得见',
    '样式内取消',
    '不分页',
    '(pageBreak)',
    '分页',
  ])
})

// [R163] Text within elements that the reader does not know is shown: phonetic guides, content controls, directions.
test('[R163] wrappers are walked through, and symbols are told apart', () => {
  const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('chóng')}</w:rt><w:rubyBase>${run('重')}</w:rubyBase></w:ruby></w:r>`
  const guided = flowOf(`<w:p>${run('请')}${ruby}${run('审批')}</w:p>`).blocks
  expect(linesOf(guided)).toEqual(['请重审批'])
  expect(guided[0]).toMatchObject({ runs: [{}, { ruby: 'chóng' }, {}] })
  const wrapped = `<w:bdo>${run('编号A-12')}</w:bdo><w:dir>${run('שלום')}</w:dir><w:unknown>${run('新')}</w:unknown>`
  expect(linesOf(flowOf(`<w:p>${run('前')}${wrapped}${run('后')}</w:p>`).blocks)).toEqual(['前编号A-12שלום新后'])
  const row = (text: string): string => `<w:tr><w:tc>${paragraph(text)}</w:tc></w:tr>`
  const controlled = `<w:tbl>${row('品名')}<w:sdt><w:sdtPr/><w:sdtContent>${row('螺丝')}</w:sdtContent></w:sdt></w:tbl>`
  expect(linesOf(flowOf(controlled).blocks)).toEqual(['品名', '螺丝'])
  const symbol = (font: string, code: string): string => `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`
  const boxes =
    symbol('Wingdings', 'F0FE') + symbol('Wingdings', 'F0A8') + symbol('Wingdings 2', 'F052') + symbol('Symbol', 'F061')
  expect(linesOf(flowOf(`<w:p>${boxes}</w:p>`).blocks)).toEqual(['☑☐☑α'])
})

// [R163] Footnotes of a Word document are shown with their marks.
test('[R163] footnotes stand behind the text, tables of text boxes and what cannot be drawn in their places', () => {
  const note = `<w:footnote w:id="2"><w:p>${run('见附件三')}</w:p></w:footnote>`
  const noted = flowOf(`<w:p>${run('正文')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`, { footnotes: note })
  expect(linesOf(noted.blocks)).toEqual(['正文1', '(rule)', '1 见附件三'])
  const box = (inner: string): string => `<w:txbxContent>${inner}</w:txbxContent>`
  const inner = `${paragraph('框内')}<w:tbl><w:tr><w:tc>${paragraph('表格')}</w:tc></w:tr></w:tbl>`
  const both = `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>${box(inner)}</w:drawing></mc:Choice><mc:Fallback><w:pict>${box(inner)}</w:pict></mc:Fallback></mc:AlternateContent>`
  expect(linesOf(flowOf(`<w:p>${run('前')}<w:r>${both}</w:r></w:p>`).blocks)).toEqual(['前', '框内⏎表格'])
  const formula =
    '<w:object><v:shape style="width:30pt;height:15pt"><v:imagedata r:id="metafile"/></v:shape></w:object>'
  expect(flowOf(`<w:p><w:r>${formula}</w:r></w:p>`, { metafile: '' }).blocks).toEqual([
    { is: 'text', runs: [{ missing: { what: 'image', name: '', width: 40, height: 20 } }] },
  ])
})

// [R163] Each section of a Word document has its own paper, header, footer and page numbers.
test('[R163] sections have their own pages, headers and footers, and fields say the page', () => {
  const edge = (kind: 'header' | 'footer', id: string, type = 'default'): string =>
    `<w:${kind}Reference w:type="${type}" r:id="${id}"/>`
  const character = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const field = `${character('begin')}<w:r><w:instrText> PAGE </w:instrText></w:r>${character('separate')}${run('7')}${character('end')}`
  const parts = {
    header1: paragraph('甲公司合同'),
    header2: paragraph('附件一'),
    header3: paragraph('封面'),
    footer1: `<w:p>${run('第')}${field}${run('页')}</w:p>`,
  }
  const first = `<w:p><w:pPr>${pageSection(11_906, 16_838, edge('header', 'header1') + edge('footer', 'footer1'))}</w:pPr></w:p>`
  const last = pageSection(
    16_838,
    11_906,
    `${edge('header', 'header2')}${edge('header', 'header3', 'first')}<w:titlePg/>`,
  )
  const { sections = [], page } = flowOf(paragraph('正文') + first + paragraph('附表') + last, parts)
  expect(page?.height).toBeGreaterThan(page?.width ?? 0)
  expect(
    sections.map(({ from, usual, first: own }) => [
      from,
      linesOf(usual.header),
      linesOf(usual.footer),
      own && linesOf(own.header),
    ]),
  ).toEqual([
    [0, ['甲公司合同'], ['第{page}页'], undefined],
    [3, ['附件一'], ['第{page}页'], ['封面']],
  ])
  expect(sections[1]?.page.width).toBeGreaterThan(sections[1]?.page.height ?? 0)
})

// [R163] Tracked changes of a Word document are shown as accepted.
test('[R163] what was deleted or moved away is gone, also marks of paragraphs and rows of tables', () => {
  const gone = '<w:rPr><w:del w:id="1"/></w:rPr>'
  const moved = `<w:moveFrom>${run('搬走')}</w:moveFrom><w:moveTo>${run('搬来')}</w:moveTo>`
  const row = (text: string, more = ''): string => `<w:tr>${more}<w:tc>${paragraph(text)}</w:tc></w:tr>`
  const table = `<w:tbl>${row('留下')}${row('删去', '<w:trPr><w:del w:id="2"/></w:trPr>')}</w:tbl>`
  const body =
    paragraph('上半句', gone) +
    paragraph('下半句') +
    `<w:p>${moved}<w:del><w:r><w:delText>旧</w:delText></w:r></w:del></w:p>` +
    table
  expect(linesOf(flowOf(body).blocks)).toEqual(['上半句下半句', '搬来', '留下'])
})

test('capitals, right-to-left paragraphs, tab stops, merged and upright cells keep their look', () => {
  const stops = '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="8310"/></w:tabs>'
  const [capitals, twice, hebrew, contents] = flowOf(
    paragraph('no.', '', '<w:caps/>') +
      paragraph('双', '', '<w:dstrike/>') +
      paragraph('שלום', '<w:bidi/>') +
      paragraph('章', stops),
  ).blocks
  expect([capitals, twice, hebrew, contents]).toMatchObject([
    { runs: [{ text: 'NO.' }] },
    { runs: [{ strike: true }] },
    { rtl: true },
    { stops: [{ at: 554, align: 'end', leader: 'dots' }] },
  ])
  const cell = (text: string, pr = ''): string => `<w:tc><w:tcPr>${pr}</w:tcPr>${paragraph(text)}</w:tc>`
  const rows = [
    `<w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('第二列')}`,
    cell('横并', '<w:hMerge w:val="restart"/>') + cell('', '<w:hMerge/>'),
    cell('竖排', '<w:textDirection w:val="tbRlV"/>') + cell('乙'),
  ]
  const [table] = flowOf(`<w:tbl>${rows.map((one) => `<w:tr>${one}</w:tr>`).join('')}</w:tbl>`).blocks
  expect(table?.is === 'table' && table.rows).toMatchObject([
    [{ blocks: [] }, {}],
    [{ across: 2 }],
    [{ vertical: 'down' }, {}],
  ])
})

test('a page number without an end, a symbol without a place and many notes lose no words', () => {
  const open =
    '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>PAGE</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>1</w:t></w:r>'
  const symbol = '<w:r><w:sym w:font="Wingdings" w:char="FFFFFFFF"/></w:r>'
  const { blocks } = flowOf(`<w:p>${open}</w:p>${paragraph('后文')}<w:p>${symbol}${run('尾')}</w:p>`)
  expect(linesOf(blocks).slice(1)).toEqual(['后文', '▯尾'])
})
