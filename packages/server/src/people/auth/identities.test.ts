// An identity of a feature that exists only in this test: a directory of a company, like LDAP. The sign-in knows
// nothing of it but its declaration.
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { beforeEach, expect, test } from 'vitest'
import { openWorld, Person, type World } from '../../../test/harness.ts'
import { login, loginWithCaptcha, ownAccount, tokenOf } from '../../../test/sign-in.ts'
import { contribute } from '../../core/extension-points.ts'
import { feature } from '../../core/feature.ts'
import { bump } from '../../core/settings.ts'
import { allFeatures } from '../../installation.ts'
import { insertAccount } from '../organisation/index.ts'
import { type Identity, identities } from './index.ts'

/** The passwords in the directory, and whether it answers. */
const passwords = new Map([
  ['erin', 'Directory#1'],
  ['finn', 'Directory#2'],
])
let answers = true
/** The sessions that the directory has opened, as it would record them to end them later. */
const opened: number[] = []

const directory: Identity = {
  name: 'test directory',
  async byPassword({ db, now }, { account, accountKey, password, visitor }) {
    const known = passwords.get(accountKey)
    if (visitor || known === undefined) return undefined
    if (!answers) return fail('storageUnavailable')
    const row = await db.selectFrom('account').select('id').where('account_key', '=', accountKey).executeTakeFirst()
    if (password !== known) return { wrong: 'wrongPassword', accountId: row?.id ?? null }
    return {
      account:
        row?.id ??
        (async (write) => {
          const root = await write.tx
            .selectFrom('org_group')
            .select('id')
            .where('parent_id', 'is', null)
            .executeTakeFirstOrThrow()
          const person = { account, accountName: account, passwordHash: '', groupId: root.id, secretLevel: 0, now }
          const change = await insertAccount(write.tx, person)
          write.changed({ kind: 'person', change })
          await bump(write.tx, 'organisation')
          return change.accountId
        }),
      async opened(_write, sessionId) {
        opened.push(sessionId)
      },
    }
  },
  async byKey({ db }, { key }) {
    if (key !== 'badge of erin') return undefined
    const row = await db.selectFrom('account').select('id').where('account_key', '=', 'erin').executeTakeFirst()
    return { account: row?.id ?? fail('notFound') }
  },
}
const company = feature({ open: () => ({ contributions: [contribute(identities, directory)] }) })

let world: World
beforeEach(async () => {
  answers = true
  world = await openWorld({ features: [...allFeatures, company], elected: false })
})

const erin = { userName: 'Erin', password: 'Directory#1' }

test('an identity signs in with typed credentials and creates the account of a person who had none', async () => {
  opened.length = 0
  const [first, second] = await Promise.all([
    login(world, { ...erin, clientType: 6 }),
    login(world, { userName: 'finn', password: 'Directory#2', clientType: 6 }),
  ])
  expect(first).toMatchObject({ code: 'success', data: { accountInfo: { account: 'Erin' } } })
  expect(second).toMatchObject({ code: 'success', data: { accountInfo: { account: 'finn' } } })
  expect(await ownAccount(world, tokenOf(first))).toMatchObject({ code: 'success', data: { account: 'Erin' } })
  const again = await login(world, { ...erin, clientType: 9 })
  expect(again.data).toMatchObject({ accountInfo: (first.data as { accountInfo: object }).accountInfo })
  const rows = await world.app.db.selectFrom('session').select('id').where('id', 'in', opened).execute()
  expect(rows).toHaveLength(3)
})

test('its wrong credentials are counted, demand captchas and are recorded like those of a password', async () => {
  await login(world, erin)
  for (const password of ['a', 'b']) {
    expect(await login(world, { ...erin, password })).toMatchObject({ code: 'wrongPassword' })
  }
  expect(await login(world, erin)).toMatchObject({ code: 'wrongVerificationCode' })
  expect(await loginWithCaptcha(world, erin)).toMatchObject({ code: 'success' })
  const { rows } = await sql<{ refused: string }>`
    select detail->>'refused' as refused from audit
    where call = 'login3' and account_id is not null and detail ? 'refused'`.execute(world.app.db)
  expect(rows).toEqual([{ refused: 'wrongPassword' }, { refused: 'wrongPassword' }])
})

test('an account that may not be used gets no session, and one with a second factor not without a code', async () => {
  const admin = await world.admin()
  const token = tokenOf(await login(world, { ...erin, clientType: 9 }))
  const { userId } = (await ownAccount(world, token)).data as { userId: number }
  const person = new Person(world, 'Erin', userId, token, 0)
  const { secret } = await person.call('beginSecondFactor', {})
  await person.call('confirmSecondFactor', { factorCode: generateSync({ secret }) })
  expect(await login(world, erin)).toMatchObject({ code: 'secondFactorDue' })
  expect(await login(world, { ...erin, factorCode: '000000' })).toMatchObject({ code: 'wrongSecondFactor' })
  expect(await world.wire('login3ByLoginKey', { loginKey: 'badge of erin', clientType: 6 })).toMatchObject({
    code: 'secondFactorDue',
  })
  await login(world, { userName: 'finn', password: 'Directory#2' })
  const finn = await world.app.db.selectFrom('account').select('id').where('account', '=', 'finn').executeTakeFirst()
  await admin.call('setAccountState', { userId: finn?.id ?? 0, state: 'frozen' })
  expect(await login(world, { userName: 'finn', password: 'Directory#2' })).toMatchObject({ code: 'accountFrozen' })
})

test('it signs in with its keys, and a key that no identity knows is refused', async () => {
  await login(world, erin)
  const byKey = (loginKey: string) => world.wire('login3ByLoginKey', { loginKey, clientType: 9 })
  expect(await byKey('badge of erin')).toMatchObject({ code: 'success', data: { accountInfo: { account: 'Erin' } } })
  expect(await byKey('badge of finn')).toMatchObject({ code: 'notLoggedIn' })
})

test('while it does not answer, passwords of this server still sign in and nothing is counted', async () => {
  await world.person('anna')
  answers = false
  for (let n = 0; n < 4; n += 1) expect(await login(world, erin)).toMatchObject({ code: 'storageUnavailable' })
  expect(await login(world, { userName: 'anna' })).toMatchObject({ code: 'success' })
  answers = true
  expect(await login(world, erin)).toMatchObject({ code: 'success' })
})

test('without the feature its people do not exist', async () => {
  const plain = await openWorld({ elected: false })
  expect(await login(plain, erin)).toMatchObject({ code: 'wrongPassword' })
})
