// @vitest-environment happy-dom
// The way in by mail on the page of a visitor: an address, the code that was sent there, and what is sent of both.
import { afterEach, expect, it, vi } from 'vitest'
import { button, cleanUp, click, render, screenText, type, until } from '../../../test/render.tsx'
import { labelsIn, validityText } from './labels.ts'
import { Visit } from './visit.tsx'

afterEach(async () => {
  await cleanUp()
  vi.unstubAllGlobals()
})

// [R222] On the visitor's screen: an address, its code, and why it is refused.
it('[R222] who is named by mail asks for a code, says why none can be had, and comes in by the one that was sent', async () => {
  history.replaceState(null, '', '/s/abcd')
  let isInside = false
  const asked: { path: string; body: unknown }[] = []
  const answers: Record<string, { result: number; data?: object }> = {
    '/code': { result: -42 },
    '/open': { result: -115 },
  }
  const link = {
    ...{ state: 'open', company: '云', creatorName: '林夏', fType: 1, startTime: 0, endTime: 1, note: '', rights: 4 },
    ...{ needsPassword: false, needsAccount: true, needsMail: true, needsName: false, downloadsLeft: null },
    ...{ fId: 1, fName: '报价.bin', fileSize: 1, extName: 'bin', modifyTime: 1, visitor: '' },
  }
  vi.stubGlobal('fetch', (url: string, { body }: RequestInit = {}) => {
    const path = url.replace(/^.*\/visit\/[^/]*/, '')
    if (path === '') return Response.json({ result: -1, data: { ...link, inside: isInside }, msg: '' })
    if (typeof body === 'string') asked.push({ path, body: JSON.parse(body) })
    const { result, data = {} } = answers[path] ?? { result: -205 }
    isInside ||= path === '/open' && result === -1
    return Response.json({ result, data: path === '/open' ? { link: { ...link, inside: isInside } } : data, msg: '' })
  })
  await render(<Visit />)
  await until(() => screenText().includes('你的邮箱'))
  expect(button('打开').disabled).toBe(true)
  await type('你的邮箱', 'wang@example.com')
  await click(button('获取验证码'))
  await until(() => screenText().includes('刚刚发过'))
  answers['/code'] = { result: -1, data: { codeTicket: 'ticket', expiresAt: 1 } }
  await click(button('获取验证码'))
  await until(() => screenText().includes('如果这个外链指定了 wang@example.com'))
  await type('6 位验证码', '12345')
  expect(button('打开').disabled).toBe(true)
  await type('6 位验证码', '123456')
  await click(button('打开'))
  await until(() => screenText().includes('验证码不正确或已过期'))
  // A visitor who also has an account may sign in with it.
  expect(button('我有公司账号')).toBeDefined()
  answers['/open'] = { result: -1 }
  await click(button('打开'))
  await until(() => screenText().includes('报价.bin'))
  const shown = { password: '', name: '', codeTicket: 'ticket', code: '123456' }
  expect(asked.filter(({ path }) => path === '/code' || path === '/open')).toEqual([
    { path: '/code', body: { mail: 'wang@example.com', locale: 'zh' } },
    { path: '/code', body: { mail: 'wang@example.com', locale: 'zh' } },
    { path: '/open', body: shown },
    { path: '/open', body: shown },
  ])
})

// [R228] A visitor sees the link's expiry and remaining time; for file collection the request text is shown beside the
// files.
it('[R228] says until when a link is good, and how long that still is', () => {
  const now = new Date(2026, 10, 20, 9, 0).getTime()
  const say = labelsIn('zh')
  const hour = 60 * 60_000
  expect(validityText(now + 167 * hour, say, 'until', now)).toBe('2026-11-27 08:00 前有效，还有 6 天 23 小时')
  expect(validityText(now + 1.5 * hour, say, 'deadlineAt', now)).toBe('2026-11-20 10:30，还有 1 小时 30 分钟')
  expect(validityText(now + 120_000, labelsIn('en'), 'until', now)).toBe('Good until 2026-11-20 09:02, 2 min left')
  expect(validityText(now - hour, say, 'until', now)).toBe('2026-11-20 08:00 到期')
})
