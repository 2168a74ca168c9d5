// Ending that files are edited, with the word that it is done.
import type { ItemRecord } from '@cloudoc/contract'
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { change } from '../../items/actions/operations.ts'

/** Ends that files are edited: one's own in any session; with `all` those of others, by whoever may. */
export async function forceUnlock(items: readonly ItemRecord[], all: boolean): Promise<boolean> {
  const done = await change(items, ({ fileIdArray }) => api.forceUnlockFiles({ fileIdArray, all }), t('unlock.failed'))
  if (done.length > 0) toast({ kind: 'success', text: t('unlock.done', { n: done.length }) })
  return done.length > 0
}
