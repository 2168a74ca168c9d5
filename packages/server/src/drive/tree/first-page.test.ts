// Cached first pages: every change that affects them is visible to the very next request, in every process, without
// waiting in between.
import { defaultInstallation } from '@cloudoc/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordStatements } from '../../../test/explain.ts'
import { few, longTest } from '../../../test/full.ts'
import { openWorld, type Person } from '../../../test/harness.ts'
import { slow } from '../../../test/slow.ts'
import { createInvalidations } from '../../core/db/invalidations.ts'
import { createSettings, saveSettings } from '../../core/settings.ts'
import { createSessions } from '../../people/auth/index.ts'
import { createFirstPages, createGatekeeper } from './index.ts'
import { listChildren } from './list.ts'
import { foldTallies } from './tallies.ts'

/** Shorter than the lifetime of cached pages. */
const aWhile = 5 * 60_000
const shown = 6

async function furnished() {
  let clock = Date.UTC(2026, 10, 20)
  const options = { now: () => clock, elected: false }
  const world = await openWorld(options)
  const deaf = await openWorld({ ...options, peer: world, deaf: true })
  const [anna, ben, carl] = [await world.person('anna'), await world.person('ben'), await world.person('carl')]
  const above = await anna.folder(anna.library, '上')
  const folderId = await anna.folder(above, '看')
  await anna.shares({ folderId: above }, [
    { to: ben, rights: 510 },
    { to: carl, rights: 6 },
  ])
  const files: number[] = []
  for (let n = 0; n < 6; n += 1) files.push(await anna.upload(folderId, `文件 ${n}.txt`, `${n}`))
  const inner = await anna.folder(folderId, '内')
  return {
    world,
    people: [anna, ben, carl].flatMap((person) => [person, person.at(deaf)]),
    anna,
    ben,
    carl,
    above,
    folderId,
    inner,
    files: files as [number, number, number, number, number, number],
    wait: (milliseconds: number) => {
      clock += milliseconds
    },
  }
}

