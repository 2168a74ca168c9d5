/*
 * What the owner of a webhook may know of an event, by the state of now: as on the owner's own push channel. Evaluated
 * when a delivery is enqueued, and again before each attempt to send it, so that a right that has ended ends here too.
 */
import { pushNames } from '@cloudoc/contract'
import type { WebhookTopic } from '@cloudoc/domain'
import type { Account } from '../../core/actor.ts'
import type { Db } from '../../core/db/database.ts'
import type { NewEvent, PersonalEvent } from '../../core/events.ts'
import { type PushMessage, prepareAll, type StoredEvent } from '../../core/push/index.ts'
import type { Services } from '../../core/services.ts'

export type ViewParts = Pick<Services, 'audiences' | 'pushes'> & Partial<Pick<Services, 'sees'>>

/** The kinds of events of each topic. */
const kindsOf: Readonly<Record<WebhookTopic, readonly string[]>> = {
  items: ['item'],
  notices: ['personal'],
  comments: ['comment.changed'],
  tags: ['tag.changed'],
  locks: ['lock.changed'],
  signing: ['signing.changed'],
  talk: ['talk.message', 'talk.chat'],
}

export const kindsOfTopics = (topics: readonly WebhookTopic[]): string[] => topics.flatMap((topic) => kindsOf[topic])

/** All kinds that any webhook may ask for. */
export const webhookKinds: readonly string[] = Object.values(kindsOf).flat()

/** Deliveries with the same key are sent in order: an item's, or all others of one kind. */
export function objectOf(event: NewEvent): string {
  return event.kind === 'item' ? `item ${event.itemId}` : event.kind
}

/** Whether an event may be for an account: a notice is only for those whom it names. */
export const mayConcern = (event: NewEvent, accountId: number): boolean =>
  !isPersonal(event) || event.accountIds.includes(accountId)

/**
 * What an account may know of each event now, by position. Without `sees` notices about items are not checked: a
 * transaction cannot ask it.
 */
export async function viewsFor(
  { audiences, pushes, sees }: ViewParts,
  db: Db,
  account: Account,
  { events, now }: { readonly events: readonly StoredEvent<NewEvent>[]; readonly now: number },
): Promise<Map<number, PushMessage>> {
  const views = new Map<number, PushMessage>()
  for (const [position, audible] of await prepareAll(audiences(), db, { events, now })) {
    const view = audible.viewFor(account)
    if (view !== undefined) views.set(position, view)
  }
  for (const { position, event } of events) {
    if (!isPersonal(event) || !mayConcern(event, account.accountId)) continue
    const name = pushNames(pushes).get(event.pushType)
    if (name === undefined || pushes[name]?.notice === undefined) continue
    if (sees === undefined || (await mayRead(sees, db, account, event)))
      views.set(position, { name, payload: event.data })
  }
  return views
}

const isPersonal = (event: NewEvent): event is PersonalEvent => event.kind === 'personal'

/** A notice about an item is read only by who sees the item, as in the list of notices. */
async function mayRead(sees: Services['sees'], db: Db, actor: Account, { notice }: PersonalEvent): Promise<boolean> {
  if (notice === undefined || notice.itemId === null || notice.itemType === null) return true
  const item = { fType: notice.itemType as 1 | 2, fId: notice.itemId }
  const [seen = false] = await sees(db, [{ actor, item }])
  return seen
}
