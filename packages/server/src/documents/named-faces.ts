/*
 * The font faces that a document names for text it contains, for the message about replaced faces. Of Word, PowerPoint
 * and OpenDocument files and of RTF they are read from the formatting. Of the old binary formats only well-known names
 * are found.
 */
import { documentKind } from '@cloudoc/domain'
import { readStyles } from '@cloudoc/office/document'
import { at, child, children, descendants, type Element, textOf } from '@cloudoc/office/package'
import { chineseFaces } from '../core/confined/chinese-faces.ts'
import { parseXml } from './readers/xml.ts'
import { readZip, type Zip } from './readers/zip.ts'

const mostFaces = 200
const longestName = 80
const chinese = /\p{Script=Han}/u
const latin = /[A-Za-z0-9]/
const westernFaces =
  'Arial|Arial Narrow|Book Antiqua|Calibri|Cambria|Candara|Century|Comic Sans MS|Consolas|Constantia|Corbel|Courier New|Garamond|Georgia|Impact|Segoe UI|Tahoma|Times New Roman|Trebuchet MS|Verdana'.split(
    '|',
  )
const knownFaces = [...chineseFaces.flatMap(([, names]) => names), ...westernFaces]

/** The faces, without those that a theme leaves open. */
export function namedFaces(bytes: Buffer, ext: string): string[] {
  const found = new Set<string>()
  for (const face of facesOf(bytes, ext)) {
    const name = face.trim()
    if (name !== '' && !name.startsWith('+') && name.length <= longestName) found.add(name)
    if (found.size === mostFaces) break
  }
  return [...found]
}

function facesOf(bytes: Buffer, ext: string): Iterable<string> {
  switch (documentKind(ext)) {
    case 'docx':
      return facesOfDocument(readZip(bytes))
    case 'pptx':
      return facesOfSlides(readZip(bytes))
    case 'xlsx':
      return facesOfWorkbook(readZip(bytes))
    case 'odf':
      return facesOfOpenDocument(readZip(bytes))
    case 'rtf':
      return facesOfRtf(bytes.toString('latin1'))
    default:
      return knownFaces.filter((name) => bytes.includes(Buffer.from(`${name}\0`, 'utf16le')))
  }
}

function xmlOf(zip: Zip, path: string): Element | undefined {
  const bytes = zip.bytes(path)
  return bytes && parseXml(bytes)
}

const partsOf = (zip: Zip, pattern: RegExp): Element[] =>
  zip.entries.flatMap(({ path }) => (pattern.test(path) ? (xmlOf(zip, path) ?? []) : []))

/** The faces of a theme for Latin and for Chinese text, of headings and of other text. */
function themeFaces(zip: Zip, pattern: RegExp): string[] {
  return partsOf(zip, pattern).flatMap((theme) => {
    const scheme = [...descendants(theme, 'a:fontScheme')][0]
    return ['a:majorFont', 'a:minorFont'].flatMap((name) => facesOfScheme(child(scheme, name)))
  })
}

const typeface = (element: Element | undefined): string => element?.attributes['typeface'] ?? ''

function facesOfScheme(fonts: Element | undefined): [latin: string, chinese: string] {
  const hans = children(fonts, 'a:font').find((one) => one.attributes['script'] === 'Hans')
  return [typeface(child(fonts, 'a:latin')), typeface(child(fonts, 'a:ea')) || typeface(hans)]
}

function* facesOfDocument(zip: Zip): Generator<string> {
  const styles = readStyles(xmlOf(zip, 'word/styles.xml'))
  const [, , usualLatin = '', usualChinese = ''] = themeFaces(zip, /^word\/theme\/theme1\.xml$/)
  for (const part of partsOf(zip, /^word\/(document|header\d*|footer\d*|footnotes|endnotes)\.xml$/)) {
    for (const paragraph of descendants(part, 'w:p')) {
      for (const run of children(paragraph, 'w:r')) {
        const text = children(run, 'w:t').map(textOf).join('')
        const fonts = styles.fonts(child(run, 'w:rPr'), child(paragraph, 'w:pPr') ?? noProperties)
        if (latin.test(text)) yield fonts.latin ?? usualLatin
        if (chinese.test(text)) yield fonts.chinese ?? usualChinese
      }
    }
  }
}
const noProperties: Element = { name: 'w:pPr', attributes: {}, children: [] }