// [R115] A listed page is current, whoever made a change on whichever server process.
test('[R137] [R115] every change of a folder, of what is above it and of rights on it is seen by the next request', async () => {
  const { world, people, anna, ben, carl, above, folderId, inner, files, wait } = await furnished()
  const { db } = world.app
  const admin = await world.admin()
  let cold = 30
  /** What every user sees in every process, twice, and a page that nobody has requested before. */
  const views = async (): Promise<string> => {
    const seen: string[] = []
    for (const person of people) {
      cold += 1
      const ask = async (rows: number, order = {}) => {
        const { code, data } = await person.wire('getSubItemList3', { folderId, rows, ...order })
        if (code !== 'success') return { code }
        const page = data as { list: { fId: number }[]; total: number; next: string | null }
        return {
          list: page.list.slice(0, shown),
          total: page.total,
          hasMore: page.list.length > shown || page.next !== null,
        }
      }
      const fresh = await ask(cold)
      for (let n = 0; n < 2; n += 1) expect(await ask(shown)).toEqual(fresh)
      expect(await ask(shown, { sort: 'time', order: 'desc' })).toEqual(
        await ask(cold, { sort: 'time', order: 'desc' }),
      )
      seen.push(JSON.stringify(fresh))
    }
    return seen.join('\n')
  }
  const target = await anna.folder(anna.library, '目标')
  const { roleId } = await admin.call('createRole', { roleName: '审' })
  const changes: Record<string, () => Promise<unknown>> = {
    renamed: () => anna.call('renameFile', { fileId: files[0], fileName: '文件 0 新.txt' }),
    'a new version': () => anna.upload(folderId, '文件 1.txt', 'longer than before', { conflict: 'version' }),
    'by somebody else': () => ben.upload(folderId, '文件 2.txt', 'of ben', { conflict: 'version' }),
    'a file more': () => ben.upload(folderId, '〇.txt', 'first'),
    'a folder more': () => anna.folder(folderId, '〇夹'),
    'a file behind the page': () => ben.upload(folderId, 'zz.txt', 'last'),
    moved: () => anna.call('fileOrFolderMove', { targetFolderId: target, fileIdArray: [files[3]] }),
    'moved back': () => anna.call('fileOrFolderMove', { targetFolderId: folderId, fileIdArray: [files[3]] }),
    deleted: () => anna.call('fileOrFolderDelete', { fileIdArray: [files[1]] }),
    restored: () => anna.call('recycleRestore', { fileIdArray: [files[1]] }),
    'a child withheld': () => anna.shares({ folderId: inner }, [{ to: carl, rights: 1 }]),
    'a child given back': () => anna.shares({ folderId: inner }, [{ to: carl, rights: 6 }]),
    'a child closed': () => anna.shares({ folderId: inner }, [{ to: ben, rights: 6 }], { inherit: false }),
    'a child opened': () =>
      anna.shares({ folderId: inner }, [{ to: ben, rights: 6, until: Date.UTC(2026, 10, 20) + aWhile }]),
    'the entry has ended': () => Promise.resolve(wait(aWhile)),
    'a file withheld': () => anna.shares({ fileId: files[2] }, [{ to: ben, rights: 1 }]),
    'above renamed': () => anna.call('renameFolder', { folderId: above, folderName: '上面' }),
    'less rights above': () =>
      anna.shares({ folderId: above }, [
        { to: ben, rights: 6 },
        { to: carl, rights: 6 },
        { to: { roleId }, rights: 510 },
      ]),
    'a role more': () => admin.call('changePeople', { userIds: [carl.userId], addRoleId: roleId }),
    'a secret for a while': () =>
      db
        .updateTable('item')
        .set({ secret_level: 1, secret_until: Date.UTC(2026, 10, 20) + 2 * aWhile })
        .where('id', '=', files[0])
        .execute(),
    'secrets are called otherwise': () =>
      db.transaction().execute((tx) => saveSettings(tx, { ...defaultInstallation, secret_names: ['机密甲'] })),
    'no secret any more': () => Promise.resolve(wait(aWhile)),
    'a link': () => anna.call('fileOrFolderLink', { targetFolderId: folderId, folderIdArray: [target] }),
    'what it leads to withheld': () => anna.shares({ folderId: target }, [{ to: ben, rights: 6 }]),
    'an order of its own': () => anna.call('setFolderOrder', { folderId, sort: 'time', order: 'desc' }),
    'the other way round': () => anna.call('setFolderOrder', { folderId, sort: 'time', order: 'asc' }),
    restricted: () => anna.shares({ folderId }, [], { restricted: true }),
    'not restricted': () => anna.shares({ folderId }, [], { restricted: false }),
    'another manager': () =>
      db.insertInto('library_manager').values({ library_id: anna.library, account_id: carl.userId }).execute(),
    'moved elsewhere': () => anna.call('fileOrFolderMove', { targetFolderId: target, folderIdArray: [folderId] }),
    frozen: () => admin.call('setAccountState', { userId: ben.userId, state: 'frozen' }),
  }
  let before = await views()
  for (const [name, change] of Object.entries(changes)) {
    await change()
    const after = await views()
    expect(after, name).not.toBe(before)
    before = after
  }
  await foldTallies(db)
  expect(await views()).toBe(before)
}, 120_000)

/** The statements executed for a page. */
const statementsOf = async (person: Person, folderId: number): Promise<string[]> =>
  (await recordStatements(() => person.call('getSubItemList3', { folderId }))).statements.map(({ text }) => text)

test('a page that nobody changed is not read again, also by others who have the same rights', async () => {
  const { anna, ben, carl, folderId, wait } = await furnished()
  const reads = (texts: readonly string[]): boolean =>
    texts.some((text) => text.includes('i.modified_by)) as modifier') && !text.includes('invalidated_since'))
  for (const person of [anna, ben, carl]) expect(reads(await statementsOf(person, folderId))).toBe(true)
  for (const person of [anna, ben, carl]) {
    const texts = await statementsOf(person, folderId)
    expect(reads(texts)).toBe(false)
    expect(texts.length).toBe(1)
  }
  // A request that started before the page was made may use it too. A clock that was set back is a different case.
  wait(-1000)
  expect(reads(await statementsOf(ben, folderId))).toBe(false)
  wait(-60_000)
  expect(reads(await statementsOf(ben, folderId))).toBe(true)
})

