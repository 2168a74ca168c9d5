// Mails before certificates for signing end.
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness.ts'
import { queuedMailsIn } from '../../../test/mail-queue.ts'
import { mailOfEndingCertificates } from './ending.ts'

const dayMs = 24 * 60 * 60_000

test('administrators hear 90, 30 and 7 days before the authority ends, once each', async () => {
  const start = Date.now()
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  await admin.call('modifyUserInfo', { email: 'admin@example.com' })
  await admin.call('createSignAuthority', { name: '青云科技', years: 1 })
  const { authority } = await admin.call('getSignAuthority', {})
  const end = authority?.notAfter ?? 0
  expect(end).toBeGreaterThan(start)
  const { services } = world.app
  const at = (days: number) => mailOfEndingCertificates({ ...services, now: () => end - days * dayMs })
  const told = async (): Promise<string[]> =>
    (await queuedMailsIn(world.app, 'admin@example.com')).map(({ subject }) => subject)
  await at(20)
  expect(await told()).toEqual([])
  // Nothing is sent by anything but the test: the mails stay in the queue.
  await admin.call('setServerSetting', { mail_host: '127.0.0.1', mail_port: 9, mail_sender: 'drive@example.com' })
  await at(91)
  expect(await told()).toEqual([])
  for (const days of [90, 89, 30, 8, 7, 1]) await at(days)
  expect(await told()).toEqual([
    '签署证书“青云科技”还有 90 天到期',
    '签署证书“青云科技”还有 30 天到期',
    '签署证书“青云科技”还有 7 天到期',
  ])
})
