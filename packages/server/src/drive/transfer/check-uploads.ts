// What a folder would take of items that have not been sent yet.
import { type CodeName, codes, fail, itemName, ResultError } from '@cloudoc/domain'
import type { BlobStore } from '../../core/blobs/store.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import { checkLevel } from '../content/index.ts'
import { checkFile, spaceLeft } from '../quotas/index.ts'
import { checkDepth, type NameConflict, nameToCome } from '../tree/index.ts'

interface Coming {
  readonly name: string
  readonly fType: 1 | 2
  readonly fileSize: number
  readonly secretLevel: number
  readonly parent: number
  readonly below: number
}

interface CheckInput {
  readonly folderId: number
  readonly conflict: NameConflict
  readonly bytesBefore: number
  readonly items: readonly Coming[]
}

/** The code with which a check refuses; undefined if it passes. */
async function refusalIn(check: () => Promise<void>): Promise<CodeName | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    if (error instanceof ResultError) return error.code
    throw error
  }
}

/** Checks items as their uploads would be checked, one after the other. */
export async function checkUploads(
  context: Context,
  blobs: BlobStore,
  { folderId, conflict, bytesBefore, items }: CheckInput,
): Promise<{ list: { result: number; name: string }[] }> {
  const { db } = context
  const actor = actorOf(context)
  const place = context.item({ fType: 2, fId: folderId })
  const size = items.reduce((sum, { fileSize }) => sum + fileSize, bytesBefore)
  const room = await spaceLeft(db, actor, place, size)
  const disk = (await blobs.room?.()) ?? Number.POSITIVE_INFINITY
  /** The keys of the names that the items would have, by their folder. */
  const names = new Map<number, Set<string>>()
  let bytes = bytesBefore

  const nameOf = async ({ name, fType, parent }: Coming): Promise<string> => {
    const checked = itemName(name)
    if ('code' in checked) return fail(checked.code)
    const taken = names.get(parent) ?? new Set()
    names.set(parent, taken)
    if (parent === 0) {
      const wanted = { parentId: folderId, name: checked.name, fType }
      return (await nameToCome(db, wanted, conflict, taken)) ?? fail('alreadyExists')
    }
    if (taken.has(checked.key)) return fail('alreadyExists')
    taken.add(checked.key)
    return checked.name
  }
  const checkContent = ({ name, fileSize, secretLevel }: Coming): void => {
    checkLevel(actor, secretLevel)
    checkFile(actor, place.library, { name, size: fileSize })
    if (bytes + fileSize > room.most) fail(room.code)
    if (bytes + fileSize > disk) fail('capacityNotSatisfied')
    bytes += fileSize
  }

  const list: { result: number; name: string }[] = []
  for (const item of items) {
    let name = item.name
    const code = await refusalIn(async () => {
      checkDepth(place.path.length + 1 + item.below)
      name = await nameOf(item)
      if (item.fType === 1) checkContent(item)
    })
    list.push(code === undefined ? { result: codes.success.code, name } : { result: codes[code].code, name: item.name })
  }
  return { list }
}
