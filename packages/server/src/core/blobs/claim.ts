/*
 * A store belongs to one installation, and an installation has one store: a second server whose folder is another one
 * would miss every content of the first, and a new database at a used store would clear it away. An installation marks its
 * store, and knows in its database that it has.
 */
import type { Db } from '../db/database.ts'
import { resumableScan } from '../resumable-scan.ts'
import type { BlobStore } from './store.ts'

/** A store of something else; the message is one line for the operator. */
export class ForeignStore extends Error {
  override name = 'ForeignStore'
}

const own = resumableScan<{ isMarked: boolean }>('store', { isMarked: false })
/** So many of the newest contents are looked for where the mark is missing or another: a store that was copied has them. */
const looked = 5

/**
 * Marks the store of an installation at its first start, with the installation's own name. Throws `ForeignStore` where it
 * is not the installation's. Safe to be broken off, and to be done by several servers at once.
 */
export async function claimStore(db: Db, store: BlobStore, installation: string): Promise<void> {
  if (store.markedFor === undefined) return
  const { isMarked } = await own.read(db)
  const found = await store.markedFor()
  if (found !== installation) {
    const held = await hasNewestContent(db, store)
    const isNew = !isMarked && found === undefined && held === undefined
    if (!isNew && held !== true) throw new ForeignStore(refusal(store, found))
    // Another process of a new installation may have been first, and have taken something in.
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

/** What was restored has no store yet: the next start marks the one that it finds. */
export async function disownStore(db: Db): Promise<void> {
  await db.deleteFrom('walk').where('name', '=', 'store').execute()
}

/** Whether any of the newest contents is there; undefined where there are none yet. */
async function hasNewestContent(db: Db, store: BlobStore): Promise<boolean | undefined> {
  const rows = await db.selectFrom('blob').select('key').orderBy('id', 'desc').limit(looked).execute()
  for (const { key } of rows) {
    const object = await store.open(key, { start: 0, end: 0 }).catch(() => undefined)
    await object?.[Symbol.asyncDispose]()
    if (object !== undefined) return true
  }
  return rows.length === 0 ? undefined : false
}
