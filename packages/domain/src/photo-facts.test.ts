import { expect, test } from 'vitest'
import { exposureText, photoFacts } from './photo-facts.ts'

test('[R164] a photo tells its camera and how it was taken, whatever else stands in its tags', () => {
  expect(
    photoFacts({
      Make: 'HUAWEI',
      Model: 'HUAWEI P60\0\0',
      DateTimeOriginal: '2026:11:20 09:30:12',
      ExposureTime: 0.008,
      FNumber: 1.8,
      ISO: 64,
      FocalLength: 26,
      latitude: 31.2,
    }),
  ).toEqual({ camera: 'HUAWEI P60', taken: '2026-11-20 09:30', exposure: 0.008, aperture: 1.8, iso: 64, focal: 26 })
  expect(photoFacts({ Make: 'Canon', Model: 'EOS R6', LensModel: 'x'.repeat(500) })).toEqual({
    camera: 'Canon EOS R6',
    lens: 'x'.repeat(80),
  })
  for (const nothing of [undefined, {}, { Make: ' ', ISO: Number.NaN, DateTimeOriginal: '0000:00:00 00:00:00' }])
    expect(photoFacts(nothing)).toBeUndefined()
  expect(photoFacts({ ISO: [64], FNumber: '1.8', Model: { a: 1 }, ExposureTime: -1 })).toBeUndefined()
})

test('an exposure reads as on a camera', () => {
  expect([0.008, 0.3, 0.5, 2].map(exposureText)).toEqual(['1/125\u00a0s', '1/3\u00a0s', '0.5\u00a0s', '2\u00a0s'])
})
