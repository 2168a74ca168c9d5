// The window cloudoc-file-comment, and the comments tab of the panel ([R237]): the comment threads of an item and the
// field for a new comment.
import type { Comment, CommentThread } from '@cloudoc/contract'
import { fullTime, shortTime } from '@cloudoc/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import { PersonAvatar } from '../../people/index.ts'
import { type CommentTarget, commentsKey, targetInput } from './comment-target.ts'
import { type CommentDraft, Composer } from './composer.tsx'
import { Stars } from './stars.tsx'
import './comments.css'

export interface CommentWindowProps {
  readonly item: CommentTarget
}

const threadsAtOnce = 30
type Order = 'newest' | 'oldest'

export function CommentWindow({ item, setDirty }: WindowProps<CommentWindowProps>): ReactNode {
  return <CommentPane item={item} look="window" onDirty={setDirty} />
}

interface PaneProps extends CommentWindowProps {
  readonly look: 'window' | 'panel'
  readonly onDirty?: (dirty: boolean) => void
}

/** The comment threads and the input field. */
export function CommentPane({ item, look, onDirty }: PaneProps): ReactNode {
  const t = useT()
  const [order, setOrder] = useState<Order>('newest')
  const query = useInfiniteQuery({
    queryKey: [...commentsKey(item), order],
    queryFn: ({ pageParam }) =>
      api
        .of(item)
        .getCommentList({ ...targetInput(item), order, from: pageParam, rows: threadsAtOnce }, { quiet: true }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { list }) => sum + list.length, 0)
      return last.list.length > 0 && shown < last.threads ? shown : undefined
    },
  })
  const { data, error, refetch } = query
  const [first] = data?.pages ?? []
  const threads = data?.pages.flatMap(({ list }) => list) ?? []
  const send = (draft: CommentDraft): Promise<boolean> =>
    change(item, () => {
      const { grade, ...rest } = draft
      return api
        .of(item)
        .addComment({ ...targetInput(item), ...rest, ...(grade > 0 && { grade }) }, { front: t('comments.front.add') })
    })

  return (
    <div className={`dr-comments is-${look}`}>
      {first !== undefined && first.total > 0 && (
        <header className="dr-comments-head">
          {first.grades.count > 0 && (
            <>
              <b>{first.grades.average.toFixed(1)}</b>
              <span className="dr-comments-average">
                <Stars grade={first.grades.average} />
                <small>{t('comments.graded', { n: first.grades.count })}</small>
              </span>
              {look === 'window' && <Spread each={first.grades.each} count={first.grades.count} />}
            </>
          )}
          <span className="dr-comments-order">
            <small>{t('comments.count', { n: first.total })}</small>
            <Select
              size="small"
              label={t('comments.order')}
              value={order}
              options={(['newest', 'oldest'] as const).map((value) => ({ value, label: t(`comments.${value}`) }))}
              onChange={setOrder}
            />
          </span>
        </header>
      )}
      <div
        className="dr-comments-list"
        role="region"
        tabIndex={0}
        aria-label={t('comments.title')}
        aria-busy={query.isFetching}
      >
        {error !== null && first === undefined ? (
          <p className="dr-comments-none">
            {t('comments.failed')}{' '}
            <Button kind="link" size="small" onClick={() => void refetch()}>
              {t('drive.retry')}
            </Button>
          </p>
        ) : (
          first !== undefined && first.total === 0 && <p className="dr-comments-none">{t('comments.none')}</p>
        )}
        {threads.map((thread) => (
          <Thread key={thread.commentId} thread={thread} item={item} />
        ))}
        {query.hasNextPage && (
          <Button kind="link" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('comments.more')}
          </Button>
        )}
      </div>
      <footer className="dr-comments-foot">
        <Composer
          item={item}
          label={t('comments.write')}
          withStars
          verb={t('comments.send')}
          autoFocus={look === 'window'}
          onSend={send}
          {...(onDirty && { onDirty })}
        />
        {look === 'window' && (
          <p>
            <span>{t('comments.hint')}</span>
            <span>{t('comments.keys')}</span>
          </p>
        )}
      </footer>
    </div>
  )
}

/** Runs a change to the comments of an item. Returns false if it failed; the error is shown to the user. */
async function change(item: CommentTarget, act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act()
    await queryClient.invalidateQueries({ queryKey: commentsKey(item) })
    return true
  } catch (error) {
    notifyFailure(error)
    return false
  }
}

