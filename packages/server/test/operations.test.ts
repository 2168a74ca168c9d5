// The operator's view: health, metrics, logs, TLS, the first start, and hostile input at the port.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { json } from 'node:stream/consumers'
import { connect as connectTls, type Server as TlsServer } from 'node:tls'
import { calls, PUSH_PATH } from '@cloudoc/contract'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../src/app.ts'
import { systemFiles } from '../src/core/blobs/file-operations.ts'
import { openLocalStore } from '../src/core/blobs/local-store.ts'
import { createLog } from '../src/core/log.ts'
import { setUp, writePasswordFile } from '../src/first-start.ts'
import { takeUpCertificates } from '../src/http-server.ts'
import { certificate, renewed } from './certificate.ts'
import { FaultyProxy } from './faulty-proxy.ts'
import { cloneDatabase, emptyDatabase, openWorld, password, requestFor, type World, wireOf } from './harness.ts'
import { RawRequest } from './raw-http.ts'
import { login, loginWithCaptcha, readCaptcha } from './sign-in.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** Runs statements on the cluster, outside the databases of the tests. */
async function onCluster(...statements: string[]): Promise<void> {
  const client = new pg.Client(inject('cluster'))
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test('/healthz answers 503 while the database is gone and 200 again when it is back; calls answer -2 meanwhile', async () => {
  const world = await openWorld()
  const anna = await world.person('anna')
  const health = async () => (await world.app.http.inject('/healthz')).statusCode
  expect(await health()).toBe(200)
  const { database } = world.database
  await onCluster(
    `alter database ${database} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
  )
  expect(await health()).toBe(503)
  expect(await anna.wire('getMyAccountInfo', {})).toMatchObject({ status: 500, code: 'serverException', data: null })
  await onCluster(`alter database ${database} allow_connections true`)
  await expect.poll(health).toBe(200)
  expect(await anna.wire('getMyAccountInfo', {})).toMatchObject({ code: 'success' })
})

/** A proxy to a database that can stall: it accepts connections but forwards nothing. */
async function wayTo(target: World['database']) {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-still-'))
  const [to, at] = [target.host, folder].map((host) => ({ path: join(host, `.s.PGSQL.${target.port}`) }))
  if (to === undefined || at === undefined) throw new Error('no way')
  const way = await FaultyProxy.open(to, at)
  onTestFinished(async () => {
    way.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { target: { ...target, host: folder }, way }
}

test('a database that stands still: /healthz says so, calls answer -2, one line is written, and it comes back by itself', async () => {
  const lines: { msg?: string }[] = []
  const { target, way } = await wayTo(await cloneDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-still-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const world = await openWorld({
    peer: { database: target, folder },
    elected: false,
    log: createLog('info', { write: (line) => void lines.push(JSON.parse(line) as object) }),
    databaseTimes: { promptlyMs: 300, checkEveryMs: 100, suspectAfterMs: 300, goneAfterMs: 600, connectWithinMs: 1000 },
  })
  const anna = await world.person('anna')
  const health = async () => (await world.app.http.inject('/healthz')).json<unknown>()
  expect(await health()).toEqual({ status: 'ok' })
  way.setState('still')
  expect(await health()).toEqual({ status: 'database unreachable' })
  // A load balancer keeps polling meanwhile. That must not delay the notification of waiting clients.
  const asking = setInterval(() => void health(), 50)
  const calls = await Promise.all([
    anna.wire('getSubItemList3', { folderId: anna.library, rows: 10 }),
    anna.wire('folderCreate', { parentId: anna.library, folderName: '静' }),
  ]).finally(() => clearInterval(asking))
  expect(calls.map(({ code }) => code)).toEqual(['serverException', 'serverException'])
  way.setState('open')
  await expect.poll(health).toEqual({ status: 'ok' })
  expect(await anna.wire('folderCreate', { parentId: anna.library, folderName: '动' })).toMatchObject({
    code: 'success',
  })
  await expect
    .poll(() => lines.map(({ msg }) => msg).filter((msg) => msg !== undefined))
    .toEqual(['the database is away; what needs it fails until it is back', 'the database is back'])
})

test('the page and the icon come at once while the database stands still', async () => {
  const { target, way } = await wayTo(await cloneDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-still-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'index.html'), '<!doctype html><p>page</p>')
  const world = await openWorld({ peer: { database: target, folder }, elected: false, webDir: folder })
  const ask = () =>
    Promise.all(['/', '/favicon.ico', '/files/1'].map(async (url) => (await world.app.http.inject(url)).statusCode))
  expect(await ask()).toEqual([200, 200, 200])
  way.setState('still')
  const from = performance.now()
  for (let n = 0; n < 3; n += 1) expect(await ask()).toEqual([200, 200, 200])
  // A connection that does not answer is given up after eight seconds; the pages must not wait for that.
  expect(performance.now() - from).toBeLessThan(7000)
  way.setState('open')
})

test('an installation that was never backed up has an infinitely old backup, by which the alert is raised', async () => {
  const world = await openWorld({ elected: false })
  expect((await world.app.http.inject('/metrics')).body).toMatch(/^cloudoc_backup_age_seconds \+Inf$/m)
})

test('a disk that stands still is named as well, and takes no figure along but its own', async () => {
  const still = () => new Promise<never>(() => {})
  const { app } = await openWorld({
    elected: false,
    openBlobs: async (pause) => ({
      ...(await openLocalStore(await mkdtemp(join(tmpdir(), 'cloudoc-still-')), pause)),
      room: still,
      disk: still,
    }),
  })
  expect((await app.http.inject('/healthz')).json()).toEqual({ status: 'ok', away: 'contents' })
  const { body } = await app.http.inject('/metrics')
  expect(body).toContain('cloudoc_store_reachable 0')
  expect(body).toMatch(/cloudoc_disk_free_bytes nan/i)
  expect(body).toContain('cloudoc_push_sockets 0')
})

test('a store that is away is named by /healthz and /metrics; lists go on', async () => {
  let isThere = true
  const world = await openWorld({
    elected: false,
    openBlobs: async (pause) => ({
      ...(await openLocalStore(await mkdtemp(join(tmpdir(), 'cloudoc-away-')), pause)),
      reach: () => (isThere ? Promise.resolve() : new Promise<void>(() => {})),
      open: () => Promise.reject(Object.assign(new Error('a disk that fails'), { code: 'EIO' })),
    }),
  })
  const anna = await world.person('anna')
  const fileId = await anna.upload(anna.library, '甲.txt', '甲')
  expect((await anna.download(fileId)).statusCode).toBeGreaterThan(399)
  isThere = false
  const { body } = await world.app.http.inject('/metrics')
  expect(body).toContain('cloudoc_store_errors_total{operation="open"} 1')
  expect(body).toContain('cloudoc_store_reachable 0')
  expect((await world.app.http.inject('/healthz')).json()).toEqual({ status: 'ok', away: 'contents' })
  expect(await anna.names(anna.library)).toEqual(['甲.txt'])
})

test('contents on a disk that became read-only: uploads answer -402, /healthz names it, connections go on, and so does all when it is back', async () => {
  let isReadOnly = false
  const refuse = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    const readOnly = (): Promise<never> => Promise.reject(Object.assign(new Error('read-only'), { code: 'EROFS' }))
    return (...args: A): Promise<R> => (isReadOnly && args[1] !== 'r' ? readOnly() : work(...args))
  }
  const { link, mkdir, open, openSynced, rename, unlink, writeNew } = systemFiles
  const written = { link, mkdir, open, openSynced, rename, unlink, writeNew }
  const refusing = Object.fromEntries(Object.entries(written).map(([name, work]) => [name, refuse(work as never)]))
  const world = await openWorld({
    openBlobs: async (pause) =>
      openLocalStore(await mkdtemp(join(tmpdir(), 'cloudoc-read-only-')), pause, { ...systemFiles, ...refusing }),
  })
  const anna = await world.person('anna')
  const kept = await anna.upload(anna.library, 'kept.txt', 'kept')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  let connections = 0
  world.app.http.server.on('connection', () => {
    connections += 1
  })
  const port = await world.port()
  const upload = async (size: number) => {
    const path = `${calls.uploadRaw.path}?folderId=${anna.library}&fileName=${size}.bin`
    const headers = { authorization: `Bearer ${anna.token}`, 'content-type': 'application/octet-stream' }
    const request = httpRequest({ agent, port, path, headers, method: 'PUT' })
    request.end(Buffer.alloc(size, 1))
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const { result } = (await json(response)) as { result: number }
    return [response.statusCode, result]
  }
  isReadOnly = true
  for (const size of [10, 300_000, 10])
    expect([size, ...(await upload(size))]).toEqual([size, 503, codes.storageUnavailable.code])
  expect(connections).toBe(1)
  expect((await anna.download(kept)).body).toBe('kept')
  expect((await world.app.http.inject('/healthz')).json()).toEqual({ status: 'ok', away: 'contents' })
  isReadOnly = false
  await anna.upload(anna.library, 'later.txt', 'later')
})

test('a generated first password is in a file for the user of the server alone; if it cannot be written, nothing is set up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-first-'))
  const app = await createApp({
    database: await emptyDatabase(),
    blobDir: join(folder, 'blobs'),
    log: createLog('silent'),
    allowUnsafeDatabase: true,
    elected: false,
  })
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })
  const first = (data: string) =>
    setUp(app, {
      password: undefined,
      now: Date.now(),
      onGenerated: (generated) => void writePasswordFile(data, generated),
    })
  await writeFile(join(folder, 'file'), '')
  await expect(first(join(folder, 'file'))).rejects.toThrow(/cannot be written.*CLOUDOC_ADMIN_PASSWORD/)
  const made = await first(join(folder, 'data'))
  const path = join(folder, 'data/admin-password.txt')
  expect(await readFile(path, 'utf8')).toBe(`${made}\n`)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('/healthz answers 503 until the first start has made its administrator', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-first-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { app } = await openWorld({ peer: { database: await emptyDatabase(), folder } })
  expect((await app.http.inject('/healthz')).statusCode).toBe(503)
  await setUp(app, { password, now: Date.now() })
  expect((await app.http.inject('/healthz')).statusCode).toBe(200)
})

test('a database that goes away in the middle of a change undoes it, answers -2 and ends nothing else', async () => {
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const world = await openWorld({
    pause: async (point) => {
      if (point !== 'commit folderCreate') return
      reached.resolve()
      await held.promise
    },
  })
  const anna = await world.person('anna')
  const change = anna.wire('folderCreate', { parentId: anna.library, folderName: '半途' })
  await reached.promise
  const { database } = world.database
  await onCluster(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${database}'`)
  held.resolve()
  expect(await change).toMatchObject({ status: 500, code: 'serverException' })
  expect(await anna.names(anna.library)).toEqual([])
})

/** Statements that are sent apart from requests: job polling and notifications. */
const besides = /\bjob\b|due_kinds|pg_notify|pg_stat_activity/

/** Breaks a connection of a world during one of its statements. */
function cutting({ database }: World) {
  const inherited = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => Promise<unknown>
  let sent: string[] = []
  let cuts: (text: string, at: number) => boolean = () => false
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [{ text?: string } | string]
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
    if (this.database !== database.database || besides.test(text)) return Reflect.apply(inherited, this, args) as never
    sent.push(text)
    if (cuts(text, sent.length)) (this as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
    return Reflect.apply(inherited, this, args) as never
  })
  return async <T>(where: typeof cuts, run: () => Promise<T>): Promise<{ done: T; sent: string[] }> => {
    sent = []
    cuts = where
    const done = await run()
    cuts = () => false
    return { done, sent }
  }
}

