import { expect, test } from 'vitest'
import { peaksOf, waveformPath } from './waveform.ts'

test('a wave has the loudest of each piece, and the loudest of all is whole [R164]', () => {
  expect(peaksOf([0, 0.1, -0.5, 0.2, 0, 0.25], 3)).toEqual([0.2, 1, 0.5])
  expect(peaksOf([], 2)).toEqual([0, 0])
  expect(peaksOf([0.5], 4).filter((peak) => peak > 0)).toEqual([1])
})

test('silence is drawn as a line', () => {
  expect(waveformPath([0, 1])).toBe('M0.2 0.980h0.6v0.040h-0.6zM1.2 0.000h0.6v2.000h-0.6z')
})
