// Bundles: how approved exchanges reach a network without a wire.

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { features, type ImportedBundle } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import type { Manifest } from '../exchanges/index.ts'
import { BundleManifest, BundleRefusal, parse, type Receipt } from './format.ts'
import { importBundle } from './receive.ts'
import { bundleFile, exportBundle, importReceipt } from './send.ts'

const mostListed = 200

/** The handlers of bundles. */
export function bundleHandlers(services: Pick<Services, 'secrets' | 'blobs' | 'settings'>, contents: Contents) {
  return implement(features.exchangeBundles.calls, {
    async getExchangeBundles(context, { targetServerCode: code }) {
      const { db } = context
      const { secret_names: names } = actorOf(context).settings
      const of = (column: string) => (code === '' ? sql`true` : sql`${sql.ref(column)} = ${code}`)
      const { rows: waiting } = await sql<{
        applyId: number
        number: string
        itemName: string
        name: string
        receivers: { name: string }[]
        fileCount: number
        fileSize: number
        secretLevel: number
        handledBy: string
        handleTime: number | null
      }>`
        select e.review_id as "applyId", e.number, r.title as "itemName", a.name, e.receivers,
          e.file_count as "fileCount", e.bytes as "fileSize", e.secret_level as "secretLevel",
          coalesce(d.name, '') as "handledBy", r.decided_at as "handleTime"
        from exchange e join review r on r.id = e.review_id join account a on a.id = e.sender_id
          left join account d on d.id = r.decided_by
        where e.delivery = 'waiting' and e.server_id is null and r.state = 'approved' and ${of('e.network_code')}
        order by e.review_id limit ${mostListed}`.execute(db)
      return {
        waiting: waiting.map(({ receivers, ...one }) => ({
          ...one,
          receivers: receivers.map(({ name }) => name),
          secretName: one.secretLevel === 0 ? '' : (names[one.secretLevel - 1] ?? `${one.secretLevel}`),
        })),
        sent: await sentBundles(db, of('b.network_code')),
        imported: await importedBundles(db, of('i.network_code')),
      }
    },

    exportExchangeBundle: (context, { targetServerCode, applyIdArray }) =>
      exportBundle(context, services, targetServerCode, applyIdArray),

    async getExchangeBundle({ db, reply }, { bundleId }) {
      const { name, file } = await bundleFile(db, contents, bundleId)
      reply.raw.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}.hxb"`,
        'cache-control': 'no-store',
      })
      await pipeline(Readable.fromWeb(file as never), reply.raw)
    },

    async importExchangeBundle(context) {
      if (context.upload === undefined) return fail('badRequest')
      try {
        const id = await importBundle(context, services, context.upload.content)
        const [bundle] = await importedBundles(context.db, sql`i.id = ${id}`)
        return { problem: null, detail: '', bundle: bundle ?? null }
      } catch (error) {
        if (!(error instanceof BundleRefusal)) throw error
        return context.commit((write) => {
          write.audit({ problem: error.problem })
          return Promise.resolve({ problem: error.problem, detail: error.message, bundle: null })
        })
      }
    },

    async getExchangeReceipt({ db }, { importId }) {
      const row = await db
        .selectFrom('exchange_import')
        .select(['bundle_name', 'receipt'])
        .where('id', '=', importId)
        .executeTakeFirst()
      if (row === undefined) return fail('notFound')
      return { fileName: `${row.bundle_name}.receipt.txt`, receipt: row.receipt }
    },

    async importExchangeReceipt(context, { receipt }) {
      try {
        return { problem: null, bundleName: await importReceipt(context, receipt) }
      } catch (error) {
        if (!(error instanceof BundleRefusal)) throw error
        context.audit({ problem: error.problem })
        return { problem: error.problem, bundleName: '' }
      }
    },
  })
}

async function sentBundles(db: Db, condition: ReturnType<typeof sql>) {
  const { rows } = await sql<{
    bundleId: number
    bundleName: string
    targetServerCode: string
    targetName: string
    createdBy: string
    createTime: number
    manifest: string
    receipt: Receipt | null
    exchanges: { applyId: number; number: string; itemName: string }[] | null
  }>`
    select b.id as "bundleId", b.name as "bundleName", b.network_code as "targetServerCode",
      b.network_name as "targetName", a.name as "createdBy", b.created_at as "createTime", b.manifest, b.receipt, (
        select json_agg(json_build_object('applyId', e.review_id, 'number', e.number, 'itemName', r.title)
          order by e.review_id) from exchange e join review r on r.id = e.review_id where e.bundle_id = b.id) as exchanges
    from exchange_bundle b join account a on a.id = b.created_by
    where ${condition} order by b.receipt is not null, b.id desc limit ${mostListed}`.execute(db)
  return rows.map(({ manifest, receipt, exchanges, ...one }) => {
    const read = parse(BundleManifest, manifest)
    return {
      ...one,
      exchanges: exchanges ?? [],
      fileCount: read.exchanges.reduce((n, { files }) => n + files.length, 0),
      fileSize: read.contents.reduce((n, { bytes }) => n + bytes, 0),
      receipt:
        receipt === null
          ? null
          : { time: receipt.importedAt, importedBy: receipt.importedBy, fileCount: receipt.fileCount },
    }
  })
}

async function importedBundles(db: Db, condition: ReturnType<typeof sql>): Promise<ImportedBundle[]> {
  const { rows } = await sql<Omit<ImportedBundle, 'exchanges'> & { manifests: Manifest[] | null }>`
    select i.id as "importId", i.bundle_name as "bundleName", i.network_name as "fromName", a.name as "importedBy",
      i.imported_at as "importTime", i.file_count as "fileCount", i.bytes as "fileSize", (
        select json_agg(v.manifest order by v.id) from exchange_arrival v where v.import_id = i.id) as manifests
    from exchange_import i join account a on a.id = i.imported_by
    where ${condition} order by i.id desc limit ${mostListed}`.execute(db)
  return rows.map(({ manifests, ...one }) => ({
    ...one,
    exchanges: (manifests ?? []).map(({ number, title, sender, receivers }) => ({
      ...{ number, itemName: title, name: sender.name, receivers: receivers.map(({ account }) => account) },
    })),
  }))
}
