// Message boxes and confirmations ([R083]): windows 500 px wide with a backdrop over everything behind them.

import { t } from '../i18n/i18n.ts'
import { store, stored } from '../storage/storage.ts'
import { openFrame, type WindowDefinition } from './index.ts'
import { type BoxAnswer, type BoxProps, MessageBox } from './message-box.tsx'

const boxWindow: WindowDefinition<BoxProps, BoxAnswer> = {
  title: (props) => props.title ?? t('box.notice'),
  size: { width: 500, height: 'auto' },
  resizable: false,
  blocking: true,
  load: () => Promise.resolve(MessageBox),
  sample: { text: '' },
}
const lockedBox: typeof boxWindow = { ...boxWindow, locked: true }

/** Shows a message or a question. Returns the pressed button and the state of the checkbox. */
export async function messageBox(props: BoxProps): Promise<BoxAnswer> {
  const definition = (props.locked ? lockedBox : boxWindow) as unknown as WindowDefinition
  const answer = (await openFrame('cloudoc-message-box', definition, props)) as BoxAnswer | undefined
  return answer ?? { button: undefined, checked: false }
}

export interface ConfirmProps {
  readonly title?: string
  readonly text: string
  readonly detail?: string
  readonly ok?: string
  readonly cancel?: string
  /** The action cannot be undone. */
  readonly danger?: boolean
  /** Offers "do not remind me again". The choice is stored under this name, and from then on counts as a yes. */
  readonly remindKey?: string
}

/** Asks a yes-or-no question; true for yes. */
export async function confirmBox(props: ConfirmProps): Promise<boolean> {
  const { title, text, detail, ok, cancel, danger, remindKey } = props
  const key = `remind:${remindKey}`
  if (remindKey !== undefined && stored(key) === 'never') return true
  const { button, checked } = await messageBox({
    text,
    icon: danger ? 'warning' : 'question',
    ...(title !== undefined && { title }),
    ...(detail !== undefined && { detail }),
    ...(remindKey !== undefined && { checkbox: { label: t('box.dontRemind') } }),
    buttons: [
      { id: 'cancel', text: cancel ?? t('box.cancel') },
      { id: 'ok', text: ok ?? t('box.ok'), kind: danger ? 'danger' : 'primary' },
    ],
  })
  if (button === 'ok' && checked) store(key, 'never')
  return button === 'ok'
}
