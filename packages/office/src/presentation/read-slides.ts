// Slides: the shapes and their positions, with what they inherit from layout and master.
import { drawChart, readChart } from '../chart/index.ts'
import {
  at,
  child,
  children,
  descendants,
  drawnColor,
  type Element,
  fromEmu,
  mappedColors,
  numberAt,
  textOf,
  themeColors,
} from '../package/index.ts'
import type { Block, PartNumber, Slide, SlideShape, Slides } from '../rendition/index.ts'
import { gradientOf } from './gradients.ts'
import { blocksOfText, type TextFrame } from './read-slide-text.ts'
import { outlineOf } from './shape-outlines.ts'
import { type ShapeBox, shapeElements } from './slide-shapes.ts'

/** An office package (OPC) as needed to parse slides. */
export interface SlidePackage {
  xml(path: string): Element | undefined
  /** Returns the relationships of a part by id, with their targets in the package. */
  relations(path: string): ReadonlyMap<string, { readonly type: string; readonly target: string }>
  /** Returns the part index of an image; undefined if browsers cannot display it. */
  picture(path: string): PartNumber | undefined
}

/** Options for parsing slides. */
export interface SlideReadOptions {
  /** Progress callback, from 0 to 1. */
  readonly progress?: (part: number) => void
  /**
   * Called with the text of each shape and of the notes, if its source can be identified; also for empty placeholders.
   */
  readonly onText?: (blocks: readonly Block[], frame: TextFrame, path: string, slide: number) => void
  /** Called with what lies on each slide itself, from the bottom to the top. */
  readonly onObjects?: (objects: readonly SlideObject[], slide: number) => void
}

/** A shape, picture, table, group or another element of a slide. */
export interface SlideObject {
  /** Its number among the elements of the slide. */
  readonly shape: number
  readonly kind: 'shape' | 'picture' | 'other'
  readonly box: ShapeBox
  readonly turn: number
  /** False for what the file stores twice, for newer and older programs. */
  readonly isMovable: boolean
}

type SlideCallbacks = readonly [blocks: readonly Block[], frame: TextFrame, path: string]

const mostSlides = 2000

/** Parses the slides of a presentation; `root` is its main part. The list is empty if there are no slides. */
export function readSlides(
  office: SlidePackage,
  path: string,
  root: Element,
  { progress, onText, onObjects }: SlideReadOptions = {},
): Slides {
  const relations = office.relations(path)
  const size = child(root, 'p:sldSz')
  const listed = children(child(root, 'p:sldIdLst'), 'p:sldId').slice(0, mostSlides)
  const slides: Slide[] = []
  for (const [n, { attributes }] of listed.entries()) {
    const target = relations.get(attributes['r:id'] ?? '')?.target
    const slide = target ? layerOf(office, target) : undefined
    progress?.((n + 1) / listed.length)
    const number = slides.length
    const told = onText && ((...words: SlideCallbacks) => onText(...words, number))
    const first = numberAt(root, 'firstSlideNum') ?? 1
    if (slide === undefined) continue
    slides.push(slideOf(office, slide, first + n, told, onObjects && ((objects) => onObjects(objects, number))))
  }
  return {
    kind: 'slides',
    width: fromEmu(numberAt(size, 'cx')) || 960,
    height: fromEmu(numberAt(size, 'cy')) || 540,
    slides,
  }
}

/** A slide, or its layout or master. */
interface Layer {
  readonly path: string
  readonly root: Element
  readonly relations: ReturnType<SlidePackage['relations']>
}

interface Scene {
  readonly office: SlidePackage
  /** Called only for text that belongs to this layer. */
  readonly onWords: ((...words: SlideCallbacks) => void) | undefined
  readonly theme: ReadonlyMap<string, string>
  /** The colour of text that has none, if it is not that of dark text. */
  readonly ink: string | undefined
  readonly number: number
  /** The slide first, then its layout and its master. */
  readonly layers: readonly Layer[]
}

