// Several servers of one installation, as in production: each in its own process, on a PostgreSQL with default
// settings.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { quickFolder } from '../../../scripts/quick-folder.mjs'
import { Remote } from './remote.ts'
import { ServerProcess } from './server-process.ts'
import { type OtherPostgres, openOtherPostgres } from './stock-postgres.ts'

export const password = 'Test#2026'

export interface Node {
  readonly server: ServerProcess
  readonly origin: string
}

/** The PostgreSQL and the folder of a test file's installations, and all started servers. */
export class Site {
  readonly folder: string
  readonly postgres: OtherPostgres
  readonly started: ServerProcess[] = []

  private constructor(folder: string, postgres: OtherPostgres) {
    this.folder = folder
    this.postgres = postgres
  }

  static async open(): Promise<Site> {
    const folder = await mkdtemp(join(quickFolder, 'cloudoc-many-'))
    // As in production: an external PostgreSQL with default settings if one is installed. It needs fsync, or the
    // servers refuse it.
    return new Site(folder, await openOtherPostgres(folder))
  }

  /** Creates an installation: a database and a content folder, no server yet. */
  async install(name: string, more: NodeJS.ProcessEnv = {}): Promise<Installation> {
    const client = new pg.Client(this.postgres.target)
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return new Installation(this, name, more)
  }

  async close(): Promise<void> {
    for (const { child } of this.started) child.kill('SIGKILL')
    await Promise.all(this.started.map((server) => server.exited))
    await this.postgres.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** An installation: the state that its servers share. */
export class Installation {
  readonly name: string
  readonly env: NodeJS.ProcessEnv
  readonly target: OtherPostgres['target']

  private readonly site: Site

  constructor(site: Site, name: string, more: NodeJS.ProcessEnv) {
    this.site = site
    this.name = name
    const { host, user, port } = site.postgres.target
    this.target = { ...site.postgres.target, database: name }
    this.env = {
      DATABASE_URL: `postgresql:///${name}?host=${encodeURIComponent(host)}&user=${user}&port=${port}`,
      BLOB_URL: `file:${join(site.folder, name, 'blobs')}`,
      ...more,
    }
  }

  async query<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
    const client = new pg.Client(this.target)
    await client.connect()
    const { rows } = await client.query<R>(text)
    await client.end()
    return rows
  }

  /** Starts one more server, on a free port unless one is given. */
  start(more: NodeJS.ProcessEnv = {}, port = 0): ServerProcess {
    const { started, folder } = this.site
    const data = join(folder, this.name, `data-${started.length}`)
    const server = new ServerProcess(['--data', data, '--port', String(port)], { ...this.env, ...more })
    started.push(server)
    return server
  }

  /** Starts two servers and waits until they are ready. */
  async two(): Promise<[a: Node, b: Node]> {
    const servers = [this.start(), this.start()]
    const [a, b] = await Promise.all(servers.map(async (server) => ({ server, origin: await server.ready() })))
    if (a === undefined || b === undefined) throw new Error('no servers')
    return [a, b]
  }

  /** An administrator, and a person with a folder of their own, signed in at `origin`. */
  async people(origin: string, account: string): Promise<{ admin: Remote; ben: Remote; shared: number }> {
    const admin = await Remote.signIn(origin, 'admin', password)
    const { userId } = await admin.call(origin, 'createAccount', {
      account,
      accountName: account,
      password,
      groupId: 0,
    })
    const { list } = await admin.call(origin, 'getRootFolderSetting', {})
    const company = list.find((one) => one.kind === 'company')?.fId ?? 0
    const { folderId } = await admin.call(origin, 'folderCreate', { parentId: company, folderName: account })
    const entry = { subjectType: 'user' as const, subjectId: userId, rights: 510 }
    await admin.call(origin, 'setShareList', { folderId, inherit: false, entries: [entry] })
    return { admin, ben: await Remote.signIn(origin, account, password), shared: folderId }
  }
}
