// Editing, in every list of items.
import { Edit20Regular, PeopleEdit20Regular } from '@fluentui/react-icons'
import { rules } from '../actions/actions.ts'
import { type ItemAction, itemLists } from '../actions/item-action.ts'
import { isEditable, isShared, openToEdit, openTogether } from './open.ts'

export const editMenu: readonly ItemAction[] = [
  {
    ...rules.edit,
    id: 'edit',
    modules: itemLists,
    on: 'items',
    label: 'editor.menu',
    icon: <Edit20Regular />,
    keys: ['F4'],
    help: 'acts',
    show: isEditable,
    // While somebody else edits it, it can still be read as it is, or asked for.
    menu: { group: 'open', place: 15 },
    find: true,
    run: ({ items: [item] }) => item && openToEdit(item.fId),
  },
  {
    ...rules.editTogether,
    id: 'editTogether',
    modules: itemLists,
    on: 'items',
    label: 'together.menu',
    icon: <PeopleEdit20Regular />,
    help: 'acts',
    show: isShared,
    menu: { group: 'open', place: 16 },
    find: true,
    run: ({ items: [item] }) => item && openTogether(item),
  },
]