function layerOf(office: SlidePackage, path: string): Layer | undefined {
  const root = office.xml(path)
  return root && { path, root, relations: office.relations(path) }
}

function relatedPart(office: SlidePackage, layer: Layer | undefined, type: string): Layer | undefined {
  const target = [...(layer?.relations.values() ?? [])].find((one) => one.type === type)?.target
  return target ? layerOf(office, target) : undefined
}

/** The colours of a slide: those of the theme, named by its own colour map or that of its layout or master. */
function colorsOf(
  office: SlidePackage,
  master: Layer | undefined,
  layers: readonly Layer[],
): Pick<Scene, 'theme' | 'ink'> {
  const overriding = layers.map((layer) => at(layer.root, 'p:clrMapOvr', 'a:overrideClrMapping'))
  const map = overriding.find((one) => one !== undefined) ?? child(master?.root, 'p:clrMap')
  const theme = mappedColors(themeColors(relatedPart(office, master, 'theme')?.root), map)
  return { theme, ink: map?.attributes['tx1']?.startsWith('lt') === true ? theme.get('tx1') : undefined }
}

const hidesMaster = (layer: Layer | undefined): boolean =>
  layer !== undefined && ['0', 'false'].includes(layer.root.attributes['showMasterSp'] ?? '')

function slideOf(
  office: SlidePackage,
  slide: Layer,
  number: number,
  onWords: Scene['onWords'],
  onObjects: ((objects: readonly SlideObject[]) => void) | undefined,
): Slide {
  const layout = relatedPart(office, slide, 'slideLayout')
  const master = relatedPart(office, layout, 'slideMaster')
  const layers = [slide, layout, master].filter((one) => one !== undefined)
  const scene: Scene = { office, ...colorsOf(office, master, layers), number, layers, onWords }
  const shown = hidesMaster(slide)
    ? [slide]
    : layers.filter((layer) => layer !== master || !hidesMaster(layout)).reverse()
  const back = backOf(scene)
  // Placeholders of a layout are not shown on the slide, only its decorative shapes.
  const shapes = shown.flatMap((layer) => shapesOf(at(layer.root, 'p:cSld', 'p:spTree'), scene, layer, layer !== slide))
  onObjects?.(objectsOf(slide, scene))
  const notes = relatedPart(office, slide, 'notesSlide')
  const said = notes && notesOf(notes, scene)
  return {
    ...back,
    shapes,
    ...(said ? { notes: said } : {}),
    ...(['0', 'false'].includes(slide.root.attributes['show'] ?? '') ? { hidden: true as const } : {}),
  }
}

function notesOf({ root, path }: Layer, { theme, onWords }: Scene): string {
  const bodies = [...descendants(root, 'p:sp')]
    .filter((shape) => [...descendants(shape, 'p:ph')][0]?.attributes['type'] === 'body')
    .flatMap((shape) => children(shape, 'p:txBody'))
  const [body] = bodies
  if (body !== undefined && onWords !== undefined) {
    const frame: TextFrame = { body, theme, isTitle: false, styles: [], ink: undefined, shrink: 1, isNotes: true }
    onWords(blocksOfText(frame), frame, path)
  }
  return bodies
    .flatMap((one) => children(one, 'a:p'))
    .map((paragraph) => [...descendants(paragraph, 'a:t')].map(textOf).join(''))
    .join('\n')
    .trim()
}

function backOf({ office, theme, layers }: Scene): Pick<Slide, 'fill' | 'gradient' | 'image'> {
  for (const layer of layers) {
    const back = at(layer.root, 'p:cSld', 'p:bg')
    if (back === undefined) continue
    const properties = child(back, 'p:bgPr')
    const image = pictureIn(properties, layer, office)
    if (image !== undefined) return { image }
    const fill = fillOf(properties, theme) ?? drawnColor(child(back, 'p:bgRef'), theme)
    if (fill !== undefined) return { fill, ...gradientIn(properties, theme) }
  }
  return {}
}

