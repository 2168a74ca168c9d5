// Workflows in item menus ([R156]): launching one, and showing the one that a file is in.

import { openWindow } from '../../core/windows/index.ts'
import { type ItemAction, itemLists } from '../../items/actions/item-action.tsx'
import { Branch20Regular, DocumentBulletListClock20Regular } from '../../kit/icons.ts'
import { launchWorkflow } from './launch-flow.ts'

export const workflowMenu: readonly ItemAction[] = [
  {
    gate: 'launchProcess',
    count: 'some',
    writes: true,
    id: 'launch-workflow',
    modules: itemLists,
    on: 'items',
    label: 'workflow.menu.launch',
    icon: <Branch20Regular />,
    show: ({ linkId }) => linkId === 0,
    menu: { group: 'together', place: 60 },
    find: true,
    run: ({ withAll }) =>
      withAll((all) => void launchWorkflow(all.filter(({ fType, linkId }) => fType === 1 && linkId === 0))),
  },
  {
    gate: 'see',
    count: 'one',
    id: 'show-workflow',
    modules: itemLists,
    on: 'items',
    label: 'workflow.menu.show',
    icon: <DocumentBulletListClock20Regular />,
    show: ({ linkId, processId }) => linkId === 0 && processId > 0,
    menu: { group: 'together', place: 61 },
    find: true,
    run: ({ items: [item] }) =>
      item && openWindow('cloudoc-workflow-detail', { processId: item.processId, name: item.fName }),
  },
]
