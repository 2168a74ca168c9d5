// Sending files by mail ([R143] [R159]).

import { openWindow } from '../core/windows/index.ts'
import { type ItemAction, itemLists } from '../items/actions/item-action.tsx'
import { MailArrowUp20Regular, MailInbox20Regular } from '../kit/icons.ts'
import { composeWith } from './compose-queries.ts'

export const mailMenu: readonly ItemAction[] = [
  {
    gate: 'sendMail',
    count: 'some',
    modules: itemLists,
    on: 'items',
    find: true,
    id: 'send-by-mail',
    label: 'email.menu.send',
    icon: <MailArrowUp20Regular />,
    show: ({ linkId, fType }) => linkId === 0 && fType === 1,
    menu: { group: 'save', place: 42 },
    run: ({ withAll }) => withAll((items) => composeWith(items)),
  },
  {
    gate: 'see',
    count: 'one',
    modules: itemLists,
    on: 'items',
    id: 'open-its-mail',
    label: 'email.menu.open',
    icon: <MailInbox20Regular />,
    // The record names a mail only to whoever has it ([R109]).
    show: ({ emailId }) => emailId !== 0,
    menu: { group: 'more', place: 60 },
    run: ({ items: [item] }) =>
      item === undefined ? undefined : openWindow('cloudoc-email-detail', { mailId: item.emailId }),
  },
]
