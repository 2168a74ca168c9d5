// createFolderByPathList: a tree of folders in one call ([R398]). Folders that exist are used, missing ones made.
import { denial, fail, gates, itemName } from '@cloudoc/domain'
import type { Access } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { accessTo, checkDepth, holderOf, insertFolder, itemEvent } from '../tree/index.ts'

interface Place {
  readonly id: number
  readonly depth: number
  /** Whether the caller may make folders here; known for what this call made itself. */
  readonly writable: boolean
}

/** Makes what is missing of each slash-separated path below `root`; answers the id of each path's last folder. */
export async function makeFolders(
  context: WriteContext,
  root: Access,
  paths: readonly string[],
): Promise<{ path: string; folderId: number }[]> {
  const { tx, now } = context
  const actor = actorOf(context)
  const libraryId = root.library.id
  const known = new Map<string, Place>()
  const top: Place = { id: root.row.id, depth: root.path.length + 1, writable: true }

  const existing = async (fId: number, depth: number): Promise<Place> => {
    const access = await accessTo(tx, actor, { fType: 2, fId }, now)
    // A folder that the caller may not see holds the name all the same: its name is taken, nothing more is told.
    if (access === undefined || denial(gates.see, access.facts) !== undefined) return fail('alreadyExists')
    return { id: fId, depth, writable: denial(gates.upload, access.facts) === undefined }
  }

  const make = async (parent: Place, name: string): Promise<Place> => {
    if (!parent.writable) return fail('noPermission')
    checkDepth(parent.depth)
    const id = await insertFolder(tx, { libraryId, parentId: parent.id, name, accountId: actor.accountId, now })
    context.event(
      itemEvent(
        {
          id,
          library_id: libraryId,
          parent_id: parent.id,
          f_type: 2,
          name,
          version: 0,
          size: 0,
          created_by: actor.accountId,
        },
        'add',
        actor.name,
      ),
    )
    return { id, depth: parent.depth + 1, writable: true }
  }

  const answers: { path: string; folderId: number }[] = []
  for (const path of paths) {
    let place = top
    let key = ''
    for (const part of path.split('/').filter((segment) => segment !== '')) {
      const checked = itemName(part)
      if ('code' in checked) return fail(checked.code)
      key += `/${checked.key}`
      const seen = known.get(key)
      if (seen !== undefined) {
        place = seen
        continue
      }
      const holder = await holderOf(tx, place.id, checked.name)
      if (holder?.f_type === 1) return fail('alreadyExists')
      place = holder === undefined ? await make(place, checked.name) : await existing(holder.id, place.depth + 1)
      known.set(key, place)
    }
    answers.push({ path, folderId: place.id })
  }
  return answers
}