test('a connection that ended unnoticed costs nobody an answer, unless it was to end a change', async () => {
  const world = await openWorld({ elected: false, connections: 8 })
  const anna = await world.person('anna')
  await anna.folder(anna.library, '甲')
  const cut = cutting(world)
  const query = { folderId: anna.library, sort: 'name', order: 'asc', keyword: '甲' } as const
  const read = () => anna.wire('getSubItemList3', query)
  await read()
  const { length: statements } = (await cut(() => false, read)).sent
  expect(statements).toBeGreaterThan(2)
  for (let at = 1; at <= statements; at += 1) {
    const { done } = await cut((_, n) => n === at, read)
    expect([at, done.code]).toEqual([at, 'success'])
  }
  const change = (at: number) => () => anna.wire('folderCreate', { parentId: anna.library, folderName: `第 ${at}` })
  // COMMIT is sent with the last statement: whether it was executed is unknown.
  const { sent } = await cut(() => false, change(0))
  const end = sent.findIndex((text) => text.endsWith('/* then commit */')) + 1
  expect(end).toBeGreaterThan(4)
  const names = ['甲', '第 0']
  for (let at = 1; at < end; at += 1) {
    const { done } = await cut((_, n) => n === at, change(at))
    expect([at, done.code]).toEqual([at, 'success'])
    names.push(`第 ${at}`)
  }
  // Selected by text: a background job that runs in between would shift the count.
  const { done } = await cut((text) => text === sent[end - 1], change(end))
  expect(done.code).toBe('serverException')
  expect((await anna.names(anna.library)).toSorted()).toEqual(names.toSorted())
})

