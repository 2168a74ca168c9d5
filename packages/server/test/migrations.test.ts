import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isFrame } from '@cloudoc/contract'
import { demoPassword } from '@cloudoc/devkit/demo'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { migrate, migrationLock } from '../src/core/db/migrate.ts'
import { serverLock } from '../src/core/leader-election.ts'
import { installation } from '../src/installation.ts'
import { verifyAudit } from '../src/system/audit/index.ts'
import { createSealer } from '../src/system/audit/seal.ts'
import { fsck } from '../src/system/fsck/index.ts'
import { fixtures, signInTo, viewers, visibleTo } from './fixture.ts'
import { changeIn } from './follower.ts'
import { few } from './full.ts'
import { openWorld, requestFor } from './harness.ts'
import { hashAsProduct, hashBy } from './passwords.ts'
import { emptyPlace, type Place, restoreTo, testFolder } from './restored.ts'
import { ServerProcess } from './server-process.ts'

const { migrations } = installation

// The fixtures contain password hashes made by the product's algorithm.
hashBy(hashAsProduct)

const script = join(import.meta.dirname, 'stopping-server.ts')
const states = (await readdir(fixtures)).toSorted()
const started: ServerProcess[] = []

afterAll(async () => {
  for (const server of started) {
    server.child.kill('SIGKILL')
    await server.exited
  }
})

async function seenThen(state: string): Promise<Record<string, string[]>> {
  return JSON.parse(await readFile(join(fixtures, state, 'seen.json'), 'utf8')) as Record<string, string[]>
}

async function query<T extends object>({ database }: Place, text: string): Promise<T[]> {
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<T>(text)
  await client.end()
  return rows
}

const applied = async (place: Place): Promise<string[]> =>
  (await query<{ name: string }>(place, 'select name from kysely_migration order by name')).map(({ name }) => name)

// The oldest and the newest.
describe.each(few(2, states))('an installation of the schema %s', { timeout: 120_000 }, (state) => {
  test('migrates forward: everybody sees what they saw, byte for byte, and goes on', async () => {
    const place = await emptyPlace()
    await restoreTo(place, join(fixtures, state), { keepSchema: true })
    expect((await applied(place)).at(-1)).toBe(state)
    const world = await openWorld({ peer: place })
    expect(await applied(place)).toEqual(Object.keys(migrations).sort())
    const { http } = world.app
    const clients = []
    for (const viewer of viewers) clients.push(await signInTo(http, viewer, demoPassword))
    const seen: Record<string, string[]> = {}
    for (const [index, client] of clients.entries()) seen[viewers[index] ?? ''] = (await visibleTo(client)).sort()
    const then = Object.entries(await seenThen(state)).map(([viewer, lines]) => [viewer, lines.sort()])
    expect(seen).toEqual(Object.fromEntries(then))

    const [linxia, chenxiao] = clients
    if (linxia === undefined || chenxiao === undefined) throw new Error('nobody is there')
    const { list: roots } = await linxia.call('getRootFolderSetting', {})
    const own = roots.find((root) => root.kind === 'personal')?.fId ?? 0
    await expect(chenxiao.call('getSubItemList3', { folderId: own, rows: 1 })).rejects.toThrow('was refused: -3')
    const fileId = await linxia.upload(own, '新文件.txt', '新', 'refuse')
    expect((await linxia.bytes(fileId, 1)).toString()).toBe('新')
    const { list: bin } = await linxia.call('getRecycleList', {})
    await linxia.call('recycleRestore', { fileIdArray: bin.map((item) => item.fId) })
    const found = async (keyword: string): Promise<string[]> =>
      (await linxia.call('searchDoc', { keyword })).list.map((item) => item.fName)
    expect(await found('jiugao')).toEqual(['旧稿.txt'])
    expect(await found('新文')).toEqual(['新文件.txt'])
  })

  test('[R308] [R309] tells what happened under it: events that have their position, those that wait for one, and what people have not confirmed', async () => {
    const place = await emptyPlace()
    await restoreTo(place, join(fixtures, state), { keepSchema: true })
    // As if the older build had stopped right after committing them.
    await query(
      place,
      `insert into event (kind, library_id, item_id, payload, actor_id, created_at)
        select kind, library_id, item_id, payload, actor_id, created_at from event e
        where id in (select max(id) from event where kind in ('item', 'personal') group by kind)`,
    )
    const [then] = await query<{ at: string; oldest: string }>(
      place,
      'select max(created_at) as at, min(position) as oldest from event',
    )
    const now = Number(then?.at) + 1000
    const world = await openWorld({ peer: place, elected: false, now: () => now })
    await world.app.settle()
    const [epoch] = await query<{ value: string }>(place, `select value from secret where name = 'epoch'`)
    for (const viewer of viewers) {
      const person = await world.signIn(viewer, 6, demoPassword)
      const from = { lastIdentity: String(Number(then?.oldest) - 1), epoch: epoch?.value ?? '' }
      const live = await person.listen(from)
      const welcome = live.frames.find((frame) => isFrame(frame, 'welcome'))
      const mark = await person.folder(person.library, `mark of ${viewer}`)
      await world.app.settle()
      await live.next((frame) => changeIn(frame)?.fId === mark)
      const told = live.frames.filter((frame) => frame !== welcome)
      expect(welcome?.data).toMatchObject({ refetch: false, backlog: told.length - 1 })
      const unconfirmed = await query<{ push_type: number }>(
        place,
        `select push_type from personal_push where account_id = ${person.userId} order by push_type`,
      )
      const types = unconfirmed.map(({ push_type }) => push_type)
      expect(
        told
          .map(({ pushType }) => pushType)
          .filter((type) => types.includes(type))
          .toSorted((a, b) => a - b),
      ).toEqual(types)
      expect(told.some((frame) => isFrame(frame, 'fileChange') && frame.data.fName === '报告.txt')).toBe(true)
    }
    const waiting = await query(place, 'select kind from event where position is null')
    expect(waiting).toEqual([])
    const kinds = await query<{ kind: string }>(place, `select distinct kind from event order by kind`)
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['item', 'personal']))
  })

  test('is migrated once where two processes start at a time, and both serve it', async () => {
    const place = await emptyPlace()
    await restoreTo(place, join(fixtures, state), { keepSchema: true })
    const blobs = join(place.folder, 'blobs')
    const servers = [1, 2].map(() => new ServerProcess([JSON.stringify(place.database), blobs, ''], {}, script))
    started.push(...servers)
    for (const server of servers) {
      const origin = await server.ready()
      const response = await fetch(`${origin}/services/json/login/login3`, {
        method: 'POST',
        body: new URLSearchParams({ userName: 'linxia', password: demoPassword, clientType: '6' }),
      })
      expect(await response.json()).toMatchObject({ result: -1 })
    }
    expect(await applied(place)).toEqual(Object.keys(migrations).sort())
  })
})

