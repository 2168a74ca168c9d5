// What the page does when the server tells it something: a reaction to every push, or this does not compile.
import type { PushHandlers } from '@cloudoc/contract'
import { limits } from '@cloudoc/domain'
import { t } from '../core/i18n/i18n.ts'
import { forgetUnlessByItself } from '../core/session/remembered.ts'
import { endSession, sessionStore } from '../core/session/session.ts'
import { toast } from '../core/toast/toast.ts'
import { messageBox } from '../core/windows/boxes.ts'
import { onItemChange } from '../drive/index.ts'
import { leaveToLogin } from './leave.ts'

/** shareType of a push that takes rights away ([R333]). */
const cancelled = 1

export const pushHandlers: PushHandlers<undefined> = {
  loginElsewhere: () => {
    setTimeout(() => void forceOffline(), limits.otherLoginDelayMs)
  },
  fileChange: onItemChange,
  folderChange: onItemChange,
  shareRemind: ({ operatorName, docName, shareType }) => {
    const key = shareType === cancelled ? 'app.unshared' : 'app.shared'
    toast({ text: t(key, { operator: operatorName, item: docName }) })
  },
}

/** Somebody signed in with this account elsewhere: this page is over ([R034]). */
async function forceOffline(): Promise<void> {
  const account = sessionStore.getState().session?.account.account
  endSession()
  if (account !== undefined) await forgetUnlessByItself(account)
  await messageBox({
    title: t('elsewhere.title'),
    icon: 'warning',
    text: t('elsewhere.text'),
    locked: true,
    buttons: [{ id: 'again', text: t('elsewhere.again'), kind: 'primary' }],
  })
  leaveToLogin()
}
