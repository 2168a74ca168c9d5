/*
 * Tests openapi.json as other programs use it: the standard linter reports nothing, a generated client compiles in strict
 * mode, and it recognises a refusal as a refusal on a real server.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longTest } from './full.ts'
import { password, sharedWorld } from './harness.ts'

const world = sharedWorld({ elected: false })
let text = ''
beforeAll(async () => {
  const response = await world.app.http.inject({ method: 'GET', url: '/services2/openapi.json' })
  text = response.body
})

/** A part of the document: an input, or a field of a schema. */
interface Part {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Part>>
}
interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId?: string
            readonly parameters?: readonly (Part & { readonly name: string })[]
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Part }>> }
          }
        >
      >
    >
  >
  readonly components: { readonly schemas: Readonly<Record<string, Part>> }
}

test('every input of every call is described, and every field of the record of an item', () => {
  const { paths, components } = JSON.parse(text) as Described
  const silent = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId = '', parameters = [], requestBody }) =>
      [
        ...parameters.map(({ name, description }) => [name, description] as const),
        ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          Object.entries(schema.properties ?? {}).map(([name, { description }]) => [name, description] as const),
        ),
      ].flatMap(([name, description = '']) => {
        const said = description.replace(/ ?Left out: .*\.$/, '')
        return said === '' || said === name ? [`${operationId}.${name}`] : []
      }),
    ),
  )
  expect([...new Set(silent)]).toEqual([])
  const record = Object.entries(components.schemas['ItemRecord']?.properties ?? {})
  expect(record.length).toBeGreaterThan(40)
  expect(record.flatMap(([name, { description = '' }]) => (description === '' ? [name] : []))).toEqual([])
})

test('redocly lint finds nothing by its recommended rules', async () => {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  expect(found.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

describe('a generated client', () => {
  const root = join(import.meta.dirname, '../../..')
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'cloudoc-clients-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'openapi.json'), text)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs Node in the folder, against the server in this process; returns the output. */
  const node = (...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const how = {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', NO_COLOR: '1' },
        timeout: 120_000,
      } as const
      execFile(process.execPath, args, how, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${args[0]}: ${stdout}${stderr}`)),
      )
    })
  const require = createRequire(import.meta.url)
  const packageFile = (name: string, path: string): string =>
    join(dirname(require.resolve(`${name}/package.json`)), path)

  /** Compiles a program in strict mode and runs it against the server; returns its result. */
  const run = async (program: string): Promise<unknown> => {
    writeFileSync(join(folder, 'program.ts'), program)
    const compilerOptions = {
      target: 'es2024',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      noImplicitReturns: true,
      noEmit: true,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    await node(join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json')
    const outfile = join(folder, 'program.mjs')
    const entryPoints = [join(folder, 'program.ts')]
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' })
    return JSON.parse(await node(outfile, `http://127.0.0.1:${await world.port()}`, password)) as unknown
  }

  /** The expected result of the program. */
  const expected = {
    account: 'admin',
    code: -3,
    message: 'not found',
    name: '合同',
    batch: [-3, 'f987654321', -3],
  }

  longTest('of openapi-typescript compiles strictly, and reads what is done and what is refused', async () => {
    await node(packageFile('openapi-typescript', 'bin/cli.js'), 'openapi.json', '-o', 'schema.ts')
    const found = await run(`
      import createClient from 'openapi-fetch'
      import type { components, paths } from './schema'

      declare const process: { argv: string[] }
      const [, , baseUrl = '', password = ''] = process.argv
      const client = createClient<paths>({ baseUrl, headers: { 'accept-language': 'en' } })
      const signedIn = await client.POST('/services/json/login/login3', {
        body: { userName: 'admin', password, clientType: 9 },
        bodySerializer: (fields) => new URLSearchParams(Object.entries(fields).map(([k, v]) => [k, String(v)])).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      if (signedIn.data?.result !== -1) throw new Error(JSON.stringify(signedIn))
      const { accessToken, accountInfo } = signedIn.data.data
      const headers = { authorization: \`Bearer \${accessToken}\` }
      const missing = await client.GET('/services2/file/query/getFileInfo/{fileId}', {
        params: { path: { fileId: 987654321 } },
        headers,
      })
      if (missing.data === undefined || missing.data.result === -1) throw new Error('not refused')
      const code: components['schemas']['RefusalCode'] = missing.data.result
      const libraries = await client.GET('/services2/setting/getRootFolderSetting', { headers })
      if (libraries.data?.result !== -1) throw new Error('no libraries')
      const parentId = libraries.data.data.list[0]?.fId ?? 0
      const made = await client.POST('/services2/file/operate/addFolder', { body: { parentId, folderName: '合同' }, headers })
      if (made.data?.result !== -1) throw new Error('no folder')
      const { folderId } = made.data.data
      const list = await client.GET('/services2/file/query/getSubItemList3/{folderId}', {
        params: { path: { folderId: parentId }, query: { rows: 10 } },
        headers,
      })
      if (list.data?.result !== -1) throw new Error('no list')
      const row: components['schemas']['ItemRecord'] | undefined = list.data.data.list.find(({ fId }) => fId === folderId)
      const { data: batch } = await client.POST('/services2/file/operate/fileOrFolderDelete', {
        body: { fileIdArray: [987654321] },
        headers,
      })
      await client.POST('/services2/file/operate/fileOrFolderDelete', { body: { folderIdArray: [folderId] }, headers })
      console.log(JSON.stringify({
        account: accountInfo.account,
        code,
        message: missing.data.msg,
        name: row?.fName,
        batch: [batch?.result, batch?.data?.[0]?.id, batch?.data?.[0]?.result],
      }))`)
    expect(found).toEqual(expected)
  })
})