test('a page of one’s own that has ended does not stand before the one that all share', async () => {
  const { anna, ben, folderId, files, wait } = await furnished()
  await anna.shares({ fileId: files[0] }, [{ to: ben, rights: 6, until: Date.UTC(2026, 10, 20) + aWhile }])
  await statementsOf(ben, folderId)
  await anna.shares({ fileId: files[0] }, [])
  wait(aWhile)
  await statementsOf(ben, folderId)
  expect((await statementsOf(ben, folderId)).length).toBe(1)
})

longTest('pages that are asked for at one moment are answered from what is kept, each asker by their own', async () => {
  const { world, anna, ben, carl, folderId, inner, above } = await furnished()
  await anna.shares({ folderId: inner }, [{ to: carl, rights: 1 }])
  const asks = [anna, ben, carl, anna, ben, carl, anna, ben, carl].flatMap((person) =>
    [folderId, above].map((id) => ({ person, id })),
  )
  const ask = () =>
    Promise.all(asks.map(({ person, id }) => world.wire('getSubItemList3', { folderId: id }, person.token)))
  const first = await ask()
  const { value, statements } = await recordStatements(ask)
  expect(value).toEqual(first)
  expect(new Set(first.map(({ data }) => JSON.stringify(data))).size).toBeGreaterThan(3)
  expect(statements.length).toBeLessThan(5)
})

test('of a page in which a row was changed that row alone is read, with what has changed, for all who ask at that moment', async () => {
  const { anna, ben, folderId, inner } = await furnished()
  for (const person of [anna, ben]) await statementsOf(person, folderId)
  const told = async (change: () => Promise<unknown>) => {
    await change()
    const { value: pages, statements } = await recordStatements(() =>
      Promise.all(Array.from({ length: 10 }, () => ben.call('getSubItemList3', { folderId }))),
    )
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
    expect(statements.map(({ text }) => /from invalidated_since/.test(text))).toEqual([true])
    return pages[0]?.list.map((item) => item.fId) ?? []
  }
  let fileId = 0
  const more = await told(async () => {
    fileId = await anna.upload(folderId, 'more.txt', 'more')
  })
  expect(more).toContain(fileId)
  expect(await told(() => anna.call('fileOrFolderDelete', { folderIdArray: [inner] }))).not.toContain(inner)
})

test.each(few(2, ['name', 'time', 'size', 'type'] as const))(
  'a page by %s in which a row was changed goes on where it ends',
  async (sort) => {
    const { anna, folderId, files } = await furnished()
    const walk = async (rows: number): Promise<number[]> => {
      const ids: number[] = []
      let after: string | undefined
      do {
        const page = await anna.call('getSubItemList3', {
          folderId,
          rows,
          sort,
          order: 'desc',
          ...(after && { after }),
        })
        ids.push(...page.list.map((item) => item.fId))
        after = page.next ?? undefined
      } while (after !== undefined)
      return ids
    }
    await walk(3)
    await anna.upload(folderId, '文件 5.txt', 'longer than all others', { conflict: 'version' })
    expect(await walk(3)).toEqual(await walk(100))
    await anna.call('renameFile', { fileId: files[0], fileName: '最后.docx' })
    expect(await walk(3)).toEqual(await walk(101))
  },
)

/**
 * Ben, Carl and Dave see a folder through their department, with equal contents. One file in it is denied to Ben alone.
 */
async function departmental() {
  const world = await openWorld({ elected: false })
  const { groupId } = await world.group('部门')
  const anna = await world.person('anna')
  const [ben, carl, dave] = [
    await world.person('ben', { groupId }),
    await world.person('carl', { groupId }),
    await world.person('dave', { groupId }),
  ]
  const folderId = await anna.folder(anna.library, '部门可见')
  await anna.shares({ folderId }, [{ to: { groupId }, rights: 510 }])
  const fileId = await anna.upload(folderId, '只给别人.txt', '1')
  await anna.shares({ fileId }, [{ to: ben, rights: 1 }])
  const names = async (person: Person) =>
    (await person.call('getSubItemList3', { folderId })).list.map((item) => item.fName)
  return { anna, ben, carl, dave, folderId, names }
}

test('a page that is good for one is not taken for good for another, where rows have rules of their own', async () => {
  const { anna, ben, carl, folderId, names } = await departmental()
  for (const [first, second] of [
    [carl, ben],
    [ben, carl],
  ] as const) {
    await anna.folder(folderId, `of ${first.account}`)
    for (const person of [first, second, first, second])
      expect((await names(person)).includes('只给别人.txt'), person.account).toBe(person === carl)
  }
})

