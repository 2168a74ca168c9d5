// The event that mails or mailboxes of a person have changed, and the check that mail is switched on.
import { fail } from '@cloudoc/domain'
import type { AccountActor } from '../../core/actor.ts'
import { actorOf, type Context } from '../../core/call/context.ts'
import type { FeatureEvent } from '../../core/events.ts'
import { toThemselves } from '../../core/push/index.ts'

/** Mails or mailboxes of a person have changed. */
export interface MailChanged extends FeatureEvent {
  readonly kind: 'mail.changed'
  readonly accountId: number
  readonly boxId: number
}

/** The event that mails or a mailbox of a person have changed. */
export const mailChanged = (accountId: number, boxId: number): MailChanged => ({
  kind: 'mail.changed',
  accountId,
  boxId,
})

/** Only the owner. */
export const mailAudience = toThemselves<MailChanged>(({ boxId }) => ({ name: 'mailChanged', payload: { boxId } }))

/** Refuses calls of mail where the feature is switched off. */
export function requireMail(context: Context): AccountActor {
  const actor = actorOf(context)
  return actor.settings.setting.email ? actor : fail('noPermission')
}
