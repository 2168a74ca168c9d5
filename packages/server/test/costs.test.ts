/*
 * What the most frequent calls cost, counted in what does not depend on the machine, so that a feature that makes every
 * request more expensive is seen when it is added. The figures are in costs.json, each with the reason for which it
 * became what it is.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codes, rightsGroup } from '@cloudoc/domain'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { readingOf } from '../bench/plans.ts'
import { foldTallies } from '../src/drive/tree/index.ts'
import { indexAllNames } from '../src/search/items/index.ts'
import { recordStatements } from './explain.ts'
import { openWorld, password, requestFor } from './harness.ts'

const Figures = z.strictObject({
  /** Statements sent to PostgreSQL, BEGIN and COMMIT included: exactly. */
  statements: z.int(),
  /** Rows that these statements answer or change: exactly. */
  rows: z.int(),
  /** Pages of 8 KB that its reading statements touch. They may grow by a quarter and 10: plans differ a little. */
  pages: z.int(),
  /** Bytes of the answer's body. They may grow by a fiftieth and 8: numbers have more or fewer digits. */
  bytes: z.int(),
  /** The reason for these figures: why they differ from those before. */
  reason: z.string().min(15),
})

/** The figures of each call, the newest last. */
const Costs = z.record(z.string(), z.array(Figures).min(1))

type Counted = Omit<z.infer<typeof Figures>, 'reason'>

const costs = Costs.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'costs.json'), 'utf8')))

/** Files in the folder that is listed. */
const files = 100

/** A request that is counted; `prepare` makes what one run of it uses up. */
interface Case {
  readonly prepare?: () => Promise<unknown>
  readonly send: (prepared: unknown) => Promise<LightMyRequestResponse>
}

/** The installation whose requests are counted: small, always the same, with a clock that stands still. */
async function prepareCases() {
  const at = Date.now()
  const world = await openWorld({ elected: false, now: () => at })
  const admin = await world.admin()
  const anna = await world.person('anna')
  const ben = await world.person('ben')
  const company = await world.company()
  const folderId = await admin.folder(company, '合同')
  await admin.shares({ folderId }, [{ to: anna, rights: rightsGroup.edit }])
  const ids: number[] = []
  for (let n = 0; n < files; n += 1) ids.push(await admin.upload(folderId, `采购合同 ${n}.txt`))
  const [fileId = 0, renamed = 0, moved = 0] = ids
  const target = await admin.folder(folderId, '归档')
  const ask =
    (...[name, input]: Parameters<typeof requestFor>): Case['send'] =>
    () =>
      world.app.http.inject(requestFor(name, input, anna.token))
  const put = (fileName: string): Promise<LightMyRequestResponse> =>
    world.app.http.inject({
      method: 'PUT',
      url: `/services2/upload/raw?${new URLSearchParams({ folderId: String(folderId), fileName }).toString()}`,
      headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(fileName),
    })
  let made = 0
  const next = (): string => `新 ${(made += 1)}.txt`
  const sheet = { folderId, rows: 60, sort: 'name' }
  const cases: Record<string, Case> = {
    'sign in': {
      send: () => world.app.http.inject(requestFor('login3', { userName: 'ben', password, clientType: 6 })),
    },
    'own account': { send: ask('getMyAccountInfo', {}) },
    'list of libraries': { send: ask('getSubItemList3', { folderId: -1 }) },
    'page of a folder for the first time': {
      async prepare() {
        const parentId = await admin.folder(folderId, next())
        const pathList = Array.from({ length: 60 }, (_, n) => `${n}`)
        await admin.call('createFolderByPathList', { folderId: parentId, pathList })
        return parentId
      },
      send: (parentId) => ask('getSubItemList3', { ...sheet, folderId: parentId })(undefined),
    },
    'page of a folder again': { send: ask('getSubItemList3', sheet) },
    'page of a folder after a change': {
      prepare: () => admin.upload(folderId, next()),
      send: ask('getSubItemList3', sheet),
    },
    'record of a file': { send: ask('getFileInfo', { fileId }) },
    'search by name': { send: ask('searchDoc', { keyword: '采购合同', rows: 12 }) },
    upload: { send: () => put(next()) },
    download: {
      send: () =>
        world.app.http.inject({
          url: `/DownloadServlet?fileId=${fileId}`,
          headers: { authorization: `Bearer ${anna.token}` },
        }),
    },
    'new folder': { send: () => ask('folderCreate', { parentId: folderId, folderName: next() })(undefined) },
    rename: { send: () => ask('renameFile', { fileId: renamed, fileName: next() })(undefined) },
    move: {
      prepare: () => admin.call('fileOrFolderMove', { targetFolderId: folderId, fileIdArray: [moved] }),
      send: ask('fileOrFolderMove', { targetFolderId: target, fileIdArray: [moved] }),
    },
    delete: {
      prepare: () => anna.upload(folderId, next()),
      send: (deleted) => ask('fileOrFolderDelete', { fileIdArray: [deleted] })(undefined),
    },
    'set rights': {
      send: () =>
        world.app.http.inject(
          requestFor(
            'setShareList',
            {
              folderId: target,
              inherit: true,
              entries: [{ subjectType: 'user', subjectId: ben.userId, rights: rightsGroup.download }],
            },
            admin.token,
          ),
        ),
    },
  }
  const settle = async (): Promise<void> => {
    await world.app.settle()
    await foldTallies(world.app.db)
    await indexAllNames(world.app.db)
  }
  return { world, cases, settle }
}

/** Counts a request after one like it: what a process keeps from the first is kept. */
async function count(client: pg.Client, { prepare, send }: Case, settle: () => Promise<void>): Promise<Counted> {
  const once = async () => {
    const prepared = await prepare?.()
    await settle()
    await client.query('vacuum analyze')
    return () => send(prepared)
  }
  await (await once())()
  const run = await once()
  const { value: response, statements } = await recordStatements(async () => await run())
  const text = response.body
  if (
    response.statusCode !== 200 ||
    (text.startsWith('{') && response.json<{ result: number }>().result !== codes.success.code)
  )
    throw new Error(text)
  const again = await once()
  const { buffers } = await readingOf(client, { name: '', run: async () => await again() })
  return {
    statements: statements.length,
    rows: statements.reduce((sum, { rows = 0 }) => sum + rows, 0),
    pages: buffers,
    bytes: response.rawPayload.length,
  }
}

test('the most frequent calls cost what is written down, or a reason is written beside the new figure', async () => {
  const { world, cases, settle } = await prepareCases()
  const client = new pg.Client(world.database)
  await client.connect()
  const changed: string[] = []
  try {
    for (const [name, each] of Object.entries(cases)) {
      const now = await count(client, each, settle)
      const before = costs[name]?.at(-1)
      const holds =
        before !== undefined &&
        now.statements === before.statements &&
        now.rows === before.rows &&
        now.pages <= before.pages * 1.25 + 10 &&
        now.bytes <= before.bytes * 1.02 + 8
      if (!holds) changed.push(`"${name}": ${JSON.stringify(now)}, before ${JSON.stringify(before)}`)
    }
  } finally {
    await client.end()
  }
  expect(changed, 'append the new figures with their reason to costs.json, or make the call cheaper').toEqual([])
  expect(Object.keys(costs)).toEqual(Object.keys(cases))
})

test('every figure has a reason of its own', () => {
  for (const [name, figures] of Object.entries(costs)) {
    const reasons = figures.map(({ reason }) => reason)
    expect(new Set(reasons).size, name).toBe(reasons.length)
  }
})
