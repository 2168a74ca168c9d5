import { appendFile, cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import { setUp } from '../src/first-start.ts'
import { longTest } from './full.ts'
import { openWorld, password, type World } from './harness.ts'
import { startOtherPostgres } from './other-postgres.ts'
import { readsOf } from './reads.ts'
import { testFolder } from './restored.ts'
import { ServerProcess } from './server-process.ts'
import { urlOf } from './stock-postgres.ts'

/** Runs a maintenance command; returns its exit code and output. */
async function run(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const command = new ServerProcess(args)
  return { code: await command.exited, out: command.out, err: command.err }
}

async function everythingOf(world: World): Promise<unknown[]> {
  const all = []
  for (const account of ['admin', 'anna']) all.push(await readsOf(await world.signIn(account, 9)))
  return all
}

longTest(
  'a running installation moves from the PostgreSQL that comes along to another one and back, by two commands',
  {
    timeout: 300_000,
  },
  async () => {
    const folder = await testFolder()
    const at = (name: string): string => join(folder, name)
    const postgres = await startEmbeddedPostgres({ dataDir: at('first/postgres'), log: () => {} })
    const first = await openWorld({ peer: { database: postgres.target, folder: at('first') } })
    await setUp(first.app, { password, now: Date.now() })
    const anna = await first.person('anna')
    for (const name of ['合同.txt', 'b.bin', 'c']) await anna.upload(anna.library, name, `${name} 内容`)
    await anna.upload(anna.library, 'c', 'second', { conflict: 'version' })
    await first.app.settle()
    const before = await everythingOf(first)

    const made = await run('backup', at('backups'), '--data', at('first'))
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(made.out).toMatch(
      /^Backup: .*\n\d+ rows, 4 contents \([\d.]+ ?\w+\),\nof which 4 \(.*\) are new in this folder\.\n$/,
    )
    const again = await run('backup', at('backups'), '--verify', '--keep', '1', '--data', at('first'))
    expect(again.code).toBe(0)
    expect(again.out).toMatch(/of which 0 .*\n.* is whole: 4 contents.*\n1 old backups are removed\.\n/)

    const outside = await startOtherPostgres()
    const moved = await run('restore', at('backups'), '--data', at('second'), '--database-url', urlOf(outside))
    expect(moved).toMatchObject({ code: 0, err: '' })
    const second = await openWorld({ peer: { database: outside, folder: at('second') } })
    expect(await everythingOf(second)).toEqual(before)

    const ben = await second.signIn('anna')
    await ben.upload(ben.library, 'later.txt', 'later')
    const later = await everythingOf(second)
    expect((await run('backup', at('more'), '--data', at('second'), '--database-url', urlOf(outside))).code).toBe(0)
    expect(await run('restore', at('more'), '--data', at('third'))).toMatchObject({ code: 0, err: '' })
    const back = await startEmbeddedPostgres({ dataDir: at('third/postgres'), log: () => {} })
    const third = await openWorld({ peer: { database: back.target, folder: at('third') } })
    expect(await everythingOf(third)).toEqual(later)

    const refused = await run('restore', at('more'), '--data', at('third'))
    expect(refused).toEqual({
      code: 2,
      out: '',
      err: 'The installation is in use: restore into an empty one (another --data folder or database).\n',
    })
    for (const world of [first, second, third]) await world.close()
    await postgres.stop()
    await back.stop()
  },
)

longTest(
  'what an operator can mend is said in one line with exit code 2, a backup that is not whole with 1',
  {
    timeout: 120_000,
  },
  async () => {
    const folder = await testFolder()
    const fixture = join(import.meta.dirname, 'fixtures/0001-spine')
    expect(await run('backup')).toEqual({
      code: 2,
      out: '',
      err: 'usage: npm run backup -- <folder> [--verify] [--keep <number>] [flags of npm start]\n',
    })
    expect(await run('backup', join(folder, 'to'), '--data', join(folder, 'none'))).toEqual({
      code: 2,
      out: '',
      err: `${join(folder, 'none')} holds no installation.\n`,
    })
    expect(await run('backup', join(folder, 'to'), '--nonsense')).toMatchObject({
      code: 2,
      err: 'unknown flag --nonsense: see --help\n',
    })
    expect(await run('restore', folder, '--verify')).toEqual({ code: 2, out: '', err: `${folder} holds no backup\n` })
    const nowhere = await run('backup', folder, '--data', folder, '--database-url', 'postgres://localhost:1/x')
    expect(nowhere.code).toBe(2)
    expect(nowhere.err).toMatch(/^The database cannot be used: .*\n$/)

    const sound = await run('restore', fixture, '--verify')
    expect(sound).toMatchObject({ code: 0, err: '' })
    expect(sound.out).toMatch(/is whole: 37 contents/)
    await cp(fixture, join(folder, 'copy'), { recursive: true })
    const [name = ''] = (await readdir(join(folder, 'copy'))).filter((entry) => entry.startsWith('20'))
    const damaged = join(folder, 'copy', name, 'tables/account.copy')
    await appendFile(damaged, 'x')
    expect(await run('restore', join(folder, 'copy'), '--verify')).toEqual({
      code: 1,
      out: `${damaged} is damaged\n`,
      err: '',
    })
    const broken = await run('restore', join(folder, 'copy'), '--data', join(folder, 'broken'))
    expect(broken).toEqual({ code: 1, out: '', err: `${damaged} is damaged\n` })
  },
)
