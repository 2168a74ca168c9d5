// Slides and shapes are changed while several people write into the frames.
import { emptyDocument } from '@cloudoc/server/empty-documents'
import { expect, test } from 'vitest'
import { frameWords } from './coedit-slides.ts'
import { parseSlideChange, rebasedFrames, restructuredSlides } from './restructured-slides.ts'
import type { SlideChange } from './slide-structure.ts'

const empty = emptyDocument('pptx') ?? new Uint8Array()
const box = { x: 0, y: 0, width: 100, height: 50 }
const shapeOf = (text: string): SlideChange => ({ kind: 'addShape', at: 0, form: 'rect', box, text })

function made(file: Uint8Array, change: SlideChange, words: Parameters<typeof restructuredSlides>[1] = []) {
  const found = restructuredSlides(file, words, change)
  if (found === undefined) throw new Error('nothing changed')
  return found
}

test('[R397] words that were written are in the changed file; frames behind a removed shape keep theirs', () => {
  const three = ['甲', '乙', '丙'].reduce((file, text) => made(file, shapeOf(text)).bytes, empty)
  const frames = frameWords(three) ?? []
  const names = new Map(frames.map(([name, words]) => [words, name]))
  const shape = frames.filter(([name]) => !name.endsWith('#notes')).findIndex(([, words]) => words === '乙')
  const { frames: after, rebase } = made(three, { kind: 'removeShape', at: 0, shape }, [
    [names.get('甲') ?? '', '甲方'],
  ])
  expect(after.map(([, words]) => words).filter((words) => words !== '')).toEqual(['甲方', '丙'])
  const moved = rebasedFrames(
    [rebase],
    ['甲', '乙', '丙'].map((words) => [names.get(words) ?? '', `${words}新`] as const),
  )
  expect(moved.gone).toEqual([[names.get('乙'), '乙新']])
  const now = new Map(after)
  expect(moved.frames.map(([name, words]) => [now.get(name), words])).toEqual([
    ['甲方', '甲新'],
    ['丙', '丙新'],
  ])
})

test('[R397] a removed slide takes its frames along; one that is added or moved leaves all names as they are', () => {
  const two = made(empty, { kind: 'add', behind: 0 })
  expect(two.rebase).toEqual({ renamed: {}, gone: [] })
  expect(made(two.bytes, { kind: 'move', from: 0, to: 1 }).rebase).toEqual({ renamed: {}, gone: [] })
  const { rebase, frames } = made(two.bytes, { kind: 'remove', at: 0 })
  expect(rebase.gone.length).toBeGreaterThan(0)
  expect(frames.some(([name]) => rebase.gone.includes(name))).toBe(false)
  expect(restructuredSlides(empty, [], { kind: 'remove', at: 0 })).toBeUndefined()
})

test('a change from the network is one of those that there are', () => {
  expect(parseSlideChange(JSON.stringify(shapeOf('甲')))).toEqual(shapeOf('甲'))
  expect(parseSlideChange('{"kind":"move","from":0,"to":1}')).toEqual({ kind: 'move', from: 0, to: 1 })
  for (const wrong of [
    'x',
    'null',
    '{"kind":"toString"}',
    '{"kind":"move","from":-1,"to":1}',
    '{"kind":"move","from":0,"to":1,"more":1}',
    JSON.stringify({ ...shapeOf('甲'), form: 'evil' }),
    JSON.stringify({ ...shapeOf('甲'), box: { ...box, width: -1 } }),
    JSON.stringify({ ...shapeOf('甲'), box: { ...box, x: '1' } }),
    '{"kind":"addPicture","at":0,"data":"data:text/html;base64,AAAA","box":{"x":0,"y":0,"width":1,"height":1},"text":""}',
  ])
    expect(parseSlideChange(wrong), wrong).toBeUndefined()
})
