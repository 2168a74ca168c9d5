import { expect, test } from 'vitest'
import { treeOf } from '../package/xml.ts'
import type { Block, Slide } from '../rendition/index.ts'
import { readSlides, type SlidePackage } from './read-slides.ts'

const placed = (x: number, y = 0): string =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="952500" cy="952500"/></a:xfrm><a:prstGeom prst="rect"/>`
const words = (text: string, body = '<a:bodyPr/>'): string =>
  `<p:txBody>${body}<a:p><a:r><a:rPr>${colored('tx1')}</a:rPr><a:t>${text}</a:t></a:r></a:p></p:txBody>`
const colored = (name: string): string => `<a:solidFill><a:schemeClr val="${name}"/></a:solidFill>`
const shape = (inner: string, more = '', x = 0): string => `<p:sp><p:spPr>${placed(x)}${more}</p:spPr>${inner}</p:sp>`
const frame = (uri: string, inner: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr name="附表"/></p:nvGraphicFramePr>${placed(952_500).replace('a:xfrm>', 'p:xfrm>').replace('</a:xfrm>', '</p:xfrm>')}<a:graphic><a:graphicData uri="${uri}">${inner}</a:graphicData></a:graphic></p:graphicFrame>`
const tree = (name: string, shapes: string, { attributes = '', back = '', behind = '' } = {}): string =>
  `<p:${name}${attributes}><p:cSld>${back}<p:spTree>${shapes}</p:spTree></p:cSld>${behind}</p:${name}>`
