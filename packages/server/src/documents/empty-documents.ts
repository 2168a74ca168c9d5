/**
 * The documents behind "new file" ([R118]): the smallest packages that Word, WPS and LibreOffice open without offering
 * a repair. They are A4 and name an East Asian font everywhere, since an application left to choose one sets Chinese
 * text in whatever Latin font it finds first. The bytes do not depend on the day or the machine: all empty documents of
 * a kind share one stored object. For the same reason no creation time is written.
 */
import { strToU8, type Zippable, zipSync } from 'fflate'

const contentTypes = 'application/vnd.openxmlformats-officedocument'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006'
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const wordprocessing = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const presentation = 'http://schemas.openxmlformats.org/presentationml/2006/main'

const empty: Record<string, () => Uint8Array> = {
  docx: () => pack(docxParts()),
  xlsx: () => pack(xlsxParts()),
  pptx: () => pack(pptxParts()),
  txt: () => new Uint8Array(),
  md: () => new Uint8Array(),
}

/**
 * Returns a valid empty document for an extension without its dot, in any case; undefined for a type that is not
 * offered.
 */
export function emptyDocument(extName: string): Uint8Array | undefined {
  const kind = extName.toLowerCase()
  return Object.hasOwn(empty, kind) ? empty[kind]?.() : undefined
}

type Part = {
  path: string
  /** The content type below the OOXML prefix, preceded by the family if the part belongs to one. */
  type: string
  xml: string
  /** Relationships of the part: rId1, rId2, … in this order. */
  relations?: [type: string, target: string][]
}

/** The first part is the main part of the package. */
function pack(documentParts: Part[]): Uint8Array {
  const parts: Part[] = [
    ...documentParts,
    {
      path: 'docProps/app.xml',
      type: 'extended-properties+xml',
      xml: '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>Cloudoc</Application></Properties>',
    },
  ]
  const files: Zippable = {}
  const add = (path: string, xml: string) => {
    files[path] = strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`)
  }
  const overrides = parts.map(
    ({ path, type }) => `<Override PartName="/${path}" ContentType="${contentTypes}.${type}"/>`,
  )
  // The content types come first in the package: readers that look only at the beginning detect the kind by them.
  add(
    '[Content_Types].xml',
    `<Types xmlns="${packageRelationships}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>${overrides.join('')}</Types>`,
  )
  add(
    '_rels/.rels',
    `<Relationships xmlns="${packageRelationships}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="${parts[0]?.path}"/><Relationship Id="rId2" Type="${packageRelationships}/relationships/metadata/core-properties" Target="docProps/core.xml"/><Relationship Id="rId3" Type="${relationships}/extended-properties" Target="docProps/app.xml"/></Relationships>`,
  )
  for (const { path, xml, relations } of parts) {
    add(path, xml)
    if (!relations) continue
    const rows = relations.map(
      ([type, target], index) =>
        `<Relationship Id="rId${index + 1}" Type="${relationships}/${type}" Target="${target}"/>`,
    )
    add(
      path.replace(/[^/]+$/, '_rels/$&.rels'),
      `<Relationships xmlns="${packageRelationships}/relationships">${rows.join('')}</Relationships>`,
    )
  }
  add(
    'docProps/core.xml',
    `<cp:coreProperties xmlns:cp="${packageRelationships}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title></dc:title></cp:coreProperties>`,
  )
  // fflate writes local calendar fields: a local date gives the same bytes in every time zone.
  return zipSync(files, { mtime: new Date(1980, 0, 1), level: 9 })
}

