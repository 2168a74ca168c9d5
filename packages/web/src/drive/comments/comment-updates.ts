// Comments that others write come to whoever has them before them.
import type { ItemRecord } from '@cloudoc/contract'
import { queryClient } from '../../core/call/query.ts'
import { commentsKey } from './comment-target.ts'

/** The comments on an item have changed. */
export function onCommentsChanged(item: Pick<ItemRecord, 'fId' | 'fType'>): void {
  void queryClient.invalidateQueries({ queryKey: commentsKey(item) })
}