test('files that commit together are placed all the same where their connection ends unnoticed', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  const cut = cutting(world)
  let left = 1
  const names = ['甲.txt', '乙.txt', '丙.txt']
  await cut(
    (text) => text.includes('insert into item') && left-- > 0,
    () => Promise.all(names.map((name) => anna.upload(anna.library, name, name))),
  )
  expect(left).toBeLessThan(1)
  expect((await anna.names(anna.library)).toSorted()).toEqual(names.toSorted())
})

test('/metrics counts the calls, for this machine and for whoever has the token', async () => {
  const world = await openWorld({ metricsToken: 'metrics-token', trustedProxies: ['10.0.0.1'] })
  await world.person('anna')
  const read = (remoteAddress: string, headers: Record<string, string> = {}) =>
    world.app.http.inject({ url: '/metrics', remoteAddress, headers })
  const local = await read('127.0.0.1')
  expect(local.statusCode).toBe(200)
  expect(local.body).toMatch(/cloudoc_call_results_total\{call="login3",result="-1"\} 2/)
  expect(local.body).toMatch(/cloudoc_push_sockets 0/)
  expect((await read('::1')).statusCode).toBe(200)
  expect((await read('203.0.113.1', { authorization: 'Bearer metrics-token' })).statusCode).toBe(200)
  const strangers: [string, Record<string, string>][] = [
    ['203.0.113.1', {}],
    ['203.0.113.1', { authorization: 'Bearer other' }],
    ['203.0.113.1', { 'x-forwarded-for': '127.0.0.1' }],
    ['10.0.0.1', { 'x-forwarded-for': '203.0.113.1' }],
    // A proxy on this machine that is not configured as trusted.
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.1' }],
  ]
  for (const [address, headers] of strangers) expect((await read(address, headers)).statusCode, address).toBe(404)
  const closed = await openWorld({ peer: world, elected: false })
  const guess = await closed.app.http.inject({
    url: '/metrics',
    remoteAddress: '203.0.113.1',
    headers: { authorization: 'Bearer undefined' },
  })
  expect(guess.statusCode).toBe(404)
})

