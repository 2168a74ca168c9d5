import { type Answer, type CallName, calls, callsByName, placeInput } from '@cloudoc/contract'
import { codes, groupRights } from '@cloudoc/domain'
import { simulateActivity, type Visitor } from './activity.ts'
import { demoPassword } from './company.ts'
import { type Calling, type DemoCalls, loadDemo, NotEmptyError } from './load.ts'
import type { EmptyDocument } from './office.ts'
import { prepareWaysIn } from './ways-in.ts'

type Catalogue = typeof calls
type BatchAnswer = Answer<Catalogue['fileOrFolderDelete']>

/** Sends one request to the server and returns the envelope of the call. */
export type Send = (request: {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}) => Promise<{ result: number; data: unknown; msg: string }>

/** What the demo loader needs to know about the target server. */
export interface DemoTarget {
  readonly send: Send
  /** The account of the administrator who fills the installation; `admin` by default. */
  readonly adminAccount?: string
  readonly adminPassword: string
  readonly emptyDocument: EmptyDocument
  /** Receives progress lines. */
  readonly report: (line: string) => void
}

/**
 * Fills an empty installation through its own calls, each document uploaded by its author; returns false if the
 * installation is not empty.
 */
export async function fillWithDemo({
  send,
  adminAccount = 'admin',
  adminPassword,
  emptyDocument,
  report,
}: DemoTarget): Promise<boolean> {
  const request = async (doing: string, ...sent: Parameters<Send>): Promise<unknown> => {
    const { result, data, msg } = await send(...sent)
    if (result !== codes.success.code) throw new Error(`${doing} was refused: ${result} ${msg}`)
    return data
  }
  const call = async (
    name: CallName,
    input: Record<string, unknown>,
    headers: Record<string, string>,
  ): Promise<unknown> => {
    const { method, path, body } = placeInput(callsByName[name], input)
    const typed = { ...headers, ...(body && { 'content-type': body.type }) }
    const data = await request(name, { method, path, headers: typed, ...(body && { body: body.text }) })
    if (callsByName[name].kind === 'batch') {
      const refused = (data as BatchAnswer).find(({ result }) => result !== codes.success.code)
      if (refused !== undefined)
        throw new Error(`${name} of ${refused.name} was refused: ${refused.result} ${refused.msg}`)
    }
    return data
  }
  const signIn = async (userName: string): Promise<Record<string, string>> => {
    const isAdmin = userName === 'admin'
    const password = isAdmin ? adminPassword : demoPassword
    // A separate client type, so that this sign-in does not end the session of a signed-in user.
    const data = await call('login3', { userName: isAdmin ? adminAccount : userName, password, clientType: 250 }, {})
    return { authorization: `Bearer ${(data as Answer<Catalogue['login3']>).accessToken}` }
  }
  const sessions = new Map<string, ReturnType<typeof signIn>>()
  const sessionOf = (account: string): ReturnType<typeof signIn> => {
    const known = sessions.get(account) ?? signIn(account)
    sessions.set(account, known)
    return known
  }
  const calling =
    (headers: () => Promise<Record<string, string>>): Calling =>
    async (name, input) =>
      (await call(name, input, await headers())) as never
  const as = (account: string): Calling => calling(() => sessionOf(account))
  const admin = as('admin')

  const demo: DemoCalls = {
    emptyDocument,
    async isEmpty() {
      if ((await admin('getAllAccount', {})).total > 1) return false
      const { list } = await admin('getRootFolderSetting', {})
      for (const { fId } of list) {
        if ((await admin('getSubItemList3', { folderId: fId, rows: 1 })).total > 0) return false
      }
      return true
    },
    createGroup: async ({ groupName, parentId = 0 }) => (await admin('createGroup', { groupName, parentId })).groupId,
    createAccount: async (person) => (await admin('createAccount', person)).userId,
    createRole: async (roleName) => (await admin('createRole', { roleName })).roleId,
    async addRoleAccount(roleId, userId) {
      await admin('changePeople', { userIds: [userId], addRoleId: roleId })
    },
    async libraryRoot(library) {
      if (library.kind === 'department') return (await admin('getGroupInfo', { groupId: library.groupId })).libraryId
      const owner = as(library.kind === 'personal' ? library.account : 'admin')
      const { list } = await owner('getRootFolderSetting', {})
      const root = list.find((each) => each.kind === library.kind)
      if (root === undefined) throw new Error(`there is no ${library.kind} library`)
      return root.fId
    },
    createFolder: async (parentId, folderName, account = 'admin') =>
      (await as(account)('folderCreate', { parentId, folderName })).folderId,
    async upload(folderId, fileName, bytes, account, { lastModified, isNext }) {
      const query = new URLSearchParams({
        folderId: String(folderId),
        fileName,
        lastModified: String(lastModified),
        conflict: isNext ? 'version' : 'refuse',
      })
      await request(`uploading ${fileName}`, {
        method: 'PUT',
        path: `${calls.uploadRaw.path}?${query.toString()}`,
        headers: { ...(await sessionOf(account)), 'content-type': 'application/octet-stream' },
        body: bytes,
      })
    },
    async setShareList(folderId, { inherit, entries }) {
      await admin('setShareList', {
        folderId,
        inherit,
        entries: entries.map((entry) => ({ ...entry, rights: groupRights(entry.rights, { printRights: false }) })),
      })
    },
  }

  const visit = async (linkToken: string, about: { password?: string; name?: string }): Promise<Visitor> => {
    const { pass } = await calling(async () => ({}))('openVisit', { linkToken, ...about })
    const headers = { 'x-link-pass': pass }
    return {
      call: calling(async () => headers),
      async bring(folderId, fileName, text) {
        const query = new URLSearchParams({ folderId: String(folderId), fileName })
        await request(`bringing ${fileName}`, {
          method: 'PUT',
          path: `${calls.visitUpload.path.replace('{linkToken}', linkToken)}?${query.toString()}`,
          headers: { ...headers, 'content-type': 'application/octet-stream' },
          body: text,
        })
      },
    }
  }

  try {
    const now = Date.now()
    const loaded = await loadDemo(
      demo,
      (step, done) => {
        if (step !== 'files') report(`Demo: ${step}`)
        else if (done % 1000 === 0) report(`Demo: ${done} files`)
      },
      now,
    )
    await prepareWaysIn(admin, loaded)
    report('Demo: what people do with them')
    await simulateActivity({ ...loaded, now, as, visit })
    return true
  } catch (error) {
    if (!(error instanceof NotEmptyError)) throw error
    report(error.message)
    return false
  }
}