/** The newest schema before most features: the demo company with rights, versions, locks and a recycle bin only. */
const beforeMost = '0015-jobs'

test('what an older build kept takes all that has come since: words, comments, tags, levels, links, requests, reports, the audit', {
  timeout: 180_000,
}, async () => {
  const place = await emptyPlace()
  await restoreTo(place, join(fixtures, beforeMost), { keepSchema: true })
  const world = await openWorld({ peer: place })
  const as = (account: string) => world.signIn(account, 8, demoPassword)
  const [admin, linxia, chenxiao] = [await as('admin'), await as('linxia'), await as('chenxiao')]
  const { list: roots } = await linxia.call('getRootFolderSetting', {})
  const rootOf = (kind: string): number => roots.find((root) => root.kind === kind)?.fId ?? 0
  const inside = async (folderId: number) => (await linxia.call('getSubItemList3', { folderId, rows: 100 })).list
  const minutes = (await inside(rootOf('company'))).find(({ fName }) => fName === '会议纪要')?.fId ?? 0
  const [{ fId: fileId, fName } = expect.fail('no minutes')] = await inside(minutes)

  // A text of a document that was not yet indexed.
  const text = (
    await world.app.http.inject({
      url: `/DownloadServlet?fileId=${fileId}&version=1`,
      headers: { authorization: `Bearer ${linxia.token}` },
    })
  ).body
  const word = /[\u4e00-\u9fff]{6,}/.exec(text.slice(200))?.[0] ?? expect.fail(text)
  await vi.waitFor(
    async () => {
      await world.app.settle()
      const { list } = await linxia.call('searchDoc', { keyword: word, scope: 'content' })
      expect(list.map((item) => item.fName)).toContain(fName)
    },
    { timeout: 120_000, interval: 200 },
  )

  const { commentId } = await linxia.call('addComment', { fileId, comment: '请看 @陈晓', grade: 5 })
  expect((await chenxiao.call('getCommentList', { fileId })).list.map((one) => one.commentId)).toEqual([commentId])
  await linxia.call('setItemTags', { fileIdArray: [fileId], addTags: [{ tagName: '归档' }] })
  await linxia.call('fileFavoriteAdd', { fileId })
  await linxia.call('updateVersionComment', { fileId, version: 1, versionName: '初稿' })
  await linxia.call('setSecretLevel', { fileIdArray: [fileId], secretLevel: 2 })
  const [now] = (await inside(minutes)).filter((item) => item.fId === fileId)
  expect(now).toMatchObject({ secretLevel: 2 })
  expect((await linxia.call('getFavoriteList', {})).total).toBe(1)

  const { linkToken } = await linxia.call('externalCreate', {
    folderId: minutes,
    rights: 12,
    endTime: Date.now() + 1e8,
  })
  const visit = await world.app.http.inject(requestFor('openVisit', { linkToken }))
  expect(visit.json()).toMatchObject({ result: -1 })
  const { authorizationId } = await chenxiao.call('authorizationApply', { folderId: minutes, right: 512 })
  await admin.call('authorizationApprove', { authorizationId })

  const report = await admin.call('getAccessReport', { folderId: minutes })
  expect(JSON.stringify(report)).toContain('陈晓')
  expect((await admin.call('getOverview', {})).people.total).toBeGreaterThan(3)
  expect((await admin.call('getAuditList', { rows: 100 })).list.length).toBeGreaterThan(10)
  const seal = createSealer(world.app.db, Date.now)
  while (await seal());
  expect((await verifyAudit(world.app.db, world.app.services.blobs)).problems).toEqual([])
  const findings = await fsck({ ...installation, db: world.app.db, blobs: world.app.blobs, rehash: true })
  expect(findings.filter(({ breaks }) => breaks > 0)).toEqual([])
})