test('the rules and the panels in deploy/ ask for figures that there are', async () => {
  const world = await openWorld()
  const { body } = await world.app.http.inject('/metrics')
  const told = new Set(body.match(/^cloudoc_\w+/gm))
  const declared = new Set(
    [...body.matchAll(/^# TYPE (cloudoc_\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`] : [name],
    ),
  )
  for (const file of ['alerts.yml', 'grafana.json']) {
    const text = await readFile(join(import.meta.dirname, '../../../deploy', file), 'utf8')
    const asked = text.match(/cloudoc_\w+/g) ?? []
    expect(asked.length).toBeGreaterThan(10)
    expect(
      asked.filter((name) => !told.has(name) && !declared.has(name)),
      file,
    ).toEqual([])
  }
})

test('the unit of deploy/ forbids what the server does not need', ({ skip }) => {
  const unit = join(import.meta.dirname, '../../../deploy/cloudoc.service')
  const { stdout, error } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=40', unit], {
    encoding: 'utf8',
  })
  if (error !== undefined) skip('systemd-analyze is not installed')
  expect(Number(/exposure level for cloudoc.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(4)
})

test('logs hold no token, password, key, ticket, name or content, not even when calls fail', async () => {
  const lines: string[] = []
  const world = await openWorld({ log: createLog('trace', { write: (line) => void lines.push(line) }) })
  const anna = await world.person('anna')
  const content = 'the content of a secret file'
  const fileId = await anna.upload(anna.library, 'secret-name.txt', content)
  const { ticket } = await anna.call('createDownloadTicket', { fileIdArray: [fileId] })
  const { loginKey, nonce } = await anna.call('getLoginKey2', { clientType: 6 })
  const { code } = await readCaptcha(world)
  await login(world, { userName: 'anna', password: 'Wrong#2026' })
  await loginWithCaptcha(world, { userName: 'anna', password: 'Wrong#2027' })
  await anna.download(fileId, { access_token: anna.token })
  const unread = await anna.upload(anna.library, 'unread.txt', content)
  const { db } = world.app
  // Every write of a session, version or account now fails, and PostgreSQL's error contains the whole row.
  for (const table of ['session', 'version', 'account'])
    await sql`alter table ${sql.table(table)} add constraint broken check (false) not valid`.execute(db)
  const admin = await world.admin()
  const failing = [
    await loginWithCaptcha(world, { userName: 'anna', clientType: 9 }),
    await anna.uploadWire(anna.library, 'other-name.txt', content),
    await anna.wire('modifyPwd2', { oldPassword: password, newPassword: 'Other#2026' }),
    await admin.wire('createAccount', { account: 'carl', accountName: 'carl', password: 'Third#2026', groupId: 0 }),
  ]
  expect(failing.map(({ status, result }) => [status, result])).toEqual(failing.map(() => [500, -2]))
  await sql`alter table version rename to gone`.execute(db)
  const response = await world.app.http.inject(`/DownloadServlet?fileId=${unread}&access_token=${anna.token}`)
  expect(response.statusCode).toBe(500)
  const log = lines.join('')
  expect(lines.filter((line) => line.includes('"constraint":"broken"')).length).toBe(failing.length)
  expect(lines.filter((line) => (JSON.parse(line) as { call?: string }).call === 'downloadServlet')).toHaveLength(1)
  for (const secret of [
    anna.token,
    admin.token,
    ticket,
    loginKey,
    nonce,
    password,
    'Wrong#',
    'Other#',
    'Third#',
    'secret-name',
    'other-name',
    content,
    `"${code}"`,
    'argon2id',
    'Failing row',
  ])
    expect(log).not.toContain(secret)
})

test('HTTPS with a certificate of one’s own: people sign in, the cookie is Secure, the live channel opens', async () => {
  const world = await openWorld({ tls: { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) } })
  const port = await world.port()
  const { method, url, headers, payload } = requestFor('login3', { userName: 'admin', password, clientType: 6 })
  const answer = await new Promise<{ cookies: string[]; body: string; hsts: unknown }>((resolve, reject) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path: url,
        ca: certificate.cert,
        servername: 'localhost',
        headers: { ...headers, 'x-cloudoc-client': 'web' },
      },
      (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += chunk.toString()))
        const { 'set-cookie': cookies = [], 'strict-transport-security': hsts } = response.headers
        response.on('end', () => resolve({ cookies, body, hsts }))
      },
    )
    request.on('error', reject)
    request.end(payload)
  })
  expect(JSON.parse(answer.body)).toMatchObject({ result: -1 })
  expect(answer.hsts).toBe('max-age=31536000')
  expect(answer.cookies.find((cookie) => cookie.startsWith('cloudoc_session='))).toMatch(/; HttpOnly/)
  for (const cookie of answer.cookies)
    expect(cookie.split('; ')).toEqual(expect.arrayContaining(['SameSite=Strict', 'Secure']))
})

