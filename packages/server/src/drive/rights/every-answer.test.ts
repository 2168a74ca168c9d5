/*
 * Every call that says what somebody may do gives the same answer. Random trees with restricted folders, closed
 * inheritance, denies and expired entries are built, and every such call is asked about every user. The answers are
 * compared with the oracle. A call that is not asked here must be listed with the reason.
 */
import { callsByName } from '@cloudoc/contract'
import { Right, type RightsEntry, type RightsLevel } from '@cloudoc/domain'
import fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { oracle } from '../../../test/rights-oracle.ts'

const world = sharedWorld()
const cases = inject('full') ? 60 : 8
const seed = 20_261_128

/** The calls that say what rights a user has on an item, beside those that answer whole item records. */
const asked = [
  'getRightsReasons',
  'getAccessList',
  'previewShareList',
  'getAccessReport',
  'getPersonReport',
  'whatIfShared',
]

/** The calls whose answers contain rights that are not what a user may do. */
const others: Readonly<Record<string, string>> = {
  getShareList: 'entries as they are set',
  getShareHistory: 'entries as they were set',
  getRootFolderSetting: 'entries as they are set',
  getLibraries: 'entries as they are set',
  getExternalInfo: 'rights of a link',
  getAllLinks: 'rights of a link',
  getVisitedLink: 'rights of a link',
  openVisit: 'rights of a link',
  previewRollback: 'a number of changed entries of rights',
  getOverview: 'a number of administrators of permissions',
  imCards: 'those of the record of the item, for its reader',
}

let admin: Person
let boss: Person
let team: Person[]
let groupId: number
let roleId: number
let library: number

beforeAll(async () => {
  admin = await world.admin()
  const home = await world.group('模型部')
  library = home.library
  groupId = (await world.group('被授权的部门')).groupId
  boss = await world.person('boss')
  team = [
    await world.person('one', { groupId }),
    await world.person('two', { groupId }),
    await world.person('three'),
    await world.person('four'),
  ]
  ;({ roleId } = await admin.call('createRole', { roleName: '模型角色' }))
  const userIds = team.slice(1, 3).map(({ userId }) => userId)
  await admin.call('setRoleMembers', { roleId, userIds, groupIds: [], titles: [] })
  await world.app.db.insertInto('library_manager').values({ library_id: library, account_id: boss.userId }).execute()
})

const anyEntry = fc.record({
  subject: fc.constantFrom('one', 'two', 'three', 'group', 'group', 'role'),
  rights: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(2, 6, 270, 510, 1022) },
    { weight: 1, arbitrary: fc.constant<number>(Right.deny) },
  ),
})
const anyLevel = fc.record({
  inherit: fc.constantFrom(true, true, true, false),
  restricted: fc.constantFrom(false, true),
  creator: fc.nat({ max: 3 }),
  entries: fc.uniqueArray(anyEntry, { maxLength: 3, selector: ({ subject }) => subject }),
})
const anyTree = fc.array(anyLevel, { minLength: 2, maxLength: 4 })
type Drawn = typeof anyTree extends fc.Arbitrary<infer T> ? T : never

type EntryInput = Pick<RightsEntry, 'subjectType' | 'subjectId' | 'rights'>

function entryOf({ subject, rights }: Drawn[number]['entries'][number]): EntryInput {
  if (subject === 'group') return { subjectType: 'group', subjectId: groupId, rights }
  if (subject === 'role') return { subjectType: 'role', subjectId: roleId, rights }
  const userId = team[['one', 'two', 'three'].indexOf(subject)]?.userId ?? 0
  return { subjectType: 'user', subjectId: userId, rights }
}

/** Builds nested folders with a file at the end. The first folder closes inheritance from the library. */
async function build(drawn: Drawn): Promise<{ fileId: number; levels: RightsLevel[] }> {
  const levels: RightsLevel[] = []
  let parent = library
  for (const [n, { restricted, creator, ...level }] of drawn.entries()) {
    const isFile = n === drawn.length - 1
    const id: number = isFile ? await boss.upload(parent, '文件') : await boss.folder(parent, `层${Math.random()}`)
    const inherit = n > 0 && level.inherit
    const entries = level.entries.map(entryOf)
    const item = isFile ? { fileId: id } : { folderId: id }
    await boss.call('setShareList', { ...item, inherit, restricted: restricted && !isFile, entries })
    const createdBy = team[creator]?.userId ?? 0
    await world.app.db.updateTable('item').set({ created_by: createdBy }).where('id', '=', id).execute()
    levels.push({
      itemId: id,
      inherit,
      restricted: restricted && !isFile,
      createdBy,
      entries: entries.map((entry) => ({ ...entry, kind: 'independent', expireTime: null })),
    })
    parent = id
  }
  return { fileId: parent, levels }
}