function theme(path: string, eastAsian: string): Part {
  const fonts = (kind: string) =>
    `<a:${kind}Font><a:latin typeface="Calibri"/><a:ea typeface="${eastAsian}"/><a:cs typeface=""/><a:font script="Hans" typeface="${eastAsian}"/></a:${kind}Font>`
  const colour = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`
  const plain = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
  const line = (width: number) =>
    `<a:ln w="${width}" cap="flat" cmpd="sng" algn="ctr">${plain}<a:prstDash val="solid"/></a:ln>`
  const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>'
  return {
    path,
    type: 'theme+xml',
    xml: `<a:theme xmlns:a="${drawing}" name="Office"><a:themeElements><a:clrScheme name="Office"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1>${colour('dk2', '44546A')}${colour('lt2', 'E7E6E6')}${colour('accent1', '4472C4')}${colour('accent2', 'ED7D31')}${colour('accent3', 'A5A5A5')}${colour('accent4', 'FFC000')}${colour('accent5', '5B9BD5')}${colour('accent6', '70AD47')}${colour('hlink', '0563C1')}${colour('folHlink', '954F72')}</a:clrScheme><a:fontScheme name="Office">${fonts('major')}${fonts('minor')}</a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>${plain.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line(6350)}${line(12700)}${line(19050)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${plain.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`,
  }
}

function docxParts(): Part[] {
  const fonts = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="宋体" w:cs="Times New Roman"/>'
  const heading = (level: number, halfPoints: number, before: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:uiPriority w:val="9"/><w:qFormat/><w:pPr><w:keepNext/><w:keepLines/><w:spacing w:before="${before}" w:after="${before / 2}"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:rFonts w:eastAsia="黑体"/><w:b/><w:bCs/><w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/></w:rPr></w:style>`
  const font = (name: string, family: string, charset: string) =>
    `<w:font w:name="${name}"><w:charset w:val="${charset}"/><w:family w:val="${family}"/><w:pitch w:val="variable"/></w:font>`
  const border = (side: string) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="auto"/>`
  return [
    {
      path: 'word/document.xml',
      type: 'wordprocessingml.document.main+xml',
      // A4 with the margins of Chinese Word, and its line grid.
      xml: `<w:document xmlns:w="${wordprocessing}" xmlns:r="${relationships}"><w:body><w:p/><w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1800" w:bottom="1440" w:left="1800" w:header="851" w:footer="992" w:gutter="0"/><w:cols w:space="425"/><w:docGrid w:type="lines" w:linePitch="312"/></w:sectPr></w:body></w:document>`,
      relations: [
        ['styles', 'styles.xml'],
        ['settings', 'settings.xml'],
        ['fontTable', 'fontTable.xml'],
        ['theme', 'theme/theme1.xml'],
      ],
    },
    {
      path: 'word/styles.xml',
      type: 'wordprocessingml.styles+xml',
      xml: `<w:styles xmlns:w="${wordprocessing}"><w:docDefaults><w:rPrDefault><w:rPr>${fonts}<w:kern w:val="2"/><w:sz w:val="21"/><w:szCs w:val="24"/><w:lang w:val="en-US" w:eastAsia="zh-CN" w:bidi="ar-SA"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/><w:pPr><w:widowControl w:val="0"/><w:jc w:val="both"/></w:pPr></w:style><w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/><w:uiPriority w:val="1"/><w:semiHidden/><w:unhideWhenUsed/></w:style><w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style><w:style w:type="numbering" w:default="1" w:styleId="NoList"><w:name w:val="No List"/><w:uiPriority w:val="99"/><w:semiHidden/><w:unhideWhenUsed/></w:style>${heading(1, 32, 240)}${heading(2, 28, 200)}${heading(3, 24, 160)}<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:uiPriority w:val="10"/><w:qFormat/><w:pPr><w:spacing w:before="240" w:after="240"/><w:jc w:val="center"/></w:pPr><w:rPr><w:rFonts w:eastAsia="黑体"/><w:b/><w:bCs/><w:sz w:val="36"/><w:szCs w:val="36"/></w:rPr></w:style><w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:uiPriority w:val="39"/><w:tblPr><w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(border).join('')}</w:tblBorders></w:tblPr></w:style></w:styles>`,
    },
    {
      path: 'word/settings.xml',
      type: 'wordprocessingml.settings+xml',
      // Without compatibilityMode 15 Word opens the file in its compatibility mode of 2007.
      xml: `<w:settings xmlns:w="${wordprocessing}"><w:zoom w:percent="100"/><w:defaultTabStop w:val="420"/><w:characterSpacingControl w:val="compressPunctuation"/><w:compat><w:spaceForUL/><w:balanceSingleByteDoubleByteWidth/><w:ulTrailSpace/><w:adjustLineHeightInTable/><w:useFELayout/><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat><w:themeFontLang w:val="en-US" w:eastAsia="zh-CN"/><w:clrSchemeMapping w:bg1="light1" w:t1="dark1" w:bg2="light2" w:t2="dark2" w:accent1="accent1" w:accent2="accent2" w:accent3="accent3" w:accent4="accent4" w:accent5="accent5" w:accent6="accent6" w:hyperlink="hyperlink" w:followedHyperlink="followedHyperlink"/><w:decimalSymbol w:val="."/><w:listSeparator w:val=","/></w:settings>`,
    },
    {
      path: 'word/fontTable.xml',
      type: 'wordprocessingml.fontTable+xml',
      xml: `<w:fonts xmlns:w="${wordprocessing}">${font('Calibri', 'swiss', '00')}${font('宋体', 'auto', '86')}${font('黑体', 'modern', '86')}${font('Times New Roman', 'roman', '00')}</w:fonts>`,
    },
    theme('word/theme/theme1.xml', '宋体'),
  ]
}

