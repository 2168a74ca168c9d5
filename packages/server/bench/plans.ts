/*
 * What PostgreSQL reads for each hot path: `node bench/plans.ts <folder> <items> [<names>]` makes a large installation
 * if the folder has none, runs every path once (or those whose names begin with the pattern), explains their
 * statements, and prints a Markdown table.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallName, calls, callsByName } from '@cloudoc/contract'
import { codes, rightsGroup } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { type App, createApp } from '../src/app.ts'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import { folded } from '../src/core/folding.ts'
import { createLog } from '../src/core/log.ts'
import { foldTallies } from '../src/drive/tree/index.ts'
import { grams, indexAllNames } from '../src/search/items/index.ts'
import { literal, type PlanNode, planNodes, recordStatements, type Statement } from '../test/explain.ts'
import type { Installation } from './generate.ts'
import { openInstallation, organisation, password } from './installation.ts'

/** A frequent operation of users or of the server. */
export interface HotPath {
  readonly name: string
  readonly run: () => Promise<unknown>
}

export interface Reading {
  readonly name: string
  /** Pages read, by the worse of the custom plan and the generic plan. */
  readonly buffers: number
  readonly statements: number
  readonly rows: number | undefined
  /** Every node of every plan. */
  readonly nodes: readonly PlanNode[]
  /** A summary of the plans: the access method for each table. */
  readonly outline: string
}

interface Person {
  (name: CallName, input: Record<string, unknown>): Promise<unknown>
  readonly token: string
}

