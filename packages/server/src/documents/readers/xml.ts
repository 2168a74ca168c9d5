// Parses XML into a tree. Document types are ignored: no custom and no external entities.
import { child, type Element } from '@cloudoc/domain/office'
import { SaxesParser } from 'saxes'
import { Refused } from '../refusal.ts'

export { at, child, children, descendants, type Element, numberAt, textOf } from '@cloudoc/domain/office'

const mostElements = 3_000_000
const deepest = 400

/** Receives the elements of a document as they are parsed. */
export interface XmlListener {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Parses XML; the listener may stop it by throwing. */
export function scanXml(bytes: Buffer, listener: XmlListener): void {
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
  for (let at = 0; at < bytes.length; at += 65_536) {
    parser.write(decoder.decode(bytes.subarray(at, at + 65_536), { stream: true }))
  }
  parser.close()
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