const gradientIn = (
  properties: Element | undefined,
  theme: ReadonlyMap<string, string>,
): Pick<SlideShape, 'gradient'> => {
  const gradient = gradientOf(properties, theme)
  return gradient === undefined ? {} : { gradient }
}

/** Returns a single fill colour; of a gradient the first one. */
function fillOf(properties: Element | undefined, theme: ReadonlyMap<string, string>): string | undefined {
  const solid = child(properties, 'a:solidFill')
  if (solid !== undefined) return drawnColor(solid, theme)
  return drawnColor(child(at(properties, 'a:gradFill', 'a:gsLst'), 'a:gs'), theme)
}

function pictureIn(holder: Element | undefined, layer: Layer, office: SlidePackage): number | undefined {
  const id =
    at(holder, 'a:blipFill', 'a:blip')?.attributes['r:embed'] ??
    at(holder, 'p:blipFill', 'a:blip')?.attributes['r:embed']
  const target = layer.relations.get(id ?? '')?.target
  return target ? office.picture(target) : undefined
}

/** Transforms group coordinates to slide coordinates. */
interface Frame {
  readonly x: number
  readonly y: number
  readonly across: number
  readonly down: number
}

const wholeSlide: Frame = { x: 0, y: 0, across: 1, down: 1 }

function shapesOf(
  tree: Element | undefined,
  scene: Scene,
  layer: Layer,
  decorates: boolean,
  frame = wholeSlide,
): SlideShape[] {
  return children(tree).flatMap((one): SlideShape[] => {
    if (one.name === 'mc:AlternateContent') {
      // The text exists twice, as alternate content for newer and older programs.
      const seen = { ...scene, onWords: undefined }
      return shapesOf(child(one, 'mc:Fallback') ?? child(one, 'mc:Choice'), seen, layer, decorates, frame)
    }
    if (one.name === 'p:grpSp') return shapesOf(one, scene, layer, decorates, groupFrame(one, frame))
    if (!['p:sp', 'p:pic', 'p:cxnSp', 'p:graphicFrame'].includes(one.name)) {
      // An element that is not known may hold shapes.
      return /Pr$|^p:(extLst|custDataLst)$/.test(one.name) ? [] : shapesOf(one, scene, layer, decorates, frame)
    }
    const placeholder = [...descendants(child(one) ?? one, 'p:ph')][0]
    if (decorates && placeholder !== undefined) return []
    const place = placeOf(one, placeholder, scene, frame)
    if (place === undefined) return []
    const own = decorates ? { ...scene, onWords: undefined } : scene
    if (one.name === 'p:graphicFrame') {
      const drawn = diagramShapes(one, own, layer, { ...frame, x: place.x, y: place.y })
      if (drawn !== undefined) return drawn
    }
    const made =
      one.name === 'p:graphicFrame'
        ? (tableOf(one, own, layer) ??
          chartOf(one, own, layer, place) ??
          diagramOf(one, own, layer) ??
          objectOf(one, own, layer))
        : contentOf(one, placeholder, own, layer, place)
    return made === undefined ? [] : [{ ...place, ...made }]
  })
}

function groupFrame(group: Element, outer: Frame): Frame {
  const transform = at(group, 'p:grpSpPr', 'a:xfrm')
  const [off, ext] = [child(transform, 'a:off'), child(transform, 'a:ext')]
  const [childOff, childExt] = [child(transform, 'a:chOff'), child(transform, 'a:chExt')]
  if (off === undefined || ext === undefined) return outer
  const across = (numberAt(ext, 'cx') ?? 1) / (numberAt(childExt, 'cx') || numberAt(ext, 'cx') || 1)
  const down = (numberAt(ext, 'cy') ?? 1) / (numberAt(childExt, 'cy') || numberAt(ext, 'cy') || 1)
  const x = fromEmu(numberAt(off, 'x')) - fromEmu(numberAt(childOff, 'x')) * across
  const y = fromEmu(numberAt(off, 'y')) - fromEmu(numberAt(childOff, 'y')) * down
  return {
    x: outer.x + x * outer.across,
    y: outer.y + y * outer.down,
    across: across * outer.across,
    down: down * outer.down,
  }
}

