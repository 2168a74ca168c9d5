// @vitest-environment happy-dom
import { defaultWatermark } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { embeddedAddress, readOptions, watermarkOf } from './watermark-page.tsx'

// [R280] Watermarks have these values unless others are given: 45°, 60, 0.5, z-index 10000 in every view, line gap 4.
test('[R283] [R280] options describe a watermark as JSON or as fields; what they leave out is usual', () => {
  const said = { name: '林夏', account: 'linxia' }
  const { rotate, padding, opacity, lineGap } = defaultWatermark
  expect(watermarkOf(readOptions('{}'), said)).toMatchObject({
    ...{ lines: ['林夏 linxia'], rotate, padding, opacity, lineGap, zIndex: 10_000 },
  })
  expect(watermarkOf(readOptions('{"text":"仅供 {name}\\n内部","rotate":30,"layout":"corner"}'), said)).toMatchObject({
    ...{ lines: ['仅供 林夏', '内部'], rotate: 30, layout: 'corner' },
  })
  expect(watermarkOf(readOptions('text=a&opacity=7&color=red'), said)).toMatchObject({
    ...{ lines: ['a'], opacity: 1, color: defaultWatermark.color },
  })
})

// [R283] /watermark/:url/:options shows an address of this server under the watermark described by the options.
test('[R283] shows addresses of this server alone, and no watermark under a watermark', () => {
  expect(embeddedAddress('/window/previewer?fId=1')).toBe(`${location.origin}/window/previewer?fId=1`)
  const others = ['https://example.com/', 'javascript:alert(1)', 'data:text/html,x', '/watermark/x/y', 'http://[']
  expect(others.map(embeddedAddress)).toEqual(others.map(() => undefined))
})