test('a renewed certificate is taken up by the next connection; one that cannot be read is told, and changes nothing', async () => {
  const first = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) }
  const lines: string[] = []
  const world = await openWorld({ tls: first })
  const port = await world.port()
  let found: () => typeof first = () => first
  takeUpCertificates(
    world.app.http.server as unknown as TlsServer,
    first,
    () => found(),
    createLog('info', { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) }),
    20,
  )
  const presented = async (): Promise<string> => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }
  const before = await presented()
  found = () => {
    throw new Error('it is being written')
  }
  await expect.poll(() => lines).toEqual(['the certificate cannot be taken up; the one before stays'])
  expect(await presented()).toBe(before)
  found = () => ({ cert: Buffer.from(renewed.cert), key: Buffer.from(renewed.key) })
  await expect.poll(presented).not.toBe(before)
  expect(lines.at(-1)).toBe('a renewed certificate has been taken up')
})

test('before a stop /healthz tells load balancers to turn away, while all else goes on', async () => {
  const world = await openWorld({ elected: false })
  const anna = await world.person('anna')
  world.app.announceStop()
  const health = await world.app.http.inject('/healthz')
  expect([health.statusCode, health.json()]).toEqual([503, { status: 'stopping' }])
  expect(await anna.wire('folderCreate', { parentId: anna.library, folderName: '还在' })).toMatchObject({
    code: 'success',
  })
})

