// Downloads by applications for tests: a scene with a rule that binds even the owner, and every way of downloading.
import { type CallName, callsByName, placeInput } from '@cloudoc/contract'
import { linkRights } from '@cloudoc/domain'
import { sql } from 'kysely'
import { applications } from '../src/approvals/applications/feature.ts'
import { type Person, type World, wireOf } from './harness.ts'

/** What the test content consists of; no name of a file contains it. */
const letter = 'Ж'
export const contentSize = 1000
export const content = letter.repeat(contentSize / 2)

/**
 * Ben owns a folder with a file, but downloads from it need the approval of Anna, whoever has the right. The address of
 * the file as a network drive has it, and the password of that.
 */
export interface GrantScene {
  readonly anna: Person
  readonly ben: Person
  readonly folderId: number
  readonly fileId: number
  readonly ruleId: number
  readonly davPath: string
  readonly davPassword: string
  /** The links that Ben has made, the latest last; they stay when the grant ends. */
  readonly links: string[]
}

let scenes = 0

export async function grantScene(world: World): Promise<GrantScene> {
  scenes += 1
  const [anna, ben] = [await world.person(`anna${scenes}`), await world.person(`ben${scenes}`)]
  const admin = await world.admin()
  const folderId = await ben.folder(ben.library, '项目')
  const fileId = await ben.upload(folderId, '合同.txt', content)
  const { ruleId } = await admin.call('setOperationRule', {
    ...{ name: '受控下载', operation: 'download', itemIds: [folderId] },
    subjects: [{ subjectType: 'user', subjectId: ben.userId }],
    rounds: [{ by: 'people', ids: [anna.userId], needs: 'one', fromLevel: 0 }],
  })
  const { list } = await ben.call('getRootFolderSetting', {})
  const library = list.find(({ fId }) => fId === ben.library)?.fName ?? ''
  const { token } = await ben.call('createMyProgram', { kind: 'app', name: '网络驱动器', days: 30 })
  const davPath = encodeURI(`/dav/${library}/项目/合同.txt`)
  return { anna, ben, folderId, fileId, ruleId, davPath, davPassword: token, links: [] }
}

/** Asks for downloads of the file and its folder, as Ben. Returns the application. */
export async function applyFor({ ben, fileId, folderId }: GrantScene, asked: object = {}): Promise<number> {
  const items = { fileIdArray: [fileId], folderIdArray: [folderId] }
  return (await ben.call('applyDownload', { comment: '现场签约', ...items, ...asked })).applicationId
}

type Sent = Readonly<Record<string, string>>

const get = (at: World, url: string, headers: Sent) => at.app.http.inject({ method: 'GET', url, headers })
const byBen = async ({ ben }: GrantScene, at: World, url: string, headers: Sent = {}): Promise<number> =>
  bytesIn(await get(at, url, { authorization: `Bearer ${ben.token}`, ...headers }))

/** The bytes of the content in an answer; a zip stores it uncompressed. */
export function bytesIn({ rawPayload, statusCode }: { rawPayload: Buffer; statusCode: number }): number {
  if (statusCode >= 300) return 0
  const byte = Buffer.from(letter)
  let found = 0
  for (let at = rawPayload.indexOf(byte); at !== -1; at = rawPayload.indexOf(byte, at + byte.length)) found += 1
  return found * byte.length
}

/** Ben makes a link to the folder, as soon as he may. */
async function makeLink({ ben, folderId, links }: GrantScene, at: World): Promise<void> {
  const made = await ben.at(at).wire('externalCreate', {
    ...{ folderId, rights: linkRights.preview | linkRights.download, password: '' },
    endTime: Date.now() + 3_600_000,
  })
  if (made.code === 'success') links.push((made.data as { linkToken: string }).linkToken)
}

/** The bytes that a visitor gets from a server by the latest of Ben's links. */
export async function byLink(scene: GrantScene, at: World, name: CallName, input: object): Promise<number> {
  const linkToken = scene.links.at(-1)
  if (linkToken === undefined) return 0
  const opened = wireOf(
    await at.app.http.inject({
      ...{ method: 'POST', url: `/services2/visit/${linkToken}/open`, payload: '{"name":"王先生"}' },
      headers: { 'content-type': 'application/json' },
    }),
  )
  if (opened.code !== 'success') return 0
  const { path } = placeInput(callsByName[name], { linkToken, ...input })
  return bytesIn(await get(at, path, { 'x-link-pass': (opened.data as { pass: string }).pass }))
}

async function byNewLink(scene: GrantScene, at: World, name: CallName, input: object): Promise<number> {
  await makeLink(scene, at)
  return byLink(scene, at, name, input)
}

/** Every way in which content leaves: how many bytes of the file each gets from a server. */
export const downloadWays: Readonly<Record<string, (scene: GrantScene, at: World) => Promise<number>>> = {
  file: (scene, at) => byBen(scene, at, `/DownloadServlet?fileId=${scene.fileId}`),
  range: (scene, at) => byBen(scene, at, `/DownloadServlet?fileId=${scene.fileId}`, { range: 'bytes=0-999' }),
  version: (scene, at) => byBen(scene, at, `/DownloadServlet?fileId=${scene.fileId}&version=1`),
  async ticket(scene, at) {
    const { code, data } = await scene.ben.at(at).wire('createDownloadTicket', { fileIdArray: [scene.fileId] })
    if (code !== 'success') return 0
    const { ticket } = data as { ticket: string }
    const query = `fileId=${scene.fileId}&access_token=${encodeURIComponent(ticket)}`
    return bytesIn(await get(at, `/DownloadServlet?${query}`, {}))
  },
  zip: (scene, at) => byBen(scene, at, `/DownloadMultiFile?files=fi_${scene.fileId}`),
  folder: (scene, at) => byBen(scene, at, `/DownloadMultiFile?files=fo_${scene.folderId}`),
  export: (scene, at) => byBen(scene, at, placeInput(callsByName.exportFolder2, { ids: `${scene.folderId}` }).path),
  webDav: async ({ ben, davPath, davPassword }, at) => {
    const authorization = `Basic ${Buffer.from(`${ben.account}:${davPassword}`).toString('base64')}`
    return bytesIn(await get(at, davPath, { authorization, host: '127.0.0.1' }))
  },
  link: (scene, at) => byNewLink(scene, at, 'visitDownload', { fileId: scene.fileId }),
  linkZip: (scene, at) => byNewLink(scene, at, 'visitZip', { files: `fi_${scene.fileId}` }),
  linkFolder: (scene, at) => byNewLink(scene, at, 'visitZip', { files: `fo_${scene.folderId}` }),
}

/** A part of the file, as a download manager asks for it. */
export function partOf(scene: GrantScene, at: World, from: number, length: number): Promise<number> {
  const range = `bytes=${from}-${Math.min(contentSize, from + length) - 1}`
  return byBen(scene, at, `/DownloadServlet?fileId=${scene.fileId}`, { range })
}

/** The consistency checks of applications that find something. */
export async function brokenChecks(at: World): Promise<string[]> {
  const found = []
  for (const { says, broken } of applications.checks ?? [])
    if ((await sql`${broken}`.execute(at.app.db)).rows.length > 0) found.push(says)
  return found
}
