// Checks whether an externally managed PostgreSQL can run an installation, before anything is created in it.
import { sql } from 'kysely'
import pg from 'pg'
import { connectionOf, type Db } from './database.ts'
import type { DatabaseTarget } from './target.ts'

/** A database that must not be used. The message is one clear line. */
export class UnsafeDatabase extends Error {
  override name = 'UnsafeDatabase'
}

/** Connections of a server beside those of its pool: nudges, elected work, the database watch, and one for a backup. */
const extraConnections = 4

/**
 * Throws if an externally managed database cannot run an installation. Reasons: no UTF-8, a locale without Chinese
 * letters, no pg_trgm and no right to create it, no right to create tables, too few connections for a pool of `size`,
 * or a pooler that gives the same connection to several sessions. Creates nothing.
 */
export async function assertFit(target: DatabaseTarget, size: number): Promise<void> {
  const session = await open(target)
  try {
    const line = (await unfit(session, size)) ?? (await pooledByTransaction(session, target))
    if (line !== undefined) throw new UnsafeDatabase(line)
  } finally {
    await session.end().catch(() => {})
  }
}

async function open(target: DatabaseTarget): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOf(target), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

interface Found {
  readonly database: string
  readonly role: string
  readonly encoding: string
  readonly hasExtension: boolean
  readonly isOffered: boolean
  readonly mayExtend: boolean
  readonly mayCreate: boolean
  readonly connections: number
}

async function unfit(session: pg.Client, size: number): Promise<string | undefined> {
  const { rows } = await session.query<Found>(`
    select current_database() as database, current_user as role, current_setting('server_encoding') as encoding,
      exists (select from pg_extension where extname = 'pg_trgm') as "hasExtension",
      exists (select from pg_available_extensions where name = 'pg_trgm') as "isOffered",
      has_database_privilege(current_database(), 'CREATE') as "mayExtend",
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as "mayCreate",
      least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as connections`)
  const [found] = rows
  if (found === undefined) return undefined
  const name = pg.escapeIdentifier(found.database)
  const role = pg.escapeIdentifier(found.role)
  const anew = `CREATE DATABASE ${name} OWNER ${role} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`
  if (found.encoding !== 'UTF8')
    return `The database has the encoding ${found.encoding}, which holds no Chinese; make it anew: ${anew};`
  const { rows: letters } = await session.query<{ known: boolean }>(`select '合同' ~ '^[[:alpha:]]+$' as known`)
  if (letters[0]?.known !== true)
    return `The database makes no trigrams of Chinese text, as its locale knows no Chinese letters; make it anew: ${anew};`
  if (!found.hasExtension && !found.isOffered)
    return 'The server of the database has no extension pg_trgm; install the contrib package of its PostgreSQL.'
  if (!found.hasExtension && !found.mayExtend)
    return `The extension pg_trgm is missing; as an administrator of the database: CREATE EXTENSION pg_trgm;`
  if (!found.mayCreate)
    return `${found.role} may not make tables in the database; as its administrator: ALTER DATABASE ${name} OWNER TO ${role};`
  const needed = size + extraConnections
  if (found.connections < needed)
    return `${found.role} may have ${found.connections} connections, and a server needs ${needed}; as an administrator of the database: ALTER ROLE ${role} CONNECTION LIMIT ${2 * needed}; or give fewer with --database-connections.`
  return undefined
}

/** How often two sessions check whether they share a connection: a pooler assigns whichever is free. */
const poolerProbes = 4

/** A pooler in transaction mode loses session state: prepared statements, locks, LISTEN. */
async function pooledByTransaction(one: pg.Client, target: DatabaseTarget): Promise<string | undefined> {
  const other = await open(target)
  const backend = async (session: pg.Client): Promise<number | undefined> =>
    (await session.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  try {
    const seen = await backend(one)
    for (let look = 0; look < poolerProbes; look += 1) {
      if ((await backend(other)) === seen || (await backend(one)) !== seen)
        return 'The pooler before the database gives connections for a transaction; set its pool_mode to session, or connect past it.'
    }
    return undefined
  } finally {
    await other.end().catch(() => {})
  }
}

/** Throws unless the database is durable: fsync, full_page_writes and synchronous_commit are on. */
export async function assertDurable(db: Db): Promise<void> {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
    if (rows[0]?.value === 'off') {
      throw new UnsafeDatabase(`The database runs with ${name} = off and could lose acknowledged files; switch it on.`)
    }
  }
}

/** Maximum connections of one server and a backup beside it. */
const connectionsNeeded = 25
const leastBuffersMb = 64

/** Warnings about harmful settings of an external PostgreSQL, as text. Empty if there are none. */
export async function hurtingSettings(db: Db): Promise<string[]> {
  const { rows } = await sql<{ jit: boolean; buffers: number; connections: number }>`
    select current_setting('jit') = 'on' as jit,
      pg_size_bytes(current_setting('shared_buffers')) / 1048576 as buffers,
      least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)) as connections`.execute(db)
  const [found] = rows
  if (found === undefined) return []
  const { jit, buffers, connections } = found
  return [
    ...(jit ? ['jit = on cannot be switched off for a session, which makes uploads many times slower'] : []),
    ...(buffers < leastBuffersMb ? [`shared_buffers of ${buffers} MB are less than ${leastBuffersMb} MB`] : []),
    ...(connections < connectionsNeeded
      ? [`${connections} connections are fewer than the ${connectionsNeeded} that a server and a backup need`]
      : []),
  ]
}
