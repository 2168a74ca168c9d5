// Urging: the calls by which people are asked to do something about a file or folder ([R270], [R271]).
import { features } from '@cloudoc/contract'
import { denial, fail, gates, type urgeFilters } from '@cloudoc/domain'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { filterByRight } from '../../drive/rights/index.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { listUrges, messagesOf, receiversOf, urgeDetail, urgeObjects } from './read.ts'
import { reachOf } from './receivers.ts'
import {
  changed,
  checkSchedule,
  end,
  handle,
  markRead,
  passOn,
  readUrge,
  remind,
  send,
  settle,
  write,
} from './urges.ts'

interface Named {
  readonly fileId?: number | undefined
  readonly folderId?: number | undefined
}

const refOf = ({ fileId, folderId }: Named) =>
  fileId === undefined ? { fType: 2 as const, fId: folderId ?? 0 } : { fType: 1 as const, fId: fileId }

interface Page {
  readonly state: (typeof urgeFilters)[number]
  readonly keyword: string
  readonly from: number
  readonly rows: number
}

/** Returns the trimmed text; refuses an empty one. */
function wordsOf(message: string, what: string): string {
  const words = message.trim()
  return words === '' ? fail('badRequest', what) : words
}

/** Refuses linked servers that do not exist. */
async function assertServers({ tx }: WriteContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const wanted = [...new Set(ids)]
  const found = await tx.selectFrom('linked_server').select('id').where('id', 'in', wanted).execute()
  if (found.length < wanted.length) fail('notFound', { zh: '互联服务器不存在', en: 'serverIdArray: no such server' })
}

/** The handlers of urging. */
export function urgingHandlers({ settings }: Pick<Services, 'settings'>) {
  const factsOf = (context: Context, id: number) => context.object(urgeObjects, id).facts
  const listOf = (context: Context, side: 'sent' | 'received', page: Page) =>
    listUrges(context.db, actorOf(context), { side, ...page }, context.now)

  return implement(features.urging.calls, {
    async addNotify(context, input) {
      const access = context.item(refOf(input))
      const { userIdArray, groupIdArray, roleIdArray, notifyType } = input
      const message = wordsOf(input.message, 'message')
      checkSchedule(input, context.now)
      await assertServers(context, input.serverIdArray)
      const reach = await reachOf(context, settings, access, { userIdArray, groupIdArray, roleIdArray })
      const { accountIds, unseenCount, unseen } = reach
      if (accountIds.length === 0)
        return unseenCount === 0
          ? fail('badRequest', { zh: '请选择要催的人', en: 'userIdArray, groupIdArray, roleIdArray: nobody to urge' })
          : fail('noPermission', {
              zh: '选中的人都看不到这个项目，请先给他们权限',
              en: 'none of them may see the item: give them rights first',
            })
      const notifyId = await send(context, {
        itemId: access.row.id,
        fType: access.row.f_type,
        title: access.row.name,
        notifyType,
        message,
        sent: { userIds: [...userIdArray], groupIds: [...groupIdArray], roleIds: [...roleIdArray] },
        partnerId: input.partnerId ?? null,
        serverIds: [...input.serverIdArray],
        deadline: input.deadline,
        deadlineWorkdays: input.deadlineWorkdays,
        workdaysOnly: input.workdaysOnly,
        repeatHours: input.repeatHours,
        repeatUntil: input.repeatUntil,
        receivers: accountIds,
      })
      context.audit({ notifyId, receivers: accountIds.length })
      return { notifyId, receiverCount: accountIds.length, unseenCount, unseen }
    },

    async getNotifyReach(context, input) {
      const { accountIds, ...unseen } = await reachOf(context, settings, context.item(refOf(input)), input)
      return { receiverCount: accountIds.length, ...unseen }
    },

    getNotifyCreationList: (context, page) => listOf(context, 'sent', page),
    getNotifyReviewList: (context, page) => listOf(context, 'received', page),

    getNotifyDetail: (context, { notifyId }) =>
      urgeDetail(context.db, actorOf(context), notifyId, factsOf(context, notifyId), context.now),

    getNotifyReceiverList: (context, { notifyId, ...page }) =>
      receiversOf(context.db, actorOf(context), notifyId, factsOf(context, notifyId).isSender, page),

    getNotifyMessageList: ({ db }, { notifyId, before, rows }) => messagesOf(db, notifyId, { before, rows }),

    async readNotify(context, { notifyId }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const isNew = await markRead(tx, notifyId, accountId, now)
      await settle(context, notifyId, accountId, 'message')
      if (isNew) context.event(changed(notifyId))
      return {}
    },

    async addNotifyMessage(context, { notifyId, message }) {
      return { messageId: await write(context, notifyId, wordsOf(message, 'message')) }
    },

    async approveNotify(context, { notifyId, comments }) {
      await handle(context, notifyId, comments.trim())
      context.audit({ notifyId })
      return {}
    },

    async handOnNotify(context, { notifyId, userId, comments }) {
      const { tx, now } = context
      const actor = actorOf(context)
      const urge = await readUrge(tx, notifyId)
      const [known] = await knownOf(tx, actor, [{ subjectType: 'user', subjectId: userId } as const])
      if (known === undefined || userId === actor.accountId)
        return fail('notFound', { zh: '该人员不存在或已离开', en: 'userId: somebody who is not there, or has left' })
      if (userId === urge.sender_id)
        return fail('noPermission', { zh: '不能转给发起人', en: 'userId: it is theirs; write a message instead' })
      // Who hands it on sees the item, so that its name is not told to somebody who does not.
      const access =
        urge.item_id === null ? undefined : (await accessToMany(tx, actor, [urge.item_id], now)).get(urge.item_id)
      if (access === undefined || denial(gates.see, access.facts) !== undefined) return fail('notFound')
      if ((await filterByRight(tx, access, [userId], { settings, now, right: 'display' })).length === 0)
        return fail('noPermission', { zh: '该人员看不到这个项目', en: 'userId: they may not see the item' })
      await passOn(context, notifyId, actor.accountId, userId, comments.trim())
      context.audit({ notifyId })
      return {}
    },

    async remindNotify(context, { notifyId }) {
      const receiverCount = await remind(context, notifyId)
      context.audit({ notifyId, receivers: receiverCount })
      return { receiverCount }
    },

    async revokeNotify(context, { notifyId, comments }) {
      await end(context, notifyId, comments.trim())
      context.audit({ notifyId })
      return {}
    },
  })
}
