// Inserting pictures, links and page breaks into a document. Each node contains all data that the file needs for it. It
// can therefore be undone, copied, stored in a draft and co-edited like any other node. The additional parts are
// generated from the existing nodes when the document is written.
import type { Attrs, Node } from 'prosemirror-model'
import {
  addContentType,
  addRelations,
  attributeOf,
  fromBase64,
  type Package,
  type PartChanges,
  type Relation,
} from '../package/index.ts'

const namespaces = {
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
}
const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/gif': 'gif' }

/** The picture types that every program can display. */
export const pictureTypes = Object.keys(endings)

/** Returns a hash of a content as its name: the same for every user who inserts it. */
function nameOf(content: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let n = 0; n < content.length; n++) {
    const code = content.charCodeAt(n)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}

/** Returns the URL of a link for a typed address; undefined if it is not valid. */
export function addressOf(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || /\s/.test(trimmed)) return undefined
  if (/^(?:https?:\/\/|mailto:)./i.test(trimmed)) return trimmed
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(trimmed)) return `mailto:${trimmed}`
  return /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(trimmed) ? `https://${trimmed}` : undefined
}

/** The attributes of the hyperlink element around the text of a link. */
export function linkAttrs(href: string): Attrs {
  const id = `rIdCdL${nameOf(href)}`
  return {
    open: `<w:hyperlink xmlns:r="${namespaces.r}" r:id="${id}" w:history="1">`,
    close: '</w:hyperlink>',
    id,
    href,
  }
}

/** Returns the attributes of an inline picture; its size is in pixels. */
export function pictureAttrs(data: string, width: number, height: number): Attrs {
  const [cx, cy] = [emu(width), emu(height)]
  const id = 1 + Math.floor(Math.random() * 2_000_000_000)
  const size = `cx="${cx}" cy="${cy}"`
  const { r, wp, a, pic } = namespaces
  const blip = `<a:blip xmlns:r="${r}" r:embed="rIdCdP${nameOf(data)}"/>`
  const shape = `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>`
  const picture = `<pic:pic xmlns:pic="${pic}"><pic:nvPicPr><pic:cNvPr id="${id}" name="Picture"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>${blip}<a:stretch><a:fillRect/></a:stretch></pic:blipFill>${shape}</pic:pic>`
  const graphic = `<a:graphic xmlns:a="${a}"><a:graphicData uri="${pic}">${picture}</a:graphicData></a:graphic>`
  const inline = `<wp:inline xmlns:wp="${wp}" distT="0" distB="0" distL="0" distR="0"><wp:extent ${size}/><wp:docPr id="${id}" name="Picture"/>${graphic}</wp:inline>`
  return { xml: `<w:r><w:drawing>${inline}</w:drawing></w:r>`, kind: 'picture', data, width, height }
}

const emu = (pixels: number): number => Math.max(1, Math.round(pixels * 9525))

/** Returns a picture with another size; undefined if its XML contains the size in an unsupported form. */
export function withPictureSize(attrs: Attrs, width: number, height: number): Attrs | undefined {
  const xml = String(attrs['xml'])
  const size = `cx="${emu(width)}" cy="${emu(height)}"`
  const extent = /<wp:extent\s[^>]*\/>/g
  const shape = /(<pic:spPr[^>]*>\s*<a:xfrm[^>]*>\s*<a:off\s[^>]*\/>\s*)<a:ext\s[^>]*\/>/g
  if (xml.match(extent)?.length !== 1 || xml.match(shape)?.length !== 1) return undefined
  const made = xml.replace(extent, `<wp:extent ${size}/>`).replace(shape, `$1<a:ext ${size}/>`)
  return { ...attrs, xml: made, width, height }
}

/** A page break. */
export const pageBreak: Attrs = { xml: '<w:r><w:br w:type="page"/></w:r>', kind: 'break' }

/** Adds the package parts and relationships that the nodes of a document need besides the main part. */
export function writeInsertions(packed: Package, changes: PartChanges, main: string, doc: Node): void {
  const relations = new Map<string, Relation>()
  doc.descendants((node) => {
    for (const { type, attrs } of node.marks) {
      const { href, id } = attrs as { readonly href?: string; readonly id: string }
      if (type.name !== 'wrap' || href === undefined || !id.startsWith('rIdCdL')) continue
      const address = addressOf(href)
      if (address !== undefined) relations.set(id, { id, kind: 'hyperlink', target: address, isExternal: true })
    }
    const data = String(node.attrs['data'] ?? '')
    const [, type = '', content = ''] = /^data:([\w/]+);base64,([A-Za-z0-9+/=]+)$/.exec(data) ?? []
    const ending = endings[type]
    if (node.type.name !== 'kept' || ending === undefined) return
    const name = nameOf(data)
    const part = `${main.slice(0, main.lastIndexOf('/') + 1)}media/cd${name}.${ending}`
    if (!packed.has(part)) changes.set(part, fromBase64(content))
    addContentType(packed, changes, { ending }, type)
    const id = `rIdCdP${name}`
    relations.set(id, { id, kind: 'image', target: `media/cd${name}.${ending}` })
  })
  if (relations.size > 0) addRelations(packed, changes, main, [...relations.values()])
}

/** The external link targets of a part, by relationship id. */
export function addressesOf(packed: Package, part: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const file = part.replace(/([^/]*)$/, '_rels/$1.rels')
  if (!packed.has(file)) return found
  for (const [tag] of packed.text(file).matchAll(/<(?:\w+:)?Relationship\s[^>]*>/g)) {
    if (attributeOf(tag, 'TargetMode') !== 'External') continue
    const [id, target] = [attributeOf(tag, 'Id'), attributeOf(tag, 'Target')]
    if (id !== undefined && target !== undefined) found.set(id, target)
  }
  return found
}