async function signIn(app: App, account: string, secret = password): Promise<Person> {
  const send = async (url: string, method: 'GET' | 'POST', payload: object | undefined, token: string | undefined) => {
    const response = await app.http.inject({
      method,
      url,
      ...(payload === undefined ? {} : { payload }),
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    })
    const answer = response.json<{ result: number; data: unknown }>()
    if (answer.result !== codes.success.code) throw new Error(`${url} was refused: ${response.body}`)
    return answer.data
  }
  const { path } = calls.login3
  const form = new URLSearchParams({ userName: account, password: secret, clientType: '6' }).toString()
  const signedIn = await app.http.inject({
    method: 'POST',
    url: path,
    payload: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const { accessToken } = signedIn.json<{ data: { accessToken: string } }>().data
  const person = (name: CallName, input: Record<string, unknown>): Promise<unknown> => {
    const call = callsByName[name]
    const left = new Map(Object.entries(input))
    const url = call.path.replace(/\{(\w+)\}/g, (_, field: string) => {
      const value = String(left.get(field))
      left.delete(field)
      return value
    })
    if (call.method === 'POST') return send(url, 'POST', Object.fromEntries(left), accessToken)
    const query = new URLSearchParams([...left].map(([key, value]) => [key, String(value)])).toString()
    return send(query === '' ? url : `${url}?${query}`, 'GET', undefined, accessToken)
  }
  return Object.assign(person, { token: accessToken })
}

/** Search texts, by how many names contain them and by how they are typed. */
export const searches = {
  rare: '氤氲楼',
  'rare, by pinyin': 'yinyunlou',
  common: '采购合同',
  'two characters': '合同',
  pinyin: 'caigouhetong',
  initials: 'cght',
  'in no name': '不存在的词语',
} as const

/** The number of hits that the web client's search field requests. */
export const hitsInField = 12

/** The paths, on a generated installation. */
export async function hotPaths(app: App, made: Installation, adminPassword = password): Promise<HotPath[]> {
  const people = {
    everything: await signIn(app, made.everything),
    hundredth: await signIn(app, made.hundredth),
    nothing: await signIn(app, made.nothing),
  }
  const person = people.everything
  const paths: HotPath[] = [
    { name: 'item info', run: () => person('getFileInfo', { fileId: made.fileId }) },
    { name: 'libraries', run: () => people.hundredth('getSubItemList3', { folderId: -1 }) },
  ]
  for (const [size, folderId] of Object.entries(made.folders)) {
    for (const sort of ['name', 'time', 'size', 'type']) {
      const run = () => person('getSubItemList3', { folderId, rows: 60, sort })
      paths.push({ name: `first page of ${size} by ${sort}`, run })
    }
    const again = () => person('getSubItemList3', { folderId, rows: 60, sort: 'name' })
    paths.push({ name: `the same page of ${size} again`, run: again })
    const page = (more: object) => () => person('getSubItemList3', { folderId, rows: 60, ...more })
    paths.push({ name: `last page of ${size}`, run: page({ order: 'desc' }) })
    paths.push({ name: `folders in ${size}`, run: page({ foldersOnly: true }) })
  }
  const largest = { folderId: Object.values(made.folders).at(-1) ?? made.companyLibrary, rows: 60 }
  const { next } = (await person('getSubItemList3', largest)) as { next: string }
  const library = { folderId: made.companyLibrary, rows: 60 }
  paths.push({ name: 'next page of the largest', run: () => person('getSubItemList3', { ...largest, after: next }) })
  paths.push({ name: 'first page of the library', run: () => person('getSubItemList3', library) })
  for (const [who, search] of Object.entries(people)) {
    for (const [kind, keyword] of Object.entries(searches)) {
      paths.push({ name: `search, ${who}: ${kind}`, run: () => search('searchDoc', { keyword, rows: hitsInField }) })
    }
    for (const kind of ['rare', 'common', 'two characters'] as const) {
      const run = () => search('searchDoc', { keyword: searches[kind], rows: 4, fType: 2 })
      paths.push({ name: `folders, ${who}: ${kind}`, run })
    }
    const page = () => search('searchDoc', { keyword: searches.common, rows: 60 })
    paths.push({ name: `page of hits, ${who}: common`, run: page })
  }
  for (const [who, search] of Object.entries(people)) {
    const found = (kind: string, input: object): void => {
      paths.push({
        name: `found, ${who}: ${kind}`,
        run: () => search('searchDoc', { rows: hitsInField, scope: 'all', ...input }),
      })
    }
    found('rare', { keyword: searches.rare })
    found('pinyin', { keyword: searches.pinyin })
    found('common', { keyword: searches.common })
    found('three filters', { keyword: searches.common, docType: 'pdf', days: 60, sizeFrom: 30_000_000 })
    found('two characters', { keyword: searches['two characters'] })
  }
  // A raw query of the same index: no rights, no ranking, no counts, no passages.
  for (const kind of ['rare', 'common', 'two characters'] as const) {
    const signs = [...grams(folded(searches[kind]))]
    const run = () =>
      sql`select item_id from search_document where signs @> ${signs}::int[] order by number desc limit 1000`.execute(
        app.db,
      )
    paths.push({ name: `plain, ${kind}`, run })
  }
  const admin = await signIn(app, 'admin', adminPassword)
  const { folderId } = (await admin('folderCreate', {
    parentId: made.companyLibrary,
    folderName: `plans ${Date.now()}`,
  })) as { folderId: number }
  const file = async (name: string): Promise<number> =>
    ((await admin('fileCreate', { folderId, fileName: name })) as { fileId: number }).fileId
  const fileId = await file('a.txt')
  const { folderId: target } = (await admin('folderCreate', { parentId: folderId, folderName: 'target' })) as {
    folderId: number
  }
  paths.push(
    { name: 'new file', run: () => file('b.txt') },
    {
      name: 'download',
      run: async () => {
        const headers = { authorization: `Bearer ${admin.token}` }
        const { statusCode } = await app.http.inject({ url: `/DownloadServlet?fileId=${fileId}`, headers })
        if (statusCode !== 200) throw new Error(`the download was refused: ${statusCode}`)
      },
    },
    { name: 'rename', run: () => admin('renameFile', { fileId, fileName: 'c.txt' }) },
    { name: 'move', run: () => admin('fileOrFolderMove', { targetFolderId: target, fileIdArray: [fileId] }) },
    { name: 'delete', run: () => admin('fileOrFolderDelete', { fileIdArray: [fileId] }) },
    { name: 'recycle bin', run: () => admin('getRecycleList', {}) },
    { name: 'restore', run: () => admin('recycleRestore', { fileIdArray: [fileId] }) },
    { name: 'sums folded', run: () => foldTallies(app.db) },
    { name: 'events numbered', run: () => app.settle() },
    { name: 'names indexed', run: () => indexAllNames(app.db) },
  )
  return paths
}

/**
 * The cost of each person's operations on one item, and on a page of a hundred, independent of everything else in the
 * installation. The items are created for this, so the other paths must be measured before.
 */
export async function pathsOfEach(app: App, made: Installation, adminPassword = password): Promise<HotPath[]> {
  const people = {
    everything: await signIn(app, made.everything),
    hundredth: await signIn(app, made.hundredth),
    nothing: await signIn(app, made.nothing),
  }
  const admin = await signIn(app, 'admin', adminPassword)
  const { userId } = (await people.hundredth('getMyAccountInfo', {})) as { userId: number }
  const { list } = (await people.nothing('getRootFolderSetting', {})) as { list: { fId: number }[] }
  const paths: HotPath[] = []
  for (const [who, person] of Object.entries(people)) {
    // The person who sees nothing of others uses their own library; the hundredth is visible by entries.
    const [parentId, maker] = who === 'nothing' ? [list[0]?.fId, person] : [made.companyLibrary, admin]
    const { folderId } = (await maker('folderCreate', { parentId, folderName: `${who} ${Date.now()}` })) as {
      folderId: number
    }
    const pathList = Array.from({ length: 100 }, (_, n) => `${n}`)
    const [item] = (await maker('createFolderByPathList', { folderId, pathList })) as { folderId: number }[]
    const entries = [{ subjectType: 'user', subjectId: userId, rights: rightsGroup.download }]
    if (who === 'hundredth') await admin('setShareList', { folderId, inherit: false, entries })
    const one = { folderId: item?.folderId }
    paths.push(
      { name: `one item, ${who}`, run: () => person('getFolderInfo', one) },
      { name: `why, ${who}`, run: () => person('getRightsReasons', one) },
      { name: `a page of a hundred, ${who}`, run: () => person('getSubItemList3', { folderId, rows: 60 }) },
    )
  }
  // Nothing is pending when the paths are measured.
  await foldTallies(app.db)
  await indexAllNames(app.db)
  return paths
}

/** Statements that can be explained; writes are explained without ANALYZE. */
const explainable = /^\s*(select|with|insert|update|delete)\b/i
const changes = /\b(insert into|update|delete from|for (no key )?(update|share)|for key share|nextval)\b|pg_advisory/i

async function explain(client: pg.Client, { text, values }: Statement, mode: 'custom' | 'generic'): Promise<PlanNode> {
  const analyze = changes.test(text) ? '' : 'analyze, buffers, '
  await client.query(`set plan_cache_mode = force_${mode}_plan`)
  await client.query(`prepare explained as ${text}`)
  try {
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (${analyze}format json) execute explained${given}`,
    )
    const [plan] = rows[0]?.['QUERY PLAN'] ?? []
    if (plan === undefined) throw new Error(`no plan of ${text}`)
    return plan.Plan
  } finally {
    await client.query('deallocate explained')
  }
}

function outlineOf(nodes: readonly PlanNode[]): string {
  const ways = nodes.flatMap((node) => {
    const table = node['Relation Name'] ?? node['Index Name']
    if (table === undefined || node['Node Type'] === 'Bitmap Heap Scan' || node['Node Type'] === 'ModifyTable')
      return []
    return [node['Node Type'] === 'Seq Scan' ? `all of ${table}` : (node['Index Name'] ?? table)]
  })
  const sorts = nodes.filter((node) => node['Node Type'].includes('Sort')).length
  return [...new Set(ways), ...(sorts > 0 ? [`${sorts} sorts`] : [])].join(', ')
}

/** Runs a path and explains its statements. */
export async function readingOf(client: pg.Client, path: HotPath): Promise<Reading> {
  const { value, statements } = await recordStatements(path.run)
  const asked = statements.filter(({ text }) => explainable.test(text) && !text.includes('set_config'))
  const buffers = { custom: 0, generic: 0 }
  const nodes: PlanNode[] = []
  for (const mode of ['custom', 'generic'] as const) {
    for (const statement of asked) {
      const root = await explain(client, statement, mode)
      buffers[mode] += (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0)
      nodes.push(...planNodes(root))
    }
  }
  const answer = value as { list?: unknown[]; total?: number; isMore?: boolean } | undefined
  // A content search sorts all counted hits, whichever page is requested.
  const rows = answer?.isMore === undefined ? answer?.list?.length : answer.total
  return {
    name: path.name,
    buffers: Math.max(buffers.custom, buffers.generic),
    statements: asked.length,
    rows,
    nodes,
    outline: outlineOf(nodes),
  }
}

if (import.meta.main) {
  const [folder = '', items = '100000', only = ''] = process.argv.slice(2)
  const made = await openInstallation(folder, { items: Number(items), ...organisation })
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: () => {} })
  const blobs = await mkdtemp(join(tmpdir(), 'cloudoc-plans-'))
  const app = await createApp({ database: postgres.target, blobDir: blobs, log: createLog('warn'), elected: false })
  const client = new pg.Client(postgres.target)
  await client.connect()
  console.log('| path | pages | statements | rows | reached through |\n|---|---|---|---|---|')
  const paths = await hotPaths(app, made)
  // A new connection reads the system catalogue once. That does not count for any path.
  const [, libraries] = paths
  if (libraries !== undefined) await readingOf(client, libraries)
  const print = async (path: HotPath): Promise<void> => {
    const { name, buffers, statements, rows, outline } = await readingOf(client, path)
    console.log(`| ${name} | ${buffers} | ${statements} | ${rows ?? ''} | ${outline} |`)
  }
  const wanted = new RegExp(`^(?:${only})`)
  for (const path of paths) if (wanted.test(path.name)) await print(path)
  for (const path of await pathsOfEach(app, made)) if (wanted.test(path.name)) await print(path)
  await client.end()
  await app.close()
  await postgres.stop()
  await rm(blobs, { recursive: true, force: true })
}
