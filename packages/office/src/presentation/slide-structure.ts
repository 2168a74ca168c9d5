/*
 * Adds, moves and removes slides, and the shapes on them. Only the list of slides and the parts of these slides change; a
 * removed slide takes along the parts that nothing else refers to.
 */
import {
  addContentType,
  addRelations,
  at,
  attributeOf,
  child,
  children,
  descendants,
  type Package,
  type PartChanges,
  type Placed,
  relationsFile,
  relationsOf,
  spliced,
  treeOf,
} from '../package/index.ts'
import { dropParts, ownersIn, type SlideChanges, withoutRelations } from './package-changes.ts'
import { changedShapes, type ShapeChange } from './slide-shapes.ts'

/** A change of the list of slides or of the shapes of one; slides are named by their index among those that are shown. */
export type SlideChange =
  | ShapeChange
  | { readonly kind: 'add'; readonly behind: number }
  | { readonly kind: 'move'; readonly from: number; readonly to: number }
  | { readonly kind: 'remove'; readonly at: number }

interface Listed {
  readonly element: Placed
  readonly part: string
}

/** Makes a change; undefined if there is nothing to change, or only one slide to remove. */
export function changedSlides(packed: Package, main: string, change: SlideChange): SlideChanges | undefined {
  const xml = packed.text(main)
  const relations = relationsOf(packed, main)
  const elements = children(child(treeOf(xml), 'p:sldIdLst'), 'p:sldId') as Placed[]
  const listed = elements.flatMap((element): Listed[] => {
    const part = relations.get(element.attributes['r:id'] ?? '')?.part
    return part !== undefined && packed.has(part) ? [{ element, part }] : []
  })
  switch (change.kind) {
    case 'move':
      return moved(xml, main, listed, change)
    case 'remove': {
      const slide = listed[change.at]
      return slide === undefined || listed.length < 2 ? undefined : removed(packed, xml, main, slide)
    }
    case 'add': {
      const slide = listed[change.behind]
      return slide && added(packed, xml, main, slide, elements)
    }
    default: {
      const part = listed[change.at]?.part
      return part === undefined ? undefined : changedShapes(packed, part, change)
    }
  }
}

function moved(
  xml: string,
  main: string,
  listed: readonly Listed[],
  { from, to }: { readonly from: number; readonly to: number },
): SlideChanges | undefined {
  const [slide, target] = [listed[from]?.element, listed[to]?.element]
  if (slide === undefined || target === undefined || from === to) return undefined
  const place = to > from ? target.to : target.from
  const changes = [
    { from: slide.from, to: slide.to, by: '' },
    { from: place, to: place, by: xml.slice(slide.from, slide.to) },
  ]
  return new Map([
    [
      main,
      spliced(
        xml,
        changes.toSorted((a, b) => a.from - b.from),
      ),
    ],
  ])
}

function removed(packed: Package, xml: string, main: string, { element, part }: Listed): SlideChanges {
  const { id = '', 'r:id': relation = '' } = element.attributes
  const without = spliced(xml, [{ from: element.from, to: element.to, by: '' }])
    // Sections and custom shows list slides, too.
    .replace(/<p14:sldId\s[^>]*\/>/g, (tag) => (attributeOf(tag, 'id') === id ? '' : tag))
    .replace(/<p:sld\s[^>]*\/>/g, (tag) => (attributeOf(tag, 'r:id') === relation ? '' : tag))
  const changes: SlideChanges = new Map([[main, without]])
  const gone = dropParts(packed, changes, [part])
  for (const owner of ownersIn(packed))
    if (!gone.has(owner) && [...relationsOf(packed, owner).values()].some((one) => one.part === part))
      unlink(packed, changes, owner, part)
  return changes
}

/** Removes the relationships of a part to a removed slide, with the links that use them. */
function unlink(packed: Package, changes: SlideChanges, owner: string, slide: string): void {
  const ids = new Set([...relationsOf(packed, owner)].flatMap(([id, { part }]) => (part === slide ? [id] : [])))
  changes.set(relationsFile(owner), withoutRelations(packed, owner, ids))
  if (!packed.has(owner)) return
  const links = /<a:hlink(Click|MouseOver)\s[^>]*(?:\/>|>[\s\S]*?<\/a:hlink\1>)/g
  const changed = changes.get(owner)
  const xml = typeof changed === 'string' ? changed : packed.text(owner)
  changes.set(
    owner,
    xml.replace(links, (tag) => (ids.has(attributeOf(tag, 'r:id') ?? '') ? '' : tag)),
  )
}

const prolog = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
const group = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'

function added(
  packed: Package,
  xml: string,
  main: string,
  { element, part: like }: Listed,
  elements: readonly Placed[],
): SlideChanges | undefined {
  const layout = layoutBehind(packed, like)
  if (layout === undefined) return undefined
  const changes: PartChanges = new Map()
  let n = 1
  while (packed.has(`ppt/slides/slide${n}.xml`)) n++
  const part = `ppt/slides/slide${n}.xml`
  const id = Math.max(255, ...elements.map(({ attributes }) => Number(attributes['id']) || 0)) + 1
  const relation = `rIdCdSlide${id}`
  changes.set(part, blankSlide(packed.text(layout)))
  addContentType(packed, changes, { part }, 'application/vnd.openxmlformats-officedocument.presentationml.slide+xml')
  addRelations(packed, changes, part, [{ id: 'rId1', kind: 'slideLayout', target: `/${layout}` }])
  addRelations(packed, changes, main, [{ id: relation, kind: 'slide', target: `/${part}` }])
  const own = element.attributes['id'] ?? ''
  const entry = `<p:sldId id="${id}" r:id="${relation}"/>`
  const listed = spliced(xml, [{ from: element.to, to: element.to, by: entry }]).replace(
    /<p14:sldId\s[^>]*\/>/g,
    (tag) => (attributeOf(tag, 'id') === own ? `${tag}<p14:sldId id="${id}"/>` : tag),
  )
  changes.set(main, listed)
  return changes
}

/** The layout for a slide behind another one: its own; behind a title slide that of a title with content. */
function layoutBehind(packed: Package, slide: string): string | undefined {
  const related = (part: string, kind: string): string[] =>
    [...relationsOf(packed, part).values()].flatMap((one) =>
      one.kind === kind && packed.has(one.part) ? [one.part] : [],
    )
  const [own] = related(slide, 'slideLayout')
  if (own === undefined || attributeOf(packed.head(own, 4000), 'type') !== 'title') return own
  const others = related(own, 'slideMaster').flatMap((master) => related(master, 'slideLayout'))
  return others.find((one) => attributeOf(packed.head(one, 4000), 'type') === 'obj') ?? own
}

/** A slide with the empty text placeholders of its layout. */
function blankSlide(layout: string): string {
  const tree = at(treeOf(layout), 'p:cSld', 'p:spTree')
  const shapes = children(tree, 'p:sp').flatMap((shape, n): string[] => {
    const mark = [...descendants(child(shape, 'p:nvSpPr'), 'p:ph')][0] as Placed | undefined
    if (
      mark === undefined ||
      !['title', 'ctrTitle', 'subTitle', 'body', 'obj', ''].includes(mark.attributes['type'] ?? '')
    )
      return []
    const id = n + 2
    return [
      `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Placeholder ${id}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>${layout.slice(mark.from, mark.to)}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody></p:sp>`,
    ]
  })
  return `${prolog}<p:sld ${spaces}><p:cSld><p:spTree>${group}${shapes.join('')}</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`
}
