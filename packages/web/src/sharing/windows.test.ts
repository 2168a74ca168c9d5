import { expect, test } from 'vitest'
import { sharingWindows } from './windows.ts'

// [R076] The windows for links have their documented sizes.
test('[R076] the windows of links are as large as the documents say', () => {
  const sizes = Object.entries(sharingWindows).map(([name, { size }]) => [name, `${size?.width}x${size?.height}`])
  expect(Object.fromEntries(sizes)).toMatchObject({
    'cloudoc-link-create': '630x690',
    'cloudoc-link-detail': '1030x690',
    'cloudoc-link-detail-lite': '660x480',
    'cloudoc-link-list': '900x515',
  })
})
