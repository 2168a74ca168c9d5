// The icons, details and folders of the drive's notices.
import { OperateType, ShareType } from '@cloudoc/domain'
import type { Notices } from '../core/area/area.ts'
import { t } from '../core/i18n/i18n.ts'
import { FileIcon, FolderIcon } from '../items/item/file-icon.tsx'
import { extOf, folderPath } from '../items/item/item.ts'
import {
  ArrowDownload20Regular,
  Comment20Regular,
  DocumentBulletList20Regular,
  HardDrive20Regular,
  Key20Regular,
  LockClosed20Regular,
  ShieldError20Regular,
} from '../kit/icons.ts'

export const notices = {
  followChange: {
    icon: ({ fType, fName }) => (fType === 2 ? <FolderIcon /> : <FileIcon ext={extOf({ fType, fName })} />),
    detail: ({ parentFolderName }) => parentFolderName,
    folder: ({ serverId, parentFolderId, fId, fType, operateType }) => {
      if (parentFolderId === 0) return undefined
      return operateType === OperateType.delete
        ? folderPath({ serverId, fId: parentFolderId })
        : folderPath({ serverId, fId: parentFolderId }, { serverId, fId, fType })
    },
  },
  commentRemind: {
    icon: () => <Comment20Regular />,
  },
  shareRemind: {
    icon: ({ shareType }) => (shareType === ShareType.cancelled ? <LockClosed20Regular /> : <Key20Regular />),
  },
  fileSubmitted: {
    icon: ({ fName, fType }) => <FileIcon ext={extOf({ fType, fName })} />,
    detail: ({ version }) => t('drive.submitted.more', { n: version }),
    folder: ({ serverId, parentFolderId, fId, fType }) =>
      parentFolderId === 0 ? undefined : folderPath({ serverId, fId: parentFolderId }, { serverId, fId, fType }),
  },
  virusFound: {
    icon: () => <ShieldError20Regular />,
    detail: ({ version, uploaderName, conversationId }) =>
      conversationId === undefined ? t('drive.virus.more', { n: version, name: uploaderName }) : uploaderName,
  },
  serverSpaceLow: {
    icon: () => <HardDrive20Regular />,
  },
  personalSpaceLow: {
    icon: () => <HardDrive20Regular />,
    detail: () => t('drive.low.personal.more'),
  },
  logSpaceLow: {
    icon: () => <DocumentBulletList20Regular />,
  },
  downloadsLow: {
    icon: () => <ArrowDownload20Regular />,
    detail: ({ count, limit }) => t('drive.limit.left', { n: Math.max(0, limit - count) }),
  },
  downloadAudit: {
    icon: () => <ArrowDownload20Regular />,
    detail: ({ groupName }) => groupName,
  },
} satisfies Notices
