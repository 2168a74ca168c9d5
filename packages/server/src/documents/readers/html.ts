// HTML as blocks: text, tables, lists and embedded pictures. Nothing runs, and nothing is fetched.
import type { Block, Flow, Run, TableCell } from '@cloudoc/contract'
import { decodeText } from '@cloudoc/domain'
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5'
import type { Parts } from '../container.ts'
import { pictureType } from './package.ts'
import type { Reader } from './reader.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
type HtmlElement = DefaultTreeAdapterTypes.Element

const unseen = new Set(
  'script style head template noscript iframe object embed svg math canvas audio video form input select textarea button link meta title'.split(
    ' ',
  ),
)
const active = new Set('script iframe object embed form'.split(' '))
const apart = new Set(
  'p div section article header footer main aside nav address figure figcaption center dl dt dd fieldset details summary body html h1 h2 h3 h4 h5 h6 li ul ol pre blockquote table hr'.split(
    ' ',
  ),
)
const deepest = 200

/** Resolves an embedded picture by the address that refers to it. */
export type Enclosed = (address: string) => Buffer | undefined

export interface ReadHtml {
  readonly blocks: Block[]
  /** Number of blocked elements that would have been fetched or would have run. */
  readonly blocked: number
}

export const readHtmlFile: Reader = async ({ bytes, parts }): Promise<Flow> => {
  const declared = /<meta[^>]+charset=["']?\s*([\w-]+)/i.exec(bytes.toString('latin1', 0, 2048))?.[1]
  const { blocks } = await htmlBlocks(textIn(bytes, declared), parts)
  return { kind: 'flow', blocks }
}

function textIn(bytes: Buffer, declared: string | undefined): string {
  try {
    if (declared !== undefined) return new TextDecoder(declared, { fatal: true }).decode(bytes)
  } catch {
    // The declared encoding is wrong.
  }
  return decodeText(bytes, false).text
}

/** Loaded only if there are pictures. */
async function sizeOf(bytes: Buffer): Promise<{ readonly width: number; readonly height: number } | undefined> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes)
    .metadata()
    .catch(() => undefined)
}

interface RunFormat extends Omit<Run, 'text' | 'image'> {
  readonly pre?: boolean
}

/** What is known while a document is read. */
interface Reading {
  readonly parts: Parts
  readonly enclosed: Enclosed
  /** The pictures by their addresses; undefined for what cannot be shown. */
  readonly pictures: Map<string, Run | undefined>
  blocked: number
}

export async function htmlBlocks(html: string, parts: Parts, enclosed: Enclosed = () => undefined): Promise<ReadHtml> {
  const reading: Reading = { parts, enclosed, pictures: new Map(), blocked: 0 }
  const document = parse(html)
  return {
    blocks: await inside(
      reading,
      document.childNodes.filter((one) => tree.isElementNode(one)),
      {},
      0,
      [],
    ),
    blocked: reading.blocked,
  }
}

async function pictureOf(reading: Reading, element: HtmlElement): Promise<Run | undefined> {
  const address = attribute(element, 'src') ?? ''
  if (reading.pictures.has(address)) return reading.pictures.get(address)
  const inline = /^data:image\/[\w.+-]+;base64,(.*)$/s.exec(address)?.[1]
  const bytes = inline === undefined ? reading.enclosed(address) : Buffer.from(inline, 'base64')
  const type = bytes && pictureType(bytes)
  if (bytes === undefined && address !== '') reading.blocked += 1
  const size = bytes && type && (await sizeOf(bytes))
  const run =
    bytes && type && size
      ? {
          image: {
            part: reading.parts.bytes(type, bytes),
            width: size.width,
            height: size.height,
            alt: attribute(element, 'alt') ?? '',
          },
        }
      : undefined
  reading.pictures.set(address, run)
  return run
}

async function inside(
  reading: Reading,
  nodes: readonly Node[],
  look: RunFormat,
  depth: number,
  list: readonly string[],
): Promise<Block[]> {
  const blocks: Block[] = []
  let runs: Run[] = []
  const end = (): void => {
    const kept = trimmed(runs)
    if (kept.length > 0) blocks.push({ is: 'text', runs: kept, after: 8 })
    runs = []
  }
  const put = (run: Run): void => void runs.push(run)
  const walk = async (node: Node, look: RunFormat, depth: number): Promise<void> => {
    if (depth > deepest) return
    if (tree.isTextNode(node)) {
      const { pre = false, ...rest } = look
      const text = pre ? node.value : node.value.replace(/[ \t\r\n\f]+/g, ' ')
      if (text !== '') put({ ...rest, text })
      return
    }
    if (!tree.isElementNode(node)) return
    const { tagName: name } = node
    if (unseen.has(name)) {
      if (active.has(name)) reading.blocked += 1
      return
    }
    if (name === 'br') return put({ text: '\n' })
    if (name === 'img') {
      const picture = await pictureOf(reading, node)
      if (picture !== undefined) put(picture)
      return
    }
    if (!apart.has(name)) {
      const inner = formatOf(node, look)
      for (const one of node.childNodes) await walk(one, inner, depth + 1)
      return
    }
    end()
    blocks.push(...(await blockOf(reading, node, look, depth, list)))
  }
  for (const node of nodes) await walk(node, look, depth)
  end()
  return blocks
}

