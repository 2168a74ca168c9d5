// Starts a whole server with `npm start -- --demo` and checks what the README states about the demo company.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoCompany, demoPassword, fillWithDemo } from '@cloudoc/devkit/demo'
import { codes, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { emptyDocument } from '../src/documents/index.ts'
import { dateAsOnDisk } from '../src/drive/content/index.ts'
import { dateAuditAsOnDisk, verifyAudit } from '../src/system/audit/index.ts'
import { createSealer } from '../src/system/audit/seal.ts'
import { longTest } from './full.ts'
import { openWorld, password, type World } from './harness.ts'

/** How many files of the folder of 10,000 are checked, except in the full run. */
const ofTheLargeFolder = inject('full') ? 10_000 : 70

longTest(
  'an empty installation is filled through its own calls, and one that is in use stays as it is',
  async () => {
    const world = await openWorld({ elected: false })
    const said: string[] = []
    let tickets = 0
    const fill = () =>
      fillWithDemo({
        adminPassword: password,
        emptyDocument,
        report: (line) => void said.push(line),
        async send({ method, path, headers, body }) {
          if (/ 服务工单 /.test(new URLSearchParams(path).get('fileName') ?? '')) {
            tickets += 1
            if (tickets > ofTheLargeFolder) return { result: codes.success.code, data: null, msg: '' }
          }
          const payload = typeof body === 'string' || body === undefined ? body : Buffer.from(body)
          const response = await world.app.http.inject({
            method,
            url: path,
            headers,
            ...(payload !== undefined && { payload }),
          })
          return response.json()
        },
      })
    expect(await fill()).toBe(true)
    expect(tickets).toBe(10_000)

    await dateAsOnDisk(world.app.db)
    await dateAuditAsOnDisk(world.app.db)
    const year = 366 * 86_400_000
    const { rows: dates } = await sql<{ files: number; months: number; first: number; last: number; versions: number }>`
    select count(*)::int as files, min(i.created_at) as first, max(i.modified_at) as last, max(i.version) as versions,
      count(distinct date_trunc('month', to_timestamp(i.modified_at / 1000)))::int as months
    from item i where i.f_type = 1`.execute(world.app.db)
    const [spread = expect.fail('no files')] = dates
    expect(spread.months).toBeGreaterThanOrEqual(12)
    expect(spread.versions).toBe(4)
    expect(spread.first).toBeGreaterThan(Date.now() - year)
    expect(spread.last).toBeLessThan(Date.now())
    const { rows: odd } = await sql`
    select i.id from item i join item f on f.id = i.parent_id and f.parent_id is not null where i.created_at < f.created_at
    union all select i.id from item i join version v on v.item_id = i.id and v.number = i.version
    where v.created_at <> i.modified_at or i.created_at > i.modified_at
    union all select a.item_id from version a join version b on b.item_id = a.item_id and b.number = a.number + 1
    where b.created_at < a.created_at`.execute(world.app.db)
    expect(odd).toEqual([])

    const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8')
    const promised = [...readme.matchAll(/^\| `(\w+)` (\S+) \|.*\| `([^`]+)` \|$/gm)]
    expect(promised.length).toBe(4)
    for (const [, account = '', name = '', shown = ''] of promised) {
      const person = await world.signIn(account, 6, shown)
      expect(await person.call('getMyAccountInfo', {})).toMatchObject({ account, accountName: name })
    }
    const admin = await world.signIn('admin')
    expect((await admin.call('getAllAccount', {})).total).toBe(demoCompany.people.length + 2)
    const linxia = await world.signIn('linxia', 7, demoPassword)
    const { list: roots } = await linxia.call('getRootFolderSetting', {})
    expect(roots.find(({ kind }) => kind === 'company')?.rights).toBe(rightsGroup.full)
    const tianye = await world.signIn('tianye', 7, demoPassword)
    const { list: found } = await tianye.call('searchDoc', { keyword: 'gdgd' })
    const large = found.find(({ fType }) => fType === 2)?.fId ?? expect.fail('no large folder')
    expect((await tianye.call('getSubItemList3', { folderId: large })).total).toBe(ofTheLargeFolder)

    await showsItAll(world)

    expect(await fill()).toBe(false)
    expect(said.at(-1)).toMatch(/only an empty installation/)
  },
  120_000,
)

/** Every screen of the product has content for one of the people that the README names. */
async function showsItAll(world: World): Promise<void> {
  await world.app.settle()
  const as = (account: string) => world.signIn(account, 8, account === 'admin' ? password : demoPassword)
  const [admin, linxia, chenxiao, fangyuan] = await Promise.all(['admin', 'linxia', 'chenxiao', 'fangyuan'].map(as))
  if (!admin || !linxia || !chenxiao || !fangyuan) return expect.fail('nobody')
  const { list: shared } = await linxia.call('getSharedToMeList', {})
  // The third is the attachment of a process that waits for her.
  expect(shared).toHaveLength(3)
  const { list: asked } = await fangyuan.call('getAuthorizationReviewList', { state: 'all' })
  expect(asked.map(({ state }) => state).toSorted()).toEqual(['approved', 'pending', 'rejected'])

  const { rows: links } = await sql<{ id: number }>`select id from external_link`.execute(world.app.db)
  const known = await Promise.all(links.map(({ id }) => admin.call('getExternalInfo', { externalId: id })))
  expect(new Set(known.map(({ reason }) => reason))).toEqual(
    new Set(['active', 'paused', 'cancelled', 'visits', 'notYet', 'approval']),
  )
  expect(known.reduce((sum, { visits }) => sum + visits, 0)).toBeGreaterThan(5)
  expect(known.filter(({ people }) => people.length > 0)).toHaveLength(1)

  const { rows: kept } = await sql<{ what: string; n: number }>`
    select 'named versions' as what, count(*)::int as n from version where name <> ''
    union all select 'levels', count(*)::int from item where secret_level > 0
    union all select 'restricted', count(*)::int from item where doc_flag <> 0
    union all select 'mentions', count(*)::int from comment where mentioned <> '{}'
    union all select 'grades', count(*)::int from comment where grade > 0
    union all select 'follows', count(*)::int from follow
    union all select 'waits', count(*)::int from edit_wait`.execute(world.app.db)
  expect(kept.filter(({ n }) => n === 0)).toEqual([])

  expect((await chenxiao.call('getTagList', {})).list.filter(({ company, count }) => company && count > 0).length).toBe(
    4,
  )
  expect((await linxia.call('getFavoriteList', {})).total).toBeGreaterThan(3)
  expect((await linxia.call('getSavedSearches', {})).list).toHaveLength(1)
  expect((await linxia.call('getNotices', {})).total).toBeGreaterThan(0)
  for (const list of ['creation', 'archived'] as const)
    expect((await linxia.call('getProcessList', { list })).total, list).toBeGreaterThan(0)
  for (const person of [linxia, chenxiao])
    expect((await person.call('getProcessList', { list: 'pending' })).total).toBe(1)
  expect((await fangyuan.call('getProcessList', { list: 'circulating' })).total).toBeGreaterThan(1)
  expect((await admin.call('getProcessTemplates', {})).list.map(({ running }) => running)).toEqual([3, 0])
  const yangfan = await as('yangfan')
  expect((await yangfan.call('getRecentLocked', {})).total).toBe(1)
  expect((await yangfan.call('getRecycleList', {})).total).toBe(1)
  expect((await admin.call('getWatermarkRules', {})).list).toHaveLength(1)
  expect((await admin.call('getLibraries', { state: 'nearly' })).list.map(({ name }) => name)).toContain('测试部')

  const seal = createSealer(world.app.db, Date.now)
  while (await seal());
  expect((await verifyAudit(world.app.db, world.app.services.blobs)).problems).toEqual([])
  const { rows: months } = await sql<{ n: number }>`
    select count(distinct date_trunc('month', to_timestamp(at / 1000)))::int as n from audit_seal`.execute(world.app.db)
  expect(months[0]?.n).toBeGreaterThanOrEqual(12)
  const { rows: order } = await sql`
    select a.seq from audit_seal a join audit_seal b on b.seq = a.seq + 1 where b.at < a.at - 60000`.execute(
    world.app.db,
  )
  expect(order).toEqual([])
  const { rows: grown } = await sql<{ days: number; off: number }>`
    select count(distinct day)::int as days,
      (sum(bytes) - (select bytes from library_total where library_id = 0))::int as off from usage_day`.execute(
    world.app.db,
  )
  expect(grown[0]?.off).toBe(0)
  expect(grown[0]?.days).toBeGreaterThan(100)
}