function xlsxParts(): Part[] {
  return [
    {
      path: 'xl/workbook.xml',
      type: 'spreadsheetml.sheet.main+xml',
      xml: `<workbook xmlns="${spreadsheet}" xmlns:r="${relationships}"><workbookPr defaultThemeVersion="166925"/><bookViews><workbookView xWindow="0" yWindow="0" windowWidth="24000" windowHeight="12000"/></bookViews><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets><calcPr calcId="191029"/></workbook>`,
      relations: [
        ['worksheet', 'worksheets/sheet1.xml'],
        ['styles', 'styles.xml'],
        ['theme', 'theme/theme1.xml'],
      ],
    },
    {
      path: 'xl/worksheets/sheet1.xml',
      type: 'spreadsheetml.worksheet+xml',
      xml: `<worksheet xmlns="${spreadsheet}" xmlns:r="${relationships}"><dimension ref="A1"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews><sheetFormatPr defaultRowHeight="14"/><sheetData/><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="portrait"/></worksheet>`,
    },
    {
      path: 'xl/styles.xml',
      type: 'spreadsheetml.styles+xml',
      xml: `<styleSheet xmlns="${spreadsheet}"><fonts count="1"><font><sz val="11"/><color theme="1"/><name val="宋体"/><family val="3"/><charset val="134"/><scheme val="minor"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs><cellStyles count="1"><cellStyle name="常规" xfId="0" builtinId="0"/></cellStyles><dxfs count="0"/><tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/></styleSheet>`,
    },
    theme('xl/theme/theme1.xml', '宋体'),
  ]
}

