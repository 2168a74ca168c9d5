/*
 * Adds a watermark to Word, Excel and PowerPoint documents: in the headers of every section, behind the cells and above
 * the printed page, over every slide. Only additions are written; every other byte of the parts remains as it is.
 */
import type { Watermark } from '@cloudoc/contract'
import { zipSync } from 'fflate'
import { readZip } from '../readers/zip.ts'
import { Refused } from '../refusal.ts'
import { drawCell, drawSheet } from './draw.ts'

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006'
const relationId = 'rIdCloudocMark'
const emuPerPixel = 9525
const emuPerTwip = 635
const alreadyPacked = /\.(png|jpe?g|gif|webp|mp4|mp3|wmv|zip)$/i

/** The parts of a document. */
class Parts {
  readonly #parts = new Map<string, Uint8Array>()

  constructor(bytes: Buffer) {
    const zip = readZip(bytes)
    for (const { path } of zip.entries)
      if (!path.endsWith('/')) this.#parts.set(path, zip.bytes(path) ?? Buffer.alloc(0))
  }

  text(path: string): string | undefined {
    const found = this.#parts.get(path)
    return found === undefined ? undefined : Buffer.from(found).toString('utf8')
  }

  set(path: string, value: string | Uint8Array): void {
    this.#parts.set(path, typeof value === 'string' ? Buffer.from(value) : value)
  }

  paths(pattern: RegExp): string[] {
    return [...this.#parts.keys()].filter((path) => pattern.test(path))
  }

  /** Adds a relationship from one part to another. */
  relate(path: string, id: string, type: string, target: string): void {
    const at = relationsOf(path)
    const whole =
      this.text(at) ??
      '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
    const added = `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
    const open = whole.replace(/<Relationships([^>]*)\/>/, '<Relationships$1></Relationships>')
    this.set(at, open.replace('</Relationships>', `${added}</Relationships>`))
  }

  /** Declares the content type of parts. */
  declare(xml: string): void {
    const at = '[Content_Types].xml'
    const types = this.text(at) ?? damaged()
    this.set(at, types.replace(/(<Types[^>]*>)/, `$1${xml}`))
  }

  addPicture(path: string, bytes: Uint8Array): void {
    this.set(path, bytes)
    if (!/Extension="png"/i.test(this.text('[Content_Types].xml') ?? ''))
      this.declare('<Default Extension="png" ContentType="image/png"/>')
  }

  pack(): Uint8Array {
    const files: Record<string, [Uint8Array, { level: 0 | 6 }]> = {}
    for (const [path, bytes] of this.#parts) files[path] = [bytes, { level: alreadyPacked.test(path) ? 0 : 6 }]
    return zipSync(files)
  }
}

function damaged(): never {
  throw new Refused('conversionFailed', 'a part is missing')
}

function relationsOf(path: string): string {
  const cut = path.lastIndexOf('/') + 1
  return `${path.slice(0, cut)}_rels/${path.slice(cut)}.rels`
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

export async function markOffice(bytes: Buffer, ext: string, mark: Watermark): Promise<Uint8Array> {
  const parts = new Parts(bytes)
  if (ext === 'docx') await markWord(parts, mark)
  else if (ext === 'xlsx') await markSheets(parts, mark)
  else await markSlides(parts, mark)
  return parts.pack()
}

const numberIn = (xml: string, attribute: string): number | undefined => {
  const found = new RegExp(`\\b${attribute}="(\\d+)"`).exec(xml)?.[1]
  return found === undefined ? undefined : Number(found)
}

async function markWord(parts: Parts, mark: Watermark): Promise<void> {
  const main = 'word/document.xml'
  let body = parts.text(main) ?? damaged()
  if (!/<w:(document|body)\b/.test(body)) damaged()
  if (!/<w:sectPr\b/.test(body)) body = body.replace('</w:body>', '<w:sectPr></w:sectPr></w:body>')
  body = body.replace(/<w:sectPr((?:\s[^>]*)?)\/>/, '<w:sectPr$1></w:sectPr>')
  const size = /<w:pgSz\b[^>]*>/.exec(body)?.[0] ?? ''
  const [width, height] = [
    (numberIn(size, 'w:w') ?? 11_906) * emuPerTwip,
    (numberIn(size, 'w:h') ?? 16_838) * emuPerTwip,
  ]
  const sheet = await drawSheet(mark, { width: width / emuPerPixel, height: height / emuPerPixel }, 2)
  parts.addPicture('word/media/cloudoc-mark.png', sheet.toBuffer('image/png'))
  const paragraph = wordParagraph(width, height)
  const headers = [...(parts.text(relationsOf(main)) ?? '').matchAll(/<Relationship\b[^>]*>/g)].flatMap(([tag]) => {
    const target = /\bTarget="([^"]+)"/.exec(tag)?.[1]
    if (!/\bType="[^"]*\/header"/.test(tag) || target === undefined) return []
    return [target.startsWith('/') ? target.slice(1) : `word/${target}`]
  })
  for (const path of new Set(headers)) {
    const header = parts.text(path)
    if (header === undefined) continue
    parts.set(
      path,
      header.replace(/<w:hdr((?:\s[^>]*)?)\/>/, '<w:hdr$1></w:hdr>').replace('</w:hdr>', `${paragraph}</w:hdr>`),
    )
    parts.relate(path, relationId, 'image', 'media/cloudoc-mark.png')
  }
  // Later sections inherit the headers of the first one unless they have their own.
  const first = /<w:sectPr\b[^>]*>/.exec(body)
  const section = body.slice(first?.index ?? 0, body.indexOf('</w:sectPr>', first?.index ?? 0))
  let references = ''
  for (const type of ['default', 'first', 'even']) {
    if (new RegExp(`<w:headerReference\\b[^>]*w:type="${type}"`).test(section)) continue
    const path = `word/cloudoc-header-${type}.xml`
    parts.set(
      path,
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:hdr xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${paragraph}</w:hdr>`,
    )
    parts.relate(path, relationId, 'image', 'media/cloudoc-mark.png')
    parts.relate(main, `rIdCloudoc${type}`, 'header', `cloudoc-header-${type}.xml`)
    parts.declare(
      `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml"/>`,
    )
    references += `<w:headerReference xmlns:r="${relations}" w:type="${type}" r:id="rIdCloudoc${type}"/>`
  }
  parts.set(
    main,
    body.replace(/<w:sectPr\b[^>]*>/, (tag) => `${tag}${references}`),
  )
}

