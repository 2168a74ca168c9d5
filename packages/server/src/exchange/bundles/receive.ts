/*
 * Importing a bundle. It is read once, from its beginning to its end; contents are staged while they arrive. Only when
 * all is verified (key, signature, time, every hash, nothing behind) it is kept, in one transaction, or not at all.
 */
import { ResultError } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { BlobStore, Staged } from '../../core/blobs/store.ts'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Services } from '../../core/services.ts'
import { checkDisk, type PendingContent, persist, storeAtomically } from '../../drive/content/index.ts'
import { addArrived, announceArrival, finishArrival, type Origin } from '../exchanges/index.ts'
import { isSignedBy, type Network, ownKey, ownKeys, readNetworks, readPublicKey, retiredKeyMs } from '../rules/index.ts'
import {
  BundleManifest,
  BundleRefusal,
  type OpenedBundle,
  openBundle,
  parse,
  sha256Of,
  signedManifest,
  writeReceipt,
} from './format.ts'

/** The network whose key has signed a bundle. */
function senderOf(networks: readonly Network[], manifest: BundleManifest, opened: OpenedBundle): Network {
  for (const network of networks) {
    for (const [n, { text }] of network.peerKeys.entries()) {
      const key = readPublicKey(text)
      if (key?.fingerprint !== manifest.from) continue
      if (!isSignedBy(key, signedManifest(opened.manifest), opened.signature)) throw new BundleRefusal('wrongSignature')
      // The network has a newer key: what the old one signs is not accepted any more.
      if (n > 0) throw new BundleRefusal('olderKey', key.fingerprint)
      return network
    }
  }
  throw new BundleRefusal('unknownSender', manifest.from)
}

/** Stages the contents in their order; each must have its hash. */
async function stageAll(blobs: BlobStore, opened: OpenedBundle, manifest: BundleManifest): Promise<Staged[]> {
  const staged: Staged[] = []
  try {
    await checkDisk(
      blobs,
      manifest.contents.reduce((sum, { bytes }) => sum + bytes, 0),
    )
    for (const { sha256, bytes } of manifest.contents) {
      const one = await blobs.stage(opened.take(bytes))
      staged.push(one)
      if (one.sha256.toString('hex') !== sha256) throw new BundleRefusal('damaged', sha256)
    }
    await opened.end()
    return staged
  } catch (error) {
    await Promise.all(staged.map((one) => one.discard()))
    throw error
  }
}

function checkWhole(manifest: BundleManifest): void {
  const sums = new Set(manifest.contents.map(({ sha256, bytes }) => `${sha256} ${bytes}`))
  const used = new Set(
    manifest.exchanges.flatMap(({ files }) => files.map(({ sha256, bytes }) => `${sha256} ${bytes}`)),
  )
  // A content that no exchange names, or the other way round, is no bundle of ours.
  if (sums.size !== manifest.contents.length || sums.size !== used.size || [...used].some((one) => !sums.has(one)))
    throw new BundleRefusal('damaged', 'contents')
}

/** Imports a bundle. Throws a `BundleRefusal` with the reason if something is wrong with it. */
export async function importBundle(
  context: StagedContext,
  { blobs, secrets }: Pick<Services, 'blobs' | 'secrets'>,
  file: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { db, now } = context
  await ownKey(db, secrets, now)
  const keys = await ownKeys(db, secrets)
  const isOpen = (retiredAt: number | null): boolean => retiredAt === null || retiredAt > now - retiredKeyMs
  const opened = await openBundle(file, {
    current: keys.filter(({ retiredAt }) => isOpen(retiredAt)).map(({ identity }) => identity),
    outdated: keys.filter(({ retiredAt }) => !isOpen(retiredAt)).map(({ identity }) => identity),
  })
  const manifest = parse(BundleManifest, opened.manifest)
  const network = senderOf(await readNetworks(db), manifest, opened)
  if (!keys.some(({ fingerprint }) => fingerprint === manifest.to))
    throw new BundleRefusal('wrongReceiver', manifest.to)
  if (manifest.expiresAt <= now) throw new BundleRefusal('expired')
  const sum = sha256Of(opened.manifest)
  const known = await db
    .selectFrom('exchange_import')
    .select('id')
    .where('manifest_sha256', '=', sum)
    .executeTakeFirst()
  if (known !== undefined) throw new BundleRefusal('repeated', manifest.name)
  checkWhole(manifest)
  const staged = await stageAll(blobs, opened, manifest)
  const contents: PendingContent[] = []
  for (const one of staged) contents.push(await persist(one))
  return storeAtomically(context, blobs, contents, (write) =>
    keep(write, { secrets, network, manifest, sum, contents }),
  )
}

