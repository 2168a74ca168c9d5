// The texts, icons and link targets of the drive's notices.
import { formatSize, OperateType, type OperateTypeName, ShareType } from '@cloudoc/domain'
import {
  ArrowDownload20Regular,
  Comment20Regular,
  DocumentBulletList20Regular,
  HardDrive20Regular,
  Key20Regular,
  LockClosed20Regular,
  ShieldError20Regular,
} from '@fluentui/react-icons'
import type { Notices } from '../core/area/area.ts'
import type { OnServer } from '../core/call/api.ts'
import { type TextKey, t } from '../core/i18n/i18n.ts'
import { FileIcon, FolderIcon } from '../items/item/file-icon.tsx'
import { extOf, folderPath, itemIdStr, nameInText } from '../items/item/item.ts'

/** Returns the address of an item: a folder opens, a file is shown in its folder. */
const pathOf = (on: OnServer, fileId: number, folderId: number): string =>
  fileId === 0
    ? folderPath({ serverId: on.serverId, fId: folderId })
    : `/doc/folder/files?${new URLSearchParams({ itemIdStr: itemIdStr({ serverId: on.serverId, fType: 1, fId: fileId }) })}`

const shareText = {
  [ShareType.given]: 'drive.shared',
  [ShareType.reduced]: 'drive.shareReduced',
  [ShareType.cancelled]: 'drive.unshared',
} as const

/** The texts for changes of followed items ([R091]). */
const followChangeText: Partial<Record<number, `drive.told.${OperateTypeName}` & TextKey>> = {
  [OperateType.add]: 'drive.told.add',
  [OperateType.edit]: 'drive.told.edit',
  [OperateType.delete]: 'drive.told.delete',
  [OperateType.restore]: 'drive.told.restore',
  [OperateType.copy]: 'drive.told.copy',
  [OperateType.move]: 'drive.told.move',
  [OperateType.rename]: 'drive.told.rename',
  [OperateType.rights]: 'drive.told.rights',
  [OperateType.download]: 'drive.told.download',
}

export const notices = {
  followChange: {
    icon: ({ fType, fName }) => (fType === 2 ? <FolderIcon /> : <FileIcon ext={extOf({ fType, fName })} />),
    actor: ({ operatorName }) => operatorName,
    text: ({ operateType, fName }) =>
      t(followChangeText[operateType] ?? 'drive.told.other', { item: nameInText(fName) }),
    detail: ({ parentFolderName }) => parentFolderName,
    path: ({ serverId, operateType, fType, fId, parentFolderId }) => {
      if (operateType !== OperateType.delete) return pathOf({ serverId }, fType === 1 ? fId : 0, fType === 2 ? fId : 0)
      return parentFolderId === 0 ? undefined : folderPath({ serverId, fId: parentFolderId })
    },
    folder: ({ serverId, parentFolderId, fId, fType, operateType }) => {
      if (parentFolderId === 0) return undefined
      return operateType === OperateType.delete
        ? folderPath({ serverId, fId: parentFolderId })
        : folderPath({ serverId, fId: parentFolderId }, { serverId, fId, fType })
    },
  },
  commentRemind: {
    icon: () => <Comment20Regular />,
    actor: ({ operatorName }) => operatorName,
    text: ({ fName, comment, mentioned }) =>
      t(mentioned ? 'comments.told.mentioned' : 'comments.told.answered', { item: nameInText(fName), comment }),
    path: ({ serverId, fType, fId }) => pathOf({ serverId }, fType === 1 ? fId : 0, fType === 2 ? fId : 0),
  },
  shareRemind: {
    icon: ({ shareType }) => (shareType === ShareType.cancelled ? <LockClosed20Regular /> : <Key20Regular />),
    actor: ({ operatorName }) => operatorName,
    text: ({ docName, shareType }) => t(shareText[shareType], { item: docName }),
    detail: ({ message = '' }) => message,
    path: ({ serverId, fileId, folderId, shareType }) =>
      shareType === ShareType.cancelled ? undefined : pathOf({ serverId }, fileId, folderId),
  },
  fileSubmitted: {
    icon: ({ fName, fType }) => <FileIcon ext={extOf({ fType, fName })} />,
    text: ({ fName }) => t('drive.submitted', { item: nameInText(fName) }),
    detail: ({ version }) => t('drive.submitted.more', { n: version }),
    path: ({ serverId, fId }) => pathOf({ serverId }, fId, 0),
    folder: ({ serverId, parentFolderId, fId, fType }) =>
      parentFolderId === 0 ? undefined : folderPath({ serverId, fId: parentFolderId }, { serverId, fId, fType }),
  },
  virusFound: {
    icon: () => <ShieldError20Regular />,
    text: ({ fName, virusName }) => t('drive.virus', { name: nameInText(fName), virus: virusName }),
    detail: ({ version, uploaderName }) => t('drive.virus.more', { n: version, name: uploaderName }),
    path: ({ serverId, fId }) => pathOf({ serverId }, fId, 0),
  },
  serverSpaceLow: {
    icon: () => <HardDrive20Regular />,
    text: ({ freeSpaceSize, totalSpaceSize }) =>
      t('drive.low.server', { free: formatSize(freeSpaceSize), total: formatSize(totalSpaceSize) }),
    path: () => '/doc/admin/libraries/storage',
  },
  personalSpaceLow: {
    icon: () => <HardDrive20Regular />,
    text: ({ percent, used, total }) =>
      t('drive.low.personal', { percent, used: formatSize(used), total: formatSize(total) }),
    detail: () => t('drive.low.personal.more'),
    path: () => '/doc/folder/recycle',
  },
  logSpaceLow: {
    icon: () => <DocumentBulletList20Regular />,
    text: ({ restSpaceSize, isArchive }) =>
      t(isArchive ? 'drive.low.archive' : 'drive.low.log', { rest: formatSize(restSpaceSize) }),
    path: () => '/doc/admin/settings',
  },
  downloadsLow: {
    icon: () => <ArrowDownload20Regular />,
    text: ({ count, limit, state }) => t(`drive.limit.notice.${state}`, { n: count, limit }),
    detail: ({ count, limit }) => t('drive.limit.left', { n: Math.max(0, limit - count) }),
    path: () => '/doc/folder/share/download-application',
  },
  downloadAudit: {
    icon: () => <ArrowDownload20Regular />,
    actor: ({ accountName }) => accountName,
    text: ({ count, limit, state }) => t(`company.notice.downloads.${state}`, { n: count, limit }),
    detail: ({ groupName }) => groupName,
    path: () => '/doc/admin/links/limits',
  },
} satisfies Notices
