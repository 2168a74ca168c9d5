/*
 * The server that the files of a worker share, the people that a test file has there, and what is made over the API before
 * they open their browsers:
 *
 *   const company = await openCompany()
 *   const anna = await company.person('linxia', '林夏')
 *   await anna.upload(anna.library, '合同.txt', Buffer.from('…'))
 *   await new LoginPage(page).signIn(anna.account, password)
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type CallName, calls, type Input, placeInput } from '@cloudoc/contract'
import { codeOf, codes } from '@cloudoc/domain'
import { afterAll, inject } from 'vitest'
import { type RunningServer, ready } from '../running-server.ts'

type Catalogue = typeof calls
type Stop = () => Promise<void>

/** The password of everybody. */
export const password = 'Journey#2026'
/** A client type of its own: whoever works over the API is not signed out by the browser, nor signs it out. */
const apiClient = '250'
const checkout = join(import.meta.dirname, '../..')

/** A call was refused; `code` is its name. */
export class Refused extends Error {
  readonly code: string | undefined
  constructor(name: string, result: number, message: string) {
    super(`${name} was refused: ${result} ${message}`)
    this.code = codeOf(result)
  }
}

async function dataOf(name: string, response: Response): Promise<unknown> {
  const { result, data, msg } = (await response.json()) as { result: number; data: unknown; msg: string }
  if (result !== codes.success.code) throw new Refused(name, result, msg)
  return data
}

/** Signs in over the API; answers the token. */
async function tokenOf(url: string, userName: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ userName, password: secret, clientType: apiClient })
  const response = await fetch(url + calls.login3.path, { method: 'POST', body })
  return ((await dataOf('login3', response)) as Answer<Catalogue['login3']>).accessToken
}

/** Somebody who works over the API. */
export class Person {
  readonly url: string
  readonly account: string
  readonly userId: number
  readonly token: string
  /** The person's own library; 0 for who has none. */
  readonly library: number

  constructor(url: string, account: string, userId: number, token: string, library: number) {
    this.url = url
    this.account = account
    this.userId = userId
    this.token = token
    this.library = library
  }

  async call<N extends CallName>(name: N, input: Input<Catalogue[N]>): Promise<Answer<Catalogue[N]>> {
    return callWith(this.url, this.token, name, input)
  }

  async folder(parentId: number, folderName: string): Promise<number> {
    return (await this.call('folderCreate', { parentId, folderName })).folderId
  }

