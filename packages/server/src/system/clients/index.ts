// Programs for people's computers: what there is, its signed list, publishing ([R350], [R372], [R373]), and logs ([R374]).
import { features } from '@cloudoc/contract'
import { fail, isOlderVersion } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Secrets } from '../../core/secrets.ts'
import { sendContent } from '../../drive/transfer/index.ts'
import { logNumber, pack, storeLog, unpack } from './logs.ts'
import { countChange, signed } from './release.ts'

interface Program {
  packageId: number
  type: 'client' | 'editor'
  sys: 'windows' | 'mac' | 'linux'
  cpu: 'x64' | 'arm64'
  version: string
  name: string
  size: number
  sha256: string
  notes: string
  createTime: number
}

const keyOf = ({ type, sys, cpu }: Pick<Program, 'type' | 'sys' | 'cpu'>): string => `${type} ${sys} ${cpu}`

/** The newest program for each kind of computer. */
async function newest(db: Db): Promise<Program[]> {
  const { rows } = await sql<Program>`
    select p.id as "packageId", p.type, p.sys, p.cpu, p.version, p.name, b.size::float8 as size,
      encode(b.sha256, 'hex') as sha256, p.notes, p.created_at::float8 as "createTime"
    from client_package p join blob b on b.id = p.blob_id order by p.type, p.sys, p.cpu, p.id`.execute(db)
  const found = new Map<string, Program>()
  for (const program of rows) {
    const known = found.get(keyOf(program))
    if (known === undefined || isOlderVersion(known.version, program.version)) found.set(keyOf(program), program)
  }
  return [...found.values()]
}

export function clientHandlers(contents: Contents, secrets: Pick<Secrets, 'signingKey'>) {
  return implement(features.clients.calls, {
    async checkUpdate2({ db }, { type, sys, cpu, version }) {
      const programs = (await newest(db)).filter((program) => program.type === type)
      const program = programs.find((one) => one.sys === sys && one.cpu === cpu) ?? null
      const currentVersion = program?.version ?? ''
      return {
        ...{ currentVersion, program },
        outdated: version !== '' && isOlderVersion(version, currentVersion),
        systems: programs.map((one) => ({ sys: one.sys, cpu: one.cpu, version: one.version })),
      }
    },

    async getClientList({ db }, { type, sys, cpu }) {
      const list = (await newest(db)).filter(
        (one) =>
          (type === undefined || one.type === type) &&
          (sys === undefined || one.sys === sys) &&
          (cpu === undefined || one.cpu === cpu),
      )
      return { list }
    },

    async getUpdateMetadata({ db, now }) {
      return signed(db, secrets, await newest(db), now)
    },

    async downloadClient(context, { packageId }) {
      const { rows } = await sql<{
        blobId: number
        key: string
        size: number
        sha256: Buffer
        name: string
        modifiedAt: number
      }>`
        select b.id as "blobId", b.key, b.size::float8 as size, b.sha256, p.name, p.created_at::float8 as "modifiedAt"
        from client_package p join blob b on b.id = p.blob_id where p.id = ${packageId}`.execute(context.db)
      await sendContent(context, contents, rows[0] ?? fail('notFound'))
    },

    async publishClient(context, { fileId, type, sys, cpu, version, notes }) {
      const { tx, now } = context
      const actor = actorOf(context)
      if (!actor.powers.includes('system')) return fail('noPermission')
      await countChange(tx, secrets)
      const known = (await newest(tx)).find((one) => keyOf(one) === keyOf({ type, sys, cpu }))
      if (known !== undefined && !isOlderVersion(known.version, version)) return fail('alreadyExists', 'version')
      const { rows } = await sql<{ id: number }>`
        insert into client_package (type, sys, cpu, version, name, blob_id, notes, created_at, created_by)
        select ${type}, ${sys}, ${cpu}, ${version}, i.name, v.blob_id, ${notes}, ${now}, ${actor.accountId}
        from item i join version v on v.item_id = i.id and v.number = i.version where i.id = ${fileId}
        returning id`.execute(tx)
      return { packageId: rows[0]?.id ?? fail('notFound') }
    },

    async removeClient({ tx }, { packageId }) {
      const gone = await tx.deleteFrom('client_package').where('id', '=', packageId).executeTakeFirst()
      if (gone.numDeletedRows === 0n) return fail('notFound')
      await countChange(tx, secrets)
      return {}
    },

    async uploadLogFile(context, { note, happenedTime, pack: text }) {
      const { accountId } = actorOf(context)
      const log = { accountId, note, happenedAt: happenedTime, packed: await pack(text), size: text.length }
      return { logNumber: logNumber(await storeLog(context.tx, log, context.now)) }
    },

    async getLogFiles({ db }, { open, from, rows: most }) {
      const { rows } = await sql<{
        logId: number
        userId: number
        accountName: string
        note: string
        happenedTime: number
        createTime: number
        size: number
        done: boolean
        total: number
      }>`
        select l.id::float8 as "logId", l.account_id::float8 as "userId", a.name as "accountName", l.note,
          l.happened_at::float8 as "happenedTime", l.created_at::float8 as "createTime", l.size::float8 as size, l.done,
          count(*) over ()::int as total
        from client_log l join account a on a.id = l.account_id where not (${open}::boolean and l.done)
        order by l.created_at desc, l.id desc limit ${most} offset ${from}`.execute(db)
      const list = rows.map(({ total: _, ...row }) => ({ ...row, logNumber: logNumber(row.logId) }))
      return { list, total: rows[0]?.total ?? 0 }
    },

    async getLogFile({ db }, { logId }) {
      const row = await db.selectFrom('client_log').select('pack').where('id', '=', logId).executeTakeFirst()
      return { pack: await unpack((row ?? fail('notFound')).pack) }
    },

    async setLogFileDone({ tx }, { logId, done }) {
      const changed = await tx.updateTable('client_log').set({ done }).where('id', '=', logId).executeTakeFirst()
      return changed.numUpdatedRows === 0n ? fail('notFound') : {}
    },
  })
}
