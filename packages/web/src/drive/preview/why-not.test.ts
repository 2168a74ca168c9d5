// @vitest-environment happy-dom
import { type CodeName, codes } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { CallError } from '../../core/call/api.ts'
import { setLocale, t } from '../../core/i18n/i18n.ts'
import { whyNot, whyNotMade } from './why-not.ts'
import './words.ts'

const file = { fName: '报表.xlsx', fileSize: 1000, canDownload: true }
const error = (code: CodeName) =>
  new CallError('getDocumentPreviewURL', { code, number: codes[code].code, message: code, quiet: true })

test.each(['zh', 'en'] as const)('[R168] each state says in its own words why nothing is shown: %s', async (locale) => {
  await setLocale(locale)
  const made = [
    'conversionFailed',
    'conversionTimedOut',
    'cellLimit',
    'noConversionLock',
    'conversionUnsupported',
    'sourceEncrypted',
  ] as const
  const refused = ['versionMissing', 'virusFile', 'noPermission'] as const
  const shown = [
    ...made.map((code) => whyNotMade(file, codes[code].code, codes[code][locale], t)),
    ...refused.map((code) => whyNot(file, error(code), t)),
    whyNot({ ...file, fileSize: 300 * 1024 * 1024 }, error('conversionUnsupported'), t),
    whyNot({ ...file, fName: 'a.dwg' }, error('conversionUnsupported'), t),
    whyNot({ ...file, fName: 'a.mp4', canDownload: false }, error('conversionUnsupported'), t),
    whyNot(file, new Error('broken'), t),
  ]
  expect(new Set(shown.map(({ title, text }) => title + text)).size).toBe(shown.length)
  for (const { title, text } of shown) {
    expect(title + text).not.toMatch(/drive\.preview|\{\w+\}/)
    if (locale === 'en') expect(title + text).not.toMatch(/[\u3000-\u9fff]/)
  }
  // Asked again where that can help; to take along where that may be.
  expect(shown.map(({ retry }) => retry)).toEqual([
    ...[true, true, false, true, false, false],
    ...[false, false, true],
    ...[false, false, false, true],
  ])
  expect(shown.map(({ isClosed }) => isClosed === true)).toEqual([
    ...Array<boolean>(6).fill(false),
    ...[true, true, true],
    ...Array<boolean>(4).fill(false),
  ])
  expect(shown.slice(0, 8).map(({ code }) => code)).toEqual([-201, -202, -203, -204, -205, -206, -35, -98])
})
