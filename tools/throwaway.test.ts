/*
 * What a feature costs: its folders and one line in each list. A copy of the sources gets a feature that nobody wants
 * (throwaway/) and must then type, answer, and hold to every loop; and whatever the feature forgets is found.
 */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const feature = join(import.meta.dirname, 'throwaway')
const copied = ['packages', 'scripts', 'package.json', 'tsconfig.base.json', 'vitest.config.ts']
/** The lists, with the lines that the feature adds to them. */
const lines = {
  'packages/contract/src/features.ts': "export { stickers } from './calls/stickers.ts'\n",
  'packages/server/src/features.ts': "export { stickers } from './drive/stickers/feature.ts'\n",
  'packages/web/src/app/areas.ts': "export const stickers = () => import('../stickers/area.ts')\n",
}

let copy = ''
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'cloudoc-throwaway-'))
  for (const name of copied) {
    const from = join(root, name)
    cpSync(from, join(copy, name), { recursive: true, filter: (path) => !/\/(node_modules|dist|fixtures)$/.test(path) })
  }
  linkModules()
  cpSync(join(feature, 'contract.ts'), join(copy, 'packages/contract/src/calls/stickers.ts'))
  cpSync(join(feature, 'server'), join(copy, 'packages/server/src/drive/stickers'), { recursive: true })
  cpSync(join(feature, 'web'), join(copy, 'packages/web/src/stickers'), { recursive: true })
  for (const [path, line] of Object.entries(lines)) appendFileSync(join(copy, path), line)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** The libraries that are installed, and our own packages as they are in the copy. */
function linkModules(): void {
  const modules = join(root, 'node_modules')
  mkdirSync(join(copy, 'node_modules/@cloudoc'), { recursive: true })
  for (const name of readdirSync(modules)) {
    if (name !== '@cloudoc' && name !== '.cache') symlinkSync(join(modules, name), join(copy, 'node_modules', name))
  }
  for (const name of readdirSync(join(copy, 'packages'))) {
    const own = join(root, 'packages', name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(copy, 'packages', name, 'node_modules'))
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules/@cloudoc', name))
  }
}

/** Runs one of the project's tools in the copy; answers what it printed where it failed. */
function run(tool: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('node_modules/.bin', tool), ...args], {
    cwd: copy,
    encoding: 'utf8',
    // What this run is told of itself is not for the one below it.
    env: { PATH: '/usr/bin:/bin:/usr/local/bin', HOME: tmpdir(), NO_COLOR: '1' },
  })
  return status === 0 ? '' : `${stdout}${stderr}`
}
const types = (project: string): string => run('tsc', '-p', `packages/${project}`, '--noEmit')
const suite = (...args: string[]): string => run('vitest', 'run', '--project', 'server', ...args)
const screens = (...args: string[]): string => run('vitest', 'run', '--project', 'web', ...args)

/** Changes a file of the copy for as long as `work` runs. */
function changed(path: string, change: (text: string) => string, work: () => void): void {
  const file = join(copy, path)
  const before = readFileSync(file, 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(file, after)
  try {
    work()
  } finally {
    writeFileSync(file, before)
  }
}

describe('a feature of its folders and one line in each list', () => {
  test('has types that hold and answers as it should, and every loop holds it', () => {
    expect(types('contract')).toBe('')
    expect(types('server')).toBe('')
    expect(suite('packages/server/src/drive/stickers', 'packages/server/test/tables.test.ts')).toBe('')
    expect(suite('packages/server/test/catalogue.test.ts', '-t', 'stickOn|takeOff')).toBe('')
  })

  test('has its window, its entry in the menu and its notice in the client, which forgets none of them', () => {
    expect(types('web')).toBe('')
    expect(screens('packages/web/src/app/areas.test.tsx')).toBe('')
    const area = 'packages/web/src/stickers/area.ts'
    // A push that nobody hears, and a word that is said in one language.
    changed(
      area,
      (text) => text.replace('export const notices', 'const notices'),
      () => expect(types('web')).toContain("'stuck' is missing"),
    )
    changed(
      area,
      (text) => text.replace(", 'stickers.stuck': 'Somebody stuck a note on'", ''),
      () =>
        expect(screens('packages/web/src/app/areas.test.tsx')).toContain(
          'stickers.stuck is not said in both languages',
        ),
    )
  })

  const server = 'packages/server/src/drive/stickers'
  test('that forgets a handler, or is in the contract alone, does not compile', () => {
    const isListed = (text: string) => text.replace(lines['packages/server/src/features.ts'], '')
    changed('packages/server/src/features.ts', isListed, () => {
      changed(
        `${server}/index.ts`,
        (text) => text.replace(/ {4}async takeOff[^]*?\n {4}\},\n/, ''),
        () => {
          const found = types('server')
          expect(found).toContain('is missing in type')
          expect(found).toContain('does not satisfy the constraint')
        },
      )
    })
  })

  test('that forgets to declare its table, or whom its rows name, is found', () => {
    const table = "sticker: { backup: 'kept', accounts: { account_id: 'ends' } },"
    for (const left of ['', "sticker: { backup: 'kept' },"]) {
      changed(
        `${server}/tables.ts`,
        (text) => text.replace(table, left),
        () => expect(suite('packages/server/test/tables.test.ts')).toContain('sticker'),
      )
    }
  })

  test('that forgets who may know of its objects is found', () => {
    changed(
      `${server}/feature.ts`,
      (text) => text.replace(".where('account_id', '=', actor.accountId)", ''),
      () => expect(suite('packages/server/src/drive/stickers')).toContain('takeOff was not refused'),
    )
  })
})
