/*
 * Shapes and pictures of a slide are added, placed and removed in the part of the slide. All else stays byte for byte. A
 * shape is named by its number among the elements of the slide (docs/adr/0390).
 */
import {
  addContentType,
  addRelations,
  at,
  attributeOf,
  child,
  children,
  descendants,
  type Element,
  escape,
  fromBase64,
  type Package,
  type PartChanges,
  type Placed,
  relationsOf,
  type Splice,
  spliced,
  treeOf,
} from '../package/index.ts'
import { dropUnused, type SlideChanges } from './package-changes.ts'

/** A place on a slide, in pixels. */
export interface ShapeBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const shapeForms = ['text', 'rect', 'roundRect', 'ellipse', 'triangle', 'rightArrow', 'star5', 'line'] as const
export type ShapeForm = (typeof shapeForms)[number]

export type ShapeChange =
  | {
      readonly kind: 'addShape'
      readonly at: number
      readonly form: ShapeForm
      readonly box: ShapeBox
      readonly text: string
    }
  | {
      readonly kind: 'addPicture'
      readonly at: number
      readonly data: string
      readonly box: ShapeBox
      readonly text: string
    }
  | { readonly kind: 'placeShape'; readonly at: number; readonly shape: number; readonly box: ShapeBox }
  | { readonly kind: 'removeShape'; readonly at: number; readonly shape: number }

/** The elements of a slide that are shapes, pictures, tables, groups and others, from the bottom to the top. */
export function shapeElements<T extends Element>(slide: T): readonly T[] {
  const tree = at(slide, 'p:cSld', 'p:spTree')
  return (children(tree) as T[]).filter(({ name }) => !/^p:(nvGrpSpPr|grpSpPr|extLst|custDataLst)$/.test(name))
}

/** Makes a change on the part of a slide; undefined if there is nothing to change. */
export function changedShapes(packed: Package, part: string, change: ShapeChange): SlideChanges | undefined {
  const xml = packed.text(part)
  const slide = treeOf(xml)
  const tree = at(slide, 'p:cSld', 'p:spTree') as Placed | undefined
  if (tree === undefined) return undefined
  const shape = 'shape' in change ? shapeElements(slide)[change.shape] : undefined
  switch (change.kind) {
    case 'addShape': {
      const made = shapeXml(change, freeId(tree))
      return new Map([[part, withShape(xml, tree, made)]])
    }
    case 'addPicture':
      return withPicture(packed, part, xml, tree, change)
    case 'placeShape':
      return shape && placed(xml, part, shape, change.box)
    case 'removeShape':
      return shape && removed(packed, xml, part, slide, shape)
  }
}

const emu = (pixels: number): number => Math.round(pixels * 9525)
const size = (pixels: number): number => Math.max(0, emu(pixels))
const transform = (name: string, { x, y, width, height }: ShapeBox): string =>
  `<${name}><a:off x="${emu(x)}" y="${emu(y)}"/><a:ext cx="${size(width)}" cy="${size(height)}"/></${name}>`

/** The namespace of drawings, for elements in a part that may not declare it. */
const drawings = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
const related = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

/** An id that no shape of the slide has. */
function freeId(tree: Placed): number {
  const ids = [...descendants(tree, 'p:cNvPr')].map(({ attributes }) => Number(attributes['id']) || 0)
  return Math.max(1, ...ids) + 1
}

/** The slide with an element on top of the others. */
function withShape(xml: string, tree: Placed, made: string): string {
  const place = (children(tree, 'p:extLst')[0] as Placed | undefined)?.from ?? tree.outer
  return spliced(xml, [{ from: place, to: place, by: made }])
}

const themed = (name: string): string => `<a:solidFill><a:schemeClr val="${name}"/></a:solidFill>`

