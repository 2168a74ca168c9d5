// A permission change on several items is one operation: it is undone and redone as one.
import { codes } from '@cloudoc/domain'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { type Outcome, offerUndo } from '../../items/actions/undo.ts'
import { type ManagedItem, refOf } from './rights-draft.ts'

/** A change as identified by the history of an item. */
interface RightsChange {
  readonly item: ManagedItem
  readonly changeId: number
}

/** Reports that the permissions of items were changed, and offers to undo it. */
export function offerUndoChanges(text: string, made: readonly RightsChange[]): void {
  let last = made
  // Used for redo too: an undo is itself a change that can be undone.
  const turn = async (said: (n: number) => string): Promise<Outcome> => {
    const answers = await api.undoShareChanges({
      undone: last.map(({ item, changeId }) => ({ ...refOf(item), changeId })),
    })
    const [done, failed]: [RightsChange[], { item: ManagedItem; text: string }[]] = [[], []]
    for (const [at, { result, changeId, msg }] of answers.entries()) {
      const item = last[at]?.item
      if (item === undefined) continue
      if (result !== codes.success.code)
        failed.push({ item, text: result === codes.alreadyExists.code ? t('rights.history.changedSince') : msg })
      else if (changeId !== undefined) done.push({ item, changeId })
    }
    last = done
    if (failed.length > 0) {
      const rows = failed.map(({ item: { fId, fType, fName }, text: why }) => ({ fId, fType, name: fName, text: why }))
      const title = t('rights.many.undoFailed')
      void openWindow('drive-batch-result', { title, total: answers.length, rows, canRetry: false })
    }
    return done.length === 0 ? undefined : { text: said(done.length), items: [] }
  }
  offerUndo({
    text,
    undo: () => turn((n) => t('rights.many.undone', { n })),
    redo: () => turn((n) => t('rights.many.saved', { n })),
  })
}
