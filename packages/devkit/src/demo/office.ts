import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import type { Writing } from './writing.ts'

/** Returns the product's empty document of a type, on which demo documents are based. */
export type EmptyDocument = (extName: string) => Uint8Array | undefined

/** fflate writes local calendar fields, so a local date gives the same bytes in every time zone. */
export const zipDate = new Date(2026, 5, 30)

export function escapeXml(text: string | number): string {
  return String(text).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** Renders the document as a Word file: headings, paragraphs, a table. */
export function docx(writing: Writing, empty: EmptyDocument): Uint8Array {
  const paragraph = (style: string, text: string) =>
    `<w:p><w:pPr>${style}</w:pPr><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`
  const styled = (style: string, text: string) => paragraph(`<w:pStyle w:val="${style}"/>`, text)
  const indented = '<w:spacing w:line="360" w:lineRule="auto"/><w:ind w:firstLineChars="200" w:firstLine="420"/>'
  const cells = (row: (string | number)[]) =>
    `<w:tr>${row.map((cell) => `<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>${paragraph('', String(cell))}</w:tc>`).join('')}</w:tr>`
  const body = [
    styled('Title', writing.title),
    paragraph('<w:jc w:val="center"/>', `${writing.author}　${writing.date}`),
    ...writing.sections.flatMap(({ heading, paragraphs }) => [
      styled('Heading1', heading),
      ...paragraphs.map((text) => paragraph(indented, text)),
    ]),
    styled('Heading1', '附表'),
    `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid>${writing.table.columns.map(() => '<w:gridCol/>').join('')}</w:tblGrid>${cells(writing.table.columns)}${writing.table.rows.map(cells).join('')}</w:tbl>`,
    '<w:p/>',
  ]
  return fill(template('docx', empty), writing, (part) => {
    part('word/document.xml', (xml) => xml.replace('<w:p/>', () => body.join('')))
  })
}

/** Renders the document's table as a workbook: numeric cells, a sum formula, and a second sheet with explanations. */
export function xlsx(writing: Writing, empty: EmptyDocument): Uint8Array {
  const { columns, rows } = writing.table
  const column = (index: number) => String.fromCharCode(65 + index)
  const text = (ref: string, value: string, style: number) =>
    `<c r="${ref}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`
  const cell = (value: string | number, ref: string) =>
    typeof value === 'number' ? `<c r="${ref}" s="2"><v>${value}</v></c>` : text(ref, value, 0)
  const last = rows.length + 2
  const sums = columns.flatMap((name, index) => {
    if (!/元|数量|次数|人数/.test(name)) return []
    const values = rows.map((row) => Number(row[index]))
    const range = `${column(index)}3:${column(index)}${last}`
    return `<c r="${column(index)}${last + 1}" s="2"><f>SUM(${range})</f><v>${values.reduce((a, b) => a + b, 0)}</v></c>`
  })
  const data = [
    `<row r="1" ht="26" customHeight="1">${text('A1', writing.title, 3)}</row>`,
    `<row r="2">${columns.map((name, index) => text(`${column(index)}2`, name, 1)).join('')}</row>`,
    ...rows.map(
      (row, y) => `<row r="${y + 3}">${row.map((value, x) => cell(value, `${column(x)}${y + 3}`)).join('')}</row>`,
    ),
    `<row r="${last + 1}">${sums.join('')}</row>`,
  ]
  const notes = writing.sections
    .flatMap(({ heading, paragraphs }) => [heading, ...paragraphs])
    .map((line, y) => `<row r="${y + 1}">${text(`A${y + 1}`, line, 0)}</row>`)
  const widths = columns.map((_, index) => `<col min="${index + 1}" max="${index + 1}" width="24" customWidth="1"/>`)
  const merge = `<mergeCells count="1"><mergeCell ref="A1:${column(columns.length - 1)}1"/></mergeCells>`
  return fill(template('xlsx', empty), writing, (part) => {
    part('xl/workbook.xml', (xml) =>
      xml.replace(
        /<sheets>.*<\/sheets>/,
        '<sheets><sheet name="明细" sheetId="1" r:id="rId1"/><sheet name="说明" sheetId="2" r:id="rId9"/></sheets>',
      ),
    )
    part('xl/_rels/workbook.xml.rels', (xml) => addRelations(xml, [['rId9', 'worksheet', 'worksheets/sheet2.xml']]))
    part('[Content_Types].xml', (xml) => addParts(xml, ['xl/worksheets/sheet2.xml'], 'spreadsheetml.worksheet+xml'))
    const sheet1 = part('xl/worksheets/sheet1.xml', (xml) =>
      xml
        .replace(/<dimension[^>]*\/>/, '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>')
        .replace('orientation="portrait"', 'orientation="landscape" fitToHeight="0"')
        .replace(
          /(<sheetView [^>]*)\/>/,
          '$1><pane ySplit="2" topLeftCell="A3" activePane="bottomLeft" state="frozen"/></sheetView>',
        )
        .replace(
          '<sheetData/>',
          () => `<cols>${widths.join('')}</cols><sheetData>${data.join('')}</sheetData>${merge}`,
        ),
    )
    part('xl/worksheets/sheet2.xml', () =>
      sheet1
        .replace(/<sheetViews>.*<\/sheetViews>/, '<sheetViews><sheetView workbookViewId="0"/></sheetViews>')
        .replace(/<cols>.*<\/mergeCells>/, () => `<sheetData>${notes.join('')}</sheetData>`),
    )
    part('xl/styles.xml', (xml) =>
      xml
        .replace(/<fonts count="1">(<font>)(.*?)<\/fonts>/, '<fonts count="3">$1$2$1<b/>$2$1<b/>$2</fonts>')
        .replace(/(<font><b\/>)<sz val="11"\/>(.*?<\/font><\/fonts>)/, '$1<sz val="11"/>$2')
        .replace('<fills count="2">', '<fills count="3">')
        .replace(
          '</fills>',
          '<fill><patternFill patternType="solid"><fgColor rgb="FFDDEBF7"/><bgColor indexed="64"/></patternFill></fill></fills>',
        )
        .replace(
          /<cellXfs.*<\/cellXfs>/,
          '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/><xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="center" vertical="center"/></xf></cellXfs>',
        ),
    )
  })
}

/** Renders the document as slides: a title slide, one slide per section, one for the table. */
export function pptx(writing: Writing, empty: EmptyDocument): Uint8Array {
  const slides = [
    { heading: writing.title, paragraphs: [`${writing.author}　${writing.date}`] },
    ...writing.sections,
    {
      heading: writing.table.columns.join(' / '),
      paragraphs: writing.table.rows.slice(0, 6).map((row) => row.join('，')),
    },
  ]
  const paragraphs = (texts: string[]) =>
    texts.map((text) => `<a:p><a:r><a:rPr lang="zh-CN"/><a:t>${escapeXml(text)}</a:t></a:r></a:p>`).join('')
  return fill(template('pptx', empty), writing, (part) => {
    const put = (xml: string, slide: (typeof slides)[number]) => {
      const texts = [[slide.heading], slide.paragraphs]
      return xml.replace(/<a:p>.*?<\/a:p>/g, () => paragraphs(texts.shift() ?? []))
    }
    const numbers = slides.map((_, index) => index + 1)
    const added = numbers.slice(1)
    const first = part('ppt/slides/slide1.xml', (xml) => xml)
    const relations = part('ppt/slides/_rels/slide1.xml.rels', (xml) => xml)
    for (const [index, slide] of slides.entries()) {
      const content =
        index === 0 ? first : first.replace('type="ctrTitle"', 'type="title"').replace('type="subTitle" ', '')
      part(`ppt/slides/slide${index + 1}.xml`, () => put(content, slide))
      const layout = index === 0 ? relations : relations.replace('slideLayout1', 'slideLayout2')
      part(`ppt/slides/_rels/slide${index + 1}.xml.rels`, () => layout)
    }
    part('[Content_Types].xml', (xml) =>
      addParts(
        xml,
        added.map((n) => `ppt/slides/slide${n}.xml`),
        'presentationml.slide+xml',
      ),
    )
    part('ppt/_rels/presentation.xml.rels', (xml) =>
      addRelations(
        xml,
        added.map((n) => [`rId${100 + n}`, 'slide', `slides/slide${n}.xml`]),
      ),
    )
    part('ppt/presentation.xml', (xml) =>
      xml.replace(
        '</p:sldIdLst>',
        `${added.map((n) => `<p:sldId id="${255 + n}" r:id="rId${100 + n}"/>`).join('')}</p:sldIdLst>`,
      ),
    )
  })
}

const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

function addRelations(xml: string, relations: [id: string, type: string, target: string][]): string {
  const rows = relations.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${relationTypes}/${type}" Target="${target}"/>`,
  )
  return xml.replace('</Relationships>', `${rows.join('')}</Relationships>`)
}