test('before a stop connections end with their answer, and a balancer that asks nobody for health is turned away from what only reads', async () => {
  const world = await openWorld({ elected: false })
  const elsewhere = { 'x-retries-elsewhere': 'yes' }
  const answered = async (method: 'GET' | 'POST', headers: Record<string, string> = {}) => {
    const { statusCode, headers: told } = await world.app.http.inject({
      method,
      url: '/services2/openapi.json',
      headers,
    })
    return [statusCode, told['connection']]
  }
  expect(await answered('GET', elsewhere)).toEqual([200, 'keep-alive'])
  world.app.announceStop()
  expect(await answered('GET', elsewhere)).toEqual([502, 'close'])
  expect(await answered('GET')).toEqual([200, 'close'])
  expect((await answered('POST', elsewhere))[0]).not.toBe(502)
})

test('browsers are told to come over TLS alone by a server that they reach so, itself or behind a trusted proxy', async () => {
  const world = await openWorld({ trustedProxies: ['10.0.0.1'] })
  const toldVia = async (remoteAddress: string, proto: string) => {
    const headers = { 'x-forwarded-proto': proto, 'x-forwarded-for': '203.0.113.1' }
    const { headers: told } = await world.app.http.inject({ url: '/healthz', headers, remoteAddress })
    return told['strict-transport-security']
  }
  expect(await toldVia('10.0.0.1', 'https')).toBe('max-age=31536000')
  expect(await toldVia('10.0.0.1', 'http')).toBeUndefined()
  expect(await toldVia('10.0.0.2', 'https')).toBeUndefined()
})

test('behind a trusted proxy that speaks TLS the cookie is Secure as well, and nobody else can claim so', async () => {
  const world = await openWorld({ trustedProxies: ['10.0.0.1'] })
  const cookieVia = async (remoteAddress: string) => {
    const request = requestFor('login3', { userName: 'admin', password, clientType: 6 })
    const headers = {
      ...request.headers,
      'x-cloudoc-client': 'web',
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.1',
    }
    return String((await world.app.http.inject({ ...request, headers, remoteAddress })).headers['set-cookie'])
  }
  expect(await cookieVia('10.0.0.1')).toContain('Secure')
  expect(await cookieVia('10.0.0.2')).not.toContain('Secure')
})

