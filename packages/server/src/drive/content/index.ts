/*
 * Contents and their rows. A live `blob` row maps a content to one stored object; versions reference it by foreign key,
 * so a blob that is referenced cannot be collected. Equal contents share one object.
 */
import { fail } from '@cloudoc/domain'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type StagedContext } from '../../core/call/context.ts'
import { isRolledBack } from '../../core/db/database.ts'
import { holderOf } from '../tree/index.ts'
import { type KeptContent, type Placement, placing } from './place.ts'

export {
  type CollectorParts,
  collectRows,
  removeDropped,
  sweepObjects,
} from './collect.ts'
export type { KeptContent, Placement } from './place.ts'

/** The same with the content that is to be stored. */
export interface NewFile extends Placement {
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The hash that the sender computed, checked before anything is kept. */
  readonly sha256?: string | undefined
  /** True where the content is worth refusing before it has arrived. */
  readonly isLarge?: boolean
}

export interface StoredFile {
  readonly fileId: number
  readonly version: number
  readonly fileSize: number
  readonly sha256: string
}

/**
 * Stores a file: bytes first, then one transaction that makes them visible. Used by every way in, so that all of them
 * follow the same rules for names, conflicts and rights.
 */
export async function storeNewFile(context: StagedContext, blobs: BlobStore, file: NewFile): Promise<StoredFile> {
  if ((file.secretLevel ?? 0) > actorOf(context).secretLevel) return fail('secretLevel')
  const mayReplace = file.conflict === 'version' || file.conflict === 'keepBoth'
  if (file.isLarge === true && !mayReplace && (await holderOf(context.db, file.folderId, file.name)) !== undefined) {
    return fail('alreadyExists')
  }
  const staged = await blobs.stage(toAsync(file.content))
  if (file.sha256 !== undefined && staged.sha256.toString('hex') !== file.sha256.toLowerCase()) {
    await staged.discard()
    return fail('uploadInterrupted', 'sha256')
  }
  const { sha256, size } = staged
  const key = await staged.keep().catch(async (error: unknown) => {
    await staged.discard()
    throw error
  })
  return storeKept(context, blobs, file, { sha256, size, key, keptAt: performance.now() })
}

/** The second half of that, for a content that is kept already; removes its object where nothing came to name it. */
export async function storeKept(
  context: StagedContext,
  blobs: BlobStore,
  file: Placement,
  content: KeptContent,
): Promise<StoredFile> {
  const { sha256, size, key } = content
  try {
    const placed = await context.commitShared(placing, { file, content })
    if (placed.key !== key) await remove(blobs, key)
    return { fileId: placed.fileId, version: placed.version, fileSize: size, sha256: sha256.toString('hex') }
  } catch (error) {
    if (isRolledBack(error)) await remove(blobs, key)
    throw error
  }
}

/** Removes an object that no row names. One that cannot be removed costs space and nothing else. */
async function remove(blobs: BlobStore, key: string): Promise<void> {
  await blobs.remove(key).catch(() => {})
}

async function* toAsync(content: NewFile['content']): AsyncIterable<Uint8Array> {
  yield* content
}
