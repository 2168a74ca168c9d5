/*
 * A whole server on a fresh copy of the database of a new installation, and its users. The tests of a file share one
 * server and create people of their own. A test that needs another clock, other settings or an empty store opens its
 * own (`openWorld`). Tests use the calls of the API:
 *
 *   const world = sharedWorld()
 *   const anna = await world.person('anna')
 *   const { folderId } = await anna.call('folderCreate', { parentId: anna.library, folderName: '合同' })
 *   await expect(ben.refusal('renameFolder', { folderId, folderName: 'x' })).resolves.toBe('notFound')
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  type CallAnswer,
  type CallInput,
  type CallName,
  calls,
  callsByName,
  type Fields,
  type Input,
  isFrame,
  PUSH_PATH,
  placeInput,
  ServerFrame,
} from '@cloudoc/contract'
import { type CodeName, codeOf, codes } from '@cloudoc/domain'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { WebSocket } from 'ws'
import { type App, type AppOptions, createApp } from '../src/app.ts'
import { usualPacking } from '../src/core/blobs/local-packs.ts'
import type { DatabaseTarget } from '../src/core/db/target.ts'
import type { Fanout } from '../src/core/fanout.ts'
import { createLog } from '../src/core/log.ts'
import { password } from './passwords.ts'
import { openTestStore, S3Server } from './s3.ts'

export { password } from './passwords.ts'

import { quickFolder } from '../../../scripts/quick-folder.mjs'

type Catalogue = typeof calls

let databases = 0

/** Creates a copy of the database of a new installation, or of another template to which nobody is connected. */
export async function cloneDatabase(template = 'cloudoc_template'): Promise<Exclude<DatabaseTarget, { url: string }>> {
  const cluster = inject('cluster')
  const database = `t_${process.pid}_${Date.now().toString(36)}_${(databases += 1)}`
  const client = new pg.Client(cluster)
  await client.connect()
  // Copies the files: the WAL-logged strategy takes twice as long.
  await client.query(`create database ${database} template ${template} strategy file_copy`)
  await client.end()
  return { ...cluster, database }
}

async function dropDatabase(database: string): Promise<void> {
  const client = new pg.Client(inject('cluster'))
  await client.connect()
  await client.query(`drop database if exists ${database} with (force)`)
  await client.end()
}

/** Creates an empty database. */
export async function emptyDatabase(): Promise<Exclude<DatabaseTarget, { url: string }>> {
  const cluster = inject('cluster')
  const database = `e_${process.pid}_${Date.now().toString(36)}_${(databases += 1)}`
  const client = new pg.Client(cluster)
  await client.connect()
  await client.query(`create database ${database} template template0`)
  await client.end()
  return { ...cluster, database }
}

/** A response as received. */
export interface Wire {
  readonly status: number
  readonly result: number
  readonly code: CodeName | 'success' | undefined
  readonly data: unknown
  readonly msg: string
}

/** A signed-in person with methods for the calls. */
export class Person {
  readonly world: World
  readonly account: string
  readonly userId: number
  readonly token: string
  /** The person's own library. */
  readonly library: number

  constructor(world: World, account: string, userId: number, token: string, library: number) {
    this.world = world
    this.account = account
    this.userId = userId
    this.token = token
    this.library = library
  }

  /** Makes a call that must succeed; returns its data. */
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallAnswer<N>>
  async call(name: CallName, input: Fields): Promise<unknown> {
    const wire = await this.world.wire(name, input, this.token)
    if (wire.result !== codes.success.code && callsByName[name].kind !== 'batch') {
      throw new Error(`${name} was refused: ${wire.code ?? wire.result} ${wire.msg}`)
    }
    return wire.data
  }

  /** Makes a call that must be refused; returns the name of the code. For a batch, that of the first refused item. */
  refusal<N extends CallName>(name: N, input: CallInput<N>): Promise<CodeName>
  async refusal(name: CallName, input: Fields): Promise<CodeName> {
    const wire = await this.world.wire(name, input, this.token)
    if (wire.code === 'success' || wire.code === undefined) throw new Error(`${name} was not refused`)
    return wire.code
  }