describe('strangers at the port', () => {
  test('upgrade requests to nowhere, and clients that vanish while they ask, leave the server as it was', async () => {
    const world = await openWorld()
    const port = await world.port()
    const upgrade = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n\r\n`
    for (const path of ['//', '/', '/other', 'http://', '/%', `${PUSH_PATH}/more`, '*']) {
      const socket = connect(port, '127.0.0.1')
      const answered = new Promise<string>((resolve) => {
        let text = ''
        socket.on('data', (chunk) => (text += chunk.toString()))
        socket.on('close', () => resolve(text))
      })
      socket.write(upgrade(path))
      expect(await answered, path).toMatch(/^HTTP\/1\.1 40[04] /)
    }
    for (const path of ['/', PUSH_PATH]) {
      const socket = connect(port, '127.0.0.1')
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.write(upgrade(path), () => socket.resetAndDestroy())
      await new Promise((resolve) => socket.once('close', resolve))
    }
    expect(wireOf(await world.app.http.inject(requestFor('getSafeStrategyInfo', {})))).toMatchObject({
      code: 'success',
    })
    const anna = await world.person('anna')
    await (await anna.listen()).close()
  })

  test('what is no HTTP is refused by an envelope with a named code, and the connection ends', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const line = 'a'.repeat(200_000)
    const unreadable = [
      { status: 400, method: 'GET', path: '/services2/file/query/合同', headers: {} },
      { status: 400, method: 'GE T', path: '/', headers: {} },
      { status: 400, method: 'POST', path: '/', headers: { 'content-length': 'many' } },
      { status: 431, method: 'GET', path: '/', headers: { 'x-long': line } },
    ]
    for (const { status, method, path, headers } of unreadable) {
      const request = await RawRequest.open(anna, method, path, headers)
      expect(await request.answer()).toMatchObject({ status, result: -400, data: null, msg: '请求参数错误' })
      expect(await request.ended).toContain('connection: close')
    }
    expect((await anna.call('getMyAccountInfo', {})).account).toBe('anna')
  })

  test('what is no HTTP, after a request that is being answered, is not told as its answer or in the midst of it', async () => {
    const world = await openWorld()
    const anna = await world.person('anna')
    const pending = await RawRequest.open(anna, 'GET', '/healthz HTTP/1.1\r\nhost: x\r\n\r\nno', {})
    expect(await pending.ended).not.toContain('-400')
    const size = 32 * 1024 * 1024
    const fileId = await anna.upload(anna.library, 'long.bin', Buffer.alloc(size, 'x'))
    const request = await RawRequest.open(anna, 'GET', `/DownloadServlet?fileId=${fileId}`, {})
    await once(request.socket, 'more')
    request.write('no HTTP\r\n\r\n')
    const [, body = ''] = (await request.ended).split('\r\n\r\n')
    expect(body).toMatch(/^x+$/)
    expect(body.length).toBeLessThan(size)
  })

  test('what is no call gets the page, if it asks for one, under a policy that runs nothing from elsewhere', async () => {
    const webDir = await mkdtemp(join(tmpdir(), 'cloudoc-web-'))
    afterAll(() => rm(webDir, { recursive: true, force: true }))
    await mkdir(join(webDir, 'assets'))
    await writeFile(join(webDir, 'index.html'), '<!doctype html><script>skin()</script><p>page</p>')
    await writeFile(join(webDir, 'assets', 'a-1.js'), 'code()')
    const world = await openWorld({ webDir })
    const get = (url: string, accept?: string, remoteAddress = '127.0.0.1') =>
      world.app.http.inject({ url, remoteAddress, headers: accept === undefined ? {} : { accept } })
    for (const url of ['/', '/files/12', '/window/x?y=1']) {
      for (const accept of [undefined, 'text/html', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
        const page = await get(url, accept)
        expect([page.statusCode, page.body.includes('page')], url).toEqual([200, true])
        const policy = String(page.headers['content-security-policy'])
        expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval' 'sha256-[^']+'/)
        expect(policy).toContain("connect-src 'self' blob:;")
        expect(policy).toContain("object-src 'none'")
        expect(page.headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        })
      }
    }
    const asset = await get('/assets/a-1.js')
    expect([asset.statusCode, asset.body]).toEqual([200, 'code()'])
    expect(asset.headers['cache-control']).toMatch(/immutable/)
    for (const url of [
      '/services2/none',
      '/services/none',
      '/services2?x=1',
      '/assets/none.js',
      '/assets/..%2f..%2findex.html',
    ])
      expect((await get(url, 'text/html')).statusCode, url).toBe(404)
    expect(wireOf(await get('/files/12', 'application/json'))).toMatchObject({ status: 404, code: 'notFound' })
    expect((await get('/metrics', undefined, '203.0.113.1')).statusCode).toBe(404)
  })

  // [R369] The settings file custom/setting.json is served to clients that ask with a random query, without scripts;
  // what is damaged or missing leaves the defaults.
  test('[R369] the settings file of clients has the known fields of the file of the operator', async () => {
    const customDir = await mkdtemp(join(tmpdir(), 'cloudoc-custom-'))
    afterAll(() => rm(customDir, { recursive: true, force: true }))
    const world = await openWorld({ customDir })
    const ask = async (): Promise<unknown> => {
      const answer = await world.app.http.inject({ url: `/custom/setting.json?${Math.random()}` })
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
      return answer.json()
    }
    expect(await ask()).toEqual({ server: '', devTools: false })
    const file = { server: 'https://drive.example/', devTools: true, preloads: ['x.js'], password: 'secret' }
    await writeFile(join(customDir, 'setting.json'), JSON.stringify(file))
    expect(await ask()).toEqual({ server: 'https://drive.example', devTools: true })
    await writeFile(join(customDir, 'setting.json'), '{')
    expect(await ask()).toEqual({ server: '', devTools: false })
  })

  test('a client that is built anew under the running server is served with the policy of its own scripts', async () => {
    const webDir = await mkdtemp(join(tmpdir(), 'cloudoc-web-'))
    afterAll(() => rm(webDir, { recursive: true, force: true }))
    await mkdir(join(webDir, 'assets'))
    const path = join(webDir, 'index.html')
    await writeFile(path, '<script>one()</script>first')
    const world = await openWorld({ webDir })
    const get = async () => {
      const { body, headers } = await world.app.http.inject({ url: '/' })
      return { body, policy: String(headers['content-security-policy']) }
    }
    const first = await get()
    expect(first.body).toContain('first')
    await rm(path)
    expect(await get()).toEqual(first)
    await writeFile(path, '<script>two()</script>second')
    await utimes(path, 1, 1)
    const second = await get()
    expect(second.body).toContain('second')
    expect(second.policy).not.toBe(first.policy)
    await writeFile(join(webDir, 'assets', 'b-2.js'), 'new()')
    expect((await world.app.http.inject({ url: '/assets/b-2.js' })).body).toBe('new()')
  })
})

test('of several first starts at once on an empty database one sets the installation up, once', async () => {
  const database = `first_start_${process.pid}`
  await onCluster(`create database ${database}`)
  const target = { ...inject('cluster'), database }
  const blobDir = await mkdtemp(join(tmpdir(), 'cloudoc-first-'))
  const start = () =>
    createApp({ database: target, blobDir, log: createLog('silent'), allowUnsafeDatabase: true, connections: 3 })
  const apps = await Promise.all([start(), start(), start()])
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()))
    await rm(blobDir, { recursive: true, force: true })
  })
  const made = await Promise.all(apps.map((app) => setUp(app, { password: undefined, now: Date.now() })))
  const passwords = made.filter((each) => each !== undefined)
  expect(passwords).toHaveLength(1)
  expect(passwords[0]).toMatch(/^[A-Z]{2}[a-z]{6}-[2-9]{4}$/)
  const [first, second] = apps
  if (first === undefined || second === undefined) throw new Error('no app')
  const signIn = (app: typeof first) =>
    app.http.inject(requestFor('login3', { userName: 'admin', password: passwords[0], clientType: 6 }))
  for (const app of apps) expect(wireOf(await signIn(app))).toMatchObject({ code: 'success' })
  const { rows } = await sql<{ kind: string }>`select kind from library order by kind`.execute(first.db)
  expect(rows.map(({ kind }) => kind)).toEqual(['company', 'personal'])
  // Both processes have the same keys: each accepts what the other one issues.
  const offer = wireOf(await first.http.inject(requestFor('getLoginKey2', { clientType: 6 }))).data as {
    publicKey: string
  }
  const again = wireOf(await second.http.inject(requestFor('getLoginKey2', { clientType: 6 }))).data as {
    publicKey: string
  }
  expect(again.publicKey).toBe(offer.publicKey)
  expect(await setUp(second, { password: 'Another#1', now: Date.now() })).toBeUndefined()
})
