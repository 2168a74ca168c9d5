/*
 * Comments on files and folders ([R237]). Everybody who may preview an item can read its comments and write comments,
 * with a star rating and mentions. Mentioned users must also be able to preview the item, and they are notified (X64).
 * A deleted comment that has replies stays without its text.
 */
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { type FeatureEvent, personal } from '../../core/events.ts'
import type { Audience } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'
import { foldQuery, likeAnywhere, shortWords } from '../../core/text-keys.ts'
import { filterByRight, itemListeners } from '../rights/index.ts'
import { accessIn } from './commented.ts'
import { listingHandlers } from './listing.ts'

/** The comments of an item have changed. */
interface CommentEvent extends FeatureEvent {
  readonly kind: 'comment.changed'
  readonly itemId: number
  readonly libraryId: number
  readonly fType: 1 | 2
}

/** Everybody who may preview the item. */
export const commentAudience: Audience<CommentEvent> = {
  prepare: (db, events, now) =>
    itemListeners(db, events, now, {
      right: 'preview',
      viewOf: ({ itemId, fType }) => ({ name: 'commentsChanged', payload: { fId: itemId, fType } }),
    }),
}

/** Maximum number of characters of a comment quoted in a notification. */
const quoted = 200

/** Returns the trimmed text. Refuses a comment with neither text nor stars. */
function commentText(comment: string, grade: number | null): string {
  const words = comment.trim()
  return words === '' && grade === null ? fail('badRequest', 'comment') : words
}

const gramsOf = (text: string): string[] => [...shortWords(foldQuery(text))]

/**
 * For search: items with a comment that contains the term, latest comment first. The caller must check whether the user
 * may read those comments.
 */
export async function commentedItems(db: Db, word: string, most: number): Promise<number[]> {
  const says = [...word].length <= 2 ? sql`grams @> array[${word}]` : sql`lower(text) like ${likeAnywhere(word)}`
  const { rows } = await sql<{ item_id: number }>`
    select item_id from (
      select item_id, id from comment where deleted_at is null and ${says} order by id desc limit ${4 * most}) newest
    group by item_id order by max(id) desc limit ${most}`.execute(db)
  return rows.map(({ item_id }) => item_id)
}

/** The call handlers of comments. */
export function commentHandlers({ settings }: Pick<Services, 'settings'>) {
  /** The mentioned users, without duplicates. Refuses the call if one of them may not preview the item. */
  const meant = async (context: WriteContext, access: Access, named: readonly number[]): Promise<number[]> => {
    const ids = [...new Set(named)]
    const people = await filterByRight(context.tx, access, ids, { settings, now: context.now, right: 'preview' })
    if (people.length < ids.length)
      return fail('noPermission', { zh: '提到的人看不到这个项目', en: 'somebody named cannot look at the item' })
    return people.map(({ accountId }) => accountId)
  }

  const tell = (
    context: WriteContext,
    { row }: Access,
    people: readonly number[],
    said: { readonly commentId: number; readonly comment: string; readonly mentioned: boolean },
  ): void => {
    const { accountId, name } = actorOf(context)
    const others = people.filter((id) => id !== accountId)
    if (others.length === 0) return
    context.event(
      personal('commentRemind', others, {
        ...said,
        comment: said.comment.slice(0, quoted),
        serverId: 0,
        fType: row.f_type,
        fId: row.id,
        fName: row.name,
        operatorId: accountId,
        operatorName: name,
        operateTime: context.now,
      }),
    )
  }

  const changed = ({ row, library }: Access): CommentEvent => ({
    kind: 'comment.changed',
    itemId: row.id,
    libraryId: library.id,
    fType: row.f_type,
  })

  /** Returns one comment of an item, locked for update. */
  const heldAt = async (context: WriteContext, { row }: Access, commentId: number) =>
    (await context.tx
      .selectFrom('comment')
      .selectAll()
      .where('id', '=', commentId)
      .where('item_id', '=', row.id)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()) ?? fail('notFound')

  return implement(features.comments.calls, {
    ...listingHandlers({ settings }),

    async addComment(context, input) {
      const { tx, now } = context
      const access = accessIn(context, input)
      const { accountId } = actorOf(context)
      const parent =
        input.parentCommentId === undefined ? undefined : await heldAt(context, access, input.parentCommentId)
      const grade = parent === undefined ? (input.grade ?? null) : null
      const text = commentText(input.comment, grade)
      const mentioned = await meant(context, access, input.userIdArray)
      const { id: commentId } = await tx
        .insertInto('comment')
        .values({
          item_id: access.row.id,
          parent_id: parent === undefined ? null : (parent.parent_id ?? parent.id),
          account_id: accountId,
          text,
          grade,
          version: access.row.version,
          mentioned,
          grams: gramsOf(text),
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      tell(context, access, mentioned, { commentId, comment: text, mentioned: true })
      if (parent !== undefined && !mentioned.includes(parent.account_id)) {
        const asked = { settings, now, right: 'preview' } as const
        const answered = await filterByRight(tx, access, [parent.account_id], asked)
        const people = answered.map((one) => one.accountId)
        tell(context, access, people, { commentId, comment: text, mentioned: false })
      }
      context.event(changed(access))
      return { commentId }
    },

    async editComment(context, input) {
      const { tx, now } = context
      const access = accessIn(context, input)
      const own = await heldAt(context, access, input.commentId)
      if (own.account_id !== actorOf(context).accountId) return fail('noPermission')
      const given = input.grade === undefined ? own.grade : input.grade === 0 ? null : input.grade
      const grade = own.parent_id === null ? given : null
      const text = commentText(input.comment, grade)
      const mentioned = await meant(context, access, input.userIdArray)
      await tx
        .updateTable('comment')
        .set({ text, grade, mentioned, grams: gramsOf(text), edited_at: now })
        .where('id', '=', own.id)
        .execute()
      // Users who were mentioned before have already been notified.
      const before = new Set(own.mentioned.map(Number))
      const fresh = mentioned.filter((id) => !before.has(id))
      tell(context, access, fresh, { commentId: own.id, comment: text, mentioned: true })
      context.event(changed(access))
      return {}
    },

    async deleteComment(context, input) {
      const { tx, now } = context
      const access = accessIn(context, input)
      const { accountId } = actorOf(context)
      const one = await heldAt(context, access, input.commentId)
      if (one.account_id !== accountId && !access.facts.actor.isManager) return fail('noPermission')
      const { rows } = await sql`
        update comment set deleted_at = ${now}, text = '', grade = null, mentioned = '{}', grams = '{}'
        where id = ${one.id} and exists (select 1 from comment r where r.parent_id = ${one.id} and r.deleted_at is null)
        returning 1`.execute(tx)
      if (rows.length === 0) await tx.deleteFrom('comment').where('id', '=', one.id).execute()
      // A deleted comment that remains only for its replies is removed with the last of them.
      if (one.parent_id !== null)
        await sql`
          delete from comment c where c.id = ${one.parent_id} and c.deleted_at is not null
            and not exists (select 1 from comment r where r.parent_id = c.id)`.execute(tx)
      context.event(changed(access))
      context.audit({ commentId: one.id, of: one.account_id })
      return {}
    },
  })
}
