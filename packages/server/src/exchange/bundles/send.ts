// Exporting: approved exchanges become a signed bundle, and its receipt closes them.
import { createHash } from 'node:crypto'
import { codes, ExchangeStatus, fail, ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import { type Review, readReview } from '../../approvals/review/index.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import { writeEvents } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import {
  checkApproval,
  type Outgoing,
  type RequestedExchange,
  readOutgoing,
  recordEvent,
  toSender,
} from '../exchanges/index.ts'
import { isSignedBy, ownKey, peerKeyOf, readNetworks, readPublicKey } from '../rules/index.ts'
import { BundleManifest, BundleRefusal, encryptBundle, parse, readReceipt, signedManifest } from './format.ts'

const dayMs = 24 * 60 * 60_000
/** How long a bundle can be imported. */
const validMs = 30 * dayMs

/** Puts approved exchanges into a bundle. The numbers of the bundles for a network have no gaps. */
export async function exportBundle(
  context: WriteContext,
  { secrets, settings }: Pick<Services, 'secrets' | 'settings'>,
  code: string,
  applyIds: readonly number[],
): Promise<{ bundleId: number; bundleName: string }> {
  const { tx, now } = context
  const actor = actorOf(context)
  const { rows } = await sql<{ bundles: number }>`
    update exchange_network set bundles = bundles + 1 where code = ${code} and server_id is null
    returning bundles`.execute(tx)
  const [network] = await readNetworks(tx, code)
  const number = rows[0]?.bundles
  if (network === undefined || number === undefined) return fail('notFound', 'targetServerCode')
  const peer = peerKeyOf(network.peerKeys)
  if (peer === undefined)
    return fail('badRequest', {
      zh: '请先录入对方的公钥',
      en: 'targetServerCode: enter the key of the other side first',
    })
  const outgoing: Outgoing[] = []
  for (const id of [...new Set(applyIds)].toSorted((a, b) => a - b)) {
    const one = await readOutgoing(tx, id, actor.settings)
    if (one.row.network_code !== code) return fail('notFound', 'applyIdArray')
    if (one.row.state !== 'approved' || one.row.delivery !== 'waiting') return fail('alreadyHandled')
    await checkApproval(tx, settings, one.row, now).catch((error: unknown) => named(error, one.row.number))
    outgoing.push(one)
  }
  const key = await ownKey(tx, secrets, now)
  const contents = new Map(outgoing.flatMap(({ manifest }) => manifest.files.map((one) => [one.sha256, one.bytes])))
  const name = `KW-BD-${String(number).padStart(4, '0')}`
  const manifest = JSON.stringify({
    ...{ format: 1, name, number, from: key.fingerprint, fromName: actor.settings.company_name, to: peer.fingerprint },
    ...{ createdAt: now, expiresAt: now + validMs },
    exchanges: outgoing.map((one) => one.manifest),
    contents: [...contents].map(([sha256, bytes]) => ({ sha256, bytes })),
  } satisfies BundleManifest)
  const made = await tx
    .insertInto('exchange_bundle')
    .values({
      ...{ network_code: code, number, name, network_name: network.name, created_by: actor.accountId, created_at: now },
      ...{ recipient: peer.recipient, manifest, signature: key.sign(signedManifest(manifest)) },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { row } of outgoing) {
    await sql`
      update exchange set delivery = 'exported', bundle_id = ${made.id}, changed_at = ${now}
      where review_id = ${row.review_id}`.execute(tx)
    await recordEvent(tx, row.review_id, now, 'exported', { by: actor.name, comments: name })
  }
  context.audit({ number: name, items: outgoing.length })
  return { bundleId: made.id, bundleName: name }
}

/** The refusal of one of several exchanges says which one it is. */
function named(error: unknown, number: string): never {
  if (error instanceof ResultError) return fail(error.code, number)
  throw error
}

/** The file of a bundle, encrypted while it is read. */
export async function bundleFile(
  db: Db,
  contents: Contents,
  bundleId: number,
): Promise<{ readonly name: string; readonly file: ReadableStream<Uint8Array> }> {
  const row = await db.selectFrom('exchange_bundle').selectAll().where('id', '=', bundleId).executeTakeFirst()
  if (row === undefined) return fail('notFound')
  const { rows } = await sql<{ id: number; key: string; size: number; sha256: Buffer }>`
    select distinct b.id, b.key, b.size, b.sha256 from exchange e join exchange_file f on f.review_id = e.review_id
    join blob b on b.id = f.blob_id where e.bundle_id = ${bundleId}`.execute(db)
  const bySum = new Map(rows.map((one) => [one.sha256.toString('hex'), one]))
  const manifest = parse(BundleManifest, row.manifest)
  async function* all(): AsyncGenerator<Uint8Array> {
    for (const { sha256 } of manifest.contents) {
      const content = bySum.get(sha256) ?? fail('versionMissing')
      await using object = await contents.open({ ...content, blobId: content.id })
      yield* object
    }
  }
  return {
    name: row.name,
    file: await encryptBundle(row.recipient, { manifest: row.manifest, signature: row.signature }, all()),
  }
}

/** The problem of an exchange whose bundle was not answered in time. */
const unanswered = codes.interconnectedServerNotResponding.code
const chunk = 100

/**
 * Ends the wait for the receipts of bundles that cannot be imported any more: their senders are told, and can send
 * again. A receipt that comes later still closes them.
 */
export async function endExpiredBundles(db: Db, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ review_id: number; name: string }>`
      update exchange e set delivery = 'failed', problem = ${unanswered}, changed_at = ${now}
      from exchange_bundle b
      where e.review_id in (
        select x.review_id from exchange x join exchange_bundle o on o.id = x.bundle_id
        where x.delivery = 'exported' and o.receipt is null and o.created_at <= ${now - validMs}
        order by x.review_id limit ${chunk} for update of x skip locked)
        and b.id = e.bundle_id
      returning e.review_id, b.name`.execute(tx)
    for (const { review_id: id, name } of rows) {
      await recordEvent(tx, id, now, 'failed', { comments: name })
      const review = (await readReview(tx, id)) as Review<RequestedExchange>
      await writeEvents(tx, [toSender(review, ExchangeStatus.approved, now, 'failed')], now)
    }
  })
}

