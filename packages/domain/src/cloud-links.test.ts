import { expect, test } from 'vitest'
import { type CloudLinkItem, cloudLinkName, isCloudLink, readCloudLink, writeCloudLink } from './cloud-links.ts'

const now = Date.UTC(2026, 10, 29, 9)
const items: CloudLinkItem[] = [
  { serverId: 0, fType: 1, fId: 12, fName: '华东区渠道合作协议（修订 7）.docx' },
  { serverId: 2, fType: 2, fId: 9, fName: '合同与法务' },
]

test.each([
  ['a.dmcd', 0, true],
  ['A.DMCD', 19_999, true],
  ['a.dmcd', 20_000, false],
  ['a.dmcd', 86_400_000, false],
  // A file system that rounds its times up, and a time that lies in the future.
  ['a.dmcd', -1500, true],
  ['a.dmcd', -60_000, false],
  ['a.docx', 0, false],
  ['dmcd', 0, false],
])('[R131] [R391] %s, %i ms old, is a link to items: %s', (name, age, isLink) => {
  expect(isCloudLink({ name, lastModified: now - age }, now)).toBe(isLink)
})

test('[R131] a link file says which items it names, and contains nothing of them', () => {
  const text = writeCloudLink({ server: 'https://drive.example.com', items })
  expect(readCloudLink(text)).toEqual({ server: 'https://drive.example.com', items })
  expect(cloudLinkName(items)).toBe('华东区渠道合作协议（修订 7）.docx.dmcd')
})

test.each([
  ['', '{}', 'null', '[]', '[1]', '{"format":"cloudoc-dmcd"}'],
  ['{"format":"cloudoc-dmcd","server":"https://a","items":[]}'],
  ['{"format":"cloudoc-dmcd","server":"https://a","items":[{"serverId":0,"fType":3,"fId":1,"fName":"a"}]}'],
  ['{"format":"other","server":"https://a","items":[{"serverId":0,"fType":1,"fId":1,"fName":"a"}]}'],
  [' '.repeat(300_000)],
])('[R131] anything else is no link file', (...texts) => {
  for (const text of texts) expect(readCloudLink(text)).toBeUndefined()
})
