// XML by the places of its tags, so that it can be changed at some and stay at all others as it stands.
import type { Element } from '@cloudoc/domain/office'
import { NotEditable, unescape } from './package.ts'

/** A tag and where it stands. */
export interface Tag {
  readonly name: string
  readonly kind: 'open' | 'close' | 'alone'
  readonly from: number
  readonly to: number
}

const fail = (why: string): NotEditable => new NotEditable('broken', why)

/** Reads XML tag by tag; what is not nested as it must be is refused. */
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
      // A document type could bring names of its own.
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

/** An element and where it stands, tags and all. */
export interface Placed extends Element {
  readonly children: (Placed | string)[]
  readonly from: number
  /** Where its first tag ends. */
  readonly inner: number
  /** Where its last tag begins. */
  readonly outer: number
  readonly to: number
}

/** A part of XML as a tree that knows its places; `prefix` is left out of the names. */
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

/** The text between two tags, without what stands in comments. */
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

/** What stands before the names of the elements of a part, when its first one is called so. */
export function prefixOf(xml: string, root: string): string {
  const found = new RegExp(`<((?:[\\w.-]+:)?)${root}[\\s>/]`).exec(xml)
  if (found === null) throw new NotEditable('kind', `no ${root}`)
  return found[1] ?? ''
}

/** What stands in place of a piece of a text. */
export interface Splice {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** A text with pieces of it replaced; they may not lie on each other. */
export function spliced(text: string, changes: readonly Splice[]): string {
  let made = ''
  let at = 0
  for (const { from, to, by } of [...changes].sort((a, b) => a.from - b.from || a.to - b.to)) {
    made += text.slice(at, from) + by
    at = to
  }
  return made + text.slice(at)
}

/** A tag with an attribute set, or without it. */
export function withAttribute(tag: string, name: string, value: string | undefined): string {
  const bare = tag.replace(new RegExp(`\\s${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '')
  return value === undefined ? bare : bare.replace(/(\s*\/?>)$/, (end) => ` ${name}="${value}"${end.trim()}`)
}
