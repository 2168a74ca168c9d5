// Sending files by mail ([R143] [R159]).
import { MailArrowUp20Regular } from '@fluentui/react-icons'
import { type ItemAction, itemLists } from '../items/actions/item-action.tsx'
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
]