  async upload(
    folderId: number,
    fileName: string,
    bytes: Uint8Array,
    more: Readonly<Record<string, string>> = {},
  ): Promise<number> {
    const query = new URLSearchParams({ folderId: String(folderId), fileName, ...more })
    const response = await fetch(`${this.url}${calls.uploadRaw.path}?${query}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/octet-stream' },
      body: Buffer.from(bytes),
    })
    return ((await dataOf('uploadRaw', response)) as Answer<Catalogue['uploadRaw']>).fileId
  }

  /** The content of a file, as anybody downloads it. */
  async download(fileId: number): Promise<Buffer> {
    const { ticket } = await this.call('createDownloadTicket', { fileIdArray: [fileId] })
    const query = new URLSearchParams({ fileId: String(fileId), access_token: ticket })
    return Buffer.from(await (await fetch(`${this.url}${calls.downloadServlet.path}?${query}`)).arrayBuffer())
  }

  /** The ids of what is in a folder by their names, of a thousand at most. */
  async idsIn(folderId: number): Promise<Map<string, number>> {
    const { list } = await this.call('getSubItemList3', { folderId, rows: 1000 })
    return new Map(list.map(({ fName, fId }) => [fName, fId]))
  }

  /** The names in a folder, in the server's order, all pages. */
  async names(folderId: number): Promise<string[]> {
    const names: string[] = []
    let after: string | null | undefined
    do {
      const page = await this.call('getSubItemList3', { folderId, rows: 1000, ...(after ? { after } : {}) })
      names.push(...page.list.map((item) => item.fName))
      after = page.next
    } while (after !== null)
    return names
  }
}

/** Makes a call with a token; fails with the code's name. */
export async function callWith<N extends CallName>(
  url: string,
  token: string,
  name: N,
  input: Input<Catalogue[N]>,
): Promise<Answer<Catalogue[N]>> {
  const { method, path, body } = placeInput(calls[name], input)
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': body.type }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: body.text }) })
  return (await dataOf(name, response)) as Answer<Catalogue[N]>
}

/** Signs somebody in who works over the API. */
export async function signIn(url: string, account: string, secret: string): Promise<Person> {
  const token = await tokenOf(url, account, secret)
  const { userId } = await callWith(url, token, 'getMyAccountInfo', {})
  const { list } = await callWith(url, token, 'getRootFolderSetting', {})
  return new Person(url, account, userId, token, list.find(({ kind }) => kind === 'personal')?.fId ?? 0)
}

/** An installation with its people. */
export class Company {
  readonly url: string
  readonly admin: Person
  /** The library that everybody sees. */
  readonly library: number
  readonly #groupId: number
  readonly #mark: string

  constructor(url: string, admin: Person, library: number, groupId: number, mark: string) {
    this.url = url
    this.admin = admin
    this.library = library
    this.#groupId = groupId
    this.#mark = mark
  }

  /** The account of somebody whom this test file calls that: other files of the server have people of the same names. */
  account(name: string): string {
    return name + this.#mark
  }

  /** Makes an account and signs it in over the API. */
  async person(name: string, accountName: string): Promise<Person> {
    const groupId = this.#groupId
    const account = this.account(name)
    await this.admin.call('createAccount', { account, accountName, password, groupId })
    return signIn(this.url, account, password)
  }

  /** A folder in the company's library for these people alone, each with these rights. */
  async sharedFolder(name: string, rights: number, people: readonly Person[]): Promise<number> {
    const folderId = await this.admin.folder(this.library, name)
    await this.share(folderId, rights, people)
    return folderId
  }

  /** Gives these people, and nobody else but the managers, these rights on a folder. */
  async share(folderId: number, rights: number, people: readonly Person[]): Promise<void> {
    const entries = people.map(({ userId }) => ({ subjectType: 'user' as const, subjectId: userId, rights }))
    await this.admin.call('setShareList', { folderId, inherit: false, entries })
  }
}

/** A server on this data; the administrator of new data gets `password`. */
export function spawnServer(folder: string, port = '0', flags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, ['packages/server/src/main.ts', '--port', port, '--data', folder, ...flags], {
    cwd: checkout,
    stdio: 'pipe',
    // What a journey sees does not depend on what this machine has installed.
    env: { ...process.env, CLOUDOC_ADMIN_PASSWORD: password, SOFFICE: 'none' },
  })
}

/** A folder for a server's data, with what is in another one. */
async function dataFolder(like: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-journey-'))
  if (like !== undefined) await cp(like, folder, { recursive: true })
  return folder
}

/** Starts a server with empty data, or data like that; it stops at the end of the test file, or of whatever `atEnd` stands for. */
export async function startServer(
  flags: readonly string[],
  atEnd: (stop: Stop) => void = afterAll,
  like?: string,
): Promise<string> {
  const folder = await dataFolder(like)
  // Whoever began last is stopped first: the folder goes when the server is gone.
  const ends: Stop[] = [() => rm(folder, { recursive: true })]
  atEnd(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (await ready(spawnServer(folder, '0', flags), (stop) => ends.push(stop))).url
}

/** A server that can be ended and started again on its data, at the same address. */
export interface Restartable {
  readonly url: string
  stop(): Promise<void>
  /** Ends it without a word. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts such a server for the test file that calls it at its top. */
export async function startRestartable(): Promise<Restartable> {
  const folder = await dataFolder(inject('installation'))
  let running: RunningServer | undefined
  const start = async (port: string): Promise<string> => {
    running = await ready(spawnServer(folder, port), () => undefined)
    return running.url
  }
  const stop = async (): Promise<void> => void (await running?.stop())
  afterAll(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })
  const kill = async (): Promise<void> => void (await running?.kill())
  const url = await start('0')
  return { url, stop, kill, start: async () => void (await start(new URL(url).port)) }
}

/** A server of its own for the test file that calls it at its top: for what is told of all who are there, and failed sign-ins. */
export function ownServer(): Promise<string> {
  return startServer([], afterAll, inject('installation'))
}

/** The address of the server that the files of this worker share, and how many of them have come before. */
async function workersServer(): Promise<{ url: string; before: number }> {
  const response = await fetch(`${inject('servers')}/${process.env.VITEST_POOL_ID}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { url: string; before: number }
}

/** A company with an account for the administrator only, on the server of the worker unless told. */
export async function openCompany(at?: string): Promise<Company> {
  const { url, before } = at === undefined ? await workersServer() : { url: at, before: 0 }
  const mark = before === 0 ? '' : `-${before}`
  const admin = await signIn(url, 'admin', password)
  const { list } = await admin.call('getRootFolderSetting', {})
  const library = list.find(({ kind }) => kind === 'company')?.fId ?? 0
  const { groupId } = await admin.call('createGroup', { groupName: `综合管理部${mark}`, parentId: 0 })
  return new Company(url, admin, library, groupId, mark)
}