test('what has got rules of its own is judged for each who has the page', async () => {
  const { anna, ben, carl, folderId, names } = await departmental()
  const fileId = await anna.upload(folderId, '后来.txt', '2')
  for (const person of [ben, carl]) expect(await names(person)).toContain('后来.txt')
  await anna.shares({ fileId }, [{ to: ben, rights: 1 }])
  expect(await names(carl)).toContain('后来.txt')
  expect(await names(ben)).not.toContain('后来.txt')
})

longTest('a name beyond the first 65,536 characters of Unicode takes its place in a page that is kept', async () => {
  const { anna, folderId } = await furnished()
  const names = async (rows: number) =>
    (await anna.call('getSubItemList3', { folderId, rows, sort: 'name', order: 'desc' })).list.map((item) => item.fName)
  await anna.upload(folderId, '\u{E000}.txt', 'x')
  await names(60)
  await anna.upload(folderId, '\u{1F600}.txt', 'x')
  expect(await names(60)).toEqual(await names(61))
})

longTest('who waits while a page is made for another gets their own, where rows have rules of their own', async () => {
  const { anna, ben, carl, dave, folderId, names } = await departmental()
  await names(carl)
  await anna.upload(folderId, 'more.txt', 'more')
  const askers = Array.from({ length: 8 }, () => [carl, dave, ben]).flat()
  const seen = await Promise.all(askers.map(names))
  for (const [at, list] of seen.entries()) {
    expect(list).toContain('more.txt')
    expect(list.includes('只给别人.txt')).toBe(askers[at] !== ben)
  }
})

/** First pages of one folder without a server, with a database whose responses can be delayed. */
async function apart() {
  const { world, anna, folderId } = await furnished()
  const now = Date.UTC(2026, 10, 20)
  const { db, hold } = slow(world.app.db)
  const invalidations = createInvalidations(db)
  const pages = createFirstPages(invalidations)
  const actor = await createSessions(db, createSettings(db), invalidations).byToken(anna.token, now)
  const folder = await createGatekeeper(db, () => now, invalidations).access(db, actor, { fType: 2, fId: folderId })
  if (folder === undefined) throw new Error('no folder')
  const order = { sort: 'name', order: 'asc' } as const
  /** Returns the page; `meanwhile` runs after the page has been read from the database, if it has to be. */
  const list = async (meanwhile = () => Promise.resolve()) => {
    const asked = { actor, folder, rows: 60, order, now, compressed: false }
    const answer = await pages.get(asked, async (basis) => {
      const request = { ...order, from: 0, rows: 60, keyword: '', foldersOnly: false }
      const page = await listChildren(world.app.db, actor, folder, request, now, basis)
      await meanwhile()
      return { page, order }
    })
    return (answer.data as { list: { fileSize: number; creatorName: string }[] }).list
  }
  return { db: world.app.db, anna, folderId, invalidations, hold, list }
}

longTest('a page that was being made while everything changed is not kept', async () => {
  const { db, anna, invalidations, list } = await apart()
  const makers = async (meanwhile?: () => Promise<void>) =>
    new Set((await list(meanwhile)).map(({ creatorName }) => creatorName))
  const renamed = async (): Promise<void> => {
    await db.updateTable('account').set({ name: '安娜' }).where('id', '=', anna.userId).execute()
    await invalidations.catchUp()
  }
  expect(await makers(renamed)).toEqual(new Set(['anna']))
  expect(await makers()).toEqual(new Set(['安娜']))
})

longTest('a page that was read while it was asked what has changed is not set back by the answer', async () => {
  const { db, folderId, invalidations, hold, list } = await apart()
  const grow = () =>
    sql`update item set size = size + 1 where parent_id = ${folderId} and name = '文件 0.txt'`.execute(db)
  const size = async () => (await list()).reduce((sum, { fileSize }) => sum + fileSize, 0)
  await invalidations.catchUp()
  await grow()
  const held = hold()
  const asking = invalidations.catchUp()
  const release = await held
  // The delayed response contains one change; the page is read with both.
  await grow()
  const read = await size()
  release()
  await asking
  expect(await size()).toBe(read)
})

