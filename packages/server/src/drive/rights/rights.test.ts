// The rights of one user on one item, tested through the calls: info, lists and search must reflect what setShareList
// wrote. The table contains the ten worked examples.
import { type CodeName, hasStatus, type ItemStatus } from '@cloudoc/domain'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../test/harness.ts'

type Who = 'U' | 'D' | 'other'
/** An entry: subject, rights, and whether it comes from an approved request or when it expires. */
type Entry = readonly [to: 'U' | 'D', rights: number, more?: { application?: true; until?: number }]
interface Level {
  readonly inherit?: false
  readonly entries?: readonly Entry[]
  readonly manager?: true
  readonly readOnly?: true
  readonly secretLevel?: number
}
interface Example {
  readonly title: string
  readonly L?: Level
  readonly F?: Level
  readonly x?: Level
  /** The expected rights on x (or F) for each user; 0 means the result code -3. */
  readonly expected: readonly (readonly [who: Who, place: 'F' | 'x', rights: number])[]
  readonly printRights?: true
  /** Further assertions. */
  readonly also?: (place: { u: Person; folderId: number; fileId: number }) => Promise<void>
}

const hour = 60 * 60_000
let clock = Date.UTC(2026, 10, 20)
let world: World
let admin: Person
let u: Person
let mate: Person
let stranger: Person
let department: number

beforeAll(async () => {
  world = await openWorld({ now: () => clock })
  admin = await world.admin()
  const { groupId } = await world.group('研发部')
  department = groupId
  u = await world.person('u', { groupId })
  mate = await world.person('mate', { groupId })
  stranger = await world.person('stranger')
})

const people = (): Record<Who, Person> => ({ U: u, D: mate, other: stranger })

/** Creates a library with a folder F and a file x in it, with the rights of the example. */
async function build({ L = {}, F = {}, x = {} }: Example): Promise<{ folderId: number; fileId: number }> {
  const { groupId } = await admin.call('createGroup', { groupName: `库 ${Math.random()}`, parentId: 0 })
  const { libraryId } = await admin.call('getGroupInfo', { groupId })
  const { folderId } = await admin.call('folderCreate', { parentId: libraryId, folderName: 'F' })
  const fileId = await admin.upload(folderId, `x${libraryId}.txt`)
  const { db } = world.app
  for (const [itemId, level, ref] of [
    [libraryId, L, { folderId: libraryId }],
    [folderId, F, { folderId }],
    [fileId, x, { fileId }],
  ] as const) {
    const subject = (to: 'U' | 'D') =>
      to === 'U'
        ? { subjectType: 'user' as const, subjectId: u.userId }
        : { subjectType: 'group' as const, subjectId: department }
    await admin.call('setShareList', {
      ...ref,
      inherit: level.inherit ?? true,
      entries: (level.entries ?? [])
        .filter(([, , more]) => more?.application !== true)
        .map(([to, rights, more]) => ({ ...subject(to), rights, expireTime: more?.until ?? null })),
    })
    for (const [to, rights, more] of level.entries ?? []) {
      if (more?.application !== true) continue
      const { subjectType, subjectId } = subject(to)
      await db
        .insertInto('entry')
        .values({
          item_id: itemId,
          subject_type: subjectType,
          subject_id: subjectId,
          rights,
          kind: 'application',
          expires_at: more.until ?? null,
          created_by: admin.userId,
          created_at: clock,
        })
        .execute()
      await db.updateTable('item').set({ own_rules: true }).where('id', '=', itemId).execute()
    }
    if (level.manager === true) {
      await db.insertInto('library_manager').values({ library_id: libraryId, account_id: u.userId }).execute()
    }
    if (level.readOnly === true)
      await db.updateTable('item').set({ status: 268435456 }).where('id', '=', itemId).execute()
    if (level.secretLevel !== undefined) {
      await db.updateTable('item').set({ secret_level: level.secretLevel }).where('id', '=', itemId).execute()
    }
  }
  return { folderId, fileId }
}

/**
 * The rights from the info call, the parent's list (if visible) and search, which must agree; 0 means the result code
 * -3.
 */
