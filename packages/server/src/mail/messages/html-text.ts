// The HTML of mails: its words, for lists and search, and what of it is shown.
import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5'

const silent = new Set(['script', 'style', 'head', 'title', 'template', 'noscript'])
const blocks = new Set([
  'p',
  'div',
  'br',
  'tr',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'table',
  'blockquote',
  'td',
  'hr',
])
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
  return text
    .replaceAll(/[ \t\u00a0]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
}

/** Elements that run, load, send or navigate. */
const dropped = new Set([
  ...[
    'script',
    'noscript',
    'template',
    'iframe',
    'frame',
    'frameset',
    'object',
    'embed',
    'applet',
    'base',
    'meta',
    'link',
  ],
  ...['form', 'input', 'button', 'select', 'textarea', 'audio', 'video', 'svg', 'math', 'portal', 'title'],
])
const loading = new Set(['src', 'background', 'poster', 'lowsrc', 'dynsrc'])
const never = new Set(['srcset', 'ping', 'action', 'formaction', 'srcdoc', 'data'])
const inside = /^\s*(cid:|data:image\/)/i
const linked = /^\s*(https?:|mailto:|tel:|#)/i

/**
 * Styles without anything that is loaded. A style goes whole where CSS escapes could hide an address, and where one is
 * left, as in a function that is never closed or in one that is not known.
 */
function safeStyle(style: string): string {
  if (/\\|expression\s*\(|behavior\s*:|-moz-binding/i.test(style)) return ''
  const left = style.replaceAll(/@import[^;]*;?/gi, '').replaceAll(/(url|image|image-set|src)\s*\([^)]*\)/gi, 'none')
  return /\/\/|url\s*\(/i.test(left) ? '' : left
}

/** The HTML without what runs or navigates; without `withRemote` also without what is loaded from elsewhere. */
export function safeHtml(html: string, withRemote: boolean): string {
  const page = parse(html)
  const open: DefaultTreeAdapterTypes.ParentNode[] = [page]
  for (let nodes = 0; open.length > 0 && nodes < mostNodes; nodes++) {
    const node = open.pop()
    if (node === undefined) break
    node.childNodes = node.childNodes.filter(({ nodeName }) => !dropped.has(nodeName) && nodeName !== '#comment')
    for (const child of node.childNodes) {
      if (child.nodeName === 'style' && 'childNodes' in child && !withRemote)
        for (const text of child.childNodes) if ('value' in text) text.value = safeStyle(text.value)
      if ('attrs' in child)
        child.attrs = child.attrs.flatMap((attribute) => {
          const { name, value } = attribute
          if (name.startsWith('on') || never.has(name)) return []
          if (name === 'href' || name === 'xlink:href') return linked.test(value) ? [attribute] : []
          if (loading.has(name))
            return inside.test(value) || (withRemote && /^\s*https?:/i.test(value)) ? [attribute] : []
          if (name === 'style' && !withRemote) return [{ ...attribute, value: safeStyle(value) }]
          return [attribute]
        })
      if ('childNodes' in child) open.push(child)
    }
  }
  // A page too large to be checked whole is not shown.
  return open.length > 0 ? '' : serialize(page)
}