function shapeXml({ form, box, text }: Extract<ShapeChange, { kind: 'addShape' }>, id: number): string {
  const about = (name: string, more = ''): string => `<p:cNvPr id="${id}" name="${name} ${id}"/>${more}<p:nvPr/>`
  const geometry = (preset: string): string => `<a:prstGeom prst="${preset}"><a:avLst/></a:prstGeom>`
  if (form === 'line')
    return `<p:cxnSp ${drawings}><p:nvCxnSpPr>${about('Line', '<p:cNvCxnSpPr/>')}</p:nvCxnSpPr><p:spPr>${transform('a:xfrm', box)}${geometry('line')}<a:ln w="19050">${themed('accent1')}</a:ln></p:spPr></p:cxnSp>`
  const isText = form === 'text'
  const look = isText ? '<a:noFill/>' : `${themed('accent1')}<a:ln><a:noFill/></a:ln>`
  const letters = isText ? '' : themed('bg1')
  const body = isText ? '<a:bodyPr wrap="square"><a:spAutoFit/></a:bodyPr>' : '<a:bodyPr wrap="square" anchor="ctr"/>'
  const paragraphs = text
    .split('\n')
    .map(
      (line) =>
        `<a:p><a:pPr${isText ? '' : ' algn="ctr"'}/><a:r><a:rPr sz="2000">${letters}</a:rPr><a:t>${escape(line)}</a:t></a:r></a:p>`,
    )
    .join('')
  const kind = isText ? '<p:cNvSpPr txBox="1"/>' : '<p:cNvSpPr/>'
  return `<p:sp ${drawings}><p:nvSpPr>${about(isText ? 'TextBox' : 'Shape', kind)}</p:nvSpPr><p:spPr>${transform('a:xfrm', box)}${geometry(isText ? 'rect' : form)}${look}</p:spPr><p:txBody>${body}<a:lstStyle/>${paragraphs}</p:txBody></p:sp>`
}

const endings: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/gif': 'gif' }

function withPicture(
  packed: Package,
  part: string,
  xml: string,
  tree: Placed,
  { data, box, text }: Extract<ShapeChange, { kind: 'addPicture' }>,
): SlideChanges | undefined {
  const [, type = '', content = ''] = /^data:([\w/]+);base64,([A-Za-z0-9+/=]+)$/.exec(data) ?? []
  const ending = endings[type]
  if (ending === undefined) return undefined
  let n = 1
  while (packed.names.some((name) => name.startsWith(`ppt/media/cdImage${n}.`))) n += 1
  const media = `ppt/media/cdImage${n}.${ending}`
  const id = freeId(tree)
  const relation = `rIdCdImage${n}`
  const changes: PartChanges = new Map()
  addContentType(packed, changes, { ending }, type)
  addRelations(packed, changes, part, [{ id: relation, kind: 'image', target: `/${media}` }])
  const picture = `<p:pic ${drawings} ${related}><p:nvPicPr><p:cNvPr id="${id}" name="Picture ${id}" descr="${escape(text)}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="${relation}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${transform('a:xfrm', box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`
  return new Map<string, string | Uint8Array | undefined>([
    ...changes,
    [media, fromBase64(content)],
    [part, withShape(xml, tree, picture)],
  ])
}

/** The element that holds the place of a shape, and the name of the place there. */
function placeHolder(shape: Placed): readonly [holder: Placed | undefined, name: string] {
  if (shape.name === 'p:graphicFrame') return [shape, 'p:xfrm']
  if (shape.name === 'p:grpSp') return [child(shape, 'p:grpSpPr') as Placed | undefined, 'a:xfrm']
  return [child(shape, 'p:spPr') as Placed | undefined, 'a:xfrm']
}

function placed(xml: string, part: string, shape: Placed, box: ShapeBox): SlideChanges | undefined {
  const [holder, name] = placeHolder(shape)
  if (holder === undefined || !/^p:(sp|pic|cxnSp|graphicFrame|grpSp)$/.test(shape.name)) return undefined
  const old = child(holder, name) as Placed | undefined
  const [off, ext] = [child(old, 'a:off'), child(old, 'a:ext')] as [Placed | undefined, Placed | undefined]
  const change = (splices: Splice[]): SlideChanges => new Map([[part, spliced(xml, splices)]])
  if (old !== undefined && off !== undefined && ext !== undefined)
    return change([
      { from: off.from, to: off.to, by: `<a:off x="${emu(box.x)}" y="${emu(box.y)}"/>` },
      { from: ext.from, to: ext.to, by: `<a:ext cx="${size(box.width)}" cy="${size(box.height)}"/>` },
    ])
  if (shape.name === 'p:grpSp' || shape.name === 'p:graphicFrame') return undefined
  const made = transform(name, box)
  if (old !== undefined) return change([{ from: old.from, to: old.to, by: made }])
  // A placeholder that has the place of its layout until now.
  if (holder.inner < holder.to || xml.slice(holder.from, holder.to).endsWith(`</${holder.name}>`))
    return change([{ from: holder.inner, to: holder.inner, by: made }])
  const open = xml.slice(holder.from, holder.to).replace(/\s*\/>$/, '>')
  return change([{ from: holder.from, to: holder.to, by: `${open}${made}</${holder.name}>` }])
}

