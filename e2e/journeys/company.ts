/*
 * The server that the files of a worker share, the people that a test file has on it, and data that is created over the
 * API before they open their browsers:
 *
 *   const company = await openCompany()
 *   const anna = await company.person('linxia', '林夏')
 *   await anna.upload(anna.library, '合同.txt', Buffer.from('…'))
 *   await new LoginPage(page).signIn(anna.account, password)
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Answer,
  type CallAnswer,
  type CallInput,
  type CallName,
  calls,
  callsByName,
  type Fields,
  placeInput,
} from '@cloudoc/contract'
import { codeOf, codes } from '@cloudoc/domain'
import { afterAll, inject } from 'vitest'
import { quickFolder } from '../../scripts/quick-folder.mjs'
import { type RunningServer, ready } from '../running-server.ts'

type Catalogue = typeof calls
type Stop = () => Promise<void>

/** The password of all users. */
export const password = 'Journey#2026'
/** A separate client type, so that API and browser sessions of a user do not end each other. */
const apiClient = '250'
const checkout = join(import.meta.dirname, '../..')

/** A refused call; `code` is the name of the result code. */
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

/** Signs in over the API; returns the token. */
async function tokenOf(url: string, userName: string, secret: string): Promise<string> {
  const body = new URLSearchParams({ userName, password: secret, clientType: apiClient })
  const response = await fetch(url + calls.login3.path, { method: 'POST', body })
  return ((await dataOf('login3', response)) as Answer<Catalogue['login3']>).accessToken
}

/** A user of the API. */
export class Person {
  readonly url: string
  readonly account: string
  readonly userId: number
  readonly token: string
  /** The person's own library; 0 if they have none. */
  readonly library: number

  constructor(url: string, account: string, userId: number, token: string, library: number) {
    this.url = url
    this.account = account
    this.userId = userId
    this.token = token
    this.library = library
  }

  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>>
  call(name: CallName, input: never): Promise<unknown> {
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

  /** Downloads the content of a file. */
  async download(fileId: number): Promise<Buffer> {
    const { ticket } = await this.call('createDownloadTicket', { fileIdArray: [fileId] })
    const query = new URLSearchParams({ fileId: String(fileId), access_token: ticket })
    return Buffer.from(await (await fetch(`${this.url}${calls.downloadServlet.path}?${query}`)).arrayBuffer())
  }

  /** The ids of the items in a folder by name, at most a thousand. */
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

/** Makes a call with a token; throws an error with the name of the code. */
export function callWith<N extends CallName>(
  url: string,
  token: string,
  name: N,
  input: CallInput<N>,
): Promise<CallAnswer<N>>
export async function callWith(url: string, token: string, name: CallName, input: Fields): Promise<unknown> {
  const { method, path, body } = placeInput(callsByName[name], input)
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': body.type }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: body.text }) })
  return dataOf(name, response)
}

/** Signs a person in over the API. */
export async function signIn(url: string, account: string, secret: string): Promise<Person> {
  const token = await tokenOf(url, account, secret)
  const { userId } = await callWith(url, token, 'getMyAccountInfo', {})
  const { list } = await callWith(url, token, 'getRootFolderSetting', {})
  return new Person(url, account, userId, token, list.find(({ kind }) => kind === 'personal')?.fId ?? 0)
}

const departmentOf = (mark: string): string => `综合管理部${mark}`

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

  /** The name of the department of the people of this test file. */
  get department(): string {
    return departmentOf(this.#mark)
  }

  /** The account of a person of this test file: other files on the same server have people of the same names. */
  account(name: string): string {
    return name + this.#mark
  }

  /** Creates an account and signs it in over the API. */
  async person(name: string, accountName: string): Promise<Person> {
    const groupId = this.#groupId
    const account = this.account(name)
    await this.admin.call('createAccount', { account, accountName, password, groupId })
    return signIn(this.url, account, password)
  }

  /** Creates a folder in the company's library for these people only, each with these rights. */
  async sharedFolder(name: string, rights: number, people: readonly Person[]): Promise<number> {
    const folderId = await this.admin.folder(this.library, name)
    await this.share(folderId, rights, people)
    return folderId
  }

  /** Gives these rights on a folder to these people and nobody else, except the managers. */
  async share(folderId: number, rights: number, people: readonly Person[]): Promise<void> {
    const entries = people.map(({ userId }) => ({ subjectType: 'user' as const, subjectId: userId, rights }))
    await this.admin.call('setShareList', { folderId, inherit: false, entries })
  }
}

/** Starts a server on a data folder; in new data the administrator gets `password`. */
export function spawnServer(folder: string, port = '0', flags: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, ['packages/server/src/main.ts', '--port', port, '--data', folder, ...flags], {
    cwd: checkout,
    stdio: 'pipe',
    // Journeys must not depend on what is installed on this machine.
    env: { ...process.env, CLOUDOC_ADMIN_PASSWORD: password, SOFFICE: 'none' },
  })
}

/** Creates a data folder for a server, optionally as a copy of another one. */
async function dataFolder(like: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(quickFolder, 'cloudoc-journey-'))
  if (like !== undefined) await cp(like, folder, { recursive: true })
  return folder
}

/**
 * Starts a server with empty data, or a copy of `like`. It stops at the end of the test file, or when `atEnd` decides.
 */
export async function startServer(
  flags: readonly string[],
  atEnd: (stop: Stop) => void = afterAll,
  like?: string,
): Promise<string> {
  const folder = await dataFolder(like)
  // Stops in reverse order: the folder is removed after the server has stopped.
  const ends: Stop[] = [() => rm(folder, { recursive: true })]
  atEnd(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return (await ready(spawnServer(folder, '0', flags), (stop) => ends.push(stop))).url
}

/** A server that can be stopped and restarted on its data, at the same address. */
export interface Restartable {
  readonly url: string
  stop(): Promise<void>
  /** Kills it without a warning. */
  kill(): Promise<void>
  start(): Promise<void>
}

/** Starts such a server for a test file, called at top level. */
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

/**
 * Starts a dedicated server for a test file, called at top level: for tests that notify all users or have failed
 * sign-ins.
 */
export function ownServer(): Promise<string> {
  return startServer([], afterAll, inject('installation'))
}

/** Returns the address of the server that the files of this worker share, and how many files have used it before. */
async function workersServer(): Promise<{ url: string; before: number }> {
  const response = await fetch(`${inject('servers')}/${process.env.VITEST_POOL_ID}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { url: string; before: number }
}

/** Opens a company with only the administrator's account, by default on the worker's server. */
export async function openCompany(at?: string): Promise<Company> {
  const { url, before } = at === undefined ? await workersServer() : { url: at, before: 0 }
  const mark = before === 0 ? '' : `-${before}`
  const admin = await signIn(url, 'admin', password)
  // Journeys of the worker's server edit alone; those of co-editing switch it on. A server of its own has the default.
  if (at === undefined) await admin.call('setServerSetting', { multi_edit_type: 0 })
  const { list } = await admin.call('getRootFolderSetting', {})
  const library = list.find(({ kind }) => kind === 'company')?.fId ?? 0
  const { groupId } = await admin.call('createGroup', { groupName: departmentOf(mark), parentId: 0 })
  return new Company(url, admin, library, groupId, mark)
}
