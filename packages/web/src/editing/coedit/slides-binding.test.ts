// @vitest-environment happy-dom
// Two decks of one presentation: what is written into one text at once is merged, and undo reverts only the own words.
import { frameKey, frameWords, openSlides } from '@cloudoc/office/presentation'
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createAwareness } from './awareness.ts'
import { withOwnChange } from './slides-adapter.tsx'
import { bindSlides, changeBetween } from './slides-binding.ts'

const bytes = emptyDocument('pptx') ?? new Uint8Array()

function deckOf(client: number) {
  const doc = new Y.Doc()
  doc.clientID = client
  const deck = openSlides(bytes)
  const shown: string[] = []
  const shared = bindSlides({ doc, others: createAwareness(doc, () => undefined) }, new Map(), deck, ({ name }) =>
    shown.push(name),
  )
  return { doc, deck, shared, shown }
}

test('[R148] what two write into one text at once is in both decks; undo takes back only the own words', () => {
  const name = frameWords(bytes)?.[0]?.[0] ?? ''
  const [hers, his] = [deckOf(1), deckOf(2)]
  const meet = (): void => {
    Y.applyUpdate(his.doc, Y.encodeStateAsUpdate(hers.doc), 'server')
    Y.applyUpdate(hers.doc, Y.encodeStateAsUpdate(his.doc), 'server')
  }
  hers.shared.type(0, '季度总结')
  meet()
  expect(his.deck.words(0)).toBe('季度总结')
  hers.shared.type(0, '第一季度总结')
  his.shared.type(0, '季度总结\r\n😀')
  meet()
  for (const { deck, doc } of [hers, his]) {
    expect(deck.words(0)).toBe('第一季度总结\n😀')
    expect(doc.getText(frameKey(name)).toJSON()).toBe('第一季度总结\n😀')
  }
  his.shared.undo()
  meet()
  expect([hers.deck.words(0), his.deck.words(0), his.shown]).toEqual(['第一季度总结', '第一季度总结', [name]])
})

test('a change between two texts cuts no character apart', () => {
  expect(changeBetween('a😀b', 'a😁b')).toEqual({ from: 1, to: 3, insert: '😁' })
  const { from, to, insert } = changeBetween('𠀀', '𡀀')
  expect(`${'𠀀'.slice(0, from)}${insert}${'𠀀'.slice(to)}`).toBe('𡀀')
})

test('[R397] words that were not sent before the slides were changed are written into the text as it is then', () => {
  const cases: [before: string, own: string, now: string, both: string][] = [
    ['甲乙', '甲乙丙', '甲乙', '甲乙丙'],
    ['甲乙', '甲乙丙', '头甲乙', '头甲乙丙'],
    ['甲乙', '头甲乙', '甲乙丙', '头甲乙丙'],
    ['甲乙', '甲乙丙', '甲乙丙', '甲乙丙'],
    ['甲乙', '甲一乙', '甲二乙', '甲二一乙'],
    ['甲乙', '甲乙', '甲乙丁', '甲乙丁'],
  ]
  for (const [before, own, now, both] of cases) expect(withOwnChange(before, own, now)).toBe(both)
})
