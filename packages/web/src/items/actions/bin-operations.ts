/* The operations of the recycle bin, loaded on demand. */
import type { BatchAnswer } from '@cloudoc/contract'
import { codeOf } from '@cloudoc/domain'
import { mainServer, type OnServer } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { itemsChanged, itemsGone } from '../lists/lists.ts'
import {
  type BatchCall,
  inCalls,
  type Named,
  named,
  notifyFailure,
  outcome,
  pick,
  refOf,
  settle,
  toBin,
} from './operations.ts'
import { offerUndo, trackInFlight } from './undo.ts'

/**
 * Restores items from the recycle bin to their original folder. Asks for a folder if the original one no longer exists
 * ([R244]).
 */
export function restore(items: readonly Named[]): Promise<void> {
  return trackInFlight(restoring(items))
}

async function restoring(items: readonly Named[]): Promise<void> {
  try {
    // Another folder is chosen among those of this server: items of linked servers are told as failed.
    const isHomeless = ({ result, serverId }: BatchAnswer[number] & OnServer): boolean =>
      codeOf(result) === 'notFound' && serverId === mainServer.serverId
    const first = await inCalls(items, (ids, on) => on.recycleRestore(ids))
    const early = first.filter(isHomeless).map(refOf)
    // The folder of the item may have been restored after the item itself: the order within one call is not defined.
    const isAnotherTry = early.length > 0 && early.length < first.length
    const second = isAnotherTry ? await inCalls(early, (ids, on) => on.recycleRestore(ids)) : first.filter(isHomeless)
    const answer = [...first.filter((one) => !isHomeless(one)), ...second]
    const homeless = second.filter(isHomeless)
    const back = await settle(
      answer.filter((one) => !isHomeless(one)),
      items,
      t('drive.restoreFailed'),
    )
    let done = back.map(refOf)
    if (homeless.length > 0) {
      const target = await openWindow('drive-folder-pick', {
        title: t('drive.restoreTo'),
        hint: t('drive.restoreToWhy'),
        verb: 'restore',
      })
      if (target !== undefined) {
        const into: BatchCall = (ids, on) => on.recycleRestore({ ...ids, targetFolderId: target.fId })
        const again = await inCalls(homeless.map(refOf), into)
        done = [...done, ...(await settle(again, items, t('drive.restoreFailed'))).map(refOf)]
        itemsChanged(done, [target.fId])
      }
    }
    if (done.length === 0) return
    const restored = pick(items, done)
    const changed = (): void =>
      itemsChanged(
        done,
        restored.map((item) => item.parentFolderId),
      )
    changed()
    offerUndo({
      text: t('drive.restored', { name: named(restored) }),
      undo: async () => outcome(pick(restored, await toBin(restored)), (name) => t('drive.deleted', { name }), []),
      redo: async () => {
        const answer = await inCalls(restored, (ids, on) => on.recycleRestore(ids))
        const again = (await settle(answer, restored, t('drive.restoreFailed'))).map(refOf)
        changed()
        return outcome(pick(restored, again), (name) => t('drive.restored', { name }))
      },
    })
  } catch (error) {
    notifyFailure(error)
  }
}

/** Deletes items permanently after a confirmation that lists them ([R085]). */
export async function removeForGood(items: readonly Named[]): Promise<boolean> {
  const yes = await openWindow('drive-confirm-delete', { names: items.map(({ fName, fType }) => ({ fName, fType })) })
  if (!yes) return false
  try {
    const answer = await inCalls(items, (ids, on) => on.fileOrFolderCompleteDelete(ids), itemsGone)
    const isHolding = ({ result }: BatchAnswer[number]): boolean => codeOf(result) === 'holdsDeleted'
    const holding = pick(items, answer.filter(isHolding).map(refOf))
    const withDeleted =
      holding.length > 0 &&
      (await confirmBox({
        title: t('drive.deleteForGood.title'),
        text: t('drive.holdsDeleted', { name: named(holding) }),
        ok: t('drive.holdsDeleted.ok'),
        danger: true,
      }))
    const rest = withDeleted
      ? await inCalls(holding, (ids, on) => on.fileOrFolderCompleteDelete({ ...ids, withDeleted }), itemsGone)
      : []
    await settle([...answer.filter((one) => !isHolding(one)), ...rest], items, t('drive.deleteFailed'))
    return true
  } catch (error) {
    notifyFailure(error)
    return false
  }
}
