// Ends edit locks, and shows a confirmation.
import type { ItemRecord } from '@cloudoc/contract'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { change } from '../../items/actions/operations.ts'

/** Ends the edit locks of files: the user's own in any session; with `all` also those of other users, if permitted. */
export async function forceUnlock(items: readonly ItemRecord[], all: boolean): Promise<boolean> {
  const done = await change(
    items,
    ({ fileIdArray }, on) => on.forceUnlockFiles({ fileIdArray, all }),
    t('unlock.failed'),
  )
  if (done.length > 0) toast({ kind: 'success', text: t('unlock.done', { n: done.length }) })
  return done.length > 0
}
