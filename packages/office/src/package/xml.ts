// An XML scanner that records source offsets, so that edits change only parts of the text.
import type { Element } from './elements.ts'
import { NotEditable, unescape } from './package.ts'

/** A tag with its offsets. */
export interface Tag {
  readonly name: string
  readonly kind: 'open' | 'close' | 'alone'
  readonly from: number
  readonly to: number
}

const fail = (why: string): NotEditable => new NotEditable('broken', why)

/** Scans XML tag by tag; throws on invalid nesting. */
export function scan(xml: string, on: (tag: Tag) => void): void {
  const open: string[] = []
  let at = xml.indexOf('<')
  while (at >= 0) {
    const next = xml.charCodeAt(at + 1)
    let to: number
    if (next === 0x21 || next === 0x3f) {
      const end = xml.startsWith('<!--', at)
        ? '-->'
        : xml.startsWith('<![CDATA[', at)
          ? ']]>'
          : next === 0x3f
            ? '?>'
            : ''
      // A document type could define entities.
      if (end === '') throw fail('a document type')
      to = xml.indexOf(end, at) + end.length
      if (to < at + end.length) throw fail('it breaks off')
    } else {
      to = tagEnd(xml, at)
      const isClose = next === 0x2f
      const isAlone = xml.charCodeAt(to - 2) === 0x2f
      const name = nameAt(xml, isClose ? at + 2 : at + 1)
      if (isClose && open.pop() !== name) throw fail(`${name} ends where it did not begin`)
      if (!isClose && !isAlone) open.push(name)
      on({ name, kind: isClose ? 'close' : isAlone ? 'alone' : 'open', from: at, to })
    }
    at = xml.indexOf('<', to)
  }
  if (open.length > 0) throw fail('it breaks off')
}

function nameAt(xml: string, from: number): string {
  let to = from
  for (; to < xml.length; to++) {
    const code = xml.charCodeAt(to)
    if (code <= 0x20 || code === 0x3e || code === 0x2f) break
  }
  return xml.slice(from, to)
}

function tagEnd(xml: string, from: number): number {
  let quote = 0
  for (let at = from + 1; at < xml.length; at++) {
    const code = xml.charCodeAt(at)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 0x22 || code === 0x27) quote = code
    else if (code === 0x3e) return at + 1
  }
  throw fail('a tag breaks off')
}

/** An element with its offsets, including the tags. */
export interface Placed extends Element {
  readonly children: (Placed | string)[]
  readonly from: number
  /** The end of the opening tag. */
  readonly inner: number
  /** The start of the closing tag. */
  readonly outer: number
  readonly to: number
}

/** Parses a part into a tree with offsets; `prefix` is removed from the names. */
export function treeOf(xml: string, prefix = ''): Placed {
  type Growing = { -readonly [K in keyof Placed]: Placed[K] }
  const root: Growing = { name: '', attributes: {}, children: [], from: 0, inner: 0, outer: xml.length, to: xml.length }
  const open: Growing[] = [root]
  let behind = 0
  scan(xml, ({ name: full, kind, from, to }) => {
    const name = full.startsWith(prefix) ? full.slice(prefix.length) : full
    const parent = open.at(-1) ?? root
    if (from > behind) {
      const text = textIn(xml.slice(behind, from))
      if (text !== '') parent.children.push(text)
    }
    behind = to
    if (kind === 'close') {
      open.pop()
      parent.outer = from
      parent.to = to
      return
    }
    const element: Growing = {
      name,
      attributes: attributesIn(xml.slice(from, to)),
      children: [],
      from,
      inner: to,
      outer: to,
      to,
    }
    parent.children.push(element)
    if (kind === 'open') open.push(element)
  })
  const first = root.children.find((one) => typeof one !== 'string')
  if (first === undefined) throw fail('no element')
  return first
}

/** The text between two tags, without comments. */
export function textIn(raw: string): string {
  if (!raw.includes('<')) return unescape(raw)
  return raw
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)/)
    .map((piece) => (piece.startsWith('<![CDATA[') ? piece.slice(9, -3) : piece.startsWith('<') ? '' : unescape(piece)))
    .join('')
}

function attributesIn(tag: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', double, single] of tag.matchAll(/\s([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    found[name] = unescape(double ?? single ?? '')
  }
  return found
}

/** The namespace prefix of a part with this root element. */
export function prefixOf(xml: string, root: string): string {
  const found = new RegExp(`<((?:[\\w.-]+:)?)${root}[\\s>/]`).exec(xml)
  if (found === null) throw new NotEditable('kind', `no ${root}`)
  return found[1] ?? ''
}

/** A replacement of a range of a text. */
export interface Splice {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** Applies replacements to a text; they must not overlap. */
export function spliced(text: string, changes: readonly Splice[]): string {
  let made = ''
  let at = 0
  for (const { from, to, by } of [...changes].sort((a, b) => a.from - b.from || a.to - b.to)) {
    made += text.slice(at, from) + by
    at = to
  }
  return made + text.slice(at)
}

/** Returns a tag with an attribute set or removed. */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  const bare = tag.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '')
  return value === undefined ? bare : bare.replace(/(\s*\/?>)$/, (end) => ` ${name}="${value}"${end.trim()}`)
}