function pptxParts(): Part[] {
  const spaces = `xmlns:a="${drawing}" xmlns:r="${relationships}" xmlns:p="${presentation}"`
  const tree = (shapes: string[]) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>${shapes.join('')}</p:spTree></p:cSld>`
  const shape = (id: number, name: string, placeholder: string, frame?: number[], prompt = '', style = '') => {
    const [x, y, width, height] = frame ?? []
    const place = frame
      ? `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>`
      : '<p:spPr/>'
    const text = prompt ? `<a:r><a:rPr lang="zh-CN"/><a:t>${prompt}</a:t></a:r>` : '<a:endParaRPr lang="zh-CN"/>'
    return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph ${placeholder}/></p:nvPr></p:nvSpPr>${place}<p:txBody><a:bodyPr/>${style ? `<a:lstStyle>${style}</a:lstStyle>` : '<a:lstStyle/>'}<a:p>${text}</a:p></p:txBody></p:sp>`
  }
  const levels = (bullet: string, sizes: number[]) =>
    sizes
      .map(
        (size, index) =>
          `<a:lvl${index + 1}pPr marL="${bullet ? 228600 + index * 457200 : 0}" indent="${bullet ? -228600 : 0}" algn="l">${bullet || '<a:buNone/>'}<a:defRPr sz="${size}"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr></a:lvl${index + 1}pPr>`,
      )
      .join('')
  const layout = (number: number, kind: string, name: string, shapes: string[]): Part => ({
    path: `ppt/slideLayouts/slideLayout${number}.xml`,
    type: 'presentationml.slideLayout+xml',
    xml: `<p:sldLayout ${spaces} type="${kind}" preserve="1">${tree(shapes).replace('<p:cSld>', `<p:cSld name="${name}">`)}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>`,
    relations: [['slideMaster', '../slideMasters/slideMaster1.xml']],
  })
  const centred = '<a:lvl1pPr marL="0" indent="0" algn="ctr"><a:buNone/></a:lvl1pPr>'
  const title = [838200, 365125, 10515600, 1325563]
  const body = [838200, 1825625, 10515600, 4351338]
  return [
    {
      path: 'ppt/presentation.xml',
      type: 'presentationml.presentation.main+xml',
      xml: `<p:presentation ${spaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
      relations: [
        ['slideMaster', 'slideMasters/slideMaster1.xml'],
        ['slide', 'slides/slide1.xml'],
        ['presProps', 'presProps.xml'],
        ['viewProps', 'viewProps.xml'],
        ['theme', 'theme/theme1.xml'],
        ['tableStyles', 'tableStyles.xml'],
      ],
    },
    {
      path: 'ppt/slideMasters/slideMaster1.xml',
      type: 'presentationml.slideMaster+xml',
      xml: `<p:sldMaster ${spaces}>${tree([
        shape(2, '标题', 'type="title"', title, '单击此处编辑标题'),
        shape(3, '文本', 'type="body" idx="1"', body, '单击此处编辑文本'),
      ]).replace(
        '<p:cSld>',
        '<p:cSld><p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>',
      )}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/><p:sldLayoutId id="2147483650" r:id="rId2"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle>${levels('', [4000])}</p:titleStyle><p:bodyStyle>${levels('<a:buFont typeface="Arial"/><a:buChar char="•"/>', [2400, 2000, 1800])}</p:bodyStyle><p:otherStyle>${levels('', [1800])}</p:otherStyle></p:txStyles></p:sldMaster>`,
      relations: [
        ['slideLayout', '../slideLayouts/slideLayout1.xml'],
        ['slideLayout', '../slideLayouts/slideLayout2.xml'],
        ['theme', '../theme/theme1.xml'],
      ],
    },
    layout(1, 'title', '标题幻灯片', [
      shape(2, '标题', 'type="ctrTitle"', [1524000, 1122363, 9144000, 2387600], '单击此处编辑标题', centred),
      shape(
        3,
        '副标题',
        'type="subTitle" idx="1"',
        [1524000, 3602038, 9144000, 1655762],
        '单击此处编辑副标题',
        centred,
      ),
    ]),
    layout(2, 'obj', '标题和内容', [
      shape(2, '标题', 'type="title"', undefined, '单击此处编辑标题'),
      shape(3, '内容', 'idx="1"', undefined, '单击此处编辑文本'),
    ]),
    {
      path: 'ppt/slides/slide1.xml',
      type: 'presentationml.slide+xml',
      xml: `<p:sld ${spaces}>${tree([
        shape(2, '标题', 'type="ctrTitle"'),
        shape(3, '副标题', 'type="subTitle" idx="1"'),
      ])}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`,
      relations: [['slideLayout', '../slideLayouts/slideLayout1.xml']],
    },
    { path: 'ppt/presProps.xml', type: 'presentationml.presProps+xml', xml: `<p:presentationPr ${spaces}/>` },
    { path: 'ppt/viewProps.xml', type: 'presentationml.viewProps+xml', xml: `<p:viewPr ${spaces}/>` },
    {
      path: 'ppt/tableStyles.xml',
      type: 'presentationml.tableStyles+xml',
      xml: `<a:tblStyleLst xmlns:a="${drawing}" def="{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"/>`,
    },
    theme('ppt/theme/theme1.xml', '微软雅黑'),
  ]
}
