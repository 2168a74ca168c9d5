/*
 * Folders of very different size: the cost of a page, a full listing, and of moving, deleting, restoring and copying,
 * compared with nearly empty ones.
 */
import { get, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { type AtMost, compare, type Measured } from './measure.ts'
import type { BenchServer } from './server.ts'
import { nameOf, random, vocabulary } from './vocabulary.ts'

const sizes = [100, 10_000, 100_000] as const
const pages = 100
const perChunk = 10_000
const names = vocabulary(2000, random(7))

/** Inserts `count` file rows into a folder; they share one content. */
export async function fill(client: pg.Client, server: BenchServer, folderId: number, count: number): Promise<void> {
  const { rows } = await client.query<{ library_id: number; created_by: number }>(
    'select library_id, created_by from item where id = $1',
    [folderId],
  )
  const { library_id: libraryId = 0, created_by: account = 0 } = rows[0] ?? {}
  const one = await server.upload(folderId, 'first.bin', Buffer.from('x'))
  for (let from = 1; from < count; from += perChunk) {
    const made = Array.from({ length: Math.min(perChunk, count - from) }, (_, n) => {
      const keys = nameOf(names.stem(), from + n, names.extension())
      return { name: keys.name, key: keys.key, sort: keys.sort, text: keys.text, ext: keys.ext, size: from + n }
    })
    await client.query(
      `with made as (
        insert into item (library_id, parent_id, f_type, name, name_key, name_sort, search_text, ext, created_by,
          created_at, modified_by, modified_at, version, size)
        select $1, $2, 1, name, key, sort, text, ext, $3, $4::bigint + size, $3, $4::bigint + size, 1, size
        from jsonb_to_recordset($5) as r (name text, key text, sort text, text text, ext text, size bigint)
        returning id
      ), versions as (
        insert into version (item_id, number, blob_id, size, created_by, created_at)
        select made.id, 1, v.blob_id, 1, $3, $4 from made, version v where v.item_id = $6
      )
      insert into tally (library_id, account_id, folder_id, bytes, children)
      select $1, $3, $2, 0, count(*) from made`,
      [libraryId, folderId, account, Date.now(), JSON.stringify(made), one],
    )
  }
  await client.query('vacuum (analyze) item, version, tally')
}

async function perSecond(count: number, work: (n: number) => Promise<unknown>): Promise<number> {
  const started = performance.now()
  for (let n = 0; n < count; n += 1) await work(n)
  return (count / (performance.now() - started)) * 1000
}

interface Page {
  readonly list: readonly { readonly fId: number }[]
  readonly next: string | null
}

/** Requests a page with compression, like a browser; returns it and its size in bytes. */
async function compressed(server: BenchServer, path: string): Promise<{ page: Page; bytes: number }> {
  const [, authorization = ''] = server.authorization.split(': ')
  const headers = { authorization, 'accept-encoding': 'gzip' }
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${server.origin}${path}`, { headers }, resolve).once('error', reject),
  )
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return { page: (JSON.parse(gunzipSync(body).toString()) as { data: Page }).data, bytes: body.length }
}

/** Runs work with a connection to the server's database. */
export async function withClient<T>(server: BenchServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(server.database)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** First pages, last pages and full listings of folders of growing size. */
export function folderPages(server: BenchServer, runs: number): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  return withClient(server, (client) => pagesOf(client, server, runs))
}

async function pagesOf(
  client: pg.Client,
  server: BenchServer,
  runs: number,
): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const folders = new Map<number, number>()
  for (const size of sizes) {
    const folderId = await server.makeFolder(`of ${size} ${Date.now()}`)
    await fill(client, server, folderId, size)
    folders.set(size, folderId)
  }
  const page = (size: number, query: string) =>
    server.call(`/services2/file/query/getSubItemList3/${folders.get(size)}?${query}`) as Promise<Page>
  const measured: Measured[] = []
  const limits: AtMost[] = []
  for (const [what, query] of [
    ['first page', 'rows=60'],
    ['last page', 'rows=60&order=desc'],
  ] as const) {
    for (const size of sizes.slice(1)) {
      measured.push(
        await compare(
          { what: `${what} of ${size}, against 100`, bar: 0.5, unit: 'pages/s' },
          runs,
          () => perSecond(pages, () => page(100, query)),
          () => perSecond(pages, () => page(size, query)),
        ),
      )
    }
  }
  for (const size of sizes) {
    let bytes = 0
    measured.push(
      await compare(
        { what: `full listing of ${size}, against its rows from PostgreSQL`, bar: 0, unit: 'entries/s' },
        runs,
        async () => {
          const started = performance.now()
          const text = `select * from item where parent_id = $1 and deleted_at is null order by f_type, name_sort, id`
          const { rows } = await client.query(text, [folders.get(size)])
          return (rows.length / (performance.now() - started)) * 1000
        },
        async () => {
          const started = performance.now()
          let entries = 0
          bytes = 0
          for (let query = 'rows=1000'; ; ) {
            const { list, next } = await page(size, query)
            entries += list.length
            bytes += (await compressed(server, `/services2/file/query/getSubItemList3/${folders.get(size)}?${query}`))
              .bytes
            if (next === null) break
            query = `rows=1000&after=${next}`
          }
          return (entries / (performance.now() - started)) * 1000
        },
      ),
    )
    limits.push({ what: `full listing of ${size}, gzip`, value: bytes / size, most: 220, unit: 'bytes/entry' })
  }
  return { measured, limits }
}

/** Moving, deleting and restoring folders with many descendants, and copying a thousand files. */
export function folderWork(server: BenchServer, runs: number): Promise<Measured[]> {
  return withClient(server, (client) => workOn(client, server, runs))
}

async function workOn(client: pg.Client, server: BenchServer, runs: number): Promise<Measured[]> {
  const target = await server.makeFolder(`target ${Date.now()}`)
  const home = await server.makeFolder(`home ${Date.now()}`)
  const make = async (name: string): Promise<number> =>
    (
      (await server.post('/services2/file/operate/folderCreate', { parentId: home, folderName: name })) as {
        folderId: number
      }
    ).folderId
  const empty = await make('empty')
  const measured: Measured[] = []
  const times = 20
  for (const size of [1000, 100_000]) {
    const folderId = await make(`with ${size}`)
    await fill(client, server, folderId, size)
    const works: [what: string, round: (id: number) => Promise<unknown>][] = [
      [
        'move',
        async (id) => {
          await server.post('/services2/file/operate/fileOrFolderMove', { targetFolderId: target, folderIdArray: [id] })
          await server.post('/services2/file/operate/fileOrFolderMove', { targetFolderId: home, folderIdArray: [id] })
        },
      ],
      [
        'delete and restore',
        async (id) => {
          await server.post('/services2/file/operate/fileOrFolderDelete', { folderIdArray: [id] })
          await server.post('/services2/file/operate/recycleRestore', { folderIdArray: [id] })
        },
      ],
    ]
    for (const [what, round] of works) {
      measured.push(
        await compare(
          { what: `${what} with ${size} descendants, against none`, bar: 0.5, unit: 'rounds/s' },
          runs,
          () => perSecond(times, () => round(empty)),
          () => perSecond(times, () => round(folderId)),
        ),
      )
    }
    if (size !== 1000) continue
    await client.query('drop table if exists bare_item')
    await client.query('create table bare_item (like item including indexes)')
    // The columns are listed explicitly: converting rows to and from jsonb takes ten times as long as writing them.
    const { rows: columns } = await client.query<{ list: string }>(
      `select string_agg(quote_ident(attname), ', ') as list from pg_attribute
        where attrelid = 'item'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'parent_id')`,
    )
    const others = columns[0]?.list ?? ''
    measured.push(
      await compare(
        { what: 'copy of 1000, against INSERT ... SELECT of their rows', bar: 0, unit: 'files/s' },
        runs,
        async (run) => {
          const started = performance.now()
          await client.query(
            `insert into bare_item (id, parent_id, ${others})
              select id * 100 + $2::int, parent_id * 100 + $2::int, ${others} from item where parent_id = $1`,
            [folderId, run],
          )
          return (size / (performance.now() - started)) * 1000
        },
        async () => {
          const into = await server.makeFolder(`copies ${Date.now()}`)
          const started = performance.now()
          await server.post('/services2/file/operate/fileOrFolderCopy', {
            targetFolderId: into,
            folderIdArray: [folderId],
          })
          return (size / (performance.now() - started)) * 1000
        },
      ),
    )
  }
  return measured
}