  wire<N extends CallName>(name: N, input: CallInput<N>): Promise<Wire>
  wire(name: CallName, input: Fields): Promise<Wire> {
    return this.world.wire(name, input, this.token)
  }

  /** Creates a folder. */
  async folder(parentId: number, folderName: string): Promise<number> {
    return (await this.call('folderCreate', { parentId, folderName })).folderId
  }

  /** The same person on another process. */
  at(world: World): Person {
    return new Person(world, this.account, this.userId, this.token, this.library)
  }

  /** Uploads a content into a folder. */
  async upload(
    folderId: number,
    fileName: string,
    content: string | Uint8Array = fileName,
    more: { conflict?: 'refuse' | 'version' | 'keepBoth' | 'skip'; sha256?: string } = {},
  ): Promise<number> {
    const wire = await this.uploadWire(folderId, fileName, content, more)
    if (wire.result !== codes.success.code) throw new Error(`upload was refused: ${wire.code} ${wire.msg}`)
    return (wire.data as { fileId: number }).fileId
  }

  async uploadWire(
    folderId: number,
    fileName: string,
    content: string | Uint8Array,
    more: Record<string, string> = {},
  ): Promise<Wire> {
    const query = new URLSearchParams({ folderId: String(folderId), fileName, ...more })
    const response = await this.world.app.http.inject({
      method: 'PUT',
      url: `${calls.uploadRaw.path}?${query.toString()}`,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(content),
    })
    return wireOf(response)
  }

  /** Sends a multipart body: its fields, then the part `file`. */
  async uploadForm(
    fields: Record<string, string | number>,
    more: { path?: string; fileName?: string; content?: string | Uint8Array } = {},
  ): Promise<Wire> {
    const { path = calls.uploadFile.path, fileName = 'part.txt', content = 'new' } = more
    const edge = 'bb'
    const parts = Object.entries(fields).map(
      ([name, value]) => `--${edge}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`
    const response = await this.world.app.http.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': `multipart/form-data; boundary=${edge}` },
      payload: Buffer.concat([parts.join('') + file, content, `\r\n--${edge}--\r\n`].map((part) => Buffer.from(part))),
    })
    return wireOf(response)
  }

  /** Sends one part of a multi-part upload. */
  uploadPart(uploadId: string, partNumber: number, content: string | Uint8Array, sha256?: string): Promise<Wire> {
    return this.put('uploadPart', { uploadId, partNumber, ...(sha256 === undefined ? {} : { sha256 }) }, content)
  }

  /** Submits a new content, based on a version of a file. */
  submit(fileId: number, version: number, content: string, sha256?: string): Promise<Wire> {
    return this.put('submitFile', { fileId, version, ...(sha256 === undefined ? {} : { sha256 }) }, content)
  }

  /** Submits without a lock: only the expected version is checked. */
  submitAfter(fileId: number, expectedVersion: number, content: string, madeOf?: number): Promise<Wire> {
    return this.put('submitFile', { fileId, expectedVersion, ...(madeOf === undefined ? {} : { madeOf }) }, content)
  }

  private async put(name: CallName, input: Fields, content: string | Uint8Array): Promise<Wire> {
    const { url } = requestFor(name, input)
    const response = await this.world.app.http.inject({
      method: 'PUT',
      url,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/octet-stream' },
      payload: Buffer.from(content),
    })
    return wireOf(response)
  }

  /** Downloads the content of a file. */
  async download(fileId: number, query: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.world.app.http.inject({
      method: 'GET',
      url: `/DownloadServlet?${new URLSearchParams({ fileId: String(fileId), ...query }).toString()}`,
      headers: { authorization: `Bearer ${this.token}` },
    })
  }

  /** The names in a folder, in the server's order. */
  async names(folderId: number, more: Partial<Input<Catalogue['getSubItemList3']>> = {}): Promise<string[]> {
    const { list } = await this.call('getSubItemList3', { folderId, rows: 1000, ...more })
    return list.map((item) => item.fName)
  }

  /** Sets rights on a folder, replacing its own entries. */
  async shares(
    item: { folderId: number } | { fileId: number },
    entries: readonly { to: Person | { groupId: number } | { roleId: number }; rights: number; until?: number }[],
    more: { inherit?: boolean; restricted?: boolean } = {},
  ): Promise<void> {
    await this.call('setShareList', {
      ...item,
      inherit: more.inherit ?? true,
      ...(more.restricted === undefined ? {} : { restricted: more.restricted }),
      entries: entries.map(({ to, rights, until }) => ({
        ...('userId' in to
          ? { subjectType: 'user' as const, subjectId: to.userId }
          : 'groupId' in to
            ? { subjectType: 'group' as const, subjectId: to.groupId }
            : { subjectType: 'role' as const, subjectId: to.roleId }),
        rights,
        ...(until === undefined ? {} : { expireTime: until }),
      })),
    })
  }

  /** Opens the push channel. */
  listen(
    more: { lastIdentity?: string; epoch?: string } = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Listener> {
    return Listener.open(this, more, headers)
  }
}

