// XML as a tree, without what a document type would bring: no entity of its own, and nothing from elsewhere.
import { SaxesParser } from 'saxes'
import { Refused } from '../refusal.ts'

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

const mostElements = 3_000_000
const deepest = 400

/** Told of the elements of a document as they pass. */
export interface XmlListener {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/** Reads XML; who listens may end it by throwing. */
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

/** The elements among what an element holds; of a name, where one is given. */
export function children(element: Element | undefined, name?: string): Element[] {
  return (element?.children ?? []).filter(
    (one): one is Element => typeof one !== 'string' && (name === undefined || one.name === name),
  )
}

/** The first of them. */
export function child(element: Element | undefined, name?: string): Element | undefined {
  return children(element, name)[0]
}

/** Down a path of names. */
export function at(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce(child, element)
}

export function* descendants(element: Element | undefined, name: string): Generator<Element> {
  for (const one of children(element)) {
    if (one.name === name) yield one
    yield* descendants(one, name)
  }
}

export function textOf(element: Element | undefined): string {
  return (element?.children ?? []).map((one) => (typeof one === 'string' ? one : textOf(one))).join('')
}

/** A number in an attribute; undefined where there is none. */
export function numberAt(element: Element | undefined, attribute: string): number | undefined {
  const value = Number(element?.attributes[attribute] ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}