async function rightsOf(who: Person, place: 'F' | 'x', ids: { folderId: number; fileId: number }): Promise<number> {
  const wire =
    place === 'F'
      ? await who.wire('getFolderInfo', { folderId: ids.folderId })
      : await who.wire('getFileInfo', { fileId: ids.fileId })
  if (wire.code === 'notFound') {
    if (place === 'x')
      expect((await who.call('searchDoc', { keyword: '.txt' })).list.map((hit) => hit.fId)).not.toContain(ids.fileId)
    return 0
  }
  const { rights, fName } = wire.data as { rights: number; fName: string }
  if (place === 'x') {
    const hits = await who.call('searchDoc', { keyword: fName })
    expect(hits.list.find((hit) => hit.fId === ids.fileId)?.rights).toBe(rights)
    const list = await who.wire('getSubItemList3', { folderId: ids.folderId })
    if (list.code === 'success') {
      const rows = (list.data as { list: { fId: number; rights: number }[] }).list
      expect(rows.find((row) => row.fId === ids.fileId)?.rights).toBe(rights)
    }
  }
  return rights
}

const examples: readonly Example[] = [
  {
    title: '[R208] example 1: an entry on the library reaches the file',
    L: { entries: [['D', 6]] },
    expected: [
      ['U', 'x', 6],
      ['D', 'x', 6],
      ['other', 'x', 0],
    ],
  },
  {
    title: '[R208] example 2: an own entry of a person is united with the one of the department',
    L: { entries: [['D', 6]] },
    x: { entries: [['U', 510]] },
    expected: [
      ['U', 'x', 510],
      ['D', 'x', 6],
    ],
  },
  {
    title: '[R208] example 3: an own entry replaces the inherited one of the same person',
    L: { entries: [['U', 510]] },
    F: { entries: [['U', 6]] },
    expected: [
      ['U', 'F', 6],
      ['U', 'x', 6],
    ],
  },
  {
    title: '[R209] example 4: closed inheritance leaves the others nothing',
    L: { entries: [['D', 510]] },
    F: { inherit: false, entries: [['U', 6]] },
    expected: [
      ['U', 'F', 6],
      ['U', 'x', 6],
      ['D', 'F', 0],
      ['D', 'x', 0],
    ],
  },
  {
    title: '[R137] example 5: deny wins in the union',
    L: {
      entries: [
        ['D', 510],
        ['U', 1],
      ],
    },
    expected: [
      ['U', 'x', 0],
      ['U', 'F', 0],
      ['D', 'x', 510],
    ],
  },
  {
    title: '[R209] example 6: an approved request adds rights until it expires',
    L: { entries: [['D', 6]] },
    x: { entries: [['U', 270, { application: true, until: clock + hour }]] },
    expected: [
      ['U', 'x', 270],
      ['D', 'x', 6],
    ],
    async also({ u: person, fileId }) {
      const before = clock
      clock += hour - 1
      expect((await person.call('getFileInfo', { fileId })).rights).toBe(270)
      clock += 1
      expect((await person.call('getFileInfo', { fileId })).rights).toBe(6)
      clock = before
    },
  },
  {
    title: '[R109] example 7: a file below a hidden folder is reached by id and search, its path starts at the file',
    F: { inherit: false },
    x: { entries: [['U', 6]] },
    expected: [
      ['U', 'F', 0],
      ['U', 'x', 6],
      ['D', 'x', 0],
    ],
    async also({ u: person, fileId }) {
      const item = await person.call('getFileInfo', { fileId })
      expect(item).toMatchObject({
        path: '',
        pathString: '',
        pathItemIdStr: '',
        parentFolderId: 0,
        parentFolderName: '',
        parentItemIdStr: '',
      })
      const [hit] = (await person.call('searchDoc', { keyword: item.fName })).list
      expect(hit).toEqual(item)
    },
  },
  {
    title: '[R233] example 8: the level of a file binds its manager, too',
    L: { manager: true },
    x: { secretLevel: 3 },
    expected: [['U', 'x', 2048]],
    async also({ u: person, fileId, folderId }) {
      expect(await person.refusal('getDocumentPreviewURL', { fileId })).toBe('secretLevel')
      expect(await person.refusal('createDownloadTicket', { fileIdArray: [fileId] })).toBe('secretLevel')
      const { fName } = await person.call('getFileInfo', { fileId })
      expect((await person.uploadWire(folderId, fName, 'new', { conflict: 'version' })).code).toBe('secretLevel')
    },
  },
  {
    title: '[R136] example 9: download brings display, preview and, where print is a right, print',
    L: { entries: [['D', 270]] },
    printRights: true,
    expected: [['U', 'x', 270 + 1024]],
  },
  {
    // [R215] A read-only folder is renamed, cut and deleted by managers only.
    title: '[R215] example 10: what is in a read-only folder can be changed, the folder itself only by managers',
    L: { entries: [['D', 510]] },
    F: { readOnly: true },
    expected: [
      ['U', 'F', 510],
      ['U', 'x', 510],
    ],
    async also({ u: person, fileId, folderId }) {
      await person.call('renameFile', { fileId, fileName: 'changed.txt' })
      const readOnly: CodeName = 'readOnlyFolder'
      expect(await person.refusal('renameFolder', { folderId, folderName: 'G' })).toBe(readOnly)
      expect(
        await person.refusal('fileOrFolderMove', { targetFolderId: person.library, folderIdArray: [folderId] }),
      ).toBe(readOnly)
      expect(await person.refusal('fileOrFolderDelete', { folderIdArray: [folderId] })).toBe(readOnly)
      await admin.call('renameFolder', { folderId, folderName: 'G' })
    },
  },
]

