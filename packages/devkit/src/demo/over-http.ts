import { type Answer, type CallName, calls, type Input, placeInput } from '@cloudoc/contract'
import { codes, groupRights } from '@cloudoc/domain'
import { demoPassword } from './company.ts'
import { type DemoCalls, loadDemo, NotEmptyError } from './load.ts'

type Catalogue = typeof calls

/** What filling needs to know of the server that it fills. */
export interface DemoTarget {
  /** For example `http://127.0.0.1:8080`. */
  readonly origin: string
  readonly adminPassword: string
  /** Hears one line now and then. */
  readonly say: (line: string) => void
}

/** Fills an empty installation over its own calls, each document by its author; answers false where it is not empty. */
export async function fillWithDemo({ origin, adminPassword, say }: DemoTarget): Promise<boolean> {
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (account: string): Promise<string> => {
    const known = tokens.get(account) ?? signIn(origin, account, account === 'admin' ? adminPassword : demoPassword)
    tokens.set(account, known)
    return known
  }
  const as =
    (account: string) =>
    async <N extends CallName>(name: N, input: Input<Catalogue[N]>): Promise<Answer<Catalogue[N]>> =>
      send(origin, name, input as Record<string, unknown>, await tokenOf(account)) as Promise<Answer<Catalogue[N]>>
  const admin = as('admin')

  const demo: DemoCalls = {
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
      await admin('addRoleAccount', { roleId, userId })
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
    async upload(folderId, fileName, bytes, account) {
      const query = new URLSearchParams({ folderId: String(folderId), fileName })
      await envelope(
        await fetch(`${origin}${calls.uploadRaw.path}?${query}`, {
          method: 'PUT',
          headers: {
            authorization: `Bearer ${await tokenOf(account)}`,
            'content-type': 'application/octet-stream',
          },
          body: Buffer.from(bytes),
        }),
        `uploading ${fileName}`,
      )
    },
    async setShareList(folderId, { inherit, entries }) {
      await admin('setShareList', {
        folderId,
        inherit,
        entries: entries.map((entry) => ({ ...entry, rights: groupRights(entry.rights, { printRights: false }) })),
      })
    },
  }

  try {
    await loadDemo(demo, (step, done) => {
      if (step !== 'files') say(`Demo: ${step}`)
      else if (done % 1000 === 0) say(`Demo: ${done} files`)
    })
    return true
  } catch (error) {
    if (!(error instanceof NotEmptyError)) throw error
    say(error.message)
    return false
  }
}

async function signIn(origin: string, userName: string, password: string): Promise<string> {
  const response = await fetch(origin + calls.login3.path, {
    method: 'POST',
    // A client type of its own: whoever signs in beside it is not sent away.
    body: new URLSearchParams({ userName, password, clientType: '250' }),
  })
  return ((await envelope(response, `signing in ${userName}`)) as Answer<Catalogue['login3']>).accessToken
}

async function send(origin: string, name: CallName, input: Record<string, unknown>, token: string): Promise<unknown> {
  const { method, path, body } = placeInput(calls[name], input)
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': body.type }) }
  return envelope(await fetch(origin + path, { method, headers, ...(body && { body: body.text }) }), name)
}

async function envelope(response: Response, doing: string): Promise<unknown> {
  const { result, data, msg } = (await response.json()) as { result: number; data: unknown; msg: string }
  if (result !== codes.success.code) throw new Error(`${doing} was refused: ${result} ${msg}`)
  return data
}