function expectedOf(levels: readonly RightsLevel[], person: Person): number {
  const { userId } = person
  const n = team.indexOf(person)
  const question = {
    levels,
    userId,
    groups: n < 2 ? [groupId] : [],
    roles: n === 1 || n === 2 ? [roleId] : [],
    printRights: false,
    isManager: person === boss,
  }
  return oracle(question, Date.now())
}

const seen = (mask: number): number => ((mask & (Right.display | Right.full)) === 0 ? 0 : mask)

describe('what somebody may do', () => {
  // [R210] In a restricted folder people see only their own uploads, and every call that says what somebody may do says
  // so.
  test(`[R210] [R208] is the same in every call, in ${cases} trees with restricted folders`, async () => {
    for (const drawn of fc.sample(anyTree, { numRuns: cases, seed })) {
      const { fileId, levels } = await build(drawn)
      const told = JSON.stringify(drawn)
      const access = await boss.call('getAccessList', { fileId, rows: 1000 })
      const report = await admin.call('getAccessReport', { fileId, rows: 1000 })
      for (const person of [...team, boss]) {
        const { userId } = person
        const mask = expectedOf(levels, person)
        const rights = seen(mask)
        const info = await person.wire('getFileInfo', { fileId })
        expect(rights === 0 ? info.code : (info.data as { rights: number }).rights, told).toBe(
          rights === 0 ? 'notFound' : rights,
        )
        expect((await boss.call('getRightsReasons', { fileId, userId })).rights, told).toBe(mask)
        expect(access.list.find((one) => one.userId === userId)?.rights ?? 0, told).toBe(rights)
        expect(report.list.find((one) => one.userId === userId)?.rights ?? 0, told).toBe(rights)
        const starts = await admin.call('getPersonReport', { userId, rows: 1000 })
        const start = starts.list.find(({ item }) => item.fId === fileId)
        if (start !== undefined) expect(start.rights, told).toBe(rights)
      }
      // What a change would do: everybody gets everything on the file, as far as the folder lets them.
      const entries: EntryInput[] = team.map(({ userId }) => ({ subjectType: 'user', subjectId: userId, rights: 1022 }))
      const own = levels.at(-1)
      const changed = [...levels.slice(0, -1), ...(own === undefined ? [] : [{ ...own, entries: entriesIn(entries) }])]
      const inherit = own?.inherit ?? true
      const preview = await boss.call('previewShareList', { fileId, inherit, entries })
      const kept = own?.entries.filter(({ subjectType }) => subjectType !== 'user') ?? []
      const added = [
        ...levels.slice(0, -1),
        ...(own === undefined ? [] : [{ ...own, entries: [...kept, ...entriesIn(entries)] }]),
      ]
      const whatIf = await admin.call('whatIfShared', { fileId, entries })
      for (const person of team) {
        const before = seen(expectedOf(levels, person))
        for (const [effect, to] of [
          [preview, changed],
          [whatIf, added],
        ] as const) {
          const after = seen(expectedOf(to, person))
          const one = effect.list.find(({ userId }) => userId === person.userId)
          expect(one === undefined ? [before, before] : [one.before, one.after], told).toEqual([before, after])
        }
      }
    }
  })

  test('every call that answers rights of a user is asked, or says something else', () => {
    const found = Object.entries(callsByName).flatMap(([name, { data }]) => (namesRights(data) ? [name] : []))
    expect(found.filter((name) => !asked.includes(name) && !(name in others))).toEqual([])
    expect([...asked, ...Object.keys(others)].filter((name) => !found.includes(name))).toEqual([])
  })
})

const entriesIn = (entries: readonly EntryInput[]): RightsEntry[] =>
  entries.map((entry) => ({ ...entry, kind: 'independent', expireTime: null }))

/** Whether an answer contains rights outside of the record of an item, which has those of the caller. */
function namesRights(data: z.ZodType): boolean {
  const { $defs: _, ...schema } = z.toJSONSchema(data, { unrepresentable: 'any' })
  const text = JSON.stringify(schema)
  const has = (key: string): boolean => new RegExp(`"${key}":\\{[^{}]*"type":"integer"`).test(text)
  return has('rights') || (has('before') && has('after'))
}
