// The windows of this area.
import type { ItemRecord } from '@cloudoc/contract'
import { parseItemIdStr } from '@cloudoc/domain'
import { t } from '../core/i18n/i18n.ts'
import { longName, longNames } from '../core/windows/crowded.ts'
import { win } from '../core/windows/index.ts'
import type { ServerCopiesProps } from './actions/server-copies.tsx'
import type { NewAssociatedProps } from './associated/new-associated.tsx'
import type { ReadOnlyProps } from './conditions/read-only.tsx'
import type { SecretChosen, SecretProps } from './conditions/secret.tsx'
import { itemFromQuery } from './item/item-from-query.ts'
import { itemRecord } from './item/item-record.ts'
import type { LinkFileListProps } from './link-files/link-file-list.tsx'

export const itemsWindows = {
  'cloudoc-secret': win<SecretProps, SecretChosen>({
    title: ({ items, upload, make }) => {
      if (upload !== undefined) return t('drive.secret.titleUpload', { n: upload.names.length })
      if (make !== undefined) return t('drive.secret.titleMake')
      return items?.length === 1
        ? t('drive.secret.titleOf', { name: items[0]?.fName ?? '' })
        : t('drive.secret.titleMany', { n: items?.length ?? 0 })
    },
    size: { width: 500, height: 300 },
    fromQuery: async (query) => ({ items: [await itemFromQuery(query)] }),
    load: () => import('./conditions/secret.tsx').then((module) => module.Secret),
    sample: { make: true },
    crowded: () => ({ upload: { names: longNames(40), folderName: longName() } }),
  }),
  'drive-read-only': win<ReadOnlyProps, boolean>({
    title: 'drive.readOnly.title',
    size: { width: 480, height: 'auto' },
    resizable: false,
    load: () => import('./conditions/read-only.tsx').then((module) => module.ReadOnly),
    sample: { items: [itemRecord({ fId: 1, fType: 2, fName: '合同与法务' })] },
    crowded: () => ({ items: [itemRecord({ fId: 1, fType: 2, fName: longName() })] }),
  }),
  'drive-associated': win<NewAssociatedProps, boolean>({
    title: 'associated.title',
    size: { width: 480, height: 'auto' },
    resizable: false,
    load: () => import('./associated/new-associated.tsx').then((module) => module.NewAssociated),
    sample: { folderId: 1 },
  }),
  'cloudoc-dmcdFilelist': win<LinkFileListProps, ItemRecord[]>({
    title: 'linkFile.title',
    size: { width: 400, height: 500 },
    minSize: { width: 400, height: 500 },
    load: () => import('./link-files/link-file-list.tsx').then((module) => module.LinkFileList),
    fromQuery: (query) => {
      const named = (query.get('itemIdStr') ?? '').split(',').map((id) => ({ id, parts: parseItemIdStr(id) }))
      return {
        items: named.flatMap(({ id, parts }) => (parts === undefined ? [] : { ...parts, fName: id })),
        use: 'open',
        version: Number(query.get('version') ?? 0),
      }
    },
    sample: { items: [{ serverId: 0, fType: 1, fId: 1, fName: '华东区渠道合作协议（修订 7）.docx' }], use: 'open' },
    crowded: () => ({
      items: longNames(60).map((fName, n) => ({ serverId: 0, fType: 1, fId: n + 1, fName })),
      use: 'copy',
      target: longName(),
    }),
  }),
  'cloudoc-server-copies': win<ServerCopiesProps>({
    title: 'drive.serverCopies',
    // Sizes are ours (X79).
    size: { width: 600, height: 440 },
    fromQuery: () => ({}),
    load: () => import('./actions/server-copies.tsx').then((module) => module.ServerCopies),
    sample: {},
  }),
}