describe('the worked examples', () => {
  test.each(examples.map((example) => [example.title, example] as const))('%s', async (_title, example) => {
    const place = await build(example)
    if (example.printRights === true) await printRights(true)
    for (const [who, where, rights] of example.expected) {
      expect(await rightsOf(people()[who], where, place), `${who} on ${where}`).toBe(rights)
    }
    await example.also?.({ u, ...place })
    await printRights(false)
  })
})

const printRights = (on: boolean) => admin.call('setServerSetting', { print_rights: on })

describe('restricted folders', () => {
  test('[R210] people see only what they put there themselves, in lists, by id, by search and below', async () => {
    const { folderId } = await build({ title: '', L: { entries: [['D', 510]] }, expected: [] })
    await admin.call('setShareList', { folderId, inherit: true, restricted: true, entries: [] })
    const mine = await u.upload(folderId, '我的作业.txt')
    const theirs = await mate.upload(folderId, '别人作业.txt')
    const { folderId: inner } = await mate.call('folderCreate', { parentId: folderId, folderName: '别人文件夹' })
    const deep = await mate.upload(inner, '里面作业.txt')
    expect(await u.names(folderId)).toEqual(['我的作业.txt'])
    expect((await u.call('getSubItemList3', { folderId })).total).toBe(1)
    expect(await u.refusal('getFileInfo', { fileId: theirs })).toBe('notFound')
    expect(await u.refusal('getFolderInfo', { folderId: inner })).toBe('notFound')
    expect(await u.refusal('getFileInfo', { fileId: deep })).toBe('notFound')
    expect((await u.call('searchDoc', { keyword: '作业' })).list.map((hit) => hit.fId)).toEqual([mine])
    expect(await admin.names(folderId)).toEqual([
      '别人文件夹',
      expect.stringMatching(/^x/),
      '别人作业.txt',
      '我的作业.txt',
    ])
    expect(await u.call('checkFileExist', { folderId, fileNames: ['别人作业.txt'] })).toEqual([
      {
        fileName: '别人作业.txt',
        fId: 0,
        fType: 1,
        fileSize: 0,
        modifyTime: 0,
        version: 0,
        lastOperatorName: '',
        editorName: '',
        sha256: '',
      },
    ])
    expect((await u.uploadWire(folderId, '别人作业.txt', '', { conflict: 'version' })).code).toBe('alreadyExists')
  })
})

