// A server that is killed while somebody signs or while the archive is written: the signature is stored whole or not at
// all, and the work goes on.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, password, storeOf, type World } from '../../../test/harness.ts'
import { storedPassword } from '../../../test/passwords.ts'
import { ServerProcess } from '../../../test/server-process.ts'
import { contract } from '../../../test/signing.ts'
import { signing } from './feature.ts'

const script = join(import.meta.dirname, '../../../test/stopping-server.ts')

/** What is stored about a process, each in its own place. */
async function stored({ app: { db } }: World, activityId: number) {
  const { rows } = await sql<Record<'state', string> & { revision: number; waits: string[]; signed: string[] }>`
    select s.state, s.revision,
      (select count(*)::int from sign_revision r where r.activity_id = s.id) as revisions,
      (select count(*)::int from sign_entry e where e.activity_id = s.id and e.what = 'signed') as entries,
      (select coalesce(json_agg(a.account order by a.account), '[]') from sign_signer g join account a on a.id = g.account_id
        where g.activity_id = s.id and g.state = 'now') as waits,
      (select coalesce(json_agg(a.account order by a.account), '[]') from sign_signer g join account a on a.id = g.account_id
        where g.activity_id = s.id and g.state = 'signed' and g.certificate_id is not null) as signed,
      (select coalesce(json_agg(distinct a.account), '[]') from notice n join account a on a.id = n.account_id
        where n.notice_group = 'fileSign' and n.read_at is null) as told
    from sign_activity s where s.id = ${activityId}`.execute(db)
  return rows[0]
}

async function broken({ app }: World): Promise<unknown[]> {
  const found = await Promise.all((signing.checks ?? []).map(({ broken: rows }) => sql`${rows}`.execute(app.db)))
  return found.flatMap(({ rows }) => rows)
}

async function digestOf({ world, token }: Person, activityId: number): Promise<string> {
  const answer = await world.app.http.inject({
    url: `/services2/sign/getSignFile/${activityId}`,
    headers: { authorization: `Bearer ${token}` },
  })
  return createHash('sha256').update(answer.rawPayload).digest('hex')
}

async function scene(signers: readonly string[]) {
  const world = await openWorld({ elected: false })
  await (await world.admin()).call('createSignAuthority', { name: '青云科技' })
  const anna = await world.person('anna')
  const people: Person[] = []
  for (const name of signers) people.push(await world.person(name))
  const folderId = await anna.folder(anna.library, '签署')
  const fileId = await anna.upload(folderId, '合同.pdf', await contract())
  const { activityId } = await anna.call('launchSign', {
    ...{ fileId, archiveFolderId: folderId, title: '采购合同', order: true },
    singerList: people.map(({ userId }) => ({ userId })),
  })
  // The server that is killed hashes passwords as the product does.
  await sql`update account set password_hash = ${await storedPassword()} where account = 'ben'`.execute(world.app.db)
  await world.app.settle()
  return { world, anna, people, folderId, activityId }
}

/** Starts a server that stops at a point, and kills it there. */
async function killedAt(world: World, point: string, work?: (origin: string) => Promise<unknown>): Promise<void> {
  const server = new ServerProcess([JSON.stringify(world.database), await storeOf(world), point], {}, script)
  const answer = work?.(await server.ready()).catch(() => undefined)
  await server.says(/stopped/)
  server.child.kill('SIGKILL')
  await server.exited
  await answer
}

// [R275] A server that is killed while somebody signs has stored the whole signature or nothing of it.
test.each(
  few(2, [
    ['signed', false],
    ['commit sign', false],
    ['committed sign', true],
  ] as const),
)('[R275] killed while somebody signs (at “%s”): signed and stored, or not signed', async (point, isDone) => {
  const { world, anna, people, activityId } = await scene(['ben', 'cara'])
  const [ben] = people
  if (ben === undefined) throw new Error('nobody')
  const asked = { activityId, revision: 0, password }
  const [before, digest] = [await stored(world, activityId), await digestOf(anna, activityId)]
  expect(before).toMatchObject({ state: 'running', revision: 0, revisions: 1, waits: ['ben'], signed: [] })

  await killedAt(world, point, (origin) => {
    return fetch(`${origin}/services2/sign/sign`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    })
  })

  const after = await openWorld({ peer: world, elected: false })
  await after.app.settle()
  const signed = { state: 'running', revision: 1, revisions: 2, entries: 1, waits: ['cara'], signed: ['ben'] }
  if (isDone) expect(await stored(after, activityId)).toMatchObject(signed)
  else {
    expect(await stored(after, activityId)).toEqual(before)
    expect(await digestOf(anna, activityId)).toBe(digest)
  }
  expect(await broken(after)).toEqual([])
  // The same again: done if it was not, refused if it was.
  const again = await (await after.signIn('ben', 7)).wire('sign', asked)
  expect(again.code).toBe(isDone ? 'alreadyHandled' : 'success')
  await after.app.settle()
  expect(await stored(after, activityId)).toMatchObject(signed)
  const checked = await anna.call('checkSign', { activityId })
  expect(checked.list.map(({ isIntact, isTrusted }) => [isIntact, isTrusted])).toEqual([[true, true]])
  expect(await broken(after)).toEqual([])
})

test.each(few(1, ['job signing.archive ran', 'job signing.archive taken']))(
  'killed while it archives (at “%s”): the archive is written once',
  async (point) => {
    const { world, anna, people, folderId, activityId } = await scene(['ben'])
    await people[0]?.call('sign', { activityId, revision: 0, password })
    await killedAt(world, point)
    expect((await stored(world, activityId))?.state).toBe('signed')
    expect(await broken(world)).toEqual([])
    // The lease of the killed process is over.
    const after = await openWorld({ peer: world, now: () => Date.now() + 10 * 60_000 })
    await expect.poll(async () => (await stored(after, activityId))?.state).toBe('archived')
    expect([...(await anna.names(folderId))].sort()).toEqual(['合同.pdf', '采购合同-签署证明.pdf', '采购合同.pdf'])
    expect(await broken(after)).toEqual([])
  },
)
