// Parses XML into a tree. Document types are ignored: no custom and no external entities.
import { child, type Element } from '@cloudoc/office/package'
import { SaxesParser } from 'saxes'
import { Refused } from '../refusal.ts'

export { at, child, children, descendants, type Element, numberAt, textOf } from '@cloudoc/office/package'

const mostElements = 3_000_000
const deepest = 400

/** Receives the elements of a document as they are parsed. */
export interface XmlListener {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Thrown by a listener that has seen enough. */
export class EnoughSeen extends Error {}

/** Parses XML; the listener may stop it by throwing. Returns false if it has seen enough. */
export function scanXml(bytes: Buffer, listener: XmlListener): boolean {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false })
  let depth = 0
  let count = 0
  parser.on('error', (error) => {
    throw new Refused('conversionFailed', error.message)
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    count += 1
    if (depth > deepest || count > mostElements) throw new Refused('conversionFailed', 'too many elements')
    listener.open?.(name, attributes)
  })
  if (listener.text !== undefined) {
    parser.on('text', listener.text)
    parser.on('cdata', listener.text)
  }
  parser.on('closetag', ({ name }) => {
    depth -= 1
    listener.close?.(name)
  })
  const decoder = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8')
  try {
    for (let at = 0; at < bytes.length; at += 65_536) {
      parser.write(decoder.decode(bytes.subarray(at, at + 65_536), { stream: true }))
    }
    parser.close()
    return true
  } catch (error) {
    if (error instanceof EnoughSeen) return false
    throw error
  }
}

export function parseXml(bytes: Buffer): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  scanXml(bytes, {
    open(name, attributes) {
      const element: Element = { name, attributes, children: [] }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    text: (text) => void open.at(-1)?.children.push(text),
    close: () => void open.pop(),
  })
  return child(root) ?? root
}

/** Removes the namespace prefix of the root element from it and from all elements within. */
export function withoutPrefix(root: Element): Element {
  const prefix = root.name.slice(0, root.name.indexOf(':') + 1)
  if (prefix === '') return root
  const plain = (one: Element): Element => ({
    name: one.name.startsWith(prefix) ? one.name.slice(prefix.length) : one.name,
    attributes: one.attributes,
    children: one.children.map((inner) => (typeof inner === 'string' ? inner : plain(inner))),
  })
  return plain(root)
}
