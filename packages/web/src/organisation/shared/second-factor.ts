// Removing the second factor of somebody who has lost their device ([R025]).
import { api } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { refetchOrganisation } from './organisation-queries.ts'

/** Asks, and removes the second factor, the passkeys and the recovery codes of a user. */
export async function removeFactor(person: { readonly userId: number; readonly accountName: string }): Promise<void> {
  const { userId, accountName: name } = person
  const sure = await confirmBox({
    text: t('org.factor.ask', { name }),
    detail: t('org.factor.more'),
    ok: t('org.factor.remove'),
    danger: true,
  })
  if (!sure) return
  await api.removeSecondFactor({ userId })
  toast({ kind: 'success', text: t('org.factor.done', { name }) })
  await refetchOrganisation()
}