function addParts(xml: string, paths: string[], type: string): string {
  const rows = paths.map(
    (path) => `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.${type}"/>`,
  )
  return xml.replace('</Types>', `${rows.join('')}</Types>`)
}

/** Replaces parts of the product's empty document; the function returned by the callback returns the new content. */
function fill(
  empty: [path: string, xml: string][],
  writing: Writing,
  change: (part: (path: string, edit: (xml: string) => string) => string) => void,
): Uint8Array {
  const parts = new Map(empty)
  const part = (path: string, edit: (xml: string) => string) => {
    const xml = edit(parts.get(path) ?? '')
    parts.set(path, xml)
    return xml
  }
  part('docProps/core.xml', (xml) =>
    xml.replace(
      '<dc:title></dc:title>',
      () => `<dc:title>${escapeXml(writing.title)}</dc:title><dc:creator>${escapeXml(writing.author)}</dc:creator>`,
    ),
  )
  change(part)
  const files: Zippable = {}
  for (const [path, xml] of parts) files[path] = strToU8(xml)
  return zipSync(files, { mtime: zipDate, level: 6 })
}

function template(extName: string, emptyDocument: EmptyDocument): [path: string, xml: string][] {
  const known = templates.get(extName)
  if (known) return known
  const empty = emptyDocument(extName)
  if (!empty) throw new Error(`no empty ${extName}`)
  const parts = Object.entries(unzipSync(empty)).map(([path, bytes]): [string, string] => [path, strFromU8(bytes)])
  templates.set(extName, parts)
  return parts
}
const templates = new Map<string, [path: string, xml: string][]>()
