// Every way a link ends, at each visitor call, on every process.

import { type Call, type CallName, callsByName } from '@cloudoc/contract'
import { type CodeName, linkRights, Right } from '@cloudoc/domain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, type World, wireOf } from '../../../test/harness.ts'
import { hour, linkWorld } from '../../../test/links.ts'

const { world, clock, now, open, enter, ask, wire, scene, make } = linkWorld()

/** The visitor calls, with their input for the file or folder of a link. */
const visitorCalls: Partial<Record<CallName, (ids: { fileId: number; folderId: number; version: number }) => object>> =
  {
    visitList: ({ folderId }) => ({ folderId }),
    visitPreview: ({ fileId }) => ({ fileId }),
    visitPictures: ({ fileId }) => ({ fileIdArray: [fileId] }),
    visitContent: ({ fileId }) => ({ fileId }),
    visitDownload: ({ fileId }) => ({ fileId }),
    visitPrint: ({ fileId }) => ({ fileId }),
    visitZip: ({ fileId }) => ({ files: `fi_${fileId}` }),
    visitUpload: ({ folderId }) => ({ folderId, fileName: 'neu.txt' }),
    visitVersion: ({ fileId, version }) => ({ fileId, version }),
  }

// [R228] Every way in which a link ends or pauses applies to the next request of each visitor call, on every process.
describe('[R228] a link that has died opens nothing, at any call, in the next request, at every process', () => {
  test('the calls of visitors are all here', () => {
    const taking = (Object.entries(callsByName) as [CallName, Call][]).filter(([, { actors }]) =>
      actors?.includes('visitor'),
    )
    expect(taking.map(([name]) => name).sort()).toEqual(Object.keys(visitorCalls).sort())
  })

  interface Way {
    readonly dies: (scene: Dying) => Promise<unknown>
    readonly code: 'notFound' | 'linkExpired' | 'noPermission' | 'notLoggedIn'
    /** The answer to a new visitor, if it differs. */
    readonly anew?: CodeName
    readonly lives?: (scene: Dying) => Promise<unknown>
  }
  interface Dying {
    readonly anna: Person
    readonly ben: Person
    readonly admin: Person
    readonly groupId: number
    readonly place: number
    readonly folderId: number
    readonly fileId: number
    readonly externalId: number
  }
  const rights = 2046
  const give = (scene: Dying, to: Person | { groupId: number } | { roleId: number }, mask = rights) =>
    scene.anna.shares({ folderId: scene.place }, [{ to, rights: mask }])
  const policy = ({ admin, ben }: Dying, said: object) =>
    admin.call('setLinkPolicy', { subjectType: 'user', subjectId: ben.userId, ...said })
  const ways: Record<string, Way> = {
    'the password changed': {
      dies: ({ ben, externalId }) => ben.call('externalModify', { externalId, password: 'new1' }),
      code: 'notLoggedIn',
      anew: 'wrongLinkPassword',
    },
    'given to people by name': {
      dies: ({ ben, anna, externalId }) => ben.call('externalModify', { externalId, userIdArray: [anna.userId] }),
      code: 'notLoggedIn',
    },
    'ended by an administrator': {
      dies: ({ admin, externalId }) => admin.call('cancelLinks', { externalIdArray: [externalId] }),
      code: 'notFound',
    },
    paused: {
      dies: ({ ben, externalId }) => ben.call('pauseExternal', { externalId, paused: true }),
      lives: ({ ben, externalId }) => ben.call('pauseExternal', { externalId, paused: false }),
      code: 'notFound',
    },
    cancelled: { dies: ({ ben, externalId }) => ben.call('cancelExternal', { externalId }), code: 'notFound' },
    'its end reached': {
      dies: () => Promise.resolve(clock.forward(2 * hour)),
      lives: () => Promise.resolve(clock.reset()),
      code: 'linkExpired',
    },
    'not begun': {
      dies: ({ ben, externalId }) => ben.call('externalModify', { externalId, startTime: now() + hour / 2 }),
      code: 'noPermission',
    },
    'under approval': {
      dies: ({ externalId }) =>
        world.app.db.updateTable('external_link').set({ approval: 'pending' }).where('id', '=', externalId).execute(),
      code: 'noPermission',
    },
    'its approval refused': {
      dies: ({ externalId }) =>
        world.app.db.updateTable('external_link').set({ approval: 'refused' }).where('id', '=', externalId).execute(),
      code: 'notFound',
    },
    'its approval revoked': {
      dies: ({ externalId }) =>
        world.app.db.updateTable('external_link').set({ approval: 'revoked' }).where('id', '=', externalId).execute(),
      code: 'notFound',
    },
    'the creator’s entry without EXTERNAL': {
      dies: (s) => give(s, s.ben, rights & ~Right.externalLink),
      lives: (s) => give(s, s.ben),
      code: 'notFound',
    },
    'the creator’s entry gone': {
      dies: (s) => s.anna.shares({ folderId: s.place }, []),
      lives: (s) => give(s, s.ben),
      code: 'notFound',
    },
    'inheritance closed': {
      dies: (s) => s.anna.shares({ folderId: s.folderId }, [], { inherit: false }),
      code: 'notFound',
    },
    'the creator not in the group any more': {
      dies: async (s) => {
        await give(s, { groupId: s.groupId })
        await s.admin.call('modifyAccount', { userId: s.ben.userId, groupId: 1 })
      },
      code: 'notFound',
    },
    'the capability taken from everybody': {
      dies: ({ admin }) =>
        admin.call('setCapabilities', { changes: [{ roleId: 0, capability: 'createLinks', allowed: false }] }),
      lives: ({ admin }) =>
        admin.call('setCapabilities', { changes: [{ roleId: 0, capability: 'createLinks', allowed: true }] }),
      code: 'notFound',
    },
    'the role lost': {
      dies: async (s) => {
        const { roleId } = await s.admin.call('createRole', { roleName: s.place.toString() })
        const has = (userIds: number[]) => s.admin.call('setRoleMembers', { roleId, userIds, groupIds: [], titles: [] })
        await has([s.ben.userId])
        await give(s, { roleId })
        expect((await s.ben.call('getExternalInfo', { externalId: s.externalId })).reason).toBe('active')
        await has([])
      },
      code: 'notFound',
    },
    'the policy tightened to no links': {
      dies: (s) => policy(s, { mayCreate: false }),
      lives: (s) => policy(s, {}),
      code: 'notFound',
    },
    'the policy tightened to a password': {
      dies: (s) => policy(s, { needsPassword: true }),
      lives: (s) => policy(s, {}),
      code: 'notFound',
    },
    'the policy tightened to an approval': {
      dies: (s) => policy(s, { needsApproval: true }),
      lives: (s) => policy(s, {}),
      code: 'noPermission',
    },
    'links switched off': {
      dies: ({ admin }) => admin.call('setSafeStrategy', { show_shared_links: false }),
      lives: ({ admin }) => admin.call('setSafeStrategy', { show_shared_links: true }),
      code: 'notFound',
    },
    'the creator frozen': {
      dies: ({ admin, ben }) => admin.call('setAccountState', { userId: ben.userId, state: 'frozen' }),
      lives: async ({ admin, ben }) => {
        await admin.call('setAccountState', { userId: ben.userId, state: 'normal' })
        people = { ...people, ben: await world.signIn(ben.account) }
      },
      code: 'notFound',
    },
    'the account of the creator disabled': {
      dies: ({ admin, ben }) => admin.call('setAccountState', { userId: ben.userId, state: 'disabled' }),
      lives: async ({ admin, ben }) => {
        await admin.call('setAccountState', { userId: ben.userId, state: 'normal' })
        people = { ...people, ben: await world.signIn(ben.account) }
      },
      code: 'notFound',
    },
    'the item deleted': {
      dies: ({ anna, folderId }) => anna.call('fileOrFolderDelete', { folderIdArray: [folderId] }),
      lives: ({ anna, folderId }) => anna.call('recycleRestore', { folderIdArray: [folderId] }),
      code: 'notFound',
    },
    'a folder above deleted': {
      dies: ({ anna, place }) => anna.call('fileOrFolderDelete', { folderIdArray: [place] }),
      code: 'notFound',
    },
    'moved to where the creator may not give it out': {
      dies: ({ anna, folderId }) =>
        anna.call('fileOrFolderMove', { folderIdArray: [folderId], targetFolderId: anna.library }),
      code: 'notFound',
    },
    'a folder above moved to where the creator may not give it out': {
      dies: async ({ anna, place }) => {
        const elsewhere = await anna.folder(anna.library, '别处')
        await anna.shares({ folderId: place }, [])
        await anna.call('fileOrFolderMove', { folderIdArray: [place], targetFolderId: elsewhere })
      },
      code: 'notFound',
    },
    'the creator’s entry on the item itself smaller': {
      dies: async (s) => {
        await s.anna.shares({ folderId: s.folderId }, [{ to: s.ben, rights: Right.preview }], { inherit: false })
      },
      code: 'notFound',
    },
    'a folder above restricted': {
      dies: ({ anna, place }) =>
        anna
          .call('setDocRestricted', { folderIdArray: [place], restricted: true })
          .then(() => anna.shares({ folderId: place }, [], { inherit: false })),
      code: 'notFound',
    },
  }

  let people: Pick<Dying, 'anna' | 'ben' | 'admin' | 'groupId'>
  let beside: World
  beforeAll(async () => {
    beside = await openWorld({ now, elected: false, peer: world })
    const [anna, ben, admin] = [await world.person('anna'), await world.person('ben'), await world.admin()]
    people = { anna, ben, admin, groupId: (await world.group('一组')).groupId }
  })

  test.each(few(8, Object.entries(ways)))('%s', async (what, { dies, lives, code, anew = code }) => {
    const { anna, ben, admin, groupId } = people
    const place = await anna.folder(anna.library, what)
    const folderId = await anna.folder(place, '资料')
    const fileId = await anna.upload(folderId, '说明.txt')
    if (what.includes('the group')) {
      await admin.call('modifyAccount', { userId: ben.userId, groupId })
      await anna.shares({ folderId: place }, [{ to: { groupId }, rights }])
    } else await anna.shares({ folderId: place }, [{ to: ben, rights }])
    const { externalId, linkToken } = await make(ben, { folderId }, { rights: 28 | linkRights.edit })
    const pass = await enter(linkToken, { name: '周明' })
    const dying = { ...people, place, folderId, fileId, externalId }
    const codeOf = async (name: CallName, input: object, at = world) => {
      const asked = await ask(
        name,
        { linkToken, ...input },
        pass,
        callsByName[name].payload === 'raw' ? 'x' : undefined,
        at,
      )
      const isContent = !`${asked.headers['content-type']}`.includes('json')
      return asked.statusCode === 200 && isContent ? 'success' : (wireOf(asked).code ?? '')
    }
    const codesOf = async (at: World) => {
      const { version } = await sql<{ version: number }>`select version from item where id = ${fileId}`
        .execute(world.app.db)
        .then(({ rows }) => rows[0] ?? expect.fail('the file is gone'))
      return Object.fromEntries(
        await Promise.all(
          Object.entries(visitorCalls).map(async ([name, input]) => [
            name,
            await codeOf(name as CallName, input({ fileId, folderId, version }), at),
          ]),
        ),
      ) as Record<string, string>
    }
    const each = (one: string) => Object.fromEntries(Object.keys(visitorCalls).map((name) => [name, one]))
    for (const at of [world, beside]) expect(await codesOf(at), 'alive').toEqual(each('success'))
    await dies(dying)
    for (const at of [beside, world]) {
      expect(await codesOf(at), 'dead').toEqual(each(code))
      expect(wireOf(await open(linkToken, {}, {}, at)).code).toBe(anew)
    }
    if (lives === undefined) return
    await lives(dying)
    for (const at of [beside, world])
      expect(await codeOf('visitDownload', { fileId }, at), 'alive again').toBe('success')
  })

  test('the library closed, and opened again', async () => {
    const { anna, admin } = people
    const { libraryId } = await admin.call('createLibrary', {
      ...{ name: '外链的库', kind: 'project', ownerId: anna.userId, quota: 0, entries: [] },
    })
    const fileId = await anna.upload(libraryId, '说明.txt')
    const { linkToken } = await make(anna, { fileId })
    const pass = await enter(linkToken)
    const answers = () =>
      Promise.all(
        [beside, world].map(
          async (at) => (await ask('visitDownload', { linkToken, fileId }, pass, undefined, at)).statusCode,
        ),
      )
    expect(await answers()).toEqual([200, 200])
    await admin.call('changeLibrary', { libraryId, closed: true })
    expect(await answers()).toEqual([404, 404])
    await admin.call('changeLibrary', { libraryId, closed: false })
    expect(await answers()).toEqual([200, 200])
  })

  // [R225] A successor of its creator continues with a link as far as they hold the right.
  test('[R225] who takes over goes on with a link as far as they hold the right to give it out', async () => {
    const { anna, admin } = people
    const folderId = await anna.folder(anna.library, '交接')
    const fileId = await anna.upload(folderId, '说明.txt')
    for (const [holds, status] of [
      [true, 200],
      [false, 404],
    ] as const) {
      const [leaver, next] = [await world.person('leaver'), await world.person('next')]
      const entries = [{ to: leaver, rights }, ...(holds ? [{ to: next, rights }] : [])]
      await anna.shares({ folderId }, entries)
      const { linkToken, externalId } = await make(leaver, { fileId })
      const pass = await enter(linkToken)
      const taken = async (at: World) =>
        (await ask('visitDownload', { linkToken, fileId }, pass, undefined, at)).statusCode
      expect([await taken(beside), await taken(world)]).toEqual([200, 200])
      const whom = { userId: leaver.userId, successorId: next.userId }
      const { seen } = await admin.call('getHandover', whom)
      expect(await admin.call('handOver', { ...whom, seen })).toMatchObject({ done: true })
      // Shares of the leaver pass to the successor, so the right is taken from both.
      if (!holds) await anna.shares({ folderId }, [])
      expect([await taken(beside), await taken(world)]).toEqual([status, status])
      const [own] = (await next.call('getLinkCreationList', {})).list
      expect(own).toMatchObject({ externalId, creatorId: next.userId })
    }
  })

  // [R225] A used-up number of visits or downloads ends the link on every process.
  test('[R225] [R228] its visits used up: nobody else comes in', async () => {
    const { anna } = people
    const fileId = await anna.upload(anna.library, '一次.txt')
    const { linkToken, externalId } = await make(anna, { fileId }, { visitLimit: 1 })
    const pass = await enter(linkToken)
    for (const at of [beside, world]) {
      expect(wireOf(await open(linkToken, {}, {}, at))).toMatchObject({ result: -28 })
      expect(wireOf(await ask('getVisitedLink', { linkToken }, undefined, undefined, at)).data).toMatchObject({
        state: 'usedUp',
      })
      // A visitor who is inside has been counted, and continues.
      expect((await ask('visitDownload', { linkToken, fileId }, pass, undefined, at)).statusCode).toBe(200)
    }
    await anna.call('externalModify', { externalId, visitLimit: 2 })
    expect(wireOf(await open(linkToken, {}, {}, beside)).code).toBe('success')
  })

  test('[R225] [R228] its downloads used up: nothing more is taken, it is still looked at', async () => {
    const { anna } = people
    const fileId = await anna.upload(anna.library, '一份.txt', 'x')
    const { linkToken, externalId } = await make(anna, { fileId }, { downloadLimit: 1 })
    const pass = await enter(linkToken)
    const taken = async (at: World, name: CallName, more: object) => {
      const asked = await ask(name, { linkToken, ...more }, pass, undefined, at)
      return asked.statusCode === 200 ? 'success' : wireOf(asked).code
    }
    expect(await taken(beside, 'visitDownload', { fileId })).toBe('success')
    for (const at of [world, beside]) {
      expect(await taken(at, 'visitDownload', { fileId })).toBe('linkDownloadLimit')
      expect(await taken(at, 'visitZip', { files: `fi_${fileId}` })).toBe('linkDownloadLimit')
      expect(await taken(at, 'visitPreview', { fileId })).toBe('success')
    }
    expect((await anna.call('getExternalInfo', { externalId })).reason).toBe('downloads')
  })

  test('[R231] its approval taken back by who gave it', async () => {
    const { admin } = people
    const [anna, boss] = [await world.person('anna'), await world.person('boss')]
    const fileId = await anna.upload(anna.library, '批过.txt')
    const approved = { subjectType: 'user', subjectId: anna.userId, needsApproval: true, userIdArray: [boss.userId] }
    await admin.call('setLinkPolicy', approved as never)
    const { linkToken, externalId } = await make(anna, { fileId })
    const asked = (await boss.call('getApplyList', { operateType: 2, side: 'review', state: 'open' })).list.find(
      (one) => one.externalId === externalId,
    )
    const reviewId = asked?.applicationId ?? expect.fail('nobody was asked')
    await boss.call('applyApprove', { applicationId: reviewId })
    const pass = await enter(linkToken)
    const answers = () =>
      Promise.all(
        [beside, world].map(
          async (at) => (await ask('visitDownload', { linkToken, fileId }, pass, undefined, at)).statusCode,
        ),
      )
    expect(await answers()).toEqual([200, 200])
    await boss.call('revokeReview', { reviewId })
    expect(await answers()).toEqual([404, 404])
  })

  test('[R228] the level of its creator lowered, and raised again', async () => {
    const { admin } = people
    const [anna, ben] = [await world.person('anna', { secretLevel: 2 }), await world.person('ben', { secretLevel: 1 })]
    const folderId = await anna.folder(anna.library, '密级')
    const fileId = await anna.upload(folderId, '说明.txt', 'x')
    await anna.shares({ folderId }, [{ to: ben, rights }])
    await anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1 })
    const { linkToken, externalId } = await make(ben, { fileId })
    const pass = await enter(linkToken)
    const answers = () =>
      Promise.all(
        [beside, world].map(
          async (at) => (await ask('visitDownload', { linkToken, fileId }, pass, undefined, at)).statusCode,
        ),
      )
    expect(await answers()).toEqual([200, 200])
    await admin.call('modifyAccount', { userId: ben.userId, secretLevel: 0 })
    expect(await answers()).toEqual([404, 404])
    expect((await ben.call('getExternalInfo', { externalId })).reason).toBe('level')
    await admin.call('modifyAccount', { userId: ben.userId, secretLevel: 1 })
    expect(await answers()).toEqual([200, 200])
  })

  test('[R228] its level risen', async () => {
    const anna = await world.person('anna', { secretLevel: 2 })
    const folderId = await anna.folder(anna.library, '资料')
    const fileId = await anna.upload(folderId, '说明.txt', 'x')
    const one = await make(anna, { fileId })
    const whole = await make(anna, { folderId })
    const [pass, wholePass] = [await enter(one.linkToken), await enter(whole.linkToken)]
    const answers = () =>
      Promise.all(
        [beside, world].map(
          async (at) =>
            (await ask('visitDownload', { linkToken: one.linkToken, fileId }, pass, undefined, at)).statusCode,
        ),
      )
    expect(await answers()).toEqual([200, 200])
    await anna.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 1 })
    expect(await answers()).toEqual([404, 404])
    expect((await anna.call('getExternalInfo', { externalId: one.externalId })).reason).toBe('level')
    // It is no longer in the folder, neither in lists nor in zips.
    const { linkToken } = whole
    for (const at of [beside, world])
      expect(wireOf(await ask('visitList', { linkToken, folderId }, wholePass, undefined, at)).data).toMatchObject({
        list: [],
        total: 0,
      })
    expect((await ask('visitZip', { linkToken, files: `fo_${folderId}` }, wholePass)).body).not.toContain('说明.txt')
  })

  test('a pass of one link opens no other, and a garbled one none', async () => {
    const { anna, fileId } = await scene()
    const [one, two] = [await make(anna, { fileId }), await make(anna, { fileId })]
    const pass = await enter(one.linkToken)
    expect(wireOf(await ask('visitDownload', { linkToken: two.linkToken, fileId }, pass)).code).toBe('notLoggedIn')
    expect(wireOf(await ask('visitDownload', { linkToken: one.linkToken, fileId }, 'x')).code).toBe('notLoggedIn')
    expect(wireOf(await ask('visitDownload', { linkToken: one.linkToken, fileId })).code).toBe('notLoggedIn')
    expect(wireOf(await ask('visitDownload', { linkToken: 'nothing-here', fileId }, pass)).code).toBe('notFound')
    expect((await wire('getVisitedLink', { linkToken: 'nothing-here' })).code).toBe('notFound')
    // A signed-in user cannot use visitor calls by their account.
    expect((await anna.wire('visitDownload', { linkToken: one.linkToken, fileId })).code).toBe('notLoggedIn')
  })
})