function objectsOf({ root }: Layer, scene: Scene): SlideObject[] {
  return shapeElements(root).flatMap((element, shape): SlideObject[] => {
    const isDouble = element.name === 'mc:AlternateContent'
    const shown = isDouble ? child(child(element, 'mc:Fallback') ?? child(element, 'mc:Choice')) : element
    if (shown === undefined) return []
    const placeholder = [...descendants(child(shown) ?? shown, 'p:ph')][0]
    const place = shown.name === 'p:grpSp' ? groupPlace(shown) : placeOf(shown, placeholder, scene, wholeSlide)
    if (place === undefined) return []
    const { x, y, width, height, turn = 0 } = place
    const kind = shown.name === 'p:pic' ? 'picture' : shown.name === 'p:sp' ? 'shape' : 'other'
    return [{ shape, kind, box: { x, y, width, height }, turn, isMovable: !isDouble }]
  })
}

function groupPlace(group: Element): (ShapeBox & { readonly turn?: number }) | undefined {
  const transform = at(group, 'p:grpSpPr', 'a:xfrm')
  const [off, ext] = [child(transform, 'a:off'), child(transform, 'a:ext')]
  if (off === undefined || ext === undefined) return undefined
  const [x, y] = [numberAt(off, 'x'), numberAt(off, 'y')].map(fromEmu)
  const [width, height] = [numberAt(ext, 'cx'), numberAt(ext, 'cy')].map(fromEmu)
  return { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0 }
}

const hasText = (shape: Element): boolean => [...descendants(shape, 'a:t')].some((one) => textOf(one) !== '')

/** The size of text that no part places. Programs show it at the corner of the slide, so it is drawn and found. */
const sizeOfUnplaced = { width: fromEmu(9_144_000), height: fromEmu(914_400) } as const

/** Returns the position of a shape: its own, or that of its placeholder in the layout or master. */
function placeOf(
  shape: Element,
  placeholder: Element | undefined,
  { layers }: Scene,
  frame: Frame,
): Omit<SlideShape, 'blocks'> | undefined {
  const own = at(shape, 'p:spPr', 'a:xfrm') ?? child(shape, 'p:xfrm')
  const filled = placeholder === undefined ? [] : layers.slice(1).map((layer) => filledBy(layer, placeholder))
  const transform = [own, ...filled.map((one) => at(one, 'p:spPr', 'a:xfrm'))].find(
    (one) => child(one, 'a:ext') !== undefined,
  )
  if (transform === undefined) return hasText(shape) ? { x: frame.x, y: frame.y, ...sizeOfUnplaced } : undefined
  const [off, ext] = [child(transform, 'a:off'), child(transform, 'a:ext')]
  const turn = (numberAt(transform, 'rot') ?? 0) / 60_000
  const flip = [transform.attributes['flipH'] === '1', transform.attributes['flipV'] === '1'] as const
  return {
    x: frame.x + fromEmu(numberAt(off, 'x')) * frame.across,
    y: frame.y + fromEmu(numberAt(off, 'y')) * frame.down,
    width: fromEmu(numberAt(ext, 'cx')) * frame.across,
    height: fromEmu(numberAt(ext, 'cy')) * frame.down,
    ...(turn === 0 ? {} : { turn }),
    ...(flip.includes(true) ? { flip } : {}),
  }
}