async function blockOf(
  reading: Reading,
  element: HtmlElement,
  outer: RunFormat,
  depth: number,
  list: readonly string[],
): Promise<Block[]> {
  const { tagName: name, childNodes } = element
  const look = formatOf(element, outer)
  const heading = /^h([1-6])$/.exec(name)?.[1]
  if (heading !== undefined) {
    return (await inside(reading, childNodes, look, depth + 1, list)).map((one) =>
      one.is === 'text' ? { ...one, heading: Number(heading), before: 12 } : one,
    )
  }
  switch (name) {
    case 'hr':
      return [{ is: 'rule' }]
    case 'pre':
      return [{ is: 'code', text: plain(element).replace(/\n$/, ''), language: '' }]
    case 'blockquote':
      return [{ is: 'quote', blocks: await inside(reading, childNodes, look, depth + 1, list) }]
    case 'table':
      return [await tableOf(reading, element, look, depth, list)]
    case 'ul':
    case 'ol':
      return listOf(reading, element, look, depth, list)
    default: {
      const align =
        /text-align:\s*(center|right|end)/.exec(attribute(element, 'style') ?? '')?.[1] ?? attribute(element, 'align')
      const blocks = await inside(reading, childNodes, look, depth + 1, list)
      if (align !== 'center' && align !== 'right' && name !== 'center') return blocks
      const side = align === 'right' ? ('end' as const) : ('center' as const)
      return blocks.map((one) => (one.is === 'text' && one.align === undefined ? { ...one, align: side } : one))
    }
  }
}

async function listOf(
  reading: Reading,
  element: HtmlElement,
  look: RunFormat,
  depth: number,
  list: readonly string[],
): Promise<Block[]> {
  const found: Block[] = []
  let n = Number(attribute(element, 'start') ?? 1)
  for (const item of element.childNodes) {
    if (!tree.isElementNode(item)) continue
    const mark = element.tagName === 'ol' ? `${n}.` : '•'
    const held = await inside(reading, item.tagName === 'li' ? item.childNodes : [item], look, depth + 1, [
      ...list,
      mark,
    ])
    n += 1
    found.push(
      ...held.map((one, at): Block => {
        if (one.is !== 'text') return one
        const indent = one.indent ?? (list.length + 1) * 24
        return { ...one, indent, after: 2, ...(at === 0 && one.mark === undefined ? { mark } : {}) }
      }),
    )
  }
  return found
}

async function tableOf(
  reading: Reading,
  table: HtmlElement,
  look: RunFormat,
  depth: number,
  list: readonly string[],
): Promise<Block> {
  const rows: TableCell[][] = []
  const rowsIn = async (element: HtmlElement): Promise<void> => {
    for (const one of element.childNodes) {
      if (!tree.isElementNode(one)) continue
      if (one.tagName !== 'tr') await rowsIn(one)
      else {
        const cells: TableCell[] = []
        for (const cell of one.childNodes) {
          if (!tree.isElementNode(cell)) continue
          const spans = (name: string): number => Math.max(1, Math.min(200, Number(attribute(cell, name) ?? 1) || 1))
          const [across, down] = [spans('colspan'), spans('rowspan')]
          cells.push({
            blocks: await inside(reading, cell.childNodes, look, depth + 1, list),
            ...(across > 1 ? { across } : {}),
            ...(down > 1 ? { down } : {}),
            ...(cell.tagName === 'th' ? { head: true as const } : {}),
          })
        }
        rows.push(cells)
      }
    }
  }
  await rowsIn(table)
  return { is: 'table', widths: [], rows }
}

function attribute(element: HtmlElement, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value
}

function plain(node: Node): string {
  if (tree.isTextNode(node)) return node.value
  return tree.isElementNode(node) ? node.childNodes.map(plain).join('') : ''
}

function formatOf(element: HtmlElement, outer: RunFormat): RunFormat {
  const style = attribute(element, 'style') ?? ''
  const color = /(?:^|;)\s*color:\s*(#[0-9a-f]{6})/i.exec(style)?.[1]?.toLowerCase()
  const own: Record<string, RunFormat> = {
    b: { bold: true },
    strong: { bold: true },
    th: { bold: true },
    i: { italic: true },
    em: { italic: true },
    u: { underline: true },
    ins: { underline: true },
    s: { strike: true },
    del: { strike: true },
    code: { mono: true },
    kbd: { mono: true },
    tt: { mono: true },
    sup: { raised: 'super' },
    sub: { raised: 'sub' },
  }
  const href = element.tagName === 'a' ? attribute(element, 'href') : undefined
  return {
    ...outer,
    ...own[element.tagName],
    ...(/font-weight:\s*(bold|[6-9]00)/.test(style) ? { bold: true as const } : {}),
    ...(/white-space:\s*pre/.test(style) ? { pre: true } : {}),
    ...(color === undefined ? {} : { color }),
    ...(href === undefined || !/^(https?|mailto):/i.test(href) ? {} : { href }),
  }
}

/** Removes spaces at the ends of lines, which HTML does not show. */
function trimmed(runs: readonly Run[]): Run[] {
  const kept: { -readonly [K in keyof Run]: Run[K] }[] = []
  for (const run of runs) {
    const before = kept.at(-1)?.text
    const isStart = kept.length === 0 || before?.endsWith('\n') === true || before?.endsWith(' ') === true
    const text = isStart && run.text !== '\n' ? run.text?.replace(/^ +/, '') : run.text
    if (run.text === undefined || (text !== undefined && text !== ''))
      kept.push(text === undefined ? run : { ...run, text })
  }
  while (kept.at(-1)?.text !== undefined && (kept.at(-1)?.text ?? '').trim() === '') kept.pop()
  return kept
}
