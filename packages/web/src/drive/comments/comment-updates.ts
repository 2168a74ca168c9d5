// Live updates: new comments of other users appear in open views.
import type { ItemRecord } from '@cloudoc/contract'
import { queryClient } from '../../core/call/query.ts'
import { commentsKey } from './comment-target.ts'

/** Refreshes the comments of an item after a change. */
export function onCommentsChanged(item: Pick<ItemRecord, 'serverId' | 'fId' | 'fType'>): void {
  void queryClient.invalidateQueries({ queryKey: commentsKey(item) })
}
