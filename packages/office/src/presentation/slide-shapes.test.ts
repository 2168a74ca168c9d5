// Shapes and pictures of slides are added, placed and removed; all else stays byte for byte.
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { SlideChange } from './slide-structure.ts'
import { type Deck, openSlides } from './slides.ts'

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const box = { x: 100, y: 50, width: 200, height: 120 }
const slidePart = 'ppt/slides/slide1.xml'

/** The empty presentation with elements at the end of its slide. */
function withElements(elements: string, behind = '', more: Readonly<Record<string, string>> = {}): Uint8Array {
  const parts = unzipSync(emptyDocument('pptx') ?? new Uint8Array())
  const xml = strFromU8(parts[slidePart] ?? new Uint8Array())
    .replace('</p:spTree>', `${elements}</p:spTree>`)
    .replace('</p:sld>', `${behind}</p:sld>`)
  const added = Object.entries(more).map(([name, text]) => [name, strToU8(text)] as const)
  return zipSync({ ...parts, [slidePart]: strToU8(xml), ...Object.fromEntries(added) })
}

/** The deck after changes, each on the draft of the one before, as the page makes them. */
function after(bytes: Uint8Array, ...changes: readonly SlideChange[]): Deck {
  let draft = ''
  for (const change of changes) draft = openSlides(bytes, draft).restructured(change) ?? draft
  return openSlides(bytes, draft)
}
const slideOf = (file: Uint8Array): string => strFromU8(unzipSync(file)[slidePart] ?? new Uint8Array())

function differing(before: Uint8Array, now: Uint8Array): string[] {
  const [old, made] = [unzipSync(before), unzipSync(now)]
  const names = new Set([...Object.keys(old), ...Object.keys(made)])
  return [...names].filter((name) => !Buffer.from(old[name] ?? []).equals(made[name] ?? Buffer.of())).toSorted()
}
const textOf = (deck: Deck): string[] =>
  deck.places.flatMap(({ id, isNotes }) => (isNotes ? [] : [deck.words(id)])).filter((words) => words !== '')

const empty = withElements('')

// [R397] Shapes and pictures of slides are added, moved, sized and removed in the page; the rest of the file stays byte
// for byte as it is.
test('[R397] a shape is added with its words, moved and removed; only its slide is another one', () => {
  const count = openSlides(empty).objects(0).length
  const added = after(empty, { kind: 'addShape', at: 0, form: 'star5', box, text: '重点 & 难点' })
  expect(textOf(added)).toContain('重点 & 难点')
  expect(added.objects(0).at(-1)).toMatchObject({ shape: count, kind: 'shape', box, isMovable: true })
  expect(added.deck.slides[0]?.shapes.at(-1)).toMatchObject(box)
  expect(added.deck.slides[0]?.shapes.at(-1)?.outline).toMatch(/^M/)
  expect(differing(empty, added.bytes())).toEqual([slidePart])

  const moved = { ...box, x: 10, width: 300 }
  const placed = after(added.bytes(), { kind: 'placeShape', at: 0, shape: count, box: moved })
  expect(placed.objects(0).at(-1)?.box).toEqual(moved)
  const gone = after(placed.bytes(), { kind: 'removeShape', at: 0, shape: count })
  expect(slideOf(gone.bytes())).toBe(slideOf(empty))
})

test('[R397] a placeholder that has the place of its layout gets one of its own', () => {
  const moved = after(empty, { kind: 'placeShape', at: 0, shape: 0, box })
  expect(moved.objects(0)[0]?.box).toEqual(box)
  const own = '<p:spPr><a:xfrm><a:off x="952500" y="476250"/><a:ext cx="1905000" cy="1143000"/></a:xfrm></p:spPr>'
  expect(slideOf(moved.bytes())).toBe(slideOf(empty).replace('<p:spPr/>', own))
})

