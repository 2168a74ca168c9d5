// What the server tells of rights, in passing.
import type { Notices } from '../core/area/area.ts'
import { t } from '../core/i18n/i18n.ts'

/** shareType of a push that takes rights away ([R333]). */
const cancelled = 1

export const notices = {
  shareRemind: {
    group: 'rights',
    key: ({ operatorName, fileId, folderId, shareType, createTime }) =>
      [operatorName, fileId, folderId, shareType, createTime].join(),
    text: ({ operatorName, docName, shareType }) =>
      t(shareType === cancelled ? 'drive.unshared' : 'drive.shared', { operator: operatorName, item: docName }),
  },
} satisfies Notices
