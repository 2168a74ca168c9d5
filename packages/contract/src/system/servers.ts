// Linked servers and copies between them ([R123], [R343], [R345]). The main server is always 0, linked servers are 1
// and up (X28).
import { z } from 'zod'
import { signedIn, systemAdministrator } from '../authority.ts'
import { call } from '../call.ts'
import { Conflict, folder } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { BatchAnswer, ClientType, Id, IdArray, Nothing, Time, text } from '../fields.ts'

const ServerId = z.int().min(1).max(1_000_000)

/** The fields that a server signs to sign one of its users in at a linked server. */
const ServerSignIn = {
  account: text(64),
  clientType: ClientType,
  expiresAt: Time,
  nonce: z.string().regex(/^[\w-]{20,100}$/),
}

const serverCalls = {
  getServerList: call({
    summary: 'Lists the linked servers',
    kind: 'read',
    method: 'GET',
    path: '/services2/servers/getServerList',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: signedIn,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({ serverId: z.int(), serverName: z.string(), isMain: z.boolean(), apiHost: z.string() }),
      ),
    }),
  }),
  /** Both servers name each other and have the same key. Each signs in the other's users with the same account name. */
  setLinkedServer: call({
    summary: 'Links another server',
    title: { zh: '修改互联服务器', en: 'Linked server' },
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/setLinkedServer',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({
      serverId: ServerId,
      serverName: text(100),
      apiHost: text(500).regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*[^\s?#/])?$/),
      key: text(200).min(32),
    }),
    sample: () => ({ serverId: 1, serverName: '分公司', apiHost: 'http://127.0.0.1:1', key: 'k'.repeat(40) }),
    data: Nothing,
  }),
  removeLinkedServer: call({
    summary: 'Ends the link with another server',
    title: { zh: '移除互联服务器', en: 'Unlink server' },
    kind: 'write',
    method: 'POST',
    path: '/services2/servers/removeLinkedServer',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({ serverId: ServerId }),
    sample: () => ({ serverId: 1 }),
    data: Nothing,
    codes: ['interconnectedServerMissing'],
  }),
  loginByServer: call({
    summary: 'Signs somebody in on the word of a linked server',
    title: { zh: '互联登录', en: 'Sign in from server' },
    kind: 'staged',
    method: 'POST',
    path: '/services2/login/loginByServer',
    auth: 'none',
    payload: 'json',
    origin: 'ours',
    open: 'a linked server vouches for one of its people with the key of both; throttled, good once and for a minute',
    input: z.strictObject({ ...ServerSignIn, signature: z.string().regex(/^[\w-]{43}$/) }),
    sample: () => ({
      account: 'newcomer',
      clientType: 6,
      expiresAt: 1,
      nonce: 'n'.repeat(32),
      signature: 's'.repeat(43),
    }),
    data: z.strictObject({ accessToken: z.string() }),
    codes: ['interconnectedServerInvalid', 'notFound', 'accountLocked'],
  }),
  copyFilesAndFolders: call({
    summary: 'Copies items from a linked server',
    kind: 'staged',
    method: 'POST',
    path: '/services2/file/operate/copyFilesAndFolders',
    auth: 'required',
    payload: 'json',
    origin: 'spec',
    gate: (input) => [{ item: folder(input.targetFolderId), action: 'upload', lock: 'hold' }],
    log: 'add',
    input: z.strictObject({
      sourceServerId: Id,
      sourceFileIds: IdArray.default([]),
      sourceFolderIds: IdArray.default([]),
      targetFolderId: Id,
      conflict: Conflict,
    }),
    sample: (ids) => ({ sourceServerId: 1, targetFolderId: ids.library }),
    /** Ids are those of the source server; `fId` is the id of the copy on this server. */
    data: BatchAnswer,
    codes: [
      'interconnectedServerInvalid',
      'interconnectedServerMissing',
      'interconnectedServerNotResponding',
      'interconnectedServerFaulty',
    ],
  }),
}

export const servers = feature({
  about: { name: 'linked servers', text: 'Other servers whose people and files this one knows' },
  calls: serverCalls,
})