test('[R397] a picture is added with its part, and removed with it; also one that is only in the draft', () => {
  const added = after(empty, { kind: 'addPicture', at: 0, data: pixel, box, text: '图一' })
  const file = added.bytes()
  expect(added.objects(0).at(-1)).toMatchObject({ kind: 'picture', box })
  const media = Object.keys(unzipSync(file)).filter((name) => name.startsWith('ppt/media/'))
  expect(media).toHaveLength(1)
  expect(Buffer.from(unzipSync(file)[media[0] ?? ''] ?? []).toString('base64')).toBe(pixel.split(',')[1])
  const shape = added.objects(0).length - 1
  for (const [bytes, changes] of [
    [file, []],
    [empty, [{ kind: 'addPicture', at: 0, data: pixel, box, text: '图一' }]],
  ] as const) {
    const gone = after(bytes, ...changes, { kind: 'removeShape', at: 0, shape }).bytes()
    expect(Object.keys(unzipSync(gone)).filter((name) => name.startsWith('ppt/media/'))).toEqual([])
    expect(slideOf(gone)).toBe(slideOf(empty))
  }
  expect(
    openSlides(empty).restructured({
      kind: 'addPicture',
      at: 0,
      data: 'data:image/svg+xml;base64,AAAA',
      box,
      text: '',
    }),
  ).toBeUndefined()
})

test('[R397] a group moves as a whole; what is not understood stays byte for byte', () => {
  const unknown =
    '<mc:AlternateContent xmlns:mc="m"><mc:Choice Requires="p99"><p99:thing xmlns:p99="q" a=\'1\'/></mc:Choice></mc:AlternateContent>'
  const inner =
    '<p:sp><p:nvSpPr><p:cNvPr id="31" name="i"/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9525" cy="9525"/></a:xfrm></p:spPr></p:sp>'
  const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="30" name="g"/></p:nvGrpSpPr><p:grpSpPr><a:xfrm rot="60000"><a:off x="0" y="0"/><a:ext cx="95250" cy="95250"/><a:chOff x="0" y="0"/><a:chExt cx="9525" cy="9525"/></a:xfrm></p:grpSpPr>${inner}</p:grpSp>`
  const file = withElements(unknown + group, '<p:extLst><p:ext uri="{x}"/></p:extLst>')
  const { shape = 0 } = openSlides(file).objects(0).at(-1) ?? {}
  const made = slideOf(after(file, { kind: 'placeShape', at: 0, shape, box }).bytes())
  expect(made).toBe(
    slideOf(file).replace(
      '<a:xfrm rot="60000"><a:off x="0" y="0"/><a:ext cx="95250" cy="95250"/>',
      '<a:xfrm rot="60000"><a:off x="952500" y="476250"/><a:ext cx="1905000" cy="1143000"/>',
    ),
  )
})

test('[R397] a removed shape takes its animations along, and nothing of the others', () => {
  const sp = (id: number) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="s"/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9525" cy="9525"/></a:xfrm></p:spPr></p:sp>`
  const step = (id: number) =>
    `<p:par><p:cTn><p:childTnLst><p:set><p:cBhvr><p:tgtEl><p:spTgt spid="${id}"/></p:tgtEl></p:cBhvr></p:set></p:childTnLst></p:cTn></p:par>`
  const timing = (steps: string, builds: string) =>
    `<p:timing><p:tnLst><p:par><p:cTn><p:childTnLst>${steps}</p:childTnLst></p:cTn></p:par></p:tnLst><p:bldLst>${builds}</p:bldLst></p:timing>`
  const build = (id: number) => `<p:bldP spid="${id}" grpId="0"/>`
  const both = withElements(sp(41) + sp(42), timing(step(41) + step(42), build(41) + build(42)))
  const shape = openSlides(both).objects(0).length - 2
  const one = after(both, { kind: 'removeShape', at: 0, shape }).bytes()
  expect(slideOf(one)).toBe(slideOf(withElements(sp(42), timing(step(42), build(42)))))
  expect(slideOf(after(one, { kind: 'removeShape', at: 0, shape }).bytes())).toBe(slideOf(empty))
})