/** Imports the receipt of a bundle: its exchanges are delivered, as far as somebody there can pick them up. */
export async function importReceipt(context: WriteContext, text: string): Promise<string> {
  const { tx, now } = context
  const { receipt, signed, signature } = readReceipt(text)
  const bundle = await tx
    .selectFrom('exchange_bundle')
    .selectAll()
    .where('name', '=', receipt.bundle)
    .execute()
    .then((rows) =>
      rows.find(({ manifest }) => createHash('sha256').update(manifest).digest('hex') === receipt.manifestSha256),
    )
  if (bundle === undefined) throw new BundleRefusal('otherReceipt')
  const [network] = await readNetworks(tx, bundle.network_code)
  // A key that was replaced since is still good for what it has signed.
  const key = network?.peerKeys
    .flatMap((one) => readPublicKey(one.text) ?? [])
    .find((one) => one.fingerprint === receipt.from)
  if (key === undefined) throw new BundleRefusal('unknownSender', receipt.from)
  if (!isSignedBy(key, signed, signature)) throw new BundleRefusal('wrongSignature')
  await sql`
    update exchange_bundle set receipt = ${JSON.stringify(receipt)}::jsonb where id = ${bundle.id}`.execute(tx)
  const { rows } = await sql<{ review_id: number; number: string }>`
    select review_id, number from exchange where bundle_id = ${bundle.id}
      and (delivery = 'exported' or (delivery = 'failed' and problem = ${unanswered}))
    order by review_id for update`.execute(tx)
  for (const { review_id: id, number } of rows) {
    const accepted = receipt.exchanges.find((one) => one.number === number)?.accepted ?? 0
    const delivery = accepted > 0 ? 'delivered' : 'failed'
    await sql`
      update exchange set delivery = ${delivery}, problem = ${accepted > 0 ? 0 : codes.notFound.code},
        delivered_at = ${accepted > 0 ? receipt.importedAt : null}, changed_at = ${now}
      where review_id = ${id}`.execute(tx)
    await recordEvent(tx, id, now, delivery, { by: receipt.importedBy, comments: String(accepted) })
    const review = (await readReview(tx, id)) as Review<RequestedExchange>
    context.event(toSender(review, ExchangeStatus.approved, now, delivery))
  }
  context.audit({ number: bundle.name, fingerprint: key.fingerprint })
  return bundle.name
}
