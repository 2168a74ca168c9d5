// Associated folders ([R162], [R248]): creating one, and turning a folder into an associated folder or back.

import type { ItemRecord } from '@cloudoc/contract'
import { codeOf, codes, codeText, hasStatus, itemStatus } from '@cloudoc/domain'
import { api, mainServer } from '../../core/call/api.ts'
import { currentLocale, t } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { openWindow } from '../../core/windows/index.ts'
import { FolderLink20Regular } from '../../kit/icons.ts'
import { rules } from '../actions/actions.ts'
import { type ItemAction, itemLists } from '../actions/item-action.tsx'
import { notifyFailure } from '../actions/operations.ts'
import { isLink } from '../item/item.ts'
import { refreshDrive } from '../lists/lists.ts'

const isAssociated = (item: ItemRecord): boolean => hasStatus(itemStatus(item.itemStatus), 'associateFolder')

async function setAssociated(items: readonly ItemRecord[], associate: boolean): Promise<void> {
  try {
    const answers = await api
      .of(items[0] ?? mainServer)
      .setFolderAssociate({ folderIdArray: items.map(({ fId }) => fId), associate })
    const refused = answers.filter(({ result }) => result !== codes.success.code)
    const done = answers.length - refused.length
    if (done > 0) toast({ kind: 'success', text: t(associate ? 'associated.done' : 'associated.ended', { n: done }) })
    const [first] = refused
    if (first !== undefined && codeOf(first.result) !== undefined)
      toast({
        kind: 'error',
        text: t('rights.refusedFor', { name: first.name, reason: codeText(first.result, currentLocale()) }),
      })
    refreshDrive()
  } catch (error) {
    notifyFailure(error)
  }
}

export const associatedMenu: readonly ItemAction[] = [
  {
    ...rules.createAssociated,
    id: 'createAssociated',
    modules: ['files'],
    on: 'folder',
    label: 'associated.create',
    icon: <FolderLink20Regular />,
    menu: { group: 'new', place: 12 },
    tool: 'new',
    find: true,
    run: ({ folder }) => folder && openWindow('drive-associated', { folderId: folder.fId }),
  },
  {
    ...rules.associate,
    id: 'associate',
    modules: itemLists,
    on: 'items',
    label: 'associated.make',
    icon: <FolderLink20Regular />,
    show: (item) => !isLink(item) && !isAssociated(item),
    menu: { group: 'more', place: 64 },
    run: ({ withAll }) => withAll((items) => setAssociated(items, true)),
  },
  {
    ...rules.associate,
    id: 'unassociate',
    modules: itemLists,
    on: 'items',
    label: 'associated.end',
    icon: <FolderLink20Regular />,
    show: (item) => !isLink(item) && isAssociated(item),
    menu: { group: 'more', place: 64 },
    run: ({ withAll }) => withAll((items) => setAssociated(items, false)),
  },
]
