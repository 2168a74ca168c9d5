// Sending items of the drive into conversations, as cards ([R293]).

import { type ItemAction, itemLists } from '../items/actions/item-action.tsx'
import { Chat20Regular } from '../kit/icons.ts'

export const talkMenu: readonly ItemAction[] = [
  {
    id: 'send-to-chat',
    gate: 'see',
    count: 'some',
    modules: itemLists,
    on: 'items',
    find: true,
    label: 'talk.menu.send',
    icon: <Chat20Regular />,
    show: ({ linkId }) => linkId === 0,
    menu: { group: 'together', place: 15 },
    run: ({ withAll }) => withAll((all) => import('./send-cards.ts').then(({ sendCards }) => sendCards(all))),
  },
]