/** The distribution of the ratings: how many users gave how many stars. */
function Spread({ each, count }: { readonly each: readonly number[]; readonly count: number }): ReactNode {
  return (
    <span className="dr-comments-spread" aria-hidden="true">
      {each.map((n, i) => (
        <span key={5 - i}>
          {5 - i}
          <i>
            <i style={{ width: `${(n / count) * 100}%` }} />
          </i>
          {n}
        </span>
      ))}
    </span>
  )
}

function Thread({ thread, item }: { readonly thread: CommentThread; readonly item: CommentTarget }): ReactNode {
  const t = useT()
  const [answering, setAnswering] = useState(false)
  const answer = (draft: CommentDraft): Promise<boolean> =>
    change(item, () => {
      const { comment, userIdArray } = draft
      return api
        .of(item)
        .addComment(
          { ...targetInput(item), comment, userIdArray, parentCommentId: thread.commentId },
          { front: t('comments.front.add') },
        )
    })
  return (
    <article className="dr-thread" aria-label={thread.accountName}>
      <One one={thread} item={item} onAnswer={() => setAnswering(true)} />
      {thread.replies.map((reply) => (
        <div key={reply.commentId} className="dr-reply">
          <One one={reply} item={item} onAnswer={() => setAnswering(true)} />
        </div>
      ))}
      {answering && (
        <div className="dr-reply">
          <Composer
            item={item}
            label={t('comments.answerTo', { name: thread.accountName })}
            withStars={false}
            verb={t('comments.reply')}
            autoFocus
            onSend={async (draft) => {
              const done = await answer(draft)
              if (done) setAnswering(false)
              return done
            }}
            onCancel={() => setAnswering(false)}
          />
        </div>
      )}
    </article>
  )
}

interface OneProps {
  readonly one: Comment
  readonly item: CommentTarget
  readonly onAnswer: () => void
}

function One({ one, item, onAnswer }: OneProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const [editing, setEditing] = useState(false)
  const [now] = useState(Date.now)
  const remove = async (): Promise<void> => {
    const yes = await confirmBox({ text: t('comments.deleteAsk'), ok: t('comments.delete'), danger: true })
    if (!yes) return
    const options = { front: t('comments.front.delete') }
    await change(item, () => api.of(item).deleteComment({ ...targetInput(item), commentId: one.commentId }, options))
  }
  if (one.deleted) return <p className="dr-comment-gone">{t('comments.deleted')}</p>
  return (
    <div className="dr-comment">
      <PersonAvatar id={one.userId} name={one.accountName} />
      <div className="dr-comment-inside">
        <div className="dr-comment-head">
          <b>{isolated(one.accountName)}</b>
          {one.grade > 0 && <Stars grade={one.grade} />}
          <time dateTime={new Date(one.createTime).toISOString()} title={fullTime(one.createTime)}>
            {shortTime(one.createTime, Math.max(now, one.createTime), locale)}
            {one.editTime !== null && ` · ${t('comments.edited')}`}
          </time>
        </div>
        {editing ? (
          <Composer
            item={item}
            label={t('comments.edit')}
            first={one}
            withStars={one.grade > 0}
            verb={t('comments.save')}
            autoFocus
            onSend={async (draft) => {
              const done = await change(item, () =>
                api
                  .of(item)
                  .editComment(
                    { ...targetInput(item), commentId: one.commentId, ...draft },
                    { front: t('comments.front.edit') },
                  ),
              )
              if (done) setEditing(false)
              return done
            }}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <>
            <p className="dr-comment-words">{withNames(one.comment, one.mentioned)}</p>
            <div className="dr-comment-acts">
              <Button kind="link" size="small" onClick={onAnswer}>
                {t('comments.reply')}
              </Button>
              {one.mayEdit && (
                <Button kind="link" size="small" onClick={() => setEditing(true)}>
                  {t('comments.edit')}
                </Button>
              )}
              {one.mayDelete && (
                <Button kind="link" size="small" onClick={() => void remove()}>
                  {t('comments.delete')}
                </Button>
              )}
              {one.version > 0 && <small>{t('drive.info.version', { n: one.version })}</small>}
            </div>
          </>
        )}
      </div>
    </div>
  )
}

/** Returns the text of a comment with the mentioned names highlighted. */
function withNames(words: string, mentioned: readonly { readonly accountName: string }[]): ReactNode[] {
  const names = mentioned.map(({ accountName }) => `@${accountName}`).sort((a, b) => b.length - a.length)
  if (names.length === 0) return [words]
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  let at = 0
  return words.split(new RegExp(`(${escaped.join('|')})`)).map((part) => {
    at += part.length
    return names.includes(part) ? (
      <span key={at} className="dr-mention">
        {part}
      </span>
    ) : (
      part
    )
  })
}