describe('share lists', () => {
  test('[R208] the list tells kind and source of each entry and never the name of a folder that is hidden', async () => {
    const { fileId } = await build({
      title: '',
      L: { entries: [['D', 6]] },
      F: {
        inherit: false,
        entries: [
          ['D', 6],
          ['U', 1],
        ],
      },
      x: {
        entries: [
          ['U', 1022],
          ['D', 270, { application: true }],
        ],
      },
      expected: [],
    })
    const { entries, inherit, restricted } = await u.call('getShareList', { fileId })
    expect({ inherit, restricted }).toEqual({ inherit: true, restricted: false })
    expect(entries).toEqual([
      expect.objectContaining({
        subjectType: 'group',
        kind: 'inherited',
        rights: 6,
        source: { folderId: 0, fName: '' },
      }),
      expect.objectContaining({ subjectType: 'user', subjectName: 'u', kind: 'independent', rights: 1022 }),
      expect.objectContaining({ subjectType: 'group', kind: 'application', rights: 270 }),
    ])
    expect(JSON.stringify(entries)).not.toContain('"F"')
  })

  test('[R208] a change binds at once, replaces own entries and leaves those of approved requests', async () => {
    const { fileId } = await build({
      title: '',
      x: {
        entries: [
          ['U', 510],
          ['U', 6, { application: true }],
        ],
      },
      expected: [],
    })
    expect((await u.call('getFileInfo', { fileId })).rights).toBe(510)
    await admin.call('setShareList', { fileId, inherit: true, entries: [] })
    const after = await u.call('getFileInfo', { fileId })
    expect(after.rights).toBe(6)
    expect(hasStatus(after.itemStatus as ItemStatus, 'authorized')).toBe(true)
  })

  test('[R208] unknown people and doubled ones are refused', async () => {
    const { fileId } = await build({ title: '', expected: [] })
    const entry = { subjectType: 'user' as const, subjectId: u.userId, rights: 2 }
    await admin.call('setShareList', { fileId, inherit: true, entries: [entry] })
    expect(await admin.refusal('setShareList', { fileId, inherit: true, entries: [entry, entry] })).toBe('badRequest')
    expect(
      await admin.refusal('setShareList', { fileId, inherit: true, entries: [{ ...entry, subjectId: 999_999 }] }),
    ).toBe('notFound')
    expect(await u.refusal('setShareList', { fileId, inherit: true, entries: [] })).toBe('noPermission')
  })

  describe('[R208] nobody gives more than they hold', () => {
    const colleague = (rights: number, expireTime: number | null = null) => ({
      subjectType: 'user' as const,
      subjectId: mate.userId,
      rights,
      expireTime,
    })
    const self = { subjectType: 'group' as const, subjectId: 0, rights: 512 + 6 }
    const own = () => ({ ...self, subjectId: department })

    test('who may preview and grant gives preview, and not what lies above it, in no way', async () => {
      const until = clock + hour
      const { folderId, fileId } = await build({ title: '', F: { entries: [['U', 510]] }, expected: [] })
      const set = (by: Person, entries: unknown[], inherit = true) =>
        by.refusal('setShareList', { fileId, inherit, entries } as never)
      await admin.call('setShareList', { fileId, inherit: false, entries: [own(), colleague(510, until)] })
      expect((await u.call('getFileInfo', { fileId })).rights).toBe(512 + 6)

      expect(
        await set(u, [own(), colleague(510, until), { ...colleague(510), subjectId: stranger.userId }], false),
      ).toBe('noPermission')
      // Granting oneself more: by an own entry, by opening inheritance, or by extending an entry that would expire.
      expect(await set(u, [own(), { ...colleague(1022), subjectId: u.userId }], false)).toBe('noPermission')
      expect(await set(u, [own()], true)).toBe('noPermission')
      expect(await set(u, [own(), colleague(510)], false)).toBe('noPermission')
      expect((await u.call('getShareList', { fileId })).entries).toHaveLength(2)

      await u.call('setShareList', {
        fileId,
        inherit: false,
        entries: [own(), colleague(510, until), { ...colleague(6), subjectId: stranger.userId }],
      })
      expect((await stranger.call('getFileInfo', { fileId })).rights).toBe(6)
      await admin.call('setShareList', { fileId, inherit: true, entries: [own(), colleague(1022)] })
      expect((await u.call('getFolderInfo', { folderId })).rights).toBe(510)
    })

    test('nor shuts themselves out without saying so', async () => {
      const { fileId } = await build({ title: '', x: { entries: [['U', 1022]] }, expected: [] })
      expect(await u.refusal('setShareList', { fileId, inherit: true, entries: [] })).toBe('badRequest')
      expect((await u.call('getFileInfo', { fileId })).rights).toBe(1022)
      await u.call('setShareList', { fileId, inherit: true, entries: [], withoutMyself: true })
      expect(await u.refusal('setShareList', { fileId, inherit: true, entries: [] })).toBe('notFound')
    })
  })
})
