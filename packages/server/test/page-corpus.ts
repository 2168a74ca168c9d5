/*
 * Documents by which page engines are compared (e2e/page-comparison.ts): one feature of layout each, generated, and some
 * in the old formats and in OpenDocument. Texts are Chinese where the feature does not need another script.
 */
import { strToU8, zipSync } from 'fflate'
import { packedDocument } from './corpus.ts'

export interface PageSample {
  readonly name: string
  readonly ext: string
  readonly bytes: () => Uint8Array
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const w =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
const types = 'application/vnd.openxmlformats-officedocument.'
const packageOf = (files: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(head + text)])))
const contentTypes = (overrides: readonly (readonly [path: string, type: string])[]): string =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.map(([path, type]) => `<Override PartName="/${path}" ContentType="${types}${type}+xml"/>`).join('')}</Types>`
const relations = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${relation}${type}" Target="${target}"/>`).join('')}</Relationships>`

type DocxPart = 'numbering' | 'styles' | 'footnotes' | 'settings' | 'header1' | 'header2' | 'footer1' | 'chart1'
const rootOf = (part: DocxPart): string =>
  part.startsWith('header')
    ? 'w:hdr'
    : part.startsWith('footer')
      ? 'w:ftr'
      : part === 'chart1'
        ? 'c:chartSpace'
        : `w:${part}`
const typeOf = (part: DocxPart): string =>
  part === 'chart1' ? 'drawingml.chart' : `wordprocessingml.${part.replace(/\d$/, '')}`
const usualSection =
  '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1800" w:bottom="1440" w:left="1800"/></w:sectPr>'

function docx(body: string, parts: Partial<Record<DocxPart, string>> = {}, section = usualSection): Uint8Array {
  const names = Object.keys(parts) as DocxPart[]
  return packageOf({
    '[Content_Types].xml': contentTypes([
      ['word/document.xml', 'wordprocessingml.document.main'],
      ...names.map((part) => [`word/${part}.xml`, typeOf(part)] as const),
    ]),
    '_rels/.rels': relations([['r', 'officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relations(names.map((part) => [part, part.replace(/\d$/, ''), `${part}.xml`])),
    'word/document.xml': `<w:document ${w}><w:body>${body}${section}</w:body></w:document>`,
    ...Object.fromEntries(
      names.map((part) => [`word/${part}.xml`, `<${rootOf(part)} ${w}>${parts[part]}</${rootOf(part)}>`]),
    ),
  })
}
const p = (text: string, paragraph = '', run = ''): string =>
  `<w:p><w:pPr>${paragraph}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const times = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n + 1)).join('')
const long =
  '本合同由甲乙双方在平等自愿的基础上，依照《中华人民共和国民法典》的有关规定，经协商一致订立，共同遵守。（附件：报价单“A-12”、交付清单）'
const cell = (text: string, properties = ''): string => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`
const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`
const table = (rows: string, properties = ''): string =>
  `<w:tbl><w:tblPr><w:tblW w:w="8300" w:type="dxa"/><w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((side) => `<w:${side} w:val="single" w:sz="4" w:color="000000"/>`).join('')}</w:tblBorders>${properties}</w:tblPr><w:tblGrid>${times(3, () => '<w:gridCol w:w="2766"/>')}</w:tblGrid>${rows}</w:tbl>`
