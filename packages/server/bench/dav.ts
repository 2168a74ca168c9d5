/*
 * WebDAV against the calls of the page: a folder of 10,000 files by PROPFIND against getSubItemList3, in time and bytes,
 * and 10 KB files by PUT, eight at a time, against uploadRaw.
 */
import { randomBytes } from 'node:crypto'
import { get, type IncomingMessage, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { fill, withClient } from './folders.ts'
import { type AtMost, compare, type Measured } from './measure.ts'
import type { BenchServer } from './server.ts'
import { uploads } from './small-files.ts'

const items = 10_000
const files = 1500

/** The properties that rclone and the clients of ownCloud ask for. */
const usualProperties = `<d:propfind xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns"><d:prop><d:displayname/>
  <d:getlastmodified/><d:getcontentlength/><d:resourcetype/><d:getcontenttype/><d:getetag/><oc:checksums/>
  <oc:permissions/></d:prop></d:propfind>`

/** The ways in which a folder is asked for: what clients name, and everything. */
const asked = [
  ['the usual properties', usualProperties],
  ['all properties', ''],
] as const

interface Drive {
  /** The address of a folder in the library of the caller. */
  readonly pathOf: (folder: string) => string
  readonly authorization: string
}

async function driveOf(server: BenchServer): Promise<Drive> {
  const { token } = (await server.post('/services2/program/createMyProgram', {
    ...{ kind: 'app', name: 'bench', write: true, days: 1 },
  })) as { token: string }
  const { list } = (await server.call('/services2/setting/getRootFolderSetting')) as { list: { fName: string }[] }
  const library = encodeURIComponent(list[0]?.fName ?? '')
  return {
    pathOf: (folder) => `/dav/${library}/${encodeURIComponent(folder)}`,
    authorization: `authorization: Basic ${Buffer.from(`admin:${token}`).toString('base64')}`,
  }
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const valueOf = (header: string): string => header.slice('authorization: '.length)

interface Listing {
  readonly entries: number
  readonly bytes: number
}

/** Lists a folder by the call of the page, page after page. */
async function byCall(server: BenchServer, folderId: number, encoding: string): Promise<Listing> {
  const headers = { authorization: valueOf(server.authorization), 'accept-encoding': encoding }
  const whole = { entries: 0, bytes: 0 }
  for (let after = ''; ; ) {
    const url = `${server.origin}/services2/file/query/getSubItemList3/${folderId}?rows=1000${after}`
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      get(url, { headers }, resolve).once('error', reject),
    )
    const body = await bodyOf(response)
    const text = encoding === 'gzip' ? gunzipSync(body) : body
    const { data } = JSON.parse(text.toString()) as { data: { list: unknown[]; next: string | null } }
    whole.entries += data.list.length
    whole.bytes += body.length
    if (data.next === null) return whole
    after = `&after=${encodeURIComponent(data.next)}`
  }
}

/** Lists a folder by PROPFIND. */
async function byPropfind(
  server: BenchServer,
  { authorization }: Drive,
  path: string,
  { encoding, body }: { readonly encoding: string; readonly body: string },
): Promise<Listing> {
  const headers = { authorization: valueOf(authorization), 'accept-encoding': encoding, depth: '1' }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(`${server.origin}${path}`, { method: 'PROPFIND', headers }, resolve)
    sent.once('error', reject).end(body)
  })
  const answer = await bodyOf(response)
  const text = encoding === 'gzip' ? gunzipSync(answer) : answer
  // The folder itself is among the responses.
  return { entries: (text.toString().match(/<d:response>/g)?.length ?? 0) - 1, bytes: answer.length }
}

/** PROPFIND of a large folder, and PUT of small files. */
export async function dav(
  server: BenchServer,
  runs: number,
): Promise<{ measured: readonly Measured[]; limits: readonly AtMost[] }> {
  const drive = await driveOf(server)
  const listed = await listings(server, drive, runs)
  return { measured: [...listed.measured, await puts(server, drive, runs)], limits: listed.limits }
}

async function listings(
  server: BenchServer,
  drive: Drive,
  runs: number,
): Promise<{ measured: Measured[]; limits: AtMost[] }> {
  const name = `dav ${randomBytes(4).toString('hex')}`
  const folderId = await server.makeFolder(name)
  await withClient(server, (client) => fill(client, server, folderId, items))
  const path = drive.pathOf(name)
  const measured: Measured[] = []
  const limits: AtMost[] = []
  for (const [what, body] of asked) {
    for (const encoding of ['gzip', 'identity']) {
      const about = `PROPFIND of ${items}, ${what}, ${encoding}`
      const bytes = { ours: 0, call: 0 }
      const perSecond = async (list: () => Promise<Listing>, side: keyof typeof bytes): Promise<number> => {
        const started = performance.now()
        const listing = await list()
        if (listing.entries !== items) throw new Error(`${listing.entries} of ${items} were listed`)
        bytes[side] = listing.bytes
        return (items / (performance.now() - started)) * 1000
      }
      measured.push(
        await compare(
          { what: `${about}, against the list call`, bar: 0.5, unit: 'entries/s' },
          runs,
          () => perSecond(() => byCall(server, folderId, encoding), 'call'),
          () => perSecond(() => byPropfind(server, drive, path, { encoding, body }), 'ours'),
        ),
      )
      limits.push({ what: `${about}, bytes against the list call`, value: bytes.ours / bytes.call, most: 2, unit: '' })
    }
  }
  return { measured, limits }
}

async function puts(server: BenchServer, drive: Drive, runs: number): Promise<Measured> {
  const byPut = (count: number): Promise<number> =>
    uploads(server, count, {
      authorization: drive.authorization,
      pathOf: ({ folderName, fileName }) => `${drive.pathOf(folderName)}/${fileName}`,
    })
  // The measurement is of a warm server.
  await uploads(server, 2 * files)
  await byPut(2 * files)
  return compare(
    { what: '10 KB files by PUT of WebDAV, 8 at a time, against uploadRaw', bar: 0.8, unit: 'files/s' },
    runs,
    () => uploads(server, files),
    () => byPut(files),
  )
}