function* facesOfSlides(zip: Zip): Generator<string> {
  const slides = partsOf(zip, /^ppt\/slides\/slide\d+\.xml$/)
  const texts = slides.flatMap((slide) => [...descendants(slide, 'a:t')].map(textOf))
  const scripts = [
    ['a:latin', latin, 0],
    ['a:ea', chinese, 1],
  ] as const
  const theme = themeFaces(zip, /^ppt\/theme\/theme1\.xml$/)
  for (const [name, script, side] of scripts) {
    if (!texts.some((text) => script.test(text))) continue
    for (const slide of slides) for (const one of descendants(slide, name)) yield typeface(one)
    yield* theme.filter((_, n) => n % 2 === side)
  }
}

function* facesOfWorkbook(zip: Zip): Generator<string> {
  for (const font of children(at(xmlOf(zip, 'xl/styles.xml'), 'fonts'), 'font'))
    yield child(font, 'name')?.attributes['val'] ?? ''
}

function* facesOfOpenDocument(zip: Zip): Generator<string> {
  for (const part of partsOf(zip, /^(content|styles)\.xml$/)) {
    const families = new Map(
      [...descendants(part, 'style:font-face')].map(({ attributes }) => [
        attributes['style:name'] ?? '',
        (attributes['svg:font-family'] ?? '').replaceAll(/^['"]|['"]$/g, ''),
      ]),
    )
    for (const { attributes } of descendants(part, 'style:text-properties'))
      for (const name of ['style:font-name', 'style:font-name-asian']) yield families.get(attributes[name] ?? '') ?? ''
  }
}

function* facesOfRtf(text: string): Generator<string> {
  for (const [, number = '', , charset = '', name = ''] of text.matchAll(
    /\{\\f(\d+)(\\\w+\s?)*?(?:\\fcharset(\d+))[^{};]*?\s([^{};\\]*(?:\\'[0-9a-f]{2}[^{};\\]*)*);?\}/gi,
  )) {
    // The table names it once; text in it names it again.
    if (text.split(new RegExp(`\\\\f${number}(?!\\d)`), 3).length < 3) continue
    const bytes = Buffer.from(
      name.replaceAll(/\\'([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    )
    yield new TextDecoder(charset === '134' ? 'gb18030' : 'windows-1252').decode(bytes)
  }
}

/** Names of one face in both languages. */
const aliases: ReadonlyMap<string, string> = new Map(
  (
    [
      ['宋体', 'SimSun'],
      ['新宋体', 'NSimSun'],
      ['仿宋', 'FangSong'],
      ['仿宋_GB2312', 'FangSong_GB2312'],
      ['楷体', 'KaiTi'],
      ['楷体_GB2312', 'KaiTi_GB2312'],
      ['黑体', 'SimHei'],
      ['微软雅黑', 'Microsoft YaHei'],
      ['等线', 'DengXian'],
      ['华文宋体', 'STSong'],
      ['华文中宋', 'STZhongsong'],
      ['华文仿宋', 'STFangsong'],
      ['华文楷体', 'STKaiti'],
      ['华文黑体', 'STHeiti'],
      ['华文细黑', 'STXihei'],
    ] as const
  ).flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
)

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Those of the named faces that LibreOffice has replaced by others: the PDF has no font of their name. */
export function replacedFaces(named: readonly string[], pdf: Buffer): string[] {
  // LibreOffice writes its font dictionaries uncompressed.
  const fonts = [...pdf.toString('latin1').matchAll(/\/BaseFont\s*\/(?:[A-Z]{6}\+)?([^\s/<>[\]()]+)/g)].map(
    ([, name = '']) =>
      plain(
        Buffer.from(
          name.replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        ).toString(),
      ),
  )
  if (fonts.length === 0) return []
  const isThere = (face: string | undefined): boolean =>
    face !== undefined && fonts.some((font) => font.startsWith(plain(face)))
  return named.filter((face) => !isThere(face) && !isThere(aliases.get(face)))
}