const level = (n: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${n}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="${420 * (n + 1)}" w:hanging="420"/></w:pPr></w:lvl>`
const numbering = (...levels: string[]): string =>
  `<w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`
const item = (text: string, at = 0, id = 1): string =>
  p(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)
const field = (code: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`
const textBox = (inside: string): string =>
  `<w:p><w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="2" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column"><wp:posOffset>1800000</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>360000</wp:posOffset></wp:positionV><wp:extent cx="2520000" cy="1080000"/><wp:wrapSquare wrapText="bothSides"/><wp:docPr id="1" name="框"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2520000" cy="1080000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="FFF2CC"/></a:solidFill><a:ln w="9525"><a:solidFill><a:srgbClr val="7F6000"/></a:solidFill></a:ln></wps:spPr><wps:txbx><w:txbxContent>${inside}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>`
const series = (n: number, values: readonly number[]): string =>
  `<c:ser><c:idx val="${n}"/><c:order val="${n}"/><c:tx><c:strRef><c:f>S!$A$${n + 1}</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>系列${n + 1}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:f>S!$B$1:$E$1</c:f><c:strCache><c:ptCount val="4"/>${['一季度', '二季度', '三季度', '四季度'].map((name, at) => `<c:pt idx="${at}"><c:v>${name}</c:v></c:pt>`).join('')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>S!$B$2:$E$2</c:f><c:numCache><c:ptCount val="4"/>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numCache></c:numRef></c:val></c:ser>`
const axes =
  '<c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:majorGridlines/><c:crossAx val="1"/></c:valAx>'
const chart = (plot: string, withAxes = true): string =>
  `<c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/>${plot}${withAxes ? axes : ''}</c:plotArea><c:legend><c:legendPos val="b"/></c:legend></c:chart>`
const ids = '<c:axId val="1"/><c:axId val="2"/>'
const bars = (grouping: string): string =>
  `<c:barChart><c:barDir val="col"/><c:grouping val="${grouping}"/>${series(0, [3, 5, 4, 7])}${series(1, [2, 4, 6, 3])}${grouping === 'clustered' ? '' : '<c:overlap val="100"/>'}${ids}</c:barChart>`
const chartParagraph =
  '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="4320000" cy="2520000"/><wp:docPr id="1" name="图"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="chart1"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
const edged = (type: string, id: string): string => `<w:${type}Reference w:type="default" r:id="${id}"/>`
const sized = (wide: number, high: number, more = ''): string =>
  `<w:sectPr>${more}<w:pgSz w:w="${wide}" w:h="${high}"${wide > high ? ' w:orient="landscape"' : ''}/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/></w:sectPr>`

const documents: Record<string, () => Uint8Array> = {
  paragraphs: () => docx(times(6, () => p(long, '<w:ind w:firstLine="420"/>'))),
  headings: () =>
    docx(
      `${p('第一章 总则', '<w:jc w:val="center"/>', '<w:b/><w:sz w:val="36"/>')}${p('第一节', '<w:spacing w:before="240" w:after="120"/>', '<w:b/><w:sz w:val="28"/>')}${times(4, () => p(long))}`,
    ),
  'line-spacing': () => docx(times(4, (n) => p(long, `<w:spacing w:line="${200 + 80 * n}" w:lineRule="auto"/>`))),
  'exact-spacing': () =>
    docx(times(8, () => p(long, '<w:spacing w:line="560" w:lineRule="exact"/>', '<w:sz w:val="32"/>'))),
  justified: () => docx(times(4, () => p(`${long}Product Data Sheet 2026, revision B.`, '<w:jc w:val="both"/>'))),
  indents: () =>
    docx(times(5, (n) => p(long, `<w:ind w:left="${n * 300}" w:right="${n * 200}" w:hanging="${n * 100}"/>`))),
  'run-formats': () =>
    docx(
      [
        '<w:b/>',
        '<w:i/>',
        '<w:u w:val="single"/>',
        '<w:strike/>',
        '<w:dstrike/>',
        '<w:color w:val="C00000"/>',
        '<w:highlight w:val="yellow"/>',
        '<w:vertAlign w:val="superscript"/>',
        '<w:spacing w:val="60"/>',
        '<w:caps/>',
        '<w:smallCaps/>',
      ]
        .map((run) => p('字体格式 Format 123', '', run))
        .join(''),
    ),
  'decimal-list': () =>
    docx(
      times(8, (n) => item(`第${n}项`)),
      { numbering: numbering(level(0, 'decimal', '%1.')) },
    ),
  'chinese-list': () =>
    docx(
      times(12, (n) => item(`条款${n}`)),
      { numbering: numbering(level(0, 'chineseCountingThousand', '第%1条', '<w:suff w:val="space"/>')) },
    ),
  'levels-list': () =>
    docx(
      times(3, (n) => item(`章${n}`) + times(3, (m) => item(`节${m}`, 1) + item('款', 2))),
      {
        numbering: numbering(
          level(0, 'chineseCountingThousand', '第%1章'),
          level(1, 'decimal', '%1.%2', '<w:isLgl/>'),
          level(2, 'lowerLetter', '(%3)'),
        ),
      },
    ),
  'restarted-list': () =>
    docx(times(3, (n) => item(`甲${n}`)) + times(3, (n) => item(`乙${n}`, 0, 2)), {
      numbering: numbering(level(0, 'decimal', '%1)')),
    }),
  bullets: () =>
    docx(
      times(6, (n) => item(`要点${n}`)),
      { numbering: numbering(level(0, 'bullet', '●')) },
    ),
  'tab-stops': () =>
    docx(
      times(
        8,
        (n) =>
          `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="2400"/><w:tab w:val="right" w:leader="dot" w:pos="8200"/></w:tabs></w:pPr><w:r><w:t>第${n}章</w:t><w:tab/><w:t>名称</w:t><w:tab/><w:t>${n * 3}</w:t></w:r></w:p>`,
      ),
    ),
  'text-box': () => docx(`${textBox(p('框内的文字'))}${times(5, () => p(long))}`),
  'text-box-table': () =>
    docx(`${textBox(table(row(cell('框内'), cell('表格'), cell('1'))))}${times(4, () => p(long))}`),
  sections: () =>
    docx(
      `${p('第一节的内容')}<w:p><w:pPr>${sized(11906, 16838, edged('header', 'header1'))}</w:pPr></w:p>${p('第二节的内容')}`,
      { header1: p('甲公司合同'), header2: p('附件') },
      sized(16838, 11906, edged('header', 'header2')),
    ),
  'page-numbers': () =>
    docx(
      times(60, (n) => p(`第 ${n} 行`)),
      {
        footer1: `<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>第</w:t></w:r>${field('PAGE')}<w:r><w:t>页 共</w:t></w:r>${field('NUMPAGES')}<w:r><w:t>页</w:t></w:r></w:p>`,
      },
      sized(11906, 16838, edged('footer', 'footer1')),
    ),
  footnotes: () =>
    docx(
      `<w:p><w:r><w:t>正文</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r></w:p>${p(long)}`,
      {
        footnotes: `<w:footnote w:id="0" w:type="separator"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:id="1" w:type="continuationSeparator"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t>脚注的文字</w:t></w:r></w:p></w:footnote>`,
      },
    ),
  'tracked-changes': () =>
    docx(
      `<w:p><w:r><w:t>保留</w:t></w:r><w:del w:id="1" w:author="a"><w:r><w:delText>删去的文字</w:delText></w:r></w:del><w:ins w:id="2" w:author="a"><w:r><w:t>插入的文字</w:t></w:r></w:ins></w:p>${p(long)}`,
    ),
  'vertical-section': () =>
    docx(
      times(5, () => p(long)),
      {},
      '<w:sectPr><w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/><w:textDirection w:val="tbRl"/></w:sectPr>',
    ),
  'vertical-cells': () =>
    docx(
      table(
        `<w:tr><w:trPr><w:trHeight w:val="2400"/></w:trPr>${cell('竖排文字', '<w:textDirection w:val="tbRlV"/>')}${cell('横排')}${cell('3')}</w:tr>`,
      ),
    ),
  'right-to-left': () => docx(times(4, () => p('שלום עולם 2026 مرحبا', '<w:bidi/>', '<w:rtl/>'))),
  'line-breaking': () =>
    docx(
      times(4, () =>
        p(
          `${'，。；：？！'
            .split('')
            .map((mark) => `断行测试的文字放在这里${mark}`)
            .join('')}https://example.com/a/very/long/address`,
          '<w:kinsoku/>',
          '<w:sz w:val="24"/>',
        ),
      ),
    ),
  ruby: () =>
    docx(
      `<w:p>${times(3, () => '<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="center"/><w:hps w:val="10"/><w:hpsRaise w:val="18"/><w:hpsBaseText w:val="21"/><w:lid w:val="zh-CN"/></w:rubyPr><w:rt><w:r><w:rPr><w:sz w:val="10"/></w:rPr><w:t>chóng</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>重</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>庆分公司</w:t></w:r>')}</w:p>`,
    ),
  'plain-table': () => docx(table(times(8, (n) => row(cell(`名称${n}`), cell('单价'), cell(String(n * 128)))))),
  'merged-table': () =>
    docx(
      table(
        row(cell('合并', '<w:gridSpan w:val="2"/><w:shd w:val="clear" w:fill="D9E2F3"/>'), cell('右')) +
          row(cell('上', '<w:vMerge w:val="restart"/>'), cell('1'), cell('2')) +
          row(cell('', '<w:vMerge/>'), cell('3'), cell('4')),
      ),
    ),
  'long-table': () =>
    docx(
      table(
        `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('表头')}${cell('数量')}${cell('金额')}</w:tr>${times(70, (n) => row(cell(`行${n}`), cell(String(n)), cell(String(n * 7))))}`,
      ),
    ),
  columns: () =>
    docx(
      times(8, () => p(long)),
      {},
      '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/><w:cols w:num="2" w:space="425" w:sep="1"/></w:sectPr>',
    ),
  'page-breaks': () => docx(times(3, (n) => p(`第${n}页`, n > 1 ? '<w:pageBreakBefore/>' : ''))),
  borders: () =>
    docx(
      p(
        '带边框和底纹的段落',
        '<w:pBdr><w:top w:val="double" w:sz="6" w:space="4" w:color="C00000"/><w:bottom w:val="single" w:sz="12" w:space="4" w:color="C00000"/></w:pBdr><w:shd w:val="clear" w:fill="FBE4D5"/>',
      ) + p(long),
    ),
  symbols: () =>
    docx(
      `<w:p>${['F0FE', 'F0A8', 'F0FC', 'F0D8'].map((code) => `<w:r><w:sym w:font="Wingdings" w:char="${code}"/></w:r><w:r><w:t>选项 </w:t></w:r>`).join('')}</w:p>`,
    ),
  'column-chart': () => docx(p('图表') + chartParagraph, { chart1: chart(bars('clustered')) }),
  'stacked-chart': () => docx(p('图表') + chartParagraph, { chart1: chart(bars('stacked')) }),
  'line-chart': () =>
    docx(p('图表') + chartParagraph, {
      chart1: chart(
        `<c:lineChart><c:grouping val="standard"/>${series(0, [3, 5, 4, 7])}${series(1, [2, 4, 6, 3])}<c:marker val="1"/>${ids}</c:lineChart>`,
      ),
    }),
  'pie-chart': () =>
    docx(p('图表') + chartParagraph, {
      chart1: chart(`<c:pieChart><c:varyColors val="1"/>${series(0, [3, 5, 4, 7])}</c:pieChart>`, false),
    }),
  government: () =>
    docx(
      `${p('关于印发管理办法的通知', '<w:jc w:val="center"/><w:spacing w:line="560" w:lineRule="exact"/>', '<w:rFonts w:eastAsia="方正小标宋简体"/><w:sz w:val="44"/>')}${times(6, () => p(long, '<w:ind w:firstLine="640"/><w:spacing w:line="560" w:lineRule="exact"/>', '<w:rFonts w:eastAsia="仿宋_GB2312"/><w:sz w:val="32"/>'))}`,
    ),
}

const a =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
const treeStart = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
const shape = (
  n: number,
  at: readonly [number, number, number, number],
  text: string,
  { form = 'rect', fill = '', body = '', turn = 0, run = '' } = {},
): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${n}" name="形${n}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm rot="${turn * 60_000}"><a:off x="${at[0] * 12_700}" y="${at[1] * 12_700}"/><a:ext cx="${at[2] * 12_700}" cy="${at[3] * 12_700}"/></a:xfrm><a:prstGeom prst="${form}"><a:avLst/></a:prstGeom>${fill === '' ? '<a:noFill/>' : fill.startsWith('<') ? fill : `<a:solidFill><a:srgbClr val="${fill}"/></a:solidFill>`}</p:spPr><p:txBody><a:bodyPr ${body}/>${text
    .split('\n')
    .map((line) => `<a:p>${run}<a:r><a:rPr lang="zh-CN" sz="2400"/><a:t>${line}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`
const theme = `<a:theme ${a} name="t"><a:themeElements><a:clrScheme name="c"><a:dk1><a:srgbClr val="000000"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:dk2><a:srgbClr val="1F3864"/></a:dk2><a:lt2><a:srgbClr val="E7E6E6"/></a:lt2>${['4472C4', 'ED7D31', 'A5A5A5', 'FFC000', '5B9BD5', '70AD47'].map((color, n) => `<a:accent${n + 1}><a:srgbClr val="${color}"/></a:accent${n + 1}>`).join('')}<a:hlink><a:srgbClr val="0563C1"/></a:hlink><a:folHlink><a:srgbClr val="954F72"/></a:folHlink></a:clrScheme><a:fontScheme name="f"><a:majorFont><a:latin typeface="Calibri"/><a:ea typeface="微软雅黑"/><a:cs typeface=""/></a:majorFont><a:minorFont><a:latin typeface="Calibri"/><a:ea typeface="微软雅黑"/><a:cs typeface=""/></a:minorFont></a:fontScheme><a:fmtScheme name="m"><a:fillStyleLst>${times(3, () => '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>')}</a:fillStyleLst><a:lnStyleLst>${times(3, () => '<a:ln><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>')}</a:lnStyleLst><a:effectStyleLst>${times(3, () => '<a:effectStyle><a:effectLst/></a:effectStyle>')}</a:effectStyleLst><a:bgFillStyleLst>${times(3, () => '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>')}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`

function pptx(
  shapes: string,
  { dark = false, master = '', showMaster = true, wide = true, back = '' } = {},
): Uint8Array {
  const map = (bg: string, tx: string): string =>
    `bg1="${bg}1" tx1="${tx}1" bg2="${bg}2" tx2="${tx}2" ${times(6, (n) => `accent${n}="accent${n}" `)}hlink="hlink" folHlink="folHlink"`
  const tree = (inside: string): string => `<p:spTree>${treeStart}${inside}</p:spTree>`
  return packageOf({
    '[Content_Types].xml': contentTypes([
      ['ppt/presentation.xml', 'presentationml.presentation.main'],
      ['ppt/slides/slide1.xml', 'presentationml.slide'],
      ['ppt/slideLayouts/slideLayout1.xml', 'presentationml.slideLayout'],
      ['ppt/slideMasters/slideMaster1.xml', 'presentationml.slideMaster'],
      ['ppt/theme/theme1.xml', 'theme'],
    ]),
    '_rels/.rels': relations([['r', 'officeDocument', 'ppt/presentation.xml']]),
    'ppt/_rels/presentation.xml.rels': relations([
      ['m', 'slideMaster', 'slideMasters/slideMaster1.xml'],
      ['s', 'slide', 'slides/slide1.xml'],
      ['t', 'theme', 'theme/theme1.xml'],
    ]),
    'ppt/presentation.xml': `<p:presentation ${a}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="m"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst><p:sldSz cx="${wide ? 12_192_000 : 9_144_000}" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/slides/slide1.xml': `<p:sld ${a}><p:cSld>${back}${tree(shapes)}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`,
    'ppt/slides/_rels/slide1.xml.rels': relations([['l', 'slideLayout', '../slideLayouts/slideLayout1.xml']]),
    'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout ${a} type="blank"${showMaster ? '' : ' showMasterSp="0"'}><p:cSld>${tree('')}</p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relations([
      ['m', 'slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    'ppt/slideMasters/slideMaster1.xml': `<p:sldMaster ${a}><p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>${tree(master)}</p:cSld><p:clrMap ${dark ? map('dk', 'lt') : map('lt', 'dk')}/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="l"/></p:sldLayoutIdLst></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relations([
      ['l', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['t', 'theme', '../theme/theme1.xml'],
    ]),
    'ppt/theme/theme1.xml': theme,
  })
}
const band = shape(9, [0, 0, 960, 60], '母版标志', { fill: 'C00000' })

const presentations: Record<string, () => Uint8Array> = {
  'slide-text': () =>
    pptx(
      shape(2, [60, 60, 800, 80], '年度工作总结') +
        shape(3, [60, 180, 800, 260], '第一，完成立项\n第二，通过验收\n第三，资料归档'),
    ),
  'slide-shapes': () =>
    pptx(
      ['rect', 'ellipse', 'roundRect', 'triangle', 'diamond', 'chevron', 'star5', 'hexagon']
        .map((form, n) =>
          shape(n + 2, [40 + (n % 4) * 220, 60 + Math.floor(n / 4) * 220, 180, 160], form, { form, fill: '4472C4' }),
        )
        .join(''),
    ),
  'slide-turned': () =>
    pptx(times(4, (n) => shape(n + 1, [80 + 200 * (n - 1), 180, 160, 80], '旋转', { fill: 'FFC000', turn: n * 20 }))),
  'slide-vertical': () =>
    pptx(shape(2, [300, 60, 200, 400], '竖排的文字在这里', { body: 'vert="eaVert"', fill: 'E2EFD9' })),
  'slide-dark-master': () => pptx(shape(2, [60, 60, 800, 80], '深色母版'), { dark: true }),
  'slide-master-shapes': () => pptx(shape(2, [60, 160, 800, 80], '有母版图形'), { master: band }),
  'slide-no-master-shapes': () =>
    pptx(shape(2, [60, 160, 800, 80], '没有母版图形'), { master: band, showMaster: false }),
  'slide-gradient': () =>
    pptx(
      shape(2, [60, 60, 800, 300], '渐变', {
        fill: '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="4472C4"/></a:gs><a:gs pos="100000"><a:srgbClr val="FFFFFF"/></a:gs></a:gsLst><a:lin ang="5400000"/></a:gradFill>',
      }),
    ),
  'slide-background': () =>
    pptx(shape(2, [60, 60, 800, 80], '背景'), {
      back: '<p:bg><p:bgPr><a:solidFill><a:srgbClr val="DEEAF6"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>',
    }),
  'slide-bullets': () =>
    pptx(
      shape(2, [60, 60, 800, 360], '要点一\n要点二\n要点三', {
        run: '<a:pPr marL="342900" indent="-342900"><a:buChar char="•"/></a:pPr>',
      }),
    ),
  'slide-anchors': () =>
    pptx(
      ['t', 'ctr', 'b']
        .map((anchor, n) =>
          shape(n + 2, [60 + n * 280, 60, 240, 360], '靠齐', { body: `anchor="${anchor}"`, fill: 'F2F2F2' }),
        )
        .join(''),
    ),
  'slide-4-by-3': () => pptx(shape(2, [60, 60, 600, 80], '四比三'), { wide: false }),
}

const sheet =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
function xlsx(inside: string, styles = ''): Uint8Array {
  return packageOf({
    '[Content_Types].xml': contentTypes([
      ['xl/workbook.xml', 'spreadsheetml.sheet.main'],
      ['xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet'],
      ['xl/styles.xml', 'spreadsheetml.styles'],
    ]),
    '_rels/.rels': relations([['r', 'officeDocument', 'xl/workbook.xml']]),
    'xl/_rels/workbook.xml.rels': relations([
      ['s', 'worksheet', 'worksheets/sheet1.xml'],
      ['y', 'styles', 'styles.xml'],
    ]),
    'xl/workbook.xml': `<workbook ${sheet}><sheets><sheet name="表" sheetId="1" r:id="s"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${sheet}>${inside}</worksheet>`,
    'xl/styles.xml': `<styleSheet ${sheet}><fonts count="2"><font><sz val="11"/><name val="宋体"/></font><font><b/><sz val="14"/><color rgb="FFC00000"/><name val="黑体"/></font></fonts><fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFDDEBF7"/></patternFill></fill></fills><borders count="2"><border/><border>${['left', 'right', 'top', 'bottom'].map((side) => `<${side} style="thin"><color auto="1"/></${side}>`).join('')}</border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf fontId="1" applyFont="1"/><xf fillId="2" borderId="1" applyFill="1" applyBorder="1"/><xf borderId="1" applyBorder="1" applyAlignment="1"><alignment horizontal="center" wrapText="1"/></xf></cellXfs>${styles}</styleSheet>`,
  })
}
const rows = (count: number, columns: number, style: (row: number) => number): string =>
  `<sheetData>${times(count, (r) => `<row r="${r}">${times(columns, (c) => `<c r="${String.fromCharCode(64 + c)}${r}" s="${style(r)}" t="inlineStr"><is><t>${c === 1 ? `项目${r}` : String(r * c * 13)}</t></is></c>`)}</row>`)}</sheetData>`

const workbooks: Record<string, () => Uint8Array> = {
  'sheet-plain': () => xlsx(rows(20, 4, () => 0)),
  'sheet-styled': () => xlsx(rows(20, 4, (r) => (r === 1 ? 1 : 2))),
  'sheet-merged': () => xlsx(`${rows(12, 4, () => 3)}<mergeCells count="1"><mergeCell ref="A1:C3"/></mergeCells>`),
  'sheet-widths': () =>
    xlsx(
      `<cols><col min="1" max="1" width="30" customWidth="1"/><col min="2" max="2" hidden="1" width="9"/></cols>${rows(12, 4, () => 2)}`,
    ),
  'sheet-landscape': () => xlsx(`${rows(12, 9, () => 3)}<pageSetup paperSize="9" orientation="landscape"/>`),
}

const stored = [
  'report.doc',
  'contract.doc',
  'contract.rtf',
  'report.odt',
  'report.docx',
  'deck.odp',
  'deck.pptx',
  'course.ppt',
  'charts.xlsx',
  'charts.ods',
  'charts.xls',
  'budget.xls',
]

const samples = (ext: string, made: Record<string, () => Uint8Array>): PageSample[] =>
  Object.entries(made).map(([name, bytes]) => ({ name, ext, bytes }))

/** More than sixty documents. */
export const pageCorpus: readonly PageSample[] = [
  ...samples('docx', documents),
  ...samples('pptx', presentations),
  ...samples('xlsx', workbooks),
  ...stored.map((file) => ({
    name: file.replace('.', '-'),
    ext: file.slice(file.indexOf('.') + 1),
    bytes: () => packedDocument(file),
  })),
]