const pictureXml = (prefix: string, width: number, height: number, more: string): string =>
  `<${prefix}:blipFill><a:blip xmlns:r="${relations}" r:embed="${relationId}"/><a:stretch><a:fillRect/></a:stretch></${prefix}:blipFill>` +
  `<${prefix}:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width}" cy="${height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></${prefix}:spPr>${more}`

function wordParagraph(width: number, height: number): string {
  return (
    '<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="20" w:lineRule="exact"/></w:pPr><w:r><w:rPr><w:noProof/></w:rPr><w:drawing>' +
    `<wp:anchor xmlns:wp="${drawing}/wordprocessingDrawing" distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="251658240" behindDoc="1" locked="1" layoutInCell="0" allowOverlap="1">` +
    '<wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="page"><wp:align>center</wp:align></wp:positionH><wp:positionV relativeFrom="page"><wp:align>center</wp:align></wp:positionV>' +
    `<wp:extent cx="${width}" cy="${height}"/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapNone/><wp:docPr id="90001" name="Watermark"/><wp:cNvGraphicFramePr/>` +
    `<a:graphic xmlns:a="${drawing}/main"><a:graphicData uri="${drawing}/picture"><pic:pic xmlns:pic="${drawing}/picture">` +
    '<pic:nvPicPr><pic:cNvPr id="90001" name="Watermark"/><pic:cNvPicPr/></pic:nvPicPr>' +
    `${pictureXml('pic', width, height, '')}</pic:pic></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>`
  )
}

/** The elements of a worksheet that follow its background picture, and those that follow its header. */
const behindPicture = ['oleObjects', 'controls', 'webPublishItems', 'tableParts', 'extLst', 'AlternateContent']
const behindHeader = [
  ...['rowBreaks', 'colBreaks', 'customProperties', 'cellWatches', 'ignoredErrors', 'smartTags', 'drawing'],
  ...['legacyDrawing', 'legacyDrawingHF', 'drawingHF', 'picture', ...behindPicture],
]

