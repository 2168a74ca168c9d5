// Reactions: called once in each transaction and within it, for every kind of commit and however many calls share it.
import { fail, OperateType } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openWorld, type Person, type World } from '../../test/harness.ts'
import { Pauses } from '../../test/pauses.ts'
import { endEditLocks } from '../editing/locks/index.ts'
import { allFeatures } from '../installation.ts'
import { accountOf } from './actor.ts'
import { type Feature, feature } from './feature.ts'
import type { ObservedChange, Reaction } from './reactions.ts'

/** The changes received, one entry for each transaction. */
let heard: string[][] = []
const noted = (kind: Reaction['to'], tell: (each: ObservedChange<never>) => string): Reaction =>
  ({
    to: kind,
    react(_tx: unknown, all: readonly ObservedChange<never>[]) {
      heard.push(all.map((each) => `${kind} ${tell(each)}`))
      return Promise.resolve()
    },
  }) as Reaction

const operations = Object.fromEntries(Object.entries(OperateType).map(([name, type]) => [type, name]))

/** A feature that receives every change, refuses names, and records what it receives. */
const listener: Feature = feature({
  open: () => ({
    reactions: [
      noted(
        'person',
        ({ change, actor }: ObservedChange<'person'>) =>
          `${change.what} ${change.name} by ${actor === undefined ? 'nobody' : accountOf(actor).account}`,
      ),
      noted(
        'group',
        ({ change, actor }: ObservedChange<'group'>) =>
          `${change.what} ${change.name} by ${actor === undefined ? 'nobody' : accountOf(actor).account}`,
      ),
      noted(
        'settings',
        ({ change }: ObservedChange<'settings'>) => `${change.before.pwdLength} to ${change.after.pwdLength}`,
      ),
      noted(
        'item',
        ({ change, call }: ObservedChange<'item'>) => `${operations[change.operateType]} ${change.name} in ${call}`,
      ),
      {
        to: 'item',
        async react(tx, all) {
          for (const { change, now } of all) {
            if (change.name.startsWith('forbidden')) fail('typeRestricted')
            await sql`insert into throttle (key, failures, since) values (${`heard ${change.itemId} ${now}`}, 1, ${now})
              on conflict do nothing`.execute(tx)
          }
        },
      },
    ],
  }),
})

let world: World
let pauses: Pauses
let anna: Person
beforeEach(async () => {
  pauses = new Pauses()
  world = await openWorld({ features: [...allFeatures, listener], elected: false, pause: pauses.at })
  anna = await world.person('anna')
  heard = []
})

describe('a reaction', () => {
  test('hears of people, departments and settings with who changed them, in the order of its kinds', async () => {
    const admin = await world.admin()
    const { userId } = anna
    await world.person('ben')
    await admin.call('createGroup', { groupName: 'sales', parentId: 0 })
    await admin.call('setAccountState', { userId, state: 'frozen' })
    await admin.call('setServerSetting', { upload_max_size: 5 })
    expect(heard).toEqual([
      ['person created ben by admin'],
      ['group created sales by admin'],
      ['person state anna by admin'],
      ['settings 8 to 8'],
    ])
  })

  test('hears of the root of what is renamed, moved, deleted and restored, not of what lies below', async () => {
    const folder = await anna.folder(anna.library, 'folder')
    const target = await anna.folder(anna.library, 'target')
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await anna.upload(folder, name)
    heard = []
    await anna.call('renameFolder', { folderId: folder, folderName: 'renamed' })
    await anna.call('fileOrFolderMove', { folderIdArray: [folder], targetFolderId: target })
    await anna.call('fileOrFolderDelete', { folderIdArray: [folder] })
    await anna.call('recycleRestore', { folderIdArray: [folder] })
    expect(heard).toEqual([
      ['item rename renamed in renameFolder'],
      ['item move renamed in fileOrFolderMove'],
      ['item delete renamed in fileOrFolderDelete'],
      ['item restore renamed in recycleRestore'],
    ])
  })

  test('refuses a change by its code, which then changes nothing', async () => {
    expect(await anna.refusal('folderCreate', { parentId: anna.library, folderName: 'forbidden' })).toBe(
      'typeRestricted',
    )
    const [created] = await anna
      .call('folderCreate', { parentId: anna.library, folderName: 'x' })
      .then(({ folderId }) => [folderId])
    expect(await anna.refusal('renameFolder', { folderId: created ?? 0, folderName: 'forbidden' })).toBe(
      'typeRestricted',
    )
    expect(await anna.names(anna.library)).toEqual(['x'])
    const { rows } = await sql<{ key: string }>`select key from throttle where key like 'heard %'`.execute(world.app.db)
    expect(rows).toHaveLength(1)
  })

  test('of uploads that commit together hears once, and refuses the one that it means', async () => {
    await anna.upload(anna.library, 'first.txt')
    heard = []
    const leader = pauses.hold('commit uploadRaw')
    const leading = anna.uploadWire(anna.library, 'leading.txt', 'leading')
    await leader.reached
    const names = ['a.txt', 'forbidden.txt', 'b.txt']
    const following = names.map((name) => anna.uploadWire(anna.library, name, name))
    leader.release()
    expect((await leading).code).toBe('success')
    expect((await Promise.all(following)).map(({ code }) => code)).toEqual(['success', 'typeRestricted', 'success'])
    expect((await anna.names(anna.library)).sort()).toEqual(['a.txt', 'b.txt', 'first.txt', 'leading.txt'])
    // Neither the refused call nor the abandoned transaction leaves partial data.
    const { rows } = await sql<{ n: number }>`select count(*) as n from version v join item i on i.id = v.item_id
      where i.parent_id = ${anna.library}`.execute(world.app.db)
    expect(rows[0]?.n).toBe(4)
  })

  test('of uploads that commit together hears of all at once', async () => {
    await anna.upload(anna.library, 'first.txt')
    const leader = pauses.hold('commit uploadRaw')
    const leading = anna.uploadWire(anna.library, 'leading.txt', 'leading')
    await leader.reached
    heard = []
    const kept = () => pauses.passed.filter((point) => point === 'content kept').length
    const before = kept()
    const following = ['a.txt', 'b.txt'].map((name) => anna.uploadWire(anna.library, name, name))
    await vi.waitFor(() => expect(kept() - before).toBe(2), 120_000)
    leader.release()
    await Promise.all([leading, ...following])
    // In the order in which their contents were stored.
    expect(heard.map((at) => at.toSorted())).toEqual([['item add a.txt in uploadRaw', 'item add b.txt in uploadRaw']])
  })

  test('hears of what time has ended, by nobody', async () => {
    const fileId = await anna.upload(anna.library, 'a.txt')
    await anna.call('fileEditLock', { fileId })
    heard = []
    expect(await endEditLocks(world.app.services, Date.now() + 24 * 60 * 60_000)).toBe(1)
    expect(heard).toEqual([['item edit a.txt in editLockEnds']])
  })
})