/** Returns the placeholder of a layout or master that is filled, by index or by type. */
function filledBy(layer: Layer, placeholder: Element): Element | undefined {
  const { idx, type = 'body' } = placeholder.attributes
  const isTitle = (one: string | undefined): boolean => one === 'title' || one === 'ctrTitle'
  const places = [...descendants(layer.root, 'p:sp')].map((shape) => ({
    shape,
    mark: [...descendants(child(shape, 'p:nvSpPr') ?? shape, 'p:ph')][0]?.attributes,
  }))
  const found =
    places.find(({ mark }) => idx !== undefined && mark?.['idx'] === idx) ??
    places.find(({ mark }) => mark !== undefined && (mark['type'] ?? 'body') === type) ??
    places.find(({ mark }) => mark !== undefined && isTitle(type) && isTitle(mark['type'])) ??
    places.find(({ mark }) => type === 'subTitle' && mark?.['type'] === 'body')
  return found?.shape
}

const forms: Readonly<Record<string, NonNullable<SlideShape['form']>>> = {
  roundRect: 'round',
  round2SameRect: 'round',
  ellipse: 'ellipse',
  line: 'line',
  straightConnector1: 'line',
  bentConnector3: 'line',
  flowChartConnector: 'ellipse',
  flowChartAlternateProcess: 'round',
  flowChartTerminator: 'round',
}

function contentOf(
  shape: Element,
  placeholder: Element | undefined,
  scene: Scene,
  layer: Layer,
  place: Pick<SlideShape, 'width' | 'height'>,
): Partial<SlideShape> | undefined {
  const { theme, office, layers } = scene
  const properties = child(shape, 'p:spPr')
  const style = child(shape, 'p:style')
  const image = shape.name === 'p:pic' ? pictureIn(shape, layer, office) : pictureIn(properties, layer, office)
  const places = placeholder === undefined ? [] : layers.slice(1).flatMap((one) => filledBy(one, placeholder) ?? [])
  const none = child(properties, 'a:noFill') !== undefined
  const fill = none
    ? undefined
    : (fillOf(properties, theme) ??
      places.map((one) => fillOf(child(one, 'p:spPr'), theme)).find(Boolean) ??
      drawnColor(child(style, 'a:fillRef'), theme))
  const outline = child(properties, 'a:ln')
  const ink =
    child(outline, 'a:noFill') === undefined
      ? (fillOf(outline, theme) ?? drawnColor(child(style, 'a:lnRef'), theme))
      : undefined
  const form = shape.name === 'p:cxnSp' ? 'line' : forms[child(properties, 'a:prstGeom')?.attributes['prst'] ?? '']
  const path = form === undefined ? outlineOf(properties, place) : undefined
  const painted = [properties, ...places.map((one) => child(one, 'p:spPr'))].find((one) => fillOf(one, theme))
  const frame = textFrame(shape, placeholder, scene, places)
  const blocks: Block[] = frame === undefined ? [] : blocksOfText(frame)
  if (frame !== undefined) scene.onWords?.(blocks, frame, layer.path)
  const about = at(shape, 'p:nvPicPr', 'p:cNvPr')?.attributes
  const missing =
    shape.name === 'p:pic' && image === undefined
      ? ({ what: 'image', name: about?.['descr'] ?? about?.['title'] ?? '' } as const)
      : undefined
  const isEmpty = [image, fill, ink, missing].every((one) => one === undefined) && blocks.length === 0
  if (isEmpty) return undefined
  const body = [child(shape, 'p:txBody'), ...places.map((one) => child(one, 'p:txBody'))].map((one) =>
    child(one, 'a:bodyPr'),
  )
  const anchor = body.map((one) => one?.attributes['anchor']).find((one) => one !== undefined)
  const inset = (name: string, usual: number): number =>
    fromEmu(body.map((one) => numberAt(one, name)).find((one) => one !== undefined) ?? usual)
  return {
    ...(form === undefined ? {} : { form }),
    ...(path === undefined ? {} : { outline: path }),
    ...(fill === undefined ? {} : { fill, ...gradientIn(painted, theme) }),
    ...(ink === undefined ? {} : { line: { color: ink, width: Math.max(1, fromEmu(numberAt(outline, 'w') ?? 9525)) } }),
    ...(image === undefined ? {} : { image }),
    ...(missing === undefined ? {} : { missing }),
    ...(blocks.length === 0
      ? {}
      : {
          blocks,
          insets: [inset('tIns', 45_720), inset('rIns', 91_440), inset('bIns', 45_720), inset('lIns', 91_440)] as const,
          ...verticalOf(body.map((one) => one?.attributes['vert']).find((one) => one !== undefined)),
          ...(anchor === 'ctr' ? { anchor: 'middle' as const } : anchor === 'b' ? { anchor: 'bottom' as const } : {}),
        }),
  }
}

