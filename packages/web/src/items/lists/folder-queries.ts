// A folder and what is above it, cached so that going down or up shows the path at once.
import type { ItemRecord } from '@cloudoc/contract'
import { VirtualFolder } from '@cloudoc/domain'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { t } from '../../core/i18n/i18n.ts'
import type { SortKey } from './folder-list.ts'

/** A folder with the visible folders above it, topmost first. */
export interface FolderInfo {
  readonly folder: ItemRecord
  readonly ancestors: readonly ItemRecord[]
  /** The order that the folder is shown in to who has chosen none; not known of a folder that is only foreseen. */
  readonly sort?: SortKey
  readonly order?: 'asc' | 'desc'
}

const queryKey = (folderId: number): readonly unknown[] => ['drive', 'folder', folderId]

/** The name a folder is shown by; the virtual ones have none of their own. */
export function folderName(folder: Pick<ItemRecord, 'fId' | 'fName'>): string {
  if (folder.fId === VirtualFolder.company) return t('drive.tree.company')
  if (folder.fId === VirtualFolder.mine) return t('drive.tree.mine')
  if (folder.fId === VirtualFolder.colleagues) return t('drive.tree.colleagues')
  return folder.fName
}

/** The folder of a page. */
export function useFolder(folderId: number | undefined): UseQueryResult<FolderInfo> {
  return useQuery<FolderInfo>({
    queryKey: queryKey(folderId ?? 0),
    queryFn: () => api.getFolderInfo2({ folderId: folderId ?? 0 }),
    enabled: folderId !== undefined,
  })
}

/** Tells what is known already of a folder that is about to be opened. */
export function primeFolder(info: FolderInfo): void {
  queryClient.setQueryData<FolderInfo>(queryKey(info.folder.fId), (known) => known ?? info)
}

/** The libraries that the person may see. */
export function useRoots() {
  return useQuery({ queryKey: ['drive', 'roots'], queryFn: async () => (await api.getRootFolderSetting({})).list })
}
