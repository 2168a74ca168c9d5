// How the drive's notices look, and where they lead.
import { ShareType } from '@cloudoc/contract'
import { Key20Regular, LockClosed20Regular } from '@fluentui/react-icons'
import type { Notices } from '../core/area/area.ts'
import { t } from '../core/i18n/i18n.ts'
import { folderPath, itemIdStr } from './item/item.ts'

/** The address of an item: a folder is opened, a file shown in its own. */
const pathOf = (fileId: number, folderId: number): string =>
  fileId === 0
    ? folderPath(folderId)
    : `/doc/folder/files?${new URLSearchParams({ itemIdStr: itemIdStr({ fType: 1, fId: fileId }) })}`

const shareText = {
  [ShareType.given]: 'drive.shared',
  [ShareType.reduced]: 'drive.shareReduced',
  [ShareType.cancelled]: 'drive.unshared',
} as const

export const notices = {
  shareRemind: {
    icon: ({ shareType }) => (shareType === ShareType.cancelled ? <LockClosed20Regular /> : <Key20Regular />),
    who: ({ operatorName }) => operatorName,
    text: ({ docName, shareType }) => t(shareText[shareType], { item: docName }),
    path: ({ fileId, folderId, shareType }) =>
      shareType === ShareType.cancelled ? undefined : pathOf(fileId, folderId),
  },
} satisfies Notices
