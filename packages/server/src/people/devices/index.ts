// Devices of people: their own list, and what the security administrator approves, refuses and wipes ([R047], [R351]).

import type { features } from '@cloudoc/contract'
import { codes, fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { foldTyped } from '../../core/folding.ts'
import { likeAnywhere } from '../../core/text-keys.ts'

type Names = Exclude<keyof typeof features.devices.calls, 'getAccessRules' | 'setAccessRules' | 'tryAccess'>
type State = 'waiting' | 'approved' | 'refused' | 'wiped'

const unusedMs = 400 * 24 * 60 * 60_000

/** Forgets devices that nobody has used for long. Those that are refused or to be wiped stay. */
export async function removeOldDevices(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('device')
    .where('used_at', '<', now - unusedMs)
    .where('state', 'in', ['waiting', 'approved'])
    .execute()
}

interface DeviceRow {
  readonly deviceId: number
  readonly name: string
  readonly agent: string
  readonly clientType: number
  readonly state: State
  readonly description: string
  readonly sandbox: string
  readonly address: string
  readonly createTime: number
  readonly usedTime: number
  readonly clearTime: number
}

const deviceColumns =
  sql.raw(`d.id as "deviceId", d.name, d.agent, d.client_type as "clientType", d.state, d.description,
  d.sandbox, d.address, d.created_at as "createTime", d.used_at as "usedTime", d.cleared_at as "clearTime"`)

async function ownDevices(context: Context): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select ${deviceColumns} from device d where d.account_id = ${actorOf(context).accountId}
    order by d.used_at desc`.execute(context.db)
  return rows
}

/** Ends the sessions of devices, or has them answer -50; each holds from their next request on. */
async function endSessionsOn(context: WriteContext, deviceIds: readonly number[], wipe: boolean): Promise<void> {
  const { rows } = wipe
    ? await sql<{ id: number }>`
        update session set wiped = true where device_id = any(${[...deviceIds]}) returning id`.execute(context.tx)
    : await sql<{ id: number }>`
        delete from session where device_id = any(${[...deviceIds]}) returning id`.execute(context.tx)
  if (rows.length > 0) context.event({ kind: 'session', sessionIds: rows.map(({ id }) => id), elsewhere: !wipe })
}

/** Sessions that are read from now on know the new state of their device. */
async function refreshSessionsOn(tx: Tx, deviceIds: readonly number[]): Promise<void> {
  await sql`update session set device_id = device_id where device_id = any(${[...deviceIds]})`.execute(tx)
}

/** The handlers of the calls about devices. */
export const deviceHandlers: Pick<Handlers<typeof features.devices.calls>, Names> = {
  async getMyDevices(context) {
    const { device, settings } = actorOf(context)
    const list = await ownDevices(context)
    return {
      demanded: settings.inner.device_approval,
      list: list.map((row) => ({ ...row, current: row.deviceId === device?.deviceId })),
    }
  },

  async renameMyDevice(context, { deviceId, name }) {
    const { numUpdatedRows } = await context.tx
      .updateTable('device')
      .set({ name: name.trim() })
      .where('id', '=', deviceId)
      .where('account_id', '=', actorOf(context).accountId)
      .executeTakeFirst()
    return numUpdatedRows === 0n ? fail('notFound') : {}
  },

  async removeMyDevice(context, { deviceId }) {
    const found = await context.tx
      .selectFrom('device')
      .select('state')
      .where('id', '=', deviceId)
      .where('account_id', '=', actorOf(context).accountId)
      .forUpdate()
      .executeTakeFirst()
    // What an administrator has decided stays: else a refused device would come back as a new one.
    if (found === undefined || found.state === 'refused' || found.state === 'wiped') return fail('notFound')
    await endSessionsOn(context, [deviceId], false)
    await context.tx.deleteFrom('device').where('id', '=', deviceId).execute()
    return {}
  },

  async reportSandbox(context, { version, name }) {
    const { device } = actorOf(context)
    if (device === undefined) return fail('invalidDeviceId')
    await context.tx
      .updateTable('device')
      .set({ sandbox: version, ...(name !== '' && { name }) })
      .where('id', '=', device.deviceId)
      .execute()
    return {}
  },

  async getSandboxEquipment(context) {
    return { list: (await ownDevices(context)).filter(({ sandbox }) => sandbox !== '') }
  },

  async setSandboxDescription(context, { deviceId, description }) {
    const { numUpdatedRows } = await context.tx
      .updateTable('device')
      .set({ description })
      .where('id', '=', deviceId)
      .where('account_id', '=', actorOf(context).accountId)
      .where('sandbox', '<>', '')
      .executeTakeFirst()
    return numUpdatedRows === 0n ? fail('notFound') : {}
  },

  async getDevices(context, { state, sandbox, keyword, from, rows: most }) {
    const { db } = context
    const pattern = likeAnywhere(keyword.trim().toLowerCase())
    const named = likeAnywhere(foldTyped(keyword))
    const conditions = [
      ...(state === undefined ? [] : [sql`d.state = ${state}`]),
      ...(sandbox === undefined ? [] : [sql`d.sandbox <> ''`]),
      ...(keyword.trim() === ''
        ? []
        : [
            sql`(a.search_text like ${named} or lower(d.name) like ${pattern} or lower(d.description) like ${pattern})`,
          ]),
    ]
    const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
    const [{ rows: list }, { rows: counts }] = await Promise.all([
      sql<
        DeviceRow & {
          userId: number
          account: string
          accountName: string
          groupName: string
          decidedBy: string
          decideTime: number
        }
      >`
        select ${deviceColumns}, a.id as "userId", a.account, a.name as "accountName", g.name as "groupName",
          coalesce(b.name, '') as "decidedBy", d.decided_at as "decideTime"
        from device d join account a on a.id = d.account_id join org_group g on g.id = a.group_id
        left join account b on b.id = d.decided_by
        where ${where} order by d.state = 'waiting' desc, d.used_at desc, d.id desc limit ${most} offset ${from}`.execute(
        db,
      ),
      sql<{ waiting: number; approved: number; refused: number; wiped: number; sandbox: number }>`
        select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'approved') as approved,
          count(*) filter (where state = 'refused') as refused, count(*) filter (where state = 'wiped') as wiped,
          count(*) filter (where sandbox <> '') as sandbox from device`.execute(db),
    ])
    const none = { waiting: 0, approved: 0, refused: 0, wiped: 0, sandbox: 0 }
    return { demanded: actorOf(context).settings.inner.device_approval, counts: counts[0] ?? none, list }
  },

  async decideDevices(context, { deviceIds, approve }) {
    const { tx, now } = context
    const { accountId } = actorOf(context)
    const { rows } = await sql<{ id: number }>`
      select id from device where id = any(${deviceIds}) order by id for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) {
      await tx
        .updateTable('device')
        .set({ state: approve ? 'approved' : 'refused', decided_by: accountId, decided_at: now, cleared_at: 0 })
        .where('id', 'in', ids)
        .execute()
      if (approve) await refreshSessionsOn(tx, ids)
      else await endSessionsOn(context, ids, false)
    }
    context.audit({ devices: ids.join(' '), given: approve ? 'approved' : 'refused' })
    const found = new Set(ids)
    const resultOf = (id: number): number => (found.has(id) ? codes.success.code : codes.notFound.code)
    return { list: deviceIds.map((deviceId) => ({ deviceId, result: resultOf(deviceId) })) }
  },

  async wipeDevice(context, { deviceId }) {
    const { tx, now } = context
    const row = await tx
      .updateTable('device')
      .set({ state: 'wiped', decided_by: actorOf(context).accountId, decided_at: now, cleared_at: 0 })
      .where('id', '=', deviceId)
      .returning('account_id')
      .executeTakeFirst()
    if (row === undefined) return fail('notFound')
    await endSessionsOn(context, [deviceId], true)
    // The keys of its browser end as well: it is not known which of them belong to it.
    await sql`
      delete from once where kind = 'deviceKey' and value::jsonb ->> 'accountId' = ${String(row.account_id)}`.execute(
      tx,
    )
    context.audit({ userId: row.account_id })
    return {}
  },

  async describeDevice(context, { deviceId, description }) {
    const { numUpdatedRows } = await context.tx
      .updateTable('device')
      .set({ description })
      .where('id', '=', deviceId)
      .executeTakeFirst()
    return numUpdatedRows === 0n ? fail('notFound') : {}
  },
}