/** A push channel and the frames received on it. */
export class Listener {
  readonly socket: WebSocket
  readonly frames: ServerFrame[] = []
  readonly closed: Promise<number>
  private readonly waiting: { test: (frame: ServerFrame) => boolean; resolve: (frame: ServerFrame) => void }[] = []

  constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('message', (bytes: Buffer) => {
      const frame = ServerFrame.parse(JSON.parse(bytes.toString()))
      this.frames.push(frame)
      for (const waiter of this.waiting.filter(({ test }) => test(frame))) {
        this.waiting.splice(this.waiting.indexOf(waiter), 1)
        waiter.resolve(frame)
      }
    })
  }

  static async open(
    person: Person,
    more: { lastIdentity?: string; epoch?: string },
    headers: Readonly<Record<string, string>>,
  ): Promise<Listener> {
    const socket = new WebSocket(`ws://127.0.0.1:${await person.world.port()}${PUSH_PATH}`, { headers })
    const listener = new Listener(socket)
    await new Promise((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    socket.send(JSON.stringify({ cmd: 'login', token: person.token, clientType: 6, serverId: 0, ...more }))
    await listener.next((frame) => isFrame(frame, 'welcome', 'refusal'))
    person.world.listeners.add(listener)
    return listener
  }

  /** Resolves with the first frame, past or future, that passes the test. */
  next(test: (frame: ServerFrame) => boolean): Promise<ServerFrame> {
    const arrived = this.frames.find(test)
    if (arrived !== undefined) return Promise.resolve(arrived)
    return new Promise((resolve) => this.waiting.push({ test, resolve }))
  }

  /** Item changes so far, in order. */
  get changes() {
    return this.frames.flatMap((frame) =>
      isFrame(frame, 'fileChange', 'folderChange') ? [{ ...frame.data, identity: frame.identity }] : [],
    )
  }

  close(): Promise<number> {
    this.socket.close()
    return this.closed
  }
}

export interface WorldOptions
  extends Partial<
    Pick<
      AppOptions,
      | 'packing'
      | 'ownsDatabase'
      | 'partBytes'
      | 'now'
      | 'steady'
      | 'pause'
      | 'openBlobs'
      | 'elected'
      | 'connections'
      | 'databaseTimes'
      | 'trustedProxies'
      | 'accessLog'
      | 'backupDir'
      | 'log'
      | 'tls'
      | 'readCertificate'
      | 'publicUrl'
      | 'metricsToken'
      | 'webDir'
      | 'formerAssets'
      | 'customDir'
      | 'scrubDays'
      | 'clamd'
      | 'licenceKey'
      | 'fillDemo'
      | 'soffice'
      | 'wasmOffice'
      | 'tesseract'
      | 'features'
      | 'bodyTimes'
    >
  > {
  /** Another process of the same installation: same database, same contents. */
  readonly peer?: Pick<World, 'database' | 'folder'>
  /** Receives no broadcasts from other processes and sends none. */
  readonly deaf?: boolean
}

export const deafFanout: Fanout = {
  publish: () => Promise.resolve(),
  subscribe: () => {},
  away: undefined,
  close: () => Promise.resolve(),
}

interface Running {
  readonly app: App
  readonly database: Exclude<DatabaseTarget, { url: string }>
  readonly folder: string
}

/** A running server with its people. */
export class World {
  readonly listeners = new Set<Listener>()
  private running: Running | undefined
  /** How many people of each name exist, if tests share the world. */
  private readonly namesakes: Map<string, number> | undefined
  private listening: Promise<number> | undefined
  private signedIn: Person | undefined

  constructor(shared: boolean) {
    this.namesakes = shared ? new Map() : undefined
  }

  async open(options: WorldOptions): Promise<void> {
    this.running = await start(options)
  }

  get app(): App {
    return this.opened.app
  }

  get database(): Running['database'] {
    return this.opened.database
  }

  get folder(): string {
    return this.opened.folder
  }

  private get opened(): Running {
    if (this.running === undefined) throw new Error('a shared world opens before the first test of its file')
    return this.running
  }

  /** Listens on a free port; repeated calls return the same port. */
  port(): Promise<number> {
    this.listening ??= this.app.http
      .listen({ port: 0, host: '127.0.0.1' })
      .then(() => (this.app.http.server.address() as AddressInfo).port)
    return this.listening
  }

  /** Makes any call, with or without a token. */
  async wire(name: CallName, input: Fields, token?: string): Promise<Wire> {
    return wireOf(await this.app.http.inject(requestFor(name, input, token)))
  }

  async admin(): Promise<Person> {
    this.signedIn ??= await this.signIn('admin')
    return this.signedIn
  }

  async signIn(account: string, clientType = 6, secret = password): Promise<Person> {
    const wire = await this.wire('login3', { userName: account, password: secret, clientType })
    if (wire.result !== codes.success.code) throw new Error(`${account} cannot sign in: ${wire.code}`)
    const { accessToken, accountInfo } = wire.data as { accessToken: string; accountInfo: { userId: number } }
    const row = await this.app.db
      .selectFrom('library')
      .select('id')
      .where('owner_id', '=', accountInfo.userId)
      .executeTakeFirst()
    return new Person(this, account, accountInfo.userId, accessToken, row?.id ?? 0)
  }

  /**
   * Creates a person, in the company unless a department is given. In a shared world the account is the name plus a
   * number, so that each test has an anna of its own.
   */
  async person(name: string, more: { groupId?: number; secretLevel?: number } = {}): Promise<Person> {
    const admin = await this.admin()
    const nth = (this.namesakes?.get(name) ?? 0) + 1
    this.namesakes?.set(name, nth)
    const account = this.namesakes === undefined ? name : `${name}-${nth}`
    await admin.call('createAccount', {
      account,
      accountName: account,
      password,
      groupId: more.groupId ?? 0,
      secretLevel: more.secretLevel ?? 0,
    })
    return this.signIn(account)
  }

  async group(groupName: string, parentId = 0): Promise<{ groupId: number; library: number }> {
    const admin = await this.admin()
    const { groupId } = await admin.call('createGroup', { groupName, parentId })
    const { libraryId } = await admin.call('getGroupInfo', { groupId })
    return { groupId, library: libraryId }
  }

  /** Returns the id of the company's library. */
  async company(): Promise<number> {
    const row = await this.app.db
      .selectFrom('library')
      .select('id')
      .where('kind', '=', 'company')
      .executeTakeFirstOrThrow()
    return row.id
  }

  /** Closes all push channels except `but`. */
  hangUp(but: ReadonlySet<Listener> = new Set()): void {
    for (const listener of this.listeners) {
      if (but.has(listener)) continue
      listener.socket.terminate()
      this.listeners.delete(listener)
    }
  }

  async close(): Promise<void> {
    this.hangUp()
    await this.app.close()
  }
}

const open = new Set<World>()

let started: Promise<S3Server> | undefined
/** Returns the S3 server of this test file, started on first use. */
export function sharedS3(): Promise<S3Server> {
  started ??= S3Server.start()
  return started
}

/** Returns the location of a world's contents, for a server in another process. */
export async function storeOf({ folder }: Pick<World, 'folder'>): Promise<string> {
  return inject('store') === 's3' ? JSON.stringify((await sharedS3()).configOf(folder)) : join(folder, 'blobs')
}

async function start(options: WorldOptions): Promise<Running> {
  const { peer, deaf, ...rest } = options
  const database = peer?.database ?? (await cloneDatabase())
  const folder = peer?.folder ?? (await mkdtemp(join(quickFolder, 'cloudoc-world-')))
  const s3 = inject('store') === 's3' && rest.openBlobs === undefined ? await sharedS3() : undefined
  const app = await createApp({
    database,
    blobDir: join(folder, 'blobs'),
    log: createLog('silent'),
    strictAnswers: true,
    allowUnsafeDatabase: true,
    connections: 3,
    packing: { ...usualPacking, bytes: 1024 * 1024 },
    ...(deaf === true ? { fanout: deafFanout } : {}),
    ...(s3 === undefined ? {} : { openBlobs: (pausePoint) => openTestStore(s3, folder, { pausePoint }) }),
    ...rest,
  })
  return { app, database, folder }
}

/** Starts a server. It stops at the end of the test that starts it, or of the file. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World(false)
  await world.open(options)
  open.add(world)
  return world
}

/** The server of a test file, called at top level: starts before the first test and stops after the last. */
export function sharedWorld(options: WorldOptions = {}): World {
  const world = new World(true)
  beforeAll(async () => {
    await world.open(options)
    open.add(world)
  })
  return world
}

async function end(worlds: readonly World[]): Promise<void> {
  for (const world of worlds) open.delete(world)
  await Promise.all(worlds.map((world) => world.close()))
  const kept = new Set([...open].map(({ folder }) => folder))
  for (const [folder, { database }] of new Map(worlds.map((world) => [world.folder, world.database]))) {
    if (kept.has(folder)) continue
    await rm(folder, { recursive: true, force: true })
    await dropDatabase(database)
  }
}

/** Closes the servers and push channels that a test has opened when the test ends, and the rest when the file ends. */
export function endWorlds(): void {
  /**
   * The worlds and channels that existed before the test. A server that no test uses any more would still poll for jobs
   * and push to its channels.
   */
  let before = new Map<World, ReadonlySet<Listener>>()
  beforeEach(() => {
    before = new Map([...open].map((world) => [world, new Set(world.listeners)]))
  })
  afterEach(async () => {
    await end([...open].filter((world) => !before.has(world)))
    for (const [world, listeners] of before) world.hangUp(listeners)
  })
  afterAll(async () => {
    await end([...open])
    const server = await started
    started = undefined
    await server?.kill()
  })
}

/** Builds the request for an input from the call's declaration. */
export function requestFor(name: CallName, input: Fields, token?: string): InjectOptions & { url: string } {
  const { method, path, body } = placeInput(callsByName[name], input)
  return {
    method,
    url: path,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': body.type }),
    },
    ...(body === undefined ? {} : { payload: body.text }),
  }
}

/** Parses a response of the API. */
export function wireOf(response: LightMyRequestResponse): Wire {
  const body = response.json<{ result: number; data: unknown; msg: string }>()
  return {
    status: response.statusCode,
    ...body,
    code: body.result === codes.success.code ? 'success' : codeOf(body.result),
  }
}