test('who starts while another process migrates looks at nothing before that one is done', async () => {
  const place = await emptyPlace()
  await restoreTo(place, join(fixtures, '0001-spine'), { keepSchema: true })
  const other = new pg.Client(place.database)
  await other.connect()
  await other.query('select pg_advisory_lock($1)', [migrationLock])
  const migrated = migrate(place.database, migrations)
  const waiting = `select 1 from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and objid = ${migrationLock} and not granted`
  await vi.waitFor(async () => expect(await query(place, waiting)).toHaveLength(1), { timeout: 120_000 })
  expect(await applied(place)).toEqual(['0001-spine'])
  await other.end()
  await migrated
  expect(await applied(place)).toEqual(Object.keys(migrations).sort())
})

describe('what a newer build made', { timeout: 120_000 }, () => {
  test('is refused at the start in one clear line, and left as it is', async () => {
    const place = await emptyPlace()
    await restoreTo(place, join(fixtures, '0001-spine'))
    await query(place, `insert into kysely_migration (name, timestamp) values ('9999-later', '2100-01-01')`)
    const before = await applied(place)
    const { host, port, user, database } = place.database
    const url = `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    const server = new ServerProcess(['--data', place.folder, '--port', '0', '--database-url', url])
    started.push(server)
    await server.exited
    expect(server.child.exitCode).toBe(2)
    expect(server.err).toBe(
      'The database was made by a newer build (schema 9999-later); start that one, or restore a backup.\n',
    )
    expect(await applied(place)).toEqual(before)
  })

  test('is refused as a backup in one clear line', async () => {
    const folder = await testFolder()
    await cp(join(fixtures, '0001-spine'), folder, { recursive: true })
    const [name = ''] = (await readdir(folder)).filter((entry) => entry.startsWith('20'))
    const path = join(folder, name, 'manifest.json')
    const manifest = JSON.parse(await readFile(path, 'utf8')) as object
    const place = await emptyPlace()
    await writeFile(path, JSON.stringify({ ...manifest, schema: '9999-later' }))
    await expect(restoreTo(place, folder)).rejects.toThrow(
      /was made by a newer build \(schema 9999-later\): use that one/,
    )
    await writeFile(path, JSON.stringify({ ...manifest, format: 2 }))
    await expect(restoreTo(place, folder)).rejects.toThrow(/was made by a newer build: use that one/)
    expect(await query(place, `select 1 from pg_class where relname = 'account'`)).toEqual([])
  })
})

test('a newer build refuses to migrate a database from which an older one serves, and migrates it once that has stopped', async () => {
  const world = await openWorld()
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(world.app.db)
  const newer = { ...migrations, '9999-next': { up: () => Promise.resolve() } }
  const locks = () =>
    sql`select from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted
      and objid = ${serverLock} and database = (select oid from pg_database where datname = current_database())`
      .execute(world.app.db)
      .then(({ rows: held }) => held.length)
  // The lock is on the connection of the elected work, which opens after the start.
  await vi.waitFor(async () => expect(await locks()).toBe(1), 120_000)
  await expect(migrate(world.database, newer)).rejects.toThrow(/A server of an older build runs on this database/)
  const { rows: after } = await sql`select name from kysely_migration order by name`.execute(world.app.db)
  expect(after).toEqual(rows)
  // A server of the same build starts beside it.
  await migrate(world.database, migrations)
  await world.close()
  await migrate(world.database, newer)
  expect((await applied({ database: world.database } as Place)).at(-1)).toBe('9999-next')
})