/** A change in a folder, to one of its children. */
const happening = fc.record({
  what: fc.constantFrom(
    'upload',
    'upload',
    'folder',
    'version',
    'rename',
    'delete',
    'restore',
    'out',
    'in',
    'deny',
    'allow',
    'close',
    'link',
    'all',
    'fold',
  ),
  which: fc.nat(30),
  // Beyond the first 65,536 Unicode characters, JavaScript and PostgreSQL order differently.
  name: fc.constantFrom(
    'a',
    'b1',
    'b10',
    'b9',
    'Z',
    '甲',
    '乙',
    '文件',
    '\u{E000}',
    '\u{20000}',
    '\u{1F600}',
    '~',
    '_',
    '0',
  ),
  asker: fc.nat(2),
  sort: fc.constantFrom('name', 'time', 'size', 'type'),
  order: fc.constantFrom('asc', 'desc'),
})

// [R115] A cached page equals the page that would be built anew, whatever happens in the folder.
test('[R115] whatever happens in a folder, a page that was kept says the same as one that is made', async () => {
  const { world, anna, ben, carl } = await furnished()
  const { db } = world.app
  const target = await anna.folder(anna.library, '目标')
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { minLength: 40, maxLength: 40 }), async (happenings) => {
      runs += 1
      const folderId = await anna.folder(anna.library, `跑 ${runs}`)
      await anna.shares(
        { folderId },
        [ben, carl].map((to) => ({ to, rights: 510 })),
      )
      const ids: number[] = []
      let n = 0
      let cold = 40
      for (const { what, which, name, asker, sort, order } of happenings) {
        n += 1
        const fileId = ids[which % Math.max(1, ids.length)] ?? 0
        const does: Record<typeof what, () => Promise<unknown>> = {
          upload: async () => ids.push(await anna.upload(folderId, `${name} ${n}.${'abc'[n % 3]}`, 'x'.repeat(n % 4))),
          folder: () => anna.folder(folderId, `${name} ${n}`),
          version: async () => {
            const row = await db
              .selectFrom('item')
              .select(['name', 'parent_id', 'deleted_at'])
              .where('id', '=', fileId)
              .executeTakeFirst()
            if (row?.parent_id === folderId && row.deleted_at === null)
              await anna.upload(folderId, row.name, `${n}`, { conflict: 'version' })
          },
          rename: () => anna.wire('renameFile', { fileId, fileName: `${name} ${n}.txt` }),
          delete: () => anna.wire('fileOrFolderDelete', { fileIdArray: [fileId] }),
          restore: () => anna.wire('recycleRestore', { fileIdArray: [fileId] }),
          out: () => anna.wire('fileOrFolderMove', { targetFolderId: target, fileIdArray: [fileId] }),
          in: () => anna.wire('fileOrFolderMove', { targetFolderId: folderId, fileIdArray: [fileId] }),
          deny: () =>
            anna.wire('setShareList', {
              fileId,
              inherit: true,
              entries: [{ subjectType: 'user', subjectId: ben.userId, rights: 1 }],
            }),
          allow: () => anna.wire('setShareList', { fileId, inherit: true, entries: [] }),
          close: () =>
            anna.wire('setShareList', {
              fileId,
              inherit: false,
              entries: [{ subjectType: 'user', subjectId: carl.userId, rights: 6 }],
            }),
          link: () =>
            which < 2
              ? anna.wire('fileOrFolderLink', { targetFolderId: folderId, folderIdArray: [target] })
              : Promise.resolve(),
          all: () => sql`update item set size = size + 1 where parent_id = ${folderId}`.execute(db),
          fold: () => foldTallies(db),
        }
        await does[what]()
        const person = [anna, ben, carl][asker] ?? anna
        const ask = async (rows: number, after?: string) =>
          person.call('getSubItemList3', { folderId, rows, sort, order, ...(after && { after }) })
        cold += 1
        const [page, whole] = [await ask(shown), await ask(cold)]
        expect({ list: page.list, total: page.total, goesOn: page.next !== null }, what).toEqual({
          list: whole.list.slice(0, shown),
          total: whole.total,
          goesOn: whole.list.length > shown,
        })
        if (page.next !== null) expect((await ask(shown, page.next)).list).toEqual(whole.list.slice(shown, 2 * shown))
      }
    }),
    { numRuns: 6, endOnFailure: true },
  )
}, 120_000)
