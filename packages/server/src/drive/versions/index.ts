// The versions of a file ([R188]). Restoring an old one adds a new version with the same content, so nothing is lost.
import { features } from '@cloudoc/contract'
import { denial, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, authorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Tx } from '../../core/db/database.ts'
import { copyVersion } from '../files/index.ts'
import { lockSpace } from '../quotas/index.ts'
import { addVersion, itemEvent, storedItem, tally } from '../tree/index.ts'

const file = (fId: number) => ({ fType: 1, fId }) as const
const isTheLatest = { zh: '当前版本不能删除', en: 'the newest version stays' }

interface Listed {
  readonly number: number
  readonly size: number
  readonly created_at: number
  readonly disk_time: number | null
  readonly comment: string
  readonly version_name: string
  readonly restored_from: number | null
  readonly creator: string
  readonly sha256: Buffer
}

interface Totals {
  readonly total: number
  readonly named: number
  readonly bytes: number
  readonly kept_versions: number | null
  readonly kept_days: number | null
}

interface Content {
  readonly blobId: number
  readonly size: number
  readonly diskTime: number | null
}

/**
 * The content of a version, locked so that it cannot be collected before it is referenced elsewhere; infected content
 * fails with -98, content that is not inspected yet with -530, content that is held back with -68.
 */
async function contentOf(tx: Tx, fileId: number, version: number): Promise<Content> {
  const { rows } = await sql<Content & { harmful: boolean; uninspected: boolean; held: boolean }>`
    select b.id as "blobId", v.size, v.disk_time as "diskTime",
      exists (select 1 from scan s where s.blob_id = b.id and s.virus is not null) as harmful,
      v.uninspected and exists (select 1 from item i where i.id = v.item_id and i.version <> v.number) as uninspected,
      v.held and exists (select 1 from item i where i.id = v.item_id and i.version <> v.number) as held
    from version v join blob b on b.id = v.blob_id
    where v.item_id = ${fileId} and v.number = ${version} for key share of b`.execute(tx)
  const { harmful, uninspected, held, ...content } = rows[0] ?? fail('versionMissing')
  if (harmful) return fail('virusFile')
  if (uninspected) return fail('notInspected')
  return held ? fail('sensitiveFile') : content
}

/** The call handlers of versions. */
export function versionHandlers() {
  return implement(features.versions.calls, {
    async getVersionList(context, { fileId, from, rows: most, named }) {
      const { db } = context
      const { row, facts } = context.item(file(fileId))
      const { version_count: usualVersions, version_days: usualDays } = actorOf(context).settings
      const which = named ? sql`v.name <> ''` : sql`true`
      const [{ rows: list }, { rows: sums }] = await Promise.all([
        sql<Listed>`
          select v.number, v.size, v.created_at, v.disk_time, v.comment, v.name as version_name, v.restored_from,
            coalesce(v.creator_outsider ->> 'name', (
              select string_agg(e.name, '、' order by e.id <> v.created_by, e.id) from account e
              where e.id in (select jsonb_array_elements_text(v.editors)::bigint)), a.name) as creator, b.sha256
          from version v join account a on a.id = v.created_by join blob b on b.id = v.blob_id
          where v.item_id = ${fileId} and ${which} order by v.number desc limit ${most} offset ${from}`.execute(db),
        sql<Totals>`
          select count(*)::int as total, count(*) filter (where v.name <> '')::int as named,
            coalesce(sum(v.size), 0)::bigint as bytes, min(l.kept_versions) as kept_versions, min(l.kept_days) as kept_days
          from version v cross join (select kept_versions, kept_days from library where id = ${row.library_id}) l
          where v.item_id = ${fileId}`.execute(db),
      ])
      const [totals] = sums
      const mayRead = [gates.preview, gates.download].some((gate) => denial(gate, facts) === undefined)
      return {
        list: list.map((one) => ({
          version: one.number,
          fileSize: one.size,
          createTime: one.created_at,
          diskTime: one.disk_time ?? 0,
          creatorName: one.creator,
          comment: one.comment,
          versionName: one.version_name,
          restoredFrom: one.restored_from ?? 0,
          isLatest: one.number === row.version,
          // A user who may read the content may know its hash.
          sha256: mayRead ? one.sha256.toString('hex') : '',
        })),
        total: (named ? totals?.named : totals?.total) ?? 0,
        namedTotal: totals?.named ?? 0,
        totalSize: totals?.bytes ?? 0,
        keptVersions: totals?.kept_versions ?? usualVersions,
        keptDays: totals?.kept_days ?? usualDays,
      }
    },

    async setLatestVersion(context, { fileId, version }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const access = context.item(file(fileId))
      const { row, library } = access
      if (version === row.version) return fail('duplicateOperation')
      const space = await lockSpace(tx, actor, access, now)
      const old = await contentOf(tx, fileId, version)
      await space.take(old.size)
      const made = await addVersion(
        tx,
        { id: fileId, libraryId: library.id },
        { blobId: old.blobId, size: old.size, author: authorOf(context), now, diskTime: old.diskTime ?? undefined },
      )
      await tx
        .updateTable('version')
        .set({ restored_from: version })
        .where('item_id', '=', fileId)
        .where('number', '=', made)
        .execute()
      context.event(itemEvent(row, 'edit', actor.name, { version: made, size: old.size }))
      context.audit({ version: made, restoredFrom: version })
      return { fileId, ...storedItem(access, actor, { version: made, modifyTime: now }) }
    },

    async saveVersionAs(context, { fileId, version, folderId, fileName }) {
      const old = await contentOf(context.tx, fileId, version)
      const target = context.item({ fType: 2, fId: folderId })
      return copyVersion(context, context.item(file(fileId)), { number: version, ...old }, { target, name: fileName })
    },

    async deleteVersion(context, { fileId, version }) {
      const { tx } = context
      const { row } = context.item(file(fileId))
      if (version === row.version) return fail('noPermission', isTheLatest)
      const gone = await tx
        .deleteFrom('version')
        .where('item_id', '=', fileId)
        .where('number', '=', version)
        .returning(['size', 'created_by'])
        .executeTakeFirst()
      if (gone === undefined) return fail('versionMissing')
      await tally(tx, {
        libraryId: row.library_id,
        accountId: gone.created_by,
        folderId: null,
        bytes: -gone.size,
        children: 0,
      })
      context.event(itemEvent(row, 'edit', actorOf(context).name))
      context.audit({ version })
      return {}
    },

    async updateVersionComment(context, { fileId, version, comment, versionName }) {
      const { tx } = context
      const { row } = context.item(file(fileId))
      const said = {
        ...(comment !== undefined && { comment: comment.trim() }),
        ...(versionName !== undefined && { name: versionName.trim() }),
      }
      const found = await tx
        .selectFrom('version')
        .select(['comment', 'name'])
        .where('item_id', '=', fileId)
        .where('number', '=', version)
        .forUpdate()
        .executeTakeFirst()
      if (found === undefined) return fail('versionMissing')
      const isOther = (said.comment ?? found.comment) !== found.comment || (said.name ?? found.name) !== found.name
      if (!isOther) return {}
      await tx.updateTable('version').set(said).where('item_id', '=', fileId).where('number', '=', version).execute()
      context.event(itemEvent(row, 'edit', actorOf(context).name))
      context.audit({ version, ...said })
      return {}
    },
  })
}