/** The direction of text by the `vert` attribute of its body (ECMA-376 20.1.10.82). */
function verticalOf(vert = 'horz'): Pick<SlideShape, 'vertical'> {
  if (['eaVert', 'wordArtVert', 'wordArtVertRtl', 'mongolianVert'].includes(vert)) return { vertical: 'upright' }
  return vert === 'vert' ? { vertical: 'right' } : vert === 'vert270' ? { vertical: 'left' } : {}
}

/** Returns the text of a shape with the applicable styles, the most general first. */
function textFrame(
  shape: Element,
  placeholder: Element | undefined,
  { theme, layers, onWords, ink, number }: Scene,
  places: readonly Element[],
): TextFrame | undefined {
  const body = child(shape, 'p:txBody')
  const isEmpty = body === undefined || ![...descendants(body, 'a:t')].some((one) => textOf(one) !== '')
  // An empty placeholder is returned only if it can be filled in.
  if (body === undefined || (isEmpty && (onWords === undefined || placeholder === undefined))) return undefined
  const type = placeholder?.attributes['type'] ?? (placeholder === undefined ? 'other' : 'body')
  const master = child(layers.at(-1)?.root, 'p:txStyles')
  const name =
    /title/i.test(type) && type !== 'subTitle' ? 'p:titleStyle' : type === 'other' ? 'p:otherStyle' : 'p:bodyStyle'
  return {
    body,
    theme,
    isTitle: name === 'p:titleStyle',
    styles: [
      child(master, name),
      ...[...places].reverse().map((one) => at(one, 'p:txBody', 'a:lstStyle')),
      child(body, 'a:lstStyle'),
    ],
    ink: drawnColor(at(shape, 'p:style', 'a:fontRef'), theme) ?? ink,
    // Text that is edited keeps its fields as they are in the file.
    ...(onWords === undefined ? { number } : {}),
    shrink: (numberAt(at(body, 'a:bodyPr', 'a:normAutofit'), 'fontScale') ?? 100_000) / 100_000,
  }
}

function chartOf(
  frame: Element,
  { office, theme }: Scene,
  layer: Layer,
  { width, height }: Pick<SlideShape, 'width' | 'height'>,
): Partial<SlideShape> | undefined {
  const id = at(frame, 'a:graphic', 'a:graphicData', 'c:chart')?.attributes['r:id']
  const target = layer.relations.get(id ?? '')?.target
  const chart = target ? readChart(office.xml(target), theme) : undefined
  return chart && { drawing: drawChart(chart, width, height) }
}

/** An embedded object: its picture, or its place with its name. */
function objectOf(frame: Element, { office }: Scene, layer: Layer): Partial<SlideShape> {
  const image = [...descendants(frame, 'p:pic')]
    .map((picture) => pictureIn(picture, layer, office))
    .find((one) => one !== undefined)
  if (image !== undefined) return { image }
  const object = [...descendants(frame, 'p:oleObj')][0]?.attributes
  const about = at(frame, 'p:nvGraphicFramePr', 'p:cNvPr')?.attributes
  return { missing: { what: 'object', name: about?.['descr'] ?? object?.['name'] ?? about?.['name'] ?? '' } }
}

