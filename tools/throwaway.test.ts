/*
 * The cost of a feature: its folders and one line in each list. A copy of the sources gets a throwaway feature
 * (throwaway/). It must compile, respond, and pass every generic test; anything that the feature omits must be
 * detected. It compiles and starts a second copy of the product, so it is part of the full run only.
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
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** True under `npm run test:full`, which runs the long versions. */
    full: boolean
  }
}

const root = join(import.meta.dirname, '..')
const feature = join(import.meta.dirname, 'throwaway')
const copied = ['packages', 'scripts', 'package.json', 'tsconfig.base.json', 'vitest.config.ts']
/** The lists, with the lines that the feature adds to them. */
const lines = {
  'packages/contract/src/features.ts': "export { stickers } from './drive/stickers.ts'\n",
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
  cpSync(join(feature, 'contract.ts'), join(copy, 'packages/contract/src/drive/stickers.ts'))
  cpSync(join(feature, 'server'), join(copy, 'packages/server/src/drive/stickers'), { recursive: true })
  cpSync(join(feature, 'web'), join(copy, 'packages/web/src/stickers'), { recursive: true })
  for (const [path, line] of Object.entries(lines)) appendFileSync(join(copy, path), line)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Links the installed libraries, and our own packages from the copy. */
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

/** Runs one of the project's tools in the copy; returns its output if it failed. */
function run(tool: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('node_modules/.bin', tool), ...args], {
    cwd: copy,
    encoding: 'utf8',
    // The environment of this run must not reach the nested one.
    env: { PATH: '/usr/bin:/bin:/usr/local/bin', HOME: tmpdir(), NO_COLOR: '1' },
  })
  return status === 0 ? '' : `${stdout}${stderr}`
}
const types = (project: string): string => run('tsc', '-p', `packages/${project}`, '--noEmit')
const suite = (...args: string[]): string => run('vitest', 'run', '--project', 'server', ...args)
const screens = (...args: string[]): string => run('vitest', 'run', '--project', 'web', ...args)

/** The errors of the compiler, one line each. */
const errorsOf = (project: string): string[] =>
  types(project)
    .split('\n')
    .filter((line) => line.includes('error TS'))

/** Removes lines from files of the copy while `work` runs. */
function forgetting(things: readonly { path: string; from: string | RegExp; to?: string }[], work: () => void): void {
  const before = things.map(({ path }) => readFileSync(join(copy, path), 'utf8'))
  try {
    for (const { path, from, to = '' } of things) {
      const file = join(copy, path)
      const text = readFileSync(file, 'utf8')
      const after = text.replace(from, to)
      expect(after).not.toBe(text)
      writeFileSync(file, after)
    }
    work()
  } finally {
    for (const [at, { path }] of things.entries()) writeFileSync(join(copy, path), before[at] ?? '')
  }
}

const server = 'packages/server/src/drive/stickers'
const area = 'packages/web/src/stickers/area.ts'
const tables = `${server}/tables.ts`
const table = "sticker: { backup: 'kept', accounts: { account_id: 'ends' } },"

// oxlint-disable-next-line vitest/no-disabled-tests, vitest/valid-title -- what makes tests, and none itself
const longTest = test.runIf(inject('full'))

// A compiler that reports the omission and nothing else also confirms that the rest compiles, so one run serves both.
// The time limit is long because compilers depend on the machine's load.
describe('a feature of its folders and one line in each list', { timeout: 400_000 }, () => {
  longTest('answers as it should, and every loop holds it', () => {
    expect(suite(server, 'packages/server/test/tables.test.ts')).toBe('')
    expect(suite('packages/server/test/catalogue.test.ts', '-t', 'stickOn|takeOff')).toBe('')
  })

  longTest('has types that hold, and does not compile where it is in the contract alone or forgets a handler', () => {
    const alone = [
      { path: 'packages/server/src/features.ts', from: lines['packages/server/src/features.ts'] },
      { path: `${server}/index.ts`, from: / {4}async takeOff[^]*?\n {4}\},\n/ },
    ]
    forgetting(alone, () => {
      const found = errorsOf('server')
      expect(found.filter((line) => !/stickers|is missing in type|does not satisfy the constraint/.test(line))).toEqual(
        [],
      )
      expect(found.join('\n')).toContain('is missing in type')
      expect(found.join('\n')).toContain('does not satisfy the constraint')
    })
  })

  longTest(
    'has its window, its entry in the menu and its notice in the client, which forgets no push and no word',
    () => {
      const mute = [
        { path: area, from: 'export const notices', to: 'const notices' },
        { path: area, from: ", 'stickers.stick': 'Stick a note on'" },
      ]
      forgetting(mute, () => {
        const found = errorsOf('web')
        expect(found.filter((line) => !/stuck|notices/.test(line))).toEqual([])
        expect(found.join('\n')).toContain("'stuck' is missing")
        const said = screens('packages/web/src/app/areas.test.tsx')
        expect(said).toContain('stickers.stick is not said in both languages')
        expect(said).toMatch(/Tests +1 failed/)
      })
    },
  )

  longTest('that forgets its table and who may know of its objects is found', () => {
    const untold = { path: `${server}/feature.ts`, from: ".where('account_id', '=', actor.accountId)" }
    forgetting([untold, { path: tables, from: table }], () => {
      const found = suite(server, 'packages/server/test/tables.test.ts')
      expect(found).toContain('takeOff was not refused')
      expect(found).toContain('are all there is')
    })
  })

  longTest('that forgets whom the rows of its table name is found', () => {
    const nobody = { path: tables, from: table, to: "sticker: { backup: 'kept' }," }
    forgetting([nobody], () => expect(suite('packages/server/test/tables.test.ts')).toContain('sticker'))
  })
})
