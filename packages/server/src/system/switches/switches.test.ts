// A feature that is switched off is gone: its calls, its pushes, its protocol; its data stay.
import { type FeatureSwitch, features } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { personal, writeEvents } from '../../core/events.ts'

/** A mail arrives for somebody: a push of a feature that can be switched off, and a notice. */
const mailArrives = (world: World, { userId }: Person): Promise<void> =>
  world.app.db.transaction().execute((tx) =>
    writeEvents(
      tx,
      [
        personal('emailReceived', [userId], {
          serverId: 0,
          mailId: 1,
          mailTime: 1,
          senderName: 'a',
          mailTitle: 's',
        }),
      ],
      Date.now(),
    ),
  )

test('calls of a feature that is switched off are refused for all, also for administrators, and work again afterwards', async () => {
  const world = await openWorld({ elected: false })
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  const { conversationId } = await anna.call('imOpenChat', { userId: ben.userId })
  const off = async (feature: FeatureSwitch, isOn: boolean) => admin.call('setFeature', { feature, isOn })
  await off('talk', false)
  await off('workflow', false)
  expect(await anna.refusal('imChatList', {})).toBe('featureOff')
  // Every call of the feature, whatever its input and authority.
  const talk = Object.keys({
    ...features.talkAdministration.calls,
    ...features.talkContacts.calls,
    ...features.talkConversations.calls,
    ...features.talkMessages.calls,
  })
  for (const name of talk) {
    const wire = await admin.wire(name as 'imChatList', {})
    expect([name, wire.result]).toEqual([name, codes.featureOff.code])
  }
  expect(JSON.parse(await anna.call('getServerSetting', { code: 'features_off' }))).toEqual(['talk', 'workflow'])
  const { list } = await admin.call('getFeatures', {})
  expect(list.filter(({ isOn }) => !isOn).map(({ feature, changed }) => [feature, changed?.by])).toEqual([
    ['talk', '系统管理员'],
    ['workflow', '系统管理员'],
  ])
  expect(list.find(({ feature }) => feature === 'mail')?.changed).toBeNull()
  await off('talk', true)
  expect((await anna.call('imChatList', {})).list.map((chat) => chat.conversationId)).toContain(conversationId)
  expect(JSON.parse(await anna.call('getServerSetting', { code: 'features_off' }))).toEqual(['workflow'])
  expect(await anna.refusal('setFeature', { feature: 'talk', isOn: false })).toBe('noPermission')
})

test('pushes of a feature that is switched off wait until it is on again', async () => {
  const world = await openWorld({})
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  await admin.call('setFeature', { feature: 'mail', isOn: false })
  const listener = await anna.listen()
  await mailArrives(world, anna)
  await admin.call('setServerSetting', { company_name: '新名' })
  await listener.next((frame) => frame.pushType === features.administration.pushes.settingsChanged.type)
  expect(listener.frames.map(({ pushType }) => pushType)).not.toContain(features.mails.pushes.emailReceived.type)
  await admin.call('setFeature', { feature: 'mail', isOn: true })
  const again = await anna.listen()
  await again.next((frame) => frame.pushType === features.mails.pushes.emailReceived.type)
})

test('notices of a feature that is switched off are not shown, counted nor mailed, and are there again afterwards', async () => {
  const world = await openWorld({})
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  await admin.call('setFeature', { feature: 'mail', isOn: false })
  await mailArrives(world, anna)
  await world.app.settle()
  const told = async () => {
    const { total, groups } = await anna.call('getNotices', {})
    const { list } = await anna.call('getNoticeList', {})
    return { total, groups: groups.map(({ group }) => group), list: list.length }
  }
  expect(await told()).toEqual({ total: 0, groups: [], list: 0 })
  await admin.call('setFeature', { feature: 'mail', isOn: true })
  expect(await told()).toEqual({ total: 1, groups: ['email'], list: 1 })
})

test('the network drive is not there while it is switched off', async () => {
  const world = await openWorld({ elected: false })
  const admin = await world.admin()
  const ask = async () => (await world.app.http.inject({ method: 'OPTIONS', url: '/dav/' })).statusCode
  expect(await ask()).toBe(200)
  await admin.call('setFeature', { feature: 'webdav', isOn: false })
  expect(await ask()).toBe(404)
})

test('an operator receives a sample of every push that the server sends, and nobody else does', async () => {
  const world = await openWorld({ elected: false })
  const [admin, anna] = [await world.admin(), await world.person('anna')]
  const [own, others] = [await admin.listen(), await anna.listen()]
  const { list } = await admin.call('getTestPushes', {})
  const names = list.filter(({ ends }) => !ends).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(40)
  expect(await admin.call('sendTestPush', {})).toEqual({ count: names.length, clients: 1 })
  // Each is of its schema: the channel validates what it sends in tests.
  const types = list.filter(({ ends }) => !ends).map(({ type }) => type)
  await expect.poll(() => own.frames.filter(({ pushType }) => types.includes(pushType)).length).toBe(types.length)
  expect(await admin.call('sendTestPush', { name: 'spaceRefresh' })).toEqual({ count: 1, clients: 1 })
  expect(await admin.refusal('sendTestPush', { name: 'nothing' })).toBe('notFound')
  expect(others.frames.filter(({ pushType }) => types.includes(pushType))).toEqual([])
  expect(await anna.refusal('sendTestPush', {})).toBe('noPermission')
})
