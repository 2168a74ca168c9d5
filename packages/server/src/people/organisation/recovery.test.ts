// A power is given at the machine where nobody can give it any more.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld, type World } from '../../../test/harness.ts'
import { type Recovery, recoverPower } from './index.ts'

const recover = (world: World, account: string, more: Partial<Recovery> = {}) =>
  recoverPower(world.app.db, { account, power: 'system', force: false, enable: false, now: Date.now(), ...more })

test('a power that nobody holds is given to an account, at once and in the audit; one that is held only by force', async () => {
  const world = await openWorld()
  const [admin, anna, ben] = [await world.admin(), await world.person('anna'), await world.person('ben')]
  await expect(recover(world, 'anna')).rejects.toThrow('admin can sign in')
  await expect(recover(world, 'nobody')).rejects.toThrow('no account nobody')
  expect(await anna.refusal('getOverview', {})).toBe('noPermission')
  // The first administrator has given up, and those who followed have left.
  await sql`update account set is_admin = false where account = 'admin'`.execute(world.app.db)
  expect(await recover(world, 'Anna')).toMatchObject({ account: 'anna', isEnabled: false })
  // The session that is open has the power.
  await anna.call('getOverview', {})
  await expect(recover(world, 'anna', { power: 'audit' })).rejects.toThrow('holds another power')
  await expect(recover(world, 'ben')).rejects.toThrow('anna can sign in')
  await recover(world, 'ben', { power: 'audit' })
  const listed = async () =>
    (await ben.call('getAuditList', {})).list.filter(({ call }) => call === 'recoverPower').map(({ kind }) => kind)
  await expect.poll(listed).toEqual(['administration', 'administration'])
  const { rows } = await sql<{ detail: object }>`
    select detail from audit where call = 'recoverPower' order by id`.execute(world.app.db)
  expect(rows.map(({ detail }) => detail)).toMatchObject([
    { account: 'anna', power: 'system', forced: false },
    { account: 'ben', power: 'audit', forced: false },
  ])
  await recover(world, 'admin', { force: true })
  await expect(recover(world, 'admin', { force: true })).rejects.toThrow('already')
  expect(await admin.call('getOverview', {})).toBeDefined()
})

test('an account that cannot sign in gets a power only together with its usability', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  await sql`update account set is_admin = false where account = 'admin'`.execute(world.app.db)
  await sql`update account set state = 'frozen' where account = 'anna'`.execute(world.app.db)
  await expect(recover(world, 'anna')).rejects.toThrow('--enable')
  expect(await recover(world, 'anna', { enable: true })).toMatchObject({ isEnabled: true })
  expect((await world.signIn('anna')).userId).toBe(anna.userId)
})
