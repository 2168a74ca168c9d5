// The editing actions of item lists.
import type { ItemRecord } from '@cloudoc/contract'
import { hasStatus, itemStatus } from '@cloudoc/domain'
import { sessionStore } from '../core/session/session.ts'
import { openWindow } from '../core/windows/index.ts'
import { rules } from '../items/actions/actions.ts'
import { type ItemAction, itemLists } from '../items/actions/item-action.tsx'
import { isLink } from '../items/item/item.ts'
import { DesktopEdit20Regular, Edit20Regular, LockOpen20Regular, PeopleEdit20Regular } from '../kit/icons.ts'
import { forceUnlock } from './locks/unlock.ts'
import { isControlProgramRunning } from './opening/control-program.ts'
import { isEditable, isOfficeServerEditable, openOfficeServerEditor } from './opening/editable.ts'
import { openToEdit } from './opening/open-to-edit.ts'

const isEdited = (item: ItemRecord): boolean => {
  const status = itemStatus(item.itemStatus)
  return hasStatus(status, 'editAlone') || hasStatus(status, 'editMulti')
}

export const editMenu: readonly ItemAction[] = [
  {
    ...rules.edit,
    id: 'edit',
    modules: [...itemLists, 'shown'],
    on: 'items',
    label: 'editor.menu',
    icon: <Edit20Regular />,
    keys: ['F4'],
    help: 'acts',
    show: isEditable,
    // While another user edits the file, it can still be read or requested.
    menu: { group: 'open', place: 15 },
    // Without the permission, opening offers reading, preview or a permission request, by permissions and settings
    // ([R172]).
    refused: (item, reason) => (reason === 'noPermission' && isEditable(item) ? () => openToEdit(item) : undefined),
    find: true,
    run: ({ items: [item] }) => item && openToEdit(item),
  },
  {
    ...rules.edit,
    id: 'editLocally',
    modules: itemLists,
    on: 'items',
    label: 'editor.local.menu',
    icon: <DesktopEdit20Regular />,
    help: 'acts',
    // For every file: the control program knows which formats it can open, the page does not.
    show: (item) => !isLink(item) && item.fType === 1 && isControlProgramRunning(),
    menu: { group: 'open', place: 17 },
    find: true,
    run: ({ items: [item] }) =>
      item && import('./opening/edit-locally.ts').then(({ editLocally }) => editLocally(item)),
  },
  {
    ...rules.editTogether,
    id: 'editTogether',
    modules: itemLists,
    on: 'items',
    label: 'together.menu',
    icon: <PeopleEdit20Regular />,
    help: 'acts',
    show: isOfficeServerEditable,
    menu: { group: 'open', place: 16 },
    find: true,
    run: ({ items: [item] }) => item && openOfficeServerEditor(item),
  },
  {
    ...rules.unlock,
    id: 'unlock',
    modules: ['recent'],
    on: 'items',
    label: 'recent.unlock',
    icon: <LockOpen20Regular />,
    show: ({ editorId }) => editorId === sessionStore.getState().session?.account.userId,
    menu: { group: 'change', place: 5 },
    // Also ends a lock that the user holds on another machine or in another tab; that editor is notified (push 66).
    run: ({ items: [item] }) => item && forceUnlock([item], false),
  },
  {
    ...rules.forceUnlock,
    id: 'forceUnlock',
    modules: itemLists,
    on: 'items',
    label: 'unlock.menu',
    icon: <LockOpen20Regular />,
    show: (item) => !isLink(item) && isEdited(item),
    menu: { group: 'safety', place: 90 },
    find: true,
    run: ({ withAll }) => withAll((items) => openWindow('cloudoc-force-unlock', { items })),
  },
]