interface Keeping extends Pick<Services, 'secrets'> {
  readonly network: Network
  readonly manifest: BundleManifest
  readonly sum: Buffer
  readonly contents: readonly PendingContent[]
}

async function keep(
  context: WriteContext,
  { secrets, network, manifest, sum, contents }: Keeping,
): Promise<{ made: number; keys: ReadonlySet<string> }> {
  const { tx, now } = context
  const actor = actorOf(context)
  const origin: Origin = { code: network.code, name: network.name }
  const bySum = new Map(contents.map((one) => [one.sha256.toString('hex'), one]))
  const keys = new Set<string>()
  const accepted: { number: string; accepted: number }[] = []
  for (const exchange of manifest.exchanges) {
    const missing = await announceArrival(context, origin, exchange)
    if (missing.length === 0) throw new BundleRefusal('repeated', exchange.number)
    const arrival = await tx
      .selectFrom('exchange_arrival')
      .select('id')
      .where('origin', '=', origin.code)
      .where('number', '=', exchange.number)
      .executeTakeFirstOrThrow()
    for (const sha256 of missing) {
      const content = bySum.get(sha256)
      if (content === undefined) throw new BundleRefusal('damaged', sha256)
      keys.add(await addArrived(context, arrival.id, content))
    }
    accepted.push({ number: exchange.number, accepted: await finish(context, origin, exchange.number) })
  }
  if (accepted.every((one) => one.accepted === 0)) throw new BundleRefusal('noReceiver')
  const key = await ownKey(tx, secrets, now)
  const fileCount = manifest.exchanges.reduce((n, { files }) => n + files.length, 0)
  const receipt = writeReceipt(
    {
      ...{ format: 1, bundle: manifest.name, manifestSha256: sum.toString('hex'), from: key.fingerprint },
      ...{ importedAt: now, importedBy: actor.name, fileCount, exchanges: accepted },
    },
    (text) => key.sign(text),
  )
  const { rows } = await sql<{ id: number }>`
    insert into exchange_import (network_code, network_name, bundle_name, manifest_sha256, imported_by, imported_at,
      file_count, bytes, receipt)
    values (${network.code}, ${network.name}, ${manifest.name}, ${sum}, ${actor.accountId}, ${now}, ${fileCount},
      ${manifest.contents.reduce((n, { bytes }) => n + bytes, 0)}, ${receipt})
    on conflict (manifest_sha256) do nothing returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new BundleRefusal('repeated', manifest.name)
  await sql`
    update exchange_arrival set import_id = ${id} where origin = ${origin.code}
      and number = any(${accepted.map(({ number }) => number)})`.execute(tx)
  context.audit({ number: manifest.name, targetServerCode: network.code, items: fileCount })
  return { made: id, keys }
}

/** Ends an arrival; 0 if nobody of its receivers is here. Nothing of it is kept then, and the receipt tells the sender. */
async function finish(context: WriteContext, origin: Origin, number: string): Promise<number> {
  await sql`savepoint arrival`.execute(context.tx)
  try {
    const { accepted } = await finishArrival(context, origin, number)
    await sql`release savepoint arrival`.execute(context.tx)
    return accepted.length
  } catch (error) {
    if (!(error instanceof ResultError) || error.code !== 'notFound') throw error
    await sql`rollback to savepoint arrival`.execute(context.tx)
    await sql`delete from exchange_arrival where origin = ${origin.code} and number = ${number}`.execute(context.tx)
    return 0
  }
}
