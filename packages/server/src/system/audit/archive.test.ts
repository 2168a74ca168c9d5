// Audit archives: archiving loses, duplicates or unchains nothing.
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWorld, requestFor, type World } from '../../../test/harness.ts'
import { contentRow, persist } from '../../drive/content/index.ts'
import { archiveByTime, archivingJob } from './archive.ts'
import { createSealer } from './seal.ts'
import { verifyAudit } from './verify.ts'

const dayMs = 24 * 60 * 60_000

/** An installation with old and recent audit rows. */
async function aged() {
  // The setup of an installation uses the system clock.
  let time = Date.now()
  const world = await openWorld({ elected: false, now: () => time })
  const { db, services } = world.app
  const sealer = createSealer(db, () => time)
  const seal = async (): Promise<void> => {
    while (await sealer());
  }
  await world.person('anna')
  let anna = await world.signIn('anna')
  for (let n = 0; n < 5; n += 1) await anna.folder(anna.library, `long ago ${n}`)
  await seal()
  const before = await rowsOf(world)
  const { newest } = await db
    .selectFrom('audit')
    .select((eb) => eb.fn.max('id').as('newest'))
    .executeTakeFirstOrThrow()
  time += 40 * dayMs
  // A session does not last that long.
  const admin = await world.signIn('admin')
  anna = await world.signIn('anna')
  await anna.folder(anna.library, 'today')
  await seal()
  // No older row can appear any more, whatever else runs in the cluster.
  await expect
    .poll(
      async () => {
        time += 61_000
        await seal()
        const head = await db
          .selectFrom('audit_head')
          .select('settled')
          .orderBy('seq', 'desc')
          .limit(1)
          .executeTakeFirst()
        return head?.settled ?? 0
      },
      { timeout: 120_000 },
    )
    .toBeGreaterThanOrEqual(newest)
  const archive = archivingJob(services)
  const ends = new AbortController()
  onTestFinished(() => ends.abort())
  const asked = { from: 1, before: time - 31 * dayMs, by: admin.userId }
  const run = () => archive.run({ db, attempt: 1, signal: ends.signal, log: services.log, progress: () => {} }, asked)
  const commit = async (made: Awaited<ReturnType<typeof run>>) =>
    db.transaction().execute(async (tx) => archive.commit?.({ tx, now: time }, asked, made))
  const verified = () => verifyAudit(db, services.blobs)
  return { world, db, admin, anna, seal, run, commit, verified, old: before, now: () => time }
}