const relationIds = (xml: string): ReadonlySet<string> =>
  new Set([...xml.matchAll(/\sr:\w+="([^"]+)"/g)].map(([, id = '']) => id))

/** Removes a shape with what only it refers to: pictures, charts, objects, its animations. */
function removed(packed: Package, xml: string, part: string, slide: Placed, shape: Placed): SlideChanges {
  const ids = new Set([...descendants(shape, 'p:cNvPr')].map(({ attributes }) => attributes['id'] ?? ''))
  const cuts = [{ from: shape.from, to: shape.to, by: '' }, ...animationsOf(slide, ids)]
  const without = spliced(
    xml,
    cuts.toSorted((one, other) => one.from - other.from),
  ).replace(/<a:(?:st|end)Cxn\s[^>]*\/>/g, (tag) => (ids.has(attributeOf(tag, 'id') ?? '') ? '' : tag))
  const kept = relationIds(without)
  const own = relationIds(xml.slice(shape.from, shape.to))
  const relations = relationsOf(packed, part)
  const gone = new Set([...own].filter((id) => !kept.has(id)))
  const changes: SlideChanges = new Map([[part, without]])
  const parts = [...gone].flatMap((id) => relations.get(id)?.part ?? [])
  const used = new Set([...relations].flatMap(([id, one]) => (gone.has(id) ? [] : [one.part])))
  dropUnused(
    packed,
    changes,
    part,
    gone,
    parts.filter((one) => !used.has(one)),
  )
  return changes
}

/** What removes the animations of shapes: their steps, with the steps around them that would be empty. */
function animationsOf(slide: Placed, ids: ReadonlySet<string>): Splice[] {
  const timing = child(slide, 'p:timing') as Placed | undefined
  if (timing === undefined) return []
  const isOf = (one: Placed): boolean =>
    [...descendants(one, 'p:spTgt')].some(({ attributes }) => ids.has(attributes['spid'] ?? ''))
  const builds = [...descendants(timing, 'p:bldLst')] as Placed[]
  const rest = builds.flatMap((list): Splice[] => {
    const entries = children(list) as Placed[]
    const own = entries.filter(({ attributes }) => ids.has(attributes['spid'] ?? ''))
    const cut = own.length === entries.length && own.length > 0 ? [list] : own
    return cut.map(({ from, to }) => ({ from, to, by: '' }))
  })
  if (!isOf(timing)) return rest
  /** The smallest steps that can go: a step goes whole if all steps in it would. */
  const cutIn = (step: Placed): Placed[] | 'whole' => {
    const lists = [...listsIn(step)]
    const parts = lists.flatMap((list) => children(list) as Placed[])
    if (parts.length === 0) return isOf(step) ? 'whole' : []
    const cut = parts.map((one) => (isOf(one) ? cutIn(one) : []))
    return cut.every((one) => one === 'whole')
      ? 'whole'
      : cut.flatMap((one, n) => (one === 'whole' ? [parts[n] as Placed] : one))
  }
  const cut = cutIn(timing)
  if (cut === 'whole') return [{ from: timing.from, to: timing.to, by: '' }]
  return [...cut.map(({ from, to }) => ({ from, to, by: '' })), ...rest]
}

/** The nearest lists of steps in a step. */
function* listsIn(step: Placed): Generator<Placed> {
  for (const one of children(step) as Placed[]) {
    if (one.name === 'p:childTnLst' || one.name === 'p:tnLst') yield one
    else yield* listsIn(one)
  }
}
