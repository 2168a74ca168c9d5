import { useQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'
import { type CommentTarget, commentsKey, targetInput } from './comment-target.ts'

/** Returns the number of comments of an item for the tab title, or undefined while it is not known. */
export function useCommentCount(item: CommentTarget, enabled: boolean): number | undefined {
  const { data } = useQuery({
    queryKey: [...commentsKey(item), 'count'],
    queryFn: () => api.of(item).getCommentList({ ...targetInput(item), rows: 1 }, { quiet: true }),
    enabled,
  })
  return data?.total
}
