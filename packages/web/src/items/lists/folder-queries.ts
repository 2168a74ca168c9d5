// A folder and its ancestors. They are cached, so that navigating down or up shows the path at once.
import type { ItemRecord } from '@cloudoc/contract'
import { VirtualFolder } from '@cloudoc/domain'
import { queryOptions, skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api, mainServer, type OnServer } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { t } from '../../core/i18n/i18n.ts'
import type { FolderRef } from '../item/item.ts'
import type { SortKey } from './folder-list.ts'

/** A folder with its visible ancestors, topmost first. */
export interface FolderInfo {
  readonly folder: ItemRecord
  readonly ancestors: readonly ItemRecord[]
  /** The default sort order of the folder. Not known for a folder that is only prefetched from a row. */
  readonly sort?: SortKey
  readonly order?: 'asc' | 'desc'
}

const queryKey = ({ serverId, fId }: FolderRef): readonly unknown[] => ['drive', 'folder', serverId, fId]

/** Returns the display name of a folder. Virtual folders have no name of their own. */
export function folderName(folder: Pick<ItemRecord, 'fId' | 'fName'>): string {
  if (folder.fId === VirtualFolder.company) return t('drive.tree.company')
  if (folder.fId === VirtualFolder.mine) return t('drive.tree.mine')
  if (folder.fId === VirtualFolder.colleagues) return t('drive.tree.colleagues')
  return folder.fName
}

/** Returns the data of the folder of a page. */
export function useFolder(folder: FolderRef | undefined): UseQueryResult<FolderInfo> {
  return useQuery<FolderInfo>({
    queryKey: queryKey(folder ?? { ...mainServer, fId: 0 }),
    queryFn: folder === undefined ? skipToken : () => api.of(folder).getFolderInfo2({ folderId: folder.fId }),
  })
}

/** Fills the cache with the known data of a folder that is about to be opened. */
export function primeFolder(info: FolderInfo): void {
  queryClient.setQueryData<FolderInfo>(queryKey(info.folder), (known) => known ?? info)
}

/** Returns the libraries that the user may see. */
export function useRoots() {
  return useQuery({ queryKey: ['drive', 'roots'], queryFn: async () => (await api.getRootFolderSetting({})).list })
}

/** Reads the libraries that the user may see at a linked server. */
export const rootsAt = ({ serverId }: OnServer) =>
  queryOptions({
    queryKey: ['drive', 'roots', serverId],
    queryFn: async () => (await api.of({ serverId }).getRootFolderSetting({}, { quiet: true })).list,
    retry: false,
  })
