// `npm start -- --demo` on a whole server: what the README promises of the demo company is there.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoCompany, demoPassword, fillWithDemo } from '@cloudoc/devkit/demo'
import { codes, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { dateAsOnDisk } from '../src/drive/content/index.ts'
import { emptyDocument } from '../src/drive/files/index.ts'
import { longTest } from './full.ts'
import { openWorld, password } from './harness.ts'

/** Of the folder of 10,000 files, unless all of them are wanted, so many are sent and the others believed. */
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
        say: (line) => void said.push(line),
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
    expect((await admin.call('getAllAccount', {})).total).toBe(demoCompany.people.length + 1)
    const linxia = await world.signIn('linxia', 7, demoPassword)
    const { list: roots } = await linxia.call('getRootFolderSetting', {})
    expect(roots.find(({ kind }) => kind === 'company')?.rights).toBe(rightsGroup.full)
    const tianye = await world.signIn('tianye', 7, demoPassword)
    const { list: found } = await tianye.call('searchDoc', { keyword: 'gdgd' })
    const large = found.find(({ fType }) => fType === 2)?.fId ?? expect.fail('no large folder')
    expect((await tianye.call('getSubItemList3', { folderId: large })).total).toBe(ofTheLargeFolder)

    expect(await fill()).toBe(false)
    expect(said.at(-1)).toMatch(/only an empty installation/)
  },
  120_000,
)