const dark = 'bg1="dk1" tx1="lt1" bg2="dk2" tx2="lt2"'
const ground = `<p:bg><p:bgPr>${colored('bg1')}</p:bgPr></p:bg>`
const theme = `<a:theme><a:themeElements><a:clrScheme>${[
  ['dk1', '000000'],
  ['lt1', 'FFFFFF'],
  ['accent1', '156082'],
]
  .map(([name, value]) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`)
  .join('')}</a:clrScheme></a:themeElements></a:theme>`

/** The slides of a presentation with one layout, one master and a theme. */
function slidesOf(slides: readonly string[], parts: Readonly<Record<string, string>> = {}): readonly Slide[] {
  const all: Readonly<Record<string, string>> = {
    slideLayout: tree('sldLayout', ''),
    slideMaster: tree('sldMaster', ''),
    theme,
    ...parts,
    ...Object.fromEntries(slides.map((xml, n) => [`slide${n}`, xml])),
  }
  const office: SlidePackage = {
    xml: (path) => (all[path] === undefined ? undefined : treeOf(all[path])),
    relations: () =>
      new Map([...Object.keys(all), 'image'].map((path) => [path, { type: path, target: path }] as const)),
    picture: (path) => (path === 'image' ? 3 : undefined),
  }
  const listed = slides.map((_, n) => `<p:sldId r:id="slide${n}"/>`).join('')
  return readSlides(office, '', treeOf(`<p:presentation><p:sldIdLst>${listed}</p:sldIdLst></p:presentation>`)).slides
}
const saidIn = (blocks: readonly Block[] = []): string =>
  blocks.map((one) => (one.is === 'text' ? one.runs.map(({ text }) => text).join('') : '')).join('/')

// [R163] Slides have the colours that their master, layout or own colour map gives, and only the shapes they show.
test('[R163] the colour map of a dark master and of a slide names the colours; a layout may hide the shapes of its master', () => {
  const [byMaster] = slidesOf([tree('sld', shape(words('白字')) + shape('', colored('bg1')))], {
    slideMaster: tree('sldMaster', '', { back: ground, behind: `<p:clrMap ${dark}/>` }),
  })
  expect(byMaster?.fill).toBe('#000000')
  expect(byMaster?.shapes).toMatchObject([{ blocks: [{ runs: [{ color: '#ffffff' }] }] }, { fill: '#000000' }])
  const own = `<p:clrMapOvr><a:overrideClrMapping ${dark}/></p:clrMapOvr>`
  expect(slidesOf([tree('sld', shape(words('白字')), { back: ground, behind: own })])[0]).toMatchObject({
    fill: '#000000',
    shapes: [{ blocks: [{ runs: [{ color: '#ffffff' }] }] }],
  })
  const layers = (attributes: string): Readonly<Record<string, string>> => ({
    slideMaster: tree('sldMaster', shape('', '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>')),
    slideLayout: tree('sldLayout', shape('', '<a:solidFill><a:srgbClr val="00FF00"/></a:solidFill>'), { attributes }),
  })
  const fills = (attributes: string) =>
    slidesOf([tree('sld', shape(words('标题')))], layers(attributes))[0]?.shapes.flatMap(({ fill }) => fill ?? [])
  expect([fills(' showMasterSp="0"'), fills('')]).toEqual([['#00ff00'], ['#ff0000', '#00ff00']])
})

// [R163] Diagrams and embedded objects on slides are shown by their drawing or picture, or leave a place.
test('[R163] a diagram is its drawing, an embedded sheet its picture, and what cannot be drawn leaves its place', () => {
  const node = (n: number, text: string): string =>
    shape(words(text).replace(colored('tx1'), ''), '', n * 952_500).replaceAll('p:', 'dsp:')
  const parts = {
    data: '<dgm:dataModel><dsp:dataModelExt relId="drawing"/></dgm:dataModel>',
    drawing: `<dsp:drawing><dsp:spTree>${node(0, '立项')}${node(1, '验收')}</dsp:spTree></dsp:drawing>`,
  }
  const [diagram] = slidesOf([tree('sld', frame('diagram', '<dgm:relIds r:dm="data"/>'))], parts)
  expect(diagram?.shapes.map(({ x, blocks }) => [x, saidIn(blocks)])).toEqual([
    [100, '立项'],
    [200, '验收'],
  ])
  const object = (picture: string): string =>
    `<mc:AlternateContent><mc:Choice Requires="v"><p:oleObj name="工作表"/></mc:Choice><mc:Fallback><p:oleObj name="工作表">${picture}</p:oleObj></mc:Fallback></mc:AlternateContent>`
  const picture = '<p:pic><p:blipFill><a:blip r:embed="image"/></p:blipFill></p:pic>'
  const [objects] = slidesOf([tree('sld', frame('ole', object(picture)) + frame('ole', object('')))])
  expect(objects?.shapes).toMatchObject([{ image: 3 }, { missing: { what: 'object', name: '工作表' } }])
  const metafile = `<p:pic><p:nvPicPr><p:cNvPr descr="流程"/></p:nvPicPr><p:blipFill><a:blip r:embed="gone"/></p:blipFill><p:spPr>${placed(0)}</p:spPr></p:pic>`
  expect(slidesOf([tree('sld', metafile)])[0]?.shapes).toMatchObject([{ missing: { what: 'image', name: '流程' } }])
})

// [R163] Slide numbers, vertical text and hidden slides are shown as PowerPoint shows them.
test('[R163] a field says the number of its slide, vertical text says how it runs, and a hidden slide says that it is', () => {
  const field = '<p:txBody><a:p><a:fld type="slidenum"><a:t>‹#›</a:t></a:fld></a:p></p:txBody>'
  const upright = shape(words('竖排', '<a:bodyPr vert="eaVert"/>'))
  const slides = slidesOf([
    tree('sld', upright),
    tree('sld', `<p:unknown>${shape(field)}</p:unknown>`, { attributes: ' show="0"' }),
  ])
  expect(slides).toMatchObject([{ shapes: [{ vertical: 'upright' }] }, { hidden: true, shapes: [{}] }])
  expect(saidIn(slides[1]?.shapes[0]?.blocks)).toBe('2')
})

// [R163] Gradients, stars, polygons, arrows and freeforms on slides are drawn as what they are.
test('[R163] a gradient has its colours and direction, and shapes with straight sides have their outline', () => {
  const stop = (at: number, color: string) => `<a:gs pos="${at}"><a:srgbClr val="${color}"/></a:gs>`
  const gradient = (more: string) =>
    `<a:gradFill><a:gsLst>${stop(100_000, 'FFFFFF')}${stop(0, '4472C4')}</a:gsLst>${more}</a:gradFill>`
  const of = (preset: string, more = '') =>
    shape('', more).replace('<a:prstGeom prst="rect"/>', `<a:prstGeom prst="${preset}"><a:avLst/></a:prstGeom>`)
  const plain = colored('accent1')
  const [slide] = slidesOf([
    tree('sld', of('rect', gradient('<a:lin ang="5400000"/>')) + of('hexagon', plain) + of('star5', plain), {
      back: `<p:bg><p:bgPr>${gradient('<a:path path="circle"/>')}</p:bgPr></p:bg>`,
    }),
  ])
  const stops = [
    [0, '#4472c4'],
    [1, '#ffffff'],
  ]
  expect(slide).toMatchObject({ fill: '#ffffff', gradient: { isRadial: true, stops } })
  const [rect, hexagon, star] = slide?.shapes ?? []
  expect(rect?.gradient).toEqual({ angle: 90, stops })
  expect([rect?.outline, hexagon?.gradient]).toEqual([undefined, undefined])
  expect(hexagon?.outline).toBe('M0 50L25 0L75 0L100 50L75 100L25 100Z')
  expect(star?.outline?.split('L')).toHaveLength(10)
  expect(star?.outline).toMatch(/^M50 0L/)
})

test('[R163] adjustments of a shape count, and a freeform is its path', () => {
  const geometry = (xml: string) => shape('', colored('accent1')).replace('<a:prstGeom prst="rect"/>', xml)
  const adjusted =
    '<a:prstGeom prst="parallelogram"><a:avLst><a:gd name="adj" fmla="val 50000"/></a:avLst></a:prstGeom>'
  const point = (x: number, y: number) => `<a:pt x="${x}" y="${y}"/>`
  const free = (last: string) =>
    `<a:custGeom><a:pathLst><a:path w="10" h="20"><a:moveTo>${point(0, 0)}</a:moveTo><a:cubicBezTo>${point(5, 0)}${point(10, 10)}${point(10, 20)}</a:cubicBezTo>${last}</a:path></a:pathLst></a:custGeom>`
  const [slide] = slidesOf([
    tree(
      'sld',
      geometry(adjusted) +
        geometry(free('<a:close/>')) +
        geometry(free('<a:arcTo wR="5" hR="5" stAng="0" swAng="1"/>')),
    ),
  ])
  expect(slide?.shapes.map(({ outline }) => outline)).toEqual([
    'M0 100L50 0L100 0L50 100Z',
    'M0 0C50 0 100 50 100 100Z',
    undefined,
  ])
})
