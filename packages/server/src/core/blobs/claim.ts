/*
 * A store belongs to one installation, and an installation has one store. A second server with another folder would
 * miss every content of the first, and a new database at a used store would delete its contents. An installation marks
 * its store and records in its database that it has done so.
 */
import type { Db } from '../db/database.ts'
import { resumableScan } from '../resumable-scan.ts'
import type { BlobStore } from './store.ts'

/** The store belongs to another installation. The message is one line for the operator. */
export class ForeignStore extends Error {
  override name = 'ForeignStore'
}

const own = resumableScan<{ isMarked: boolean }>('store', { isMarked: false })
/** The number of newest contents to look for if the mark is missing or different: a copied store has them. */
const looked = 5

/**
 * Marks the store of an installation at its first start with the installation's name. Throws `ForeignStore` if the
 * store is not the installation's. May be interrupted, and may run on several servers at once.
 */
export async function claimStore(db: Db, store: BlobStore, installation: string): Promise<void> {
  if (store.markedFor === undefined) return
  const { isMarked } = await own.read(db)
  const found = await store.markedFor()
  if (found !== installation) {
    const held = await hasNewestContent(db, store)
    const isNew = !isMarked && found === undefined && held === undefined
    if (!isNew && held !== true) throw new ForeignStore(refusal(store, found))
    // Another process of a new installation may have marked the store first and stored a content.
    if (isNew && (await isUsed(store)) && (await store.markedFor()) !== installation)
      throw new ForeignStore(used(store))
    await store.markedFor(installation)
  }
  if (!isMarked) await own.write(db, { isMarked: true })
}

function refusal({ place = 'the store' }: BlobStore, found: string | undefined): string {
  return found === undefined
    ? `BLOB_URL: ${place} does not hold the contents of this installation; every server of it needs the same store.`
    : `BLOB_URL: ${place} holds the contents of another installation.`
}

const used = ({ place = 'the store' }: BlobStore): string =>
  `BLOB_URL: ${place} holds contents already, of which this new database knows nothing: give the database to which they belong, or an empty store.`

async function isUsed(store: BlobStore): Promise<boolean> {
  for await (const _ of store.list()) return true
  return false
}

/** Makes a restored installation forget its store. The next start marks the store that it finds. */
export async function disownStore(db: Db): Promise<void> {
  await db.deleteFrom('walk').where('name', '=', 'store').execute()
}

/** Whether any of the newest contents exists in the store. Undefined if there are no contents yet. */
async function hasNewestContent(db: Db, store: BlobStore): Promise<boolean | undefined> {
  const rows = await db.selectFrom('blob').select('key').orderBy('id', 'desc').limit(looked).execute()
  for (const { key } of rows) {
    const object = await store.open(key, { start: 0, end: 0 }).catch(() => undefined)
    await object?.[Symbol.asyncDispose]()
    if (object !== undefined) return true
  }
  return rows.length === 0 ? undefined : false
}