/** The shapes that the program has stored as the drawing of a diagram (SmartArt), if there are any. */
function diagramShapes(frame: Element, scene: Scene, layer: Layer, place: Frame): SlideShape[] | undefined {
  const id = at(frame, 'a:graphic', 'a:graphicData', 'dgm:relIds')?.attributes['r:dm']
  const data = layer.relations.get(id ?? '')?.target
  const root = data ? scene.office.xml(data) : undefined
  const drawn = [...descendants(root, 'dsp:dataModelExt')][0]?.attributes['relId']
  const target = layer.relations.get(drawn ?? '')?.target
  const drawing = target ? layerOf(scene.office, target) : undefined
  const tree = child(drawing?.root, 'dsp:spTree')
  if (drawing === undefined || tree === undefined) return undefined
  const own: Scene = { ...scene, onWords: undefined, layers: [drawing] }
  const shapes = shapesOf(asSlide(tree), own, drawing, false, place)
  return shapes.length === 0 ? undefined : shapes
}

/** The elements of a drawing under the names that they have on slides. */
const asSlide = (element: Element): Element => ({
  name: element.name.replace(/^dsp:/, 'p:'),
  attributes: element.attributes,
  children: element.children.map((one) => (typeof one === 'string' ? one : asSlide(one))),
})

/** The texts of a diagram (SmartArt) without a drawing, one below the other. */
function diagramOf(frame: Element, { office, theme }: Scene, layer: Layer): Partial<SlideShape> | undefined {
  const id = at(frame, 'a:graphic', 'a:graphicData', 'dgm:relIds')?.attributes['r:dm']
  const target = layer.relations.get(id ?? '')?.target
  const root = target ? office.xml(target) : undefined
  const bodies = root === undefined ? [] : [...descendants(root, 'dgm:t')].filter(hasText)
  const blocks = bodies.flatMap((body) =>
    blocksOfText({ body, theme, isTitle: false, styles: [], ink: undefined, shrink: 1, size: 18 }),
  )
  return blocks.length === 0 ? undefined : { blocks, insets: [0, 0, 0, 0] }
}

function tableOf(frame: Element, { theme, onWords }: Scene, layer: Layer): Partial<SlideShape> | undefined {
  const table = at(frame, 'a:graphic', 'a:graphicData', 'a:tbl')
  if (table === undefined) return undefined
  const isHead = child(table, 'a:tblPr')?.attributes['firstRow'] === '1'
  const rows = children(table, 'a:tr').map((row, n) =>
    children(row, 'a:tc')
      .filter(({ attributes }) => attributes['hMerge'] !== '1' && attributes['vMerge'] !== '1')
      .map((cell) => {
        const own = fillOf(child(cell, 'a:tcPr'), theme)
        const fill = own ?? (isHead && n === 0 ? theme.get('accent1') : undefined)
        const body = child(cell, 'a:txBody')
        const { vertical } = verticalOf(child(cell, 'a:tcPr')?.attributes['vert'])
        const across = numberAt(cell, 'gridSpan') ?? 1
        const down = numberAt(cell, 'rowSpan') ?? 1
        const ink = isHead && n === 0 ? '#ffffff' : undefined
        const words: TextFrame | undefined = body && {
          body,
          theme,
          isTitle: false,
          styles: [],
          ink,
          shrink: 1,
          size: 18,
        }
        const blocks = words === undefined ? [] : blocksOfText(words)
        if (words !== undefined) onWords?.(blocks, words, layer.path)
        return {
          blocks,
          ...(fill === undefined ? {} : { fill }),
          ...(vertical === undefined ? {} : { vertical: vertical === 'left' ? ('up' as const) : ('down' as const) }),
          ...(across > 1 ? { across } : {}),
          ...(down > 1 ? { down } : {}),
        }
      }),
  )
  const widths = children(child(table, 'a:tblGrid'), 'a:gridCol').map((one) => fromEmu(numberAt(one, 'w')))
  return { blocks: [{ is: 'table', widths, rows }], insets: [0, 0, 0, 0] }
}
