// A check that loses the process that works on it is made again, and decided within five minutes (pains-2, 5.6).
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newSensitiveRule } from '@cloudoc/domain'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { few } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { ServerProcess } from '../../../test/server-process.ts'

const id = '11010519491231002X'
const script = join(import.meta.dirname, '../../../test/stopping-server.ts')
/** The time from the end of a process to the decision that is allowed. */
const allowedMs = 5 * 60_000

/** A world with a rule for ID cards, and somebody in it. */
async function withRule(options: Parameters<typeof openWorld>[0]): Promise<{ world: World; anna: Person }> {
  const world = await openWorld(options)
  const rule = { ...newSensitiveRule, name: '证件', patterns: [{ pattern: 'idCard' as const, atLeast: 1 }] }
  await (await world.admin()).call('saveSensitiveRule', { rule: { ...rule, action: 'block' } })
  return { world, anna: await world.person('anna') }
}

const stateOf = async ({ app }: World, fileId: number) =>
  (
    await sql<{ state: string; outcome: string }>`
      select state, outcome from sensitive_file where item_id = ${fileId}`.execute(app.db)
  ).rows[0]
const found = { state: 'waiting', outcome: 'inspected' }

test.each([
  ...few(1, [
    ['was about to match', 'job sensitive content taken'],
    ['had matched', 'job sensitive content ran'],
    ['was about to read the words', 'job words of plain text taken'],
  ] as const),
])('a server that is killed when it %s leaves the check to another one', async (_, point) => {
  const { world, anna } = await withRule({ elected: false })
  const server = new ServerProcess([JSON.stringify(world.database), join(world.folder, 'blobs'), point], {}, script)
  await server.ready()
  const fileId = await anna.upload(anna.library, '名单.txt', `证件 ${id}`)
  await server.says(/stopped/)
  server.child.kill('SIGKILL')
  await server.exited
  expect(await stateOf(world, fileId)).toMatchObject({ state: 'detecting' })
  const begun = Date.now()
  // The lease of the job is over long before.
  const ahead = allowedMs / 5
  await openWorld({ peer: world, now: () => Date.now() + ahead })
  await expect.poll(() => stateOf(world, fileId), { timeout: 60_000 }).toMatchObject(found)
  expect(ahead + Date.now() - begun).toBeLessThan(allowedMs)
})

/** The processes that read documents and that this process has started. */
async function readers(): Promise<number[]> {
  const parents = new Map<number, number>()
  const reading: number[] = []
  for (const name of (await readdir('/proc')).filter((one) => /^\d+$/.test(one))) {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    )
    parents.set(Number(name), Number(stat?.slice(stat.lastIndexOf(')') + 4).split(' ', 1)[0]))
    if (command?.startsWith(process.execPath) && command.includes('document-process')) reading.push(Number(name))
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0))
  return reading.filter(isOurs)
}

test('a process that is killed while it reads the document of a check is followed by another one', async () => {
  const { world, anna } = await withRule({})
  const paragraph = `<w:p><w:r><w:t>${'计划与合同 '.repeat(30)}</w:t></w:r></w:p>`
  const body = `<w:p><w:r><w:t>证件 ${id} 存档</w:t></w:r></w:p>${paragraph.repeat(5000)}`
  const types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
  const document = zipSync({
    '[Content_Types].xml': strToU8(types),
    'word/document.xml': strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  })
  const fileId = await anna.upload(anna.library, '长.docx', document)
  const attempts = async (): Promise<number> =>
    (
      await sql<{ n: number }>`
        select coalesce(max(attempts), 0)::int as n from job where kind = 'sensitive content of documents'`.execute(
        world.app.db,
      )
    ).rows[0]?.n ?? 0
  await expect.poll(attempts, { timeout: 60_000, interval: 5 }).toBe(1)
  await expect
    .poll(
      async () => {
        for (const pid of await readers()) process.kill(pid, 'SIGKILL')
        return attempts()
      },
      { timeout: 60_000, interval: 5 },
    )
    .toBeGreaterThan(1)
  await expect.poll(() => stateOf(world, fileId), { timeout: 120_000 }).toMatchObject(found)
})
