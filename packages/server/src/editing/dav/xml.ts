/*
 * The XML of WebDAV bodies. Read with namespaces and limits; a document type is refused, so that no entity is expanded.
 */
import { fail } from '@cloudoc/domain'
import { SaxesParser } from 'saxes'

/** An element. `text` is its own text without that of its children. */
export interface Element {
  readonly ns: string
  readonly name: string
  readonly attributes: readonly { readonly ns: string; readonly name: string; readonly value: string }[]
  readonly children: readonly (Element | string)[]
}

const mostElements = 5000
const mostDepth = 64

interface Open extends Element {
  readonly children: (Element | string)[]
}

/** Parses a body; fails with "bad parameters" if it is not well-formed, has a document type or is too large. */
export function parseXml(text: string): Element {
  const refuse = (): never => fail('badRequest', { zh: '请求体不是有效的 XML', en: 'the body is not well-formed XML' })
  const parser = new SaxesParser({ xmlns: true })
  const open: Open[] = []
  let root: Open | undefined
  let count = 0
  parser.on('error', refuse)
  parser.on('doctype', refuse)
  parser.on('opentag', ({ uri, local, attributes }) => {
    if ((count += 1) > mostElements || open.length > mostDepth) refuse()
    const element: Open = {
      ns: uri,
      name: local,
      attributes: Object.values(attributes)
        .filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
        .map((one) => ({ ns: one.uri, name: one.local, value: one.value })),
      children: [],
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('text', (words) => open.at(-1)?.children.push(words))
  parser.on('cdata', (words) => open.at(-1)?.children.push(words))
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  return root ?? refuse()
}

/** The child elements. */
export const childrenOf = (element: Element | undefined): readonly Element[] =>
  element?.children.filter((child): child is Element => typeof child !== 'string') ?? []

/** The child of the DAV namespace with this name. */
export const childOf = (element: Element | undefined, name: string): Element | undefined =>
  childrenOf(element).find((child) => child.ns === 'DAV:' && child.name === name)

export const textOf = (element: Element | undefined): string =>
  element?.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('') ?? ''

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"\r]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? '&#13;')

/** Writes an element whole: namespaces are declared where they are used. */
export function writeXml({ ns, name, attributes, children }: Element): string {
  const inside = children.map((child) => (typeof child === 'string' ? escapeXml(child) : writeXml(child))).join('')
  return writeElement(ns, name, inside, attributes)
}

/** Writes an element around XML. */
export function writeElement(ns: string, name: string, inside: string, attributes: Element['attributes'] = []): string {
  const isDav = ns === 'DAV:'
  const tag = isDav ? `d:${name}` : name
  const declared = isDav ? '' : ` xmlns="${escapeXml(ns)}"`
  const written = attributes.map((one, n) => {
    if (one.ns === '') return ` ${one.name}="${escapeXml(one.value)}"`
    if (one.ns === 'http://www.w3.org/XML/1998/namespace') return ` xml:${one.name}="${escapeXml(one.value)}"`
    return ` xmlns:a${n}="${escapeXml(one.ns)}" a${n}:${one.name}="${escapeXml(one.value)}"`
  })
  const start = `${tag}${declared}${written.join('')}`
  return inside === '' ? `<${start}/>` : `<${start}>${inside}</${tag}>`
}

export const xmlHead = '<?xml version="1.0" encoding="utf-8"?>\n'
