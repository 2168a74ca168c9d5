// The conversations of the demo: two colleagues, a project group with an announcement, and the group of a library.
import { randomUUID } from 'node:crypto'
import { type Calling, known, type Loaded } from './load.ts'

const say = (call: Calling, conversationId: number, value: string, more: { quote?: number } = {}) =>
  call('imSend', { conversationId, uuid: randomUUID(), type: 'text', value, ...more })

/** Holds the conversations. `card` is a document that its sender sees. */
export async function talk(
  { as, ids }: Pick<Loaded, 'ids'> & { readonly as: (account: string) => Calling },
  card: { readonly fType: 1 | 2; readonly fId: number } | undefined,
): Promise<void> {
  const idOf = (account: string): number => known(ids.user, account)
  const [lin, chen, gao] = [as('linxia'), as('chenxiao'), as('gaofeng')]

  const { conversationId: pair } = await chen('imOpenChat', { userId: idOf('linxia') })
  const asked = await say(chen, pair, '三季度的费用汇总什么时候能定稿？')
  await say(lin, pair, '还差研发的差旅，我下午催一下。', { quote: asked.number })
  await say(chen, pair, '好，含税口径，和上季度一致。')
  await lin('imMarkRead', { conversationId: pair, number: asked.number })

  const { conversationId: group } = await gao('imCreateGroup', {
    name: '新平台立项',
    userIdArray: ['linxia', 'chenxiao', 'tangning', 'luwei'].map(idOf),
  })
  await gao('imUpdateGroup', { conversationId: group, announcement: '每周三下午三点例会，材料提前一天放进文档库。' })
  if (card !== undefined)
    await gao('imSend', { conversationId: group, uuid: randomUUID(), type: 'share', fType: card.fType, fId: card.fId })
  const plan = await say(gao, group, '立项材料在上面，评审会前请看完。')
  await as('tangning')('imReact', { conversationId: group, number: plan.number, emoji: '👍', on: true })
  await gao('imSend', {
    conversationId: group,
    uuid: randomUUID(),
    type: 'text',
    value: '@林夏 会议室订好了吗？',
    mentions: [{ userId: idOf('linxia'), name: '林夏' }],
  })
  await lin('imTopChat', { conversationId: group, top: true })
}