async function markSheets(parts: Parts, mark: Watermark): Promise<void> {
  parts.addPicture('xl/media/cloudoc-mark.png', (await drawCell(mark, 1)).toBuffer('image/png'))
  const printed = `&amp;C ${escaped(mark.lines.join(' ').replaceAll('&', '&&'))}`
  for (const path of parts.paths(/^xl\/worksheets\/[^/]+\.xml$/)) {
    const sheet = parts.text(path) ?? ''
    const prefix = /<(\w+:)?worksheet\b/.exec(sheet)?.[1] ?? ''
    const withHeader = mark.lines.length === 0 ? sheet : sheetHeader(sheet, prefix, printed)
    const picture = `<${prefix}picture xmlns:r="${relations}" r:id="${relationId}"/>`
    const plain = withHeader.replace(new RegExp(`<${prefix}picture\\b[^>]*/>`), '')
    parts.set(path, insertBefore(plain, behindPicture, picture))
    parts.relate(path, relationId, 'image', '../media/cloudoc-mark.png')
  }
}

function sheetHeader(sheet: string, prefix: string, printed: string): string {
  const header = new RegExp(`<${prefix}oddHeader\\b[^>]*>`)
  if (header.test(sheet)) return sheet.replace(`</${prefix}oddHeader>`, `${printed}</${prefix}oddHeader>`)
  const added = `<${prefix}oddHeader>${printed}</${prefix}oddHeader>`
  const open = new RegExp(`<${prefix}headerFooter\\b([^>]*?)(/?)>`)
  const found = open.exec(sheet)
  if (found === null)
    return insertBefore(sheet, behindHeader, `<${prefix}headerFooter>${added}</${prefix}headerFooter>`)
  const end = found[2] === '/' ? `</${prefix}headerFooter>` : ''
  return sheet.replace(open, `<${prefix}headerFooter${found[1] ?? ''}>${added}${end}`)
}

/** Inserts XML into the root of a part, before the first child with one of these names. */
function insertBefore(xml: string, names: readonly string[], added: string): string {
  const tags =
    /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([\w.:-]+)(?:\s(?:"[^"]*"|'[^']*'|[^>"'])*?)?(\/?)>/g
  let depth = 0
  for (const tag of xml.matchAll(tags)) {
    const [, closes, name, isEmpty] = tag
    if (name === undefined) continue
    if (closes === '/') {
      depth -= 1
      if (depth === 0) return xml.slice(0, tag.index) + added + xml.slice(tag.index)
    } else {
      if (depth === 1 && names.includes(name.replace(/^.*:/, '')))
        return xml.slice(0, tag.index) + added + xml.slice(tag.index)
      if (isEmpty !== '/') depth += 1
    }
  }
  return damaged()
}

async function markSlides(parts: Parts, mark: Watermark): Promise<void> {
  const size = /<p:sldSz\b[^>]*>/.exec(parts.text('ppt/presentation.xml') ?? damaged())?.[0] ?? ''
  const [width, height] = [numberIn(size, 'cx') ?? 9_144_000, numberIn(size, 'cy') ?? 6_858_000]
  const sheet = await drawSheet(mark, { width: width / emuPerPixel, height: height / emuPerPixel }, 2)
  parts.addPicture('ppt/media/cloudoc-mark.png', sheet.toBuffer('image/png'))
  const picture =
    `<p:pic xmlns:a="${drawing}/main"><p:nvPicPr><p:cNvPr id="90001" name="Watermark"/><p:cNvPicPr><a:picLocks noGrp="1" noSelect="1" noMove="1" noResize="1"/></p:cNvPicPr><p:nvPr userDrawn="1"/></p:nvPicPr>` +
    `${pictureXml('p', width, height, '')}</p:pic>`
  for (const path of parts.paths(/^ppt\/slides\/[^/]+\.xml$/)) {
    const slide = parts.text(path) ?? ''
    const end = slide.lastIndexOf('</p:spTree>')
    if (end === -1) damaged()
    const tail = /<p:extLst>(?:(?!<p:extLst>)[\s\S])*<\/p:extLst>\s*$/.exec(slide.slice(0, end))
    const at = tail?.index ?? end
    parts.set(path, slide.slice(0, at) + picture + slide.slice(at))
    parts.relate(path, relationId, 'image', '../media/cloudoc-mark.png')
  }
}