async function rowsOf({ app }: World): Promise<number> {
  const { n } = await app.db
    .selectFrom('audit')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

describe('archives of the audit', () => {
  // [R287] The older part of the log moves to archives with their own space, which are listed, exported and verified;
  // nothing is lost or duplicated.
  test('[R287] take the older rows out of the tables, under the same chain, once, whoever dies in the middle', async () => {
    const { db, admin, seal, run, commit, verified, old } = await aged()
    const rows = (await verified()).rows
    const lists = async () => (await admin.call('getAuditList', { rows: 500 })).list.map(({ seq }) => seq)
    const newer = (await lists()).filter((seq) => seq > old)
    // A process killed at this point has made a file that nothing refers to.
    const first = await run()
    expect(await verified()).toMatchObject({ rows, problemCount: 0 })
    expect(await lists()).toContain(1)
    const second = await run()
    // Names of deleted items are retained as long as rows in the tables need them.
    await sql`
      insert into gone_item (id, f_type, name) select distinct item_id, 2, 'gone' from audit_item`.execute(db)
    await commit(second)
    await commit(first)
    expect(await lists()).toEqual(newer)
    const { rows: named } = await sql`
      select 1 from gone_item g full join (select distinct item_id from audit_item) i on i.item_id = g.id
      where g.id is null or i.item_id is null`.execute(db)
    expect([named, (await db.selectFrom('gone_item').select('id').execute()).length > 0]).toEqual([[], true])
    const { list, used, limit } = await admin.call('getAuditArchives', {})
    expect(list).toMatchObject([{ fromSeq: 1, toSeq: old, rows: old }])
    expect([used, limit]).toEqual([list[0]?.bytes, 0])
    // The end of a list reports older archived days, unless its filter excludes them.
    const { since = 0, until = 0 } = list[0] ?? {}
    const ending = async (more: object) => (await admin.call('getAuditList', { rows: 500, ...more })).archived
    expect(await ending({})).toEqual({ since, until, archives: 1, rows: old })
    expect(await ending({ until: since + 1 })).toMatchObject({ rows: old })
    expect(await ending({ since: until + 1 })).toBeNull()
    expect(await ending({ until: since })).toBeNull()
    expect(await ending({ rows: 1 })).toBeNull()
    expect(await verified()).toMatchObject({ rows, problemCount: 0 })
    await seal()
    const { list: made } = await admin.call('getAuditList', { kind: 'administration', rows: 1 })
    expect(made).toMatchObject([{ call: 'auditArchived', by: { userId: admin.userId } }])
    expect(
      (
        await sql`select 1 from audit_item i where not exists (select 1 from audit_seal s where s.seq = i.seq)`.execute(
          db,
        )
      ).rows,
    ).toEqual([])
  })

  test('are taken along as they are kept: every row as it was sealed, and the head that signs it; that is on record', async () => {
    const { world, admin, anna, seal, run, commit, old } = await aged()
    const texts = (
      await sql<{ id: number }>`select audit_id as id from audit_seal where seq <= ${old} order by seq`.execute(
        world.app.db,
      )
    ).rows
    await commit(await run())
    const get = (archiveId: number, token = admin.token) =>
      world.app.http.inject(requestFor('downloadAuditArchive', { archiveId }, token))
    const lines = gunzipSync((await get(1)).rawPayload)
      .toString()
      .trim()
      .split('\n')
    expect(lines).toHaveLength(old + 1)
    const parsed = lines.map(
      (line) => JSON.parse(line) as { seq: number; who: string; items: string[]; row: unknown[] },
    )
    expect(parsed.slice(0, -1).map(({ row }) => row[0])).toEqual(texts.map(({ id }) => id))
    expect(parsed.filter(({ items }) => items?.includes('long ago 3'))).toMatchObject([{ who: 'anna (anna)' }])
    expect(parsed.at(-1)).toMatchObject({
      head: { seq: old },
      publicKey: expect.stringContaining('PUBLIC KEY') as string,
    })
    expect((await get(2)).json()).toMatchObject({ result: -3 })
    expect((await get(1, anna.token)).json()).toMatchObject({ result: -4 })
    await seal()
    const { list } = await admin.call('getAuditList', { kind: 'administration', rows: 1 })
    expect(list).toMatchObject([{ call: 'downloadAuditArchive' }])
  })

  test('are verified: what was changed, removed, put back or lost is named', async () => {
    const { world, db, run, commit, verified, old } = await aged()
    const { blobs } = world.app.services
    const [back] = (await sql<object>`select * from audit_seal where seq = 2`.execute(db)).rows
    await commit(await run())
    const kept = await db
      .selectFrom('audit_archive as r')
      .innerJoin('blob as b', 'b.id', 'r.blob_id')
      .select(['b.id', 'b.key'])
      .executeTakeFirstOrThrow()
    const chunks: Uint8Array[] = []
    for await (const chunk of await blobs.open(kept.key)) chunks.push(Uint8Array.from(chunk))
    const lines = gunzipSync(Buffer.concat(chunks)).toString().trimEnd().split('\n')
    /** Replaces the file of the archive. */
    const replaced = async (file: Buffer) => {
      const content = await persist(
        await blobs.stage(
          (async function* () {
            yield file
          })(),
        ),
      )
      await db.transaction().execute(async (tx) => {
        const { id } = await contentRow(tx, content, 0)
        await sql`update audit_archive set blob_id = ${id}`.execute(tx)
      })
      return (await verified()).problems
    }
    const changed = lines.map((line) =>
      line.startsWith('{"seq":4,') ? line.replace('192.', '193.').replace('127.', '128.') : line,
    )
    expect(await replaced(gzipSync(`${changed.join('\n')}\n`))).toMatchObject([{ what: 'altered', seq: 4, count: 1 }])
    const without = lines.filter((line) => !line.startsWith('{"seq":3,'))
    expect(await replaced(gzipSync(`${without.join('\n')}\n`))).toMatchObject([{ what: 'removed', seq: 3, count: 1 }])
    expect(await replaced(Buffer.from('nothing'))).toEqual([{ what: 'removed', seq: 1, auditId: 0, count: old }])
    await sql`update audit_archive set blob_id = ${kept.id}`.execute(db)
    expect((await verified()).problems).toEqual([])
    await sql`insert into audit_seal select * from json_populate_record(null::audit_seal, ${JSON.stringify({ ...back, hash: '\\x00' })})`.execute(
      db,
    )
    expect((await verified()).problems).toMatchObject([{ what: 'inserted', seq: 2 }])
    await sql`delete from audit_seal where seq = 2`.execute(db)
    await blobs.remove(kept.key)
    expect((await verified()).problems).toEqual([{ what: 'removed', seq: 1, auditId: 0, count: old }])
    await sql`delete from audit_archive`.execute(db)
    expect((await verified()).problems).toEqual([{ what: 'removed', seq: 1, auditId: 0, count: old }])
  })

  test('hold nothing that is younger than thirty days, has not gone out to the collector, or finds no room', async () => {
    const { world, admin, run, now, old } = await aged()
    expect(await admin.refusal('archiveAudit', { before: now() - 29 * dayMs })).toBe('badRequest')
    await admin.call('setServerSetting', { log_archive_space: 10 })
    await expect(run()).rejects.toMatchObject({ code: 'full' })
    expect(await rowsOf(world)).toBeGreaterThan(old)
    await admin.call('setServerSetting', { log_archive_space: 0, syslog_host: '127.0.0.1' })
    expect(await run()).toBeUndefined()
    await admin.call('setServerSetting', { syslog_host: '' })
    expect(await run()).toMatchObject({ rows: old })
  })

  test('are made when the auditor asks and, whole months at a time, when their time has come', async () => {
    let time = Date.now()
    const [year, month] = [new Date(time).getUTCFullYear(), new Date(time).getUTCMonth()]
    const world = await openWorld({ now: () => time })
    await (await world.admin()).call('setServerSetting', { log_archive_months: 1 })
    /** Whether everything before is settled. */
    const settled = (before: number) => async () => {
      time += 61_000
      const { rows } = await sql<{ done: boolean }>`
        select settled >= (select max(id) from audit where at < ${before}) as done
        from audit_head order by seq desc limit 1`.execute(world.app.db)
      return rows[0]?.done
    }
    await expect.poll(settled(time), { timeout: 120_000 }).toBe(true)
    const byTime = () => archiveByTime({ ...world.app.services, now: () => time })
    time = Date.UTC(year, month + 1, 28)
    await byTime()
    expect(await sql`select 1 from job where kind = 'audit.archive'`.execute(world.app.db)).toMatchObject({ rows: [] })
    time = Date.UTC(year, month + 2, 5)
    const admin = await world.signIn('admin')
    const archives = () => admin.call('getAuditArchives', {})
    await byTime()
    const first = { list: [{ fromSeq: 1 }], progress: null, problem: '' }
    await expect.poll(archives, { timeout: 120_000 }).toMatchObject(first)
    const unsealed = async () =>
      (
        await sql`select 1 from audit a where not exists (select 1 from audit_seal s where s.audit_id = a.id)`.execute(
          world.app.db,
        )
      ).rows.length
    await expect.poll(unsealed, { timeout: 120_000 }).toBe(0)
    time = Date.UTC(year, month + 4, 1)
    const later = await world.signIn('admin')
    await expect.poll(settled(time - 31 * dayMs), { timeout: 120_000 }).toBe(true)
    await later.call('archiveAudit', { before: time - 31 * dayMs })
    await expect
      .poll(() => later.call('getAuditArchives', {}), { timeout: 120_000 })
      .toMatchObject({ list: [{}, { fromSeq: 1 }], progress: null, problem: '' })
  })
})
