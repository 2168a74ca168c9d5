// @vitest-environment happy-dom
import { type CodeName, codes } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { signInAs } from '../../../test/session.ts'
import { CallError } from '../../core/call/api.ts'
import { setLocale, t } from '../../core/i18n/i18n.ts'
import { sessionStore } from '../../core/session/session.ts'
import { conversionFailure, previewFailure } from './preview-failure.ts'
import '../shared/texts.ts'

const file = { fName: '报表.xlsx', fileSize: 1000, canDownload: true }
const error = (code: CodeName) =>
  new CallError('getDocumentPreviewURL', { code, number: codes[code].code, message: code, quiet: true })

// [R168] Each state and refusal (-201 to -206, -35, -98, -4, too large, no preview format) says why nothing is shown,
// whether a retry helps and whether a download is possible.
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
    ...made.map((code) => conversionFailure(file, codes[code].code, codes[code][locale], t)),
    ...refused.map((code) => previewFailure(file, error(code), t)),
    previewFailure({ ...file, fileSize: 300 * 1024 * 1024 }, error('conversionUnsupported'), t),
    previewFailure({ ...file, fName: 'a.dwg' }, error('conversionUnsupported'), t),
    previewFailure({ ...file, fName: 'a.mp4', canDownload: false }, error('conversionUnsupported'), t),
    previewFailure(file, new Error('broken'), t),
  ]
  expect(new Set(shown.map(({ title, text }) => title + text)).size).toBe(shown.length)
  for (const { title, text } of shown) {
    expect(title + text).not.toMatch(/drive\.preview|\{\w+\}/)
    if (locale === 'en') expect(title + text).not.toMatch(/[\u3000-\u9fff]/)
  }
  // Offers a retry if it can help, and a download if permitted.
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

// [R165] Opening a file whose format is not previewed shows a message and offers its download.
test('[R165] where the lists of the administrator do not let a kind be shown, that is said, and nothing of its contents', async () => {
  await setLocale('zh')
  const told = (fName: string): string => previewFailure({ ...file, fName }, error('conversionUnsupported'), t).text
  signInAs(1)
  expect(told('报表.xlsx')).toContain('格式特性')
  sessionStore.setState(({ session }) => {
    if (session === undefined) return {}
    const { preview_format, ...rest } = session.serverSetting
    const formats = { ...preview_format, video: [], image: ['png'], download: ['xlsx'] }
    return { session: { ...session, serverSetting: { ...rest, preview_format: formats } } }
  })
  for (const name of ['报表.xlsx', '录音.WAV', '照片.jpg']) expect(told(name)).toContain('管理员没有为')
  expect(told('图.png')).not.toContain('管理员')
  expect(told('a.dwg')).not.toContain('管理员')
})
