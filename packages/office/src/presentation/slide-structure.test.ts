import { emptyDocument } from '@cloudoc/server/empty-documents'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { SlideChange } from './slide-structure.ts'
import { openSlides } from './slides.ts'

const empty = emptyDocument('pptx') ?? new Uint8Array()

/** A presentation after changes, and the words of its slides. */
function after(bytes: Uint8Array, ...changes: readonly SlideChange[]): { file: Uint8Array; words: string[] } {
  let draft = ''
  for (const change of changes) draft = openSlides(bytes, draft).restructured(change) ?? draft
  const deck = openSlides(bytes, draft)
  const words = deck.deck.slides.map((_, n) =>
    deck.places.flatMap((one) => (one.slide === n && !one.isNotes ? [deck.words(one.id)] : [])).join('/'),
  )
  return { file: deck.bytes(), words }
}

function written(bytes: Uint8Array, words: readonly string[]): Uint8Array {
  const deck = openSlides(bytes)
  for (const [n, one] of words.entries()) {
    const place = deck.places.find(({ slide, isNotes }) => slide === n && !isNotes)
    if (place !== undefined) deck.type(place.id, one)
  }
  return deck.bytes()
}

// [R397] Slides are added, moved and removed in the page; all other parts of the file stay byte for byte as they were.
test('[R397] slides are added, moved and removed; a removed one leaves nothing in the file', () => {
  const one = after(empty, { kind: 'add', behind: 0 }, { kind: 'add', behind: 1 })
  expect(one.words).toHaveLength(openSlides(empty).deck.slides.length + 2)
  const named = written(one.file, ['甲', '乙', '丙'])
  const first = after(named).words.map((text) => text.split('/')[0])
  expect(first).toEqual(['甲', '乙', '丙'])
  const firstWords = (...changes: readonly SlideChange[]) =>
    after(named, ...changes).words.map((text) => text.split('/')[0])
  expect(firstWords({ kind: 'move', from: 0, to: 2 })).toEqual(['乙', '丙', '甲'])
  expect(firstWords({ kind: 'move', from: 2, to: 0 })).toEqual(['丙', '甲', '乙'])
  expect(firstWords({ kind: 'move', from: 0, to: 2 }, { kind: 'move', from: 2, to: 0 })).toEqual(['甲', '乙', '丙'])
  const less = after(named, { kind: 'remove', at: 1 })
  expect(less.words.map((text) => text.split('/')[0])).toEqual(['甲', '丙'])
  const [before, now] = [unzipSync(named), unzipSync(less.file)]
  expect(Object.values(now).some((part) => strFromU8(part).includes('乙'))).toBe(false)
  const others = Object.keys(now).filter((name) => !Buffer.from(now[name] ?? []).equals(before[name] ?? Buffer.of()))
  expect(others.toSorted()).toEqual(['[Content_Types].xml', 'ppt/_rels/presentation.xml.rels', 'ppt/presentation.xml'])
  expect(openSlides(empty).restructured({ kind: 'remove', at: 0 })).toBeUndefined()
})

test('a removed slide takes its notes along, and links to it', () => {
  const two = after(empty, { kind: 'add', behind: 0 }).file
  const deck = openSlides(two)
  deck.type(deck.places.find(({ slide, isNotes }) => slide === 1 && isNotes)?.id ?? 0, '机密备注')
  const parts = unzipSync(deck.bytes())
  const names = Object.keys(parts).filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
  const [first = '', second = ''] = names
  const relations = first.replace('slides/', 'slides/_rels/').concat('.rels')
  const target = `<Relationship Id="rIdJump" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="${second.replace('ppt/slides/', '')}"/></Relationships>`
  const linked = zipSync({
    ...parts,
    [relations]: strToU8(strFromU8(parts[relations] ?? new Uint8Array()).replace('</Relationships>', target)),
    [first]: strToU8(
      strFromU8(parts[first] ?? new Uint8Array()).replace(
        /<p:cNvPr id="2"([^>]*?)\/>/,
        '<p:cNvPr id="2"$1><a:hlinkClick r:id="rIdJump" action="ppaction://hlinksldjump"/></p:cNvPr>',
      ),
    ),
  })
  const made = unzipSync(after(linked, { kind: 'remove', at: 1 }).file)
  const all = Object.values(made)
    .map((part) => strFromU8(part))
    .join('')
  expect([all.includes('机密备注'), all.includes('rIdJump'), made[second]]).toEqual([false, false, undefined])
  expect(Object.keys(made).some((name) => name.startsWith('ppt/notesSlides/'))).toBe(false)
})
