// The item whose rights were copied, for pasting them on other items ([R211]). Stored on this page only.
import type { ItemRecord } from '@cloudoc/contract'
import { create } from 'zustand'

interface RightsClipboard {
  readonly from: Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'> | undefined
}

export const useRightsClipboard = create<RightsClipboard>(() => ({ from: undefined }))
