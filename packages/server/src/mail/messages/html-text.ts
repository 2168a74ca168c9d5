// The words of an HTML mail, for lists and search.
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

const silent = new Set(['script', 'style', 'head', 'title', 'template', 'noscript'])
const blocks = new Set(['p', 'div', 'br', 'tr', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'blockquote', 'td', 'hr'])
const mostNodes = 200_000

/** The text of an HTML document without markup, with a line break for each block. */
export function htmlText(html: string): string {
  if (html === '') return ''
  let text = ''
  let nodes = 0
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)]
  while (open.length > 0 && nodes < mostNodes) {
    nodes += 1
    const node = open.pop()
    if (node === undefined || silent.has(node.nodeName)) continue
    if ('value' in node && node.nodeName === '#text') text += node.value
    if (blocks.has(node.nodeName)) text += '\n'
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) open.push(child)
  }
  return text.replaceAll(/[ \t\u00a0]+/g, ' ').replaceAll(/\s*\n\s*/g, '\n').trim()
}
